//! Round-trip time estimate and retransmission timeout: RFC 6298.

use crate::assumptions::Assumptions;
use crate::units::Time;

/// srtt, rttvar and the timeout made from them; all in nanoseconds.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    estimate: Option<Estimate>,
    minimum: f64,
    backoff: u32,
}

#[derive(Clone, Copy, Debug)]
struct Estimate {
    srtt: f64,
    rttvar: f64,
}

impl Default for RttEstimator {
    fn default() -> Self {
        RttEstimator { estimate: None, minimum: f64::INFINITY, backoff: 0 }
    }
}

impl RttEstimator {
    /// Takes one sample, in nanoseconds (RFC 6298 sections 2.2 and 2.3).
    pub fn sample(&mut self, rtt: f64) {
        self.minimum = self.minimum.min(rtt);
        self.backoff = 0;
        self.estimate = Some(match self.estimate {
            None => Estimate { srtt: rtt, rttvar: rtt / 2.0 },
            Some(Estimate { srtt, rttvar }) => Estimate {
                rttvar: 0.75 * rttvar + 0.25 * (srtt - rtt).abs(),
                srtt: 0.875 * srtt + 0.125 * rtt,
            },
        });
    }

    /// The smoothed round-trip time in nanoseconds, once there is a sample.
    pub fn srtt(&self) -> Option<f64> {
        self.estimate.map(|e| e.srtt)
    }

    /// The smallest sample in nanoseconds; infinite before the first.
    pub fn minimum(&self) -> f64 {
        self.minimum
    }

    /// The retransmission timeout: 1 s before any sample, then `srtt + 4 rttvar` within its bounds
    /// (RFC 6298 sections 2.1 to 2.5), doubled at each expiry since the last sample (section 5.5).
    pub fn rto(&self, assumptions: &Assumptions) -> Time {
        let base = match self.estimate {
            None => assumptions.initial_rto,
            Some(e) => Time((e.srtt + 4.0 * e.rttvar) as u64).max(assumptions.min_rto),
        };
        Time(base.0 << self.backoff.min(16)).min(assumptions.max_rto)
    }

    /// Doubles the timeout until the next sample.
    pub fn back_off(&mut self) {
        self.backoff += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(samples_ms: &[u64]) -> RttEstimator {
        let mut rtt = RttEstimator::default();
        for ms in samples_ms {
            rtt.sample(Time::millis(*ms).0 as f64);
        }
        rtt
    }

    #[test]
    fn one_second_before_any_sample() {
        let rtt = after(&[]);
        assert_eq!(rtt.rto(&Assumptions::ARTICLE), Time::secs(1));
        assert_eq!(rtt.srtt(), None);
    }

    #[test]
    fn the_first_sample_gives_three_times_itself_within_the_floor() {
        assert_eq!(after(&[100]).rto(&Assumptions::ARTICLE), Time::millis(300));
        assert_eq!(after(&[10]).rto(&Assumptions::ARTICLE), Time::millis(200));
    }

    #[test]
    fn a_steady_path_sinks_to_the_floor_and_a_jump_lifts_the_timeout() {
        let steady = after(&[80; 40]);
        assert_eq!(steady.rto(&Assumptions::ARTICLE), Time::millis(200));
        let mut jump = steady.clone();
        jump.sample(Time::millis(240).0 as f64);
        assert!(jump.rto(&Assumptions::ARTICLE) > Time::millis(250));
        assert_eq!(jump.minimum(), Time::millis(80).0 as f64);
    }

    #[test]
    fn each_expiry_doubles_it_until_a_sample() {
        let mut rtt = after(&[80; 40]);
        rtt.back_off();
        rtt.back_off();
        assert_eq!(rtt.rto(&Assumptions::ARTICLE), Time::millis(800));
        rtt.sample(Time::millis(80).0 as f64);
        assert_eq!(rtt.rto(&Assumptions::ARTICLE), Time::millis(200));
    }
}
