//! The part of a time axis that is shown.

/// The least part of the whole that can be shown.
const LEAST: f64 = 1.0 / 5_000.0;

/// A part of the time, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

impl Stretch {
    /// All of a time that ends at `end`.
    pub fn whole(end: f64) -> Stretch {
        Stretch { from: 0.0, to: end }
    }

    /// Whether it is all of a time that ends at `end`.
    pub fn is_whole(self, end: f64) -> bool {
        self.length() >= end * (1.0 - 1e-9)
    }

    /// How long it is.
    pub fn length(self) -> f64 {
        self.to - self.from
    }

    /// The same moments `factor` times as far apart; the one at `about` keeps its place.
    pub fn zoomed(self, factor: f64, about: f64, end: f64) -> Stretch {
        let length = (self.length() / factor).clamp(end * LEAST, end);
        let part = ((about - self.from) / self.length()).clamp(0.0, 1.0);
        Stretch { from: about, to: about + length }.moved(-part * length, end)
    }

    /// Later by `by` milliseconds, as far as there is time up to `end`.
    pub fn moved(self, by: f64, end: f64) -> Stretch {
        let length = self.length().min(end);
        let from = (self.from + by).clamp(0.0, end - length);
        Stretch { from, to: from + length }
    }

    /// The nearest stretch of this length that shows the moment `at`, with some time around it.
    pub fn showing(self, at: f64, end: f64) -> Stretch {
        if (self.from..=self.to).contains(&at) {
            return self;
        }
        let lead = if at > self.to { 0.1 } else { 0.9 };
        self.moved(at - lead * self.length() - self.from, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_moment_under_the_pointer_in_its_place() {
        let zoomed = Stretch::whole(400.0).zoomed(2.0, 100.0, 400.0);
        assert_eq!(zoomed, Stretch { from: 50.0, to: 250.0 });
        assert_eq!(zoomed.zoomed(0.5, 100.0, 400.0), Stretch::whole(400.0));
    }

    #[test]
    fn a_stretch_stays_within_the_time_there_is() {
        let stretch = Stretch { from: 100.0, to: 200.0 };
        assert_eq!(stretch.moved(900.0, 400.0), Stretch { from: 300.0, to: 400.0 });
        assert_eq!(stretch.moved(-900.0, 400.0), Stretch { from: 0.0, to: 100.0 });
        assert_eq!(stretch.moved(0.0, 60.0), Stretch::whole(60.0));
        assert!(stretch.zoomed(1e9, 150.0, 400.0).length() >= 400.0 * LEAST);
        assert!(stretch.zoomed(1e-9, 150.0, 400.0).is_whole(400.0));
    }

    #[test]
    fn it_follows_a_moment_that_leaves_it() {
        let stretch = Stretch { from: 100.0, to: 200.0 };
        assert_eq!(stretch.showing(150.0, 400.0), stretch);
        assert_eq!(stretch.showing(210.0, 400.0), Stretch { from: 200.0, to: 300.0 });
        assert_eq!(stretch.showing(90.0, 400.0), Stretch { from: 0.0, to: 100.0 });
    }
}
