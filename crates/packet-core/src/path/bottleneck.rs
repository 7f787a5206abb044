//! The bottleneck: first in first out, exactly its rate, drops what does not fit.

use crate::units::{Rate, Time};
use std::collections::VecDeque;

/// The queue was full: the packet is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A link that serves `rate x slot` in every slot, with the packets waiting for it.
///
/// What is left of a slot's capacity is carried over to the next one while the queue is not empty. As
/// the order and the rate are fixed, a packet's departure is known when it arrives.
#[derive(Clone, Debug)]
pub struct Bottleneck {
    slot: Time,
    /// What one slot serves and what one packet needs, in bits times nanoseconds per second.
    capacity: u64,
    packet: u64,
    buffer: usize,
    /// Departure slots of the packets that wait or are in service.
    departures: VecDeque<Time>,
    /// How many of them were over when last asked.
    gone: usize,
    /// The slot the current busy period is served up to, and the capacity used of it.
    served_to: Time,
    used: u64,
}

impl Bottleneck {
    /// A link of `rate` for packets of `packet_bytes` on the wire, acting in slots of `slot`, with
    /// room for `buffer` packets, the one in service included.
    pub fn new(rate: Rate, packet_bytes: u64, slot: Time, buffer: u32) -> Bottleneck {
        Bottleneck {
            slot,
            capacity: rate.0 * slot.0,
            packet: packet_bytes * 8 * 1_000_000_000,
            buffer: buffer as usize,
            departures: VecDeque::new(),
            gone: 0,
            served_to: Time::ZERO,
            used: 0,
        }
    }

    /// A packet arrives in the slot that starts at `now`; returns the slot in which it has been served.
    ///
    /// # Errors
    /// [`Full`] where the queue has no room.
    pub fn offer(&mut self, now: Time) -> Result<Time, Full> {
        while self.departures.front().is_some_and(|d| *d < now) {
            self.departures.pop_front();
            self.gone = self.gone.saturating_sub(1);
        }
        if self.departures.len() >= self.buffer {
            return Err(Full);
        }
        if self.departures.is_empty() {
            self.served_to = now;
            self.used = 0;
        }
        // The packet needs what is left of the slot and as many whole slots as that leaves open.
        let end = self.used + self.packet;
        let slots = (end - 1) / self.capacity;
        self.served_to += self.slot.times(slots);
        self.used = end - slots * self.capacity;
        self.departures.push_back(self.served_to);
        Ok(self.served_to)
    }

    /// Packets still there at the end of the slot that starts at `now`, which is no earlier than at the
    /// last call.
    pub fn queued(&mut self, now: Time) -> u32 {
        while self.departures.get(self.gone).is_some_and(|d| *d <= now) {
            self.gone += 1;
        }
        (self.departures.len() - self.gone) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(mbps: u64, buffer: u32) -> Bottleneck {
        Bottleneck::new(Rate::mbps(mbps), 1_514, Time::millis(1), buffer)
    }

    /// Serves a queue the plain way, slot by slot, and gives the slot in which each packet is done.
    fn slot_by_slot(mbps: u64, packets: usize) -> Vec<u64> {
        let per_slot = mbps * 1_000_000 * 1_000_000;
        let need = 1_514 * 8 * 1_000_000_000u64;
        let (mut done, mut budget, mut slot) = (Vec::new(), 0, 0);
        while done.len() < packets {
            budget += per_slot;
            while budget >= need && done.len() < packets {
                budget -= need;
                done.push(slot);
            }
            slot += 1;
        }
        done
    }

    #[test]
    fn departures_are_those_of_serving_slot_by_slot() {
        for mbps in [1, 3, 10, 97, 100, 1_000, 9_999] {
            let mut link = link(mbps, 1_000);
            let ours: Vec<_> =
                (0..500).map(|_| link.offer(Time::ZERO).expect("room").0 / 1_000_000).collect();
            assert_eq!(ours, slot_by_slot(mbps, 500), "{mbps} Mbps");
        }
    }

    #[test]
    fn an_empty_queue_saves_no_capacity() {
        let mut link = link(1, 32);
        let first = link.offer(Time::ZERO).expect("room");
        assert_eq!(first, Time::millis(12));
        let second = link.offer(Time::millis(100)).expect("room");
        assert_eq!(second, Time::millis(112));
    }

    #[test]
    fn it_holds_its_buffer_and_no_more() {
        let mut link = link(1, 32);
        let accepted = (0..46).filter(|_| link.offer(Time::ZERO).is_ok()).count();
        assert_eq!(accepted, 32);
        assert_eq!(link.queued(Time::ZERO), 32);
        assert_eq!(link.queued(Time::millis(12)), 31);
        assert_eq!(link.offer(Time::millis(12)), Err(Full), "the first is still in service");
        assert!(link.offer(Time::millis(13)).is_ok());
    }
}
