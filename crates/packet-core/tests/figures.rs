//! The articles' figures are the acceptance test: every row, within its tolerance.

use packet_core::figures::{self, Row};

// The explorable runs these tests in a browser.
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn assert_all_hold(rows: &[Row], expected: usize) {
    assert_eq!(rows.len(), expected);
    let outside: Vec<_> = rows.iter().filter(|row| !row.holds()).collect();
    assert!(outside.is_empty(), "out of tolerance: {outside:#?}");
}

#[test]
fn the_slow_start_article() {
    assert_all_hold(&figures::slow_start().expect("a readable file"), 73);
}

#[test]
fn the_bandwidth_delay_product_article() {
    assert_all_hold(&figures::bdp().expect("a readable file"), 22);
}

#[test]
fn a_figure_that_is_off_is_noticed() {
    let mut row = figures::slow_start().expect("a readable file").remove(0);
    assert!(row.holds());
    row.article = figures::Printed::Number(83.0);
    assert!(!row.holds());
    row.article = figures::Printed::None;
    assert!(!row.holds());
}
