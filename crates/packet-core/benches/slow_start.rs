//! How fast the slow-start model is, in packets per second (criterion prints them as elements).
//!
//! A panel recomputes its run within a frame of 16 ms in the browser, where it is a few times slower.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use packet_core::assumptions::Preset;
use packet_core::parameter::Scale;
use packet_core::units::{Bytes, Rate};
use packet_core::{Scenario, run};
use std::hint::black_box;

fn packets(scenario: &Scenario) -> usize {
    run(scenario).map_or(0, |run| run.packets.len())
}

fn single_runs(c: &mut Criterion) {
    let scenarios = [
        ("1 MB", Scenario::default()),
        ("64 MB", Scenario { size: Bytes::mb(64), ..Scenario::default() }),
        (
            "64 MB at 10 Gbps",
            Scenario { size: Bytes::mb(64), rate: Rate::gbps(10), ..Scenario::default() },
        ),
    ];
    for preset in [Preset::Article, Preset::Linux] {
        let mut group = c.benchmark_group(match preset {
            Preset::Article => "run",
            Preset::Linux => "run as Linux does",
        });
        for (name, scenario) in &scenarios {
            let mut scenario = scenario.clone();
            scenario.set_model(preset);
            group.throughput(Throughput::Elements(packets(&scenario) as u64));
            group.bench_function(*name, |b| b.iter(|| run(black_box(&scenario))));
        }
        group.finish();
    }
}

fn sweep(c: &mut Criterion) {
    let (min, max) = (Bytes::kb(1).0, Bytes::mb(64).0);
    let scenarios: Vec<_> = (0..200)
        .map(|i| Scale::Logarithmic.at(f64::from(i) / 199.0, min, max))
        .map(|size| Scenario { size: Bytes(size), ..Scenario::default() })
        .collect();
    let mut group = c.benchmark_group("sweep");
    group.throughput(Throughput::Elements(scenarios.iter().map(packets).sum::<usize>() as u64));
    group.sample_size(20);
    group.bench_function("200 sizes, 1 KB to 64 MB", |b| {
        b.iter(|| scenarios.iter().map(|s| packets(black_box(s))).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, single_runs, sweep);
criterion_main!(benches);
