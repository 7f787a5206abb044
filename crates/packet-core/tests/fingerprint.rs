//! Runs are the same bit for bit, in every build and after every change.

#[cfg(not(target_arch = "wasm32"))]
mod hash;

use crate::hash::Hash;
use packet_core::assumptions::{Assumptions, Preset};
use packet_core::list::List;
use packet_core::parameter::Scale;
use packet_core::slow_start::SetUp;
use packet_core::slow_start::scenario::{DelaySpike, Loss, Stopwatch};
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Scenario, bdp, run};

// The explorable runs these tests in a browser.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Numbers all over the place; always the same ones.
struct Draw(u64);

impl Draw {
    fn new() -> Draw {
        Draw(1)
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A number of this range, spread as on a logarithmic scale.
    fn between(&mut self, min: u64, max: u64) -> u64 {
        Scale::Logarithmic.at(self.below(1_000) as f64 / 999.0, min, max)
    }

    fn switch(&mut self) -> bool {
        self.below(2) == 0
    }

    /// One of the range, or nothing as often as not.
    fn maybe(&mut self, min: u64, max: u64) -> Option<u64> {
        self.switch().then(|| self.between(min, max))
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn loss(&mut self, size: Bytes) -> Loss {
        let mut segment = || List::one(self.between(1, size.segments().into()) as u16);
        let (one, other) = (segment(), segment());
        let two = one.with(other.as_slice()[0]).expect("room for two");
        let [one, two] = [one, two].map(Loss::Segments);
        self.one_of(&[Loss::None, Loss::LastWindow, Loss::FortyPercent, Loss::LastTwo, one, two])
    }

    /// Every setting anywhere in its range.
    fn scenario(&mut self, preset: Preset) -> Scenario {
        let size = Bytes(self.between(1_024, 2 << 20));
        let millis = |n: u64| Time(n * 1_000_000);
        Scenario {
            size,
            rate: Rate(self.between(1_000_000, 10_000_000_000)),
            rtt: Time(self.between(1_000_000, 300_000_000)),
            initial_window: self.between(1, 64) as u32,
            hystart: self.switch(),
            tail_loss_probe: self.switch(),
            slow_start_after_idle: self.switch(),
            loss: self.loss(size),
            idle: self.maybe(1, 3_000).map(millis),
            buffer: self.maybe(1, 1_000_000).map(|n| n as u32),
            buffer_bdp: self.maybe(1, 1_000).map(|n| n as u32),
            spike: DelaySpike {
                at: self.maybe(1, 2_000).map(millis),
                length: millis(self.between(1, 1_000)),
                delay: millis(self.between(1, 500)),
            },
            connections: self.maybe(2, 16).unwrap_or(1) as u32,
            stagger: self.maybe(100_000, 500_000_000).map_or(Time::ZERO, Time),
            receive_window: self.maybe(2 << 10, 2 << 20).map(Bytes),
            set_up: self.one_of(SetUp::ALL),
            think: self.maybe(1, 1_000).map_or(Time::ZERO, millis),
            clock: self.one_of(&[Stopwatch::RequestToLastByte, Stopwatch::SynToLastAck]),
            model: preset,
            assumptions: Assumptions::of(preset),
        }
    }
}

/// Debug, release and other machines must agree on this number. It changes only where the preset does,
/// and that should be on purpose. What the `article` preset does, `tests/golden/article.csv` holds.
#[test]
fn linux_runs_are_bit_identical() {
    let mut hash = Hash::default();
    let mut draw = Draw::new();
    for _ in 0..500 {
        let scenario = draw.scenario(Preset::Linux);
        hash.run(&run(&scenario).expect("a valid scenario"));
    }
    assert_eq!(hash.0, 0x4462_7d07_b9f9_26db, "{:#018x}", hash.0);
}

/// The same for the bandwidth-delay-product model.
#[test]
fn bandwidth_delay_runs_are_bit_identical() {
    let mut hash = Hash::default();
    let mut draw = Draw::new();
    for _ in 0..500 {
        let scenario = bdp::Scenario {
            window: Bytes(draw.between(65_536, 16 << 20)),
            link: Rate(draw.between(10_000_000, 10_000_000_000)),
            hop: Rate(draw.between(1_000_000, 1_000_000_000)),
            rtt: Time(draw.between(1_000_000, 300_000_000)),
            buffer: Time(draw.between(5_000_000, 1_000_000_000)),
            rule: draw.one_of(&[bdp::SizingRule::Manual, bdp::SizingRule::MeasuredThroughputXRtt]),
            repair: draw.one_of(&[bdp::Repair::ArticleShare, bdp::Repair::GoBackN]),
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
