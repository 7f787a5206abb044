//! The commands that check a scenario on a real system.

use crate::{Failure, Subcommand, arguments};
use clap::{ArgMatches, Command};
use packet_core::SlowStart;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// The subcommand that gives them.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["text", "json"])
        .default_value("text")
        .help("A script with comments; one JSON object.");
    let command = Command::new("commands")
        .about("Gives the commands that check a run on a real system, with the figures the model expects")
        .args(arguments::settings::<SlowStart>())
        .arg(format);
    Subcommand { command, execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let scenario = arguments::scenario::<SlowStart>(matches)?;
    let commands = readings::commands(&scenario)?;
    let before = readings::commands::BEFORE;
    if arguments::chosen(matches, "format") == "json" {
        writeln!(out, "{:#}", json!({ "before": before, "commands": commands }))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "# {before}")?;
    for command in commands {
        writeln!(out, "\n# {}: {}", command.place.name(), command.purpose)?;
        if !command.run.is_empty() {
            writeln!(out, "{}", command.run)?;
        }
        writeln!(out, "# {}", command.look_for)?;
    }
    Ok(ExitCode::SUCCESS)
}
