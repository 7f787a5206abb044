//! Runs are the same bit for bit, in every build and after every change.

#[path = "hash/mod.rs"]
mod hash;

use hash::Hash;
use packet_core::assumptions::Preset;
use packet_core::parameter::Scale;
use packet_core::slow_start::scenario::Loss;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Scenario, bdp, run};

// The explorable runs these tests in a browser.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Numbers below what is asked for; always the same ones.
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut state: u64 = 1;
    move |n| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    }
}

/// Scenarios all over the ranges; always the same, and whatever parameters are added later.
fn scenarios() -> impl Iterator<Item = Scenario> {
    let mut below = numbers();
    (0..500).map(move |_| {
        let mut between = |min, max| Scale::Logarithmic.at(below(1_000) as f64 / 999.0, min, max);
        Scenario {
            size: Bytes(between(1_024, 2 << 20)),
            rate: Rate(between(1_000_000, 10_000_000_000)),
            rtt: Time(between(1_000_000, 300_000_000)),
            initial_window: between(1, 64) as u32,
            buffer: Some(between(1, 1_000_000) as u32).filter(|_| below(2) == 0),
            idle: Some(Time::millis(100 * (1 + below(30)))).filter(|_| below(2) == 0),
            hystart: below(2) == 0,
            tail_loss_probe: below(2) == 0,
            slow_start_after_idle: below(2) == 0,
            loss: [Loss::None, Loss::LastWindow, Loss::FortyPercent][below(3) as usize],
            ..Scenario::default()
        }
    })
}

/// The runs of all scenarios as this preset has them.
fn runs(preset: Preset) -> u64 {
    let mut hash = Hash::default();
    for mut scenario in scenarios() {
        scenario.set_model(preset);
        hash.run(&run(&scenario).expect("a valid scenario"));
    }
    hash.0
}

/// Debug, release and other machines must agree on these numbers. They change only where a preset
/// does, and that should be on purpose.
#[test]
fn article_runs_are_bit_identical() {
    let hash = runs(Preset::Article);
    assert_eq!(hash, 0x2c9f_ba65_5ee6_b210, "{hash:#018x}");
}

/// See [`article_runs_are_bit_identical`].
#[test]
fn linux_runs_are_bit_identical() {
    let hash = runs(Preset::Linux);
    assert_eq!(hash, 0x616b_9843_d4c4_4636, "{hash:#018x}");
}

/// The same for the bandwidth-delay-product model.
#[test]
fn bandwidth_delay_runs_are_bit_identical() {
    let mut hash = Hash::default();
    let mut below = numbers();
    for _ in 0..500 {
        let mut between = |min, max| Scale::Logarithmic.at(below(1_000) as f64 / 999.0, min, max);
        let scenario = bdp::Scenario {
            window: Bytes(between(65_536, 16 << 20)),
            link: Rate(between(10_000_000, 10_000_000_000)),
            hop: Rate(between(1_000_000, 1_000_000_000)),
            rtt: Time(between(1_000_000, 300_000_000)),
            buffer: Time(between(5_000_000, 1_000_000_000)),
            rule: [bdp::SizingRule::Manual, bdp::SizingRule::MeasuredThroughputXRtt]
                [below(2) as usize],
            repair: [bdp::Repair::ArticleShare, bdp::Repair::GoBackN][below(2) as usize],
        };
        let run = bdp::run(&scenario).expect("a valid scenario");
        for sample in &run.samples {
            hash.number(sample.at.0);
            hash.number(sample.in_flight.to_bits());
            hash.number(sample.queue.to_bits());
        }
        hash.number(run.window.0);
        hash.number(run.goodput_mbps().to_bits());
        hash.number(run.rtt_ms().to_bits());
    }
    assert_eq!(hash.0, 0x5c09_9200_4070_4d0a, "{:#018x}", hash.0);
}
