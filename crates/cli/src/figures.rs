//! The articles' figures beside the model's.

use crate::{Failure, Subcommand};
use clap::{ArgMatches, Command};
use packet_core::figures::{self, Printed, Row};
use packet_core::quantity::Figure;
use std::io::{self, Write};
use std::process::ExitCode;

/// What is compared: a title, and its rows.
type Article = (&'static str, fn() -> Result<Vec<Row>, String>);

const ARTICLES: &[Article] =
    &[("Slow start", figures::slow_start), ("Bandwidth-delay product", figures::bdp)];

/// The subcommand that compares.
pub fn subcommand() -> Subcommand {
    let command = Command::new("figures").about(
        "Shows the articles' figures beside the model's; exit code 1 if one is out of tolerance",
    );
    Subcommand { command, execute }
}

fn execute(_: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut all_hold = true;
    for (title, rows) in ARTICLES {
        all_hold &= compare(title, &rows().map_err(Failure::Data)?, out)?;
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the table; says whether every row holds.
fn compare(title: &str, rows: &[Row], out: &mut dyn Write) -> io::Result<bool> {
    let header = ["figure", "article", "model", "diff", "tolerance", "", "quantity", "settings"];
    let mut table = vec![header.map(str::to_owned)];
    table.extend(rows.iter().map(|row| {
        [
            row.id.clone(),
            match row.article {
                Printed::Number(n) => short(n),
                Printed::None => "none".to_owned(),
            },
            match row.model {
                Figure::Number(n) => short(n),
                Figure::Text(word) | Figure::Absent(word) => word.to_owned(),
            },
            row.difference().map(short).unwrap_or_default(),
            short(row.tolerance),
            if row.holds() { "ok" } else { "OUT" }.to_owned(),
            format!("{} ({})", row.quantity, row.unit),
            if row.settings.is_empty() {
                "start values".into()
            } else {
                row.settings.replace('&', " ")
            },
        ]
    }));
    let widths: [usize; 8] =
        std::array::from_fn(|i| table.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));

    writeln!(out, "{title}\n")?;
    for row in &table {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Numbers to the right, under each other.
            let numeric = (1..5).contains(&i);
            line +=
                &if numeric { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    let held = rows.iter().filter(|row| row.holds()).count();
    writeln!(out, "\n{held} of {} figures within their tolerance", rows.len())?;
    Ok(held == rows.len())
}

/// At most three decimals.
fn short(n: f64) -> String {
    let text = format!("{n:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_out_of_tolerance_is_marked_and_counted() {
        let mut rows = figures::slow_start().expect("a readable file");
        let mut out = Vec::new();
        assert!(compare("Slow start", &rows, &mut out).expect("written"));
        rows[0].article = Printed::Number(90.0);
        out.clear();
        assert!(!compare("Slow start", &rows, &mut out).expect("written"));
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text.matches("  OUT  ").count(), 1);
        assert!(text.contains("\n72 of 73 figures"), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1850.0, 0.06, -0.0001, 15.96149].map(short), ["1850", "0.06", "0", "15.961"]);
    }
}
