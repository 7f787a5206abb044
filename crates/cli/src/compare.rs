//! A few initial windows side by side, for one connection and for several.

use crate::study::{self, WINDOW};
use crate::{Failure, Subcommand, arguments, values};
use clap::{ArgMatches, Command};
use packet_core::SlowStart;
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
    // All connections together are one half of what the windows cost.
    let costs = if scenario.connections > 1 { cost(&scenario, windows)? } else { Vec::new() };
    let outcomes = match costs[..] {
        [] => compare(&scenario, windows)?,
        _ => costs.iter().map(|cost| cost.together).collect(),
    };
    let mut rows: Vec<_> = outcomes.iter().map(|o| study::json(OUTCOME_QUANTITIES, o)).collect();
    let each_cost = costs.iter().map(|c| study::json(COST_QUANTITIES, c));
    match arguments::chosen(matches, "format") {
        "json" => {
            let preset = arguments::chosen(matches, "model");
            let mut object = values::settings::<SlowStart>(preset, &scenario, &[WINDOW]);
            object.insert("windows".to_owned(), rows.into());
            if !costs.is_empty() {
                object.insert("cost".to_owned(), each_cost.collect::<Json>());
            }
            writeln!(out, "{:#}", Json::from(object))?;
        }
        "csv" => {
            // What both tell is the same in both.
            rows.iter_mut().zip(each_cost).for_each(|(row, cost)| row.extend(cost));
            study::csv(&rows, out)?;
        }
        _ => {
            study::model(&scenario, out)?;
            study::text(OUTCOME_QUANTITIES, &outcomes, out)?;
            if !costs.is_empty() {
                writeln!(out, "\n{} connections against a single one", scenario.connections)?;
                study::text(COST_QUANTITIES, &costs, out)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
