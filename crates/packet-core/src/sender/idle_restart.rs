//! What an idle connection keeps of its window: RFC 2861, `tcp_cwnd_restart` in Linux's `tcp_output.c`.

use crate::units::Time;

/// The window and threshold after an idle period, and how they came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restart {
    /// Congestion window, in segments.
    pub cwnd: f64,
    /// Slow start threshold, in segments; an infinite one stays infinite.
    pub ssthresh: f64,
    /// How often the window was halved.
    pub halvings: u32,
    /// Below which it is not halved, in segments.
    pub floor: f64,
}

/// Halves the window once for each whole timeout that the idle period exceeds, not below the restart
/// window, and keeps three quarters of the old window as the threshold.
pub fn after_idle(idle: Time, rto: Time, cwnd: f64, ssthresh: f64, initial_window: f64) -> Restart {
    let restart = initial_window.min(cwnd);
    let ssthresh = ssthresh.max(0.75 * cwnd);
    let mut window = cwnd;
    let mut halvings = 0;
    let mut left = idle;
    while left > rto && window > restart {
        left = left - rto;
        window = (window / 2.0).floor();
        halvings += 1;
    }
    Restart { cwnd: window.max(restart), ssthresh, halvings, floor: restart }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTO: Time = Time::millis(200);

    fn windows(cwnd: f64, idle_ms: &[u64]) -> Vec<f64> {
        let after = |ms: &u64| after_idle(Time::millis(*ms), RTO, cwnd, f64::INFINITY, 10.0);
        idle_ms.iter().map(|ms| after(ms).cwnd).collect()
    }

    #[test]
    fn a_gap_of_exactly_one_timeout_is_free() {
        assert_eq!(windows(725.0, &[1, 199, 200, 201]), [725.0, 725.0, 725.0, 362.0]);
    }

    #[test]
    fn it_halves_once_per_timeout_down_to_the_initial_window() {
        assert_eq!(windows(80.0, &[202, 402, 602, 802]), [40.0, 20.0, 10.0, 10.0]);
        assert_eq!(windows(200.0, &[202, 402, 602, 802, 1002]), [100.0, 50.0, 25.0, 12.0, 10.0]);
    }

    #[test]
    fn a_window_below_the_initial_one_is_kept() {
        assert_eq!(windows(4.0, &[5_000]), [4.0]);
    }

    #[test]
    fn the_threshold_is_kept_and_an_infinite_one_stays_infinite() {
        let kept = after_idle(Time::secs(2), RTO, 400.0, 350.0, 10.0);
        assert_eq!((kept.ssthresh, kept.cwnd), (350.0, 10.0));
        let raised = after_idle(Time::secs(2), RTO, 400.0, 100.0, 10.0);
        assert_eq!(raised.ssthresh, 300.0);
        let infinite = after_idle(Time::secs(2), RTO, 400.0, f64::INFINITY, 10.0);
        assert_eq!(infinite.ssthresh, f64::INFINITY);
    }
}
