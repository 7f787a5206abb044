//! The articles' figures beside the model's, and a real kernel's beside both presets'.

use crate::{Failure, Subcommand, arguments, table};
use clap::{ArgMatches, Command};
use packet_core::figures::{self, Printed, Row, kernel};
use packet_core::quantity::Figure;
use std::io::{self, Write};
use std::process::ExitCode;

/// What is compared: a title, and its rows.
type Article = (&'static str, fn() -> Result<Vec<Row>, String>);

const ARTICLES: &[Article] =
    &[("Slow start", figures::slow_start), ("Bandwidth-delay product", figures::bdp)];

/// The subcommand that compares.
pub fn subcommand() -> Subcommand {
    let model = arguments::word("model", &["article", "linux"])
        .default_value("article")
        .help("Which model: the articles' beside the articles, or Linux's beside a real kernel.");
    let command = Command::new("figures")
        .about(
            "Shows the figures of the articles, or of a real kernel, beside the model's; exit code 1 if one is out of tolerance",
        )
        .arg(model);
    Subcommand { command, execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut all_hold = true;
    if arguments::chosen(matches, "model") == "linux" {
        all_hold = compare_kernel(&kernel::rows(), out)?;
        return Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
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
            printed(row.article),
            figure(row.model),
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
    writeln!(out, "{title}\n")?;
    table::write(&table, 1..5, out)?;
    let held = rows.iter().filter(|row| row.holds()).count();
    writeln!(out, "\n{held} of {} figures within their tolerance", rows.len())?;
    Ok(held == rows.len())
}

/// Writes what a kernel did beside both presets; says whether every row holds or is listed.
fn compare_kernel(rows: &[kernel::Row], out: &mut dyn Write) -> io::Result<bool> {
    let header =
        ["measurement", "article", "linux", "kernel", "diff", "aim", "", "quantity", "settings"];
    let mut table = vec![header.map(str::to_owned)];
    table.extend(rows.iter().map(|row| {
        [
            row.id.to_owned(),
            figure(row.article),
            figure(row.linux),
            printed(row.kernel),
            row.difference().map(short).unwrap_or_default(),
            row.tolerance.map(short).unwrap_or_default(),
            verdict(row).to_owned(),
            format!("{} ({})", row.quantity, row.unit.symbol()),
            row.settings.replace('&', " "),
        ]
    }));
    writeln!(out, "Linux 6.18 beside the linux preset\n")?;
    table::write(&table, 1..6, out)?;
    let count = |wanted| rows.iter().filter(|row| verdict(row) == wanted).count();
    let (within, listed, beyond) = (count("ok"), count("listed"), count("OUT"));
    writeln!(
        out,
        "\n{within} of {} figures within their aim, {listed} listed as exceptions, {beyond} out; {} have no aim",
        within + listed + beyond,
        count("")
    )?;
    for row in rows.iter().filter(|row| verdict(row) == "listed") {
        let reason = row.exception().unwrap_or_default();
        writeln!(out, "{}, {}: {reason}", row.id, row.quantity)?;
    }
    Ok(beyond == 0)
}

/// Whether a row is as close as it should be; nothing where it has no aim.
fn verdict(row: &kernel::Row) -> &'static str {
    match (row.tolerance, row.exception()) {
        (None, _) => "",
        _ if row.holds() => "ok",
        (_, Some(_)) => "listed",
        (_, None) => "OUT",
    }
}

fn printed(figure: Printed) -> String {
    match figure {
        Printed::Number(n) => short(n),
        Printed::None => "none".to_owned(),
    }
}

fn figure(figure: Figure) -> String {
    match figure {
        Figure::Number(n) => short(n),
        Figure::Text(word) | Figure::Absent(word) => word.to_owned(),
    }
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
    fn a_figure_that_misses_the_kernel_is_marked_unless_it_is_listed() {
        let mut rows = kernel::rows();
        let mut out = Vec::new();
        assert!(compare_kernel(&rows, &mut out).expect("written"));
        let listed = rows.iter().filter(|row| row.exception().is_some()).count();
        let text = String::from_utf8(std::mem::take(&mut out)).expect("text");
        assert_eq!(text.matches("  listed  ").count(), listed);
        let row = rows.iter_mut().find(|row| row.tolerance.is_some()).expect("a row with an aim");
        row.kernel = Printed::Number(1e6);
        assert!(!compare_kernel(&rows, &mut out).expect("written"));
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text.matches("  OUT  ").count(), 1);
        assert!(text.contains(", 1 out; "), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1850.0, 0.06, -0.0001, 15.96149].map(short), ["1850", "0.06", "0", "15.961"]);
    }
}
