//! What a few initial windows make of one scenario.

use super::Outcome;
use crate::parameter::Invalid;
use crate::slow_start::Scenario;

/// Runs the scenario with each of these initial windows.
///
/// # Errors
/// [`Invalid`], naming the first parameter that is out of range.
pub fn compare(scenario: &Scenario, windows: &[u32]) -> Result<Vec<Outcome>, Invalid> {
    let with = |window: &u32| Scenario { initial_window: *window, ..scenario.clone() };
    windows.iter().map(|window| Outcome::of(&with(window))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow_start::SetUp;
    use crate::slow_start::scenario::Stopwatch;
    use crate::units::{Bytes, Time};

    #[test]
    fn a_larger_window_saves_round_trips() {
        let scenario = Scenario { size: Bytes::kb(64), ..Scenario::default() };
        let outcomes = compare(&scenario, &[3, 10, 32]).expect("allowed");
        assert_eq!(outcomes.iter().map(|o| o.round_trips).collect::<Vec<_>>(), [5, 3, 2]);
        assert!(outcomes.is_sorted_by(|a, b| a.time > b.time));
        assert!(compare(&scenario, &[10, 65]).is_err());
    }

    #[test]
    fn the_time_is_that_of_the_chosen_clock() {
        let clock = Stopwatch::SynToLastAck;
        let scenario = Scenario { clock, set_up: SetUp::Tcp, ..Scenario::default() };
        let outcome = compare(&scenario, &[10]).expect("allowed")[0];
        // Half a round trip back for the last ACK, one and a half before the response.
        assert_eq!(outcome.time, outcome.response + Time::millis(160));
    }
}
