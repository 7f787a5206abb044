//! Everything a slow-start run depends on.

use super::set_up::SetUp;
use crate::assumptions::{Assumptions, Preset};
use crate::list::List;
use crate::parameter::{self, Choice, Invalid, Kind, Parameter, Scale, Value, words};
use crate::units::{Bytes, KB, MB, MBPS, MS, MSS, Rate, Time, Unit, WIRE_BYTES};
use serde::{Deserialize, Serialize};

/// Initial window of RFC 3390 and RFC 5681 section 3.1 at an MSS between 1,096 and 2,190 bytes, in segments.
pub const IW_RFC_5681: u32 = 3;
/// Initial window of RFC 6928 (`TCP_INIT_CWND`), in segments.
pub const IW_RFC_6928: u32 = 10;
/// Initial window of a content delivery network with a tuned initcwnd, in segments.
pub const IW_TUNED_CDN: u32 = 46;

/// The largest response.
const LARGEST: Bytes = Bytes::mb(64);

/// The initial window of RFC 6928 section 2 in bytes: `min(10 MSS, max(2 MSS, 14600))`.
pub const fn initial_window_bytes(mss: u64) -> u64 {
    let floor = if 2 * mss > 14_600 { 2 * mss } else { 14_600 };
    if 10 * mss < floor { 10 * mss } else { floor }
}

/// Which packets of the first response are lost on their first transmission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// None but what the queue drops.
    #[default]
    None,
    /// The last segment: nothing behind it can raise a duplicate ACK.
    LastWindow,
    /// The segment 40 % of the way through.
    #[serde(rename = "40-percent")]
    FortyPercent,
    /// The last two segments.
    LastTwo,
    /// The segments with these numbers, counted from 1; not those that the response does not have.
    Segments(List),
}

const LOSSES: &[(Loss, Choice)] = &[
    (Loss::None, Choice { name: "none", label: "none" }),
    (Loss::LastWindow, Choice { name: "last-window", label: "one packet, last window" }),
    (Loss::FortyPercent, Choice { name: "40-percent", label: "one packet, 40% through" }),
    (Loss::LastTwo, Choice { name: "last-two", label: "the last two packets" }),
    (Loss::Segments(List::one(1)), Choice { name: "segment", label: "chosen packets" }),
];
/// The choice of [`LOSSES`] that stands for any [`Loss::Segments`].
const CHOSEN: usize = 4;

impl Loss {
    /// The numbers of the segments that are lost out of `segments`, counted from 1.
    pub fn numbers(self, segments: u32) -> List {
        // A response of the largest size has fewer than 2^16.
        let one = |number: u32| List::one(number as u16);
        match self {
            Loss::None => List::default(),
            Loss::LastWindow => one(segments),
            Loss::FortyPercent => one((u64::from(segments) * 4 / 10) as u32 + 1),
            Loss::LastTwo if segments > 1 => {
                List::one(segments as u16 - 1).with(segments as u16).unwrap_or_default()
            }
            Loss::LastTwo => one(segments),
            Loss::Segments(numbers) => numbers,
        }
    }

    /// The same but for one of `segments`, by number: lost too, or delivered where it was lost. As it was
    /// where no more can be lost.
    pub fn toggled(self, number: u32, segments: u32) -> Loss {
        let (lost, number) = (self.numbers(segments), number as u16);
        let lost = match lost.without(number) {
            same if same == lost => lost.with(number).unwrap_or(lost),
            fewer => fewer,
        };
        if lost.as_slice().is_empty() { Loss::None } else { Loss::Segments(lost) }
    }
}

/// For a while every packet takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DelaySpike {
    /// When it begins; no spike where absent.
    pub at: Option<Time>,
    /// How long it lasts.
    pub length: Time,
    /// What it adds to the way from the bottleneck to the receiver.
    pub delay: Time,
}

impl Default for DelaySpike {
    fn default() -> Self {
        DelaySpike { at: None, length: Time::millis(100), delay: Time::millis(30) }
    }
}

impl DelaySpike {
    /// What it adds to the way of a packet that leaves the bottleneck at `departed`.
    pub fn delay(self, departed: Time) -> Time {
        let on = |at| at <= departed && departed.saturating_sub(at) < self.length;
        if self.at.is_some_and(on) { self.delay } else { Time::ZERO }
    }
}

words! {
    /// Which moments a response is timed between.
    #[derive(Default)]
    Stopwatch {
        /// From the request at the server to the last byte at the receiver.
        #[default]
        RequestToLastByte: "request-to-byte", "from the request to the last byte received";
        /// From the client's SYN to the last byte's ACK at the sender.
        SynToLastAck: "syn-to-ack", "from the SYN to the last byte acknowledged";
    }
}

/// One response on one connection, or two with an idle gap between them; the same on several
/// connections that share the bottleneck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// Size of each response.
    pub size: Bytes,
    /// Rate of the bottleneck.
    pub rate: Rate,
    /// Round-trip time of the path without any queue.
    pub rtt: Time,
    /// Initial window, in segments.
    pub initial_window: u32,
    /// Whether HyStart may end slow start.
    pub hystart: bool,
    /// Whether a tail loss probe is sent (RFC 8985).
    pub tail_loss_probe: bool,
    /// `net.ipv4.tcp_slow_start_after_idle`: whether an idle connection's window decays (RFC 2861).
    pub slow_start_after_idle: bool,
    /// Which packets are lost on purpose.
    pub loss: Loss,
    /// From the last byte of the first response to the second request; no second request where absent.
    pub idle: Option<Time>,
    /// Packets the bottleneck holds, the one in service included; [`Scenario::default_buffer`] where absent.
    pub buffer: Option<u32>,
    /// The same in percent of the bandwidth-delay product; means nothing where `buffer` is set.
    pub buffer_bdp: Option<u32>,
    /// A passing rise of the path's delay.
    pub spike: DelaySpike,
    /// Connections that share the bottleneck, each with responses of its own.
    pub connections: u32,
    /// Time between the starts of one connection and the next.
    pub stagger: Time,
    /// What the receiver takes beyond what it has acknowledged; no limit where absent.
    pub receive_window: Option<Bytes>,
    /// How each connection is set up.
    pub set_up: SetUp,
    /// How long the server thinks before it begins a response.
    pub think: Time,
    /// What a response is timed by, where one time is shown.
    pub clock: Stopwatch,
    /// The preset the assumptions started from.
    pub model: Preset,
    /// What the model takes for granted.
    pub assumptions: Assumptions,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario {
            size: Bytes::mb(1),
            rate: Rate::mbps(100),
            rtt: Time::millis(80),
            initial_window: IW_RFC_6928,
            hystart: true,
            tail_loss_probe: true,
            slow_start_after_idle: true,
            loss: Loss::None,
            idle: None,
            buffer: None,
            buffer_bdp: None,
            spike: DelaySpike::default(),
            connections: 1,
            stagger: Time::ZERO,
            receive_window: None,
            set_up: SetUp::None,
            think: Time::ZERO,
            clock: Stopwatch::RequestToLastByte,
            model: Preset::Article,
            assumptions: Assumptions::default(),
        }
    }
}

impl Scenario {
    /// The start values with the assumptions of a preset.
    pub fn of(preset: Preset) -> Scenario {
        let mut scenario = Scenario::default();
        scenario.set_model(preset);
        scenario
    }

    /// Takes everything for granted that the preset does, and nothing else.
    pub fn set_model(&mut self, preset: Preset) {
        self.model = preset;
        self.assumptions = Assumptions::of(preset);
    }

    /// Segments of one response.
    pub fn segments(&self) -> u32 {
        self.size.segments()
    }

    /// The bandwidth-delay product in packets, unrounded.
    pub fn bdp_packets(&self) -> f64 {
        self.rate.bytes_in(self.rtt) / WIRE_BYTES as f64
    }

    /// Two bandwidth-delay products, but at least 32 packets.
    pub fn default_buffer(&self) -> u32 {
        ((2.0 * self.bdp_packets()).round() as u32).max(32)
    }

    /// Packets the bottleneck holds.
    pub fn buffer_packets(&self) -> u32 {
        let of_bdp = |percent: u32| (self.bdp_packets() * f64::from(percent) / 100.0).round();
        match (self.buffer, self.buffer_bdp) {
            (Some(packets), _) => packets,
            (None, Some(percent)) => (of_bdp(percent) as u32).max(1),
            (None, None) => self.default_buffer(),
        }
    }

    /// Round trips that doubling from the initial window needs: `ceil(log2(S/IW + 1))`.
    pub fn ideal_round_trips(&self) -> u32 {
        let (mut delivered, mut window, mut rounds) = (0, u64::from(self.initial_window), 0);
        while delivered < u64::from(self.segments()) {
            delivered += window;
            window *= 2;
            rounds += 1;
        }
        rounds
    }

    /// Time the link needs for one response at full rate.
    pub fn link_busy(&self) -> Time {
        self.rate.time_to_send(u64::from(self.segments()) * WIRE_BYTES)
    }

    /// Checks every field against its allowed range.
    ///
    /// # Errors
    /// [`Invalid`], naming the first field that is out of range.
    pub fn validate(&self) -> Result<(), Invalid> {
        parameter::validate(PARAMETERS, self)
    }
}

fn unless_zero(time: Time) -> Value {
    if time == Time::ZERO { Value::Absent } else { Value::Number(time.0) }
}

/// The most connections that share a link.
pub const MAX_CONNECTIONS: u64 = 16;

/// What can be set on a [`Scenario`].
pub const PARAMETERS: &[Parameter<Scenario>] = &[
    Parameter {
        name: "size",
        key: "size",
        label: "Response size",
        help: "Bytes of the response; KB and MB are binary (1 KB is 1,024 bytes).",
        kind: Kind::Number {
            unit: Unit::Bytes,
            min: KB,
            max: LARGEST.0,
            scale: Scale::Logarithmic,
            marks: &[14 * KB, 64 * KB, 256 * KB, MB, 4 * MB, 16 * MB, 64 * MB],
            absent: None,
        },
        get: |s| Value::Number(s.size.0),
        set: |s, v| s.size = Bytes(v.required()),
    },
    Parameter {
        name: "rate",
        key: "rate",
        label: "Link rate",
        help: "Rate of the slowest link on the path.",
        kind: Kind::Number {
            unit: Unit::BitsPerSecond,
            min: MBPS,
            max: 10_000 * MBPS,
            scale: Scale::Logarithmic,
            marks: &[10 * MBPS, 100 * MBPS, 1_000 * MBPS],
            absent: None,
        },
        get: |s| Value::Number(s.rate.0),
        set: |s, v| s.rate = Rate(v.required()),
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
            marks: &[20 * MS, 80 * MS],
            absent: None,
        },
        get: |s| Value::Number(s.rtt.0),
        set: |s, v| s.rtt = Time(v.required()),
    },
    Parameter {
        name: "initial-window",
        key: "iw",
        label: "Initial window",
        help: "Segments the sender may send before the first ACK: 3 by RFC 5681, 10 by RFC 6928, 46 on a tuned content network.",
        kind: Kind::Number {
            unit: Unit::Segments,
            min: 1,
            max: 64,
            scale: Scale::Linear,
            marks: &[IW_RFC_5681 as u64, IW_RFC_6928 as u64, IW_TUNED_CDN as u64],
            absent: None,
        },
        get: |s| Value::Number(s.initial_window.into()),
        set: |s, v| s.initial_window = v.required() as u32,
    },
    Parameter {
        name: "hystart",
        key: "hs",
        label: "HyStart",
        help: "Lets the sender end slow start before the queue overflows, by the length of its ACK train or by a rise in delay.",
        kind: Kind::Switch,
        get: |s| Value::Switch(s.hystart),
        set: |s, v| s.hystart = v == Value::Switch(true),
    },
    Parameter {
        name: "tail-loss-probe",
        key: "tlp",
        label: "Tail loss probe",
        help: "Sends a segment, most often the last one again, once a silence has lasted for some two smoothed round trips (RFC 8985).",
        kind: Kind::Switch,
        get: |s| Value::Switch(s.tail_loss_probe),
        set: |s, v| s.tail_loss_probe = v == Value::Switch(true),
    },
    Parameter {
        name: "slow-start-after-idle",
        key: "ssai",
        label: "tcp_slow_start_after_idle",
        help: "Halves an idle connection's window once per retransmission timeout, down to the initial window (RFC 2861).",
        kind: Kind::Switch,
        get: |s| Value::Switch(s.slow_start_after_idle),
        set: |s, v| s.slow_start_after_idle = v == Value::Switch(true),
    },
    Parameter {
        name: "loss",
        key: "loss",
        label: "Loss",
        help: "Loses packets of the first response on purpose: one, the last two, or chosen ones.",
        kind: Kind::Choice(&[LOSSES[0].1, LOSSES[1].1, LOSSES[2].1, LOSSES[3].1, LOSSES[4].1]),
        get: |s| Value::Choice(LOSSES.iter().position(|l| l.0 == s.loss).unwrap_or(CHOSEN)),
        set: |s, v| {
            if let Value::Choice(i) = v {
                s.loss = LOSSES[i].0;
            }
        },
    },
    Parameter {
        name: "lose-segment",
        key: "lose",
        label: "Packets to lose",
        help: "Which packets of the first response are lost, by number from 1, with commas between.",
        kind: Kind::Number {
            unit: Unit::Ordinal,
            min: 1,
            max: LARGEST.0.div_ceil(MSS),
            scale: Scale::Logarithmic,
            marks: &[],
            absent: Some("none"),
        },
        get: |s| match s.loss {
            Loss::Segments(numbers) => Value::list(numbers),
            _ => Value::Absent,
        },
        set: |s, v| match (v, s.loss) {
            (Value::Number(n), _) => s.loss = Loss::Segments(List::one(n as u16)),
            (Value::Numbers(numbers), _) => s.loss = Loss::Segments(numbers),
            (_, Loss::Segments(_)) => s.loss = Loss::None,
            _ => {}
        },
    },
    Parameter {
        name: "idle",
        key: "idle",
        label: "Idle, then a second request",
        help: "Silence between the last byte of the first response and a second request of the same size on the same connection.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 60_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[200 * MS, 500 * MS, 1_000 * MS, 2_000 * MS],
            absent: Some("none"),
        },
        get: |s| s.idle.map_or(Value::Absent, |t| Value::Number(t.0)),
        set: |s, v| s.idle = v.number().map(Time),
    },
    Parameter {
        name: "buffer",
        key: "buf",
        label: "Buffer",
        help: "Packets the bottleneck can hold, the one in service included; auto is two bandwidth-delay products, but at least 32.",
        kind: Kind::Number {
            unit: Unit::Packets,
            min: 1,
            max: 1_000_000,
            scale: Scale::Logarithmic,
            marks: &[32],
            absent: Some("auto"),
        },
        get: |s| s.buffer.map_or(Value::Absent, |n| Value::Number(n.into())),
        set: |s, v| s.buffer = v.number().map(|n| n as u32),
    },
    Parameter {
        name: "spike-at",
        key: "spike",
        label: "Delay spike",
        help: "When every packet begins to take longer for a while, as on a path that changes or a busy radio link.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 10_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[100 * MS, 200 * MS],
            absent: Some("none"),
        },
        get: |s| s.spike.at.map_or(Value::Absent, |t| Value::Number(t.0)),
        set: |s, v| s.spike.at = v.number().map(Time),
    },
    Parameter {
        name: "spike-length",
        key: "spikelen",
        label: "Length of the spike",
        help: "How long packets take longer.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 10_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[100 * MS],
            absent: None,
        },
        get: |s| Value::Number(s.spike.length.0),
        set: |s, v| s.spike.length = Time(v.required()),
    },
    Parameter {
        name: "spike-delay",
        key: "spikeby",
        label: "Delay in the spike",
        help: "How much longer packets take.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 1_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[30 * MS],
            absent: None,
        },
        get: |s| Value::Number(s.spike.delay.0),
        set: |s, v| s.spike.delay = Time(v.required()),
    },
    Parameter {
        name: "buffer-bdp",
        key: "bufbdp",
        label: "Buffer, of the BDP",
        help: "What the bottleneck can hold in percent of the bandwidth-delay product, where it is not given in packets.",
        kind: Kind::Number {
            unit: Unit::Percent,
            min: 1,
            max: 1_000,
            scale: Scale::Logarithmic,
            marks: &[10, 50, 100, 200],
            absent: Some("auto"),
        },
        get: |s| s.buffer_bdp.map_or(Value::Absent, |n| Value::Number(n.into())),
        set: |s, v| s.buffer_bdp = v.number().map(|n| n as u32),
    },
    Parameter {
        name: "connections",
        key: "conns",
        label: "Connections",
        help: "Connections that share the link, each with a response of this size.",
        kind: Kind::Number {
            unit: Unit::Connections,
            min: 1,
            max: MAX_CONNECTIONS,
            scale: Scale::Linear,
            marks: &[],
            absent: None,
        },
        get: |s| Value::Number(s.connections.into()),
        set: |s, v| s.connections = v.required() as u32,
    },
    Parameter {
        name: "stagger",
        key: "stagger",
        label: "Time between starts",
        help: "By how much each connection starts after the one before; none has all start at once.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS / 10,
            max: 10_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[10 * MS, 100 * MS],
            absent: Some("none"),
        },
        get: |s| unless_zero(s.stagger),
        set: |s, v| s.stagger = Time(v.required()),
    },
    Parameter {
        name: "receive-window",
        key: "rwnd",
        label: "Receive window",
        help: "Bytes the receiver takes beyond what it has acknowledged; in whole segments it limits what is in flight as the congestion window does.",
        kind: Kind::Number {
            unit: Unit::Bytes,
            min: 2 * KB,
            max: 64 * MB,
            scale: Scale::Logarithmic,
            marks: &[64 * KB, MB],
            absent: Some("unlimited"),
        },
        get: |s| s.receive_window.map_or(Value::Absent, |w| Value::Number(w.0)),
        set: |s, v| s.receive_window = v.number().map(Bytes),
    },
    Parameter {
        name: "setup",
        key: "setup",
        label: "Connection set-up",
        help: "What comes before the request: TCP's handshake takes one round trip, TLS 1.3 one more, TLS 1.2 two more, 0-RTT data none.",
        kind: Kind::Choice(SetUp::CHOICES),
        get: |s| s.set_up.value(),
        set: |s, v| s.set_up.set(v),
    },
    Parameter {
        name: "think",
        key: "think",
        label: "Server think time",
        help: "From the request at the server to the first byte of the response.",
        kind: Kind::Number {
            unit: Unit::Time,
            min: MS,
            max: 10_000 * MS,
            scale: Scale::Logarithmic,
            marks: &[10 * MS, 100 * MS],
            absent: Some("none"),
        },
        get: |s| unless_zero(s.think),
        set: |s, v| s.think = Time(v.required()),
    },
    Parameter {
        name: "clock",
        key: "timed",
        label: "Timed",
        help: "What the time is taken of: from the request at the server to the last byte at the receiver, or from the SYN to the last byte's ACK at the sender.",
        kind: Kind::Choice(Stopwatch::CHOICES),
        get: |s| s.clock.value(),
        set: |s, v| s.clock.set(v),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_of_rfc_6928_gives_ten_segments_at_a_usual_mss() {
        assert_eq!(initial_window_bytes(MSS), 14_480);
        assert_eq!(initial_window_bytes(MSS) / MSS, u64::from(IW_RFC_6928));
        assert_eq!(initial_window_bytes(1_460), 14_600);
        assert_eq!(initial_window_bytes(9_000), 18_000);
    }

    #[test]
    fn every_parameter_reads_back_what_it_writes() {
        let scenario = Scenario::default();
        for p in PARAMETERS {
            let value = (p.get)(&scenario);
            assert_eq!(p.parse(&p.exact(value)), Ok(value), "{}", p.name);
        }
    }

    #[test]
    fn several_packets_can_be_chosen() {
        let lose = PARAMETERS.iter().find(|p| p.key == "lose").expect("there is one");
        let mut scenario = Scenario { size: Bytes::kb(64), ..Scenario::default() };
        (lose.set)(&mut scenario, lose.parse("40, 12,12").expect("allowed"));
        assert_eq!(lose.exact((lose.get)(&scenario)), "12,40");
        assert_eq!(lose.show((lose.get)(&scenario)), "12, 40");
        let error = lose.parse("12,0").expect_err("packets count from 1");
        assert_eq!(
            error.to_string(),
            "lose-segment: '12,0' is not allowed; use none, or up to 8 of 1 to 46346, with commas between"
        );
        for text in ["12,", "12;40", "0,99999", "1,2,3,4,5,6,7,8,9"] {
            assert!(
                lose.parse(text).is_err() && lose.setting().parse_nearest(text).is_none(),
                "{text}"
            );
        }
    }

    #[test]
    fn one_more_packet_is_lost_or_one_fewer() {
        let loss = Loss::LastTwo.toggled(4, 10);
        assert_eq!(loss.numbers(10).as_slice(), [4, 9, 10]);
        let loss = loss.toggled(9, 10).toggled(10, 10);
        assert_eq!(loss, Loss::Segments(List::one(4)));
        assert_eq!(loss.toggled(4, 10), Loss::None);
        let full = (1..=8).fold(Loss::None, |loss, number| loss.toggled(number, 100));
        assert_eq!(full.toggled(50, 100), full);
    }

    #[test]
    fn a_value_out_of_range_is_named_with_its_range() {
        let scenario = Scenario { rtt: Time::secs(1), ..Scenario::default() };
        let error = scenario.validate().expect_err("1 s is too long");
        assert_eq!(error.to_string(), "rtt: '1 s' is not allowed; use 1 ms to 300 ms");
    }

    #[test]
    fn round_trips_are_the_logarithm_the_article_prints() {
        let at = |size| Scenario { size, ..Scenario::default() }.ideal_round_trips();
        assert_eq!(at(Bytes::kb(14)), 1);
        assert_eq!(at(Bytes::mb(1)), 7);
        assert_eq!(at(Bytes::mb(64)), 13);
    }
}
