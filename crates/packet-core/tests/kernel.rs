//! The `linux` preset against a real kernel: every figure within its tolerance, or listed with a reason.

use packet_core::figures::Printed;
use packet_core::figures::kernel::{self, EXCEPTIONS, Row};

#[test]
fn the_linux_preset_does_what_a_kernel_did() {
    let rows = kernel::rows().expect("a readable file");
    assert_eq!(rows.len(), 1835);
    let wrong: Vec<_> = rows
        .iter()
        .filter(|row| row.holds() == row.exception.is_some())
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

/// `BLESS=1 cargo test --test kernel` writes it anew.
#[test]
fn the_compact_form_holds_every_median() {
    let full = include_str!("../../../tests/figures/kernel.csv");
    let table: Vec<Vec<&str>> = full.lines().map(|line| line.split(',').collect()).collect();
    let place = |name| table[0].iter().position(|h| *h == name).expect("a column");
    let (quantity, median) = (place("quantity"), place("median"));
    let mut quantities: Vec<&str> = Vec::new();
    for row in &table[1..] {
        if !quantities.contains(&row[quantity]) {
            quantities.push(row[quantity]);
        }
    }
    let mut lines = vec![[&table[0][..quantity], &quantities].concat().join(",")];
    for of_one in table[1..].chunk_by(|a, b| a[..quantity] == b[..quantity]) {
        let figure = |name: &&str| {
            let row = of_one.iter().find(|row| row[quantity] == *name);
            row.map_or("", |row| row[median])
        };
        let figures: Vec<&str> = quantities.iter().map(figure).collect();
        lines.push([&of_one[0][..quantity], &figures].concat().join(","));
    }
    let compact = lines.join("\n") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/figures/kernel-medians.csv");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &compact).expect("a writable file");
    }
    assert!(std::fs::read_to_string(path).is_ok_and(|file| file == compact));
}

#[test]
fn every_exception_names_a_figure_as_it_is_and_a_reason() {
    let rows = kernel::rows().expect("a readable file");
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
    let rows = kernel::rows().expect("a readable file");
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
