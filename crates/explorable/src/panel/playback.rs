//! Moves the cursor of some charts: by steps, from decision to decision, or at an even speed.
//!
//! Nothing moves before the reader asks for it; a reader who wants less motion has the steps only.

use crate::browser::dom::{self, Coalesced};
use crate::charts::Charts;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlSelectElement, KeyboardEvent, MediaQueryList};

/// How long the whole time takes to play at the fitted speed, in milliseconds.
const FITTED: f64 = 10_000.0;
/// Speeds as multiples of real time; none is the fitted one.
const SPEEDS: [(&str, Option<f64>); 7] = [
    ("fit to 10 s", None),
    ("0.1 ×", Some(0.1)),
    ("0.25 ×", Some(0.25)),
    ("0.5 ×", Some(0.5)),
    ("real time", Some(1.0)),
    ("2 ×", Some(2.0)),
    ("4 ×", Some(4.0)),
];

/// The buttons and what they keep.
pub struct Player {
    charts: Rc<Charts>,
    play: HtmlElement,
    speed_label: HtmlElement,
    speed: HtmlSelectElement,
    calm: Option<MediaQueryList>,
    /// When the last frame was painted, in milliseconds of the window's clock.
    last: Cell<Option<f64>>,
    frame: OnceCell<Coalesced>,
}

impl Player {
    /// Adds the buttons for `charts` to `parent`; the keys are heard in `keys`.
    pub fn add(parent: &HtmlElement, keys: &HtmlElement, charts: &Rc<Charts>) {
        let root = dom::append(parent, "div", "player");
        dom::set(&root, "role", "group");
        dom::set(&root, "aria-label", "Playback");
        let play = button(&root, "play", "Play", "Play", "Space");
        let step = |text: &str, name: &str, key: &str| button(&root, "", text, name, key);
        let steps: [(HtmlElement, Step); 3] = [
            (step("‹", "Previous decision", "p"), Step::Back),
            (step("Decision ›", "Next decision", "n"), Step::Forward),
            (step("Loss ›", "Next loss", "l"), Step::Loss),
        ];
        let speed_label = dom::append_text(&root, "label", "speed", "Speed ");
        let speed: HtmlSelectElement = dom::append(&speed_label, "select", "").unchecked_into();
        for (text, _) in SPEEDS {
            dom::append_text(&speed, "option", "", text);
        }
        let calm = dom::window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
        let player = Rc::new(Player {
            charts: charts.clone(),
            play,
            speed_label,
            speed,
            calm,
            last: Cell::new(None),
            frame: OnceCell::new(),
        });
        let this = player.clone();
        player.frame.get_or_init(|| Coalesced::new(move || this.tick()));
        player.listen(keys, steps);
        player.follow_motion();
    }

    fn listen(self: &Rc<Self>, keys: &HtmlElement, steps: [(HtmlElement, Step); 3]) {
        let this = self.clone();
        dom::on(&self.play, "click", move |_: Event| this.toggle());
        for (button, step) in steps {
            let this = self.clone();
            dom::on(&button, "click", move |_: Event| this.step(step));
        }
        let this = self.clone();
        dom::on(keys, "keydown", move |event: KeyboardEvent| {
            if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key()
            {
                return;
            }
            let target = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
            let tag = target.map_or(String::new(), |t| t.tag_name());
            // Where the space bar and letters have a meaning of their own, they keep it.
            let is_pressed = |key: &str| event.key() == key && tag != "SELECT" && tag != "INPUT";
            if is_pressed(" ") && tag != "BUTTON" && tag != "SUMMARY" {
                if this.is_calm() { this.step(Step::Forward) } else { this.toggle() }
            } else if is_pressed("n") {
                this.step(Step::Forward);
            } else if is_pressed("p") {
                this.step(Step::Back);
            } else if is_pressed("l") {
                this.step(Step::Loss);
            } else {
                return;
            }
            event.prevent_default();
        });
        if let Some(calm) = &self.calm {
            let this = self.clone();
            dom::on(calm, "change", move |_: Event| this.follow_motion());
        }
    }

    fn is_calm(&self) -> bool {
        self.calm.as_ref().is_some_and(MediaQueryList::matches)
    }

    /// Without motion there is nothing to play, only steps.
    fn follow_motion(&self) {
        let calm = self.is_calm();
        for element in [&self.play, &self.speed_label] {
            dom::set_flag(element, "hidden", calm);
        }
        if calm {
            self.charts.set_playing(false);
            self.show();
        }
    }

    fn step(&self, step: Step) {
        self.charts.set_playing(false);
        let moments = self.charts.moments();
        let now = self.charts.cursor().unwrap_or(-1.0);
        let to = match step {
            Step::Forward => moments.iter().find(|m| m.0 > now + 1e-6),
            Step::Back => moments.iter().rfind(|m| m.0 < now - 1e-6),
            Step::Loss => moments.iter().find(|m| m.1 && m.0 > now + 1e-6),
        };
        match (to, step) {
            (Some((at, _)), _) => self.charts.visit(*at),
            (None, Step::Forward) => self.charts.say("No later decision in this run."),
            (None, Step::Back) => self.charts.say("No earlier decision in this run."),
            (None, Step::Loss) => self.charts.say("No later loss in this run."),
        }
        self.show();
    }

    fn toggle(&self) {
        let starts = !self.charts.is_playing();
        if starts && self.charts.cursor().is_none_or(|at| at >= self.charts.end() - 1e-6) {
            self.charts.go(Some(0.0));
        }
        self.charts.set_playing(starts);
        self.last.set(None);
        self.show();
        if let (true, Some(frame)) = (starts, self.frame.get()) {
            frame.in_next_frame();
        }
    }

    fn tick(&self) {
        let Some(frame) = self.frame.get() else { return };
        frame.done();
        // Pointing at the charts, or a key, has taken over.
        if !self.charts.is_playing() {
            return self.show();
        }
        let now = dom::window().performance().map_or(0.0, |p| p.now());
        // A hidden page paints no frames: it goes on where it was.
        let passed = self.last.replace(Some(now)).map_or(0.0, |last| (now - last).min(100.0));
        let end = self.charts.end();
        let speed = SPEEDS.get(self.speed.selected_index() as usize).and_then(|s| s.1);
        let at = self.charts.cursor().unwrap_or(0.0) + passed * speed.unwrap_or(end / FITTED);
        self.charts.play_to(at.min(end));
        if at >= end {
            self.charts.set_playing(false);
            return self.show();
        }
        frame.in_next_frame();
    }

    fn show(&self) {
        let text = if self.charts.is_playing() { "Pause" } else { "Play" };
        dom::set_text(&self.play, text);
        dom::set(&self.play, "aria-label", text);
    }
}

#[derive(Clone, Copy)]
enum Step {
    Back,
    Forward,
    Loss,
}

/// A button with a short text, a full name and a key.
pub fn button(parent: &HtmlElement, class: &str, text: &str, name: &str, key: &str) -> HtmlElement {
    let button = dom::append_text(parent, "button", class, text);
    dom::set(&button, "type", "button");
    dom::set(&button, "aria-label", name);
    dom::set(&button, "aria-keyshortcuts", key);
    dom::set(&button, "title", &format!("{name} ({key})"));
    button
}
