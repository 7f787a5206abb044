//! HyStart++: slow start that doubts itself (RFC 9406 section 4).
//!
//! A rise in delay does not end slow start but begins conservative slow start, in which the window
//! grows a quarter as fast. If the delay recedes within five rounds it was no queue of ours, and slow
//! start goes on.

/// Samples of a round before its minimum counts (`N_RTT_SAMPLE`).
const MIN_SAMPLES: u32 = 8;
/// Bounds of the rise in delay that counts, in nanoseconds (`MIN_RTT_THRESH`, `MAX_RTT_THRESH`).
const DELAY_BOUNDS: (f64, f64) = (4e6, 16e6);
/// The rise that counts, as a part of the last round's minimum (`MIN_RTT_DIVISOR`).
const DELAY_DIVISOR: f64 = 8.0;
/// Conservative slow start grows this many times slower (`CSS_GROWTH_DIVISOR`).
const CONSERVATIVE_DIVISOR: f64 = 4.0;
/// It lasts this many rounds (`CSS_ROUNDS`).
pub const CONSERVATIVE_ROUNDS: u32 = 5;
/// An unpaced sender grows by at most this many segments per ACK (`L`).
const UNPACED_LIMIT: u32 = 8;

/// What changed; times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// The round's minimum rose above the last round's: conservative slow start begins.
    Doubt {
        /// The round's minimum.
        round_minimum: f64,
        /// The round's before.
        minimum: f64,
        /// The rise that counts.
        threshold: f64,
    },
    /// The delay receded: slow start goes on.
    Resume {
        /// The round's minimum.
        round_minimum: f64,
        /// The minimum that had raised the doubt.
        baseline: f64,
    },
    /// The delay stayed: slow start is over.
    End,
}

/// The rounds and their minimum round-trip times.
#[derive(Clone, Debug)]
pub struct HyStartPlusPlus {
    paced: bool,
    round_end: u32,
    samples: u32,
    round_minimum: f64,
    last_minimum: f64,
    doubt: Option<Doubt>,
}

#[derive(Clone, Copy, Debug)]
struct Doubt {
    baseline: f64,
    rounds: u32,
}

impl HyStartPlusPlus {
    /// At the start of a connection.
    pub fn new(paced: bool) -> HyStartPlusPlus {
        HyStartPlusPlus {
            paced,
            round_end: 0,
            samples: 0,
            round_minimum: f64::INFINITY,
            last_minimum: f64::INFINITY,
            doubt: None,
        }
    }

    /// Forgets all, as after a retransmission timeout.
    pub fn reset(&mut self) {
        *self = HyStartPlusPlus::new(self.paced);
    }

    /// What `acked` segments add to the window.
    pub fn growth(&self, acked: u32) -> f64 {
        let acked = f64::from(if self.paced { acked } else { acked.min(UNPACED_LIMIT) });
        if self.doubt.is_some() { acked / CONSERVATIVE_DIVISOR } else { acked }
    }

    /// ACKs came with the sample `rtt`, in nanoseconds: everything below `left_edge` is acknowledged,
    /// `sent` segments have left.
    pub fn on_acks(&mut self, left_edge: u32, sent: u32, rtt: f64) -> Option<Turn> {
        if left_edge > self.round_end && self.start_round(sent) {
            return Some(Turn::End);
        }
        self.samples += 1;
        self.round_minimum = self.round_minimum.min(rtt);
        if self.samples < MIN_SAMPLES {
            return None;
        }
        let (round_minimum, minimum) = (self.round_minimum, self.last_minimum);
        match self.doubt {
            Some(Doubt { baseline, .. }) if round_minimum < baseline => {
                self.doubt = None;
                Some(Turn::Resume { round_minimum, baseline })
            }
            Some(_) => None,
            None => {
                let threshold = (minimum / DELAY_DIVISOR).clamp(DELAY_BOUNDS.0, DELAY_BOUNDS.1);
                if !(minimum.is_finite() && round_minimum >= minimum + threshold) {
                    return None;
                }
                self.doubt = Some(Doubt { baseline: round_minimum, rounds: 0 });
                Some(Turn::Doubt { round_minimum, minimum, threshold })
            }
        }
    }

    /// Begins a round that ends once the left edge passes `sent`; says whether the doubt has lasted.
    fn start_round(&mut self, sent: u32) -> bool {
        self.round_end = sent;
        if self.samples > 0 {
            self.last_minimum = self.round_minimum;
        }
        self.round_minimum = f64::INFINITY;
        self.samples = 0;
        let Some(doubt) = &mut self.doubt else { return false };
        doubt.rounds += 1;
        doubt.rounds > CONSERVATIVE_ROUNDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One round of ten ACKs with this round-trip time; what changed in it.
    fn round(h: &mut HyStartPlusPlus, number: u32, rtt_ms: f64) -> Vec<Turn> {
        let acks = (1..=10).map(|i| number * 10 + i);
        acks.filter_map(|edge| h.on_acks(edge, (number + 1) * 10, rtt_ms * 1e6)).collect()
    }

    #[test]
    fn a_rise_slows_it_down_and_a_fall_takes_that_back() {
        let mut h = HyStartPlusPlus::new(true);
        assert_eq!(round(&mut h, 0, 80.0), []);
        assert_eq!(h.growth(10), 10.0);
        assert!(matches!(round(&mut h, 1, 95.0)[..], [Turn::Doubt { .. }]));
        assert_eq!(h.growth(10), 2.5);
        assert!(matches!(round(&mut h, 2, 80.0)[..], [Turn::Resume { .. }]));
        assert_eq!(h.growth(10), 10.0);
    }

    #[test]
    fn a_rise_that_stays_for_five_rounds_ends_slow_start() {
        let mut h = HyStartPlusPlus::new(true);
        round(&mut h, 0, 80.0);
        assert_eq!(round(&mut h, 1, 95.0).len(), 1);
        for number in 2..=6 {
            assert_eq!(round(&mut h, number, 95.0), [], "round {number}");
        }
        assert_eq!(round(&mut h, 7, 95.0), [Turn::End]);
    }

    #[test]
    fn an_unpaced_sender_grows_by_eight_per_ack_at_most() {
        assert_eq!(HyStartPlusPlus::new(false).growth(20), 8.0);
    }
}
