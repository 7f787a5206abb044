//! The common axis of some charts: time from zero, or a quantity on a logarithmic scale.

use packet_core::units::{Unit, decimal, grouped};

/// An axis from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axis {
    /// Time from zero, in milliseconds.
    Time {
        /// Where it ends.
        end: f64,
    },
    /// A part of the time, in milliseconds.
    Stretch {
        /// Where it begins.
        from: f64,
        /// Where it ends.
        to: f64,
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
    /// The axis that holds this one and another of the same kind.
    pub fn with(self, other: Axis) -> Axis {
        match (self, other) {
            (Axis::Time { end }, Axis::Time { end: other }) => Axis::Time { end: end.max(other) },
            (Axis::Doubling { unit, min, max }, Axis::Doubling { min: low, max: high, .. }) => {
                Axis::Doubling { unit, min: min.min(low), max: max.max(high) }
            }
            _ => self,
        }
    }

    /// How far `x` is from left to right, 0 to 1 within the axis.
    pub fn fraction(self, x: f64) -> f64 {
        match self {
            Axis::Time { end } => x / end,
            Axis::Stretch { from, to } => (x - from) / (to - from),
            Axis::Doubling { min, max, .. } => (x / min).ln() / (max / min).ln(),
        }
    }

    /// What stands `fraction` of the way from left to right.
    pub fn at(self, fraction: f64) -> f64 {
        match self {
            Axis::Time { end } => fraction * end,
            Axis::Stretch { from, to } => from + fraction * (to - from),
            Axis::Doubling { min, max, .. } => min * (max / min).powf(fraction),
        }
    }

    /// A place for people: `240 ms`, `512 KB`.
    pub fn show(self, x: f64) -> String {
        match self {
            Axis::Time { .. } => format!("{} ms", grouped(x)),
            // To about a pixel.
            Axis::Stretch { from, to } => format!("{} ms", decimals(x, (to - from) / 300.0)),
            Axis::Doubling { unit, .. } => unit.show(x.round() as u64),
        }
    }

    /// Round places for about `room` labels, with the labels.
    pub fn ticks(self, room: usize) -> Vec<(f64, String)> {
        match self {
            Axis::Time { end } => Axis::Stretch { from: 0.0, to: end }.ticks(room),
            Axis::Stretch { from, to } => {
                let step = round_step((to - from) / room.max(1) as f64);
                let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
                let place = |i: i64| i as f64 * step;
                (first as i64..=last as i64).map(|i| (place(i), time(place(i), step, to))).collect()
            }
            Axis::Doubling { unit, min, max } => {
                let doublings = (max / min).log2();
                let step = (doublings / room.max(1) as f64).ceil().max(1.0) as i32;
                let count = (doublings / f64::from(step) + 1e-9) as i32;
                let place = |i: i32| min * 2f64.powi(i * step);
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
    if end < 1_500.0 {
        format!("{} ms", decimals(ms, step))
    } else {
        format!("{} s", decimals(ms / 1000.0, step / 1000.0))
    }
}

/// A number with the decimals that tell steps of this size apart.
fn decimals(value: f64, step: f64) -> String {
    let needed = (-(step.log10() + 1e-9).floor()).clamp(0.0, 4.0) as usize;
    let text = format!("{value:.needed$}");
    match text.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", grouped(decimal(whole).unwrap_or(value))),
        None => grouped(value),
    }
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
    fn ticks_of_a_stretch_of_time_tell_its_moments_apart() {
        let labels = |from, to| -> Vec<String> {
            Axis::Stretch { from, to }.ticks(3).into_iter().map(|t| t.1).collect()
        };
        assert_eq!(labels(80.35, 80.85), ["80.4 ms", "80.6 ms", "80.8 ms"]);
        assert_eq!(labels(1_990.0, 2_020.0), ["1.99 s", "2.00 s", "2.01 s", "2.02 s"]);
        let axis = Axis::Stretch { from: 1_100.0, to: 1_160.0 };
        assert_eq!(axis.show(axis.at(0.25)), "1,115.0 ms");
    }

    #[test]
    fn the_axis_of_two_runs_holds_both() {
        let (short, long) = (Axis::Time { end: 79.0 }, Axis::Time { end: 225.0 });
        assert_eq!(short.with(long), long);
        assert_eq!(long.with(short), long);
    }

    #[test]
    fn ticks_of_a_doubling_axis_are_powers_of_two() {
        let axis = Axis::Doubling { unit: Unit::Bytes, min: 65_536.0, max: 16_777_216.0 };
        let labels: Vec<_> = axis.ticks(5).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["64 KB", "256 KB", "1 MB", "4 MB", "16 MB"]);
        assert!((axis.at(axis.fraction(1e6)) - 1e6).abs() < 1e-3);
    }
}
