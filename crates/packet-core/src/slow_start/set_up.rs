//! What comes before the first byte of a response: the handshakes.

use crate::parameter::words;
use crate::units::Time;

words! {
    /// How a connection is set up before the request reaches the server.
    ///
    /// Only round trips count: a handshake's packets are small and meet no queue, and the few segments of
    /// a certificate leave the window as it is. A request travels with the last message of the handshake.
    #[derive(Default)]
    SetUp {
        /// The connection is there, and the request at the server, as the clock starts.
        #[default]
        None: "none", "none: the connection is there";
        /// TCP's three-way handshake (RFC 9293 section 3.5): one round trip.
        Tcp: "tcp", "TCP";
        /// TCP, then a full TLS 1.3 handshake (RFC 8446 section 2): two round trips.
        Tls13: "tls13", "TCP and TLS 1.3";
        /// TCP, then a full TLS 1.2 handshake (RFC 5246 section 7.3): three round trips.
        Tls12: "tls12", "TCP and TLS 1.2";
        /// TCP, then TLS 1.3 with the request as early data (RFC 8446 section 2.3): one round trip.
        ZeroRtt: "0rtt", "TCP and resumed TLS 1.3, 0-RTT";
    }
}

impl SetUp {
    /// Round trips of its handshakes.
    pub const fn round_trips(self) -> u64 {
        match self {
            SetUp::None => 0,
            SetUp::Tcp | SetUp::ZeroRtt => 1,
            SetUp::Tls13 => 2,
            SetUp::Tls12 => 3,
        }
    }

    /// From the client's SYN until the request is at the server: the handshakes, and the request's way.
    pub fn time(self, rtt: Time) -> Time {
        match self {
            SetUp::None => Time::ZERO,
            _ => rtt.times(self.round_trips()) + Time(rtt.0 / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_arrives_half_a_round_trip_after_the_handshakes() {
        let rtt = Time::millis(80);
        let times = SetUp::ALL.iter().map(|s| s.time(rtt).0 / 1_000_000);
        assert_eq!(times.collect::<Vec<_>>(), [0, 120, 200, 280, 120]);
    }
}
