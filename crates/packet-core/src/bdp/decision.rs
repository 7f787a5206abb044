//! What was decided and why, with the numbers it was decided from.
//!
//! Tests compare the enum. The sentence is made in one place, here.

use super::run::LimitedBy;
use super::scenario::Repair;
use super::sizing::SizingRule;
use crate::logged::Told;
use crate::units::{Bytes, Rate, Time, Unit};
use serde::Serialize;
use std::fmt;

/// A decision of this model and its moment.
pub type Logged = crate::logged::Logged<Decision>;

/// One event worth a line in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum Decision {
    /// A rule multiplied two properties of the path, or what it takes for them.
    RuleAsked {
        /// The rule.
        rule: SizingRule,
        /// The rate it took.
        rate: Rate,
        /// The time it took.
        time: Time,
        /// The window it asks for, which is set.
        window: Bytes,
        /// The bandwidth-delay product.
        bdp: Bytes,
    },
    /// One round of multiplying what a transfer measured.
    Measured {
        /// Which round, from 1.
        round: u32,
        /// The window of the transfer.
        window: Bytes,
        /// What arrived, in Mbps of payload.
        mbps: f64,
        /// The mean round-trip time during the transfer, in milliseconds.
        rtt_ms: f64,
        /// Their product, the window of the next round.
        product: Bytes,
    },
    /// What measuring led to. Where the window is all on its way it is the window it began with: Little's law.
    MeasuringEnded {
        /// The window it began with.
        from: Bytes,
        /// The window it ended with, which is set.
        window: Bytes,
        /// What limited the first round's transfer.
        limited_by: LimitedBy,
    },
    /// The buffer of the hop is full for the first time.
    BufferFull {
        /// What a packet waits there.
        delay: Time,
    },
    /// The sender learns of a loss for the first time.
    LossNoticed {
        /// What it does about it.
        repair: Repair,
        /// From the drop to the notice.
        after: Time,
    },
    /// The window is the limit: the hop waits for it.
    LimitedByWindow {
        /// The window.
        window: Bytes,
        /// The window that would fill the path.
        bdp: Bytes,
        /// How much of its time the hop is idle, in percent.
        idle_percent: f64,
    },
    /// The sender's own link is the narrowest one, and it is full.
    LimitedByLink {
        /// Its rate.
        link: Rate,
        /// The rate of the hop that has room to spare.
        hop: Rate,
    },
    /// The hop is full, and nothing is lost.
    LimitedByHop {
        /// Its rate.
        hop: Rate,
        /// What waits there on average, as time.
        standing_queue_ms: f64,
    },
    /// The window is larger than path and buffer together.
    LimitedByBuffer {
        /// The window.
        window: Bytes,
        /// What path and buffer hold.
        holds: Bytes,
        /// How much of what is sent is thrown away, in percent.
        dropped_percent: f64,
        /// What is left, in Mbps.
        goodput_mbps: f64,
    },
}

fn ms(value: f64) -> String {
    Unit::Time.figure(value)
}

fn percent(value: f64) -> String {
    Unit::Percent.figure(value)
}

fn mbps(value: f64) -> String {
    Unit::Mbps.figure(value)
}

/// How a window compares with the bandwidth-delay product.
fn compared(window: Bytes, bdp: Bytes) -> String {
    format!("{} times the BDP of {bdp}", Unit::Ratio.figure(window.0 as f64 / bdp.0 as f64))
}

impl Told for Decision {
    fn is_loss(&self) -> bool {
        matches!(
            self,
            Decision::BufferFull { .. }
                | Decision::LossNoticed { .. }
                | Decision::LimitedByBuffer { .. }
        )
    }

    fn instead_of_moment(&self) -> Option<&'static str> {
        match self {
            Decision::BufferFull { .. } | Decision::LossNoticed { .. } => None,
            Decision::RuleAsked { .. }
            | Decision::Measured { .. }
            | Decision::MeasuringEnded { .. } => Some("before"),
            _ => Some("overall"),
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Decision::RuleAsked { rule, rate, time, window, bdp } => {
                let product = match rule {
                    SizingRule::DoubleNarrowHopXMinRtt => format!("2 × {rate} × {time}"),
                    _ => format!("{rate} × {time}"),
                };
                let why = match rule {
                    SizingRule::NarrowHopXMinRtt => {
                        "both are properties of the path, so this fills it and no more"
                    }
                    SizingRule::DoubleNarrowHopXMinRtt => {
                        "the second half has no room on the path and waits in the queue"
                    }
                    _ => "it takes the rate of your own link, which is not the narrowest hop",
                };
                write!(
                    f,
                    "The rule asks for {product} = {window}, {}: {why}",
                    compared(window, bdp)
                )
            }
            Decision::Measured { round, window, mbps: rate, rtt_ms, product } => write!(
                f,
                "Round {round}: a window of {window} measures {} and a round trip of {}; their product is {product}",
                mbps(rate),
                ms(rtt_ms)
            ),
            Decision::MeasuringEnded { from, window, limited_by } => {
                let what = match limited_by {
                    LimitedBy::Window | LimitedBy::Hop => "which is the window it began with",
                    LimitedBy::Link => "which is what the link had put there",
                    LimitedBy::Buffer => "which is what path and buffer held of the window",
                };
                write!(
                    f,
                    "From {from}, measuring leads to {window}: by Little's law, throughput × time is what is on its way, {what}"
                )
            }
            Decision::BufferFull { delay } => {
                write!(f, "The buffer is full, a wait of {delay}: what does not fit is dropped")
            }
            Decision::LossNoticed { repair, after } => {
                let then = match repair {
                    Repair::GoBackN => "the sender goes back to the gap and sends all of it again",
                    _ => "what was lost is sent again before anything new",
                };
                write!(f, "A drop shows {after} later, behind the full queue: {then}")
            }
            Decision::LimitedByWindow { window, bdp, idle_percent } => write!(
                f,
                "The window is the limit: {window} is {}, and the hop is idle {} of the time, waiting for ACKs to open it",
                compared(window, bdp),
                percent(idle_percent)
            ),
            Decision::LimitedByLink { link, hop } => write!(
                f,
                "Your own link is the limit: it emits {link}, and the hop could serve {hop}"
            ),
            Decision::LimitedByHop { hop, standing_queue_ms } if standing_queue_ms < 0.5 => {
                write!(
                    f,
                    "The hop is the limit: it serves {hop} without a pause, and nothing waits"
                )
            }
            Decision::LimitedByHop { hop, standing_queue_ms } => write!(
                f,
                "The hop is the limit: it serves {hop} without a pause, and what the window adds beyond the path is a queue of {}",
                ms(standing_queue_ms)
            ),
            Decision::LimitedByBuffer { window, holds, dropped_percent, goodput_mbps } => write!(
                f,
                "The buffer is the limit: path and buffer hold {holds} of the window's {window}, {} of what is sent is thrown away, and goodput is {}",
                percent(dropped_percent),
                mbps(goodput_mbps)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_holds_its_numbers() {
        let asked = Decision::RuleAsked {
            rule: SizingRule::MyLinkXIdlePing,
            rate: Rate::gbps(1),
            time: Time::millis(80),
            window: Bytes(10_000_000),
            bdp: Bytes(965_333),
        };
        assert_eq!(
            asked.to_string(),
            "The rule asks for 1 Gbps × 80 ms = 9.54 MB, 10.4 times the BDP of 943 KB: it takes the rate of your own link, which is not the narrowest hop"
        );
        let limited = Decision::LimitedByWindow {
            window: Bytes::kb(256),
            bdp: Bytes(965_333),
            idle_percent: 72.8,
        };
        assert_eq!(
            limited.to_string(),
            "The window is the limit: 256 KB is 0.27 times the BDP of 943 KB, and the hop is idle 73% of the time, waiting for ACKs to open it"
        );
    }
}
