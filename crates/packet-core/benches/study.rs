//! How fast the initial-window study is.
//!
//! A heat map of 40 x 40 paths is 3,200 runs. The page works it out in pieces of a frame of 16 ms.

use criterion::{Criterion, criterion_group, criterion_main};
use packet_core::assumptions::Preset;
use packet_core::study::{Axes, Curve, HeatMap};
use packet_core::units::Bytes;
use packet_core::{Scenario, run};
use std::hint::black_box;

fn heat_maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("heat map of 40 x 40 paths");
    group.sample_size(20);
    for (preset, name) in [(Preset::Article, ""), (Preset::Linux, ", as Linux does")] {
        for kb in [64, 256] {
            let scenario = Scenario { size: Bytes::kb(kb), ..Scenario::of(preset) };
            group.bench_function(format!("{kb} KB{name}"), |b| {
                b.iter(|| {
                    let map = HeatMap::new(black_box(&scenario), [10, 32], &Axes::default());
                    map.map(|mut map| map.step(usize::MAX).len())
                });
            });
        }
    }
    group.finish();
}

fn curve(c: &mut Criterion) {
    c.bench_function("curve of 200 sizes to 1 MB, 3 windows", |b| {
        b.iter(|| {
            let sizes = Bytes::kb(1)..=Bytes::mb(1);
            let curve = Curve::new(black_box(&Scenario::default()), &[3, 10, 32], sizes, 200);
            curve.map(|mut curve| curve.step(usize::MAX).count())
        });
    });
}

fn connections(c: &mut Criterion) {
    let mut group = c.benchmark_group("1 MB on each of so many connections");
    for connections in [1, 4, 16] {
        let scenario = Scenario { connections, ..Scenario::default() };
        group.bench_function(connections.to_string(), |b| b.iter(|| run(black_box(&scenario))));
    }
    group.finish();
}

criterion_group!(benches, heat_maps, curve, connections);
criterion_main!(benches);
