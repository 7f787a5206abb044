//! The common axis of some charts: time from zero, or a quantity on a logarithmic scale.

use packet_core::units::{Unit, grouped};

/// An axis from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axis {
    /// Time from zero, in milliseconds.
    Time {
        /// Where it ends.
        end: f64,
    },
    /// A quantity in base units, each doubling the same distance.
    Doubling {
        /// How it is written.
        unit: Unit,
        /// Where it begins.
        min: f64,
        /// Where it ends.
        max: f64,
    },
}

impl Axis {
    /// How far `x` is from left to right, 0 to 1 within the axis.
    pub fn fraction(self, x: f64) -> f64 {
        match self {
            Axis::Time { end } => x / end,
            Axis::Doubling { min, max, .. } => (x / min).ln() / (max / min).ln(),
        }
    }

    /// What stands `fraction` of the way from left to right.
    pub fn at(self, fraction: f64) -> f64 {
        match self {
            Axis::Time { end } => fraction * end,
            Axis::Doubling { min, max, .. } => min * (max / min).powf(fraction),
        }
    }

    /// A place for people: `240 ms`, `512 KB`.
    pub fn show(self, x: f64) -> String {
        match self {
            Axis::Time { .. } => format!("{} ms", grouped(x)),
            Axis::Doubling { unit, .. } => unit.show(x.round() as u64),
        }
    }

    /// Round places for about `room` labels, with the labels.
    pub fn ticks(self, room: usize) -> Vec<(f64, String)> {
        match self {
            Axis::Time { end } => {
                let step = round_step(end / room.max(1) as f64);
                let count = (end / step + 1e-9) as usize;
                (0..=count).map(|i| (i as f64 * step, time(i as f64 * step, step, end))).collect()
            }
            Axis::Doubling { unit, min, max } => {
                let doublings = (max / min).log2();
                let step = (doublings / room.max(1) as f64).ceil().max(1.0);
                let count = (doublings / step + 1e-9) as usize;
                let place = |i: usize| min * (i as f64 * step).exp2();
                (0..=count).map(|i| (place(i), unit.show(place(i).round() as u64))).collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|n| n * power).find(|s| *s >= least).unwrap_or(10.0 * power)
}

/// A label with as many decimals as the step needs.
fn time(ms: f64, step: f64, end: f64) -> String {
    let (value, step, unit) =
        if end < 1_500.0 { (ms, step, "ms") } else { (ms / 1000.0, step / 1000.0, "s") };
    if step < 1.0 { format!("{value:.1} {unit}") } else { format!("{} {unit}", grouped(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_time_are_round() {
        let ticks = Axis::Time { end: 531.0 }.ticks(6);
        let labels: Vec<_> = ticks.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(labels, ["0 ms", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms"]);
    }

    #[test]
    fn ticks_of_a_doubling_axis_are_powers_of_two() {
        let axis = Axis::Doubling { unit: Unit::Bytes, min: 65_536.0, max: 16_777_216.0 };
        let labels: Vec<_> = axis.ticks(5).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["64 KB", "256 KB", "1 MB", "4 MB", "16 MB"]);
        assert!((axis.at(axis.fraction(1e6)) - 1e6).abs() < 1e-3);
    }
}
