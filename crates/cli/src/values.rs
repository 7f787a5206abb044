//! Settings and figures as JSON and as cells of a CSV file.

use crate::arguments;
use crate::subject::Subject;
use packet_core::parameter::{Kind, Parameter, Value};
use packet_core::quantity::Figure;
use packet_core::units::Unit;
use serde_json::{Map, Value as Json};

/// The key of a setting: its name, with the unit where the number alone would not say it.
pub fn key<S>(p: &Parameter<S>) -> String {
    let name = p.name.replace('-', "_");
    match p.kind {
        Kind::Number { unit: unit @ (Unit::Bytes | Unit::BitsPerSecond | Unit::Time), .. } => {
            format!("{name}_{}", unit.symbol())
        }
        _ => name,
    }
}

/// What is set: a number (times in milliseconds), a word, true or false, or null where nothing is chosen.
/// Several numbers are a word with commas.
pub fn setting<S>(p: &Parameter<S>, scenario: &S) -> Json {
    match ((p.get)(scenario), p.kind) {
        (Value::Number(nanos), Kind::Number { unit: Unit::Time, .. }) => number(nanos as f64 / 1e6),
        (Value::Number(n), _) => n.into(),
        (Value::Switch(on), _) => on.into(),
        (Value::Absent, _) => Json::Null,
        (choice, _) => p.exact(choice).into(),
    }
}

/// A figure: a number, a word, or null where there is none.
pub fn figure(figure: Figure) -> Json {
    match figure {
        Figure::Number(n) => number(n),
        Figure::Text(word) => word.into(),
        Figure::Absent(_) => Json::Null,
    }
}

/// Whole numbers without a fraction: `725`, not `725.0`.
pub fn number(n: f64) -> Json {
    let whole = n as i64;
    if whole as f64 == n { whole.into() } else { n.into() }
}

/// The assumptions that are not taken as the scenario's preset takes them.
fn assumptions<M: Subject>(
    scenario: &M::Scenario,
) -> impl Iterator<Item = &'static Parameter<M::Scenario>> {
    let preset = M::baseline(scenario);
    arguments::assumptions::<M>().filter(move |p| (p.get)(scenario) != (p.get)(&preset))
}

/// The preset, where there are several, and what is assumed otherwise.
pub fn model<M: Subject>(
    scenario: &M::Scenario,
) -> impl Iterator<Item = &'static Parameter<M::Scenario>> {
    M::ASSUMPTIONS.iter().take(1).chain(assumptions::<M>(scenario))
}

/// A run as one object: the preset, what is assumed otherwise, the settings, the figures.
pub fn object<M: Subject>(preset: &str, scenario: &M::Scenario, run: &M::Run) -> Json {
    let mut object = settings::<M>(preset, scenario, &[]);
    object.extend(M::QUANTITIES.iter().map(|q| (q.key.to_owned(), figure((q.value)(run)))));
    object.into()
}

/// The preset and the settings, but those `without`, as the beginning of an object.
pub fn settings<M: Subject>(
    preset: &str,
    scenario: &M::Scenario,
    without: &[&str],
) -> Map<String, Json> {
    let kept = M::PARAMETERS.iter().filter(|p| !without.contains(&p.name));
    let settings: Map<_, _> = kept.map(|p| (key(p), setting(p, scenario))).collect();
    let assumed: Map<_, _> =
        assumptions::<M>(scenario).map(|p| (key(p), setting(p, scenario))).collect();
    let mut object = Map::new();
    object.insert("model".to_owned(), preset.into());
    object.insert("assumptions".to_owned(), assumed.into());
    object.insert("scenario".to_owned(), settings.into());
    object
}

/// A value as a cell of a CSV file; empty where there is none.
pub fn cell(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(word) if word.contains([',', '"', '\n']) => {
            format!("\"{}\"", word.replace('"', "\"\""))
        }
        Json::String(word) => word.clone(),
        other => other.to_string(),
    }
}
