//! Round-trip time estimate and retransmission timeout: RFC 6298, and Linux's own variant
//! (`tcp_rtt_estimator`).

use crate::assumptions::{Rto, TimerGranularity};
use crate::units::Time;

/// Retransmission timeout before any sample (RFC 6298 section 2.1).
const INITIAL_RTO: Time = Time::secs(1);
/// Lower bound of the retransmission timeout or of its deviation (`TCP_RTO_MIN`; RFC 6298 section 2.4
/// asks for 1 s).
pub const MIN_RTO: Time = Time::millis(200);
/// Upper bound of the retransmission timeout (`TCP_RTO_MAX`).
const MAX_RTO: Time = Time::secs(120);

/// srtt, a deviation and the timeout made from them; all in nanoseconds.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    srtt: Option<f64>,
    deviation: Deviation,
    minimum: f64,
    path_minimum: f64,
    backoff: u32,
}

#[derive(Clone, Copy, Debug)]
enum Deviation {
    /// rttvar.
    Rfc6298(f64),
    Linux(LinuxDeviation),
}

/// Linux's deviation, already in fourfold units: quick to rise, slow to fall, at least [`MIN_RTO`].
#[derive(Clone, Copy, Debug, Default)]
struct LinuxDeviation {
    current: f64,
    round_max: f64,
    smoothed: f64,
    round_end: u32,
}

impl LinuxDeviation {
    fn first(rtt: f64, sent: u32) -> LinuxDeviation {
        let smoothed = (2.0 * rtt).max(MIN_RTO.0 as f64);
        LinuxDeviation { current: 2.0 * rtt, round_max: smoothed, smoothed, round_end: sent }
    }

    /// `error` is the sample less srtt; a fall counts for an eighth, as it is no reason to wait longer.
    fn update(&mut self, error: f64, left_edge: u32, sent: u32) {
        let change = error.abs() - self.current / 4.0;
        self.current += if error < 0.0 && change > 0.0 { change / 8.0 } else { change };
        if self.current > self.round_max {
            self.round_max = self.current;
            self.smoothed = self.smoothed.max(self.round_max);
        }
        if left_edge > self.round_end {
            if self.round_max < self.smoothed {
                self.smoothed -= (self.smoothed - self.round_max) / 4.0;
            }
            self.round_end = sent;
            self.round_max = MIN_RTO.0 as f64;
        }
    }
}

impl RttEstimator {
    /// An estimator without a sample.
    pub fn new(rto: Rto) -> RttEstimator {
        RttEstimator {
            srtt: None,
            deviation: match rto {
                Rto::Rfc6298 => Deviation::Rfc6298(0.0),
                Rto::Linux => Deviation::Linux(LinuxDeviation::default()),
            },
            minimum: f64::INFINITY,
            path_minimum: f64::INFINITY,
            backoff: 0,
        }
    }

    /// The handshake took `rtt` nanoseconds: a sample, but not one of a data packet.
    pub fn handshake(&mut self, rtt: f64) {
        self.update(rtt, 0, 0);
    }

    /// Takes one sample, in nanoseconds; everything below `left_edge` is acknowledged, `sent` have left.
    pub fn sample(&mut self, rtt: f64, left_edge: u32, sent: u32) {
        if rtt < self.minimum {
            self.minimum = rtt;
        }
        self.backoff = 0;
        self.update(rtt, left_edge, sent);
    }

    /// RFC 6298 sections 2.2 and 2.3.
    fn update(&mut self, rtt: f64, left_edge: u32, sent: u32) {
        if rtt < self.path_minimum {
            self.path_minimum = rtt;
        }
        let Some(srtt) = self.srtt else {
            self.srtt = Some(rtt);
            match &mut self.deviation {
                Deviation::Rfc6298(rttvar) => *rttvar = rtt / 2.0,
                Deviation::Linux(linux) => *linux = LinuxDeviation::first(rtt, sent),
            }
            return;
        };
        match &mut self.deviation {
            Deviation::Rfc6298(rttvar) => *rttvar = 0.75 * *rttvar + 0.25 * (srtt - rtt).abs(),
            Deviation::Linux(linux) => linux.update(rtt - srtt, left_edge, sent),
        }
        self.srtt = Some(0.875 * srtt + 0.125 * rtt);
    }

    /// The smoothed round-trip time in nanoseconds, once there is a sample.
    pub fn srtt(&self) -> Option<f64> {
        self.srtt
    }

    /// The smallest sample of a data packet in nanoseconds; infinite before the first.
    pub fn minimum(&self) -> f64 {
        self.minimum
    }

    /// The smallest sample of all in nanoseconds, which no timeout makes forget.
    pub fn path_minimum(&self) -> f64 {
        self.path_minimum
    }

    /// Looks for the minimum anew.
    pub fn forget_minimum(&mut self) {
        self.minimum = f64::INFINITY;
    }

    /// The retransmission timeout: 1 s before any sample, then srtt and a deviation within its bounds
    /// (RFC 6298 sections 2.1 to 2.5), doubled at each expiry since the last sample (section 5.5).
    pub fn rto(&self, granularity: TimerGranularity) -> Time {
        let base = match (self.srtt, &self.deviation) {
            (None, _) => INITIAL_RTO,
            (Some(srtt), Deviation::Rfc6298(rttvar)) => {
                Time::whole_nanos(srtt + 4.0 * rttvar).max(MIN_RTO)
            }
            (Some(srtt), Deviation::Linux(linux)) => Time::whole_nanos(srtt + linux.smoothed),
        };
        let base = granularity.length(base);
        Time(base.0 << self.backoff.min(16)).min(MAX_RTO)
    }

    /// Doubles the timeout until the next sample.
    pub fn back_off(&mut self) {
        self.backoff += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimerGranularity::{Exact, KernelTicks};

    fn with(rto: Rto, samples_ms: &[u64]) -> RttEstimator {
        let mut rtt = RttEstimator::new(rto);
        for ms in samples_ms {
            rtt.sample(Time::millis(*ms).0 as f64, 1, 0);
        }
        rtt
    }

    fn after(samples_ms: &[u64]) -> RttEstimator {
        with(Rto::Rfc6298, samples_ms)
    }

    fn linux(samples_ms: &[u64]) -> RttEstimator {
        with(Rto::Linux, samples_ms)
    }

    #[test]
    fn one_second_before_any_sample() {
        let rtt = after(&[]);
        assert_eq!(rtt.rto(Exact), Time::secs(1));
        assert_eq!(rtt.srtt(), None);
    }

    #[test]
    fn the_first_sample_gives_three_times_itself_within_the_floor() {
        assert_eq!(after(&[100]).rto(Exact), Time::millis(300));
        assert_eq!(after(&[10]).rto(Exact), Time::millis(200));
    }

    #[test]
    fn a_steady_path_sinks_to_the_floor_and_a_jump_lifts_the_timeout() {
        let steady = after(&[80; 40]);
        assert_eq!(steady.rto(Exact), Time::millis(200));
        let mut jump = steady.clone();
        jump.sample(Time::millis(240).0 as f64, 1, 0);
        assert!(jump.rto(Exact) > Time::millis(250));
        assert_eq!(jump.minimum(), Time::millis(80).0 as f64);
    }

    #[test]
    fn each_expiry_doubles_it_until_a_sample() {
        let mut rtt = after(&[80; 40]);
        rtt.back_off();
        rtt.back_off();
        assert_eq!(rtt.rto(Exact), Time::millis(800));
        rtt.sample(Time::millis(80).0 as f64, 1, 0);
        assert_eq!(rtt.rto(Exact), Time::millis(200));
    }

    #[test]
    fn linux_adds_200_ms_at_least_to_the_first_sample() {
        for (rtt, rto) in [(10, 210), (50, 250), (100, 300), (150, 450), (200, 600), (300, 900)] {
            assert_eq!(linux(&[rtt]).rto(Exact), Time::millis(rto));
        }
    }

    #[test]
    fn linux_never_comes_closer_than_200_ms_to_srtt() {
        assert_eq!(linux(&[80; 40]).rto(Exact), Time::millis(280));
        assert_eq!(linux(&[80; 40]).rto(KernelTicks), Time::millis(280));
        assert_eq!(linux(&[81; 40]).rto(KernelTicks), Time::millis(284));
    }

    #[test]
    fn linux_lets_a_large_deviation_sink_by_a_quarter_a_round() {
        assert_eq!(linux(&[300; 2]).rto(Exact), Time::millis(900));
        // From 600, a quarter of what exceeds the round's largest of 337.5.
        assert_eq!(linux(&[300; 3]).rto(Exact), Time::micros(834_375));
    }
}
