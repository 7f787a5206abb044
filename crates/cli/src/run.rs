//! One run, as text, JSON, a trace or a log.

use crate::subject::Subject;
use crate::{Failure, Subcommand, arguments, values};
use clap::{ArgMatches, Command};
use packet_core::logged::Told;
use std::io::{self, Write};
use std::process::ExitCode;

/// The subcommand that runs `M` once.
pub fn subcommand<M: Subject>() -> Subcommand {
    let format = arguments::word("format", &["text", "json", "csv", "decisions"])
        .default_value("text")
        .help("A table; one JSON object; the trace; what was decided, when.");
    let command = Command::new(M::RUN).about(M::ABOUT).args(arguments::settings::<M>()).arg(format);
    Subcommand { command: arguments::explain::<M>(command, M::EXAMPLES.0), execute: execute::<M> }
}

fn execute<M: Subject>(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let scenario = arguments::scenario::<M>(matches)?;
    let run = M::run(&scenario)?;
    match arguments::chosen(matches, "format") {
        "json" => {
            let object = values::object::<M>(arguments::chosen(matches, "model"), &scenario, &run);
            writeln!(out, "{object:#}")?;
        }
        "csv" => out.write_all(M::trace_csv(&run).as_bytes())?,
        "decisions" => log::<M>("", &run, out)?,
        _ => text::<M>(&scenario, &run, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text<M: Subject>(scenario: &M::Scenario, run: &M::Run, out: &mut dyn Write) -> io::Result<()> {
    let settings: Vec<_> = values::model::<M>(scenario).chain(M::PARAMETERS).collect();
    let labels = settings.iter().map(|p| p.label).chain(M::QUANTITIES.iter().map(|q| q.label));
    let width = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    if let Some(headline) = M::headline(run) {
        writeln!(out, "{headline}\n")?;
    }
    writeln!(out, "Settings")?;
    for p in settings {
        writeln!(out, "  {:width$}  {}", p.label, p.show((p.get)(scenario)))?;
    }
    writeln!(out, "\nFigures")?;
    for q in M::QUANTITIES {
        writeln!(out, "  {:width$}  {}", q.label, q.show(run))?;
    }
    writeln!(out, "\nLog")?;
    log::<M>("  ", run, out)
}

fn log<M: Subject>(indent: &str, run: &M::Run, out: &mut dyn Write) -> io::Result<()> {
    for logged in M::log(run) {
        match logged.what.instead_of_moment() {
            Some(instead) => writeln!(out, "{indent}{instead:>13}  {logged}")?,
            None => writeln!(out, "{indent}{:>10.3} ms  {logged}", logged.at.as_millis())?,
        }
    }
    Ok(())
}
