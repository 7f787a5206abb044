//! What the slow-start model takes for granted, and what taking it otherwise changes.

use crate::{Failure, Subcommand, arguments};
use clap::{ArgMatches, Command};
use packet_core::assumptions::Preset;
use packet_core::slow_start::assumptions::{self, Assumption};
use packet_core::{Model, Run, SlowStart, model};
use std::io::{self, Write};
use std::process::ExitCode;

/// The subcommand that lists them.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["text", "markdown"])
        .default_value("text")
        .help("A list, or a table for a document.");
    let command = Command::new("assumptions")
        .about("Lists what the model of `run` takes for granted, and what taking it otherwise changes there")
        .args(arguments::settings::<SlowStart>())
        .arg(format);
    let examples = [
        ("--size 16MB --hystart off", "which assumptions an overflowing queue depends on"),
        ("--model linux --loss last-two --rtt 20ms", "which the repair of a tail depends on"),
    ];
    Subcommand { command: arguments::explain::<SlowStart>(command, &examples), execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let scenario = arguments::scenario::<SlowStart>(matches)?;
    let run = SlowStart::run(&scenario)?;
    match arguments::chosen(matches, "format") {
        "markdown" => markdown(&run, out)?,
        _ => text(&run, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// How the other way is called, and what it changes.
fn effect(assumption: &Assumption, run: &Run) -> Result<(&'static str, String), Failure> {
    let other = assumption.other(&run.scenario);
    let changed = SlowStart::run(&assumption.flipped(&run.scenario))?;
    let change = model::change::<SlowStart>(run, &changed, assumptions::TELLING);
    let label = assumption.parameter.label_of(other).unwrap_or_default();
    Ok((label, change.unwrap_or_else(|| "no change".to_owned())))
}

fn preset(assumption: &Assumption, preset: Preset) -> String {
    assumption.parameter.exact(assumption.preset(preset))
}

fn text(run: &Run, out: &mut dyn Write) -> Result<(), Failure> {
    for assumption in assumptions::all() {
        let p = assumption.parameter;
        let (label, change) = effect(&assumption, run)?;
        let lines = [
            ("article", preset(&assumption, Preset::Article)),
            ("linux", preset(&assumption, Preset::Linux)),
            ("here", p.exact((p.get)(&run.scenario))),
            ("otherwise", format!("{label}: {change}")),
            ("source", assumption.source.to_owned()),
        ];
        writeln!(out, "{}\n  {}", p.name, p.help)?;
        for (name, value) in lines {
            writeln!(out, "  {name:10} {value}")?;
        }
    }
    Ok(())
}

fn markdown(run: &Run, out: &mut dyn Write) -> Result<(), Failure> {
    row(["Assumption", "What it says", "Article", "Linux", "Taken otherwise", "Source"], out)?;
    row(["---"; 6], out)?;
    for assumption in assumptions::all() {
        let p = assumption.parameter;
        let (label, change) = effect(&assumption, run)?;
        let code = |word: String| format!("`{word}`");
        let cells = [
            code(p.name.to_owned()),
            p.help.to_owned(),
            code(preset(&assumption, Preset::Article)),
            code(preset(&assumption, Preset::Linux)),
            format!("{label}: {change}"),
            assumption.source.to_owned(),
        ];
        row(cells.each_ref().map(String::as_str), out)?;
    }
    Ok(())
}

fn row(cells: [&str; 6], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}
