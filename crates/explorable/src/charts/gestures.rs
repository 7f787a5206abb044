//! What pointers mean to do to the time axis: drag it, or spread it with two fingers.

use std::cell::{Cell, RefCell};
use web_sys::PointerEvent;

/// A pointer that has moved no further than this has clicked, in CSS pixels.
const CLICK: f64 = 5.0;

/// A change of what is shown of the axis. Places are in CSS pixels of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// How much further apart moments are.
    pub factor: f64,
    /// The place that keeps its moment …
    pub about: f64,
    /// … and goes so far to the right.
    pub by: f64,
}

/// The pointers that are down.
#[derive(Default)]
pub struct Gestures {
    fingers: RefCell<Vec<(i32, f64)>>,
    began: Cell<f64>,
    has_moved: Cell<bool>,
}

impl Gestures {
    /// A pointer has gone down.
    pub fn down(&self, event: &PointerEvent) {
        let x = f64::from(event.client_x());
        let mut fingers = self.fingers.borrow_mut();
        if event.is_primary() {
            fingers.clear();
            self.began.set(x);
            self.has_moved.set(false);
        }
        if fingers.len() < 2 {
            fingers.push((event.pointer_id(), x));
        }
    }

    /// A pointer has gone up, or away.
    pub fn up(&self, event: &PointerEvent) {
        self.fingers.borrow_mut().retain(|f| f.0 != event.pointer_id());
    }

    /// A pointer has moved: what that changes, if it does. One finger points and drags nothing.
    pub fn moved(&self, event: &PointerEvent) -> Option<Change> {
        let x = f64::from(event.client_x());
        let mut fingers = self.fingers.borrow_mut();
        let before: Vec<f64> = fingers.iter().map(|f| f.1).collect();
        let finger = fingers.iter_mut().find(|f| f.0 == event.pointer_id())?;
        finger.1 = x;
        self.has_moved.set(self.has_moved.get() || (x - self.began.get()).abs() > CLICK);
        let after: Vec<f64> = fingers.iter().map(|f| f.1).collect();
        match (&before[..], &after[..]) {
            (&[a, b], &[c, d]) => {
                self.has_moved.set(true);
                Some(spread([a, b], [c, d]))
            }
            (&[a], &[b]) if event.pointer_type() == "mouse" && self.has_moved.get() => {
                Some(Change { factor: 1.0, about: a, by: b - a })
            }
            _ => None,
        }
    }

    /// Whether what goes up now has only clicked.
    pub fn is_click(&self) -> bool {
        !self.has_moved.get()
    }
}

/// Two fingers have moved.
fn spread(before: [f64; 2], after: [f64; 2]) -> Change {
    let apart = |f: [f64; 2]| (f[1] - f[0]).abs().max(20.0);
    let middle = |f: [f64; 2]| (f[0] + f[1]) / 2.0;
    Change {
        factor: apart(after) / apart(before),
        about: middle(before),
        by: middle(after) - middle(before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_fingers_spread_and_shift() {
        let change = spread([100.0, 200.0], [90.0, 290.0]);
        assert_eq!(change, Change { factor: 2.0, about: 150.0, by: 40.0 });
    }
}
