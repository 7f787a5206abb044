//! Units: time, rate and size as integer newtypes, and how people write them.
//!
//! Every figure in the model is an integer number of nanoseconds, bits per second or bytes, so that
//! a run is the same on every machine. Text is read and written here only.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A moment since the start of the run, or a length of time, in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// The start of the run, or no time at all.
    pub const ZERO: Time = Time(0);
    /// Later than anything a run can reach.
    pub const NEVER: Time = Time(u64::MAX);

    /// `n` nanoseconds.
    pub const fn nanos(n: u64) -> Time {
        Time(n)
    }

    /// `n` microseconds.
    pub const fn micros(n: u64) -> Time {
        Time(n * 1_000)
    }

    /// `n` milliseconds.
    pub const fn millis(n: u64) -> Time {
        Time(n * 1_000_000)
    }

    /// `n` seconds.
    pub const fn secs(n: u64) -> Time {
        Time(n * 1_000_000_000)
    }

    /// `n` nanoseconds, rounded down; zero where negative.
    pub fn whole_nanos(n: f64) -> Time {
        // By way of i64, as few processors convert to u64; it holds 292 years.
        Time((n as i64).max(0) as u64)
    }

    /// The length in milliseconds, unrounded.
    pub fn as_millis(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The length in seconds, unrounded.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// `self - other`, or zero where `other` is later.
    pub fn saturating_sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }

    /// `n` times this length.
    pub fn times(self, n: u64) -> Time {
        Time(self.0 * n)
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

/// A link rate in bits per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate(pub u64);

impl Rate {
    /// `n` megabits (10^6 bits) per second.
    pub const fn mbps(n: u64) -> Rate {
        Rate(n * 1_000_000)
    }

    /// `n` gigabits (10^9 bits) per second.
    pub const fn gbps(n: u64) -> Rate {
        Rate(n * 1_000_000_000)
    }

    /// How long the link takes to send `bytes`, to the nanosecond, rounded up.
    pub fn time_to_send(self, bytes: u64) -> Time {
        let bit_nanos = u128::from(bytes) * 8 * 1_000_000_000;
        Time(bit_nanos.div_ceil(u128::from(self.0)) as u64)
    }

    /// How many bytes the link sends in `time`, unrounded.
    pub fn bytes_in(self, time: Time) -> f64 {
        self.0 as f64 * time.as_secs() / 8.0
    }
}

/// A size in bytes. KB and MB are binary here, as in the article: 1 KB is 1024 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` x 1024 bytes.
    pub const fn kb(n: u64) -> Bytes {
        Bytes(n * 1024)
    }

    /// `n` x 1024 x 1024 bytes.
    pub const fn mb(n: u64) -> Bytes {
        Bytes(n * 1024 * 1024)
    }

    /// Segments of [`MSS`] bytes needed to carry this many bytes.
    pub const fn segments(self) -> u32 {
        self.0.div_ceil(MSS) as u32
    }

    /// Full segments of [`MSS`] bytes that fit, but at least one.
    pub const fn whole_segments(self) -> u32 {
        let segments = self.0 / MSS;
        if segments == 0 { 1 } else { segments as u32 }
    }
}

/// A kilobyte in bytes, the base unit of sizes.
pub const KB: u64 = Bytes::kb(1).0;
/// A megabyte in bytes.
pub const MB: u64 = Bytes::mb(1).0;
/// A megabit per second in bits per second, the base unit of rates.
pub const MBPS: u64 = Rate::mbps(1).0;
/// A millisecond in nanoseconds, the base unit of times.
pub const MS: u64 = Time::millis(1).0;

/// Maximum segment size in bytes: 1500 less 20 (IP), 20 (TCP) and 12 (timestamps).
pub const MSS: u64 = 1448;

/// What one full segment occupies on the wire, in bytes: 1500 and 14 of Ethernet header.
pub const WIRE_BYTES: u64 = MSS + 66;

/// What a figure is measured in; decides how it is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Bytes, written as `14 KB` or `1 MB` (binary).
    Bytes,
    /// Bits per second, written as `100 Mbps`.
    BitsPerSecond,
    /// Nanoseconds in parameters, milliseconds in figures; written as `80 ms` or `1.03 s`.
    Time,
    /// Segments of one MSS.
    Segments,
    /// Packets on the wire.
    Packets,
    /// A place in a row, counted from 1: which one, rather than how many. There can be several.
    Ordinal,
    /// TCP connections.
    Connections,
    /// Whole round trips, or a part of one.
    RoundTrips,
    /// Parts of a hundred.
    Percent,
    /// Megabits per second, as a figure.
    Mbps,
    /// Kilobytes (1024 bytes), as a figure.
    Kilobytes,
    /// Megabytes (1024 x 1024 bytes), as a figure.
    Megabytes,
    /// A quotient without a unit.
    Ratio,
    /// How often something happened.
    Times,
    /// Words.
    Text,
}

impl Unit {
    /// The suffixes people write, with the number of base units each stands for; the first is the base unit.
    fn suffixes(self) -> &'static [(&'static str, u64)] {
        match self {
            Unit::Bytes => &[
                ("", 1),
                ("b", 1),
                ("bytes", 1),
                ("k", 1 << 10),
                ("kb", 1 << 10),
                ("kib", 1 << 10),
                ("m", 1 << 20),
                ("mb", 1 << 20),
                ("mib", 1 << 20),
            ],
            Unit::BitsPerSecond => &[
                ("bps", 1),
                ("kbps", 1_000),
                ("mbps", 1_000_000),
                ("gbps", 1_000_000_000),
                ("kbit/s", 1_000),
                ("mbit/s", 1_000_000),
                ("gbit/s", 1_000_000_000),
            ],
            Unit::Time => {
                &[("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)]
            }
            Unit::Segments => &[("", 1), ("segments", 1), ("segment", 1)],
            Unit::Packets => &[("", 1), ("packets", 1), ("packet", 1)],
            Unit::Connections => &[("", 1), ("connections", 1), ("connection", 1)],
            Unit::Percent => &[("", 1), ("%", 1)],
            _ => &[("", 1)],
        }
    }

    /// Reads a number with its unit, such as `14KB`, `1.5 s` or `100Mbps`, into base units.
    ///
    /// Returns nothing where the text is not a number followed by a suffix of this unit, or a part of
    /// something that comes whole, such as a segment.
    pub fn parse(self, text: &str) -> Option<u64> {
        let text = text.trim();
        let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (digits, suffix) = text.split_at(split);
        let suffix = suffix.trim().to_ascii_lowercase();
        let scale = self.suffixes().iter().find(|(s, _)| *s == suffix)?.1;
        if let Ok(whole) = digits.parse::<u64>() {
            return whole.checked_mul(scale);
        }
        let number = decimal(digits)? * scale as f64;
        let divisible = matches!(self, Unit::Bytes | Unit::BitsPerSecond | Unit::Time);
        let allowed = number < u64::MAX as f64 && (divisible || number.fract() == 0.0);
        allowed.then(|| number.round() as u64)
    }

    /// Writes base units so that [`Unit::parse`] reads the same value back: `80ms`, `14KB`, `100Mbps`.
    pub fn exact(self, value: u64) -> String {
        let (suffix, scale) = match self {
            Unit::Bytes => {
                largest_that_divides(value, &[("", 1), ("KB", 1 << 10), ("MB", 1 << 20)])
            }
            Unit::BitsPerSecond => largest_that_divides(
                value,
                &[("bps", 1), ("kbps", 1_000), ("Mbps", 1_000_000), ("Gbps", 1_000_000_000)],
            ),
            Unit::Time => largest_that_divides(
                value,
                &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)],
            ),
            _ => ("", 1),
        };
        format!("{}{suffix}", value / scale)
    }

    /// Writes base units for people: `14 KB`, `1.5 MB`, `100 Mbps`, `80 ms`, `10 segments`.
    pub fn show(self, value: u64) -> String {
        match self {
            Unit::Bytes => bytes(value as f64),
            Unit::BitsPerSecond => {
                scaled(value as f64, 1000.0, 1, &["bps", "kbps", "Mbps", "Gbps"])
            }
            Unit::Time if value < 1_000_000_000 => {
                scaled(value as f64, 1000.0, 1, &["ns", "µs", "ms"])
            }
            Unit::Time => format!("{} s", trimmed(value as f64 / 1e9)),
            Unit::Segments => counted(value, "segment"),
            Unit::Packets => counted(value, "packet"),
            Unit::Connections => counted(value, "connection"),
            Unit::Percent => format!("{value}%"),
            _ => trimmed(value as f64),
        }
    }

    /// Writes a measured figure (times in milliseconds) as the article does: `79 ms`, `1.03 s`, `1.5%`, `1,965`.
    pub fn figure(self, value: f64) -> String {
        match self {
            Unit::Time => milliseconds(value),
            Unit::Percent if value.abs() < 10.0 => format!("{value:.1}%"),
            Unit::Percent => format!("{}%", value.round()),
            Unit::Mbps if value < 10.0 => format!("{value:.2} Mbps"),
            Unit::Mbps if value >= 999.95 => format!("{:.2} Gbps", value / 1e3),
            Unit::Mbps => format!("{value:.1} Mbps"),
            Unit::Kilobytes => bytes(value * KB as f64),
            Unit::Megabytes => bytes(value * MB as f64),
            Unit::Bytes => bytes(value),
            Unit::Ratio if value < 10.0 => format!("{value:.2}"),
            Unit::Ratio => format!("{value:.1}"),
            Unit::RoundTrips if value.fract() != 0.0 => format!("{value:.1}"),
            _ => grouped(value),
        }
    }

    /// The unit of a figure written as a bare number: `ms`, `segments`, `percent`.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::BitsPerSecond => "bps",
            Unit::Time => "ms",
            Unit::Segments => "segments",
            Unit::Packets => "packets",
            Unit::Connections => "connections",
            Unit::RoundTrips => "round trips",
            Unit::Percent => "percent",
            Unit::Mbps => "Mbps",
            Unit::Kilobytes => "KB",
            Unit::Megabytes => "MB",
            Unit::Ordinal => "number",
            Unit::Ratio => "ratio",
            Unit::Times => "times",
            Unit::Text => "text",
        }
    }

    /// The word behind a bare number in this unit; empty where the figure already carries it.
    pub fn noun(self) -> &'static str {
        match self {
            Unit::Segments => "segments",
            Unit::Packets => "packets",
            Unit::Connections => "connections",
            Unit::RoundTrips => "round trips",
            Unit::Times => "times",
            _ => "",
        }
    }
}

/// A time in milliseconds as the article writes it: whole below a second, hundredths of a second above.
pub fn milliseconds(ms: f64) -> String {
    if ms <= -0.005 {
        format!("-{}", milliseconds(-ms))
    } else if ms < 9.95 {
        // Not a negative zero.
        format!("{} ms", trimmed((ms.max(0.0) * 100.0).round() / 100.0))
    } else if ms < 999.5 {
        // Half a millisecond rounds up, where formatting alone would round to even.
        format!("{} ms", ms.round())
    } else if ms < 99_995.0 {
        format!("{:.2} s", ms / 1000.0)
    } else {
        format!("{} s", grouped(ms / 1000.0))
    }
}

/// A whole number with its thousands set apart: `1,965`.
pub fn grouped(value: f64) -> String {
    let digits = format!("{}", value.abs().round());
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if value <= -0.5 { format!("-{text}") } else { text }
}

/// Reads a number written in digits with at most one decimal point: to the last bit as the library would,
/// up to 15 digits, but without its tables, which would be a thirtieth of the page.
pub fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    // Powers of ten are exact so far.
    let part = part.get(..22).unwrap_or(part);
    let append = |number: f64, digit: char| Some(10.0 * number + f64::from(digit.to_digit(10)?));
    let number = whole.chars().chain(part.chars()).try_fold(0.0, append)?;
    (!whole.is_empty() || !part.is_empty()).then(|| number / 10f64.powi(part.len() as i32))
}

fn counted(value: u64, noun: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(value as f64))
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A size, whatever it was counted in; whole from 100 on.
fn bytes(value: f64) -> String {
    let sign = if value <= -0.5 { "-" } else { "" };
    format!("{sign}{}", scaled(value.abs().round(), 1024.0, 0, &["bytes", "KB", "MB"]))
}

/// In the largest of these units: two decimals below 100, as many as `large` says above.
fn scaled(value: f64, base: f64, large: i32, names: &[&str]) -> String {
    let mut value = value;
    let mut name = 0;
    while value >= base && name + 1 < names.len() {
        value /= base;
        name += 1;
    }
    let unit = 10f64.powi(if value < 100.0 { 2 } else { large });
    format!("{} {}", trimmed((value * unit).round() / unit), names[name])
}

fn largest_that_divides<'a>(value: u64, scales: &[(&'a str, u64)]) -> (&'a str, u64) {
    let mut best = scales[0];
    for &scale in scales {
        if value >= scale.1 && value.is_multiple_of(scale.1) {
            best = scale;
        }
    }
    best
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&milliseconds(self.as_millis()))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Unit::BitsPerSecond.show(self.0))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Unit::Bytes.show(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        assert_eq!(Unit::Bytes.parse("14KB"), Some(14_336));
        assert_eq!(Unit::Bytes.parse("1 mb"), Some(1_048_576));
        assert_eq!(Unit::Bytes.parse("1.5MB"), Some(1_572_864));
        assert_eq!(Unit::Bytes.parse("4000"), Some(4_000));
        assert_eq!(Unit::BitsPerSecond.parse("100Mbps"), Some(100_000_000));
        assert_eq!(Unit::BitsPerSecond.parse("100000000bps"), Some(100_000_000));
        assert_eq!(Unit::Time.parse("1.5s"), Some(1_500_000_000));
        assert_eq!(Unit::Time.parse("80 ms"), Some(80_000_000));
        assert_eq!(Unit::Segments.parse("10.0"), Some(10));
    }

    #[test]
    fn decimals_are_read_to_the_last_bit() {
        for text in
            ["0", "0.1", "1.005", "533.6381", "123456789.012345", "0.000000000000001", "7.", ".5"]
        {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        let long = "0.10000000000000000000000000000000001";
        assert!((decimal(long).expect("a number") - 0.1).abs() < 1e-16);
        for text in ["", ".", "1.2.3", "1e5", "-1", "+1", "inf", "1,5", "٣"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_number_with_a_unit() {
        for (unit, text) in [
            (Unit::Bytes, "KB"),
            (Unit::Bytes, "-1KB"),
            (Unit::Bytes, "1.2.3KB"),
            (Unit::BitsPerSecond, "100"),
            (Unit::Time, "80"),
            (Unit::Time, "80mss"),
            (Unit::Segments, "ten"),
            (Unit::Bytes, "99999999999999999999MB"),
            (Unit::Bytes, ""),
            (Unit::Segments, "10.5"),
            (Unit::Connections, "1.5 connections"),
            (Unit::Percent, "99.9%"),
            (Unit::Ordinal, "1.6"),
        ] {
            assert_eq!(unit.parse(text), None, "{text}");
        }
    }

    #[test]
    fn exact_text_reads_back() {
        for value in [1, 999, 1_000, 14_336, 1_048_576, 80_000_000, 1_500_000_000, 12_345_678] {
            for unit in [Unit::Bytes, Unit::BitsPerSecond, Unit::Time, Unit::Segments] {
                assert_eq!(unit.parse(&unit.exact(value)), Some(value));
            }
        }
    }

    #[test]
    fn times_are_written_as_the_article_writes_them() {
        assert_eq!(milliseconds(79.0), "79 ms");
        assert_eq!(milliseconds(530.6), "531 ms");
        assert_eq!(milliseconds(60.5), "61 ms");
        assert_eq!(milliseconds(1029.5), "1.03 s");
        assert_eq!(milliseconds(6061.0), "6.06 s");
        assert_eq!(milliseconds(0.9875), "0.99 ms");
        assert_eq!(milliseconds(999.7), "1.00 s");
        assert_eq!(milliseconds(561_234.0), "561 s");
        assert_eq!(milliseconds(-92.4), "-92 ms");
        assert_eq!(milliseconds(-0.001), "0 ms");
    }

    #[test]
    fn figures_carry_their_unit() {
        assert_eq!(Unit::Percent.figure(1.52), "1.5%");
        assert_eq!(Unit::Percent.figure(16.4), "16%");
        assert_eq!(Unit::Segments.figure(46346.0), "46,346");
        assert_eq!(Unit::Bytes.show(14_336), "14 KB");
        assert_eq!(Unit::Bytes.show(67_108_864), "64 MB");
        assert_eq!(Unit::Bytes.show(965_333), "943 KB");
        assert_eq!(Unit::Kilobytes.figure(9_766.0), "9.54 MB");
        assert_eq!(Unit::Kilobytes.figure(-512.0), "-512 KB");
        assert_eq!(Unit::Mbps.figure(3_355.44), "3.36 Gbps");
        assert_eq!(Unit::BitsPerSecond.show(10_000_000_000), "10 Gbps");
        assert_eq!(Unit::Time.show(500_000_000), "500 ms");
        assert_eq!(Unit::Time.show(2_000_000_000), "2 s");
        assert_eq!(Unit::Segments.show(1), "1 segment");
    }
}
