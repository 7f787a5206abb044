//! Options made from a model's parameters, and the scenario they describe.

use crate::subject::{Example, Subject};
use crate::values;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use packet_core::parameter::{Invalid, Parameter, Value};
use std::fmt::Write;

/// One option for each of the model's parameters, and `--model`.
pub fn settings<M: Subject>() -> Vec<Arg> {
    let start = M::Scenario::default();
    let mut options: Vec<_> = M::PARAMETERS.iter().map(|p| setting(p, &start)).collect();
    let presets: Vec<_> = M::PRESETS.iter().map(|preset| preset.0).collect();
    let model = word("model", &presets).default_value(presets[0]);
    options.push(model.help("The preset of what the model takes for granted."));
    options
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

/// An option's value that is not allowed.
pub fn invalid(option: &'static str, value: &str, allowed: String) -> Invalid {
    Invalid { field: option, value: value.to_owned(), allowed }
}

/// The scenario that the options of [`settings`] describe.
pub fn scenario<M: Subject>(matches: &ArgMatches) -> M::Scenario {
    let mut scenario = M::Scenario::default();
    let preset = M::PRESETS.iter().find(|preset| preset.0 == chosen(matches, "model"));
    if let Some((_, apply)) = preset {
        apply(&mut scenario);
    }
    // Not the defaults, which a preset may have changed.
    for p in M::PARAMETERS.iter().filter(|p| given(matches, p.name)) {
        if let Some(value) = matches.get_one::<Value>(p.name) {
            (p.set)(&mut scenario, *value);
        }
    }
    scenario
}

/// The word given for an option made by [`word`].
pub fn chosen(matches: &ArgMatches, name: &str) -> &'static str {
    matches.get_one(name).copied().unwrap_or_default()
}

/// Whether the option was given, rather than left at its default.
pub fn given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
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
    command.after_help(short).after_long_help(long)
}
