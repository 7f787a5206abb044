//! Time over object size, with the sizes at which a round trip is added.

use super::{Outcome, ascending};
use crate::parameter::{Invalid, Scale};
use crate::slow_start::Scenario;
use crate::units::{Bytes, MSS};
use std::ops::RangeInclusive;

/// The largest objects, up to `largest`, that doubling from this initial window delivers in 1, 2, 3 …
/// round trips: a byte more takes one more (RFC 5681 section 3.1).
pub fn steps(initial_window: u32, largest: Bytes) -> Vec<Bytes> {
    let first = u64::from(initial_window) * MSS;
    let sizes = (1..32).map(|rounds| Bytes(first.saturating_mul((1 << rounds) - 1)));
    sizes.take_while(|size| *size <= largest).collect()
}

/// Outcomes over object sizes, worked out step by step.
#[derive(Clone, Debug)]
pub struct Curve {
    scenario: Scenario,
    windows: Vec<u32>,
    sizes: Vec<Bytes>,
    outcomes: Vec<Vec<Outcome>>,
}

impl Curve {
    /// The scenario at `points` sizes from one end of the range to the other, spread as on a
    /// logarithmic scale, and on both sides of each step, with each of these windows.
    ///
    /// # Errors
    /// [`Invalid`], naming the first parameter that is out of range.
    pub fn new(
        scenario: &Scenario,
        windows: &[u32],
        sizes: RangeInclusive<Bytes>,
        points: u32,
    ) -> Result<Curve, Invalid> {
        ascending("size", &sizes)?;
        let (from, to) = (*sizes.start(), *sizes.end());
        for window in windows {
            for size in [from, to] {
                Scenario { size, initial_window: *window, ..scenario.clone() }.validate()?;
            }
        }
        let spread = |i| f64::from(i) / f64::from(points.max(2) - 1);
        let mut all: Vec<_> =
            (0..points).map(|i| Bytes(Scale::Logarithmic.at(spread(i), from.0, to.0))).collect();
        all.dedup();
        for step in windows.iter().flat_map(|window| steps(*window, to)) {
            for size in [step, Bytes(step.0 + 1)].iter().filter(|size| sizes.contains(size)) {
                if let Err(place) = all.binary_search(size) {
                    all.insert(place, *size);
                }
            }
        }
        let (scenario, windows) = (scenario.clone(), windows.to_vec());
        Ok(Curve { scenario, windows, outcomes: Vec::with_capacity(all.len()), sizes: all })
    }

    /// Works out the next `n` sizes; returns them with an outcome for each window.
    pub fn step(&mut self, n: usize) -> impl Iterator<Item = (Bytes, &[Outcome])> {
        let from = self.outcomes.len();
        for size in self.sizes.iter().skip(from).take(n) {
            let scenario = Scenario { size: *size, ..self.scenario.clone() };
            let with = |window: &u32| Outcome::with_window(&scenario, *window);
            self.outcomes.push(self.windows.iter().map(with).collect());
        }
        self.points().skip(from)
    }

    /// What has been worked out: sizes in order, with an outcome for each window.
    pub fn points(&self) -> impl Iterator<Item = (Bytes, &[Outcome])> {
        self.sizes.iter().copied().zip(self.outcomes.iter().map(Vec::as_slice))
    }

    /// The windows compared.
    pub fn windows(&self) -> &[u32] {
        &self.windows
    }

    /// How many sizes there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are no sizes at all.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Whether every size has been worked out.
    pub fn is_done(&self) -> bool {
        self.outcomes.len() == self.sizes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_ten_has_the_usual_steps() {
        let sizes = steps(10, Bytes::kb(256)).into_iter().map(|s| s.0);
        assert_eq!(sizes.collect::<Vec<_>>(), [14_480, 43_440, 101_360, 217_200]);
        assert_eq!(steps(32, Bytes::kb(64)), [Bytes(46_336)]);
        assert_eq!(steps(64, Bytes::kb(64)), []);
        assert_eq!(steps(u32::MAX, Bytes::kb(64)), []);
    }

    #[test]
    fn sizes_in_reverse_are_refused() {
        let range = Bytes::kb(256)..=Bytes::kb(1);
        let error = Curve::new(&Scenario::default(), &[10], range, 30).expect_err("reversed");
        assert_eq!(error.field, "size");
    }

    #[test]
    fn a_run_adds_a_round_trip_at_each_step() {
        let (windows, range) = ([10, 32], Bytes::kb(1)..=Bytes::kb(256));
        let mut curve = Curve::new(&Scenario::default(), &windows, range, 30).expect("allowed");
        while !curve.is_done() {
            assert!((1..=7).contains(&curve.step(7).count()));
        }
        assert_eq!(curve.points().count(), curve.len());
        for (size, outcomes) in curve.points() {
            for outcome in outcomes {
                let steps = steps(outcome.initial_window, size);
                let beyond = steps.iter().filter(|step| **step < size).count();
                assert_eq!(outcome.round_trips as usize, beyond + 1, "{size}");
            }
        }
    }
}
