//! Pasted output of `ss`, `curl` and `nstat`: what it means, and the settings it gives.

use crate::{Failure, Subcommand, arguments, input};
use clap::{Arg, ArgMatches, Command};
use packet_core::Scenario;
use readings::{Reading, Readings, Settings, curl};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::process::ExitCode;

/// The subcommand that reads a file.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["text", "json"])
        .default_value("text")
        .help("Lines for people; one JSON object, times in milliseconds.");
    let file = Arg::new("file").value_name("FILE").required(true).help("The file; - is the input.");
    let command = Command::new("read-ss")
        .about("Says what output of `ss -ti`, `curl -w` or `nstat -az` means, and gives it as settings of `run`")
        .after_help(
            "Examples:\n  ss -ti | slowstart read-ss -\n          every TCP connection of this host\n  \
             nstat -az 'TcpExtTCPHystart*' | slowstart read-ss -\n          where HyStart ends slow start",
        )
        .arg(file)
        .arg(format);
    Subcommand { command, execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let file = matches.get_one::<String>("file").map_or("-", String::as_str);
    let text = input::text(file)?;
    let readings = readings::read(&text).map_err(|e| Failure::Usage(format!("{file}: {e}")))?;
    match arguments::chosen(matches, "format") {
        "json" => writeln!(out, "{:#}", object(&readings))?,
        _ => print(&readings, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The path that HyStart's counters are held against: what the readings say of it, else the start values.
fn path(settings: &Settings) -> Scenario {
    let mut scenario = Scenario::default();
    settings.apply(&mut scenario);
    scenario
}

fn print(readings: &Readings, out: &mut dyn Write) -> io::Result<()> {
    let settings = readings.settings();
    for socket in &readings.sockets {
        let state = socket.state.as_ref().map(|s| format!(", {s}")).unwrap_or_default();
        writeln!(out, "{} (line {}{state})", socket.name(), socket.line)?;
        list(&socket.readings(), out)?;
        if !socket.aside.is_empty() {
            writeln!(out, "  of no bearing here: {}", socket.aside.join(", "))?;
        }
        writeln!(out)?;
    }
    for timing in &readings.timings {
        writeln!(out, "Timing line {}", timing.line)?;
        list(&timing.readings(), out)?;
        writeln!(out)?;
    }
    if readings.timings.len() > 1 {
        writeln!(out, "Timing lines compared")?;
        list(&curl::comparisons(&readings.timings), out)?;
        writeln!(out)?;
    }
    if let Some(counters) = readings.hystart {
        writeln!(out, "HyStart's counters")?;
        list(&counters.readings(&path(&settings)), out)?;
        if readings.other_counters > 0 {
            writeln!(out, "  of no bearing here: {} other counters", readings.other_counters)?;
        }
        writeln!(out)?;
    }
    if !readings.unknown.is_empty() {
        writeln!(out, "Not read")?;
        for unknown in &readings.unknown {
            writeln!(out, "  {}", unknown.to_string().replace(char::is_control, " "))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Settings, from {}", settings.source)?;
    writeln!(out, "  {}", run_command(&settings))?;
    for remark in settings.telling() {
        writeln!(out, "    --{}: {}", remark.name, remark.text)?;
    }
    Ok(())
}

fn run_command(settings: &Settings) -> String {
    format!("slowstart run {}", settings.options()).trim_end().to_owned()
}

fn list(readings: &[Reading], out: &mut dyn Write) -> io::Result<()> {
    let width = readings.iter().map(|r| r.field.chars().count()).max().unwrap_or(0);
    for r in readings {
        writeln!(out, "  {:width$}  {}", r.field, r.value)?;
        writeln!(out, "  {:width$}    {}", "", r.meaning)?;
    }
    Ok(())
}

fn object(readings: &Readings) -> Json {
    let settings = readings.settings();
    let sockets = readings.sockets.iter().map(|s| {
        json!({
            "line": s.line,
            "state": s.state,
            "local": s.local,
            "peer": s.peer,
            "readings": s.readings(),
            "aside": s.aside,
        })
    });
    let timings =
        readings.timings.iter().map(|t| json!({ "line": t.line, "readings": t.readings() }));
    json!({
        "sockets": sockets.collect::<Vec<_>>(),
        "timings": timings.collect::<Vec<_>>(),
        "comparisons": curl::comparisons(&readings.timings),
        "hystart": readings.hystart.map(|counters| counters.readings(&path(&settings))),
        "other_counters": readings.other_counters,
        "unknown": readings.unknown,
        "settings": {
            "source": settings.source,
            "run": run_command(&settings),
            "query": settings.query(),
            "changes": settings.changes,
            "remarks": settings.remarks,
        },
    })
}
