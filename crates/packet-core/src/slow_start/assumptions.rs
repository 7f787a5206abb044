//! Every field of [`Assumptions`], described once for the page, the command line and URLs.

use super::Scenario;
use crate::assumptions::*;
use crate::parameter::{Kind, Parameter, Value};

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

/// The preset, which sets every assumption at once.
const MODEL: Parameter<Scenario> = Parameter {
    name: "model",
    key: "model",
    label: "Model",
    help: "What the model takes for granted: as the simple model does, fitted to an article's figures, or as Linux does. Sets every assumption.",
    kind: Kind::Choice(Preset::CHOICES),
    get: |s| s.model.value(),
    set: |s, v| {
        s.model.set(v);
        s.set_model(s.model);
    },
};

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
            set: |s, v| s.assumptions.$field.set(v),
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
        "Whether the receiver acknowledges every segment, or every second one after the first 18 ACKs.",
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
