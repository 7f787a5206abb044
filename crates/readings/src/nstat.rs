//! The four HyStart counters, as `nstat` and `/proc/net/netstat` print them.

use crate::reading::Reading;
use crate::tokens::{count, number};
use packet_core::Scenario;
use packet_core::units::{Unit, grouped};

/// How often each of HyStart's tests ended slow start on this host, and at what windows.
///
/// Absent where the counter was not in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HyStartCounters {
    /// `TCPHystartTrainDetect`: exits by the length of the ACK train.
    pub train_detect: Option<u64>,
    /// `TCPHystartTrainCwnd`: the windows of those exits, summed, in segments.
    pub train_cwnd: Option<u64>,
    /// `TCPHystartDelayDetect`: exits by a rise in delay.
    pub delay_detect: Option<u64>,
    /// `TCPHystartDelayCwnd`: the windows of those exits, summed, in segments.
    pub delay_cwnd: Option<u64>,
}

impl HyStartCounters {
    fn slot(&mut self, name: &str) -> Option<&mut Option<u64>> {
        match name.strip_prefix("TcpExt").unwrap_or(name) {
            "TCPHystartTrainDetect" => Some(&mut self.train_detect),
            "TCPHystartTrainCwnd" => Some(&mut self.train_cwnd),
            "TCPHystartDelayDetect" => Some(&mut self.delay_detect),
            "TCPHystartDelayCwnd" => Some(&mut self.delay_cwnd),
            _ => None,
        }
    }

    /// Keeps a counter; false where it is none of the four.
    pub(crate) fn keep(&mut self, name: &str, value: u64) -> bool {
        let slot = self.slot(name);
        let found = slot.is_some();
        if let Some(slot) = slot {
            *slot = Some(value);
        }
        found
    }

    /// The window at which each test ends slow start on average, beside the bandwidth-delay product
    /// of the path in `scenario`.
    pub fn readings(&self, scenario: &Scenario) -> Vec<Reading> {
        let tests = [
            ("ACK train exits", "ack-train test", self.train_detect, self.train_cwnd),
            ("delay exits", "delay test", self.delay_detect, self.delay_cwnd),
        ];
        tests.into_iter().filter_map(|(f, test, n, sum)| exits(f, test, n, sum, scenario)).collect()
    }
}

fn exits(
    field: &'static str,
    test: &str,
    detect: Option<u64>,
    cwnd: Option<u64>,
    path: &Scenario,
) -> Option<Reading> {
    let reading = |number: Option<f64>, value: String, meaning| Reading {
        number,
        unit: Unit::Segments,
        ..Reading::text(field, value, meaning).derived()
    };
    let (detect, cwnd) = match (detect, cwnd) {
        (Some(detect), Some(cwnd)) => (detect, cwnd),
        (None, None) => return None,
        (known, _) => {
            let missing = if known.is_some() { "Cwnd" } else { "Detect" };
            let meaning = format!(
                "The {missing} counter is not in the text; the average window is Cwnd divided by Detect."
            );
            return Some(reading(None, "incomplete".to_owned(), meaning));
        }
    };
    if detect == 0 {
        let meaning = format!("HyStart's {test} has not ended slow start once.");
        return Some(reading(None, "none".to_owned(), meaning));
    }
    let average = cwnd as f64 / detect as f64;
    let bdp = path.bdp_packets();
    let part = 100.0 * average / bdp;
    let verdict = if part < 50.0 {
        "on paths like this one it ends slow start early, long before the window fills them"
    } else if part <= 200.0 {
        "that is about where the window fills such a path"
    } else {
        "the connections that it ended had larger paths than this one, or its queue was already long"
    };
    let times =
        if detect == 1 { "once".to_owned() } else { format!("{} times", grouped(detect as f64)) };
    let meaning = format!(
        "HyStart's {test} has ended slow start {times}, at {} segments on average: {} of the {} packets that fill {} at {}; {verdict}. The counters are of the whole host, over all its paths.",
        grouped(average.round()),
        Unit::Percent.figure(part),
        grouped(bdp.round()),
        path.rate,
        Unit::Time.show(path.rtt.0),
    );
    Some(reading(
        Some(average),
        format!("{} segments on average", grouped(average.round())),
        meaning,
    ))
}

/// A line of `nstat`: a counter's name, its value, and usually a rate.
pub(crate) fn counter<'a>(tokens: &[&'a str]) -> Option<(&'a str, u64)> {
    let (name, value) = match tokens {
        [name, value, rate] => {
            number(rate)?;
            (name, value)
        }
        [name, value] if name.contains("Hystart") => (name, value),
        _ => return None,
    };
    let camel = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric());
    Some((name, count(value).filter(|_| camel)?))
}

/// A line of `/proc/net/netstat`: its group and what follows, names in one line, their values in the next.
pub(crate) fn group<'a, 'b>(tokens: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let (first, rest) = tokens.split_first()?;
    let group = first.strip_suffix(':')?;
    matches!(group, "TcpExt" | "IpExt" | "MPTcpExt").then_some((group, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::units::{Rate, Time};

    fn path() -> Scenario {
        Scenario { rate: Rate::mbps(100), rtt: Time::millis(80), ..Scenario::default() }
    }

    #[test]
    fn the_average_window_is_compared_with_the_path() {
        let counters = HyStartCounters {
            train_detect: Some(40),
            train_cwnd: Some(4_800),
            delay_detect: Some(0),
            delay_cwnd: Some(0),
        };
        let readings = counters.readings(&path());
        assert_eq!(readings[0].number, Some(120.0));
        assert_eq!(
            readings[0].meaning,
            "HyStart's ack-train test has ended slow start 40 times, at 120 segments on average: 18% of the 661 packets that fill 100 Mbps at 80 ms; on paths like this one it ends slow start early, long before the window fills them. The counters are of the whole host, over all its paths."
        );
        assert_eq!(readings[1].value, "none");
    }

    #[test]
    fn a_missing_counter_is_named() {
        let counters = HyStartCounters { delay_cwnd: Some(7), ..HyStartCounters::default() };
        let readings = counters.readings(&path());
        assert_eq!(readings.len(), 1);
        assert!(readings[0].meaning.starts_with("The Detect counter is not in the text"));
    }

    #[test]
    fn counters_are_told_from_other_lines() {
        assert_eq!(
            counter(&["TcpExtTCPHystartTrainCwnd", "4800", "0.0"]),
            Some(("TcpExtTCPHystartTrainCwnd", 4_800))
        );
        assert_eq!(counter(&["TCPHystartTrainCwnd", "4800"]), Some(("TCPHystartTrainCwnd", 4_800)));
        assert_eq!(counter(&["IpInReceives", "48067", "0.0"]), Some(("IpInReceives", 48_067)));
        for tokens in
            [&["IpInReceives", "48067"][..], &["0.08", "0.16", "0.5"], &["X", "-1", "0.0"]]
        {
            assert_eq!(counter(tokens), None, "{tokens:?}");
        }
    }
}
