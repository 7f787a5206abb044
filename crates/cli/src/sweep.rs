//! Many runs over a range of one parameter, as CSV or JSON.

use crate::subject::Subject;
use crate::{Failure, Subcommand, arguments, values};
use clap::{Arg, ArgMatches, Command};
use packet_core::parameter::{Invalid, Kind, Parameter, Scale, Value};
use std::io::{self, Write};
use std::process::ExitCode;

/// The subcommand that runs `M` over a range of one of its numbers.
pub fn subcommand<M: Subject>() -> Subcommand {
    let numbers = M::PARAMETERS.iter().filter(|p| matches!(p.kind, Kind::Number { .. }));
    let numbers: Vec<_> = numbers.map(|p| p.name).collect();
    let over = arguments::word("over", &numbers).default_value(numbers[0]);
    let option = |name| Arg::new(name).long(name).allow_hyphen_values(true);
    let format = arguments::word("format", &["csv", "json"])
        .default_value("csv")
        .help(format!("A row for each run, or an array of what `{} --format json` gives.", M::RUN));
    let range = [
        over.help("The setting that varies."),
        option("from").help("Its first value; its smallest where left out.").value_name("A"),
        option("to")
            .help("Its last value, larger or smaller; its largest where left out.")
            .value_name("B"),
        arguments::points(2..=10_000, "100")
            .help("How many values, spread as on the page's slider; equal ones are run once."),
    ];
    let command = Command::new(M::SWEEP)
        .about(format!("Repeats `{}` over a range of one setting", M::RUN))
        .args(range.map(|arg| arg.help_heading("Sweep")))
        .args(arguments::settings::<M>())
        .arg(format);
    Subcommand { command: arguments::explain::<M>(command, M::EXAMPLES.1), execute: execute::<M> }
}

fn execute<M: Subject>(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let over = M::PARAMETERS.iter().find(|p| p.name == arguments::chosen(matches, "over"));
    let (Some(over), Some(points)) = (over, matches.get_one("points")) else {
        return Err(Failure::Usage("--over and --points are needed".to_owned()));
    };
    if arguments::given(matches, over.name) {
        return Err(Failure::Usage(format!("--{}: it is what varies; leave it out", over.name)));
    }
    let (from, to) = (end(over, matches, "from")?, end(over, matches, "to")?);
    let start = arguments::scenario::<M>(matches)?;
    let at = |n| {
        let mut scenario = start.clone();
        (over.set)(&mut scenario, Value::Number(n));
        scenario
    };
    arguments::agree::<M>(matches, &[], &at(from))?;
    let scenarios = spread(over, from, to, *points).into_iter().map(at);
    match arguments::chosen(matches, "format") {
        "json" => json::<M>(arguments::chosen(matches, "model"), scenarios, out)?,
        _ => csv::<M>(over, scenarios, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// One end of the range.
fn end<S>(p: &Parameter<S>, matches: &ArgMatches, option: &'static str) -> Result<u64, Invalid> {
    let Some(text) = matches.get_one::<String>(option) else {
        return Ok(match p.kind {
            Kind::Number { min, .. } if option == "from" => min,
            Kind::Number { max, .. } => max,
            _ => 0,
        });
    };
    match (p.parse(text), p.kind) {
        (Ok(Value::Number(n)), _) => Ok(n),
        (_, Kind::Number { unit, min, max, .. }) => {
            let allowed = format!("{} to {}", unit.show(min), unit.show(max));
            Err(arguments::invalid(option, text, allowed))
        }
        _ => Err(arguments::invalid(option, text, p.allowed())),
    }
}

/// The values of a sweep: both ends exactly, and what lies between as the parameter's slider spreads it.
fn spread<S>(p: &Parameter<S>, from: u64, to: u64, points: u32) -> Vec<u64> {
    let scale = if let Kind::Number { scale, .. } = p.kind { scale } else { Scale::Linear };
    let last = points - 1;
    let mut values: Vec<_> = (0..=last)
        .map(|i| if from <= to { i } else { last - i })
        .map(|i| scale.at(f64::from(i) / f64::from(last), from.min(to), from.max(to)))
        .collect();
    values.dedup();
    values
}

fn csv<M: Subject>(
    over: &Parameter<M::Scenario>,
    scenarios: impl Iterator<Item = M::Scenario>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let keys = M::QUANTITIES.iter().map(|q| q.key.to_owned());
    row(std::iter::once(values::key(over)).chain(keys), out)?;
    for scenario in scenarios {
        let run = M::run(&scenario)?;
        let figures = M::QUANTITIES.iter().map(|q| values::figure((q.value)(&run)));
        let cells = std::iter::once(values::setting(over, &scenario)).chain(figures);
        row(cells.map(|value| values::cell(&value)), out)?;
    }
    Ok(())
}

fn row(cells: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))
}

fn json<M: Subject>(
    preset: &str,
    scenarios: impl Iterator<Item = M::Scenario>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut separator = "[\n";
    for scenario in scenarios {
        let run = M::run(&scenario)?;
        write!(out, "{separator}{}", values::object::<M>(preset, &scenario, &run))?;
        separator = ",\n";
    }
    writeln!(out, "\n]")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::slow_start::PARAMETERS;

    fn parameter(name: &str) -> &'static Parameter<packet_core::Scenario> {
        PARAMETERS.iter().find(|p| p.name == name).expect("a parameter")
    }

    #[test]
    fn a_sweep_hits_both_ends_in_either_direction() {
        let size = parameter("size");
        let up = spread(size, 1_000, 64_000_000, 200);
        assert_eq!((up.len(), up[0], up[199]), (200, 1_000, 64_000_000));
        let down: Vec<_> = spread(size, 64_000_000, 1_000, 200).into_iter().rev().collect();
        assert_eq!(down, up);
    }

    #[test]
    fn it_is_logarithmic_where_the_slider_is() {
        assert_eq!(spread(parameter("rate"), 1_000_000, 100_000_000, 3)[1], 10_000_000);
        assert_eq!(spread(parameter("initial-window"), 1, 9, 3), [1, 5, 9]);
    }

    #[test]
    fn equal_values_are_run_once() {
        assert_eq!(spread(parameter("initial-window"), 1, 4, 50), [1, 2, 3, 4]);
        assert_eq!(spread(parameter("rtt"), 80, 80, 5), [80]);
    }
}
