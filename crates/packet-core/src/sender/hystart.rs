//! HyStart: ending slow start before the queue overflows (`hystart_update` in Linux's `tcp_cubic.c`).
//!
//! Both tests run only below ssthresh and from a window of [`LOW_WINDOW`] on, once a round, until one
//! of them has fired.

use crate::assumptions::{HyStartOrder, HyStartRounds};
use crate::units::Time;

/// Smallest window at which the tests run, in segments (`hystart_low_window`).
const LOW_WINDOW: f64 = 16.0;
/// ACKs further apart than this end the train (`hystart_ack_delta_us`).
const ACK_SPACING: Time = Time::millis(2);
/// Samples of a round before its minimum counts (`HYSTART_MIN_SAMPLES`).
const MIN_SAMPLES: u32 = 8;
/// Allowance for the pacer in the train test.
const PACING_CUSHION: f64 = 1e6;
/// Bounds of the rise in delay that counts, in nanoseconds (`HYSTART_DELAY_MIN`, `HYSTART_DELAY_MAX`).
const DELAY_BOUNDS: (f64, f64) = (4e6, 16e6);

/// What made HyStart end slow start; times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The round's ACKs have been arriving for longer than the path's minimum round-trip time: the
    /// window spans the whole pipe.
    AckTrain {
        /// How long the train has run.
        train: Time,
        /// The connection's minimum round-trip time.
        minimum: f64,
    },
    /// Even the quickest ACK of the round was late: a queue is forming.
    DelayIncrease {
        /// The round's minimum.
        round_minimum: f64,
        /// The connection's minimum.
        minimum: f64,
        /// The rise that counts.
        threshold: f64,
    },
}

/// The state of both tests.
#[derive(Clone, Debug, Default)]
pub struct HyStart {
    found: bool,
    round_end: u32,
    round_start: Time,
    last_ack: Time,
    samples: u32,
    round_minimum: f64,
    rule: Rule,
}

/// What the assumptions say about the tests.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Whether the sender is paced: if not, the train may run half as long.
    pub paced: bool,
    /// Which window is looked at.
    pub order: HyStartOrder,
    /// From which window on rounds are kept.
    pub rounds: HyStartRounds,
}

impl Default for Rule {
    fn default() -> Self {
        Rule { paced: true, order: HyStartOrder::AfterGrowth, rounds: HyStartRounds::Always }
    }
}

impl HyStart {
    /// Tests by this rule.
    pub fn new(rule: Rule) -> HyStart {
        HyStart { rule, ..HyStart::default() }
    }

    /// Forgets all, as after a retransmission timeout.
    pub fn reset(&mut self, now: Time, sent: u32) {
        *self = HyStart::new(self.rule);
        self.start_round(now, sent);
    }

    /// Begins a round that ends once the left edge passes `sent`.
    pub fn start_round(&mut self, now: Time, sent: u32) {
        self.round_end = sent;
        self.round_start = now;
        self.last_ack = now;
        self.samples = 0;
        self.round_minimum = f64::INFINITY;
    }

    /// Looks at a batch of ACKs that came at `now`: `left_edge` segments are acknowledged, `sent` have
    /// been sent for the first time, the window is `cwnd`, `rtt` is the batch's sample and
    /// `minimum` the connection's, in nanoseconds.
    pub fn on_acks(
        &mut self,
        now: Time,
        left_edge: u32,
        sent: u32,
        cwnd: f64,
        rtt: f64,
        minimum: f64,
    ) -> Option<Verdict> {
        let keeps_rounds = self.rule.rounds == HyStartRounds::Always || cwnd >= LOW_WINDOW;
        if keeps_rounds && left_edge > self.round_end {
            self.start_round(now, sent);
        }
        if self.found || cwnd < LOW_WINDOW {
            return None;
        }
        let verdict = self.ack_train(now, minimum).or_else(|| self.delay_increase(rtt, minimum));
        self.found = verdict.is_some();
        verdict
    }

    /// Only ACKs close to the last one of the train carry it on: one large gap ends it for the round.
    fn ack_train(&mut self, now: Time, minimum: f64) -> Option<Verdict> {
        if now - self.last_ack > ACK_SPACING {
            return None;
        }
        self.last_ack = now;
        let train = now - self.round_start;
        let whole = minimum + PACING_CUSHION;
        let threshold = if self.rule.paced { whole } else { whole / 2.0 };
        (train.0 as f64 > threshold).then_some(Verdict::AckTrain { train, minimum })
    }

    fn delay_increase(&mut self, rtt: f64, minimum: f64) -> Option<Verdict> {
        self.round_minimum = self.round_minimum.min(rtt);
        self.samples += 1;
        let round_minimum = self.round_minimum;
        let threshold = (minimum / 8.0).clamp(DELAY_BOUNDS.0, DELAY_BOUNDS.1);
        let enough = match self.rule.order {
            HyStartOrder::AfterGrowth => self.samples >= MIN_SAMPLES,
            HyStartOrder::BeforeGrowth => self.samples > MIN_SAMPLES,
        };
        (enough && round_minimum > minimum + threshold).then_some(Verdict::DelayIncrease {
            round_minimum,
            minimum,
            threshold,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMUM: f64 = 80e6;

    #[test]
    fn a_train_longer_than_the_minimum_and_the_cushion_fires() {
        let mut hystart = HyStart::default();
        hystart.start_round(Time::millis(100), 1_000);
        for ms in 101..=181 {
            assert_eq!(hystart.on_acks(Time::millis(ms), 1, 2_000, 100.0, MINIMUM, MINIMUM), None);
        }
        assert_eq!(
            hystart.on_acks(Time::millis(182), 1, 2_000, 100.0, MINIMUM, MINIMUM),
            Some(Verdict::AckTrain { train: Time::millis(82), minimum: MINIMUM })
        );
        assert!(hystart.found);
    }

    #[test]
    fn one_gap_ends_the_train_for_the_round() {
        let mut hystart = HyStart::default();
        hystart.start_round(Time::millis(100), 1_000);
        for ms in (101..110).chain(113..300) {
            assert_eq!(hystart.on_acks(Time::millis(ms), 1, 2_000, 100.0, MINIMUM, MINIMUM), None);
        }
    }

    #[test]
    fn a_rise_in_delay_fires_at_the_eighth_sample() {
        let mut hystart = HyStart::default();
        hystart.start_round(Time::ZERO, 1_000);
        for i in 1..8 {
            let now = Time::millis(10 * i);
            assert_eq!(hystart.on_acks(now, 1, 2_000, 100.0, 90.1e6, MINIMUM), None);
        }
        assert!(matches!(
            hystart.on_acks(Time::millis(80), 1, 2_000, 100.0, 95e6, MINIMUM),
            Some(Verdict::DelayIncrease { threshold: 10e6, .. })
        ));
    }

    #[test]
    fn one_quick_ack_keeps_the_round_clean() {
        let mut hystart = HyStart::default();
        hystart.start_round(Time::ZERO, 1_000);
        for i in 1..100 {
            let rtt = if i == 3 { 89e6 } else { 200e6 };
            assert_eq!(hystart.on_acks(Time::millis(10 * i), 1, 2_000, 100.0, rtt, MINIMUM), None);
        }
    }

    #[test]
    fn the_left_edge_passing_the_end_begins_a_new_round() {
        let mut hystart = HyStart::default();
        hystart.start_round(Time::ZERO, 10);
        assert_eq!(hystart.on_acks(Time::millis(90), 11, 30, 100.0, MINIMUM, MINIMUM), None);
        assert_eq!(hystart.on_acks(Time::millis(91), 12, 31, 100.0, MINIMUM, MINIMUM), None);
        assert_eq!(hystart.round_start, Time::millis(90));
        assert_eq!(hystart.round_end, 30);
    }

    #[test]
    fn an_unpaced_train_may_run_half_as_long() {
        let rule = Rule { paced: false, order: HyStartOrder::BeforeGrowth, ..Rule::default() };
        let mut hystart = HyStart::new(rule);
        hystart.start_round(Time::millis(100), 1_000);
        for ms in 101..=140 {
            assert_eq!(hystart.on_acks(Time::millis(ms), 1, 2_000, 100.0, MINIMUM, MINIMUM), None);
        }
        assert_eq!(
            hystart.on_acks(Time::millis(141), 1, 2_000, 100.0, MINIMUM, MINIMUM),
            Some(Verdict::AckTrain { train: Time::millis(41), minimum: MINIMUM })
        );
    }

    #[test]
    fn before_growth_the_delay_counts_from_the_ninth_sample() {
        let mut hystart =
            HyStart::new(Rule { order: HyStartOrder::BeforeGrowth, ..Rule::default() });
        hystart.start_round(Time::ZERO, 1_000);
        let mut verdicts = (1..=9).map(|i| {
            hystart.on_acks(Time::millis(10 * i), 1, 2_000, 100.0, 95e6, MINIMUM).is_some()
        });
        assert_eq!(verdicts.position(|found| found), Some(8));
    }

    #[test]
    fn older_kernels_begin_the_first_round_at_sixteen_segments() {
        let rule = Rule { rounds: HyStartRounds::LargeWindow, ..Rule::default() };
        let mut hystart = HyStart::new(rule);
        hystart.on_acks(Time::millis(90), 2, 14, 12.0, MINIMUM, MINIMUM);
        assert_eq!(hystart.round_end, 0);
        hystart.on_acks(Time::millis(93), 8, 22, 16.0, MINIMUM, MINIMUM);
        assert_eq!(hystart.round_end, 22);
    }
}
