//! What readings say about a scenario, and what they cannot say.

use crate::read::Readings;
use crate::reading::show_time;
use crate::socket::Socket;
use packet_core::model::Model;
use packet_core::parameter::Value;
use packet_core::units::{MSS, Time, grouped};
use packet_core::{Scenario, SlowStart};
use serde::Serialize;
use std::fmt::Display;

/// The controls that readings set, and a remark on every control.
///
/// Rate and round-trip time mean the same to every panel; the rest is of the slow-start scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// What they were taken from.
    pub source: String,
    /// What is set, in the order of the controls.
    pub changes: Vec<Change>,
    /// One remark for each control, in their order.
    pub remarks: Vec<Remark>,
}

/// A control that is set; the value is in its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The parameter's long name.
    pub name: &'static str,
    /// Its key in URLs.
    pub key: &'static str,
    /// The value, as [`Parameter::exact`](packet_core::parameter::Parameter::exact) writes it.
    pub text: String,
    /// The value itself.
    #[serde(skip)]
    pub value: Value,
}

/// Why a control is set as it is, or is left alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The parameter's long name.
    pub name: &'static str,
    /// A sentence.
    pub text: String,
}

/// What begins a remark on a control that is left alone.
const LEFT: &str = "Left alone: ";

impl Remark {
    fn left(name: &'static str, why: impl Display) -> Remark {
        Remark { name, text: format!("{LEFT}{why}") }
    }

    /// Why the control is left alone, if it is.
    pub fn why_left(&self) -> Option<&str> {
        self.text.strip_prefix(LEFT)
    }
}

impl Settings {
    /// What is set, as a URL query: `rate=23400kbps&rtt=18ms`.
    pub fn query(&self) -> String {
        let pairs: Vec<_> = self.changes.iter().map(|c| format!("{}={}", c.key, c.text)).collect();
        pairs.join("&")
    }

    /// What is set, as options of `slowstart run`: `--rate 23400kbps --rtt 18ms`.
    pub fn options(&self) -> String {
        let options: Vec<_> =
            self.changes.iter().map(|c| format!("--{} {}", c.name, c.text)).collect();
        options.join(" ")
    }

    /// The remarks that say more than that no reading tells of a control.
    pub fn telling(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| remark.why_left() != Some(UNTOLD))
    }

    /// Sets the controls on a scenario, and leaves the others.
    pub fn apply(&self, scenario: &mut Scenario) {
        for change in &self.changes {
            if let Some(p) = SlowStart::parameter(change.name) {
                (p.set)(scenario, change.value);
            }
        }
    }

    fn new(source: String) -> Settings {
        Settings { source, changes: Vec::new(), remarks: Vec::new() }
    }

    /// One remark for each control, in their order, whether readings know of it or not.
    fn complete(mut self) -> Settings {
        let (mut remarks, mut changes) = (Vec::new(), Vec::new());
        for p in SlowStart::PARAMETERS {
            changes.extend(self.changes.extract_if(.., |change| change.name == p.name));
            let known = self.remarks.iter().position(|remark| remark.name == p.name);
            remarks.push(
                known.map_or_else(|| Remark::left(p.name, UNTOLD), |i| self.remarks.swap_remove(i)),
            );
        }
        self.remarks = remarks;
        // The assumptions, which are left, stay before the others.
        self.changes.append(&mut changes);
        self
    }

    fn leave(&mut self, name: &'static str, why: impl Display) {
        self.remarks.push(Remark::left(name, why));
    }

    /// Sets a control, or the nearest that it allows, and says which.
    fn set(&mut self, name: &'static str, value: Value, why: String) {
        let Some(p) = SlowStart::parameter(name) else { return };
        let nearest = p.setting().parse_nearest(&p.exact(value)).unwrap_or(value);
        let text = if nearest == value {
            why
        } else {
            format!("{why} That is outside {}: {} is taken.", p.allowed(), p.show(nearest))
        };
        let change = Change { name: p.name, key: p.key, text: p.exact(nearest), value: nearest };
        self.changes.push(change);
        self.remarks.push(Remark { name, text });
    }
}

impl Readings {
    /// What the readings say about a scenario: the socket that has delivered the most, else the timing
    /// lines.
    pub fn settings(&self) -> Settings {
        let candidates = self.sockets.iter().filter(|s| !s.is_listening());
        // Of equals, the first.
        let best = candidates.rev().max_by_key(|s| s.info.bytes_acked);
        match best {
            Some(socket) => {
                let mut settings = socket.settings();
                if self.sockets.len() > 1 {
                    let n = self.sockets.len();
                    settings.source +=
                        &format!(", of {n} sockets the one with the most bytes_acked");
                }
                settings
            }
            None => self.settings_of_timings(),
        }
    }

    fn settings_of_timings(&self) -> Settings {
        let quickest = self.timings.iter().filter(|t| !t.reused()).min_by_key(|t| t.connect);
        let what = "not in what was pasted";
        let mut settings = Settings::new(match quickest {
            Some(timing) => format!("timing line {}", timing.line),
            None => {
                "nothing: there is no socket, and no timing line of a new connection".to_owned()
            }
        });
        settings.leave("size", format!("{what}; curl gives it as %{{size_download}}."));
        settings.leave("rate", format!("{what}."));
        match quickest {
            Some(timing) => {
                let connect = show_time(timing.connect);
                let why =
                    format!("The quickest handshake took {connect}, the name's lookup included.");
                settings.set("rtt", Value::Number(timing.connect.0), why);
            }
            None => settings.leave("rtt", format!("{what}.")),
        }
        for name in ["initial-window", "hystart", "tail-loss-probe", "slow-start-after-idle"] {
            settings.leave(name, NOT_VISIBLE);
        }
        settings.complete()
    }
}

const UNTOLD: &str = "no reading tells of it.";
const NOT_VISIBLE: &str = "a setting of the sending host, which no client sees.";

impl Socket {
    /// What this socket says about a scenario.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::new(self.name());
        settings.leave(
            "size",
            "bytes_acked counts all responses of a connection, not the size of one.",
        );
        self.rate(&mut settings);
        self.rtt(&mut settings);
        settings.leave(
            "initial-window",
            "cwnd is the window of now; `ip route show` prints initcwnd where it is not 10.",
        );
        self.hystart(&mut settings);
        settings.leave(
            "tail-loss-probe",
            "not in ss; sysctl net.ipv4.tcp_early_retrans prints it, 0 is off.",
        );
        settings.leave(
            "slow-start-after-idle",
            "not in ss; sysctl net.ipv4.tcp_slow_start_after_idle prints it.",
        );
        settings.leave(
            "loss",
            match self.info.retrans {
                Some((_, all)) if all > 0 => format!(
                    "{all} retransmissions are counted, but not of which packet of a response."
                ),
                _ => "no retransmission is counted.".to_owned(),
            },
        );
        self.idle(&mut settings);
        self.buffer(&mut settings);
        settings.complete()
    }

    fn rate(&self, settings: &mut Settings) {
        let Some(rate) = self.info.delivery_rate.filter(|rate| rate.0 > 0) else {
            settings.leave("rate", "there is no delivery_rate.");
            return;
        };
        let mut why =
            format!("delivery_rate is {rate}; it counts data only, the headers add some 5%.");
        if self.info.app_limited {
            why += " It was limited by the application, so the link may be faster.";
        } else if self.info.has_queue() != Some(true) {
            why += " No queue shows, so the window may have been the limit and the link may be faster.";
        }
        settings.set("rate", Value::Number(rate.0), why);
    }

    fn rtt(&self, settings: &mut Settings) {
        let base = self.info.base_rtt();
        match (base, self.info.min_rtt) {
            (Some(rtt), Some(min)) if rtt == min => {
                let why =
                    format!("minrtt is {}: the path with the least queue seen.", show_time(rtt));
                settings.set("rtt", Value::Number(rtt.0), why);
            }
            (Some(rtt), _) => {
                let why = format!(
                    "There is no minrtt; the smoothed rtt is {}, whatever waits in queues included.",
                    show_time(rtt)
                );
                settings.set("rtt", Value::Number(rtt.0), why);
            }
            (None, _) => settings.leave("rtt", "there is neither minrtt nor rtt."),
        }
    }

    fn hystart(&self, settings: &mut Settings) {
        match self.info.congestion_control {
            None => settings.leave("hystart", "the congestion control is not named."),
            Some("cubic") => settings
                .leave("hystart", "CUBIC has HyStart, but ss does not print whether it is on."),
            Some(name @ ("bbr" | "bbr2" | "bbr3")) => settings.leave(
                "hystart",
                format!("{name} starts in a way of its own, which this model does not have."),
            ),
            Some(name) => {
                let why = format!("{name} has no HyStart.");
                settings.set("hystart", Value::Switch(false), why);
            }
        }
    }

    fn idle(&self, settings: &mut Settings) {
        match self.info.last_sent.filter(|ago| *ago > Time::ZERO) {
            Some(ago) => {
                let why =
                    format!("lastsnd is {}: as if the second request came now.", show_time(ago));
                settings.set("idle", Value::Number(ago.0), why);
            }
            None => settings.leave(
                "idle",
                "there is no lastsnd, which ss leaves out where data was just sent.",
            ),
        }
    }

    /// A queue shows how long the buffer is at least, not how long it is.
    fn buffer(&self, settings: &mut Settings) {
        let info = &self.info;
        let queue = info.rtt.zip(info.min_rtt).map(|((rtt, _), min)| rtt.saturating_sub(min));
        let text = match queue.zip(info.delivery_rate) {
            Some((queue, rate)) => match (rate.bytes_in(queue) / MSS as f64).round() {
                n if n >= 1.0 => format!(
                    "the queue that stands now is some {} packets, so the buffer holds at least those.",
                    grouped(n)
                ),
                _ => "no queue stands, so nothing shows how long it may get.".to_owned(),
            },
            None => "a queue shows only with rtt, minrtt and delivery_rate.".to_owned(),
        };
        settings.leave("buffer", text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use packet_core::units::Rate;

    const LINE: &str = "cubic wscale:7,7 rto:218 rtt:18.2/0.1 mss:1448 cwnd:80 bytes_acked:9000000 \
        lastsnd:500 delivery_rate 23.4Mbps minrtt:18";

    fn settings(text: &str) -> Settings {
        read(text).expect("something recognised").settings()
    }

    fn remark<'a>(settings: &'a Settings, name: &str) -> &'a str {
        &settings.remarks.iter().find(|r| r.name == name).expect("a remark").text
    }

    #[test]
    fn a_socket_sets_rate_round_trip_time_and_idle_gap() {
        let settings = settings(LINE);
        assert_eq!(settings.query(), "rate=23400kbps&rtt=18ms&idle=500ms");
        assert_eq!(settings.options(), "--rate 23400kbps --rtt 18ms --idle 500ms");
        let mut scenario = Scenario::default();
        settings.apply(&mut scenario);
        assert_eq!(scenario.rate, Rate(23_400_000));
        assert_eq!(scenario.idle, Some(Time::millis(500)));
        assert_eq!(scenario.initial_window, 10);
        scenario.validate().expect("in range");
    }

    #[test]
    fn every_control_has_one_remark_in_the_controls_order() {
        let names: Vec<_> = SlowStart::PARAMETERS.iter().map(|p| p.name).collect();
        for text in [LINE, "0.08 0.16 0.5", "0.0 0.1 0.2", "reno rto:1 retrans:0/4 rtt:3/1"] {
            let remarks: Vec<_> = settings(text).remarks.iter().map(|r| r.name).collect();
            assert_eq!(remarks, names, "{text}");
        }
    }

    #[test]
    fn a_rate_without_a_queue_may_be_the_window_s() {
        assert!(remark(&settings(LINE), "rate").ends_with("the link may be faster."));
        let queued = LINE.replace("rtt:18.2", "rtt:40");
        assert!(remark(&settings(&queued), "rate").ends_with("the headers add some 5%."));
    }

    #[test]
    fn what_is_out_of_range_becomes_the_nearest_and_is_said() {
        let settings =
            settings("cubic rtt:0.1/0.1 delivery_rate 17.5Gbps lastsnd:90000 minrtt:0.007");
        assert_eq!(settings.query(), "rate=10Gbps&rtt=1ms&idle=60s");
        assert!(remark(&settings, "rtt").ends_with("outside 1 ms to 300 ms: 1 ms is taken."));
    }

    #[test]
    fn what_cannot_be_told_is_left_alone() {
        let settings = settings("bbr cwnd:10 mss:1448");
        assert_eq!(settings.query(), "");
        assert!(remark(&settings, "hystart").contains("bbr starts in a way of its own"));
        assert!(remark(&settings, "rtt").contains("neither"));
    }

    #[test]
    fn a_congestion_control_without_hystart_turns_it_off() {
        assert_eq!(settings("reno rtt:30/2").query(), "rtt=30ms&hs=off");
    }

    #[test]
    fn of_several_sockets_the_busiest_is_taken() {
        let text = format!("{LINE}\n{LINE}\n{}", LINE.replace("9000000", "9900000"));
        let settings = settings(&text);
        assert!(
            settings.source.starts_with("socket of line 3, of 3 sockets"),
            "{}",
            settings.source
        );
        let equal = read(&format!("{LINE}\n{LINE}")).expect("recognised").settings();
        assert!(equal.source.starts_with("socket of line 1"));
    }

    #[test]
    fn without_a_socket_the_quickest_handshake_is_the_round_trip() {
        let settings = settings("0.0905 0.16 0.5\n0.0801 0.16 0.5\n0.0 0.08 0.2");
        assert_eq!(settings.query(), "rtt=80100us");
        assert_eq!(settings.source, "timing line 2");
    }
}
