//! What was decided and why, with the numbers it was decided from.
//!
//! Tests compare the enum. The sentence is made in one place, here.

use crate::logged::Told;
use crate::units::{Time, grouped, plural};
use serde::Serialize;
use std::fmt;

/// Why slow start ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "test", rename_all = "kebab-case")]
pub enum ExitReason {
    /// HyStart: the round's ACKs spanned the whole pipe.
    AckTrain {
        /// How long the train ran.
        train: Time,
        /// The connection's minimum round-trip time.
        minimum: Time,
    },
    /// HyStart: every ACK of the round was late.
    DelayIncrease {
        /// The round's minimum round-trip time.
        round_minimum: Time,
        /// The connection's minimum round-trip time.
        minimum: Time,
        /// The rise that counts.
        threshold: Time,
    },
    /// HyStart++: the delay stayed for as many rounds of conservative slow start.
    ConservativeRounds {
        /// How many.
        rounds: u32,
    },
    /// A packet was lost.
    Loss,
    /// The retransmission timer ran out.
    Timeout,
    /// The window reached a threshold set earlier.
    Threshold,
}

impl ExitReason {
    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            ExitReason::AckTrain { .. } => "ack-train",
            ExitReason::DelayIncrease { .. } => "delay-increase",
            ExitReason::ConservativeRounds { .. } => "conservative-rounds",
            ExitReason::Loss => "loss",
            ExitReason::Timeout => "timeout",
            ExitReason::Threshold => "threshold",
        }
    }
}

/// One event worth a line in the log. Windows are in segments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum Decision {
    /// A response begins.
    Started {
        /// Segments to send.
        segments: u32,
        /// The window it begins with.
        cwnd: f64,
        /// Whether it is the second on its connection.
        second: bool,
    },
    /// Slow start is over.
    SlowStartEnded {
        /// What ended it.
        reason: ExitReason,
        /// The window it left.
        cwnd: f64,
    },
    /// HyStart++ doubts slow start: the window grows a quarter as fast.
    ConservativeSlowStart {
        /// The round's minimum round-trip time.
        round_minimum: Time,
        /// That of the round before.
        minimum: Time,
        /// The rise that counts.
        threshold: Time,
        /// The window.
        cwnd: f64,
    },
    /// HyStart++: the delay has receded, slow start goes on.
    SlowStartResumed {
        /// The round's minimum round-trip time.
        round_minimum: Time,
        /// The minimum that had raised the doubt.
        baseline: Time,
        /// The window.
        cwnd: f64,
    },
    /// Packets found the queue full, one or a burst of them.
    QueueOverflow {
        /// How many.
        packets: u32,
        /// What the queue holds.
        buffer: u32,
    },
    /// The packet lost on purpose.
    LostOnPurpose {
        /// The segment.
        segment: u32,
        /// Segments sent after it, which decide whether duplicate ACKs can tell.
        behind: u32,
    },
    /// A packet that is to be lost is not there.
    NothingToLose {
        /// Its number, counted from 1.
        number: u32,
        /// Segments of the response.
        segments: u32,
    },
    /// The receiver has no room for what the window would allow.
    ReceiveWindowFull {
        /// Segments it takes beyond what it has acknowledged in order.
        segments: u32,
        /// The window.
        cwnd: f64,
    },
    /// A loss was noticed by what arrived behind it.
    FastRetransmit {
        /// The lost segment.
        segment: u32,
        /// The window before.
        cwnd_before: f64,
        /// The window after, also the threshold.
        cwnd: f64,
    },
    /// Everything sent before the cut is acknowledged.
    RecoveryEnded {
        /// The window.
        cwnd: f64,
    },
    /// No answer for the probe timeout: a segment goes out, most often the last one again.
    ProbeSent {
        /// The segment.
        segment: u32,
        /// The probe timeout it was armed with.
        pto: Time,
        /// Whether that was made from a round-trip sample.
        sampled: bool,
        /// The window before.
        cwnd_before: f64,
        /// The window after.
        cwnd: f64,
    },
    /// The retransmission timer ran out.
    Timeout {
        /// The timeout it was armed with.
        rto: Time,
        /// Whether that was made from a round-trip sample.
        sampled: bool,
        /// The window before; 1 after.
        cwnd_before: f64,
        /// The threshold after.
        ssthresh: f64,
    },
    /// A second request after a silence.
    IdleRestart {
        /// How long the silence was.
        idle: Time,
        /// The retransmission timeout, which sets the pace of the decay.
        rto: Time,
        /// Whether the window decays at all (`tcp_slow_start_after_idle`).
        decays: bool,
        /// How often the window was halved.
        halvings: u32,
        /// The window it does not fall below: the initial one, or the old one where that was smaller.
        floor: f64,
        /// The window before.
        cwnd_before: f64,
        /// The window after.
        cwnd: f64,
        /// The threshold after.
        ssthresh: f64,
    },
    /// The last byte of a response arrived.
    Finished {
        /// From the request to now.
        response: Time,
        /// Whether it is the second on its connection.
        second: bool,
    },
}

/// A decision of the slow-start model and its moment.
pub type Logged = crate::logged::Logged<Decision>;

fn ms(time: Time) -> String {
    format!("{} ms", grouped(time.as_millis().round()))
}

/// A threshold for people; there is none until something ends slow start.
fn threshold(ssthresh: f64) -> String {
    if ssthresh.is_finite() { grouped(ssthresh) } else { "not set yet".to_owned() }
}

impl Told for Decision {
    fn is_loss(&self) -> bool {
        matches!(
            self,
            Decision::QueueOverflow { .. }
                | Decision::LostOnPurpose { .. }
                | Decision::FastRetransmit { .. }
                | Decision::Timeout { .. }
        )
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Decision::Started { segments, cwnd, second } => {
                let which = if second { "Second request" } else { "Request" };
                let segments = plural(segments, "segment");
                write!(f, "{which}: {segments} to send, cwnd {}", grouped(cwnd))
            }
            Decision::SlowStartEnded { reason, cwnd } => {
                let cwnd = grouped(cwnd);
                match reason {
                    ExitReason::AckTrain { train, minimum } => write!(
                        f,
                        "ACK train ran {} against a minimum of {}: slow start ends at cwnd {cwnd}",
                        ms(train),
                        ms(minimum)
                    ),
                    ExitReason::DelayIncrease { round_minimum, minimum, threshold } => write!(
                        f,
                        "Every ACK of the round took at least {}, more than {} above the {} minimum: slow start ends at cwnd {cwnd}",
                        ms(round_minimum),
                        ms(threshold),
                        ms(minimum)
                    ),
                    ExitReason::ConservativeRounds { rounds } => write!(
                        f,
                        "The delay has stayed for {rounds} rounds of conservative slow start: slow start ends at cwnd {cwnd}"
                    ),
                    ExitReason::Loss => {
                        write!(f, "A lost packet ends slow start at cwnd {cwnd}")
                    }
                    ExitReason::Timeout => {
                        write!(f, "The timeout ends slow start; it begins again from cwnd {cwnd}")
                    }
                    ExitReason::Threshold => {
                        write!(f, "cwnd {cwnd} has reached ssthresh: slow start ends")
                    }
                }
            }
            Decision::ConservativeSlowStart { round_minimum, minimum, threshold, cwnd } => write!(
                f,
                "Every ACK of the round took at least {}, {} or more above the {} of the round before: conservative slow start from cwnd {}",
                ms(round_minimum),
                ms(threshold),
                ms(minimum),
                grouped(cwnd)
            ),
            Decision::SlowStartResumed { round_minimum, baseline, cwnd } => write!(
                f,
                "The round's quickest ACK took {}, less than the {} that had raised the doubt: slow start goes on from cwnd {}",
                ms(round_minimum),
                ms(baseline),
                grouped(cwnd)
            ),
            Decision::QueueOverflow { packets, buffer } => write!(
                f,
                "The queue is full at {}: {} dropped",
                plural(buffer, "packet"),
                grouped(packets.into())
            ),
            Decision::LostOnPurpose { segment, behind } => {
                let number = grouped(f64::from(segment) + 1.0);
                if behind >= 3 {
                    write!(
                        f,
                        "Segment {number} is lost; {} behind it will tell",
                        grouped(behind.into())
                    )
                } else {
                    write!(
                        f,
                        "Segment {number} is lost with {} behind it to tell, too few for three duplicate ACKs: only a timer can repair it",
                        grouped(behind.into())
                    )
                }
            }
            Decision::ReceiveWindowFull { segments, cwnd } => write!(
                f,
                "The receiver's window of {} is full: cwnd {} would allow more, which waits for an ACK",
                plural(segments, "segment"),
                grouped(cwnd)
            ),
            Decision::NothingToLose { number, segments } => write!(
                f,
                "There is no segment {} to lose: the response has {}",
                grouped(number.into()),
                plural(segments, "segment")
            ),
            Decision::FastRetransmit { segment, cwnd_before, cwnd } => write!(
                f,
                "Duplicate ACKs report segment {} lost: it is sent again, cwnd {} becomes {}",
                grouped(f64::from(segment) + 1.0),
                grouped(cwnd_before),
                grouped(cwnd)
            ),
            Decision::RecoveryEnded { cwnd } => {
                write!(
                    f,
                    "Everything sent before the cut is acknowledged: recovery ends at cwnd {}",
                    grouped(cwnd)
                )
            }
            Decision::ProbeSent { segment, pto, sampled, cwnd_before, cwnd } => {
                let basis = if sampled {
                    "from the smoothed round trip"
                } else {
                    "there was no round-trip sample yet"
                };
                if cwnd_before == cwnd {
                    let segment = grouped(f64::from(segment) + 1.0);
                    return write!(
                        f,
                        "No answer for {}: segment {segment} is sent as a probe, cwnd stays {}",
                        ms(pto),
                        grouped(cwnd)
                    );
                }
                write!(
                    f,
                    "No answer for {} ({basis}): the last segment is sent again as a probe, cwnd {} becomes {}",
                    ms(pto),
                    grouped(cwnd_before),
                    grouped(cwnd)
                )
            }
            Decision::Timeout { rto, sampled, cwnd_before, ssthresh } => {
                let basis = if sampled { "" } else { " (there was no round-trip sample yet)" };
                write!(
                    f,
                    "Nothing for one RTO of {}{basis}: everything unacknowledged is sent again, cwnd {} becomes 1, ssthresh {}",
                    ms(rto),
                    grouped(cwnd_before),
                    grouped(ssthresh)
                )
            }
            Decision::IdleRestart {
                idle,
                rto,
                decays,
                halvings,
                floor,
                cwnd_before,
                cwnd,
                ssthresh,
            } => {
                let (idle_ms, rto_ms) = (ms(idle), ms(rto));
                let kept = grouped(cwnd_before);
                if !decays {
                    write!(
                        f,
                        "{idle_ms} idle, but tcp_slow_start_after_idle is off: the window of {kept} is kept"
                    )
                } else if halvings > 0 {
                    write!(
                        f,
                        "{idle_ms} idle, one RTO is {rto_ms}: the window is halved {} from {kept} {}; ssthresh is {}",
                        if halvings == 1 { "once".to_owned() } else { format!("{halvings} times") },
                        if cwnd <= floor {
                            format!("down to {}, the initial window", grouped(cwnd))
                        } else {
                            format!("to {}", grouped(cwnd))
                        },
                        threshold(ssthresh)
                    )
                } else if idle > rto {
                    write!(f, "{idle_ms} idle, but the window of {kept} is already at its floor")
                } else {
                    let left = if idle == rto {
                        "zero".to_owned()
                    } else {
                        format!("-{}", ms(rto - idle))
                    };
                    write!(
                        f,
                        "{idle_ms} idle minus one RTO of {rto_ms} is {left}: the window of {kept} is kept"
                    )
                }
            }
            Decision::Finished { response, second } => {
                let which = if second { "second response" } else { "response" };
                write!(f, "The last byte arrives: the {which} took {response}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::List;
    use crate::slow_start::scenario::Loss;
    use crate::slow_start::{Scenario, run};
    use crate::units::Bytes;

    fn decisions(scenario: &Scenario) -> Vec<Decision> {
        let run = run(scenario).expect("an allowed scenario");
        run.decisions.iter().map(|logged| logged.what).collect()
    }

    #[test]
    fn hystart_names_the_minimum_that_was_on_the_path() {
        let decisions = decisions(&Scenario { size: Bytes::mb(16), ..Scenario::default() });
        let minimum = decisions.iter().find_map(|d| match d {
            Decision::SlowStartEnded { reason: ExitReason::AckTrain { minimum, .. }, .. } => {
                Some(*minimum)
            }
            _ => None,
        });
        assert_eq!(minimum, Some(Time::millis(80)));
    }

    #[test]
    fn a_timer_tells_what_it_was_armed_with_and_not_what_was_learned_since() {
        let tail = Scenario { size: Bytes::kb(14), loss: Loss::LastWindow, ..Scenario::default() };
        let probe = decisions(&tail).into_iter().find_map(|d| match d {
            Decision::ProbeSent { pto, sampled, .. } => Some((pto, sampled)),
            _ => None,
        });
        assert_eq!(probe, Some((Time::millis(160), false)));
        let timeout = decisions(&Scenario { tail_loss_probe: false, ..tail });
        let timeout = timeout.into_iter().find_map(|d| match d {
            Decision::Timeout { rto, sampled, .. } => Some((rto, sampled)),
            _ => None,
        });
        assert_eq!(timeout, Some((Time::secs(1), false)));
    }

    #[test]
    fn a_packet_that_is_not_there_to_lose_is_named() {
        let loss = Loss::Segments(List::one(9).with(12).expect("room for two"));
        let scenario = Scenario { size: Bytes::kb(14), loss, ..Scenario::default() };
        let told = decisions(&scenario).into_iter().map(|what| what.to_string());
        let told: Vec<_> = told.filter(|line| line.contains("lose")).collect();
        assert_eq!(told, ["There is no segment 12 to lose: the response has 10 segments"]);
    }

    #[test]
    fn an_idle_window_is_said_to_have_reached_its_floor() {
        let after = |ms| {
            let scenario = Scenario { idle: Some(Time::millis(ms)), ..Scenario::default() };
            let decay = |d: &Decision| matches!(d, Decision::IdleRestart { .. });
            decisions(&scenario).into_iter().find(decay).expect("a restart").to_string()
        };
        assert!(after(500).contains("halved 2 times from 608 to 152; ssthresh"), "{}", after(500));
        assert!(
            after(2_000).contains("from 608 down to 10, the initial window"),
            "{}",
            after(2_000)
        );
    }
}
