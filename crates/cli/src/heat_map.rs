//! Two initial windows over link rate and round-trip time, a row for each path.

use crate::study::{self, WINDOW};
use crate::{Failure, Subcommand, arguments};
use clap::{ArgMatches, Command};
use packet_core::study::{Axes, Cell, HeatMap};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

const WITHOUT: &[&str] = &[WINDOW, "rate", "rtt"];

/// The subcommand that maps what a larger window saves.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["csv", "json"])
        .default_value("csv")
        .help("A row, or an object, for each path.");
    let points = arguments::points(2..=200, "40").help(
        "How many link rates, from 1 Mbps to 1 Gbps, and round-trip times, from 5 to 300 ms.",
    );
    let command = Command::new("heat-map")
        .about("Shows on which paths a second initial window is quicker than a first, and where it drops packets")
        .arg(study::windows(2..=2, "10,32").help("The initial windows to compare."))
        .arg(points);
    let command = study::settings(command, WITHOUT).arg(format);
    let examples = ["heat-map --size 64KB --points 20", "heat-map --size 100KB --model linux"];
    Subcommand { command: study::examples(command, &examples), execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let scenario = study::scenario(matches, WITHOUT)?;
    let Some(&points) = matches.get_one("points") else {
        return Err(Failure::Usage("--points is needed".to_owned()));
    };
    let axes = Axes { columns: points, rows: points, ..Axes::default() };
    let mut map = HeatMap::new(&scenario, study::chosen_pair(matches)?, &axes)?;
    let json = arguments::chosen(matches, "format") == "json";
    let mut separator = "[\n";
    if !json {
        writeln!(
            out,
            "rate_bps,rtt_ms,before_ms,after_ms,saved_ms,saved_percent,before_drops,after_drops"
        )?;
    }
    // Row by row, so that whoever reads along sees it grow.
    while !map.is_done() {
        for cell in map.step(points as usize) {
            if json {
                write!(out, "{separator}{}", object(cell))?;
                separator = ",\n";
            } else {
                writeln!(out, "{}", row(cell))?;
            }
        }
    }
    if json {
        writeln!(out, "\n]")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(cell: &Cell) -> String {
    format!(
        "{},{},{:.3},{:.3},{:.3},{:.3},{},{}",
        cell.rate.0,
        cell.rtt.as_millis(),
        cell.before.judged().as_millis(),
        cell.after.judged().as_millis(),
        cell.saved_ms(),
        cell.saved_percent(),
        cell.before.dropped,
        cell.after.dropped
    )
}

fn object(cell: &Cell) -> serde_json::Value {
    json!({
        "rate_bps": cell.rate.0,
        "rtt_ms": cell.rtt.as_millis(),
        "before_ms": cell.before.judged().as_millis(),
        "after_ms": cell.after.judged().as_millis(),
        "saved_ms": cell.saved_ms(),
        "saved_percent": cell.saved_percent(),
        "before_drops": cell.before.dropped,
        "after_drops": cell.after.dropped,
    })
}
