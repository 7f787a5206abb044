//! What the `linux` preset shows that the article's model does not, and the reverse.

use packet_core::assumptions::{Pacing, Preset, SlowStartExit};
use packet_core::decision::{Decision, ExitReason};
use packet_core::slow_start::scenario::{DelaySpike, Loss};
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Run, Scenario, run};

fn linux() -> Scenario {
    Scenario::of(Preset::Linux)
}

fn run_of(scenario: &Scenario) -> Run {
    run(scenario).expect("an allowed scenario")
}

fn response_ms(scenario: &Scenario) -> f64 {
    run_of(scenario).first().duration().as_millis()
}

#[test]
fn ten_segments_arrive_half_a_round_trip_and_their_service_later() {
    let scenario = Scenario { size: Bytes::kb(14), ..linux() };
    let service = scenario.link_busy().as_millis();
    // To the part of a round trip in which events are handled together.
    assert!((response_ms(&scenario) - 40.0 - service).abs() < 0.02);
}

#[test]
fn the_last_two_segments_are_repaired_sooner_than_the_last_one() {
    let path = Scenario { size: Bytes(8_688), rtt: Time::millis(20), ..linux() };
    let one = Scenario { loss: Loss::LastWindow, ..path.clone() };
    let two = Scenario { loss: Loss::LastTwo, ..path };
    assert!((response_ms(&one) - 257.0).abs() < 4.0, "{}", response_ms(&one));
    assert!((response_ms(&two) - 97.0).abs() < 4.0, "{}", response_ms(&two));
    let unprobed =
        |scenario: &Scenario| response_ms(&Scenario { tail_loss_probe: false, ..scenario.clone() });
    assert!((unprobed(&one) - response_ms(&one)).abs() < 4.0);
    assert!(unprobed(&two) > 270.0);
}

#[test]
fn the_window_grows_on_the_last_acks_too() {
    let run = run_of(&linux());
    let segments = f64::from(run.scenario.segments());
    let end = run.figure("cwnd_at_end").and_then(|f| f.number());
    assert_eq!(end, Some(10.0 + segments));
}

#[test]
fn a_large_first_window_into_a_slow_link_costs_more_unpaced() {
    let slow = Scenario { size: Bytes::kb(64), rate: Rate::mbps(1), ..linux() };
    let large = Scenario { initial_window: 46, ..slow.clone() };
    let mut paced = large.clone();
    paced.assumptions.pacing = Pacing::FqLike;
    let times = [response_ms(&slow), response_ms(&paced), response_ms(&large)];
    assert!(times[0] < 600.0 && times[1] > 900.0 && times[2] > 1_600.0, "{times:?}");
}

/// The path's delay rises by 30 ms for a while, a few round trips into a large response.
fn spiky(exit: SlowStartExit) -> Run {
    let spike = DelaySpike {
        at: Some(Time::millis(170)),
        length: Time::millis(120),
        delay: Time::millis(30),
    };
    let mut scenario = Scenario { size: Bytes::mb(4), spike, ..linux() };
    scenario.assumptions.pacing = Pacing::FqLike;
    scenario.assumptions.slow_start_exit = exit;
    run_of(&scenario)
}

#[test]
fn a_delay_spike_ends_slow_start_for_good_with_hystart() {
    let run = spiky(SlowStartExit::HyStart);
    let Some((ExitReason::DelayIncrease { .. }, cwnd)) = run.slow_start_exit() else {
        panic!("{:?}", run.slow_start_exit());
    };
    assert!(cwnd < 100.0, "{cwnd}");
    // The window creeps on from there.
    assert!(run.peak_cwnd < 600.0, "{}", run.peak_cwnd);
}

#[test]
fn hystart_plus_plus_takes_its_doubt_back() {
    let run = spiky(SlowStartExit::HyStartPlusPlus);
    let doubt = run
        .decisions
        .iter()
        .position(|d| matches!(d.what, Decision::ConservativeSlowStart { .. }))
        .expect("a doubt");
    let resumed = run
        .decisions
        .iter()
        .position(|d| matches!(d.what, Decision::SlowStartResumed { .. }))
        .expect("an end of the doubt");
    assert!(doubt < resumed);
    let plain = spiky(SlowStartExit::HyStart);
    let (slow, fast) = (plain.first().duration(), run.first().duration());
    assert!(fast.times(5) < slow.times(4), "{fast} against {slow}");
}

#[test]
fn without_a_spike_both_exits_do_alike() {
    let quick = |exit| {
        let mut scenario = linux();
        scenario.assumptions.slow_start_exit = exit;
        response_ms(&scenario)
    };
    let (plain, plus) = (quick(SlowStartExit::HyStart), quick(SlowStartExit::HyStartPlusPlus));
    assert!((plain - plus).abs() < 0.05 * plain, "{plain} against {plus}");
}
