//! What holds for every bandwidth-delay-product run, and the reference sweep.

use packet_core::Model;
use packet_core::bdp::{self, BandwidthDelay, LimitedBy, Repair, Scenario, SizingRule};
use packet_core::units::{Bytes, Rate, Time};
use proptest::prelude::*;

fn scenarios() -> impl Strategy<Value = Scenario> {
    let repair = prop_oneof![
        Just(Repair::ArticleShare),
        Just(Repair::GoBackN),
        Just(Repair::SelectiveRepeat)
    ];
    let rule = prop_oneof![
        4 => Just(SizingRule::Manual),
        1 => Just(SizingRule::NarrowHopXMinRtt),
        1 => Just(SizingRule::DoubleNarrowHopXMinRtt),
        1 => Just(SizingRule::MyLinkXIdlePing),
        1 => Just(SizingRule::MeasuredThroughputXRtt),
    ];
    // Logarithmic, as the sliders are, so that small values come up as well.
    let between = |min: f64, max: f64| {
        (0.0..=1.0).prop_map(move |f: f64| (min * (max / min).powf(f)).clamp(min, max) as u64)
    };
    let path = (between(1e7, 1e10), between(1e6, 1e9), between(1e6, 3e8), between(5e6, 1e9));
    (between(65_536.0, 16_777_216.0), path, rule, repair).prop_map(
        |(window, (link, hop, rtt, buffer), rule, repair)| Scenario {
            window: Bytes(window),
            link: Rate(link),
            hop: Rate(hop),
            rtt: Time(rtt),
            buffer: Time(buffer),
            rule,
            repair,
        },
    )
}

proptest! {
    #[test]
    fn every_valid_scenario_keeps_its_books(scenario in scenarios()) {
        let run = bdp::run(&scenario).expect("valid");
        let totals = run.totals;
        prop_assert_eq!(totals.sent, totals.served + totals.dropped + u128::from(totals.queued));
        prop_assert!(totals.peak_queue <= scenario.hop.0 * scenario.buffer.0);
        prop_assert!(totals.in_order <= totals.served);
        prop_assert!(totals.sent_again <= totals.sent);

        let goodput = run.goodput_mbps();
        let most = scenario.hop.0 as f64 / 1e6 * 1_448.0 / 1_500.0;
        prop_assert!(goodput > 0.0 && goodput <= most * (1.0 + 1e-12));
        let longest = run.base_rtt.as_millis() + scenario.buffer.as_millis();
        prop_assert!((run.base_rtt.as_millis()..=longest).contains(&run.rtt_ms()));
        prop_assert_eq!(totals.dropped > 0, run.limited_by() == LimitedBy::Buffer);
        prop_assert!(scenario.can_overflow() || totals.dropped == 0);
        for decision in &run.decisions {
            prop_assert!(!decision.what.to_string().is_empty());
        }
    }

    #[test]
    fn a_run_is_the_same_every_time(scenario in scenarios()) {
        prop_assert_eq!(bdp::run(&scenario), bdp::run(&scenario));
    }

    #[test]
    fn repair_moves_nothing_while_nothing_is_lost(scenario in scenarios()) {
        let rule = SizingRule::Manual;
        let run = |repair| bdp::run(&Scenario { repair, rule, ..scenario.clone() }).expect("valid");
        let share = run(Repair::ArticleShare);
        if share.totals.dropped == 0 {
            prop_assert_eq!(share.totals, run(Repair::GoBackN).totals);
        }
        prop_assert_eq!(share.totals, run(Repair::SelectiveRepeat).totals);
    }

    #[test]
    fn the_most_streams_of_the_largest_windows_fit(scenario in scenarios()) {
        let scenario = Scenario { window: Bytes::mb(16), ..scenario };
        let point = bdp::parallel_streams(&scenario, bdp::MAX_STREAMS).expect("valid");
        prop_assert!(point.goodput_mbps > 0.0);
    }
}

/// The sweep of the prototype that was fitted to the article's figures, to the last digit it prints.
#[test]
fn the_reference_sweep() {
    let csv = include_str!("../../../tests/figures/bdp-sweep.csv");
    for line in csv.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').map(|c| c.parse().expect("a number")).collect();
        let window = Bytes((cells[0] * 1024.0).round() as u64);
        let run = bdp::run(&Scenario { window, ..Scenario::default() }).expect("valid");
        let figure =
            |key| BandwidthDelay::figure(&run, key).and_then(|f| f.number()).expect("a number");
        for (key, expected, tolerance) in [
            ("goodput_mbps", cells[1], 0.1),
            ("rtt_ms", cells[2], 0.5),
            ("dropped_percent", cells[3], 0.5),
        ] {
            let off = (figure(key) - expected).abs();
            assert!(off <= tolerance + 1e-9, "{line}: {key} is {}", figure(key));
        }
    }
}

#[test]
fn go_back_n_falls_off_a_cliff_just_past_pipe_and_buffer() {
    let run = |window, repair| {
        bdp::run(&Scenario { window, repair, ..Scenario::default() }).expect("valid")
    };
    let holds = Scenario::default().pipe_and_buffer();
    let goodput = |window| run(window, Repair::GoBackN).goodput_mbps();
    assert!((goodput(Bytes(holds.0 * 99 / 100)) - 96.5).abs() < 0.1);
    assert!(goodput(Bytes(holds.0 * 102 / 100)) < 50.0);

    let overload = run(Bytes(10_000_000), Repair::GoBackN);
    assert!((overload.goodput_mbps() - 28.3).abs() < 0.1);
    let dropped = BandwidthDelay::figure(&overload, "dropped_percent").and_then(|f| f.number());
    assert!((dropped.expect("a number") - 79.0).abs() < 0.1);
    let selective = run(Bytes(10_000_000), Repair::SelectiveRepeat);
    assert!((selective.goodput_mbps() - 96.5).abs() < 0.1);
}
