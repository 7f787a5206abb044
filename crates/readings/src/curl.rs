//! Timing lines of `curl -w '%{time_connect} %{time_starttransfer} %{time_total}\n'`.

use crate::reading::{Reading, show_time};
use crate::tokens::seconds;
use packet_core::units::{Time, Unit};

/// One timing line. All three count from the start of the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The line it was on, counted from 1.
    pub line: usize,
    /// Until the connection was there: the name's lookup and one round trip.
    pub connect: Time,
    /// Until the first byte of the response.
    pub start_transfer: Time,
    /// Until the last byte.
    pub total: Time,
}

/// Three times in seconds and nothing else.
pub(crate) fn is_timing(tokens: &[&str]) -> bool {
    let timed = |t: &&str| t.contains('.') && seconds(t).is_some();
    tokens.len() == 3 && tokens.iter().all(timed)
}

/// Reads a timing line.
///
/// # Errors
/// A reason, where the times are not in order.
pub(crate) fn timing(line: usize, tokens: &[&str]) -> Result<Timing, &'static str> {
    let mut times = tokens.iter().map(|t| seconds(t).unwrap_or_default());
    let mut next = || times.next().unwrap_or_default();
    let timing = Timing { line, connect: next(), start_transfer: next(), total: next() };
    if timing.connect <= timing.start_transfer && timing.start_transfer <= timing.total {
        Ok(timing)
    } else {
        Err("three times, but not connect, first byte and last byte: they must not decrease")
    }
}

/// Quicker than any handshake that leaves its host.
const NO_HANDSHAKE: Time = Time::micros(100);

impl Timing {
    /// Whether an open connection was used again.
    pub fn reused(&self) -> bool {
        self.connect < NO_HANDSHAKE
    }

    /// From the request to the last byte, as far as three times can tell.
    pub fn response(&self) -> Time {
        self.total.saturating_sub(self.connect)
    }

    /// What each time means, and what lies between them.
    pub fn readings(&self) -> Vec<Reading> {
        let (connect, rest) = (self.connect, self.total.saturating_sub(self.start_transfer));
        let first = self.start_transfer.saturating_sub(connect);
        let mut readings = vec![Reading::time(
            "time_connect",
            connect,
            if self.reused() {
                "No handshake: the transfer used a connection that was already open.".to_owned()
            } else {
                format!(
                    "The handshake took one round trip: {} is an upper estimate of the round-trip time, as it holds the lookup of the name too.",
                    show_time(connect)
                )
            },
        )];
        readings.push(
            Reading::time(
                "first byte after connect",
                first,
                if self.reused() {
                    format!(
                        "{} from the request to the first byte: one round trip, and the server's own time.",
                        show_time(first)
                    )
                } else {
                    format!(
                        "{} from the open connection to the first byte: {} round trips of {}. One is the request's; TLS adds one or two, the server its own time.",
                        show_time(first),
                        in_round_trips(first, connect),
                        show_time(connect)
                    )
                },
            )
            .derived(),
        );
        readings.push(
            Reading::time(
                "last byte after first",
                rest,
                if self.reused() || rest < NO_HANDSHAKE {
                    format!(
                        "{} from the first byte to the last: near nothing where the response fits the window, whole round trips where the window had to grow.",
                        show_time(rest)
                    )
                } else {
                    format!(
                        "{} from the first byte to the last, {} round trips of {}: what the window's growth cost beyond its first flight, or the link's rate.",
                        show_time(rest),
                        in_round_trips(rest, connect),
                        show_time(connect)
                    )
                },
            )
            .derived(),
        );
        readings
    }
}

/// What every two neighbouring lines say about each other.
pub fn comparisons(timings: &[Timing]) -> Vec<Reading> {
    timings.windows(2).map(|pair| compare(pair[0], pair[1])).collect()
}

fn compare(a: Timing, b: Timing) -> Reading {
    let (before, after) = (a.response(), b.response());
    let lines = format!("lines {} and {}", a.line, b.line);
    let (field, meaning) = match (a.reused(), b.reused()) {
        (true, true) => (
            "cost of the gap",
            if after > before {
                format!(
                    "Of {lines}, both on open connections, the later took {} longer. If it came after a silence, that is what tcp_slow_start_after_idle cost.",
                    show_time(after - before)
                )
            } else {
                format!(
                    "Of {lines}, both on open connections, the later took no longer: a silence between them, if there was one, cost nothing."
                )
            },
        ),
        (false, true) => (
            "gain of the open connection",
            if before > after {
                format!(
                    "After its handshake, the response of line {} took {}, on the open connection {}: the window it had grown saved {}.",
                    a.line,
                    show_time(before),
                    show_time(after),
                    show_time(before - after)
                )
            } else {
                format!(
                    "The open connection was no quicker, {} against {} after a handshake: the response fits the first window, or a silence had taken the window back.",
                    show_time(after),
                    show_time(before)
                )
            },
        ),
        _ => (
            "difference",
            format!(
                "Line {} opened a connection of its own, so {lines} differ by chance only, or by what was asked for; nothing follows about silence.",
                b.line
            ),
        ),
    };
    // Less time is a negative cost.
    let ms = after.as_millis() - before.as_millis();
    let sign = if ms < 0.0 { "-" } else { "+" };
    let size = show_time(if after > before { after - before } else { before - after });
    Reading::figure(field, ms, Unit::Time, format!("{sign}{size}"), meaning).derived()
}

fn in_round_trips(time: Time, rtt: Time) -> String {
    Unit::Ratio.figure(time.as_secs() / rtt.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Timing {
        let tokens: Vec<_> = text.split(' ').collect();
        assert!(is_timing(&tokens), "{text}");
        timing(1, &tokens).expect("in order")
    }

    #[test]
    fn three_times_are_a_timing_line() {
        let timing = read("0.080123 0.161240 0.531902");
        assert_eq!(timing.connect, Time::micros(80_123));
        assert_eq!(timing.response(), Time::micros(451_779));
        for tokens in [&["0.08", "0.16"][..], &["1", "2", "3"], &["0.08", "0.16", "soon"]] {
            assert!(!is_timing(tokens), "{tokens:?}");
        }
    }

    #[test]
    fn times_that_decrease_are_refused() {
        assert!(timing(1, &["0.5", "0.1", "0.6"]).is_err());
    }

    #[test]
    fn the_parts_are_counted_in_round_trips() {
        let readings = read("0.080000 0.160000 0.560000").readings();
        assert_eq!(readings[1].number, Some(80.0));
        assert!(readings[1].meaning.contains("1.00 round trips of 80 ms"));
        assert!(readings[2].meaning.contains("5.00 round trips of 80 ms"));
    }

    #[test]
    fn a_second_line_on_the_same_connection_shows_the_cost_of_the_gap() {
        let lines = [
            read("0.080000 0.160000 0.560000"),
            read("0.000000 0.080000 0.180000"),
            read("0.000021 0.080000 0.340000"),
        ];
        let readings = comparisons(&lines);
        assert_eq!(readings[0].field, "gain of the open connection");
        assert_eq!(readings[0].value, "-300 ms");
        assert_eq!(readings[1].field, "cost of the gap");
        assert!(readings[1].meaning.contains("took 160 ms longer"), "{}", readings[1].meaning);
        assert_eq!(comparisons(&[lines[1], lines[0]])[0].field, "difference");
        assert!(comparisons(&lines[..1]).is_empty());
    }
}
