//! A TCP socket as `ss` prints it.

use crate::reading::Reading;
use crate::{derived, printed};
use packet_core::units::{Rate, Time};

/// What was read of one socket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Socket {
    /// The line it begins at, counted from 1.
    pub line: usize,
    /// The state, such as `ESTAB`; absent where `ss` left it out or only the info line was pasted.
    pub state: Option<String>,
    /// Its own address and port.
    pub local: Option<String>,
    /// The other side's address and port.
    pub peer: Option<String>,
    /// The figures of the info line.
    pub info: Info,
    /// Names of fields that `ss` prints and that say nothing about how a connection starts.
    pub aside: Vec<String>,
}

/// The figures of an info line; absent where they were not printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// The name of the congestion control.
    pub congestion_control: Option<&'static str>,
    /// Window scale shifts: of the peer's window, which limits what is sent here, and of our own.
    pub window_scale: Option<(u64, u64)>,
    /// Retransmission timeout; `ss` leaves it out where it is 3 s.
    pub rto: Option<Time>,
    /// How often the timeout has been doubled.
    pub backoff: Option<u64>,
    /// Smoothed round-trip time and its mean deviation.
    pub rtt: Option<(Time, Time)>,
    /// The smallest round-trip time seen.
    pub min_rtt: Option<Time>,
    /// Delayed-ACK timeout.
    pub ato: Option<Time>,
    /// Maximum segment size, in bytes.
    pub mss: Option<u64>,
    /// Path MTU, in bytes.
    pub pmtu: Option<u64>,
    /// Congestion window, in segments.
    pub cwnd: Option<u64>,
    /// Slow start threshold, in segments; `ss` leaves it out from 65,535 on.
    pub ssthresh: Option<u64>,
    /// Bytes sent, retransmissions included.
    pub bytes_sent: Option<u64>,
    /// Bytes sent again.
    pub bytes_retrans: Option<u64>,
    /// Bytes acknowledged.
    pub bytes_acked: Option<u64>,
    /// Bytes received.
    pub bytes_received: Option<u64>,
    /// What window and smoothed round-trip time make together.
    pub send: Option<Rate>,
    /// Time since data was last sent.
    pub last_sent: Option<Time>,
    /// The rate the pacer is set to.
    pub pacing_rate: Option<Rate>,
    /// The rate at which data was delivered.
    pub delivery_rate: Option<Rate>,
    /// Whether the delivery rate was limited by what the application had to send.
    pub app_limited: bool,
    /// Time with data outstanding.
    pub busy: Option<Time>,
    /// Of that, time stopped by the receiver's window, and its part in percent.
    pub rwnd_limited: Option<(Time, f64)>,
    /// Of that, time stopped by the send buffer, and its part in percent.
    pub sndbuf_limited: Option<(Time, f64)>,
    /// Segments in flight.
    pub unacked: Option<u64>,
    /// Retransmissions: outstanding now, and in all.
    pub retrans: Option<(u64, u64)>,
    /// Segments taken as lost now.
    pub lost: Option<u64>,
    /// How far segments may arrive out of order before that counts as a loss.
    pub reordering: Option<u64>,
    /// What receive autotuning has settled on, in bytes.
    pub rcv_space: Option<u64>,
    /// How far the window offered to the peer may grow now, in bytes.
    pub rcv_ssthresh: Option<u64>,
    /// Bytes written by the application and not sent yet.
    pub not_sent: Option<u64>,
    /// The window the peer offers, in bytes.
    pub snd_wnd: Option<u64>,
}

/// From here on a threshold is none: the kernel's `TCP_INFINITE_SSTHRESH`, which some tools print.
const INFINITE_SSTHRESH: u64 = 0x7fff_ffff;
/// The initial window on most hosts, in segments (RFC 6928).
pub(crate) const USUAL_INITIAL_WINDOW: u64 = 10;

impl Socket {
    /// What the figures mean: first what follows from them together, then each as printed.
    pub fn readings(&self) -> Vec<Reading> {
        let mut readings = derived::readings(self);
        readings.extend(printed::readings(&self.info));
        readings
    }

    /// Whether it waits for connections, and so has no window that means anything.
    pub fn is_listening(&self) -> bool {
        self.state.as_deref() == Some("LISTEN")
    }

    /// A name for people: `192.0.2.10:443 to 198.51.100.7:51234`, or its line.
    pub fn name(&self) -> String {
        match (&self.local, &self.peer) {
            (Some(local), Some(peer)) => format!("{local} to {peer}"),
            _ => format!("socket of line {}", self.line),
        }
    }
}

impl Info {
    /// The threshold, where there is a finite one.
    pub(crate) fn finite_ssthresh(&self) -> Option<u64> {
        self.ssthresh.filter(|n| *n < INFINITE_SSTHRESH)
    }

    /// The round-trip time without a queue, as far as the socket knows: the smallest seen, else the smoothed one.
    pub(crate) fn base_rtt(&self) -> Option<Time> {
        self.min_rtt.or(self.rtt.map(|(rtt, _)| rtt)).filter(|t| *t > Time::ZERO)
    }

    /// Whether a queue stands: the smoothed round trip is above the smallest by more than jitter makes.
    pub(crate) fn has_queue(&self) -> Option<bool> {
        let ((rtt, _), min) = (self.rtt?, self.min_rtt.filter(|min| *min > Time::ZERO)?);
        let queue = rtt.saturating_sub(min);
        Some(queue.0 >= min.0 / 10 && queue >= Time::millis(1))
    }

    /// Bytes the congestion window lets be in flight.
    pub(crate) fn window_bytes(&self) -> Option<f64> {
        Some(self.cwnd? as f64 * self.mss? as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_that_the_kernel_calls_infinite_is_none() {
        let with = |n| Info { ssthresh: Some(n), ..Info::default() }.finite_ssthresh();
        assert_eq!(with(20), Some(20));
        assert_eq!(with(2_147_483_647), None);
    }

    #[test]
    fn the_smallest_round_trip_time_goes_before_the_smoothed_one() {
        let mut info = Info { rtt: Some((Time::millis(90), Time::ZERO)), ..Info::default() };
        assert_eq!(info.base_rtt(), Some(Time::millis(90)));
        info.min_rtt = Some(Time::millis(80));
        assert_eq!(info.base_rtt(), Some(Time::millis(80)));
    }

    #[test]
    fn a_socket_without_addresses_is_named_by_its_line() {
        let mut socket = Socket { line: 3, ..Socket::default() };
        assert_eq!(socket.name(), "socket of line 3");
        socket.local = Some("192.0.2.10:443".to_owned());
        socket.peer = Some("198.51.100.7:51234".to_owned());
        assert_eq!(socket.name(), "192.0.2.10:443 to 198.51.100.7:51234");
    }
}
