//! What a larger initial window buys, what limits it, and what it costs others.

use packet_core::assumptions::{Pacing, Preset};
use packet_core::sender::Kind;
use packet_core::slow_start::SetUp;
use packet_core::slow_start::scenario::Stopwatch;
use packet_core::study::{compare, cost};
use packet_core::trace::Fate;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Run, Scenario, run};
use proptest::prelude::*;

fn run_of(scenario: &Scenario) -> Run {
    run(scenario).expect("an allowed scenario")
}

/// Segments sent before any ACK has come.
fn first_window(run: &Run) -> usize {
    let acked = run.packets.iter().filter_map(|p| p.acked).min().unwrap_or(Time::NEVER);
    run.packets.iter().filter(|p| p.sent < acked && p.kind == Kind::New).count()
}

#[test]
fn twenty_eight_kilobytes_take_two_round_trips_of_data() {
    for preset in Preset::ALL {
        let (size, rtt) = (Bytes::kb(28), Time::millis(280));
        let run = run_of(&Scenario { size, rtt, ..Scenario::of(*preset) });
        assert_eq!((run.round_trips(), run.scenario.ideal_round_trips()), (2, 2));
        // The second ends half a round trip after it began, and in it pacing takes its time.
        assert!(run.first().duration() > rtt && run.first().duration() <= rtt.times(2));
    }
}

/// Raising the window from 10 to 32 brings 85 and 120 KB from three and four round trips to two.
#[test]
fn an_image_and_a_script_gain_one_and_two_round_trips() {
    for (kb, at_10) in [(85, 3), (120, 4)] {
        let scenario =
            Scenario { size: Bytes::kb(kb), rtt: Time::millis(70), ..Scenario::default() };
        let outcomes = compare(&scenario, &[10, 32]).expect("allowed");
        assert_eq!([outcomes[0].round_trips, outcomes[1].round_trips], [at_10, 2], "{kb} KB");
    }
}

#[test]
fn a_receive_window_of_64_kb_lets_45_of_46_segments_through() {
    for preset in Preset::ALL {
        let limit = |receive_window| Scenario {
            initial_window: 46,
            receive_window,
            ..Scenario::of(*preset)
        };
        assert_eq!(first_window(&run_of(&limit(None))), 46);
        assert_eq!(first_window(&run_of(&limit(Some(Bytes::kb(64))))), 45);
    }
}

#[test]
fn unpaced_a_window_of_32_overflows_a_small_buffer_and_paced_it_does_not() {
    for preset in Preset::ALL {
        let drops = |pacing| {
            let (size, rate, rtt) = (Bytes(32 * 1_448), Rate::mbps(20), Time::millis(50));
            let mut scenario = Scenario { size, rate, rtt, ..Scenario::of(*preset) };
            scenario.initial_window = 32;
            scenario.buffer = Some(20);
            scenario.assumptions.pacing = pacing;
            // The kernel's pacing lets the first ten through at once.
            run_of(&scenario).count(Fate::QueueDrop)
        };
        assert!(drops(Pacing::None) >= 10, "a burst of 32 into 20");
        assert_eq!(drops(Pacing::FqLike), 0);
    }
}

#[test]
fn set_up_and_thinking_come_before_the_response_and_change_nothing_in_it() {
    for preset in Preset::ALL {
        let start = Scenario { size: Bytes::kb(68), ..Scenario::of(*preset) };
        let plain = run_of(&start);
        let think = Time::millis(20);
        for (set_up, ms) in
            [(SetUp::Tcp, 120), (SetUp::Tls13, 200), (SetUp::Tls12, 280), (SetUp::ZeroRtt, 120)]
        {
            let run = run_of(&Scenario { set_up, think, ..start.clone() });
            assert_eq!(run.set_up, Time::millis(ms));
            assert_eq!(run.first().duration(), plain.first().duration() + think);
            let before = Time::millis(ms) + think;
            assert_eq!(run.syn_to_last_ack(), before + plain.syn_to_last_ack());
            let shifted = plain.packets.iter().map(|p| p.sent + before);
            assert!(run.packets.iter().map(|p| p.sent).eq(shifted));
        }
    }
}

#[test]
fn a_page_of_68_kb_with_tls_13_takes_what_is_set_down() {
    let csv = include_str!("../../../tests/figures/initial-window.csv");
    let rows = csv.lines().filter(|line| !line.starts_with('#')).skip(1);
    for row in rows {
        let cells: Vec<_> = row.split(',').collect();
        let number = |i: usize| cells[i].parse::<f64>().ok();
        let preset = if cells[0] == "linux" { Preset::Linux } else { Preset::Article };
        let rtt = Time::millis(number(1).expect("a round-trip time") as u64);
        let (size, set_up, clock) = (Bytes::kb(68), SetUp::Tls13, Stopwatch::SynToLastAck);
        let scenario = Scenario { size, rtt, set_up, clock, ..Scenario::of(preset) };
        let outcomes = compare(&scenario, &[10, 32]).expect("allowed");
        let times: Vec<_> = outcomes.iter().map(|o| o.time.as_millis()).collect();
        assert_eq!([Some(times[0]), Some(times[1])], [number(2), number(3)], "{row}");
        assert_eq!([outcomes[0].round_trips, outcomes[1].round_trips], [3, 2]);
        if let (Some(printed), Some(tolerance)) = (number(4), number(5)) {
            let saved = times[0] - times[1];
            assert!((saved - printed).abs() <= tolerance, "{row}: {saved}");
        }
    }
}

/// One server's larger window is free, four of them on a slow link are not (the linux preset, unpaced).
#[test]
fn what_is_free_for_one_connection_costs_several() {
    let (size, rate) = (Bytes::kb(45), Rate::mbps(5));
    let scenario = Scenario { size, rate, connections: 4, ..Scenario::of(Preset::Linux) };
    let costs = cost(&scenario, &[10, 32]).expect("allowed");
    let [ten, large] = [costs[0], costs[1]];
    assert!(large.alone.time < ten.alone.time && large.alone.retransmissions == 0);
    assert_eq!(ten.together.retransmissions, 0);
    assert!(large.together.retransmission_rate_percent() > 10.0);
    assert!(large.together.slowest > ten.together.slowest.times(2));
}

/// Over many paths, no connection is favoured by more than what the very first turn is worth.
#[test]
fn no_connection_is_favoured() {
    const CONNECTIONS: usize = 5;
    let mut dropped = [0; CONNECTIONS];
    let mut time = [0.0; CONNECTIONS];
    for preset in Preset::ALL {
        for pacing in [Pacing::None, Pacing::FqLike] {
            for mbps in [2, 3, 5, 8, 13] {
                for ms in [11, 20, 37, 60, 95, 150] {
                    for initial_window in [3, 10, 17, 32] {
                        let mut scenario = Scenario::of(*preset);
                        scenario.assumptions.pacing = pacing;
                        scenario.size = Bytes::kb(60);
                        scenario.rate = Rate::mbps(mbps);
                        scenario.rtt = Time::millis(ms);
                        scenario.initial_window = initial_window;
                        scenario.buffer = Some(32);
                        scenario.connections = CONNECTIONS as u32;
                        for (i, c) in run_of(&scenario).connections.iter().enumerate() {
                            dropped[i] += c.dropped;
                            time[i] += c.duration().as_millis();
                        }
                    }
                }
            }
        }
    }
    let most = f64::from(*dropped.iter().max().expect("some"));
    let least = f64::from(*dropped.iter().min().expect("some"));
    assert!(least > 1_000.0 && most / least < 1.15, "{dropped:?}");
    time.sort_by(f64::total_cmp);
    assert!(time[CONNECTIONS - 1] / time[0] < 1.05, "{time:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Windows that leave at the same moment share the queue's room to a packet.
    #[test]
    fn bursts_at_the_same_moment_share_the_queue(
        connections in 2..=16u32,
        initial_window in 1..=64u32,
        buffer in 1..500u32,
        linux in any::<bool>(),
    ) {
        let mut scenario = Scenario::of(if linux { Preset::Linux } else { Preset::Article });
        scenario.assumptions.pacing = Pacing::None;
        scenario.connections = connections;
        scenario.initial_window = initial_window;
        scenario.buffer = Some(buffer);
        scenario.size = Bytes::kb(128);
        let run = run_of(&scenario);
        let start = run.packets[0].sent;
        let mut taken = vec![0; connections as usize];
        for packet in run.packets.iter().filter(|p| p.sent == start) {
            taken[usize::from(packet.connection)] += u32::from(packet.fate != Fate::QueueDrop);
        }
        let (most, least) = (taken.iter().max(), taken.iter().min());
        prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{:?}", taken);
    }

    /// Connections that never meet in the queue do as each would alone.
    #[test]
    fn connections_that_do_not_meet_do_as_one_would_alone(
        connections in 2..=16u32,
        size in 1_024..100_000u64,
        linux in any::<bool>(),
    ) {
        let start = Scenario::of(if linux { Preset::Linux } else { Preset::Article });
        let alone = Scenario { size: Bytes(size), ..start };
        let stagger = Time::secs(3);
        let run = run_of(&Scenario { connections, stagger, ..alone.clone() });
        let one = run_of(&alone);
        for (i, connection) in run.connections.iter().enumerate() {
            prop_assert_eq!(connection.duration(), one.first().duration());
            prop_assert_eq!(connection.responses[0].requested, stagger.times(i as u64));
            prop_assert_eq!(connection.peak_cwnd, one.connections[0].peak_cwnd);
        }
    }
}
