//! A guess at a figure against the truth, and the difference of two figures.

use packet_core::units::{Unit, decimal};

/// What people write behind a number in this unit, with what it stands for in the figure's own.
fn suffixes(unit: Unit) -> &'static [(&'static str, f64)] {
    match unit {
        Unit::Time => &[("", 1.0), ("ms", 1.0), ("s", 1_000.0), ("us", 0.001), ("µs", 0.001)],
        Unit::Mbps => &[("", 1.0), ("mbps", 1.0), ("mbit/s", 1.0), ("kbps", 0.001), ("gbps", 1e3)],
        Unit::Kilobytes => &[("", 1.0), ("kb", 1.0), ("mb", 1024.0), ("bytes", 1.0 / 1024.0)],
        Unit::Megabytes => &[("", 1.0), ("mb", 1.0), ("kb", 1.0 / 1024.0)],
        Unit::Percent => &[("", 1.0), ("%", 1.0), ("percent", 1.0)],
        Unit::Segments => &[("", 1.0), ("segments", 1.0), ("segment", 1.0)],
        Unit::Packets => &[("", 1.0), ("packets", 1.0), ("packet", 1.0)],
        Unit::RoundTrips => &[("", 1.0), ("round trips", 1.0), ("round trip", 1.0)],
        Unit::Times => &[("", 1.0), ("times", 1.0), ("time", 1.0)],
        _ => &[("", 1.0)],
    }
}

/// What stands behind the field that a guess is typed into.
pub fn suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Percent => "%",
        Unit::Ratio => "",
        _ => unit.symbol(),
    }
}

/// Reads a figure as people and the page write it: `225`, `0.2 s`, `1,965 segments`, `1,5`.
pub fn read(unit: Unit, text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(amount) = text.strip_prefix(['-', '−']) {
        return read(unit, amount).filter(|n| *n >= 0.0).map(|n| -n);
    }
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let (digits, suffix) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
    let suffix = suffix.trim().to_ascii_lowercase();
    let scale = suffixes(unit).iter().find(|(s, _)| *s == suffix)?.1;
    let value = decimal(&plain(digits))? * scale;
    value.is_finite().then_some(value)
}

/// A comma before three digits sets thousands apart; any other is a decimal point, as in much of Europe.
fn plain(digits: &str) -> String {
    let parts: Vec<_> = digits.split(',').collect();
    let sets_apart = parts[1..].iter().all(|part| part.split('.').next().map(str::len) == Some(3));
    if sets_apart { parts.concat() } else { digits.replacen(',', ".", 1) }
}

/// A figure without its sign, with its unit: `146 ms`, `20 segments`.
fn amount(unit: Unit, value: f64) -> String {
    format!("{} {}", unit.figure(value.abs()), unit.noun()).trim_end().to_owned()
}

/// The same with a sign, where it is negative.
fn signed(unit: Unit, value: f64) -> String {
    let amount = amount(unit, value);
    if value < 0.0 && read(unit, &amount) != Some(0.0) { format!("−{amount}") } else { amount }
}

/// How a figure stands against another one, both as they are shown, so that a reader who subtracts
/// gets the same: `+146 ms`. Nothing where they read the same, or one is no number.
pub fn difference(unit: Unit, now: &str, then: &str) -> Option<String> {
    let by = read(unit, now)? - read(unit, then)?;
    let sign = if by < 0.0 { '−' } else { '+' };
    (now != then).then(|| format!("{sign}{}", amount(unit, by)))
}

/// A guess beside the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The guess as the page writes it.
    pub guess: String,
    /// The truth as the page writes it.
    pub truth: String,
    /// The guess less the truth; nothing where they read the same.
    pub off_by: Option<String>,
    /// The guess as a multiple of the truth; nothing where one is negative or the truth is zero.
    pub ratio: Option<f64>,
}

impl Verdict {
    /// Judges a guess; both in the figure's unit.
    pub fn new(unit: Unit, guess: f64, truth: f64) -> Verdict {
        let (guess_text, truth_text) = (signed(unit, guess), signed(unit, truth));
        let off_by = difference(unit, &guess_text, &truth_text);
        let ratio = (truth > 0.0 && guess >= 0.0).then(|| guess / truth);
        Verdict { guess: guess_text, truth: truth_text, off_by, ratio }
    }

    /// By which factor the guess is off, whichever is larger.
    fn factor(&self) -> f64 {
        match (self.ratio, &self.off_by) {
            (_, None) => 1.0,
            (Some(ratio), _) if ratio > 0.0 => ratio.max(1.0 / ratio),
            _ => f64::INFINITY,
        }
    }

    /// Whether the guess is within a quarter of the truth.
    pub fn is_close(&self) -> bool {
        self.factor() <= 1.0 || self.ratio.is_some_and(|ratio| (ratio - 1.0).abs() <= 0.25)
    }

    /// The ratio for people.
    pub fn ratio_text(&self) -> String {
        match self.ratio {
            Some(ratio) if ratio >= 100.0 => format!("{ratio:.0}"),
            Some(ratio) if ratio >= 0.01 => format!("{ratio:.2}"),
            Some(_) => "under 0.01".to_owned(),
            None => "–".to_owned(),
        }
    }

    /// One friendly sentence.
    pub fn sentence(&self) -> String {
        let Verdict { guess, truth, off_by, .. } = self;
        let Some(off_by) = off_by else { return format!("{guess}: exactly right.") };
        let which = if off_by.starts_with('+') { "too high" } else { "too low" };
        let by = off_by.trim_start_matches(['+', '−']);
        let times = match self.ratio {
            Some(_) => format!(", {} times the truth", self.ratio_text()),
            None => String::new(),
        };
        let comment = match self.factor() {
            _ if self.ratio.is_some_and(|r| (r - 1.0).abs() <= 0.05) => "As good as measured.",
            _ if self.is_close() => "Close: you know how this works.",
            factor if factor <= 2.0 => "Not far: the idea is right, a part is missing.",
            factor if factor <= 10.0 => "A surprise. The charts below show where it comes from.",
            _ => "A big surprise, and the best kind to learn from: look at the charts below.",
        };
        format!("You guessed {guess}; it is {truth}. That is {by} {which}{times}. {comment}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_they_are_written() {
        assert_eq!(read(Unit::Time, "225"), Some(225.0));
        assert_eq!(read(Unit::Time, "0.2 s"), Some(200.0));
        assert_eq!(read(Unit::Time, "1.03 s"), Some(1030.0));
        assert_eq!(read(Unit::Segments, "1,965 segments"), Some(1965.0));
        assert_eq!(read(Unit::Mbps, "26,2"), Some(26.2));
        assert_eq!(read(Unit::Percent, "73%"), Some(73.0));
        assert_eq!(read(Unit::Kilobytes, "1 MB"), Some(1024.0));
        assert_eq!(read(Unit::Time, "−92 ms"), Some(-92.0));
        for text in ["", "soon", "--3", "-", "3 apples", "1.2.3", ","] {
            assert_eq!(read(Unit::Time, text), None, "{text}");
        }
    }

    #[test]
    fn a_difference_has_its_sign_and_is_what_a_reader_would_get() {
        assert_eq!(difference(Unit::Time, "225 ms", "79 ms").as_deref(), Some("+146 ms"));
        assert_eq!(difference(Unit::Time, "79 ms", "1.03 s").as_deref(), Some("−951 ms"));
        assert_eq!(
            difference(Unit::Segments, "10 segments", "46 segments").as_deref(),
            Some("−36 segments")
        );
        assert_eq!(difference(Unit::Time, "-1.05 s", "92 ms").as_deref(), Some("−1.14 s"));
        assert_eq!(difference(Unit::Time, "79 ms", "79 ms"), None);
        assert_eq!(difference(Unit::Time, "none seen", "79 ms"), None);
    }

    #[test]
    fn a_guess_is_judged_by_its_ratio() {
        let verdict = |guess, truth| Verdict::new(Unit::Time, guess, truth);
        assert_eq!(
            verdict(300.0, 225.4).sentence(),
            "You guessed 300 ms; it is 225 ms. That is 75 ms too high, 1.33 times the truth. \
             Not far: the idea is right, a part is missing."
        );
        assert_eq!(verdict(225.0, 225.4).sentence(), "225 ms: exactly right.");
        assert!(verdict(220.0, 225.0).sentence().ends_with("As good as measured."));
        assert!(verdict(180.0, 225.0).is_close());
        assert!(
            verdict(5.0, 225.0)
                .sentence()
                .contains("too low, 0.02 times the truth. A big surprise")
        );
        assert!(!verdict(0.0, 225.0).is_close());
    }

    #[test]
    fn a_negative_truth_keeps_its_sign() {
        let verdict = Verdict::new(Unit::Time, 92.0, -700.0);
        assert!(verdict.sentence().starts_with(
            "You guessed 92 ms; it is −700 ms. That is 792 ms too high. A big surprise"
        ));
        assert_eq!(Verdict::new(Unit::Time, -0.001, 0.0).off_by, None);
    }

    #[test]
    fn a_truth_of_zero_has_no_ratio() {
        let verdict = |guess| Verdict::new(Unit::Packets, guess, 0.0);
        assert_eq!(verdict(0.0).sentence(), "0 packets: exactly right.");
        assert!(verdict(0.0).is_close() && !verdict(3.0).is_close());
        assert!(
            verdict(3.0).sentence().starts_with(
                "You guessed 3 packets; it is 0 packets. That is 3 packets too high. "
            )
        );
    }
}
