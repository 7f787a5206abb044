//! The `slowstart` program: the model's scenarios as text, JSON or CSV.

mod arguments;
mod assumptions;
mod commands;
mod compare;
mod failure;
mod figures;
mod heat_map;
mod input;
mod objects;
mod read_ss;
mod run;
mod study;
mod subject;
mod sweep;
mod table;
mod values;

use clap::{ArgMatches, Command};
use failure::Failure;
use packet_core::SlowStart;
use packet_core::bdp::BandwidthDelay;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// A subcommand, and what it does with its options.
struct Subcommand {
    command: Command,
    execute: fn(&ArgMatches, &mut dyn Write) -> Result<ExitCode, Failure>,
}

fn subcommands() -> Vec<Subcommand> {
    vec![
        run::subcommand::<SlowStart>(),
        sweep::subcommand::<SlowStart>(),
        compare::subcommand(),
        objects::subcommand(),
        heat_map::subcommand(),
        run::subcommand::<BandwidthDelay>(),
        sweep::subcommand::<BandwidthDelay>(),
        figures::subcommand(),
        assumptions::subcommand(),
        read_ss::subcommand(),
        commands::subcommand(),
    ]
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let done = execute(std::env::args_os(), &mut out);
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn execute(
    arguments: impl Iterator<Item = OsString>,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let subcommands = subcommands();
    let matches = Command::new("slowstart")
        .version(env!("CARGO_PKG_VERSION"))
        .about("How a TCP connection starts, and what that costs a response")
        .after_help(
            "Sizes are bytes or 14KB, 1MB (binary); rates 100Mbps or 100000000bps; times 80ms or 1.5s.\n\
             `slowstart run --help` lists the figures and their keys in JSON.\n\
             Exit codes: 0 done; 1 a figure is out of tolerance, or nothing could be written; 2 bad input.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(subcommands.iter().map(|s| s.command.clone()))
        .try_get_matches_from(arguments)?;
    let chosen = matches.subcommand().and_then(|(name, options)| {
        Some((subcommands.iter().find(|s| s.command.get_name() == name)?, options))
    });
    match chosen {
        Some((subcommand, options)) => (subcommand.execute)(options, out),
        None => Err(Failure::Usage("a subcommand is missing".to_owned())),
    }
}
