//! A list of objects on a few paths, with the current and with a proposed initial window.

use crate::study::{self, WINDOW};
use crate::{Failure, Subcommand, arguments, input, table, values};
use clap::{Arg, ArgAction, ArgMatches, Command};
use packet_core::SlowStart;
use packet_core::parameter::Invalid;
use packet_core::quantity::signed;
use packet_core::study::{
    BadLine, DEFAULT_PATHS, OUTCOME_QUANTITIES, ObjectTable, Objects, Path, Row, parse_har,
};
use packet_core::units::Unit;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::process::ExitCode;

const WITHOUT: &[&str] = &[WINDOW, "size", "rate", "rtt", "connections", "stagger"];

/// The subcommand that goes through a list of objects.
pub fn subcommand() -> Subcommand {
    let format = arguments::word("format", &["text", "csv", "json"])
        .default_value("text")
        .help("A table for each path; a row for each object and path; one JSON object.");
    let file = Arg::new("file")
        .value_name("FILE")
        .required(true)
        .help("Lines of `name, bytes`, or an HTTP archive (HAR); - reads what is piped in.");
    let path = Arg::new("path")
        .long("path")
        .value_name("RTT,RATE")
        .help("A path, as in 85ms,20Mbps; may be repeated. Where left out: 32, 85 and 140 ms at 20 Mbps.")
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .value_parser(|text: &str| -> Result<Path, Invalid> { Path::parse(text) });
    let command = Command::new("objects")
        .about("Shows what a larger initial window does for each object of a list, path by path")
        .arg(file)
        .arg(path)
        .arg(
            study::windows(2..=2, "10,32").help("The current initial window and the proposed one."),
        );
    let command = study::settings(command, WITHOUT).arg(format);
    let command = command.after_help(
        "Examples:\n  slowstart objects list.txt --path 85ms,20Mbps\n  \
         slowstart objects page.har --setup tls13 --clock syn-to-ack --format csv\n\n\
         Lines that cannot be used are listed on stderr with their number; the rest is used.",
    );
    Subcommand { command, execute }
}

fn execute(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let list = read(matches.get_one::<String>("file").map_or("-", String::as_str))?;
    let paths = match matches.get_many::<Path>("path") {
        Some(paths) => paths.copied().collect(),
        None => DEFAULT_PATHS.to_vec(),
    };
    let scenario = study::scenario(matches, WITHOUT)?;
    let mut table = ObjectTable::new(&scenario, list.objects, paths, study::chosen_pair(matches)?)?;
    table.step(usize::MAX);
    match arguments::chosen(matches, "format") {
        "csv" => out.write_all(table.csv().as_bytes())?,
        "json" => {
            let preset = arguments::chosen(matches, "model");
            let mut object = values::settings::<SlowStart>(preset, &scenario, WITHOUT);
            object.extend(results(&table, &list.bad));
            writeln!(out, "{:#}", Json::from(object))?;
        }
        _ => {
            study::model(&scenario, out)?;
            text(&table, out)?;
        }
    }
    complain(&list.bad)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a list or an archive.
fn read(file: &str) -> Result<Objects, Failure> {
    let text = input::text(file)?;
    let list = if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        parse_har(&text).map_err(|error| Failure::Usage(format!("{file}: {error}")))?
    } else {
        Objects::parse(&text)
    };
    if list.objects.is_empty() {
        let why = match list.bad.first() {
            Some(BadLine { line, reason }) => format!(": line {line}: {reason}"),
            None => String::new(),
        };
        return Err(Failure::Usage(format!("{file}: there is no object in it{why}")));
    }
    Ok(list)
}

/// What could not be used, beside the result and not in it.
fn complain(bad: &[BadLine]) -> io::Result<()> {
    let mut err = io::stderr().lock();
    for BadLine { line, reason } in bad {
        let reason = reason.replace(char::is_control, " ");
        writeln!(err, "slowstart: line {line} is left out: {reason}")?;
    }
    Ok(())
}

fn ms(time: f64) -> String {
    signed(&Unit::Time.figure(time))
}

fn text(table: &ObjectTable, out: &mut dyn Write) -> io::Result<()> {
    let [current, proposed] = table.windows();
    for (i, path) in table.paths().iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{path}\n")?;
        let mut rows = vec![
            [
                "object".to_owned(),
                "size".to_owned(),
                format!("trips at {current}"),
                format!("trips at {proposed}"),
                format!("time at {current}"),
                format!("time at {proposed}"),
                "saved".to_owned(),
                "gain".to_owned(),
                "window for one".to_owned(),
            ]
            .to_vec(),
        ];
        rows.extend(table.rows().iter().filter(|row| row.path == i).map(|row| line(table, row)));
        let total = table.total(i);
        let [a, b] = total.time.map(|time| time.as_millis());
        rows.push(vec![
            format!("{} objects", total.objects),
            String::new(),
            total.round_trips[0].to_string(),
            total.round_trips[1].to_string(),
            ms(a),
            ms(b),
            ms(a - b),
            format!("{} of {}", total.gain, total.objects),
            String::new(),
        ]);
        table::write(&rows, 1..9, out)?;
    }
    Ok(())
}

fn line(table: &ObjectTable, row: &Row) -> Vec<String> {
    let object = &table.objects()[row.object];
    let reused = if object.before > 0 { " (used connection)" } else { "" };
    let name = format!("{}{}{reused}", object.host, object.name).replace(char::is_control, " ");
    let gain = match row.gained_round_trips() {
        0 => String::new(),
        n => signed(&format!("{n:+}")),
    };
    vec![
        name,
        object.size.to_string(),
        row.current.round_trips.to_string(),
        row.proposed.round_trips.to_string(),
        ms(row.current.time.as_millis()),
        ms(row.proposed.time.as_millis()),
        ms(row.saved_ms()),
        gain,
        row.window_for_one.to_string(),
    ]
}

fn results(table: &ObjectTable, bad: &[BadLine]) -> [(String, Json); 4] {
    let objects = |path: usize| -> Json {
        let rows = table.rows().iter().filter(|row| row.path == path);
        rows.map(|row| {
            let object = &table.objects()[row.object];
            json!({
                "host": object.host,
                "name": object.name,
                "bytes": object.size.0,
                "reused_connection": object.before > 0,
                "current": study::json(OUTCOME_QUANTITIES, &row.current),
                "proposed": study::json(OUTCOME_QUANTITIES, &row.proposed),
                "saved_ms": row.saved_ms(),
                "gained_round_trips": row.gained_round_trips(),
                "window_for_one_round_trip": row.window_for_one,
            })
        })
        .collect()
    };
    let paths = table.paths().iter().enumerate().map(|(i, path)| {
        let total = table.total(i);
        json!({
            "rtt_ms": values::number(path.rtt.as_millis()),
            "rate_bps": path.rate.0,
            "objects": objects(i),
            "total": {
                "objects": total.objects,
                "gain": total.gain,
                "current_round_trips": total.round_trips[0],
                "proposed_round_trips": total.round_trips[1],
                "current_ms": total.time[0].as_millis(),
                "proposed_ms": total.time[1].as_millis(),
                "current_drops": total.dropped[0],
                "proposed_drops": total.dropped[1],
            },
        })
    });
    let bad = bad.iter().map(|b| json!({ "line": b.line, "reason": b.reason }));
    let [current, proposed] = table.windows();
    [
        ("current_window", current.into()),
        ("proposed_window", proposed.into()),
        ("paths", paths.collect::<Json>()),
        ("left_out", bad.collect::<Json>()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
}
