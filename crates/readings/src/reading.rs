//! One figure and what it means.

use packet_core::units::{Bytes, Rate, Time, Unit, grouped};
use serde::{Serialize, Serializer};

/// One figure, as printed or derived, and what it means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The field's name in `ss`, `curl` or `nstat`; for a derived figure, its name in words.
    pub field: &'static str,
    /// Whether it was computed from printed figures.
    pub derived: bool,
    /// The bare number, if it is one, in [`Reading::unit`].
    pub number: Option<f64>,
    /// What the number is measured in; times in milliseconds.
    #[serde(serialize_with = "symbol")]
    pub unit: Unit,
    /// The value for people, with its unit.
    pub value: String,
    /// What it means: a sentence or two with the numbers in it.
    pub meaning: String,
}

fn symbol<S: Serializer>(unit: &Unit, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(unit.symbol())
}

impl Reading {
    /// A printed figure that is a word, or more than one number.
    pub(crate) fn text(field: &'static str, value: impl Into<String>, meaning: String) -> Reading {
        let value = value.into();
        Reading { field, derived: false, number: None, unit: Unit::Text, value, meaning }
    }

    /// A printed time.
    pub(crate) fn time(field: &'static str, time: Time, meaning: String) -> Reading {
        Reading::figure(field, time.as_millis(), Unit::Time, show_time(time), meaning)
    }

    /// A printed rate.
    pub(crate) fn rate(field: &'static str, rate: Rate, meaning: String) -> Reading {
        Reading::figure(field, rate.0 as f64, Unit::BitsPerSecond, rate.to_string(), meaning)
    }

    /// A printed size.
    pub(crate) fn bytes(field: &'static str, bytes: u64, meaning: String) -> Reading {
        Reading::figure(field, bytes as f64, Unit::Bytes, show_bytes(bytes), meaning)
    }

    /// A printed number of segments.
    pub(crate) fn segments(field: &'static str, n: u64, meaning: String) -> Reading {
        Reading::figure(field, n as f64, Unit::Segments, segments(n), meaning)
    }

    /// A printed number.
    pub(crate) fn figure(
        field: &'static str,
        number: f64,
        unit: Unit,
        value: String,
        meaning: String,
    ) -> Reading {
        Reading { field, derived: false, number: Some(number), unit, value, meaning }
    }

    /// The same, computed from others.
    pub(crate) fn derived(self) -> Reading {
        Reading { derived: true, ..self }
    }
}

/// A time with the digits it was printed with, where [`Time`]'s own `Display` would round: `42.5 ms`.
pub(crate) fn show_time(time: Time) -> String {
    if time == Time::ZERO { "0 ms".to_owned() } else { Unit::Time.show(time.0) }
}

/// A size to the byte, and what that is in larger units: `65,535 bytes`, `3,000,001 bytes (2.86 MB)`.
pub(crate) fn show_bytes(bytes: u64) -> String {
    let exact = format!("{} bytes", grouped(bytes as f64));
    if bytes < 1_000_000 { exact } else { format!("{exact} ({})", Bytes(bytes)) }
}

/// `1 segment`, `1,965 segments`.
pub(crate) fn segments(n: u64) -> String {
    Unit::Segments.show(n)
}

/// The rate of `bytes` in each `time`; none where the time is zero.
pub(crate) fn rate_of(bytes: f64, time: Time) -> Option<Rate> {
    (time > Time::ZERO).then(|| Rate((bytes * 8.0 / time.as_secs()).round() as u64))
}

/// `part` in hundredths of `whole`: `1.5%`.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    Unit::Percent.figure(100.0 * part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_the_digits_that_were_printed() {
        assert_eq!(show_time(Time::micros(42_500)), "42.5 ms");
        assert_eq!(show_bytes(65_535), "65,535 bytes");
        assert_eq!(show_bytes(3_000_001), "3,000,001 bytes (2.86 MB)");
        assert_eq!(percent(15.0, 1_000.0), "1.5%");
    }

    #[test]
    fn there_is_no_rate_in_no_time() {
        assert_eq!(rate_of(65_535.0, Time::millis(80)), Some(Rate(6_553_500)));
        assert_eq!(rate_of(65_535.0, Time::ZERO), None);
    }
}
