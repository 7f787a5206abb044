//! The same path with every window.

use super::run::Outcome;
use super::scenario::{Scenario, WINDOW_MAX, WINDOW_MIN};
use crate::parameter::{Invalid, Scale};
use crate::units::Bytes;
use serde::Serialize;

/// What one window of a sweep comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// The window.
    pub window: Bytes,
    /// Goodput in Mbps.
    pub goodput_mbps: f64,
    /// Mean round-trip time in milliseconds.
    pub rtt_ms: f64,
    /// Drops as a part of everything sent, in percent.
    pub dropped_percent: f64,
}

impl From<Outcome> for SweepPoint {
    fn from(outcome: Outcome) -> SweepPoint {
        SweepPoint {
            window: outcome.window,
            goodput_mbps: outcome.goodput_mbps(),
            rtt_ms: outcome.rtt_ms(),
            dropped_percent: outcome.dropped_percent(),
        }
    }
}

/// Runs the scenario's path with `points` windows set by hand, spread evenly on a logarithmic axis
/// over all that can be set. [`Scenario::bdp`] and [`Scenario::pipe_and_buffer`] mark its corners.
///
/// # Errors
/// [`Invalid`], naming the first field that is out of range.
pub fn sweep(scenario: &Scenario, points: usize) -> Result<Vec<SweepPoint>, Invalid> {
    scenario.validate()?;
    let last = points.saturating_sub(1).max(1) as f64;
    let window = |i| Bytes(Scale::Logarithmic.at(i as f64 / last, WINDOW_MIN, WINDOW_MAX));
    Ok((0..points).map(|i| Outcome::of(scenario, window(i), |_| ()).into()).collect())
}

/// The most streams [`parallel_streams`] runs.
pub const MAX_STREAMS: u32 = 100;

/// `streams` flows like the scenario's (at most [`MAX_STREAMS`]), each with the scenario's window, over
/// the same path. What is in flight is the sum of their windows, so together they are one flow with that.
///
/// # Errors
/// [`Invalid`], naming the first field that is out of range.
pub fn parallel_streams(scenario: &Scenario, streams: u32) -> Result<SweepPoint, Invalid> {
    scenario.validate()?;
    let window = Bytes(scenario.window.0 * u64::from(streams.clamp(1, MAX_STREAMS)));
    Ok(Outcome::of(scenario, window, |_| ()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdp;

    #[test]
    fn a_sweep_spans_all_windows_and_agrees_with_single_runs() {
        let scenario = Scenario::default();
        let points = sweep(&scenario, 9).expect("valid");
        let windows: Vec<_> = points.iter().map(|p| p.window).collect();
        assert_eq!(windows.len(), 9);
        assert_eq!(
            (windows[0], windows[2], windows[8]),
            (Bytes::kb(64), Bytes::kb(256), Bytes::mb(16))
        );
        for point in points {
            let run = bdp::run(&Scenario { window: point.window, ..scenario.clone() });
            let run = run.expect("valid");
            assert_eq!(point.goodput_mbps, run.goodput_mbps());
            assert_eq!(point.rtt_ms, run.rtt_ms());
        }
    }

    #[test]
    fn a_sweep_of_no_or_one_point_is_no_trouble() {
        assert_eq!(sweep(&Scenario::default(), 0).expect("valid").len(), 0);
        assert_eq!(sweep(&Scenario::default(), 1).expect("valid")[0].window, Bytes::kb(64));
    }

    #[test]
    fn ten_streams_are_ten_times_as_fast_until_the_path_is_full() {
        let at = |n| parallel_streams(&Scenario::default(), n).expect("valid").goodput_mbps;
        assert!((at(3) / at(1) - 3.0).abs() < 1e-9);
        assert!((at(4) - 96.5).abs() < 0.1);
        assert!(at(10) < at(4), "more streams than the path has room for only lose");
    }
}
