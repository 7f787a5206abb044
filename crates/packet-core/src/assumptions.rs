//! What the model takes for granted, each simplification as a named field.
//!
//! A figure that depends on one of these can be traced to it. [`Assumptions::ARTICLE`] is the preset
//! whose figures the article shows, [`Assumptions::LINUX`] the one that does what a kernel does.
//! [`crate::slow_start::assumptions`] describes every field once, for the page, the command line and URLs.

use crate::parameter::words;
use serde::{Deserialize, Serialize};

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
        /// The first 18 times at once, later every second segment or after 40 ms. The word has the
        /// kernel's own 16 in it.
        QuickThenEverySecond: "quick-16-then-every-second", "the first 18 at once, then every second segment";
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
