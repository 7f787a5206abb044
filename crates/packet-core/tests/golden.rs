//! The `article` model gives the same runs, to the bit, as when its figures were accepted.
//!
//! `tests/golden/article.csv` holds settings as queries, the response time in nanoseconds, and a hash
//! of all the run left behind. `BLESS=1 cargo test --test golden` writes it anew.

#[cfg(not(target_arch = "wasm32"))]
mod hash;

use crate::hash::Hash;
use packet_core::model::apply_pairs;
use packet_core::slow_start::SlowStart;
use packet_core::{Scenario, run};
use std::fmt::Write;

// The explorable runs this test in a browser.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const GOLDEN: &str = include_str!("../../../tests/golden/article.csv");

fn line(query: &str) -> String {
    let mut scenario = Scenario::default();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let remarks = apply_pairs::<SlowStart>(&mut scenario, pairs);
    assert!(remarks.is_empty(), "{remarks:?}");
    let run = run(&scenario).expect("an allowed scenario");
    let mut hash = Hash::default();
    hash.run(&run);
    format!("{query},{},{:016x}", run.first().duration().0, hash.0)
}

#[test]
fn the_article_model_is_what_it_was() {
    let mut now = String::from("query,response_ns,hash\n");
    for row in GOLDEN.lines().skip(1) {
        // Lists have commas of their own.
        let query = row.rsplitn(3, ',').nth(2).unwrap_or_default();
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
