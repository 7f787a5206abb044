//! What every model has in common: settings go in, a run comes out, figures are read off it.

use crate::logged::{Logged, Told};
use crate::parameter::{Invalid, Parameter, Setting, Value};
use crate::quantity::{Figure, Quantity};

/// A kind of scenario with all that the page and the command line need to offer it.
pub trait Model: 'static {
    /// Everything a run depends on.
    type Scenario: Clone + Default + PartialEq;
    /// All that came of a scenario.
    type Run;
    /// What is decided in a run.
    type Decision: Told + 'static;
    /// What can be set.
    const PARAMETERS: &'static [Parameter<Self::Scenario>];
    /// What can be read off.
    const QUANTITIES: &'static [Quantity<Self::Run>];
    /// What it takes for granted, as far as that can be set: parameters too, but shown apart. Where
    /// there are presets, the first one chooses among them.
    const ASSUMPTIONS: &'static [Parameter<Self::Scenario>] = &[];

    /// Runs a scenario.
    ///
    /// # Errors
    /// [`Invalid`], naming the first parameter that is out of range.
    fn run(scenario: &Self::Scenario) -> Result<Self::Run, Invalid>;

    /// What was decided, in time order.
    fn log(run: &Self::Run) -> &[Logged<Self::Decision>];

    /// The trace as comma-separated values, with a header.
    fn trace_csv(run: &Self::Run) -> String;

    /// What a query leaves unsaid: the start values, with the assumptions of the scenario's preset.
    fn baseline(_scenario: &Self::Scenario) -> Self::Scenario {
        Self::Scenario::default()
    }

    /// All that can be set, assumptions last, so that a preset comes before what differs from it.
    fn parameters() -> impl Iterator<Item = &'static Parameter<Self::Scenario>> {
        Self::PARAMETERS.iter().chain(Self::ASSUMPTIONS)
    }

    /// The place among [`Model::parameters`] of the one with this URL key or, where there is none, with
    /// this long name.
    fn place(name: &str) -> Option<usize> {
        let by_key = Self::parameters().position(|p| p.key == name);
        by_key.or_else(|| Self::parameters().position(|p| p.name == name))
    }

    /// The parameter or assumption with this URL key or long name.
    fn parameter(name: &str) -> Option<&'static Parameter<Self::Scenario>> {
        Self::place(name).and_then(|place| Self::parameters().nth(place))
    }

    /// The quantity with this key.
    fn quantity(key: &str) -> Option<&'static Quantity<Self::Run>> {
        Self::QUANTITIES.iter().find(|q| q.key == key)
    }

    /// The figure with this key.
    fn figure(run: &Self::Run, key: &str) -> Option<Figure> {
        Self::quantity(key).map(|q| (q.value)(run))
    }
}

/// A scenario by the places of its parameters among [`Model::parameters`], whatever its model is.
pub trait Settable {
    /// All that can be set.
    fn settings(&self) -> Vec<Setting>;
    /// The value of the parameter at this place.
    fn get(&self, place: usize) -> Value;
    /// Sets the parameter at this place.
    fn set(&mut self, place: usize, value: Value);
    /// The values that a query leaves unsaid, as [`Model::baseline`] has them.
    fn unsaid(&self) -> Vec<Value>;

    /// What differs from the values that a query leaves unsaid.
    fn changed(&self) -> Vec<(Setting, Value)> {
        let settings = self.settings().into_iter().enumerate().zip(self.unsaid());
        let changed = settings.filter(|((place, _), unsaid)| self.get(*place) != *unsaid);
        changed.map(|((place, setting), _)| (setting, self.get(place))).collect()
    }
}

/// A scenario of a model, to be read and set by places.
pub struct Of<M: Model>(
    /// The scenario.
    pub M::Scenario,
);

impl<M: Model> Settable for Of<M> {
    fn settings(&self) -> Vec<Setting> {
        M::parameters().map(Parameter::setting).collect()
    }

    fn get(&self, place: usize) -> Value {
        M::parameters().nth(place).map_or(Value::Absent, |p| (p.get)(&self.0))
    }

    fn set(&mut self, place: usize, value: Value) {
        if let Some(p) = M::parameters().nth(place) {
            (p.set)(&mut self.0, value);
        }
    }

    fn unsaid(&self) -> Vec<Value> {
        let baseline = M::baseline(&self.0);
        M::parameters().map(|p| (p.get)(&baseline)).collect()
    }
}

/// What differs from the start values as a URL query, `size=64KB&iw=46`; empty where nothing does.
pub fn to_query<M: Model>(scenario: &M::Scenario) -> String {
    query(&Of::<M>(scenario.clone()))
}

/// The same of any model's scenario.
pub fn query(scenario: &dyn Settable) -> String {
    let pair =
        |(setting, value): (Setting, Value)| format!("{}={}", setting.key, setting.exact(value));
    scenario.changed().into_iter().map(pair).collect::<Vec<_>>().join("&")
}

/// How many quantities [`change`] tells of.
const TOLD: usize = 2;

/// What of the quantities with these `keys` differs between two runs, for people: `531 ms → 494 ms`, or
/// `peak window 735 → 608 segments`; nothing where they agree. The first quantity needs no
/// name, and the first two that differ are enough.
pub fn change<M: Model>(before: &M::Run, after: &M::Run, keys: &[&str]) -> Option<String> {
    let differing = keys.iter().enumerate().filter_map(|(i, key)| {
        let quantity = M::quantity(key)?;
        let (was, is) = (quantity.show(before), quantity.show(after));
        let numbers = [before, after].iter().all(|run| (quantity.value)(run).number().is_some());
        let name = match i {
            0 => String::new(),
            _ => within_sentence(quantity.label) + if numbers { " " } else { ": " },
        };
        // One noun is enough.
        let noun = format!(" {}", quantity.unit.noun());
        let bare = was.strip_suffix(&noun).filter(|_| is.ends_with(&noun)).unwrap_or(&was);
        (was != is).then(|| format!("{name}{bare} → {is}"))
    });
    let told: Vec<_> = differing.take(TOLD).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// A label as it stands within a sentence: `peak window`, but `ACKs`.
fn within_sentence(label: &str) -> String {
    let mut label = label.to_owned();
    let is_word = !label.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase);
    if let Some(first) = label.get_mut(..1).filter(|_| is_word) {
        first.make_ascii_lowercase();
    }
    label
}

/// Sets what `pairs` of name and text say on `scenario`, as far as it can be read. A value out of range
/// becomes the nearest allowed one. Returns a sentence for each pair that could not be taken as it is;
/// pairs that name no parameter are left to others. The order of the pairs means nothing: they are
/// taken in the order of the parameters.
pub fn apply_pairs<'a, M: Model>(
    scenario: &mut M::Scenario,
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<String> {
    let mut of = Of::<M>(scenario.clone());
    let remarks = apply(&mut of, &pairs.into_iter().collect::<Vec<_>>());
    *scenario = of.0;
    remarks
}

/// The same on any model's scenario.
pub fn apply(scenario: &mut dyn Settable, pairs: &[(&str, &str)]) -> Vec<String> {
    let mut remarks = Vec::new();
    let settings = scenario.settings();
    for (place, setting) in settings.iter().enumerate() {
        for (_, text) in
            pairs.iter().filter(|(name, _)| self::place(&settings, name) == Some(place))
        {
            match (setting.parse(text), setting.parse_nearest(text)) {
                (Ok(value), _) => scenario.set(place, value),
                (Err(error), Some(nearest)) => {
                    remarks.push(format!("{error}. Using {}.", setting.show(nearest)));
                    scenario.set(place, nearest);
                }
                (Err(error), None) => {
                    let kept = scenario.get(place);
                    remarks.push(format!("{error}. Keeping {}.", setting.show(kept)));
                }
            }
        }
    }
    remarks
}

/// The place of the setting with this URL key or, where there is none, with this long name.
pub fn place(settings: &[Setting], name: &str) -> Option<usize> {
    let by_key = settings.iter().position(|s| s.key == name);
    by_key.or_else(|| settings.iter().position(|s| s.name == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assumptions::{Pacing, Preset};
    use crate::slow_start::{Scenario, SlowStart};
    use crate::units::{Bytes, Rate, Time};

    #[test]
    fn a_query_holds_what_differs_and_reads_back() {
        let scenario = Scenario {
            size: Bytes::kb(64),
            initial_window: 46,
            idle: Some(Time::millis(500)),
            hystart: false,
            ..Scenario::default()
        };
        let query = to_query::<SlowStart>(&scenario);
        assert_eq!(query, "size=64KB&iw=46&hs=off&idle=500ms");
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut read = Scenario::default();
        assert_eq!(apply_pairs::<SlowStart>(&mut read, pairs), Vec::<String>::new());
        assert_eq!(read, scenario);
        assert_eq!(to_query::<SlowStart>(&Scenario::default()), "");
    }

    #[test]
    fn every_key_leads_to_its_own_parameter() {
        for (place, p) in SlowStart::parameters().enumerate() {
            assert_eq!(SlowStart::place(p.key), Some(place), "{}", p.key);
        }
    }

    #[test]
    fn a_bad_value_falls_back_to_the_nearest_and_says_so() {
        let mut scenario = Scenario::default();
        let pairs = [("rate", "90Gbps"), ("rtt", "soon"), ("theme", "dark"), ("iw", "46")];
        let remarks = apply_pairs::<SlowStart>(&mut scenario, pairs);
        assert_eq!(
            remarks,
            [
                "rate: '90Gbps' is not allowed; use 1 Mbps to 10 Gbps. Using 10 Gbps.",
                "rtt: 'soon' is not allowed; use 1 ms to 300 ms. Keeping 80 ms.",
            ]
        );
        assert_eq!(scenario.rate, Rate::gbps(10));
        assert_eq!((scenario.rtt, scenario.initial_window), (Time::millis(80), 46));
    }

    #[test]
    fn a_change_is_told_by_what_differs() {
        let run = |iw| {
            let scenario = Scenario { initial_window: iw, ..Scenario::default() };
            SlowStart::run(&scenario).expect("an allowed scenario")
        };
        let keys = ["response_ms", "ideal_round_trips", "segments"];
        let change = |a, b| change::<SlowStart>(&run(a), &run(b), &keys);
        let larger = change(10, 20).expect("a change");
        assert!(larger.starts_with("531 ms → "), "{larger}");
        assert!(larger.ends_with(", round trips by doubling 7 → 6 round trips"), "{larger}");
        assert_eq!(change(10, 10), None);
    }

    #[test]
    fn a_query_names_the_preset_and_what_differs_from_it() {
        let mut scenario = Scenario::of(Preset::Linux);
        assert_eq!(to_query::<SlowStart>(&scenario), "model=linux");
        scenario.assumptions.pacing = Pacing::FqLike;
        assert_eq!(to_query::<SlowStart>(&scenario), "model=linux&pacing=fq-like");
        let mut read = Scenario::default();
        let backwards = [("pacing", "fq-like"), ("model", "linux")];
        assert_eq!(apply_pairs::<SlowStart>(&mut read, backwards), Vec::<String>::new());
        assert_eq!(read, scenario);
    }
}
