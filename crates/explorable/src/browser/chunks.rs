//! Long work, done bit by bit between frames, so that the page answers meanwhile.

use super::dom::{self, Coalesced};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// What of a frame's 16 ms goes into the work.
const BUDGET_MS: f64 = 8.0;

/// Work of many steps.
pub struct Chunks {
    frame: OnceCell<Coalesced>,
    pause: OnceCell<Coalesced>,
    /// Whether it waits for a pause.
    waits: Cell<bool>,
}

impl Chunks {
    /// Work that is done once `step` says that nothing is left.
    pub fn new(step: Box<dyn Fn() -> bool>) -> Rc<Chunks> {
        let (frame, pause, waits) = (OnceCell::new(), OnceCell::new(), Cell::new(false));
        let chunks = Rc::new(Chunks { frame, pause, waits });
        let this = chunks.clone();
        chunks.frame.get_or_init(|| {
            Coalesced::new(move || {
                this.frame.get().inspect(|frame| frame.done());
                let until = dom::now() + BUDGET_MS;
                while !this.waits.get() && step() {
                    if dom::now() >= until {
                        return this.start();
                    }
                }
            })
        });
        let this = chunks.clone();
        chunks.pause.get_or_init(|| {
            Coalesced::new(move || {
                this.pause.get().inspect(|pause| pause.done());
                this.waits.set(false);
                this.start();
            })
        });
        chunks
    }

    /// Goes on with the next frame.
    pub fn start(&self) {
        self.frame.get().inspect(|frame| frame.in_next_frame());
    }

    /// Stops, and goes on once nobody has asked for this many milliseconds.
    pub fn start_after(&self, ms: i32) {
        self.waits.set(true);
        self.pause.get().inspect(|pause| pause.after_pause(ms));
    }
}
