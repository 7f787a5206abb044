//! What holds for every valid scenario, whatever its settings.

mod holds;

use holds::holds;
use packet_core::parameter::{Kind, Parameter, Scale, Value};
use packet_core::sender;
use packet_core::slow_start::PARAMETERS;
use packet_core::trace::Packet;
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

/// No sender sends beyond what the receiver takes.
fn the_receive_window_is_kept(run: &Run) {
    let Some(window) = run.scenario.receive_window else { return };
    for i in 0..run.scenario.connections as u8 {
        let mine: Vec<_> = run.packets.iter().filter(|p| p.connection == i).collect();
        for packet in mine.iter().filter(|p| p.kind == sender::Kind::New) {
            // No more than these can be acknowledged in order.
            let acked = |p: &&&Packet| p.acked.is_some_and(|at| at <= packet.sent);
            let acked = mine.iter().filter(acked).count() as u32;
            assert!(packet.segment < acked + window.whole_segments(), "{packet:?}");
        }
    }
}

fn check(scenario: &Scenario) {
    holds(&run(scenario).expect("a valid scenario"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_valid_scenario_holds(scenario in scenario()) {
        check(&scenario);
    }

    /// Slow, as it looks at each packet from each other one.
    #[test]
    fn nothing_goes_beyond_the_receive_window(mut scenario in scenario(), segments in 1..200u64) {
        scenario.size = Bytes((segments * 1_448).max(1_024));
        scenario.idle = None;
        the_receive_window_is_kept(&run(&scenario).expect("a valid scenario"));
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
        ("buffer-bdp" | "setup" | "think" | "clock", _) => vec![(p.get)(&Scenario::default())],
        ("stagger", _) => vec![Value::Absent],
        ("receive-window", _) => vec![Value::Absent],
        ("connections", _) => vec![Value::Number(1), Value::Number(3)],
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
    corners.iter().for_each(check);
}

/// The longest runs and the widest pipes: nothing overflows (debug builds would panic).
#[test]
fn the_largest_sizes_hold() {
    let size = Bytes::mb(64);
    for (rate, rtt) in [(Rate::mbps(1), Time::millis(1)), (Rate::gbps(10), Time::millis(300))] {
        for buffer in [Some(1), None] {
            check(&Scenario { size, rate, rtt, buffer, ..Scenario::default() });
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
