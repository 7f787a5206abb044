//! What the subcommands that compare initial windows have in common: options and tables.

use crate::{Failure, arguments, table, values};
use clap::{Arg, ArgMatches, Command};
use packet_core::parameter::{Invalid, Parameter, Value};
use packet_core::quantity::Quantity;
use packet_core::{Model, Scenario, SlowStart};
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// The setting that is given as a list.
pub const WINDOW: &str = "initial-window";

/// Several initial windows, as typed.
#[derive(Clone)]
struct Windows(Vec<u32>);

/// An option for `count` initial windows.
pub fn windows(count: RangeInclusive<usize>, start: &'static str) -> Arg {
    let (least, most) = (*count.start(), *count.end());
    let many = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let name = format!("{many} numbers, as in {start}");
    let allowed = format!("{many} of {}, as in {start}", parameter().allowed());
    Arg::new(WINDOW)
        .long(WINDOW)
        .value_name(name)
        .default_value(start)
        .allow_hyphen_values(true)
        .value_parser(move |text: &str| {
            let read = |part: &str| match parameter().parse(part) {
                Ok(Value::Number(n)) => Some(n as u32),
                _ => None,
            };
            let windows: Option<Vec<_>> = text.split(',').map(read).collect();
            let windows = windows.filter(|windows| count.contains(&windows.len()));
            windows.map(Windows).ok_or_else(|| arguments::invalid(WINDOW, text, allowed.clone()))
        })
}

fn parameter() -> &'static Parameter<Scenario> {
    SlowStart::parameter(WINDOW).expect("the slow-start model has an initial window")
}

/// The initial windows given.
pub fn chosen(matches: &ArgMatches) -> &[u32] {
    matches.get_one::<Windows>(WINDOW).map_or(&[], |windows| &windows.0)
}

/// The two initial windows given: the current and the proposed one.
pub fn chosen_pair(matches: &ArgMatches) -> Result<[u32; 2], Failure> {
    let pair = chosen(matches).try_into();
    pair.map_err(|_| Failure::Usage(format!("--{WINDOW}: two are needed")))
}

/// Adds the settings of one run but those `without`.
pub fn settings(command: Command, without: &'static [&'static str]) -> Command {
    let kept = |arg: &Arg| !without.contains(&arg.get_id().as_str());
    command.args(arguments::settings::<SlowStart>().into_iter().filter(kept))
}

/// The scenario that the options of [`settings`] describe.
pub fn scenario(matches: &ArgMatches, without: &[&str]) -> Result<Scenario, Invalid> {
    arguments::scenario_but::<SlowStart>(matches, without)
}

/// Examples below the options.
pub fn examples(command: Command, examples: &[&str]) -> Command {
    let lines = examples.iter().map(|line| format!("  slowstart {line}\n"));
    command.after_help(format!("Examples:\n{}", lines.collect::<String>()))
}

/// Figures as columns, a row for each of `items`, for people.
pub fn text<R>(quantities: &[Quantity<R>], items: &[R], out: &mut dyn Write) -> io::Result<()> {
    let mut rows = vec![quantities.iter().map(|q| q.label.to_owned()).collect::<Vec<_>>()];
    rows.extend(items.iter().map(|item| quantities.iter().map(|q| q.show(item)).collect()));
    table::write(&rows, 1..quantities.len(), out)
}

/// Which model was run, a line for the preset and for each assumption that is taken otherwise.
pub fn model(scenario: &Scenario, out: &mut dyn Write) -> io::Result<()> {
    for p in values::model::<SlowStart>(scenario) {
        writeln!(out, "{}: {}", p.label, p.show((p.get)(scenario)))?;
    }
    writeln!(out)
}

/// The figures of one item as an object.
pub fn json<R>(quantities: &[Quantity<R>], item: &R) -> Map<String, Json> {
    quantities.iter().map(|q| (q.key.to_owned(), values::figure((q.value)(item)))).collect()
}

/// Objects with the same keys as rows of a table, for a spreadsheet.
pub fn csv(rows: &[Map<String, Json>], out: &mut dyn Write) -> io::Result<()> {
    let keys = rows.first().map(|row| row.keys().cloned().collect::<Vec<_>>());
    writeln!(out, "{}", keys.unwrap_or_default().join(","))?;
    for row in rows {
        let cells: Vec<_> = row.values().map(values::cell).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}
