//! On which paths a larger window helps: link rate by round-trip time.

use super::{Outcome, ascending};
use crate::parameter::{Invalid, Scale};
use crate::slow_start::Scenario;
use crate::units::{Rate, Time};
use std::ops::RangeInclusive;

/// The paths of a heat map: both axes are logarithmic and include their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Link rates, from left to right.
    pub rates: RangeInclusive<Rate>,
    /// How many of them.
    pub columns: u32,
    /// Round-trip times, row by row.
    pub rtts: RangeInclusive<Time>,
    /// How many of them.
    pub rows: u32,
}

impl Default for Axes {
    fn default() -> Self {
        Axes {
            rates: Rate::mbps(1)..=Rate::gbps(1),
            columns: 40,
            rtts: Time::millis(5)..=Time::millis(300),
            rows: 40,
        }
    }
}

/// Two windows on one path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The path's link rate.
    pub rate: Rate,
    /// The path's round-trip time.
    pub rtt: Time,
    /// With the first window.
    pub before: Outcome,
    /// With the second one.
    pub after: Outcome,
}

impl Cell {
    /// By how many milliseconds the second window is quicker, for the slowest of several connections;
    /// negative where it is slower.
    pub fn saved_ms(&self) -> f64 {
        self.after.saves_ms(&self.before)
    }

    /// The same in percent of the time with the first window.
    pub fn saved_percent(&self) -> f64 {
        self.after.saves_percent(&self.before)
    }

    /// Whether packets are dropped with the second window.
    pub fn drops(&self) -> bool {
        self.after.dropped > 0
    }
}

/// A grid of paths, worked out step by step.
#[derive(Clone, Debug)]
pub struct HeatMap {
    scenario: Scenario,
    windows: [u32; 2],
    rates: Vec<Rate>,
    rtts: Vec<Time>,
    cells: Vec<Cell>,
}

impl HeatMap {
    /// The scenario on the paths of these axes, with the first window and the second. Nothing is worked
    /// out yet.
    ///
    /// # Errors
    /// [`Invalid`], naming the first parameter that is out of range.
    pub fn new(scenario: &Scenario, windows: [u32; 2], axes: &Axes) -> Result<HeatMap, Invalid> {
        let (rates, rtts) = (&axes.rates, &axes.rtts);
        ascending("rate", rates)?;
        ascending("rtt", rtts)?;
        for initial_window in windows {
            for (rate, rtt) in [(rates.start(), rtts.start()), (rates.end(), rtts.end())] {
                let (rate, rtt) = (*rate, *rtt);
                Scenario { rate, rtt, initial_window, ..scenario.clone() }.validate()?;
            }
        }
        let rates = spread(axes.columns, rates.start().0, rates.end().0).map(Rate).collect();
        let rtts = spread(axes.rows, rtts.start().0, rtts.end().0).map(Time).collect();
        Ok(HeatMap { scenario: scenario.clone(), windows, rates, rtts, cells: Vec::new() })
    }

    /// Works out the next `n` cells, row by row, and returns them; none where all is done.
    pub fn step(&mut self, n: usize) -> &[Cell] {
        let from = self.cells.len();
        for index in from..self.len().min(from.saturating_add(n)) {
            let scenario = self.path(index);
            let [before, after] = self.windows.map(|w| Outcome::with_window(&scenario, w));
            self.cells.push(Cell { rate: scenario.rate, rtt: scenario.rtt, before, after });
        }
        &self.cells[from..]
    }

    /// The scenario of a cell, with the second window.
    pub fn scenario(&self, index: usize) -> Scenario {
        Scenario { initial_window: self.windows[1], ..self.path(index) }
    }

    fn path(&self, index: usize) -> Scenario {
        let (row, column) = (index / self.rates.len(), index % self.rates.len());
        Scenario { rate: self.rates[column], rtt: self.rtts[row], ..self.scenario.clone() }
    }

    /// What has been worked out so far, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The windows compared.
    pub fn windows(&self) -> [u32; 2] {
        self.windows
    }

    /// The link rates, one a column.
    pub fn rates(&self) -> &[Rate] {
        &self.rates
    }

    /// The round-trip times, one a row.
    pub fn rtts(&self) -> &[Time] {
        &self.rtts
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.rates.len() * self.rtts.len()
    }

    /// Whether there are no cells at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every cell has been worked out.
    pub fn is_done(&self) -> bool {
        self.cells.len() == self.len()
    }
}

/// Numbers of three digits and zeros, so that a path can be named.
fn spread(count: u32, from: u64, to: u64) -> impl Iterator<Item = u64> {
    let place = move |i| f64::from(i) / f64::from(count.max(2) - 1);
    let round = |n: u64| {
        let step = (0..).map(|zeros| 10u64.pow(zeros)).find(|step| n / step < 1_000).unwrap_or(1);
        (n + step / 2) / step * step
    };
    (0..count).map(move |i| round(Scale::Logarithmic.at(place(i), from, to)).clamp(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Bytes;

    fn map() -> HeatMap {
        let scenario = Scenario { size: Bytes::kb(64), ..Scenario::default() };
        let axes = Axes { columns: 5, rows: 4, ..Axes::default() };
        HeatMap::new(&scenario, [10, 46], &axes).expect("allowed")
    }

    #[test]
    fn steps_of_any_length_give_the_same_map() {
        let (mut whole, mut parts) = (map(), map());
        assert_eq!(whole.step(usize::MAX).len(), 20);
        while !parts.is_done() {
            assert!((1..=3).contains(&parts.step(3).len()));
        }
        assert_eq!(whole.cells(), parts.cells());
        assert!(parts.step(3).is_empty());
    }

    #[test]
    fn a_cell_is_what_its_scenario_gives() {
        let mut map = map();
        map.step(usize::MAX);
        for (i, cell) in map.cells().iter().enumerate() {
            assert_eq!(Outcome::of(&map.scenario(i)), Ok(cell.after));
            assert_eq!((cell.rate, cell.rtt), (map.rates()[i % 5], map.rtts()[i / 5]));
        }
    }

    #[test]
    fn a_larger_window_helps_on_long_fast_paths_and_drops_on_slow_short_ones() {
        let mut map = map();
        map.step(usize::MAX);
        let (slow, long) = (map.cells()[0], map.cells()[19]);
        assert!(slow.drops() && slow.saved_percent() < 5.0, "{slow:?}");
        assert!(!long.drops() && long.saved_ms() > 300.0, "{long:?}");
    }

    #[test]
    fn paths_are_round_numbers() {
        let map = HeatMap::new(&Scenario::default(), [10, 32], &Axes::default()).expect("allowed");
        let ends = |of: &[u64]| (of[0], of[1], of[39]);
        let rates: Vec<_> = map.rates().iter().map(|r| r.0).collect();
        let rtts: Vec<_> = map.rtts().iter().map(|t| t.0).collect();
        assert_eq!(ends(&rates), (1_000_000, 1_190_000, 1_000_000_000));
        assert_eq!(ends(&rtts), (5_000_000, 5_550_000, 300_000_000));
        assert!(rates.is_sorted_by(|a, b| a < b) && rtts.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn axes_outside_the_ranges_are_refused() {
        let axes = Axes { rtts: Time::millis(5)..=Time::secs(1), ..Axes::default() };
        let error = HeatMap::new(&Scenario::default(), [10, 32], &axes).expect_err("too long");
        assert_eq!(error.field, "rtt");
        let axes = Axes { rates: Rate::gbps(1)..=Rate::mbps(1), ..Axes::default() };
        let error = HeatMap::new(&Scenario::default(), [10, 32], &axes).expect_err("reversed");
        assert_eq!(
            error.to_string(),
            "rate: '1 Gbps to 1 Mbps' is not allowed; use a range whose smaller end comes first"
        );
    }
}
