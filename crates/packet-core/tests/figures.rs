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

/// A reader has the article beside the panel. Of its figures these alone read otherwise here, each
/// within its tolerance: a packet or two fall on the other side of a slot's boundary.
const READ_OTHERWISE: &[(&str, &str, &str)] = &[
    ("size-64k", "225 ms", "226 ms"),
    ("iw-10", "225 ms", "226 ms"),
    ("hystart-on-worst-rtt", "239 ms", "238 ms"),
    ("hystart-off-peak", "2,625 segments", "2,626 segments"),
    ("hystart-off-dropped", "661 packets", "666 packets"),
    ("idle-1000-second", "380 ms", "379 ms"),
    ("1.49m-queue", "49 ms", "50 ms"),
];

#[test]
fn the_panel_shows_what_the_article_prints() {
    let rows = [figures::slow_start(), figures::bdp()].map(|rows| rows.expect("a readable file"));
    let differ: Vec<_> = rows
        .iter()
        .flatten()
        .filter(|row| row.shown[0] != row.shown[1])
        .map(|row| (row.id.as_str(), row.shown[0].as_str(), row.shown[1].as_str()))
        .collect();
    assert_eq!(differ, READ_OTHERWISE);
}
