//! What the model takes for granted, each simplification as a named field.
//!
//! A figure that depends on one of these can be traced to it. [`Assumptions::ARTICLE`] is the preset
//! whose figures the article shows, [`Assumptions::LINUX`] the one that does what a kernel does.
//! [`all`] describes every field once, for the page, the command line and URLs.

use crate::parameter::{Choice, Kind, Parameter, Value};
use crate::slow_start::Scenario;
use crate::slow_start::scenario::MODEL;
use serde::{Deserialize, Serialize};

/// One of several words, each with its place in a list of choices.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident: $word:literal, $label:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of [`Self::CHOICES`].
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];
            /// The words for them.
            pub const CHOICES: &'static [Choice] = &[$(Choice { name: $word, label: $label },)+];

            /// This variant as a parameter's value.
            pub fn value(self) -> Value {
                Value::Choice(self as usize)
            }

            /// The variant a value stands for.
            pub fn from_value(value: Value) -> Option<$name> {
                match value {
                    Value::Choice(i) => Self::ALL.get(i).copied(),
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// A named set of assumptions.
    Preset {
        /// What the article's figures were made with.
        Article: "article", "the simple model";
        /// What a Linux 6.x kernel does.
        Linux: "linux", "as Linux does it";
    }
}

words! {
    /// When the sender acts.
    Clock {
        /// In slots of an eightieth of the round-trip time; an ACK is seen half a slot late on average.
        Slots: "slots", "in slots of RTT/80";
        /// At once.
        Continuous: "continuous", "at once";
    }
}

words! {
    /// How what the window allows is spread over time.
    Pacing {
        /// It leaves at once.
        None: "none", "none: as fast as the window allows";
        /// At twice cwnd/srtt in early slow start, 1.2 times later.
        FqLike: "fq-like", "spread over the round trip";
    }
}

words! {
    /// What of the first window is paced; means nothing without pacing.
    InitialPacing {
        /// All of it.
        FromFirstPacket: "from-first-packet", "from the first packet";
        /// The first ten segments leave at once.
        FirstTenUnpaced: "first-10-unpaced", "the first 10 segments leave at once";
        /// Nothing: all leaves at once until an ACK has come.
        None: "none", "the whole first window leaves at once";
    }
}

words! {
    /// How the sender learns of a loss.
    LossFeedback {
        /// By a notice, one base round-trip time after the lost packet left.
        OneRoundTrip: "one-round-trip", "one base round trip after the packet left";
        /// From the selective ACKs of what was sent later, which wait in the queue too.
        DuplicateAcks: "duplicate-acks", "from selective ACKs, which wait in the queue too";
    }
}

words! {
    /// What a loss does to the window while it is repaired.
    Recovery {
        /// The window falls at once and does not grow until the repair is done.
        ImmediateCut: "immediate-cut", "the window falls at once";
        /// The window falls bit by bit as ACKs come.
        ProportionalRateReduction: "proportional-rate-reduction", "the window falls as ACKs come";
    }
}

words! {
    /// How long the sender waits before it probes a silent tail.
    ProbeTimeout {
        /// Two smoothed round trips.
        TwoRoundTrips: "2-srtt", "2 srtt";
        /// Two smoothed round trips and 2 ms.
        TwoRoundTripsAndATick: "2-srtt-2ms", "2 srtt + 2 ms";
        /// The same, and 200 ms where a single packet is out, as its ACK may be delayed.
        LonePacketWaits: "lone-packet-200ms", "2 srtt + 2 ms; + 200 ms for a lone packet";
    }
}

words! {
    /// When a probe costs window.
    ProbeCut {
        /// As it is sent; there is one per response.
        AtOnce: "at-once", "as the probe is sent";
        /// Once an ACK passes it, which tells that it repaired a loss; there is one at a time.
        WhenPassed: "when-passed", "when an ACK passes the probe";
    }
}

words! {
    /// How the retransmission timeout is made from the samples.
    Rto {
        /// `max(200 ms, srtt + 4 rttvar)`.
        Rfc6298: "max-200ms", "max(200 ms, srtt + 4 rttvar)";
        /// `srtt + max(4 rttvar, 200 ms)`, with a deviation that is slow to fall.
        Linux: "srtt-plus-200ms", "srtt + max(4 rttvar, 200 ms)";
    }
}

words! {
    /// What restarts the timers.
    TimerRestart {
        /// Every transmission, and no ACK.
        Transmissions: "transmissions", "every transmission, no ACK";
        /// Every ACK that acknowledges something new in order; new data restarts the probe only.
        Acks: "acks", "every ACK that makes progress";
    }
}

words! {
    /// How fine the timers are.
    TimerGranularity {
        /// To the nanosecond.
        Exact: "exact", "exact";
        /// Ticks of 4 ms, and steps of 32 ms beyond 252 ms.
        KernelTicks: "kernel-ticks", "4 ms ticks, 32 ms steps beyond 252 ms";
    }
}

words! {
    /// How the window grows after slow start.
    CongestionAvoidance {
        /// The larger of Reno's growth and the cubic curve's.
        Rfc9438: "rfc-9438", "CUBIC by RFC 9438";
        /// With Linux's floors, fast convergence, and a memory that a timeout wipes.
        Linux: "linux", "CUBIC as in Linux";
    }
}

words! {
    /// What the window is counted in.
    WindowArithmetic {
        /// Parts of a segment count; a cut leaves 0.7.
        Fractional: "fractional", "parts of segments";
        /// Whole segments; a cut leaves 717/1024, rounded down, and at least 2.
        Whole: "whole", "whole segments";
    }
}

words! {
    /// Whether a window that is not used grows.
    WindowValidation {
        /// It does.
        Off: "off", "the window always grows";
        /// Only while it holds the sender back.
        WhileInUse: "while-in-use", "the window grows only while it is used";
    }
}

words! {
    /// When the receiver acknowledges.
    Acks {
        /// Every segment at once.
        EverySegment: "every-segment", "every segment";
        /// The first sixteen times at once, later every second segment or after 40 ms.
        QuickThenEverySecond: "quick-16-then-every-second", "the first 16 at once, then every second segment";
    }
}

words! {
    /// Whether the handshake's round trip counts as a sample.
    HandshakeSample {
        /// The first sample is that of the first ACK for data.
        Ignored: "ignored", "ignored";
        /// srtt and RTO are known from the start.
        Counted: "counted", "counted";
    }
}

words! {
    /// What becomes of the ACKs that are under way as a response ends.
    TrailingAcks {
        /// They are ignored.
        Discarded: "discarded", "ignored";
        /// They are taken like all others, and the window may grow on them.
        Processed: "processed", "taken like all others";
    }
}

words! {
    /// Where an idle period begins.
    IdleClock {
        /// As the last byte reaches the receiver.
        LastByteDelivered: "last-byte-delivered", "as the last byte is delivered";
        /// As the sender last sent data.
        LastDataSent: "last-data-sent", "as the sender last sent data";
    }
}

words! {
    /// What ends slow start but loss, where the HyStart switch is on.
    SlowStartExit {
        /// Nothing.
        None: "none", "nothing but loss";
        /// HyStart by ACK train and delay, as in Linux.
        HyStart: "hystart", "HyStart, as in Linux";
        /// HyStart++: delay only, with conservative rounds that can be taken back.
        HyStartPlusPlus: "hystart-plus-plus", "HyStart++ (RFC 9406)";
    }
}

words! {
    /// The window HyStart looks at.
    HyStartOrder {
        /// The one that this ACK has grown; the delay test counts from the 8th sample.
        AfterGrowth: "after-growth", "the window after the ACK's growth";
        /// The one before; the delay test counts from the 9th sample.
        BeforeGrowth: "before-growth", "the window before the ACK's growth";
    }
}

words! {
    /// From which window on HyStart keeps rounds.
    HyStartRounds {
        /// From the first ACK on.
        Always: "always", "from the first ACK on";
        /// Once the window is large enough for its tests, which may be in the middle of a flight.
        LargeWindow: "large-window", "from a window of 16 segments on";
    }
}

/// Every simplification of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumptions {
    /// When the sender acts.
    pub clock: Clock,
    /// How what the window allows is spread over time.
    pub pacing: Pacing,
    /// What of the first window is paced.
    pub initial_pacing: InitialPacing,
    /// How the sender learns of a loss.
    pub loss_feedback: LossFeedback,
    /// What a loss does to the window while it is repaired.
    pub recovery: Recovery,
    /// How long the sender waits before it probes a silent tail.
    pub probe_timeout: ProbeTimeout,
    /// When a probe costs window.
    pub probe_cut: ProbeCut,
    /// How the retransmission timeout is made from the samples.
    pub rto: Rto,
    /// What restarts the timers.
    pub timer_restart: TimerRestart,
    /// How fine the timers are.
    pub timer_granularity: TimerGranularity,
    /// How the window grows after slow start.
    pub congestion_avoidance: CongestionAvoidance,
    /// What the window is counted in.
    pub window_arithmetic: WindowArithmetic,
    /// Whether a window that is not used grows.
    pub window_validation: WindowValidation,
    /// When the receiver acknowledges.
    pub acks: Acks,
    /// Whether the handshake's round trip counts as a sample.
    pub handshake_sample: HandshakeSample,
    /// What becomes of the ACKs that are under way as a response ends.
    pub trailing_acks: TrailingAcks,
    /// Where an idle period begins.
    pub idle_clock: IdleClock,
    /// What ends slow start but loss.
    pub slow_start_exit: SlowStartExit,
    /// The window HyStart looks at.
    pub hystart_order: HyStartOrder,
    /// From which window on HyStart keeps rounds.
    pub hystart_rounds: HyStartRounds,
}

impl Assumptions {
    /// The article's model.
    pub const ARTICLE: Assumptions = Assumptions {
        clock: Clock::Slots,
        pacing: Pacing::FqLike,
        initial_pacing: InitialPacing::FromFirstPacket,
        loss_feedback: LossFeedback::OneRoundTrip,
        recovery: Recovery::ImmediateCut,
        probe_timeout: ProbeTimeout::TwoRoundTrips,
        probe_cut: ProbeCut::AtOnce,
        rto: Rto::Rfc6298,
        timer_restart: TimerRestart::Transmissions,
        timer_granularity: TimerGranularity::Exact,
        congestion_avoidance: CongestionAvoidance::Rfc9438,
        window_arithmetic: WindowArithmetic::Fractional,
        window_validation: WindowValidation::Off,
        acks: Acks::EverySegment,
        handshake_sample: HandshakeSample::Ignored,
        trailing_acks: TrailingAcks::Discarded,
        idle_clock: IdleClock::LastByteDelivered,
        slow_start_exit: SlowStartExit::HyStart,
        hystart_order: HyStartOrder::AfterGrowth,
        hystart_rounds: HyStartRounds::Always,
    };

    /// What a Linux 6.x kernel does, without a pacing queue discipline.
    pub const LINUX: Assumptions = Assumptions {
        clock: Clock::Continuous,
        pacing: Pacing::None,
        initial_pacing: InitialPacing::FirstTenUnpaced,
        loss_feedback: LossFeedback::DuplicateAcks,
        recovery: Recovery::ProportionalRateReduction,
        probe_timeout: ProbeTimeout::LonePacketWaits,
        probe_cut: ProbeCut::WhenPassed,
        rto: Rto::Linux,
        timer_restart: TimerRestart::Acks,
        timer_granularity: TimerGranularity::KernelTicks,
        congestion_avoidance: CongestionAvoidance::Linux,
        window_arithmetic: WindowArithmetic::Whole,
        window_validation: WindowValidation::WhileInUse,
        acks: Acks::EverySegment,
        handshake_sample: HandshakeSample::Counted,
        trailing_acks: TrailingAcks::Processed,
        idle_clock: IdleClock::LastDataSent,
        slow_start_exit: SlowStartExit::HyStart,
        hystart_order: HyStartOrder::BeforeGrowth,
        hystart_rounds: HyStartRounds::Always,
    };

    /// The assumptions a preset stands for.
    pub const fn of(preset: Preset) -> Assumptions {
        match preset {
            Preset::Article => Assumptions::ARTICLE,
            Preset::Linux => Assumptions::LINUX,
        }
    }
}

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions::ARTICLE
    }
}

/// A field of [`Assumptions`], described; what both presets say follows from the presets.
#[derive(Clone, Copy)]
pub struct Assumption {
    /// Name, words, reading and writing.
    pub parameter: &'static Parameter<Scenario>,
    /// Where the variants come from.
    pub source: &'static str,
}

/// Every field of [`Assumptions`], described.
pub fn all() -> impl Iterator<Item = Assumption> {
    let parameters = OF_SCENARIO.iter().skip(1);
    parameters.zip(SOURCES).map(|(parameter, source)| Assumption { parameter, source })
}

impl Assumption {
    /// The one with this name or URL key.
    pub fn find(name: &str) -> Option<Assumption> {
        all().find(|a| a.parameter.name == name || a.parameter.key == name)
    }

    /// What a preset says about it.
    pub fn preset(&self, preset: Preset) -> Value {
        (self.parameter.get)(&Scenario::of(preset))
    }

    /// How else to take it: as the other preset does or, where both agree, as neither does.
    pub fn other(&self, scenario: &Scenario) -> Value {
        let now = (self.parameter.get)(scenario);
        let presets = [self.preset(Preset::Linux), self.preset(Preset::Article)];
        presets.into_iter().find(|value| *value != now).unwrap_or_else(|| self.next(now))
    }

    /// The choice after `value`, or the first one.
    fn next(&self, value: Value) -> Value {
        match (self.parameter.kind, value) {
            (Kind::Choice(choices), Value::Choice(i)) => Value::Choice((i + 1) % choices.len()),
            _ => value,
        }
    }

    /// A scenario that differs from this one in how this assumption is taken, and in nothing else.
    pub fn flipped(&self, scenario: &Scenario) -> Scenario {
        let mut flipped = scenario.clone();
        (self.parameter.set)(&mut flipped, self.other(scenario));
        flipped
    }
}

/// Keys of the quantities that tell what an assumption changes, the first ones first.
pub const TELLING: &[&str] = &[
    "response_ms",
    "second_response_ms",
    "dropped",
    "slow_start_exit_cwnd",
    "peak_cwnd",
    "cwnd_at_end",
    "acks",
    "rto_ms",
];

/// The description of each field.
macro_rules! assumptions {
    ($($field:ident: $type:ident, $name:literal, $key:literal, $label:literal, $help:literal, $source:literal;)+) => {
        const SOURCES: &[&str] = &[$($source,)+];

        /// The preset, then every field, as parameters of a slow-start scenario.
        pub(crate) const OF_SCENARIO: &[Parameter<Scenario>] = &[MODEL, $(Parameter {
            name: $name,
            key: $key,
            label: $label,
            help: $help,
            kind: Kind::Choice($type::CHOICES),
            get: |s| s.assumptions.$field.value(),
            set: |s, v| {
                let field = &mut s.assumptions.$field;
                *field = $type::from_value(v).unwrap_or(*field);
            },
        },)+];
    };
}

assumptions! {
    clock: Clock, "sender-clock", "clock", "Clock",
        "When the sender acts: in slots of an eightieth of the round-trip time, or at once.",
        "fitted to the article; kernels act at once";
    pacing: Pacing, "pacing", "pacing", "Pacing",
        "Whether what the window allows is spread over the round trip; unpaced, HyStart's train may run half as long.",
        "Linux tcp_update_pacing_rate, tcp_cubic.c";
    initial_pacing: InitialPacing, "initial-pacing", "ipace", "Pacing of the first window",
        "What of the first window is paced, where there is pacing.",
        "Linux tcp_update_skb_after_send";
    loss_feedback: LossFeedback, "loss-feedback", "feedback", "How a loss is noticed",
        "By a notice one round trip later, or from selective ACKs that wait in the queue like everything else.",
        "RFC 8985 section 6, Linux tcp_recovery.c";
    recovery: Recovery, "recovery", "rec", "Window during a repair",
        "Whether the window falls at once or in proportion to what the ACKs report delivered.",
        "RFC 6937, Linux tcp_cwnd_reduction";
    probe_timeout: ProbeTimeout, "probe-timeout", "pto", "Probe timeout",
        "How long the sender waits before it probes a silent tail.",
        "RFC 8985 section 7.2, Linux tcp_schedule_loss_probe";
    probe_cut: ProbeCut, "probe-cut", "pcut", "Price of a probe",
        "Whether the window falls as a probe is sent, or only once an ACK shows that it repaired a loss.",
        "RFC 8985 section 7.4, Linux tcp_process_tlp_ack";
    rto: Rto, "rto", "rto", "Retransmission timeout",
        "How the timeout is made from srtt and rttvar.",
        "RFC 6298 section 2, Linux tcp_rtt_estimator";
    timer_restart: TimerRestart, "timer-restart", "restart", "What restarts the timers",
        "Whether only transmissions restart the timers, or ACKs that make progress.",
        "RFC 6298 section 5.3, Linux tcp_rearm_rto";
    timer_granularity: TimerGranularity, "timer-granularity", "ticks", "Timer granularity",
        "Whether timers are exact, or land on the ticks and steps of the kernel's timer wheel.",
        "Linux kernel/time/timer.c at 250 ticks a second";
    congestion_avoidance: CongestionAvoidance, "congestion-avoidance", "ca", "Growth after slow start",
        "CUBIC by its RFC, or with Linux's floors and fast convergence.",
        "RFC 9438 section 4, Linux bictcp_update";
    window_arithmetic: WindowArithmetic, "window-arithmetic", "window", "Window counted in",
        "Parts of segments with a cut to 0.7, or whole segments with a cut to 717/1024.",
        "Linux tcp_cong_avoid_ai, cubictcp_recalc_ssthresh";
    window_validation: WindowValidation, "window-validation", "cwv", "Unused window",
        "Whether a window that does not hold the sender back grows.",
        "RFC 7661, Linux tcp_is_cwnd_limited";
    acks: Acks, "acks", "acks", "ACKs",
        "Whether the receiver acknowledges every segment, or every second one after the first 16 ACKs.",
        "RFC 5681 section 4.2, Linux __tcp_ack_snd_check";
    handshake_sample: HandshakeSample, "handshake-sample", "synrtt", "Round trip of the handshake",
        "Whether the handshake gives a first round-trip sample, so that the timeout is known from the start.",
        "Linux tcp_ack_update_rtt";
    trailing_acks: TrailingAcks, "trailing-acks", "trail", "ACKs after a response",
        "Whether the ACKs still under way as a response ends let the window grow.",
        "fitted to the article; kernels take them";
    idle_clock: IdleClock, "idle-clock", "idleclock", "Idle since",
        "Whether a connection is idle from its last delivery or from its last transmission on.",
        "Linux tcp_slow_start_after_idle_check";
    slow_start_exit: SlowStartExit, "slow-start-exit", "exit", "End of slow start",
        "What ends slow start but loss, where the HyStart switch is on.",
        "Linux hystart_update, RFC 9406";
    hystart_order: HyStartOrder, "hystart-order", "hsorder", "HyStart looks at",
        "The window before or after the ACK's growth; the delay test needs one sample more before it.",
        "Linux bictcp_acked";
    hystart_rounds: HyStartRounds, "hystart-rounds", "hsrounds", "HyStart's rounds",
        "Whether HyStart keeps rounds from the first ACK on, or from a window of 16 segments on as Linux 5.16 to 6.13 did.",
        "Linux hystart_update, before and after its correction of 2025";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assumption_reads_back_what_it_writes() {
        for assumption in all() {
            let p = assumption.parameter;
            for preset in Preset::ALL {
                let value = assumption.preset(*preset);
                assert_eq!(p.parse(&p.exact(value)), Ok(value), "{}", p.name);
                let mut changed = Scenario::default();
                (p.set)(&mut changed, value);
                assert_eq!((p.get)(&changed), value, "{}", p.name);
            }
        }
    }

    #[test]
    fn setting_every_difference_turns_one_preset_into_the_other() {
        let mut scenario = Scenario::default();
        for assumption in all() {
            (assumption.parameter.set)(&mut scenario, assumption.preset(Preset::Linux));
        }
        assert_eq!(scenario.assumptions, Assumptions::LINUX);
    }

    #[test]
    fn flipped_twice_it_is_what_it_was_where_the_presets_differ() {
        for preset in Preset::ALL {
            for assumption in all() {
                let start = Scenario::of(*preset);
                let once = assumption.flipped(&start);
                assert_ne!(once, start, "{}", assumption.parameter.name);
                if assumption.preset(Preset::Article) != assumption.preset(Preset::Linux) {
                    assert_eq!(assumption.flipped(&once), start, "{}", assumption.parameter.name);
                }
            }
        }
    }

    #[test]
    fn names_and_keys_are_unique() {
        let mut names: Vec<_> = all().map(|a| a.parameter.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), SOURCES.len()), (all().count(), all().count()));
    }
}
