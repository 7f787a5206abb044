//! Words and numbers as `ss`, `curl` and `nstat` print them.

use packet_core::units::{Rate, Time, decimal};

/// Splits a line at spaces, but not inside brackets: `users:(("Web Content",pid=7,fd=4))` is one token.
pub(crate) fn split(line: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let tokens = line.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c.is_whitespace() && depth <= 0
    });
    let tokens: Vec<_> = tokens.filter(|token| !token.is_empty()).collect();
    // A bracket without its partner, as in a line that was cut: brackets say nothing.
    if depth == 0 { tokens } else { line.split_whitespace().collect() }
}

/// A whole number.
pub(crate) fn count(text: &str) -> Option<u64> {
    // Not `+5`, which Rust reads and no tool prints.
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A number that may have a fraction and an exponent, as C's `%g` prints it; not negative.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = decimal(digits).filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?;
    let number = digits * 10f64.powi(exponent.parse().ok()?);
    number.is_finite().then_some(number)
}

/// Longer than any time a tool reports: a century.
const LONGEST_MS: f64 = 3.2e12;

/// A time printed in milliseconds, without a unit.
pub(crate) fn milliseconds(text: &str) -> Option<Time> {
    let ms = number(text).filter(|ms| *ms <= LONGEST_MS)?;
    Some(Time((ms * 1e6).round() as u64))
}

/// A time printed in seconds, without a unit.
pub(crate) fn seconds(text: &str) -> Option<Time> {
    let s = number(text).filter(|s| *s * 1e3 <= LONGEST_MS)?;
    Some(Time((s * 1e9).round() as u64))
}

/// A rate as `23.4Mbps`; `ss -n` prints `23400000bps`.
pub(crate) fn rate(text: &str) -> Option<Rate> {
    let digits = text.strip_suffix("bps")?;
    let prefixes = [("T", 1e12), ("G", 1e9), ("M", 1e6), ("K", 1e3), ("k", 1e3)];
    let scaled = prefixes.iter().find_map(|(p, scale)| Some((digits.strip_suffix(p)?, *scale)));
    let (digits, scale) = scaled.unwrap_or((digits, 1.0));
    let bps = number(digits)? * scale;
    (bps <= 1e18).then(|| Rate(bps.round() as u64))
}

/// Two values around a separator.
pub(crate) fn pair<T>(text: &str, at: char, read: fn(&str) -> Option<T>) -> Option<(T, T)> {
    let (a, b) = text.split_once(at)?;
    Some((read(a)?, read(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_hold_a_token_together() {
        let line = r#"ESTAB users:(("Web Content",pid=7,fd=4)) bbr:(bw:1bps,mrtt:1)"#;
        assert_eq!(split(line).len(), 3);
        assert_eq!(split("skmem:(r0,rb1 cwnd:10"), ["skmem:(r0,rb1", "cwnd:10"]);
        assert_eq!(split("a) b c"), ["a)", "b", "c"]);
        assert_eq!(split(" \t "), [""; 0]);
    }

    #[test]
    fn rates_are_read_as_every_version_of_ss_prints_them() {
        for (text, bps) in [
            ("23.4Mbps", 23_400_000),
            ("80.6Gbps", 80_600_000_000),
            ("1.2Tbps", 1_200_000_000_000),
            ("9.9Kbps", 9_900),
            ("9.92kbps", 9_920),
            ("141040283672bps", 141_040_283_672),
            ("800bps", 800),
            ("0bps", 0),
        ] {
            assert_eq!(rate(text), Some(Rate(bps)), "{text}");
        }
        for text in ["23.4M", "Mbps", "-1Mbps", "1.2.3Mbps", "infbps", "1e99Tbps", "23.4 Mbps", ""]
        {
            assert_eq!(rate(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_milliseconds_or_seconds() {
        assert_eq!(milliseconds("42.5"), Some(Time::micros(42_500)));
        assert_eq!(milliseconds("1.2e+06"), Some(Time::secs(1_200)));
        assert_eq!(milliseconds("204"), Some(Time::millis(204)));
        assert_eq!(seconds("0.080123"), Some(Time::micros(80_123)));
        for text in ["", "-1", "+1", "nan", "inf", "1e300", "4ms", "."] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn counts_are_whole() {
        assert_eq!(count("2147483647"), Some(2_147_483_647));
        for text in ["", "-1", "+1", "1.5", "99999999999999999999", "ten"] {
            assert_eq!(count(text), None, "{text}");
        }
    }
}
