//! What can be set, described once: name, unit, range, scale, help.
//!
//! A slider, a number field, a URL key and a command-line flag are all made from a [`Parameter`].

use crate::list::List;
use crate::units::Unit;
use std::fmt;

/// A value of a parameter, in base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number in the base unit of the parameter's [`Unit`]: bytes, bits per second, nanoseconds …
    Number(u64),
    /// Two or more numbers, where the unit is [`Unit::Ordinal`].
    Numbers(List),
    /// Nothing chosen, where the parameter allows that.
    Absent,
    /// On or off.
    Switch(bool),
    /// The index of one of the parameter's choices.
    Choice(usize),
}

impl Value {
    /// The value of a list: absent where it is empty, a number where it holds one.
    pub fn list(list: List) -> Value {
        match list.as_slice() {
            [] => Value::Absent,
            [number] => Value::Number((*number).into()),
            _ => Value::Numbers(list),
        }
    }

    /// The number, where it is one.
    pub fn number(self) -> Option<u64> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number of a parameter that is always one.
    pub fn required(self) -> u64 {
        self.number().unwrap_or_default()
    }
}

/// How slider positions map to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps add the same amount.
    Linear,
    /// Equal steps multiply by the same factor.
    Logarithmic,
}

/// One of several words a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word on the command line and in URLs.
    pub name: &'static str,
    /// The words on the page.
    pub label: &'static str,
}

/// One of several words, each with its place in a list of choices.
macro_rules! words {
    ($(#[$attribute:meta])* $name:ident { $($(#[$of_variant:meta])* $variant:ident: $word:literal, $label:literal;)+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$attribute])*
        pub enum $name {
            $($(#[$of_variant])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of [`Self::CHOICES`].
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];
            /// The words for them.
            pub const CHOICES: &'static [$crate::parameter::Choice] =
                &[$($crate::parameter::Choice { name: $word, label: $label },)+];

            /// This variant as a parameter's value.
            pub fn value(self) -> $crate::parameter::Value {
                $crate::parameter::Value::Choice(self as usize)
            }

            /// Becomes the variant a value stands for, if it stands for one.
            pub fn set(&mut self, value: $crate::parameter::Value) {
                if let $crate::parameter::Value::Choice(i) = value {
                    *self = Self::ALL.get(i).copied().unwrap_or(*self);
                }
            }
        }
    };
}

pub(crate) use words;

/// What values a parameter can take.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number with a unit, from `min` to `max` inclusive, in base units.
    Number {
        /// How the number is read and written.
        unit: Unit,
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
        /// How a slider spreads the range.
        scale: Scale,
        /// Values a slider must hit exactly, in order.
        marks: &'static [u64],
        /// The word for no value, where that is allowed.
        absent: Option<&'static str>,
    },
    /// On or off.
    Switch,
    /// One of a few words.
    Choice(&'static [Choice]),
}

/// One thing that can be set on a scenario `S`.
pub struct Parameter<S> {
    /// The long name: command-line flag, messages.
    pub name: &'static str,
    /// The short, stable name in URLs.
    pub key: &'static str,
    /// The name on the page.
    pub label: &'static str,
    /// One sentence on what it does.
    pub help: &'static str,
    /// The values it can take.
    pub kind: Kind,
    /// Reads it from a scenario.
    pub get: fn(&S) -> Value,
    /// Writes it into a scenario.
    pub set: fn(&mut S, Value),
}

/// A [`Parameter`] whatever it is set on: its names and its values.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The long name: command-line flag, messages.
    pub name: &'static str,
    /// The short, stable name in URLs.
    pub key: &'static str,
    /// The name on the page.
    pub label: &'static str,
    /// One sentence on what it does.
    pub help: &'static str,
    /// The values it can take.
    pub kind: Kind,
}

/// A value that a parameter does not allow. Displays as one line with the field, the value and the allowed range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The parameter's long name.
    pub field: &'static str,
    /// What was given.
    pub value: String,
    /// What would have been allowed.
    pub allowed: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Invalid { field, value, allowed } = self;
        write!(f, "{field}: '{value}' is not allowed; use {allowed}")
    }
}

impl std::error::Error for Invalid {}

impl Setting {
    /// What is allowed, in words: `1 KB to 64 MB`, `on or off`.
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Number { unit, min, max, absent, .. } => {
                let mut range = format!("{} to {}", unit.show(min), unit.show(max));
                if unit == Unit::Ordinal {
                    range = format!("up to {} of {range}, with commas between", List::MOST);
                }
                match absent {
                    Some(word) => format!("{word}, or {range}"),
                    None => range,
                }
            }
            Kind::Switch => "on or off".to_owned(),
            Kind::Choice(choices) => {
                let names: Vec<_> = choices.iter().map(|c| c.name).collect();
                names.join(", ")
            }
        }
    }

    fn invalid(&self, value: impl Into<String>) -> Invalid {
        Invalid { field: self.name, value: value.into(), allowed: self.allowed() }
    }

    /// Reads a value and checks its range.
    ///
    /// # Errors
    /// [`Invalid`] where the text cannot be read or lies outside the range.
    pub fn parse(&self, text: &str) -> Result<Value, Invalid> {
        self.read(text).filter(|value| self.allows(*value)).ok_or_else(|| self.invalid(text))
    }

    /// Reads a value, or the allowed one nearest to it. Nothing where the text cannot be read at all.
    pub fn parse_nearest(&self, text: &str) -> Option<Value> {
        let value = self.read(text)?;
        match (value, self.kind) {
            (Value::Number(n), Kind::Number { min, max, .. }) => {
                Some(Value::Number(n.clamp(min, max)))
            }
            // Which ones are meant cannot be told from a list with others in it.
            (Value::Numbers(_), _) => Some(value).filter(|value| self.allows(*value)),
            _ => Some(value),
        }
    }

    fn read(&self, text: &str) -> Option<Value> {
        match self.kind {
            Kind::Number { absent, .. } if absent == Some(text.trim()) => Some(Value::Absent),
            Kind::Number { unit: Unit::Ordinal, .. } if text.contains(',') => {
                List::parse(text).map(Value::list)
            }
            Kind::Number { unit, .. } => unit.parse(text).map(Value::Number),
            Kind::Switch => match text.trim() {
                "on" | "1" | "true" => Some(Value::Switch(true)),
                "off" | "0" | "false" => Some(Value::Switch(false)),
                _ => None,
            },
            Kind::Choice(choices) => {
                let found = choices.iter().position(|c| c.name == text.trim());
                found.map(Value::Choice)
            }
        }
    }

    /// Whether the value is of the right kind and in range.
    pub fn allows(&self, value: Value) -> bool {
        match (self.kind, value) {
            (Kind::Number { min, max, .. }, Value::Number(n)) => (min..=max).contains(&n),
            (Kind::Number { unit: Unit::Ordinal, min, max, .. }, Value::Numbers(list)) => {
                list.as_slice().iter().all(|n| (min..=max).contains(&u64::from(*n)))
            }
            (Kind::Number { absent, .. }, Value::Absent) => absent.is_some(),
            (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Choice(choices), Value::Choice(i)) => i < choices.len(),
            _ => false,
        }
    }

    /// Writes a value so that [`Setting::parse`] reads it back: `14KB`, `on`, `last-window`.
    pub fn exact(&self, value: Value) -> String {
        match (self.kind, value) {
            (Kind::Number { unit, .. }, Value::Number(n)) => unit.exact(n),
            (_, Value::Numbers(list)) => list.to_string(),
            (Kind::Number { absent, .. }, _) => absent.unwrap_or_default().to_owned(),
            (Kind::Choice(choices), Value::Choice(i)) => choices[i].name.to_owned(),
            (_, Value::Switch(true)) => "on".to_owned(),
            _ => "off".to_owned(),
        }
    }

    /// Writes a value for people: `14 KB`, `on`, `one packet, last window`.
    pub fn show(&self, value: Value) -> String {
        match (self.kind, value) {
            (Kind::Number { unit, .. }, Value::Number(n)) => unit.show(n),
            (_, Value::Numbers(list)) => format!("{list:#}"),
            (Kind::Choice(choices), Value::Choice(i)) => choices[i].label.to_owned(),
            _ => self.exact(value),
        }
    }

    fn check(&self, value: Value) -> Result<(), Invalid> {
        if self.allows(value) { Ok(()) } else { Err(self.invalid(self.show(value))) }
    }

    /// A choice's words on the page.
    pub fn label_of(&self, value: Value) -> Option<&'static str> {
        match (self.kind, value) {
            (Kind::Choice(choices), Value::Choice(i)) => choices.get(i).map(|c| c.label),
            _ => None,
        }
    }
}

impl<S> Parameter<S> {
    /// The parameter whatever it is set on. All that is not about a scenario is done there, so that the
    /// code is not there once for each kind of scenario.
    pub fn setting(&self) -> Setting {
        let Parameter { name, key, label, help, kind, .. } = *self;
        Setting { name, key, label, help, kind }
    }

    /// As [`Setting::parse`].
    ///
    /// # Errors
    /// [`Invalid`] where the text cannot be read or lies outside the range.
    pub fn parse(&self, text: &str) -> Result<Value, Invalid> {
        self.setting().parse(text)
    }

    /// As [`Setting::allowed`].
    pub fn allowed(&self) -> String {
        self.setting().allowed()
    }

    /// As [`Setting::allows`].
    pub fn allows(&self, value: Value) -> bool {
        self.setting().allows(value)
    }

    /// As [`Setting::exact`].
    pub fn exact(&self, value: Value) -> String {
        self.setting().exact(value)
    }

    /// As [`Setting::show`].
    pub fn show(&self, value: Value) -> String {
        self.setting().show(value)
    }

    /// As [`Setting::label_of`].
    pub fn label_of(&self, value: Value) -> Option<&'static str> {
        self.setting().label_of(value)
    }

    /// Checks the scenario's value of this parameter.
    ///
    /// # Errors
    /// [`Invalid`] where it is out of range.
    pub fn check(&self, scenario: &S) -> Result<(), Invalid> {
        self.setting().check((self.get)(scenario))
    }
}

/// Checks every parameter of a scenario.
///
/// # Errors
/// [`Invalid`], naming the first parameter that is out of range.
pub fn validate<S>(parameters: &[Parameter<S>], scenario: &S) -> Result<(), Invalid> {
    parameters.iter().try_for_each(|p| p.check(scenario))
}

impl Scale {
    /// The number at `fraction` (0 to 1) of the way from `min` to `max`.
    pub fn at(self, fraction: f64, min: u64, max: u64) -> u64 {
        let (low, high) = (min as f64, max as f64);
        let value = match self {
            Scale::Linear => low + fraction * (high - low),
            Scale::Logarithmic => low * libm::pow(high / low, fraction),
        };
        (value.round() as u64).clamp(min, max)
    }
}
