//! The bandwidth-delay-product model: one run with its trace, and the sweep the page draws.
//!
//! A sweep of 200 windows has to fit into a frame of 16 ms.

use criterion::{Criterion, criterion_group, criterion_main};
use packet_core::bdp::{self, Repair, Scenario, SizingRule};
use packet_core::units::{Rate, Time};
use std::hint::black_box;

fn runs(c: &mut Criterion) {
    let overload = Scenario { rule: SizingRule::MyLinkXIdlePing, ..Scenario::default() };
    let go_back = Scenario { repair: Repair::GoBackN, ..overload.clone() };
    for (name, scenario) in
        [("start", Scenario::default()), ("overload", overload), ("go-back-n", go_back)]
    {
        c.bench_function(&format!("bdp run, {name}"), |b| {
            b.iter(|| bdp::run(black_box(&scenario)))
        });
    }
}

fn sweeps(c: &mut Criterion) {
    let start = Scenario::default();
    let odd = Scenario {
        link: Rate(987_654_321),
        hop: Rate(37_153_523),
        rtt: Time(61_234_567),
        buffer: Time(123_456_789),
        ..Scenario::default()
    };
    // A queue that overflows and runs dry all the time: what changes most often costs most.
    let restless = Scenario { hop: Rate::mbps(10), buffer: Time::millis(5), ..start.clone() };
    for (path, scenario) in [("start", start), ("odd rates", odd), ("restless", restless)] {
        for repair in [Repair::ArticleShare, Repair::GoBackN] {
            let scenario = Scenario { repair, ..scenario.clone() };
            c.bench_function(&format!("bdp sweep of 200, {path}, {repair:?}"), |b| {
                b.iter(|| bdp::sweep(black_box(&scenario), 200));
            });
        }
    }
}

criterion_group!(benches, runs, sweeps);
criterion_main!(benches);
