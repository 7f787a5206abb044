//! From pasted text to [`Readings`]: line by line, with nothing dropped in silence.

use crate::curl::{self, Timing};
use crate::line::{self, Item};
use crate::nstat::{self, HyStartCounters};
use crate::socket::Socket;
use crate::tokens;
use serde::Serialize;
use std::fmt;

/// All that was read of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// The sockets, in the text's order.
    pub sockets: Vec<Socket>,
    /// The timing lines of `curl`, in the text's order.
    pub timings: Vec<Timing>,
    /// HyStart's counters, where there was one of them.
    pub hystart: Option<HyStartCounters>,
    /// How many other counters were passed over.
    pub other_counters: usize,
    /// What could not be read.
    pub unknown: Vec<Unknown>,
}

/// A part of the text that could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// Its line, counted from 1.
    pub line: usize,
    /// The token, or the beginning of the line.
    pub text: String,
    /// Why it was not read.
    pub reason: String,
}

/// Why there is nothing to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The text is blank.
    Empty,
    /// Nothing in it was recognised.
    Nothing {
        /// The lines that could not be read.
        unknown: Vec<Unknown>,
        /// How many counters there were that are not HyStart's.
        other_counters: usize,
    },
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unknown { line, text, reason } = self;
        write!(f, "line {line}: '{text}': {reason}")
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Empty => write!(
                f,
                "nothing to read: give the output of `ss -ti`, timing lines of `curl -w`, or lines of `nstat -az`"
            ),
            Unreadable::Nothing { unknown, other_counters } => match (&unknown[..], other_counters)
            {
                ([], 0) => write!(f, "there are headings, but no socket, timing line or counter"),
                ([], n) => write!(f, "there are {n} counters, but none of HyStart's four"),
                ([only], _) => write!(f, "nothing recognised; {only}"),
                ([first, ..], _) => {
                    write!(f, "none of {} lines recognised; the first, {first}", unknown.len())
                }
            },
        }
    }
}

impl std::error::Error for Unreadable {}

/// Reads pasted text: output of `ss -ti` with or without its address lines, timing lines of `curl -w`,
/// counters of `nstat` or `/proc/net/netstat`, in any order.
///
/// An info line that follows a line of the same socket and repeats none of its fields belongs to that
/// socket, so that a line broken by a mail program is whole again; otherwise it begins a new one.
///
/// # Errors
/// [`Unreadable`], where nothing was recognised. What could not be read beside something that was is
/// listed in [`Readings::unknown`].
pub fn read(text: &str) -> Result<Readings, Unreadable> {
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(index + 1, line);
    }
    reader.end_of_names();
    let readings = reader.readings;
    if readings.sockets.is_empty() && readings.timings.is_empty() && readings.hystart.is_none() {
        let Readings { unknown, other_counters, .. } = readings;
        return Err(Unreadable::Nothing { unknown, other_counters });
    }
    Ok(readings)
}

#[derive(Default)]
struct Reader<'a> {
    readings: Readings,
    /// The names of the fields read of the last socket; absent where the next info line begins a new one.
    fields: Option<Vec<&'static str>>,
    /// Names of `/proc/net/netstat` that wait for their values: their line, group and names.
    names: Option<(usize, &'a str, Vec<&'a str>)>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, number: usize, text: &'a str) {
        // Samples are often pasted as comments.
        let line = text.trim_start_matches(|c: char| c == '#' || c.is_whitespace());
        let tokens = tokens::split(line);
        if tokens.is_empty() || line::is_heading(&tokens) || tokens == ["kernel"] {
            self.fields = None;
        } else if let Some((address, rest)) = line::address(&tokens) {
            self.address(number, text, &address, rest);
        } else if let Some((group, rest)) = nstat::group(&tokens) {
            self.fields = None;
            self.group(number, group, rest);
        } else if let Some((name, value)) = nstat::counter(&tokens) {
            self.fields = None;
            self.counter(name, value);
        } else if curl::is_timing(&tokens) {
            self.fields = None;
            match curl::timing(number, &tokens) {
                Ok(timing) => self.readings.timings.push(timing),
                Err(reason) => self.unknown(number, text, reason),
            }
        } else {
            let items = line::items(&tokens);
            if line::is_info(&items) {
                self.info(number, items);
            } else {
                self.fields = None;
                self.unknown(number, text, "not a line of ss, curl or nstat as known here");
            }
        }
    }

    fn unknown(&mut self, line: usize, text: &str, reason: impl Into<String>) {
        self.readings.unknown.push(Unknown { line, text: shortened(text), reason: reason.into() });
    }

    fn address(
        &mut self,
        number: usize,
        text: &str,
        address: &line::Address<'a>,
        rest: &[&'a str],
    ) {
        self.fields = None;
        if let Some(netid) = address.netid.filter(|netid| *netid != "tcp") {
            self.unknown(number, text, format!("a socket of kind {netid}, not of TCP"));
            return;
        }
        self.readings.sockets.push(Socket {
            line: number,
            state: address.state.map(str::to_owned),
            local: Some(address.local.to_owned()),
            peer: Some(address.peer.to_owned()),
            ..Socket::default()
        });
        self.fields = Some(Vec::new());
        self.info(number, line::items(rest));
    }

    fn info(&mut self, number: usize, items: Vec<Item<'a>>) {
        let read_before = self.fields.take();
        let repeats = |item: &Item<'_>| match (item, &read_before) {
            (Item::Field { field, .. }, Some(read)) => read.contains(&field.name),
            _ => false,
        };
        let mut fields = match &read_before {
            Some(read) if !items.iter().any(repeats) => read.clone(),
            _ => {
                self.readings.sockets.push(Socket { line: number, ..Socket::default() });
                Vec::new()
            }
        };
        let mut unknown = Vec::new();
        // A socket was pushed above, or with the address that `read_before` came from.
        if let Some(socket) = self.readings.sockets.last_mut() {
            for item in items {
                match item {
                    Item::Field { field, text, .. } if fields.contains(&field.name) => {
                        let reason = format!("{} twice in one line; the first is kept", field.name);
                        unknown.push((text, reason));
                    }
                    Item::Field { field, value, text } => {
                        if (field.read)(&mut socket.info, value) {
                            fields.push(field.name);
                        } else {
                            unknown.push((text, format!("{} takes {}", field.name, field.form)));
                        }
                    }
                    Item::CongestionControl(name) if socket.info.congestion_control.is_none() => {
                        socket.info.congestion_control = Some(name);
                    }
                    Item::CongestionControl(name) => {
                        let reason = "a second congestion control in one socket".to_owned();
                        unknown.push((name.to_owned(), reason));
                    }
                    Item::AppLimited => socket.info.app_limited = true,
                    Item::Aside(name) => socket.aside.push(name.to_owned()),
                    Item::Unknown(text) => {
                        unknown.push((text.to_owned(), "not a field of ss known here".to_owned()));
                    }
                }
            }
        }
        for (text, reason) in unknown {
            self.unknown(number, &text, reason);
        }
        self.fields = Some(fields);
    }

    fn counter(&mut self, name: &str, value: u64) {
        let mut counters = self.readings.hystart.unwrap_or_default();
        if counters.keep(name, value) {
            self.readings.hystart = Some(counters);
        } else {
            self.readings.other_counters += 1;
        }
    }

    fn group(&mut self, number: usize, group: &'a str, rest: &[&'a str]) {
        let values: Option<Vec<u64>> = rest.iter().map(|v| tokens::count(v)).collect();
        match (values, self.names.take()) {
            (Some(values), Some((_, named, names)))
                if named == group && names.len() == values.len() =>
            {
                for (name, value) in names.into_iter().zip(values) {
                    self.counter(name, value);
                }
            }
            (Some(_), _) => {
                let reason = "values without a line of as many names before it";
                self.unknown(number, &format!("{group}: …"), reason);
            }
            (None, waiting) => {
                self.names = waiting;
                self.end_of_names();
                self.names = Some((number, group, rest.to_vec()));
            }
        }
    }

    /// Reports names whose values never came.
    fn end_of_names(&mut self) {
        if let Some((number, group, _)) = self.names.take() {
            let reason = "names without a line of values after it";
            self.unknown(number, &format!("{group}: …"), reason);
        }
    }
}

/// The beginning of a text, long enough to find it again.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "ESTAB 0 0 192.0.2.10:443 198.51.100.7:51234";
    const INFO: &str = "\t cubic wscale:7,7 rto:284 rtt:80.2/0.1 mss:1448 cwnd:10";

    fn read_ok(text: &str) -> Readings {
        read(text).expect("something recognised")
    }

    #[test]
    fn an_info_line_belongs_to_the_address_before_it() {
        let readings = read_ok(&format!("{ADDRESS}\n{INFO}\n{ADDRESS}\n{INFO}"));
        assert_eq!(readings.sockets.len(), 2);
        assert_eq!(readings.sockets[1].line, 3);
        assert_eq!(readings.sockets[1].info.cwnd, Some(10));
        assert_eq!(readings.sockets[1].peer.as_deref(), Some("198.51.100.7:51234"));
        assert!(readings.unknown.is_empty());
    }

    #[test]
    fn both_on_one_line_are_the_same() {
        let two = read_ok(&format!("{ADDRESS}\n{INFO}"));
        let one = read_ok(&format!("{ADDRESS} {}", INFO.trim()));
        assert_eq!(two, one);
    }

    #[test]
    fn info_lines_alone_are_sockets_of_their_own() {
        let readings = read_ok(&format!("# {}\n# {}\n", INFO.trim(), INFO.trim()));
        assert_eq!(readings.sockets.len(), 2);
        assert_eq!(readings.sockets[1].line, 2);
    }

    #[test]
    fn a_broken_line_is_made_whole() {
        let readings = read_ok(&format!("{ADDRESS}\n{INFO}\nbytes_acked:5 minrtt:80\n"));
        assert_eq!(readings.sockets.len(), 1);
        assert_eq!(readings.sockets[0].info.bytes_acked, Some(5));
        let apart = read_ok(&format!("{ADDRESS}\n{INFO}\n\nbytes_acked:5 minrtt:80\n"));
        assert_eq!(apart.sockets.len(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_listed_with_line_and_reason() {
        let text = format!("{ADDRESS}\n{INFO} rtt:9/9 swnd:4 minrtt:soon weird\nhello there\n");
        let unknown: Vec<_> = read_ok(&text).unknown.iter().map(Unknown::to_string).collect();
        assert_eq!(
            unknown,
            [
                "line 2: 'rtt:9/9': rtt twice in one line; the first is kept",
                "line 2: 'swnd:4': not a field of ss known here",
                "line 2: 'minrtt:soon': minrtt takes a time in milliseconds, without a unit",
                "line 2: 'weird': not a field of ss known here",
                "line 3: 'hello there': not a line of ss, curl or nstat as known here",
            ]
        );
    }

    #[test]
    fn sockets_of_other_kinds_are_named_not_read() {
        let text = format!("u_str ESTAB 0 0 * 176015 * 176014\ntcp {ADDRESS}\n{INFO}");
        let readings = read_ok(&text);
        assert_eq!(readings.sockets.len(), 1);
        assert_eq!(readings.unknown[0].reason, "a socket of kind u_str, not of TCP");
    }

    #[test]
    fn counters_come_from_nstat_or_from_the_file_behind_it() {
        let expected = HyStartCounters {
            train_detect: Some(4),
            train_cwnd: Some(480),
            delay_detect: Some(1),
            delay_cwnd: Some(30),
        };
        let nstat = "#kernel\nTcpExtTCPHystartTrainDetect 4 0.0\nTcpExtTCPHystartTrainCwnd 480 0.0\n\
            TcpExtTCPHystartDelayDetect 1 0.0\nTcpExtTCPHystartDelayCwnd 30 0.0\nIpInReceives 9 0.0\n";
        let proc = "TcpExt: TW TCPHystartTrainDetect TCPHystartTrainCwnd TCPHystartDelayDetect \
            TCPHystartDelayCwnd\nTcpExt: 7 4 480 1 30\nIpExt: InOctets\nIpExt: 9\n";
        for (text, others) in [(nstat, 1), (proc, 2)] {
            let readings = read_ok(text);
            assert_eq!(readings.hystart, Some(expected));
            assert_eq!(readings.other_counters, others);
            assert!(readings.unknown.is_empty(), "{:?}", readings.unknown);
        }
    }

    #[test]
    fn names_and_values_that_do_not_fit_are_listed() {
        let text = format!("{INFO}\nTcpExt: A B\nTcpExt: 1\nTcpExt: 2\nTcpExt: C\n");
        let reasons: Vec<_> = read_ok(&text).unknown.into_iter().map(|u| u.reason).collect();
        assert_eq!(reasons.len(), 3, "{reasons:?}");
        assert_eq!(reasons[2], "names without a line of values after it");
    }

    #[test]
    fn nothing_recognised_is_an_error_that_says_what_was_there() {
        let message = |text: &str| read(text).expect_err("nothing").to_string();
        assert!(message(" \n\t\n").starts_with("nothing to read"));
        assert_eq!(
            message("State Recv-Q Send-Q Local Address:Port Peer Address:Port\n"),
            "there are headings, but no socket, timing line or counter"
        );
        assert_eq!(
            message("IpInReceives 9 0.0"),
            "there are 1 counters, but none of HyStart's four"
        );
        assert_eq!(
            message("x\ny"),
            "none of 2 lines recognised; the first, line 1: 'x': not a line of ss, curl or nstat as known here"
        );
        assert!(message("0.5 0.1 0.6").contains("must not decrease"));
    }

    #[test]
    fn long_lines_are_shortened_at_a_character() {
        let error = read(&"ä".repeat(100)).expect_err("nothing");
        let Unreadable::Nothing { unknown, .. } = error else { panic!("{error:?}") };
        assert_eq!(unknown[0].text.chars().count(), 61);
    }
}
