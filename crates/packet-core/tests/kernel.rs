//! The `linux` preset against a real kernel: every figure within its tolerance, or listed with a reason.

use packet_core::assumptions::Preset;
use packet_core::figures::Printed;
use packet_core::figures::kernel::{self, EXCEPTIONS, Row};
use packet_core::model;
use packet_core::{Model, Scenario, SlowStart};
use std::fmt::Write;

#[test]
fn the_linux_preset_does_what_a_kernel_did() {
    let rows = kernel::rows();
    assert_eq!(rows.len(), 1835);
    let wrong: Vec<_> = rows
        .iter()
        .filter(|row| row.holds() == row.exception().is_some())
        .map(|row| {
            let what = if row.holds() { "holds, no exception needed" } else { "is off" };
            format!("{},{}: {what}: {}", row.id, row.quantity, values(row))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows: {wrong:#?}", wrong.len());
}

fn values(row: &Row) -> String {
    let kernel = match row.kernel {
        Printed::Number(n) => n.to_string(),
        Printed::None => "none".to_owned(),
    };
    let linux = row.linux.number().map_or("none".to_owned(), |n| format!("{n:.1}"));
    format!("{kernel},{linux}")
}

/// A column of `kernel.csv`, the parameter it sets, and the unit its numbers are in.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("size_bytes", "size", ""),
    ("rate_bps", "rate", "bps"),
    ("rtt_ms", "rtt", "ms"),
    ("iw", "initial-window", ""),
    ("hystart", "hystart", ""),
    ("tlp", "tail-loss-probe", ""),
    ("slow_start_after_idle", "slow-start-after-idle", ""),
    ("idle_ms", "idle", "ms"),
    ("queue_packets", "buffer", ""),
    // They mean something to the `linux` preset only.
    ("pacing", "pacing", ""),
    ("acks", "acks", ""),
];

/// Figures that have another name here.
const RENAMED: &[(&str, &str)] = &[("dropped", "queue_drops"), ("rto_at_end_ms", "rto_ms")];

/// The settings of a line of `kernel.csv` as a query, without the preset.
fn settings(header: &[&str], cells: &[&str]) -> String {
    let cell = |name: &str| {
        let place = header.iter().position(|h| *h == name).expect("a column");
        cells[place]
    };
    let mut scenario = Scenario::of(Preset::Linux);
    let mut set = |name: &str, text: &str| {
        let p = SlowStart::parameter(name).expect("a parameter");
        (p.set)(&mut scenario, p.parse(text).expect("an allowed value"));
    };
    for (column, parameter, suffix) in SETTINGS {
        if !cell(column).is_empty() {
            set(parameter, &format!("{}{suffix}", cell(column)));
        }
    }
    match cell("loss") {
        "last" => set("loss", "last-window"),
        "last2" => set("loss", "last-two"),
        // segKofN: the K-th of N.
        text => match text.strip_prefix("seg").and_then(|t| t.split_once("of")) {
            Some((number, _)) => set("lose-segment", number),
            None => set("loss", text),
        },
    }
    let query = model::to_query::<SlowStart>(&scenario);
    let pairs: Vec<_> = query.split('&').filter(|pair| !pair.starts_with("model=")).collect();
    pairs.join("&")
}

/// `BLESS=1 cargo test --test kernel` writes it anew.
#[test]
fn the_compact_form_holds_every_median() {
    let full = include_str!("../../../tests/figures/kernel.csv");
    let table: Vec<Vec<&str>> = full.lines().map(|line| line.split(',').collect()).collect();
    let header = &table[0];
    let place = |name| header.iter().position(|h| *h == name).expect("a column");
    let (quantity, median) = (place("quantity"), place("median"));
    let mut quantities: Vec<&str> = Vec::new();
    for row in &table[1..] {
        if !quantities.contains(&row[quantity]) {
            quantities.push(row[quantity]);
        }
    }
    let key = |name: &'static str| {
        RENAMED.iter().find(|renamed| renamed.0 == name).map_or(name, |renamed| renamed.1)
    };
    let keys: Vec<&str> = quantities.iter().copied().map(key).collect();
    // What belongs together stands together: by group and path, then as measured.
    let number = |row: &[&str], name| row[place(name)].parse::<u64>().unwrap_or(0);
    let mut measurements: Vec<_> =
        table[1..].chunk_by(|a, b| a[..quantity] == b[..quantity]).collect();
    measurements.sort_by_key(|rows| {
        let path = ["rtt_ms", "size_bytes", "rate_bps", "iw", "idle_ms"];
        (rows[0][0].chars().next(), path.map(|name| number(&rows[0], name)))
    });
    let mut compact = format!("id,settings,{}\n", keys.join(","));
    for of_one in measurements {
        let figure = |name: &&str| {
            let row = of_one.iter().find(|row| row[quantity] == *name);
            row.map_or("", |row| row[median])
        };
        let figures: Vec<&str> = quantities.iter().map(figure).collect();
        let (id, settings) = (of_one[0][0], settings(header, &of_one[0]));
        // Writing to a string cannot fail.
        let _ = writeln!(compact, "{id},{settings},{}", figures.join(","));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/figures/kernel-medians.csv");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &compact).expect("a writable file");
    }
    assert!(std::fs::read_to_string(path).is_ok_and(|file| file == compact));
}

#[test]
fn every_exception_names_a_figure_as_it_is_and_a_reason() {
    let rows = kernel::rows();
    for line in EXCEPTIONS.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(5, ',').collect();
        let &[id, quantity, kernel, linux, reason] = cells.as_slice() else {
            panic!("{line}: not five cells");
        };
        let row = rows.iter().find(|row| row.id == id && row.quantity == quantity);
        let row = row.unwrap_or_else(|| panic!("{line}: no such figure"));
        assert_eq!(format!("{kernel},{linux}"), values(row), "{line}");
        assert!(reason.len() > 10, "{line}: no reason");
    }
}

/// `cargo test --test kernel -- --ignored --nocapture` shows how each quantity fares.
#[test]
#[ignore = "prints a summary"]
fn summary() {
    let rows = kernel::rows();
    let mut quantities: Vec<&str> = rows.iter().map(|row| row.quantity).collect();
    quantities.sort_unstable();
    quantities.dedup();
    for quantity in quantities {
        let of: Vec<_> = rows.iter().filter(|row| row.quantity == quantity).collect();
        let held = of.iter().filter(|row| row.holds()).count();
        let equal = of.iter().filter(|row| {
            values(row).split_once(',').is_some_and(|(a, b)| {
                a == b
                    || a.parse::<f64>()
                        .ok()
                        .zip(b.parse::<f64>().ok())
                        .is_some_and(|(a, b)| (a - b).abs() < 0.5)
            })
        });
        let aim = if of[0].tolerance.is_some() { "" } else { " (no aim)" };
        println!("{quantity:26} {held:4} of {:4} hold, {:4} equal{aim}", of.len(), equal.count());
    }
    for row in rows.iter().filter(|row| !row.holds()) {
        println!("{},{},{}", row.id, row.quantity, values(row));
    }
    if std::env::var_os("ALL").is_some() {
        for row in rows.iter().filter(|row| row.tolerance.is_none()) {
            println!("-- {},{},{}", row.id, row.quantity, values(row));
        }
    }
}
