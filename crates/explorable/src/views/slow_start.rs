//! The slow-start panel: what it shows of a run.

use crate::charts::chart::{Axis, Chart, Level, Plot, Role, Series, Stroke};
use crate::charts::ladder::Ladder;
use crate::charts::sequence;
use crate::panel::view::{Hero, Readout, Tab, Taken, View, readout};
use packet_core::assumptions::Preset;
use packet_core::decision::{Decision, ExitReason};
use packet_core::list::List;
use packet_core::model;
use packet_core::slow_start::assumptions::{self, Assumption};
use packet_core::slow_start::scenario::{Loss, Stopwatch};
use packet_core::trace::Sample;
use packet_core::units::{Time, Unit, WIRE_BYTES, grouped};
use packet_core::{Model, Run, Scenario, SlowStart};

/// The link's work is added up over so large a part of the time axis, but over no less than this part of
/// a round trip and no fewer than so many packets: finer than that, it is on and off.
const PART_OF_AXIS: u64 = 120;
const PART_OF_RTT: u64 = 40;
const PACKETS: u64 = 2;

impl View for SlowStart {
    const NAME: &'static str = "slow-start";
    const PREFIX: &'static str = "";
    const HERO: &'static str = "response time";
    const FIGURE: &'static str = "response_ms";
    const COMMAND: &'static str = "run";
    const TELLING: &'static [&'static str] = &["second_response_ms", "peak_cwnd", "dropped"];
    const MORE: &'static [&'static str] = &[
        "lose", "buf", "bufbdp", "conns", "stagger", "rwnd", "setup", "think", "timed", "spike",
        "spikelen", "spikeby",
    ];
    const SUMMARY: &'static str = "A packet model of one response on one TCP connection. \
        The controls set the response, the path and the sender; the response time, its charts and \
        the sender's decisions follow at once.";

    fn hero(run: &Run) -> Hero {
        let show = |key| SlowStart::quantity(key).map_or(String::new(), |q| q.show(run));
        let second = if run.responses().len() > 1 {
            let idle = Unit::Time.show(run.scenario.idle.unwrap_or(Time::ZERO).0);
            Some((show("second_response_ms"), format!("second request, {idle} later")))
        } else if run.scenario.clock == Stopwatch::SynToLastAck {
            let before = show("set_up_ms");
            let name = format!("from the SYN to the last ACK, {before} of it set-up");
            Some((show("syn_to_last_ack_ms"), name))
        } else if is_shared(run) {
            let name = format!("slowest of {} connections", run.scenario.connections);
            Some((show("slowest_response_ms"), name))
        } else {
            None
        };
        let parts = if is_shared(run) {
            let (slowest, again) =
                (show("slowest_response_ms"), show("retransmission_rate_percent"));
            let n = run.scenario.connections;
            format!(
                "connection 1 of {n}; the slowest takes {slowest}; {again} of all packets are sent again"
            )
        } else {
            let (busy, idle) = (show("link_busy_ms"), show("link_idle_ms"));
            format!("{busy} link transmitting, {idle} link idle")
        };
        Hero { number: show("response_ms"), parts, second }
    }

    fn readouts(run: &Run) -> Vec<Readout> {
        let read = |key| readout::<SlowStart>(key, run);
        // What is one sender's, where there are several, is the first one's.
        let own = |mut readout: Readout| {
            if is_shared(run) {
                readout.label += ", connection 1";
            }
            readout
        };
        let mut readouts: Vec<Readout> = read("ideal_round_trips").into_iter().collect();
        readouts.extend(
            ["measured_round_trips", "link_used_percent", "peak_cwnd"]
                .map(read)
                .into_iter()
                .flatten()
                .map(own),
        );
        readouts
            .extend(["bdp_segments", "buffer_packets", "dropped"].map(read).into_iter().flatten());
        if is_shared(run) {
            readouts.extend(read("retransmission_rate_percent"));
            readouts.extend(read("slowest_response_ms"));
        }
        readouts.extend(read("worst_rtt_ms").map(own));
        readouts.push(own(Readout {
            label: "Slow start ended".to_owned(),
            value: exit(run),
            help: "Which test or event ended slow start, and the window it left.",
        }));
        readouts.extend(["rto_ms", "second_response_ms"].map(read).into_iter().flatten().map(own));
        if run.set_up > Time::ZERO || run.scenario.clock == Stopwatch::SynToLastAck {
            readouts.extend(["set_up_ms", "syn_to_last_ack_ms"].map(read).into_iter().flatten());
        }
        readouts
    }

    fn plots(run: &Run) -> Vec<Plot> {
        // Some senders go on until the last ACK is back; a reader waits for the last byte.
        let shown = &run.samples[..run.samples.partition_point(|s| s.at <= end(run))];
        // Each value holds until the end.
        let last = |value: fn(&Sample) -> f64| Some((end(run).as_millis(), value(shown.last()?)));
        let series = |label, role, stroke, value: fn(&Sample) -> f64| Series {
            label,
            role,
            stroke,
            points: shown.iter().map(|s| (s.at.as_millis(), value(s))).chain(last(value)).collect(),
        };
        let receiver = run.scenario.receive_window;
        let in_flight = series("in flight", Role::Second, Stroke::Step, |s| s.in_flight.into());
        let (bdp, buffer) = (run.scenario.bdp_packets(), f64::from(run.scenario.buffer_packets()));
        let level =
            |name: &str, value: f64| Level { label: format!("{name} {}", grouped(value)), value };
        let charts = vec![
            Chart {
                title: if is_shared(run) {
                    "Window and packets in flight of connection 1, in segments"
                } else {
                    "Window and packets in flight, in segments"
                },
                unit: "",
                series: vec![
                    series("ssthresh", Role::Limit, Stroke::DashedStep, |s| s.ssthresh),
                    Series { points: in_silence(run, in_flight.points), ..in_flight },
                    series("cwnd", Role::Accent, Stroke::Step, |s| s.cwnd),
                ],
                levels: [level("BDP", bdp), level("BDP + buffer", bdp + buffer)]
                    .into_iter()
                    .chain(receiver.map(|window| level("rwnd", window.whole_segments().into())))
                    .collect(),
                y_max: None,
            },
            Chart {
                title: "Queue at the link, in packets",
                unit: "",
                series: vec![Series {
                    label: "queue",
                    role: Role::Queue,
                    stroke: Stroke::Area,
                    points: queue(run, shown),
                }],
                levels: vec![level("buffer", buffer)],
                y_max: None,
            },
            Chart {
                title: "How busy the link is",
                unit: "%",
                series: vec![Series {
                    label: "busy",
                    role: Role::Accent,
                    stroke: Stroke::Area,
                    points: busy(run),
                }],
                levels: Vec::new(),
                y_max: Some(105.0),
            },
        ];
        let axis = Axis::Time { end: end(run).as_millis() };
        vec![Plot { axis, charts, places: Vec::new(), here: None }]
    }

    const TABS: &'static [Tab] = &[
        Tab { key: "window", label: "Window", has_ladder: false },
        Tab { key: "ladder", label: "Ladder", has_ladder: true },
        Tab { key: "sequence", label: "Sequence", has_ladder: false },
    ];

    fn plots_of(run: &Run, tab: usize) -> Vec<Plot> {
        let mut plots = Self::plots(run);
        let charts = &mut plots[0].charts;
        match Self::TABS[tab].key {
            // The queue is part of the ladder.
            "ladder" => charts.truncate(1),
            "sequence" => {
                charts.truncate(2);
                charts[0] = sequence::chart(run);
            }
            _ => {}
        }
        plots
    }

    fn ladder(run: &Run) -> Option<Ladder> {
        let one_way = Time(run.base_rtt.0 / 2);
        let segments = run.scenario.segments();
        let is_full = run.scenario.loss.numbers(segments).as_slice().len() == List::MOST;
        let losable = if is_full { 0 } else { segments };
        Some(Ladder::new(&run.packets, &run.replies, one_way, losable))
    }

    fn lose(scenario: &mut Scenario, segment: u32) {
        scenario.loss = scenario.loss.toggled(segment + 1, scenario.segments());
    }

    fn pick(_: &mut Scenario, _: usize, _: f64) {}

    fn note(run: &Run, key: &str) -> Option<String> {
        let scenario = &run.scenario;
        let decided = |is: fn(&Decision) -> bool| run.decisions.iter().any(|d| is(&d.what));
        let note = match key {
            "ssai" if scenario.idle.is_none() => {
                "No effect: there is no second request after a silence."
            }
            "ssai" if decided(restarts_as_it_was) => {
                "No effect: the silence is shorter than the retransmission timeout."
            }
            // Off, it might have sent one; that only another run can tell.
            "tlp"
                if scenario.tail_loss_probe
                    && !decided(|d| matches!(d, Decision::ProbeSent { .. })) =>
            {
                "No effect: nothing needed a probe in this run."
            }
            "lose"
                if matches!(scenario.loss, Loss::Segments(numbers)
                if numbers.as_slice().iter().any(|n| u32::from(*n) > scenario.segments())) =>
            {
                let segments = Unit::Packets.show(scenario.segments().into());
                return Some(format!("No effect beyond the response’s {segments}."));
            }
            "loss" if matches!(scenario.loss, Loss::Segments(_)) => {
                let lost = scenario.loss.numbers(scenario.segments());
                let numbers: Vec<_> = lost.as_slice().iter().map(u16::to_string).collect();
                let which = if numbers.len() == 1 { "Segment" } else { "Segments" };
                return Some(format!(
                    "{which} {}. Others under “More settings”, or by a click in the ladder.",
                    numbers.join(", ")
                ));
            }
            "stagger" if !is_shared(run) => "No effect: there is one connection.",
            "bufbdp" if scenario.buffer.is_some() => "No effect: the buffer is given in packets.",
            "setup"
                if run.set_up > Time::ZERO && scenario.clock == Stopwatch::RequestToLastByte =>
            {
                "Not part of the response time, which begins with the request."
            }
            "spikelen" | "spikeby" if scenario.spike.at.is_none() => "No effect without a spike.",
            _ => return None,
        };
        Some(note.to_owned())
    }

    const GROUPS: &'static [(&'static str, &'static str)] = &[
        ("clock", "When it sends"),
        ("feedback", "How it takes a loss"),
        ("pto", "Probes and timers"),
        ("ca", "The window"),
        ("acks", "ACKs, samples and silence"),
        ("exit", "How slow start ends"),
    ];

    fn assumption(scenario: &Scenario, key: &str) -> Option<Taken> {
        let assumption = Assumption::find(key)?;
        let article = assumption.preset(Preset::Article);
        let differs = (assumption.parameter.get)(scenario) != article;
        Some(Taken {
            source: assumption.source,
            instead_of: differs.then(|| assumption.parameter.label_of(article)).flatten(),
        })
    }

    fn effect(run: &Run, key: &str) -> Option<String> {
        let assumption = Assumption::find(key)?;
        let flipped = assumption.flipped(&run.scenario);
        let other = assumption.parameter.label_of(assumption.other(&run.scenario))?;
        let changed = SlowStart::run(&flipped).ok()?;
        let change = model::change::<SlowStart>(run, &changed, assumptions::TELLING);
        let change = change.as_deref().unwrap_or("no change in this scenario");
        Some(format!("With “{other}”: {change}"))
    }
}

/// The queue: it drains at the link's rate until the next sample, or until it is empty.
fn queue(run: &Run, samples: &[Sample]) -> Vec<(f64, f64)> {
    let each = run.scenario.rate.time_to_send(WIRE_BYTES).as_millis();
    let next = samples.iter().skip(1).map(|s| s.at).chain([end(run)]);
    let stretch = |(s, next): (&Sample, Time)| {
        let (from, to) = (s.at.as_millis(), next.as_millis());
        let (queue, empty) = (f64::from(s.queue), from + f64::from(s.queue) * each);
        let drained = (empty < to).then_some((empty, 0.0));
        let rest = (queue - (to - from) / each).max(0.0);
        [Some((from, queue)), drained, Some((to, rest))].into_iter().flatten()
    };
    samples.iter().zip(next).flat_map(stretch).collect()
}

/// What is in flight, over the silence between two responses as well: some senders do not look at the
/// last ACKs, but they are back by then.
fn in_silence(run: &Run, mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let Some([first, _]) = run.connections[0].responses.first_chunk() else { return points };
    let all_back = first.acknowledged.as_millis();
    let place = points.partition_point(|point| point.0 <= all_back);
    if points.get(place.wrapping_sub(1)).is_some_and(|last| last.1 > 0.0) {
        points.insert(place, (all_back, 0.0));
    }
    points
}

/// Whether a restart after a silence takes nothing, whether or not windows decay: the silence is too
/// short for the window, and the threshold is already what it would be raised to.
fn restarts_as_it_was(decision: &Decision) -> bool {
    matches!(decision, Decision::IdleRestart { idle, rto, cwnd_before, ssthresh, .. }
        if idle <= rto && *ssthresh > 0.75 * cwnd_before)
}

/// Whether there is more than one connection.
fn is_shared(run: &Run) -> bool {
    run.scenario.connections > 1
}

/// The end of the time axis: the last byte of the last response of all connections.
fn end(run: &Run) -> Time {
    let last = run.connections.iter().filter_map(|connection| connection.responses.last());
    last.map(|response| response.finished).max().unwrap_or(Time(1))
}

fn exit(run: &Run) -> String {
    let Some((reason, cwnd)) = run.slow_start_exit() else {
        return "not ended".to_owned();
    };
    let why = match reason {
        ExitReason::AckTrain { .. } => "by HyStart's ACK train",
        ExitReason::DelayIncrease { .. } => "by HyStart's delay test",
        ExitReason::ConservativeRounds { .. } => "by HyStart++",
        ExitReason::Loss => "by a loss",
        ExitReason::Timeout => "by a timeout",
        ExitReason::Threshold => "at ssthresh",
    };
    format!("{why}, at {}", grouped(cwnd))
}

/// The part of each stretch of time in which the link was sending, in percent.
fn busy(run: &Run) -> Vec<(f64, f64)> {
    let end = end(run).0;
    let each = run.scenario.rate.time_to_send(WIRE_BYTES).0;
    let least = (run.base_rtt.0 / PART_OF_RTT).max(PACKETS * each);
    let bin = end.div_ceil(PART_OF_AXIS).max(least);
    let mut sent = vec![0; end.div_ceil(bin) as usize];
    let mut free = 0;
    for departed in run.packets.iter().filter_map(|p| p.departed) {
        // Departures are known to the slot only; within it, packets follow each other.
        let mut from = (departed.0.saturating_sub(each)).max(free);
        free = from + each;
        while from < free && from < end {
            let index = from / bin;
            let to = free.min((index + 1) * bin);
            sent[index as usize] += to - from;
            from = to;
        }
    }
    let point = |(i, sent): (usize, &u64)| {
        let from = i as u64 * bin;
        // The last one may be shorter.
        let length = bin.min(end - from) as f64;
        ((from as f64 + length / 2.0) / 1e6, (100.0 * *sent as f64 / length).min(100.0))
    };
    sent.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::assumptions::Preset;
    use packet_core::run;
    use packet_core::slow_start::SetUp;
    use packet_core::units::{Bytes, Rate};

    #[test]
    fn the_link_is_busy_for_as_long_as_the_response_takes_on_it() {
        let run = run(&Scenario::default()).expect("start values are allowed");
        let parts = busy(&run);
        let mean = parts.iter().map(|p| p.1).sum::<f64>() / parts.len() as f64;
        let expected =
            100.0 * run.scenario.link_busy().as_secs() / run.first().duration().as_secs();
        assert!((mean - expected).abs() < 0.3, "{mean} {expected}");
    }

    #[test]
    fn a_short_response_is_not_cut_into_single_packets() {
        let scenario = Scenario { size: Bytes::kb(64), initial_window: 46, ..Scenario::default() };
        let parts = busy(&run(&scenario).expect("allowed"));
        // A window of 46, spread over half a round trip, leaves the link idle in between.
        let sending = &parts[..parts.iter().rposition(|p| p.1 > 0.0).expect("something is sent")];
        assert!(sending.len() > 10 && sending.iter().all(|p| p.1 > 0.0), "{parts:?}");
    }

    #[test]
    fn nothing_is_in_flight_during_a_silence() {
        for preset in [Preset::Article, Preset::Linux] {
            let scenario = Scenario { idle: Some(Time::secs(1)), ..Scenario::of(preset) };
            let run = run(&scenario).expect("allowed");
            let plots = SlowStart::plots(&run);
            let in_flight = plots[0].charts[0].series.iter().find(|s| s.label == "in flight");
            let in_flight = in_flight.expect("it is drawn");
            assert_eq!(in_flight.at(1_000.0), Some(0.0));
            assert!(in_flight.at(500.0) > Some(0.0));
        }
    }

    #[test]
    fn the_hero_says_what_it_is_made_of() {
        let run = run(&Scenario::default()).expect("start values are allowed");
        let hero = SlowStart::hero(&run);
        assert_eq!(hero.number, "531 ms");
        assert_eq!(hero.parts, "88 ms link transmitting, 443 ms link idle");
        assert!(hero.second.is_none());
    }

    #[test]
    fn several_connections_are_told_apart() {
        let scenario = Scenario {
            connections: 4,
            size: Bytes::kb(45),
            rate: Rate::mbps(5),
            initial_window: 32,
            ..Scenario::of(Preset::Linux)
        };
        let run = run(&scenario).expect("allowed");
        let hero = SlowStart::hero(&run);
        assert_eq!(hero.number, "1.03 s");
        assert_eq!(
            hero.parts,
            "connection 1 of 4; the slowest takes 1.05 s; 33% of all packets are sent again"
        );
        assert_eq!(hero.second, Some(("1.05 s".to_owned(), "slowest of 4 connections".to_owned())));
        // The charts go on until the slowest has everything, and the graph of segments is one connection's.
        assert_eq!(end(&run), run.slowest_response());
        let graph = sequence::chart(&run);
        let sent = graph.series.iter().find(|s| s.label == "sent").map(|s| s.points.len());
        assert_eq!(sent, Some(32));
        let ladder = SlowStart::ladder(&run).expect("there are packets");
        let of_second = run.packets.iter().position(|p| p.connection == 1).expect("there is one");
        let picked = ladder.pick(of_second).expect("it is there");
        assert!(!picked.can_be_lost);
        assert!(picked.text.starts_with("connection 2, packet 1:"), "{}", picked.text);
    }

    #[test]
    fn the_other_clock_is_a_second_number() {
        let clock = Stopwatch::SynToLastAck;
        let scenario = Scenario { clock, set_up: SetUp::Tls13, ..Scenario::default() };
        let hero = SlowStart::hero(&run(&scenario).expect("allowed"));
        assert_eq!(hero.number, "531 ms");
        let name = "from the SYN to the last ACK, 200 ms of it set-up".to_owned();
        assert_eq!(hero.second, Some(("771 ms".to_owned(), name)));
    }

    #[test]
    fn a_control_without_effect_says_why() {
        let note = |scenario: &Scenario, key| {
            let run = run(scenario).expect("allowed");
            SlowStart::note(&run, key).unwrap_or_default()
        };
        let start = Scenario::default();
        assert_eq!(note(&start, "ssai"), "No effect: there is no second request after a silence.");
        assert_eq!(note(&start, "tlp"), "No effect: nothing needed a probe in this run.");
        assert_eq!(note(&start, "size"), "");
        let idle = |ms| Scenario { idle: Some(Time::millis(ms)), ..Scenario::default() };
        assert!(note(&idle(50), "ssai").contains("shorter than the retransmission timeout"));
        assert_eq!(note(&idle(2_000), "ssai"), "");
        let tail = Scenario { loss: Loss::LastWindow, ..Scenario::default() };
        assert_eq!(note(&tail, "tlp"), "");
    }

    #[test]
    fn a_switch_said_to_have_no_effect_has_none() {
        let mut scenarios = vec![Scenario::default(), Scenario::of(Preset::Linux)];
        for idle in [50, 150, 250, 2_000] {
            let (size, idle) = (Bytes::mb(16), Some(Time::millis(idle)));
            scenarios.push(Scenario { idle, ..Scenario::default() });
            scenarios.push(Scenario { idle, size, hystart: false, ..Scenario::default() });
            scenarios.push(Scenario { idle, ..Scenario::of(Preset::Linux) });
        }
        for loss in [Loss::FortyPercent, Loss::LastTwo, Loss::Segments(List::one(3))] {
            scenarios.push(Scenario { loss, ..Scenario::default() });
            scenarios.push(Scenario { loss, ..Scenario::of(Preset::Linux) });
        }
        let mut seen = 0;
        for scenario in scenarios {
            let with = run(&scenario).expect("allowed");
            for (key, off) in [
                ("ssai", Scenario { slow_start_after_idle: false, ..scenario.clone() }),
                ("tlp", Scenario { tail_loss_probe: false, ..scenario.clone() }),
            ] {
                if SlowStart::note(&with, key).is_some() {
                    let without = run(&off).expect("allowed");
                    assert_eq!(with.samples, without.samples, "{key} {scenario:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 10, "{seen}");
    }
}
