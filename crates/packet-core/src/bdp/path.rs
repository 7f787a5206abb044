//! The path in slots and amounts.
//!
//! An amount is data as the hop sees it, headers included, in bits x 10^-9: the rate in bits per
//! second times a slot in nanoseconds is a whole number of them, so nothing is ever rounded on the way.
//! That is why the hop is not [`crate::path::Bottleneck`], which counts whole packets: with fractions
//! of a packet one slot is like the next, and a stretch of equal slots is one step.

use super::scenario::Scenario;
use super::sizing::PACKET_BYTES;
use crate::units::{Bytes, MSS, Time};

/// Data at the hop, in bits x 10^-9.
pub(super) type Amount = u64;

/// One packet.
pub(super) const PACKET: Amount = PACKET_BYTES * 8 * 1_000_000_000;

/// Slots of a base round-trip time.
pub(super) const SLOTS_PER_RTT: u64 = 80;

/// How long a run is, in base round trips.
const ROUND_TRIPS: u64 = 180;

/// How long a run is at least, in round trips as the window makes them. Through the full buffer of the
/// start values that is the same; it counts where the buffer is long and the path is short.
const LOADED_ROUND_TRIPS: u64 = 80;

/// A payload with the headers of the segments that carry it.
pub(super) fn on_the_wire(payload: Bytes) -> Amount {
    (u128::from(payload.0) * u128::from(PACKET) / u128::from(MSS)) as Amount
}

/// A path of two links, the second with a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// Length of a slot.
    pub slot: Time,
    /// What the sender's link emits in a slot.
    pub link: Amount,
    /// What the hop serves in a slot.
    pub hop: Amount,
    /// What the hop holds.
    pub buffer: Amount,
}

impl Path {
    /// The path of a scenario.
    pub fn new(scenario: &Scenario) -> Path {
        let slot = Time(scenario.rtt.0.div_ceil(SLOTS_PER_RTT));
        Path {
            slot,
            link: scenario.link.0 * slot.0,
            hop: scenario.hop.0 * slot.0,
            buffer: scenario.hop.0 * scenario.buffer.0,
        }
    }

    /// Slots from a drop to its notice: a drop is seen by what left right before it, at the end of a
    /// full queue, as a round trip of that took so long.
    pub fn notice(&self) -> u64 {
        SLOTS_PER_RTT + self.buffer.div_ceil(self.hop) - 1
    }

    /// Slots of a run with this window, whose round trip takes what the hop needs to serve it, up to
    /// a full buffer.
    pub fn slots(&self, window: Amount) -> u64 {
        let loaded = window.div_ceil(self.hop).min(self.notice() + 1);
        (ROUND_TRIPS * SLOTS_PER_RTT).max(LOADED_ROUND_TRIPS * loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_values_are_those_of_the_article() {
        let path = Path::new(&Scenario::default());
        let packets = |amount: Amount| amount as f64 / PACKET as f64;
        assert_eq!(path.slot, Time::millis(1));
        assert!((packets(path.hop) - 8.333).abs() < 1e-3);
        assert!((packets(path.buffer) - 833.333).abs() < 1e-3);
        assert_eq!(path.notice(), 179, "the round trip at the end of a full queue");
        assert_eq!(path.slots(on_the_wire(Bytes::kb(64))), 180 * 80);
        assert_eq!(path.slots(on_the_wire(Bytes::mb(16))), 180 * 80);
    }

    #[test]
    fn a_window_of_one_segment_is_one_packet() {
        assert_eq!(on_the_wire(Bytes(MSS)), PACKET);
    }
}
