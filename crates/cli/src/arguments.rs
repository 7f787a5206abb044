//! Options made from a model's parameters, and the scenario they describe.

use crate::subject::{Example, Preset, Subject};
use crate::values;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use packet_core::parameter::{Invalid, Kind, Parameter, Value};
use std::fmt::Write;
use std::ops::RangeInclusive;

/// One option for each of the model's parameters, `--model`, and where there are any `--assume`.
pub fn settings<M: Subject>() -> Vec<Arg> {
    let start = M::Scenario::default();
    let mut options: Vec<_> = M::PARAMETERS.iter().map(|p| setting(p, &start)).collect();
    let presets: Vec<_> = M::PRESETS.iter().map(|preset| preset.0).collect();
    let model = word("model", &presets).default_value(presets[0]);
    options.push(model.help("The preset of what the model takes for granted."));
    if assumptions::<M>().next().is_some() {
        options.push(
            Arg::new("assume")
                .long("assume")
                .value_name("NAME=VALUE")
                .help("Takes one assumption otherwise than the preset; --help lists them. Repeatable.")
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .value_parser(assumed::<M>),
        );
    }
    options
}

/// The assumptions that can be set one by one: all but the preset.
pub fn assumptions<M: Subject>() -> impl Iterator<Item = &'static Parameter<M::Scenario>> {
    M::ASSUMPTIONS.iter().skip(1)
}

/// An assumption's place among [`assumptions`], and how it is taken.
type Assumed = (usize, Value);

fn assumed<M: Subject>(text: &str) -> Result<Assumed, Invalid> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let Some(place) = assumptions::<M>().position(|p| p.name == name) else {
        let names: Vec<_> = assumptions::<M>().map(|p| p.name).collect();
        let allowed = format!("NAME=VALUE with a NAME of {}", names.join(", "));
        return Err(invalid("assume", text, allowed));
    };
    let parameter = assumptions::<M>().nth(place).map(|p| (p, p.parse(value)));
    match parameter {
        Some((_, Ok(value))) => Ok((place, value)),
        Some((p, Err(_))) => Err(invalid("assume", text, format!("{name}={}", p.allowed()))),
        None => Err(invalid("assume", text, "NAME=VALUE".to_owned())),
    }
}

fn setting<S>(p: &'static Parameter<S>, start: &S) -> Arg {
    Arg::new(p.name)
        .long(p.name)
        .help(p.help)
        .help_heading("Settings")
        .value_name(p.allowed())
        .default_value(p.exact((p.get)(start)))
        // So that a negative number is reported as out of range, not as an unknown option.
        .allow_hyphen_values(true)
        .value_parser(|text: &str| p.parse(text))
}

/// An option that takes one of these words.
pub fn word(name: &'static str, words: &[&'static str]) -> Arg {
    let words = words.to_vec();
    let arg = Arg::new(name).long(name).value_name(words.join("|")).allow_hyphen_values(true);
    arg.value_parser(move |text: &str| {
        let word = words.iter().find(|word| **word == text).copied();
        word.ok_or_else(|| invalid(name, text, words.join(", ")))
    })
}

/// An option for how many values there are of what varies.
pub fn points(range: RangeInclusive<u32>, start: &'static str) -> Arg {
    let allowed = format!("{} to {}", range.start(), range.end());
    Arg::new("points")
        .long("points")
        .value_name(allowed.clone())
        .default_value(start)
        .allow_hyphen_values(true)
        .value_parser(move |text: &str| {
            let points = text.parse().ok().filter(|n: &u32| range.contains(n));
            points.ok_or_else(|| invalid("points", text, allowed.clone()))
        })
}

/// An option's value that is not allowed.
pub fn invalid(option: &'static str, value: &str, allowed: String) -> Invalid {
    Invalid { field: option, value: value.to_owned(), allowed }
}

/// The scenario that the options of [`settings`] describe.
///
/// # Errors
/// As [`agree`].
pub fn scenario<M: Subject>(matches: &ArgMatches) -> Result<M::Scenario, Invalid> {
    scenario_but::<M>(matches, &[])
}

/// The same where the settings `without` are no options.
///
/// # Errors
/// As [`agree`].
pub fn scenario_but<M: Subject>(
    matches: &ArgMatches,
    without: &[&str],
) -> Result<M::Scenario, Invalid> {
    let mut scenario = M::Scenario::default();
    let preset = M::PRESETS.iter().find(|preset| preset.0 == chosen(matches, "model"));
    if let Some((_, apply)) = preset {
        apply(&mut scenario);
    }
    for (p, value) in given_settings::<M>(matches, without) {
        (p.set)(&mut scenario, value);
    }
    if assumptions::<M>().next().is_some() {
        for (place, value) in matches.get_many::<Assumed>("assume").into_iter().flatten() {
            if let Some(p) = assumptions::<M>().nth(*place) {
                (p.set)(&mut scenario, *value);
            }
        }
    }
    agree::<M>(matches, without, &scenario)?;
    Ok(scenario)
}

/// The settings that were given, not the defaults, which a preset may have changed.
fn given_settings<'a, M: Subject>(
    matches: &'a ArgMatches,
    without: &'a [&str],
) -> impl Iterator<Item = (&'static Parameter<M::Scenario>, Value)> + 'a {
    let options = M::PARAMETERS.iter().filter(|p| !without.contains(&p.name));
    options
        .filter(|p| given(matches, p.name))
        .filter_map(|p| Some((p, *matches.get_one::<Value>(p.name)?)))
}

/// Checks that the scenario is as every option says, as one may undo another.
///
/// # Errors
/// [`Invalid`], naming the first option that was undone.
pub fn agree<M: Subject>(
    matches: &ArgMatches,
    without: &[&str],
    scenario: &M::Scenario,
) -> Result<(), Invalid> {
    let undone = |(p, value): &(&Parameter<M::Scenario>, Value)| (p.get)(scenario) != *value;
    match given_settings::<M>(matches, without).find(undone) {
        Some((p, value)) => {
            let allowed = format!("{} with the other options given", p.exact((p.get)(scenario)));
            Err(invalid(p.name, &p.exact(value), allowed))
        }
        None => Ok(()),
    }
}

/// The word given for an option made by [`word`].
pub fn chosen(matches: &ArgMatches, name: &str) -> &'static str {
    matches.get_one(name).copied().unwrap_or_default()
}

/// Whether the option was given, rather than left at its default.
pub fn given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// The words an assumption can take, each with the presets that take it so.
fn with_presets<M: Subject>(p: &Parameter<M::Scenario>) -> String {
    let Kind::Choice(choices) = p.kind else { return p.allowed() };
    let words = choices.iter().enumerate().map(|(i, choice)| {
        let takes_it = |preset: &&Preset<M::Scenario>| {
            let mut scenario = M::Scenario::default();
            preset.1(&mut scenario);
            (p.get)(&scenario) == Value::Choice(i)
        };
        let presets: Vec<_> = M::PRESETS.iter().filter(takes_it).map(|preset| preset.0).collect();
        if presets.is_empty() {
            choice.name.to_owned()
        } else {
            format!("{} ({})", choice.name, presets.join(", "))
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Adds what follows the options in `--help`: examples and the keys of the figures.
pub fn explain<M: Subject>(command: Command, examples: &[Example]) -> Command {
    let name = command.get_name();
    let mut short = String::from("Examples:\n");
    for (options, shows) in examples {
        // Writing to a string cannot fail.
        let _ = writeln!(short, "  slowstart {name} {options}\n          {shows}");
    }
    let mut long = short.clone();
    long.push_str("\nFigures, by their keys in JSON and in the CSV of a sweep; null or empty where there is none:\n");
    for q in M::QUANTITIES {
        let _ = writeln!(long, "  {} ({})\n          {}", q.key, q.unit.symbol(), q.help);
    }
    long.push_str("\nSettings, under \"scenario\" in JSON, beside the preset under \"model\"; null where nothing is chosen:\n");
    for p in M::PARAMETERS {
        let _ = writeln!(long, "  {}\n          {}", values::key(p), p.label);
    }
    if assumptions::<M>().next().is_some() {
        long.push_str("\nAssumptions, for --assume NAME=VALUE; those that differ from the preset are under \"assumptions\" in JSON:\n");
    }
    for p in assumptions::<M>() {
        let _ = writeln!(long, "  {}={}\n          {}", p.name, with_presets::<M>(p), p.help);
    }
    command.after_help(short).after_long_help(long)
}
