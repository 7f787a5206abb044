//! The figures a run is judged by, described once for the page, the command line and the tests.

use crate::units::{Time, Unit};

/// One figure's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A number in the quantity's unit; times in milliseconds.
    Number(f64),
    /// A word.
    Text(&'static str),
    /// There is none; the word says so to people.
    Absent(&'static str),
}

impl Figure {
    /// The number, if it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Figure::Number(n) => Some(n),
            _ => None,
        }
    }
}

/// A time as a figure.
pub(crate) fn ms(time: Time) -> Figure {
    Figure::Number(time.as_millis())
}

/// A figure that can be read off a run `R`.
pub struct Quantity<R: 'static> {
    /// Its name in JSON and in the figures files.
    pub key: &'static str,
    /// Its name on the page.
    pub label: &'static str,
    /// What it is measured in.
    pub unit: Unit,
    /// One sentence on what it says.
    pub help: &'static str,
    /// Reads it off a run.
    pub value: fn(&R) -> Figure,
}

impl<R> Quantity<R> {
    /// The figure for people, with its unit: `79 ms`, `1,965 segments`, `none seen`.
    pub fn show(&self, run: &R) -> String {
        self.write((self.value)(run))
    }

    /// The same for any figure of this quantity.
    pub fn write(&self, figure: Figure) -> String {
        match figure {
            Figure::Number(n) => {
                let (text, noun) = (signed(&self.unit.figure(n)), self.unit.noun());
                let noun = if text == "1" { noun.trim_end_matches('s') } else { noun };
                format!("{text} {noun}").trim_end().to_owned()
            }
            Figure::Text(word) | Figure::Absent(word) => word.to_owned(),
        }
    }
}

/// A figure for people, with a minus and not a hyphen where it is negative.
pub fn signed(figure: &str) -> String {
    figure.strip_prefix('-').map_or_else(|| figure.to_owned(), |amount| format!("−{amount}"))
}
