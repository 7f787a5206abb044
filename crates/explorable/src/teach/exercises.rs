//! A teacher's exercises: read from JSON, checked against the panels. `docs/exercises.md` has the format.

use super::guess;
use crate::browser::json::Json;
use crate::panel::any::{self, AnyScenario};
use crate::panel::view::View;
use packet_core::model::{apply, place};

/// The exercises that the page comes with.
pub const OURS: &str = include_str!("../../../../web/exercises.json");
/// The most exercises in one file: checking one runs its model.
const MOST: usize = 50;
/// The most errors told at once.
const ERRORS: usize = 8;
/// The longest text of a field, in characters.
const LONGEST: usize = 2_000;
const FIELDS: [&str; 5] = ["question", "panel", "settings", "quantity", "explanation"];

/// A list of exercises.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercises {
    /// What they are about.
    pub title: String,
    /// The exercises, in the order in which they are asked.
    pub list: Vec<Exercise>,
}

/// A question that a figure of a panel answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// What is asked.
    pub question: String,
    /// The name of the panel.
    pub panel: String,
    /// What is set in the panel, on top of its start values: `size=64KB&iw=46`.
    pub settings: String,
    /// The key of the figure to guess.
    pub quantity: String,
    /// What is told once the figure is known.
    pub explanation: String,
}

/// A panel that exercises can be about.
pub struct Subject(
    /// Its start values.
    Box<dyn AnyScenario>,
);

impl Subject {
    /// The panel of a view.
    pub fn of<M: View>() -> Subject {
        Subject(any::start::<M>())
    }

    fn name(&self) -> &'static str {
        self.0.about().name
    }
}

/// Reads a list of exercises.
///
/// # Errors
/// A sentence for each thing that is wrong, with the exercise's number, the field, the value and what
/// is allowed.
pub fn read(whole: &Json, subjects: &[Subject]) -> Result<Exercises, Vec<String>> {
    let found = match whole.get("exercises") {
        Some(Json::List(list)) if (1..=MOST).contains(&list.len()) => list,
        other => {
            return Err(vec![format!(
                "exercises: {} is not allowed; use a list of 1 to {MOST} exercises, each with {}.",
                shown(other),
                FIELDS.join(", ")
            )]);
        }
    };
    let mut errors = Vec::new();
    let title = match whole.get("title") {
        None => "Exercises".to_owned(),
        Some(_) => text(whole, "title", false).unwrap_or_else(|error| {
            errors.push(error);
            String::new()
        }),
    };
    let mut list = Vec::new();
    for (i, found) in found.iter().enumerate() {
        match exercise(found, subjects) {
            Ok(exercise) => list.push(exercise),
            Err(wrong) => {
                errors.extend(wrong.into_iter().map(|e| format!("Exercise {}, {e}", i + 1)));
            }
        }
    }
    if errors.is_empty() {
        return Ok(Exercises { title, list });
    }
    let more = errors.len().saturating_sub(ERRORS);
    errors.truncate(ERRORS);
    if more > 0 {
        errors.push(format!("And {more} more."));
    }
    Err(errors)
}

fn exercise(found: &Json, subjects: &[Subject]) -> Result<Exercise, Vec<String>> {
    let Json::Fields(fields) = found else {
        return Err(vec![format!(
            "{found} is not allowed; use an object with {}.",
            FIELDS.join(", ")
        )]);
    };
    let mut errors: Vec<_> = fields
        .iter()
        .filter(|(name, _)| !FIELDS.contains(&name.as_str()))
        .map(|(name, _)| format!("{name}: there is no such field; use {}.", FIELDS.join(", ")))
        .collect();
    let mut field = |name: &str, may_be_empty: bool| {
        text(found, name, may_be_empty).unwrap_or_else(|error| {
            errors.push(error);
            String::new()
        })
    };
    let exercise = Exercise {
        question: field("question", false),
        panel: field("panel", false),
        settings: field("settings", true),
        quantity: field("quantity", false),
        explanation: field("explanation", false),
    };
    match subjects.iter().find(|subject| subject.name() == exercise.panel) {
        Some(subject) if errors.is_empty() => errors = check(&exercise, &*subject.0),
        None if !exercise.panel.is_empty() => {
            let names: Vec<_> = subjects.iter().map(Subject::name).collect();
            errors.push(format!(
                "panel: '{}' is not allowed; use {}.",
                exercise.panel,
                names.join(" or ")
            ));
        }
        _ => {}
    }
    if errors.is_empty() { Ok(exercise) } else { Err(errors) }
}

fn text(of: &Json, name: &str, may_be_empty: bool) -> Result<String, String> {
    let allowed = format!("use a text of {} to {LONGEST} characters", usize::from(!may_be_empty));
    match of.get(name) {
        None => Err(format!("{name} is missing; {allowed}.")),
        Some(Json::Text(text))
            if text.chars().count() <= LONGEST && (may_be_empty || !text.trim().is_empty()) =>
        {
            Ok(text.clone())
        }
        other => Err(format!("{name}: {} is not allowed; {allowed}.", shown(other))),
    }
}

fn shown(value: Option<&Json>) -> String {
    value.map_or("nothing".to_owned(), Json::to_string)
}

fn check(exercise: &Exercise, start: &dyn AnyScenario) -> Vec<String> {
    let mut scenario = start.copy();
    let settings = scenario.settings();
    let setting = |name: &str| place(&settings, name).map(|place| settings[place]);
    let pairs: Vec<_> = exercise
        .settings
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    let keys = || settings.iter().map(|s| s.key).collect::<Vec<_>>().join(", ");
    let mut errors: Vec<_> = pairs
        .iter()
        .filter(|(key, _)| setting(key).is_none())
        .map(|(key, _)| format!("settings: '{key}' is not allowed; use {}.", keys()))
        .collect();
    for pair in &pairs {
        if let Some(Err(error)) = setting(pair.0).map(|s| s.parse(pair.1)) {
            errors.push(format!("settings: {error}."));
        }
    }
    let quantity = start.quantity(&exercise.quantity);
    if quantity.is_none() {
        let known: Vec<_> = start.quantities().iter().map(|q| q.key).collect();
        errors.push(format!(
            "quantity: '{}' is not allowed; use {}.",
            exercise.quantity,
            known.join(", ")
        ));
    }
    let (Some(quantity), true) = (quantity, errors.is_empty()) else { return errors };
    apply(&mut *scenario, &pairs);
    match scenario.run() {
        Err(error) => errors.push(format!("settings: {error}.")),
        Ok(run) => {
            let Some((figure, shown)) = run.figure(quantity.key) else { return errors };
            if figure.number().is_none() || guess::read(quantity.unit, &shown).is_none() {
                errors.push(format!(
                    "quantity: '{}' is not allowed with these settings, where it is '{shown}'; \
                     use one that is a number.",
                    exercise.quantity
                ));
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::SlowStart;
    use packet_core::bdp::BandwidthDelay;
    use packet_core::study::InitialWindow;

    fn read(text: &str) -> Result<Exercises, Vec<String>> {
        let whole: serde_json::Value = serde_json::from_str(text).expect("JSON in the test");
        let subjects = [
            Subject::of::<SlowStart>(),
            Subject::of::<BandwidthDelay>(),
            Subject::of::<InitialWindow>(),
        ];
        super::read(&whole.into(), &subjects)
    }

    /// One exercise that is right but for one field.
    fn with(field: &str, value: &str) -> Vec<String> {
        let mut exercise = serde_json::json!({
            "question": "How long?",
            "panel": "slow-start",
            "settings": "size=64KB&iw=46",
            "quantity": "response_ms",
            "explanation": "It fits into the first window.",
        });
        exercise[field] = serde_json::from_str(value).expect("JSON in the test");
        let whole = serde_json::json!({ "exercises": [exercise] });
        read(&whole.to_string()).err().unwrap_or_default()
    }

    #[test]
    fn ours_are_right_and_cover_every_panel() {
        let ours = read(OURS).expect("our own exercises are right");
        assert!((8..=12).contains(&ours.list.len()));
        for (panel, least) in [("slow-start", 3), ("bdp", 3), ("initial-window", 2)] {
            assert!(ours.list.iter().filter(|e| e.panel == panel).count() >= least);
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        assert_eq!(with("question", "\"Why?\""), Vec::<String>::new());
        assert_eq!(
            with("panel", "\"slowstart\""),
            [
                "Exercise 1, panel: 'slowstart' is not allowed; use slow-start or bdp or initial-window."
            ]
        );
        assert_eq!(
            with("settings", "\"rtt=900ms\""),
            ["Exercise 1, settings: rtt: '900ms' is not allowed; use 1 ms to 300 ms."]
        );
        let errors = with("settings", "\"colour=red\"");
        assert!(
            errors[0].starts_with("Exercise 1, settings: 'colour' is not allowed; use size, rate,")
        );
        let errors = with("quantity", "\"speed\"");
        assert!(
            errors[0].starts_with("Exercise 1, quantity: 'speed' is not allowed; use response_ms,")
        );
        assert_eq!(
            with("question", "\" \""),
            ["Exercise 1, question: ' ' is not allowed; use a text of 1 to 2000 characters."]
        );
        assert_eq!(
            with("explanation", "null"),
            ["Exercise 1, explanation: null is not allowed; use a text of 1 to 2000 characters."]
        );
        let errors = with("answer", "42");
        assert_eq!(
            errors,
            [
                "Exercise 1, answer: there is no such field; use question, panel, settings, quantity, explanation."
            ]
        );
    }

    #[test]
    fn a_quantity_must_be_a_number_in_that_run() {
        assert_eq!(
            with("quantity", "\"second_response_ms\""),
            [
                "Exercise 1, quantity: 'second_response_ms' is not allowed with these settings, where it is \
              'none'; use one that is a number."
            ]
        );
    }

    #[test]
    fn a_file_without_exercises_is_told_what_it_needs() {
        let error = |text| read(text).expect_err("no exercises").remove(0);
        assert!(
            error("{}").starts_with("exercises: nothing is not allowed; use a list of 1 to 50")
        );
        assert!(error("[]").starts_with("exercises: nothing"));
        assert!(
            error(r#"{"exercises": [7]}"#)
                .starts_with("Exercise 1, 7 is not allowed; use an object")
        );
        assert!(error(r#"{"exercises": [{}]}"#).starts_with("Exercise 1, question is missing;"));
    }
}
