//! Every combination of assumptions gives a run that ends, loses no packet from its books, and can be
//! repeated.

use packet_core::assumptions::{Pacing, Preset};
use packet_core::list::List;
use packet_core::parameter::{Kind, Value};
use packet_core::slow_start::scenario::{DelaySpike, Loss};
use packet_core::slow_start::{Run, SlowStart, assumptions};
use packet_core::trace::Fate;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Model, Scenario, model, run};
use proptest::prelude::*;

/// Any choice of every assumption.
fn choices() -> impl Strategy<Value = Vec<usize>> {
    let choices: Vec<_> = assumptions::all()
        .map(|a| match a.parameter.kind {
            Kind::Choice(choices) => 0..choices.len(),
            _ => 0..1,
        })
        .collect();
    choices
}

fn loss() -> impl Strategy<Value = Loss> {
    prop_oneof![
        Just(Loss::None),
        Just(Loss::LastWindow),
        Just(Loss::FortyPercent),
        Just(Loss::LastTwo),
        (1..100u16).prop_map(|n| Loss::Segments(List::one(n))),
    ]
}

fn receive_window() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), (2_048..200_000u64).prop_map(Some)]
}

fn path() -> impl Strategy<Value = Scenario> {
    let size = prop_oneof![1_024..20_000u64, 20_000..600_000u64];
    let rate = prop_oneof![1_000_000..20_000_000u64, 20_000_000..10_000_000_000u64];
    let rtt = 1_000_000..300_000_000u64;
    let buffer = prop_oneof![Just(None), (1..40u32).prop_map(Some), (1..2_000u32).prop_map(Some)];
    let idle = prop_oneof![Just(None), (1_000_000..3_000_000_000u64).prop_map(Some)];
    let spike = prop_oneof![Just(None), (1_000_000..500_000_000u64).prop_map(Some)];
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    let stagger = prop_oneof![Just(0), 100_000..500_000_000u64];
    let shared = (prop_oneof![2 => Just(1), 1 => 2..=6u32], stagger, receive_window());
    (size, rate, rtt, 1..=64u32, buffer, idle, loss(), spike, switches, shared).prop_map(
        |(size, rate, rtt, initial_window, buffer, idle, loss, spike, switches, shared)| Scenario {
            size: Bytes(size),
            rate: Rate(rate),
            rtt: Time(rtt),
            initial_window,
            buffer,
            idle: idle.map(Time),
            loss,
            spike: DelaySpike { at: spike.map(Time), ..DelaySpike::default() },
            hystart: switches.0,
            tail_loss_probe: switches.1,
            slow_start_after_idle: switches.2,
            connections: shared.0,
            stagger: Time(shared.1),
            receive_window: shared.2.map(Bytes),
            ..Scenario::default()
        },
    )
}

fn with(mut scenario: Scenario, choices: &[usize]) -> Scenario {
    for (assumption, choice) in assumptions::all().zip(choices) {
        (assumption.parameter.set)(&mut scenario, Value::Choice(*choice));
    }
    scenario
}

/// What must be true of any run.
fn check(run: &Run) -> Result<(), TestCaseError> {
    let scenario = &run.scenario;
    let responses = 1 + usize::from(scenario.idle.is_some());
    prop_assert_eq!(run.responses.len(), responses);
    let fates = [Fate::InFlight, Fate::Delivered, Fate::QueueDrop, Fate::Lost];
    let counted: usize = fates.iter().map(|fate| run.count(*fate)).sum();
    prop_assert_eq!(counted, run.packets.len());
    // Every segment arrives, and none that was not sent.
    let segments = scenario.segments() as usize * responses;
    let mut arrived = vec![false; segments * scenario.connections as usize];
    for packet in run.packets.iter().filter(|p| p.fate == Fate::Delivered) {
        arrived[usize::from(packet.connection) * segments + packet.segment as usize] = true;
    }
    for connection in &run.connections {
        prop_assert_eq!(connection.responses.len(), responses);
    }
    prop_assert!(arrived.iter().all(|a| *a));
    for packet in &run.packets {
        prop_assert_eq!(
            packet.departed.is_some(),
            matches!(packet.fate, Fate::Delivered | Fate::InFlight)
        );
        let times = [Some(packet.sent), packet.departed, packet.delivered, packet.acked];
        let times: Vec<_> = times.into_iter().flatten().collect();
        prop_assert!(times.is_sorted());
    }
    prop_assert!(run.samples.is_sorted_by_key(|s| s.at));
    prop_assert!(run.decisions.is_sorted_by_key(|d| d.at));
    for sample in &run.samples {
        prop_assert!(sample.cwnd.is_finite() && sample.cwnd >= 0.0 && sample.ssthresh > 0.0);
        prop_assert!(sample.queue <= scenario.buffer_packets());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_combination_ends_and_conserves(scenario in path(), choices in choices()) {
        let scenario = with(scenario, &choices);
        let first = run(&scenario).expect("an allowed scenario");
        check(&first)?;
        prop_assert_eq!(first, run(&scenario).expect("an allowed scenario"));
    }

    #[test]
    fn so_does_the_linux_preset(mut scenario in path(), paced in any::<bool>()) {
        scenario.set_model(Preset::Linux);
        if paced {
            scenario.assumptions.pacing = Pacing::FqLike;
        }
        check(&run(&scenario).expect("an allowed scenario"))?;
    }

    #[test]
    fn any_combination_survives_a_query(scenario in path(), choices in choices()) {
        let scenario = with(scenario, &choices);
        let query = model::to_query::<SlowStart>(&scenario);
        let mut read = Scenario::default();
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let remarks = model::apply_pairs::<SlowStart>(&mut read, pairs);
        prop_assert_eq!(remarks, Vec::<String>::new());
        prop_assert_eq!(read, scenario);
    }
}

#[test]
fn each_switch_alone_makes_a_run_that_ends() {
    for assumption in assumptions::all() {
        let Kind::Choice(choices) = assumption.parameter.kind else { continue };
        for start in [Scenario::default(), Scenario::of(Preset::Linux)] {
            for choice in 0..choices.len() {
                for loss in [Loss::None, Loss::LastWindow, Loss::LastTwo, Loss::FortyPercent] {
                    let mut scenario = Scenario { loss, ..start.clone() };
                    (assumption.parameter.set)(&mut scenario, Value::Choice(choice));
                    let run = SlowStart::run(&scenario).expect("an allowed scenario");
                    check(&run).expect(assumption.parameter.name);
                }
            }
        }
    }
}
