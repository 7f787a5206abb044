//! The `article` model gives the same runs, to the bit, as when its figures were accepted.
//!
//! `tests/golden/article.csv` holds settings as queries, the response time in nanoseconds, and a hash
//! of all the run left behind. `BLESS=1 cargo test --test golden` writes it anew.

use packet_core::model::apply_pairs;
use packet_core::slow_start::{Run, SlowStart};
use packet_core::trace::kind_str;
use packet_core::units::Time;
use packet_core::{Scenario, run};
use std::fmt::Write;

const GOLDEN: &str = include_str!("../../../tests/golden/article.csv");

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    fn time(&mut self, time: Option<Time>) {
        self.number(time.unwrap_or(Time::NEVER).0);
    }
}

fn hash(run: &Run) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for r in &run.responses {
        hash.time(Some(r.requested));
        hash.time(Some(r.finished));
    }
    hash.number(run.peak_cwnd.to_bits());
    hash.time(run.worst_rtt);
    hash.time(Some(run.rto));
    for s in &run.samples {
        hash.time(Some(s.at));
        hash.number(s.cwnd.to_bits());
        hash.number(s.ssthresh.to_bits());
        hash.number(u64::from(s.in_flight) << 32 | u64::from(s.queue));
    }
    for p in &run.packets {
        hash.number(p.segment.into());
        hash.bytes(kind_str(p.kind).as_bytes());
        hash.bytes(format!("{:?}", p.fate).as_bytes());
        hash.time(Some(p.sent));
        hash.time(p.departed);
        hash.time(p.delivered);
        hash.time(p.acked);
    }
    for d in &run.decisions {
        // Not the sentence: its wording is free to change.
        hash.time(Some(d.at));
    }
    hash.0
}

fn line(query: &str) -> String {
    let mut scenario = Scenario::default();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let remarks = apply_pairs::<SlowStart>(&mut scenario, pairs);
    assert!(remarks.is_empty(), "{remarks:?}");
    let run = run(&scenario).expect("an allowed scenario");
    format!("{query},{},{:016x}", run.first().duration().0, hash(&run))
}

#[test]
fn the_article_model_is_what_it_was() {
    let mut now = String::from("query,response_ns,hash\n");
    for row in GOLDEN.lines().skip(1) {
        let query = row.split(',').next().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(now, "{}", line(query));
    }
    if std::env::var_os("BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/article.csv");
        std::fs::write(path, now).expect("a writable file");
        return;
    }
    let changed: Vec<_> =
        GOLDEN.lines().zip(now.lines()).filter(|(golden, now)| golden != now).collect();
    assert!(GOLDEN.lines().count() > 200 && changed.is_empty(), "{changed:#?}");
}
