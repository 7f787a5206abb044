//! What the connections of a run share: the bottleneck, the packets on their way, and the record of all
//! that happens.

use super::decision::{Decision, Logged};
use super::scenario::Scenario;
use crate::assumptions::Clock;
use crate::path::Bottleneck;
use crate::trace::{Packet, Reply};
use crate::units::{Time, WIRE_BYTES};
use std::collections::VecDeque;

/// Slots in a round trip, where the sender acts in slots.
const SLOTS_PER_RTT: u64 = 80;

/// Things of which it is known when they happen, in time order.
pub struct Timeline<T>(VecDeque<(Time, T)>);

impl<T> Default for Timeline<T> {
    fn default() -> Self {
        Timeline(VecDeque::new())
    }
}

impl<T> Timeline<T> {
    /// Something happens, no earlier than what has been pushed before.
    pub fn push(&mut self, at: Time, what: T) {
        debug_assert!(self.0.back().is_none_or(|(last, _)| *last <= at));
        self.0.push_back((at, what));
    }

    /// When the first thing happens.
    pub fn next(&self) -> Time {
        self.0.front().map_or(Time::NEVER, |(at, _)| *at)
    }

    /// Takes the first thing, if it happens by `now`.
    pub fn pop_due(&mut self, now: Time) -> Option<T> {
        if self.next() <= now { self.0.pop_front().map(|(_, what)| what) } else { None }
    }
}

/// What the connections share.
pub struct Network<'a> {
    pub scenario: &'a Scenario,
    /// Length of a slot of the senders' clock; a nanosecond where they act at once.
    pub slot: Time,
    pub one_way: Time,
    pub base_rtt: Time,
    pub bottleneck: Bottleneck,
    /// Packets on their way to their receiver, by index, and the latest time one arrives.
    pub deliveries: Timeline<u32>,
    last_delivery: Time,
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
        let (slot, base_rtt) = match scenario.assumptions.clock {
            Clock::Slots => {
                let slot = Time(scenario.rtt.0.div_ceil(SLOTS_PER_RTT));
                (slot, slot.times(SLOTS_PER_RTT))
            }
            Clock::Continuous => (Time::nanos(1), scenario.rtt),
        };
        Network {
            scenario,
            slot,
            one_way: Time(base_rtt.0 / 2),
            base_rtt,
            bottleneck: Bottleneck::new(scenario.rate, WIRE_BYTES, slot, scenario.buffer_packets()),
            deliveries: Timeline::default(),
            last_delivery: Time::ZERO,
            turn: 0,
            sampled,
            packets: Vec::with_capacity(packets),
            replies: Vec::with_capacity(if sampled { packets } else { 0 }),
            decisions: Vec::new(),
        }
    }

    /// The packet with this index has left the link.
    pub fn deliver(&mut self, departed: Time, packet: u32) {
        // Nothing overtakes on the path.
        let arrives = departed + self.one_way + self.scenario.spike.delay(departed);
        self.last_delivery = self.last_delivery.max(arrives);
        self.deliveries.push(self.last_delivery, packet);
    }

    /// Logs what was decided on a connection, which is named where there are several.
    pub fn log(&mut self, at: Time, connection: u8, decisions: impl Iterator<Item = Decision>) {
        let connection = (self.scenario.connections > 1).then_some(connection.into());
        self.decisions.extend(decisions.map(|what| Logged { at, connection, what }));
    }

    /// The slot that `time` falls into, by its start.
    pub fn slot_of(&self, time: Time) -> Time {
        // Division is slow, so not in slots of 1 ns.
        let slot = self.slot.0;
        if slot == 1 { time } else { Time(time.0.div_ceil(slot) * slot) }
    }

    /// Whether a sender shows its state when something is delivered, which is no news to it: one that
    /// acts in slots does.
    pub fn stirs(&self) -> bool {
        self.sampled && self.slot > Time::nanos(1)
    }
}
