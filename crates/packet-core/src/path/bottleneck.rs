//! The bottleneck: first in first out, exactly its rate, drops what does not fit.

use crate::units::{Rate, Time, WIRE_BYTES};

/// What a packet needs, in bits times nanoseconds per second.
const PACKET: u64 = WIRE_BYTES * 8 * 1_000_000_000;

/// The queue was full: the packet is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A link that serves `rate x slot` in every slot, with the packets waiting for it.
///
/// What is left of a slot's capacity is carried over to the next one while the queue is not empty. As
/// the order and the rate are fixed and all packets are of one size, a packet's departure is known when
/// it arrives, and the work left tells how many are waiting.
#[derive(Clone, Debug)]
pub struct Bottleneck {
    slot: Time,
    rate: u64,
    /// What one slot serves, in bits times nanoseconds per second.
    capacity: u64,
    /// The work that leaves room for one packet more.
    room: u64,
    /// The slot in which the last packet is served, and the capacity used of it by then.
    served_to: Time,
    used: u64,
}

impl Bottleneck {
    /// A link of `rate`, acting in slots of `slot`, with room for `buffer` packets, the one in service
    /// included.
    pub fn new(rate: Rate, slot: Time, buffer: u32) -> Bottleneck {
        Bottleneck {
            slot,
            rate: rate.0,
            capacity: rate.0 * slot.0,
            room: u64::from(buffer.saturating_sub(1)).saturating_mul(PACKET),
            served_to: Time::ZERO,
            used: 0,
        }
    }

    /// A packet arrives in the slot that starts at `now`; returns the slot in which it has been served.
    ///
    /// # Errors
    /// [`Full`] where the queue has no room.
    pub fn offer(&mut self, now: Time) -> Result<Time, Full> {
        let work = self.work(now);
        if work > self.room {
            return Err(Full);
        }
        if work == 0 {
            self.served_to = now;
            self.used = 0;
        }
        // The packet needs what is left of the slot and as many whole slots as that leaves open.
        let end = self.used + PACKET;
        let slots = if end <= self.capacity { 0 } else { (end - 1) / self.capacity };
        self.served_to += self.slot.times(slots);
        self.used = end - slots * self.capacity;
        Ok(self.served_to)
    }

    /// Packets still there at the end of the slot that starts at `now`.
    pub fn queued(&self, now: Time) -> u32 {
        self.work(now + self.slot).div_ceil(PACKET) as u32
    }

    /// What is to be served from `now` on, in bits times nanoseconds per second.
    fn work(&self, now: Time) -> u64 {
        if self.served_to < now { 0 } else { (self.served_to - now).0 * self.rate + self.used }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(mbps: u64, buffer: u32) -> Bottleneck {
        Bottleneck::new(Rate::mbps(mbps), Time::millis(1), buffer)
    }

    /// Serves a queue the plain way, slot by slot, and gives the slot in which each packet is done.
    fn slot_by_slot(mbps: u64, packets: usize) -> Vec<u64> {
        let per_slot = mbps * 1_000_000 * 1_000_000;
        let need = PACKET;
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
