//! What the connections of a run share: the bottleneck, the packets on their way, and the record of all
//! that happens.

use super::scenario::Scenario;
use crate::assumptions::Clock;
use crate::decision::{Decision, Logged};
use crate::path::Bottleneck;
use crate::trace::{Fate, Packet, Reply};
use crate::units::Time;
use std::collections::VecDeque;

/// Slots in a round trip, where the sender acts in slots.
const SLOTS_PER_RTT: u64 = 80;
/// Where it acts at once, what falls into the same of so many parts of a round trip is handled in one go,
/// as a kernel takes packets that come close together: far fewer events on a fast link, and times that
/// are right to 10 µs in 80 ms.
const PARTS_PER_RTT: u64 = 8_000;

/// Things of which it is known when they happen, in time order.
pub struct Timeline<T> {
    queue: VecDeque<(Time, T)>,
    /// When the first thing happens, which is asked for far more often than it changes.
    next: Time,
}

impl<T> Default for Timeline<T> {
    fn default() -> Self {
        Timeline { queue: VecDeque::new(), next: Time::NEVER }
    }
}

impl<T> Timeline<T> {
    /// Something happens, no earlier than what has been pushed before.
    pub fn push(&mut self, at: Time, what: T) {
        debug_assert!(self.queue.back().is_none_or(|(last, _)| *last <= at));
        self.next = self.next.min(at);
        self.queue.push_back((at, what));
    }

    /// When the first thing happens.
    pub fn next(&self) -> Time {
        self.next
    }

    /// Takes the first thing, if it happens by `now`.
    pub fn pop_due(&mut self, now: Time) -> Option<T> {
        if self.next > now {
            return None;
        }
        let (_, what) = self.queue.pop_front()?;
        self.next = self.queue.front().map_or(Time::NEVER, |(at, _)| *at);
        Some(what)
    }
}

/// A packet reaches its receiver.
pub struct Arrival {
    /// When.
    pub at: Time,
    /// The packet, by index.
    pub index: u32,
    /// Its connection.
    pub connection: u8,
    /// What it carries.
    pub segment: u32,
}

/// What the connections share.
pub struct Network<'a> {
    pub scenario: &'a Scenario,
    /// Length of a slot, in which all that happens is handled in one go.
    pub slot: Time,
    pub one_way: Time,
    pub base_rtt: Time,
    pub bottleneck: Bottleneck,
    /// The first packet that may be on its way to its receiver, and the latest time one arrives.
    arriving: usize,
    last_arrival: Time,
    /// The connection behind the last one that got a packet into the queue.
    pub turn: usize,
    /// Whether samples and replies are kept.
    pub sampled: bool,
    pub packets: Vec<Packet>,
    pub replies: Vec<Reply>,
    pub decisions: Vec<Logged>,
}

impl<'a> Network<'a> {
    /// One without any packets yet, and room to record as many of them.
    pub fn new(scenario: &'a Scenario, packets: usize, sampled: bool) -> Network<'a> {
        let slots = match scenario.assumptions.clock {
            Clock::Slots => SLOTS_PER_RTT,
            Clock::Continuous => PARTS_PER_RTT,
        };
        let slot = Time(scenario.rtt.0.div_ceil(slots));
        let base_rtt = slot.times(slots);
        Network {
            scenario,
            slot,
            one_way: Time(base_rtt.0 / 2),
            base_rtt,
            bottleneck: Bottleneck::new(scenario.rate, slot, scenario.buffer_packets()),
            arriving: 0,
            last_arrival: Time::ZERO,
            turn: 0,
            sampled,
            packets: Vec::with_capacity(packets),
            replies: Vec::with_capacity(if sampled { packets } else { 0 }),
            decisions: Vec::new(),
        }
    }

    /// When a packet arrives that leaves the link then.
    pub fn arrival(&mut self, departed: Time) -> Time {
        let arrives = departed + self.one_way;
        let delayed = arrives + self.scenario.spike.delay(departed);
        // Nothing overtakes on the path.
        self.last_arrival = self.last_arrival.max(self.slot_of(delayed, arrives));
        self.last_arrival
    }

    /// Takes the next packet off the path, if it arrives by then.
    pub fn take_arrival(&mut self, by: Time) -> Option<Arrival> {
        loop {
            let packet = self.packets.get_mut(self.arriving)?;
            match packet.delivered {
                Some(at) if at > by => return None,
                Some(at) => {
                    packet.fate = Fate::Delivered;
                    let (connection, segment) = (packet.connection, packet.segment);
                    let index = self.arriving as u32;
                    self.arriving += 1;
                    return Some(Arrival { at, index, connection, segment });
                }
                // It was lost.
                None => self.arriving += 1,
            }
        }
    }

    /// The record of what happened, with nothing in it of what had not happened yet.
    pub fn into_record(mut self) -> (Vec<Packet>, Vec<Reply>, Vec<Logged>) {
        for packet in &mut self.packets[self.arriving..] {
            packet.delivered = None;
        }
        (self.packets, self.replies, self.decisions)
    }

    /// Logs what was decided on a connection, which is named where there are several.
    pub fn log(&mut self, at: Time, connection: u8, decisions: impl Iterator<Item = Decision>) {
        let connection = (self.scenario.connections > 1).then_some(connection.into());
        self.decisions.extend(decisions.map(|what| Logged { at, connection, what }));
    }

    /// The slot in which something is handled that happens at `time`, by its start; no earlier than
    /// `earliest`, which is such a start.
    pub fn slot_of(&self, time: Time, earliest: Time) -> Time {
        let slot = self.slot.0;
        if time <= earliest { earliest } else { Time(time.0.div_ceil(slot) * slot) }
    }

    /// Whether a sender shows its state when something is delivered, which is no news to it: one that
    /// acts in slots does.
    pub fn stirs(&self) -> bool {
        self.sampled && self.scenario.assumptions.clock == Clock::Slots
    }
}
