//! Everything a bandwidth-delay-product run depends on.

use super::sizing::{self, SizingRule};
use crate::parameter::{self, Invalid, Kind, Parameter, Scale, Value, words};
use crate::units::{Bytes, KB, MB, MBPS, MS, Rate, Time, Unit};
use serde::{Deserialize, Serialize};

words! {
    /// How what the hop threw away is made good, which decides what goodput counts.
    #[derive(Default)]
    Repair {
        /// Lost data is sent again before new data. Goodput is the share of the hop's work in proportion
        /// to the sends that carry new data: served payload x first sends / all sends.
        #[default]
        ArticleShare: "article-share", "the share of new data";
        /// Cumulative ACKs only. The receiver discards what is out of order; its first duplicate ACK makes
        /// the sender go back to the gap and send everything from there again. Goodput is what arrives in
        /// order.
        GoBackN: "go-back-n", "go-back-N";
        /// The receiver keeps what is out of order and only what was lost is sent again (RFC 2018).
        /// Goodput is all that the hop serves.
        SelectiveRepeat: "selective-repeat", "selective repeat";
    }
}

impl Repair {
    /// What the goodput counts under this assumption, in a sentence.
    pub fn goodput_counts(self) -> &'static str {
        match self {
            Repair::ArticleShare => {
                "Goodput is the hop's payload rate times the share of sent packets that carry new data."
            }
            Repair::GoBackN => {
                "Goodput is what arrives in order: the receiver throws away the rest and the sender goes back to the gap."
            }
            Repair::SelectiveRepeat => {
                "Goodput is everything that arrives: the receiver keeps it in any order and only losses are sent again."
            }
        }
    }
}

/// One flow with a fixed window over one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// Send window in payload bytes: what may be unacknowledged. A sizing rule other than by hand
    /// replaces it, or, where it measures, starts from it.
    pub window: Bytes,
    /// Rate of the sender's own link.
    pub link: Rate,
    /// Rate of the hop with the queue.
    pub hop: Rate,
    /// Round-trip time of the path without any queue.
    pub rtt: Time,
    /// What the hop can hold, as the time it needs to serve that, the packet in service included.
    pub buffer: Time,
    /// How the window is chosen.
    pub rule: SizingRule,
    /// How losses are made good.
    pub repair: Repair,
}

const START: Scenario = Scenario {
    window: Bytes::kb(256),
    link: Rate::gbps(1),
    hop: Rate::mbps(100),
    rtt: Time::millis(80),
    buffer: Time::millis(100),
    rule: SizingRule::Manual,
    repair: Repair::ArticleShare,
};

impl Default for Scenario {
    fn default() -> Self {
        START
    }
}

impl Scenario {
    /// The rate of the narrowest hop, one's own link among them.
    pub const fn narrowest(&self) -> Rate {
        if self.link.0 < self.hop.0 { self.link } else { self.hop }
    }

    /// The bandwidth-delay product in payload bytes: the window that fills the path with an empty queue.
    pub const fn bdp(&self) -> Bytes {
        sizing::payload(self.narrowest(), self.rtt)
    }

    /// Whether the hop's queue can grow: not where one's own link is the narrowest.
    pub const fn can_overflow(&self) -> bool {
        self.hop.0 < self.link.0
    }

    /// The payload in a full path and a full buffer: the largest window without loss, where the hop
    /// can overflow at all.
    pub const fn pipe_and_buffer(&self) -> Bytes {
        Bytes(self.bdp().0 + sizing::payload(self.hop, self.buffer).0)
    }

    /// Checks every field against its allowed range.
    ///
    /// # Errors
    /// [`Invalid`], naming the first field that is out of range.
    pub fn validate(&self) -> Result<(), Invalid> {
        parameter::validate(PARAMETERS, self)
    }
}

/// Smallest window to be set by hand.
pub(super) const WINDOW_MIN: u64 = 64 * KB;
/// Largest window to be set by hand.
pub(super) const WINDOW_MAX: u64 = 16 * MB;

/// What can be set on a [`Scenario`].
pub const PARAMETERS: &[Parameter<Scenario>] = &[
    Parameter {
        name: "window",
        key: "win",
        label: "Send window",
        help: "Bytes that may be on their way unacknowledged; KB and MB are binary (1 KB is 1,024 bytes).",
        kind: Kind::Number {
            unit: Unit::Bytes,
            min: WINDOW_MIN,
            max: WINDOW_MAX,
            scale: Scale::Logarithmic,
            marks: &[
                64 * KB,
                256 * KB,
                512 * KB,
                START.bdp().0,
                MB,
                START.pipe_and_buffer().0,
                4 * MB,
                8 * MB,
                16 * MB,
            ],
            absent: None,
        },
        get: |s| Value::Number(s.window.0),
        set: |s, v| s.window = Bytes(v.required()),
    },
    Parameter {
        name: "link",
        key: "link",
        label: "The link you pay for",
        help: "Rate of the sender's own link: as fast as it can emit packets.",
        kind: Kind::Number {
            unit: Unit::BitsPerSecond,
            min: 10 * MBPS,
            max: 10_000 * MBPS,
            scale: Scale::Logarithmic,
            marks: &[10 * MBPS, 100 * MBPS, 1_000 * MBPS, 10_000 * MBPS],
            absent: None,
        },
        get: |s| Value::Number(s.link.0),
        set: |s, v| s.link = Rate(v.required()),
    },
    Parameter {
        name: "hop",
        key: "hop",
        label: "Narrow hop",
        help: "Rate of the slowest hop beyond your link, where the queue is.",
        kind: Kind::Number {
            unit: Unit::BitsPerSecond,
            min: MBPS,
            max: 1_000 * MBPS,
            scale: Scale::Logarithmic,
            marks: &[MBPS, 10 * MBPS, 100 * MBPS, 1_000 * MBPS],
            absent: None,
        },
        get: |s| Value::Number(s.hop.0),
        set: |s, v| s.hop = Rate(v.required()),
    },
    Parameter {
        name: "rtt",
        key: "rtt",
        label: "Round-trip time",
        help: "Round-trip time of the path while its queue is empty.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 300 * MS,
            scale: Scale::Logarithmic,
            marks: &[20 * MS, 80 * MS, 180 * MS, 190 * MS],
            absent: None,
        },
        get: |s| Value::Number(s.rtt.0),
        set: |s, v| s.rtt = Time(v.required()),
    },
    Parameter {
        name: "buffer",
        key: "buf",
        label: "Buffer of the hop",
        help: "What the hop can hold, as the time it needs to serve that; what does not fit is dropped.",
        kind: Kind::Number {
            unit: Unit::Time,
            // More than a slot of the longest round trip, so that a slot's work always fits.
            min: 5 * MS,
            max: 1_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[10 * MS, 100 * MS, 500 * MS],
            absent: None,
        },
        get: |s| Value::Number(s.buffer.0),
        set: |s, v| s.buffer = Time(v.required()),
    },
    Parameter {
        name: "rule",
        key: "rule",
        label: "Sizing rule",
        help: "What sets the window: your hand, or a product of a rate and a delay.",
        kind: Kind::Choice(SizingRule::CHOICES),
        get: |s| s.rule.value(),
        set: |s, v| s.rule.set(v),
    },
    Parameter {
        name: "repair",
        key: "rep",
        label: "Repair of losses",
        help: "What goodput counts: the share of sent packets that carry new data; what arrives in order (go-back-N); or all that arrives (selective repeat).",
        kind: Kind::Choice(Repair::CHOICES),
        get: |s| s.repair.value(),
        set: |s, v| s.repair.set(v),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_reads_back_what_it_writes() {
        let scenario = Scenario::default();
        assert_eq!(scenario.validate(), Ok(()));
        for p in PARAMETERS {
            let value = (p.get)(&scenario);
            assert_eq!(p.parse(&p.exact(value)), Ok(value), "{}", p.name);
        }
    }

    #[test]
    fn marks_are_allowed_and_in_order() {
        for p in PARAMETERS {
            let Kind::Number { marks, .. } = p.kind else { continue };
            assert!(marks.is_sorted(), "{}", p.name);
            assert!(marks.iter().all(|m| p.allows(Value::Number(*m))), "{}", p.name);
        }
    }

    #[test]
    fn a_value_out_of_range_is_named_with_its_range() {
        let scenario = Scenario { window: Bytes::mb(17), ..Scenario::default() };
        let error = scenario.validate().expect_err("17 MB is too much");
        assert_eq!(error.to_string(), "window: '17 MB' is not allowed; use 64 KB to 16 MB");
    }

    #[test]
    fn the_narrowest_hop_may_be_ones_own_link() {
        let scenario = Scenario { link: Rate::mbps(10), ..Scenario::default() };
        assert_eq!(scenario.narrowest(), Rate::mbps(10));
        assert_eq!(scenario.bdp(), Bytes(96_533));
    }
}
