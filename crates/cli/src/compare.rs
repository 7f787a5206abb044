//! A few initial windows side by side, for one connection and for several.

use crate::study::{self, WINDOW};
use crate::{Failure, Subcommand, arguments, values};
use clap::{ArgMatches, Command};
use packet_core::study::{COST_QUANTITIES, OUTCOME_QUANTITIES, compare, cost};
use serde_json::Value as Json;
use std::io::Write;
use std::process::ExitCode;

/// The subcommand that compares initial windows.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["text", "json", "csv"])
        .default_value("text")
        .help("A table; one JSON object with the settings; a row for each window.");
    let command = Command::new("compare")
        .about(
            "Runs one scenario with a few initial windows, and what they cost several connections",
        )
        .arg(study::windows(1..=16, "3,10,32").help("The initial windows to compare."));
    let command = study::settings(command, &[WINDOW]).arg(format);
    let examples = [
        "compare --size 68KB --rtt 85ms --setup tls13 --clock syn-to-ack",
        "compare --initial-window 10,46 --size 64KB --rate 1Mbps --rtt 80ms",
        "compare --connections 8 --size 45KB --rate 5Mbps --format json",
    ];
    Subcommand { command: study::examples(command, &examples), execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let scenario = study::scenario(matches, &[WINDOW])?;
    let windows = study::chosen(matches);
    let outcomes = compare(&scenario, windows)?;
    let shared = scenario.connections > 1;
    match arguments::chosen(matches, "format") {
        "json" => {
            let preset = arguments::chosen(matches, "model");
            let mut object =
                values::settings::<packet_core::SlowStart>(preset, &scenario, &[WINDOW]);
            let each = outcomes.iter().map(|o| study::json(OUTCOME_QUANTITIES, o));
            object.insert("windows".to_owned(), each.collect::<Json>());
            if shared {
                let costs = cost(&scenario, windows)?;
                let each = costs.iter().map(|c| study::json(COST_QUANTITIES, c));
                object.insert("cost".to_owned(), each.collect::<Json>());
            }
            writeln!(out, "{:#}", Json::from(object))?;
        }
        "csv" => study::csv(OUTCOME_QUANTITIES, &outcomes, out)?,
        _ => {
            study::text(OUTCOME_QUANTITIES, &outcomes, out)?;
            if shared {
                let connections = scenario.connections;
                writeln!(out, "\n{connections} connections against a single one")?;
                study::text(COST_QUANTITIES, &cost(&scenario, windows)?, out)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
