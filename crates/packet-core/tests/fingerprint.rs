//! Runs are the same bit for bit, in every build and after every change.

use packet_core::parameter::Scale;
use packet_core::slow_start::scenario::Loss;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Run, Scenario, bdp, run};

// The explorable runs these tests in a browser.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// FNV-1a, which needs no crate and is the same everywhere.
struct Fingerprint(u64);

impl Fingerprint {
    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_time(&mut self, time: Option<Time>) {
        self.add(time.unwrap_or(Time::NEVER).0);
    }

    fn add_run(&mut self, run: &Run) {
        for response in &run.responses {
            self.add_time(Some(response.finished));
        }
        for sample in &run.samples {
            self.add(sample.at.0);
            self.add(sample.cwnd.to_bits());
            self.add(sample.ssthresh.to_bits());
            self.add((u64::from(sample.in_flight) << 32) | u64::from(sample.queue));
        }
        for packet in &run.packets {
            self.add(packet.segment.into());
            for time in [Some(packet.sent), packet.departed, packet.delivered, packet.acked] {
                self.add_time(time);
            }
        }
        for decision in &run.decisions {
            self.add(decision.at.0);
        }
        self.add(run.peak_cwnd.to_bits());
        self.add_time(Some(run.rto));
    }
}

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

/// Debug, release and other machines must agree on this number. It changes only where the `article`
/// preset does, and that should be on purpose.
#[test]
fn runs_are_bit_identical() {
    let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
    for scenario in scenarios() {
        fingerprint.add_run(&run(&scenario).expect("a valid scenario"));
    }
    assert_eq!(fingerprint.0, 0x84bc_76c3_479a_1921, "{:#018x}", fingerprint.0);
}

/// The same for the bandwidth-delay-product model.
#[test]
fn bandwidth_delay_runs_are_bit_identical() {
    let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
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
            fingerprint.add(sample.at.0);
            fingerprint.add(sample.in_flight.to_bits());
            fingerprint.add(sample.queue.to_bits());
        }
        fingerprint.add(run.window.0);
        fingerprint.add(run.goodput_mbps().to_bits());
        fingerprint.add(run.rtt_ms().to_bits());
    }
    assert_eq!(fingerprint.0, 0x5c09_9200_4070_4d0a, "{:#018x}", fingerprint.0);
}
