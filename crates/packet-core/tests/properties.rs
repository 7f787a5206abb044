//! What holds for every valid scenario, whatever its settings.

use packet_core::assumptions::TrailingAcks;
use packet_core::parameter::{Kind, Parameter, Scale, Value};
use packet_core::slow_start::PARAMETERS;
use packet_core::trace::Fate;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Run, Scenario, run};
use proptest::prelude::*;

/// Segments of a response that make a quick case; larger ones have a test of their own.
const QUICK: u64 = 2_000;

/// A value of this parameter: often an end of its range, a mark or none, else spread as its slider is.
fn value(p: &Parameter<Scenario>) -> BoxedStrategy<Value> {
    match p.kind {
        Kind::Number { min, max, scale, marks, absent, .. } => {
            let max = if p.name == "size" { max.min(QUICK * 1_448) } else { max };
            let marks: Vec<_> = marks.iter().copied().filter(|m| *m <= max).collect();
            let mut special = vec![min, max];
            special.extend(marks);
            let spread = (0.0..=1.0).prop_map(move |x| scale.at(x, min, max));
            let number = prop_oneof![
                1 => proptest::sample::select(special),
                3 => spread,
            ]
            .prop_map(Value::Number);
            if absent.is_some() {
                prop_oneof![Just(Value::Absent), number].boxed()
            } else {
                number.boxed()
            }
        }
        Kind::Switch => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Choice(choices) => (0..choices.len()).prop_map(Value::Choice).boxed(),
    }
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let values: Vec<_> = PARAMETERS.iter().map(value).collect();
    values.prop_map(|values| {
        let mut scenario = Scenario::default();
        for (p, value) in PARAMETERS.iter().zip(values) {
            (p.set)(&mut scenario, value);
        }
        scenario
    })
}

/// Every response arrives in full, its last segment when the response ends.
fn delivers_each_response(run: &Run) {
    let segments = run.scenario.segments() as usize;
    let size = run.scenario.size.0 as usize;
    assert!((size..size + 1_448).contains(&(segments * 1_448)));
    let responses = 1 + usize::from(run.scenario.idle.is_some());
    assert_eq!(run.responses.len(), responses);
    let mut arrivals: Vec<Option<Time>> = vec![None; segments * responses];
    for packet in &run.packets {
        let arrival = &mut arrivals[packet.segment as usize];
        *arrival = [*arrival, packet.delivered].into_iter().flatten().min();
    }
    for (response, arrivals) in run.responses.iter().zip(arrivals.chunks(segments)) {
        let last = arrivals.iter().map(|at| at.expect("every segment arrives")).max();
        assert_eq!(last, Some(response.finished));
        assert!(response.duration().times(2) >= run.base_rtt, "half a round trip at least");
    }
}

/// sent = delivered + dropped + lost + in flight, and each packet's times fit its fate.
fn accounts_for_every_packet(run: &Run) {
    let fates = [Fate::Delivered, Fate::QueueDrop, Fate::Lost, Fate::InFlight];
    let counted: usize = fates.iter().map(|fate| run.count(*fate)).sum();
    assert_eq!(run.packets.len(), counted);
    let segments = run.scenario.segments();
    let doomed = run.scenario.loss.segments(segments).filter(|s| *s < segments).count();
    assert_eq!(run.count(Fate::Lost), doomed);
    for packet in &run.packets {
        let arrived = packet.fate == Fate::Delivered;
        let dropped = matches!(packet.fate, Fate::QueueDrop | Fate::Lost);
        assert_eq!(packet.departed.is_none(), dropped, "{packet:?}");
        assert_eq!(packet.delivered.is_some(), arrived, "{packet:?}");
        assert!(packet.acked.is_none() || arrived, "{packet:?}");
    }
}

/// Time never runs backwards, in any list nor on a packet's way.
fn time_runs_forwards(run: &Run) {
    assert!(run.samples.is_sorted_by(|a, b| a.at < b.at), "one sample a moment");
    assert!(run.packets.is_sorted_by_key(|p| p.sent));
    assert!(run.decisions.is_sorted_by_key(|d| d.at));
    for packet in &run.packets {
        let way = [Some(packet.sent), packet.departed, packet.delivered, packet.acked];
        assert!(way.into_iter().flatten().is_sorted(), "{packet:?}");
    }
    // First in, first out.
    assert!(run.packets.iter().filter_map(|p| p.departed).is_sorted());
    // Where trailing ACKs count the run goes on until they have come.
    if run.scenario.assumptions.trailing_acks == TrailingAcks::Discarded {
        let end = run.responses.last().expect("a response").finished;
        assert!(run.samples.iter().all(|s| s.at <= end));
        assert!(run.decisions.iter().all(|d| d.at <= end));
    }
}

/// The queue stays within its buffer, the window within reason.
fn state_stays_in_bounds(run: &Run) {
    let buffer = run.scenario.buffer_packets();
    let responses = run.responses.len() as u32;
    for sample in &run.samples {
        assert!(sample.queue <= buffer, "{sample:?}");
        assert!(sample.cwnd.is_finite() && sample.cwnd >= 1.0, "{sample:?}");
        assert!(sample.ssthresh >= 1.0, "{sample:?}");
        assert!(sample.in_flight <= run.scenario.segments() * responses, "{sample:?}");
    }
    assert!(run.peak_cwnd.is_finite() && run.peak_cwnd >= 1.0);
    assert!(run.rto >= Time::millis(200));
}

/// No link sends faster than its rate, from any packet to any later one.
fn the_link_keeps_its_rate(run: &Run) {
    let departures: Vec<_> = run.packets.iter().filter_map(|p| p.departed).collect();
    if let (Some(first), Some(last)) = (departures.first(), departures.last()) {
        let between = run.scenario.rate.time_to_send(1_514 * (departures.len() as u64 - 1));
        let slot = Time(run.base_rtt.0 / 80);
        // What is done in one slot may have begun at its start and ended at its end.
        assert!(*last - *first + slot >= between, "{between} for {} packets", departures.len());
    }
}

fn holds(scenario: &Scenario) {
    let run = run(scenario).expect("a valid scenario");
    delivers_each_response(&run);
    accounts_for_every_packet(&run);
    time_runs_forwards(&run);
    state_stays_in_bounds(&run);
    the_link_keeps_its_rate(&run);
    for quantity in packet_core::slow_start::QUANTITIES {
        let number = (quantity.value)(&run).number();
        assert!(number.is_none_or(|n| n.is_finite() && n >= 0.0), "{}", quantity.key);
        assert!(!quantity.show(&run).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_valid_scenario_holds(scenario in scenario()) {
        holds(&scenario);
    }

    #[test]
    fn the_same_scenario_gives_the_same_run(scenario in scenario()) {
        prop_assert_eq!(run(&scenario), run(&scenario));
    }
}

/// Both ends of every range at once, which no random search would find.
#[test]
fn all_corners_hold() {
    let ends = |p: &Parameter<Scenario>| match (p.name, p.kind) {
        ("size", _) => [Bytes::kb(1).0, Bytes::kb(600).0].map(Value::Number).to_vec(),
        // These multiply the corners and meet the others in the random search.
        ("lose-segment" | "spike-length" | "spike-delay", _) => vec![(p.get)(&Scenario::default())],
        ("spike-at", _) => vec![Value::Absent],
        (_, Kind::Number { min, max, absent, .. }) => {
            let mut ends = [min, max].map(Value::Number).to_vec();
            ends.extend(absent.map(|_| Value::Absent));
            ends
        }
        (_, Kind::Switch) => [true, false].map(Value::Switch).to_vec(),
        (_, Kind::Choice(choices)) => (0..choices.len()).map(Value::Choice).collect(),
    };
    let mut corners = vec![Scenario::default()];
    for p in PARAMETERS {
        let set = |corner: &Scenario, value| {
            let mut corner = corner.clone();
            (p.set)(&mut corner, value);
            corner
        };
        corners = corners.iter().flat_map(|c| ends(p).into_iter().map(|v| set(c, v))).collect();
    }
    assert!(corners.len() > 1_000);
    corners.iter().for_each(holds);
}

/// The longest runs and the widest pipes: nothing overflows (debug builds would panic).
#[test]
fn the_largest_sizes_hold() {
    let size = Bytes::mb(64);
    for (rate, rtt) in [(Rate::mbps(1), Time::millis(1)), (Rate::gbps(10), Time::millis(300))] {
        for buffer in [Some(1), None] {
            holds(&Scenario { size, rate, rtt, buffer, ..Scenario::default() });
        }
    }
}

#[test]
fn scales_hit_their_ends() {
    for p in PARAMETERS {
        if let Kind::Number { min, max, .. } = p.kind {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                assert_eq!((scale.at(0.0, min, max), scale.at(1.0, min, max)), (min, max));
            }
        }
    }
}
