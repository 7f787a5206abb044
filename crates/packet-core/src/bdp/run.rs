//! A bandwidth-delay-product run and the figures read off it.

use super::decision::{Decision, Logged};
use super::flow::{State, Totals, flow};
use super::path::{PACKET, Path, SLOTS_PER_RTT, on_the_wire};
use super::scenario::{Repair, Scenario};
use super::sizing::{PACKET_BYTES, SizingRule};
use crate::parameter::Invalid;
use crate::quantity::{Figure, Quantity};
use crate::units::{Bytes, MSS, Time, Unit};
use serde::Serialize;
use std::fmt::Write;

/// The state of sender and hop at the end of a slot. Between two samples both move in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// When.
    pub at: Time,
    /// The send window, in segments.
    pub window: f64,
    /// In flight as the sender counts it, in segments.
    pub in_flight: f64,
    /// At the hop, in packets.
    pub queue: f64,
}

/// The samples as comma-separated values: a header, then `time_ms,window,in_flight,queue`.
pub fn samples_csv(samples: &[Sample]) -> String {
    let mut csv = String::from("time_ms,window,in_flight,queue\n");
    for Sample { at, window, in_flight, queue } in samples {
        let at = at.as_millis();
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{at},{window:.3},{in_flight:.3},{queue:.3}");
    }
    csv
}

/// What keeps a flow from being faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitedBy {
    /// The sender waits for ACKs and the path is not full.
    Window,
    /// The sender's own link is full, and is the narrowest.
    Link,
    /// The hop serves without a pause.
    Hop,
    /// The hop throws away what its buffer does not hold.
    Buffer,
}

impl LimitedBy {
    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            LimitedBy::Window => "window",
            LimitedBy::Link => "link",
            LimitedBy::Hop => "hop",
            LimitedBy::Buffer => "buffer",
        }
    }
}

/// What a flow with one window came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub path: Path,
    pub repair: Repair,
    pub window: Bytes,
    pub totals: Totals,
}

impl Outcome {
    /// Runs a flow with this window, whatever the scenario's own.
    pub fn of(scenario: &Scenario, window: Bytes, observe: impl FnMut(State)) -> Outcome {
        let path = Path::new(scenario);
        let (repair, amount) = (scenario.repair, on_the_wire(window));
        let totals = flow(path, amount, repair, path.slots(amount), observe);
        Outcome { path, repair, window, totals }
    }

    /// The second half of such a run, when the start has passed: what someone measures who looks at
    /// what the hop serves and at the round trips of that.
    fn settled(scenario: &Scenario, window: Bytes) -> Outcome {
        let whole = Outcome::of(scenario, window, |_| ());
        let Outcome { path, repair, totals, .. } = whole;
        let half = flow(path, on_the_wire(window), repair, totals.slots / 2, |_| ());
        Outcome { totals: totals.since(&half), ..whole }
    }

    fn duration(&self) -> Time {
        self.path.slot.times(self.totals.slots)
    }

    fn base_rtt(&self) -> Time {
        self.path.slot.times(SLOTS_PER_RTT)
    }

    /// Payload of an amount on the wire over the whole run, in Mbps.
    fn payload_mbps(&self, amount: u128) -> f64 {
        let bits = amount as f64 / 1e9 * MSS as f64 / PACKET_BYTES as f64;
        bits / self.duration().as_secs() / 1e6
    }

    /// What the receiver is sent, in Mbps of payload.
    fn delivered_mbps(&self) -> f64 {
        self.payload_mbps(self.totals.served)
    }

    pub fn goodput_mbps(&self) -> f64 {
        match self.repair {
            Repair::ArticleShare => {
                let first = self.totals.sent - self.totals.sent_again;
                self.delivered_mbps() * ratio(first, self.totals.sent)
            }
            Repair::GoBackN | Repair::SelectiveRepeat => self.payload_mbps(self.totals.in_order),
        }
    }

    pub fn rtt_ms(&self) -> f64 {
        self.base_rtt().as_millis() + self.standing_queue_ms()
    }

    fn standing_queue_ms(&self) -> f64 {
        ratio(self.totals.queueing, self.totals.served) * self.path.slot.as_millis()
    }

    pub fn dropped_percent(&self) -> f64 {
        100.0 * ratio(self.totals.dropped, self.totals.sent)
    }

    /// What the hop could have served and did not.
    fn hop_idle(&self) -> u128 {
        u128::from(self.path.hop) * u128::from(self.totals.slots) - self.totals.served
    }

    fn hop_idle_percent(&self) -> f64 {
        let possible = u128::from(self.path.hop) * u128::from(self.totals.slots);
        100.0 * ratio(self.hop_idle(), possible)
    }

    fn limited_by(&self) -> LimitedBy {
        // A link is full when it could not have taken one packet more in each round trip.
        let slack = u128::from(self.totals.slots / SLOTS_PER_RTT) * u128::from(PACKET);
        let link_idle =
            u128::from(self.path.link) * u128::from(self.totals.slots) - self.totals.sent;
        if self.totals.dropped > 0 {
            LimitedBy::Buffer
        } else if self.hop_idle() < slack {
            LimitedBy::Hop
        } else if link_idle < slack {
            LimitedBy::Link
        } else {
            LimitedBy::Window
        }
    }
}

fn ratio(part: u128, whole: u128) -> f64 {
    part as f64 / whole as f64
}

/// All that came of a [`Scenario`].
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What was run.
    pub scenario: Scenario,
    /// The window in force: the scenario's own, or what its sizing rule made of it.
    pub window: Bytes,
    /// The path's round-trip time without a queue, in whole slots.
    pub base_rtt: Time,
    /// How long the run is.
    pub duration: Time,
    /// What it adds up to.
    pub totals: Totals,
    /// Window, in flight and queue whenever they change course, in time order.
    pub samples: Vec<Sample>,
    /// What was decided, in time order.
    pub decisions: Vec<Logged>,
    outcome: Outcome,
}

/// Runs a scenario.
///
/// # Errors
/// [`Invalid`], naming the first field that is out of range.
pub fn run(scenario: &Scenario) -> Result<Run, Invalid> {
    scenario.validate()?;
    let mut decisions = Vec::new();
    let mut log = |at, what| decisions.push(Logged { at, connection: None, what });
    let window = size(scenario, |what| log(Time::ZERO, what));

    let slot = Path::new(scenario).slot;
    let packets = |amount: u64| amount as f64 / PACKET as f64;
    let segments = window.0 as f64 / MSS as f64;
    let mut samples = Vec::new();
    let outcome = Outcome::of(scenario, window, |state: State| {
        samples.push(Sample {
            at: slot.times(state.slot),
            window: segments,
            in_flight: packets(state.in_flight),
            queue: packets(state.queue),
        });
    });

    let totals = outcome.totals;
    if let Some(full) = totals.first_drop {
        log(slot.times(full), Decision::BufferFull { delay: scenario.buffer });
        if let Some(notice) = totals.first_notice {
            let (repair, after) = (scenario.repair, slot.times(notice - full));
            log(slot.times(notice), Decision::LossNoticed { repair, after });
        }
    }
    log(outcome.duration(), verdict(scenario, &outcome));
    Ok(Run {
        scenario: scenario.clone(),
        window,
        base_rtt: outcome.base_rtt(),
        duration: outcome.duration(),
        totals,
        samples,
        decisions,
        outcome,
    })
}

/// The window that the sizing rule sets.
fn size(scenario: &Scenario, mut log: impl FnMut(Decision)) -> Bytes {
    let rule = scenario.rule;
    if rule == SizingRule::MeasuredThroughputXRtt {
        return measure(scenario, log);
    }
    let Some(window) = rule.window(scenario) else { return scenario.window };
    let rate = match rule {
        SizingRule::MyLinkXIdlePing => scenario.link,
        _ => scenario.narrowest(),
    };
    let (time, bdp) = (scenario.rtt, scenario.bdp());
    log(Decision::RuleAsked { rule, rate, time, window, bdp });
    window
}

/// Multiplies what a transfer measures three times, each time with the window of the last result.
fn measure(scenario: &Scenario, mut log: impl FnMut(Decision)) -> Bytes {
    let (mut window, mut limits) = (scenario.window, Vec::new());
    for round in 1..=3 {
        let outcome = Outcome::settled(scenario, window);
        let (mbps, rtt_ms) = (outcome.delivered_mbps(), outcome.rtt_ms());
        // Mbps x ms is kilobits.
        let product = Bytes((mbps * rtt_ms * 1e3 / 8.0 + 0.5) as u64);
        log(Decision::Measured { round, window, mbps, rtt_ms, product });
        limits.push(outcome.limited_by());
        window = product;
    }
    log(Decision::MeasuringEnded { from: scenario.window, window, limited_by: limits[0] });
    window
}

fn verdict(scenario: &Scenario, outcome: &Outcome) -> Decision {
    match outcome.limited_by() {
        LimitedBy::Window => Decision::LimitedByWindow {
            window: outcome.window,
            bdp: scenario.bdp(),
            idle_percent: outcome.hop_idle_percent(),
        },
        LimitedBy::Link => Decision::LimitedByLink { link: scenario.link, hop: scenario.hop },
        LimitedBy::Hop => Decision::LimitedByHop {
            hop: scenario.hop,
            standing_queue_ms: outcome.standing_queue_ms(),
        },
        LimitedBy::Buffer => Decision::LimitedByBuffer {
            window: outcome.window,
            holds: scenario.pipe_and_buffer(),
            dropped_percent: outcome.dropped_percent(),
            goodput_mbps: outcome.goodput_mbps(),
        },
    }
}

impl Run {
    /// Goodput in Mbps; [`Repair`] says what it counts.
    pub fn goodput_mbps(&self) -> f64 {
        self.outcome.goodput_mbps()
    }

    /// The mean round-trip time of what the hop served, in milliseconds.
    pub fn rtt_ms(&self) -> f64 {
        self.outcome.rtt_ms()
    }

    /// What keeps the flow from being faster.
    pub fn limited_by(&self) -> LimitedBy {
        self.outcome.limited_by()
    }
}

fn kb(bytes: Bytes) -> Figure {
    Figure::Number(bytes.0 as f64 / Bytes::kb(1).0 as f64)
}

fn mb(bytes: Bytes) -> Figure {
    Figure::Number(bytes.0 as f64 / Bytes::mb(1).0 as f64)
}

/// The figures of a [`Run`]; times in milliseconds, KB and MB binary, means over the whole run.
pub const QUANTITIES: &[Quantity<Run>] = &[
    Quantity {
        key: "goodput_mbps",
        label: "Goodput",
        unit: Unit::Mbps,
        help: "Useful payload a second; the repair assumption says what counts as useful.",
        value: |r| Figure::Number(r.goodput_mbps()),
    },
    Quantity {
        key: "window_kb",
        label: "Window",
        unit: Unit::Kilobytes,
        help: "The send window in force, set by hand or by the sizing rule.",
        value: |r| kb(r.window),
    },
    Quantity {
        key: "window_mb",
        label: "Window in MB",
        unit: Unit::Megabytes,
        help: "The send window in force, in megabytes.",
        value: |r| mb(r.window),
    },
    Quantity {
        key: "bdp_kb",
        label: "BDP",
        unit: Unit::Kilobytes,
        help: "Bandwidth-delay product: payload of the narrowest rate times the minimum round-trip time.",
        value: |r| kb(r.scenario.bdp()),
    },
    Quantity {
        key: "window_over_bdp",
        label: "Window / BDP",
        unit: Unit::Ratio,
        help: "1 fills the path; what is above it waits in the queue or is dropped.",
        value: |r| Figure::Number(r.window.0 as f64 / r.scenario.bdp().0 as f64),
    },
    Quantity {
        key: "pipe_and_buffer_kb",
        label: "BDP + buffer",
        unit: Unit::Kilobytes,
        help: "What path and buffer hold together: beyond it packets are dropped.",
        value: |r| match r.scenario.can_overflow() {
            true => kb(r.scenario.pipe_and_buffer()),
            false => Figure::Absent("the link is narrower"),
        },
    },
    Quantity {
        key: "rtt_ms",
        label: "Round-trip time",
        unit: Unit::Time,
        help: "Mean over all that the hop served.",
        value: |r| Figure::Number(r.rtt_ms()),
    },
    Quantity {
        key: "min_rtt_ms",
        label: "Minimum round-trip time",
        unit: Unit::Time,
        help: "The round trip with nothing in the queue.",
        value: |r| Figure::Number(r.base_rtt.as_millis()),
    },
    Quantity {
        key: "standing_queue_ms",
        label: "Standing queue",
        unit: Unit::Time,
        help: "The difference: what a packet waits at the hop on average.",
        value: |r| Figure::Number(r.outcome.standing_queue_ms()),
    },
    Quantity {
        key: "hop_idle_percent",
        label: "Hop idle",
        unit: Unit::Percent,
        help: "What the hop could have served and did not.",
        value: |r| Figure::Number(r.outcome.hop_idle_percent()),
    },
    Quantity {
        key: "dropped_percent",
        label: "Thrown away",
        unit: Unit::Percent,
        help: "Drops as a part of everything sent.",
        value: |r| Figure::Number(r.outcome.dropped_percent()),
    },
    Quantity {
        key: "sent_again_percent",
        label: "Sent again",
        unit: Unit::Percent,
        help: "The part of everything sent that had been sent before.",
        value: |r| Figure::Number(100.0 * ratio(r.totals.sent_again, r.totals.sent)),
    },
    Quantity {
        key: "out_of_order_percent",
        label: "Of no use to the receiver",
        unit: Unit::Percent,
        help: "What arrived behind a gap and was discarded, as a part of everything that arrived; only under go-back-N.",
        value: |r| Figure::Number(100.0 - 100.0 * ratio(r.totals.in_order, r.totals.served)),
    },
    Quantity {
        key: "limited_by",
        label: "Limited by",
        unit: Unit::Text,
        help: "The window (the path is not full), your own link or the hop (it is), or the buffer (it overflows).",
        value: |r| Figure::Text(r.limited_by().name()),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Rate;

    fn decisions(scenario: &Scenario) -> Vec<Decision> {
        run(scenario).expect("valid").decisions.into_iter().map(|d| d.what).collect()
    }

    #[test]
    fn measuring_returns_the_window_it_began_with() {
        for window in [Bytes::kb(64), Bytes::kb(256), Bytes(1_562_378), Bytes::mb(2)] {
            let rule = SizingRule::MeasuredThroughputXRtt;
            let scenario = Scenario { window, rule, ..Scenario::default() };
            let run = run(&scenario).expect("valid");
            let off = run.window.0.abs_diff(window.0);
            assert!(off * 1_000 < window.0, "{window} became {}", run.window);
            let rounds =
                run.decisions.iter().filter(|d| matches!(d.what, Decision::Measured { .. }));
            assert_eq!(rounds.count(), 3);
        }
    }

    #[test]
    fn measuring_in_overload_finds_what_path_and_buffer_hold() {
        let rule = SizingRule::MeasuredThroughputXRtt;
        let scenario = Scenario { window: Bytes::mb(8), rule, ..Scenario::default() };
        let run = run(&scenario).expect("valid");
        let holds = scenario.pipe_and_buffer().0 as f64;
        assert!((run.window.0 as f64 / holds - 1.0).abs() < 0.01);
        assert_eq!(run.limited_by(), LimitedBy::Hop);
    }

    #[test]
    fn measuring_behind_ones_own_narrow_link_finds_what_that_emits() {
        let (rule, link) = (SizingRule::MeasuredThroughputXRtt, Rate::mbps(10));
        let scenario = Scenario { rule, link, ..Scenario::default() };
        let run = run(&scenario).expect("valid");
        assert!(run.window.0.abs_diff(scenario.bdp().0) < 1_448);
        let limited_by = LimitedBy::Link;
        let ended =
            Decision::MeasuringEnded { from: scenario.window, window: run.window, limited_by };
        assert!(run.decisions.iter().any(|d| d.what == ended));
    }

    #[test]
    fn every_limit_is_named() {
        let at = |scenario| run(&scenario).expect("valid").limited_by();
        let start = Scenario::default;
        assert_eq!(at(start()), LimitedBy::Window);
        assert_eq!(at(Scenario { link: Rate::mbps(10), ..start() }), LimitedBy::Link);
        assert_eq!(at(Scenario { rule: SizingRule::NarrowHopXMinRtt, ..start() }), LimitedBy::Hop);
        assert_eq!(
            at(Scenario { rule: SizingRule::MyLinkXIdlePing, ..start() }),
            LimitedBy::Buffer
        );
    }

    #[test]
    fn a_rule_says_what_it_asked_for() {
        let scenario = Scenario { rule: SizingRule::MyLinkXIdlePing, ..Scenario::default() };
        assert_eq!(
            decisions(&scenario)[0],
            Decision::RuleAsked {
                rule: SizingRule::MyLinkXIdlePing,
                rate: Rate::gbps(1),
                time: Time::millis(80),
                window: Bytes(10_000_000),
                bdp: Bytes(965_333),
            }
        );
    }

    #[test]
    fn overload_is_logged_when_it_begins_and_when_it_shows() {
        let rule = SizingRule::MyLinkXIdlePing;
        let run = run(&Scenario { rule, ..Scenario::default() }).expect("valid");
        let log: Vec<_> = run.decisions[1..3].iter().map(|d| (d.at, d.what)).collect();
        let (repair, after) = (Repair::ArticleShare, Time::millis(179));
        assert_eq!(
            log,
            [
                (Time::millis(11), Decision::BufferFull { delay: Time::millis(100) }),
                (Time::millis(190), Decision::LossNoticed { repair, after }),
            ]
        );
    }

    #[test]
    fn samples_are_in_order_and_within_their_bounds() {
        let run = run(&Scenario { window: Bytes::mb(4), ..Scenario::default() }).expect("valid");
        assert!(run.samples.is_sorted_by(|a, b| a.at < b.at));
        assert!(run.samples.iter().all(|s| s.in_flight <= s.window + 1e-9));
        assert!(samples_csv(&run.samples).starts_with("time_ms,window,in_flight,queue\n0,"));
    }
}
