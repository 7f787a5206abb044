//! The event loop: one order of events, by time, then phase, then connection, then sequence.
//!
//! Everything that will happen is known in a few queues that are each in time order already, so the
//! next event is the earliest of their heads. All that falls into one slot of the sender's clock is
//! handled in the phases of [`Engine::slot`]; slots in which nothing happens cost nothing. A sender
//! that acts at once has slots, too, but very short ones.
//!
//! Several connections meet at the bottleneck only. Up to the ACKs none of them can affect another, so
//! they are handled one after the other; see [`Engine::send_in_turn`] for who sends first.

use super::connection::Connection;
use super::network::Network;
use super::run::Run;
use super::scenario::{MAX_CONNECTIONS, Scenario};
use crate::assumptions::{Clock, TrailingAcks};
use crate::sender::Settings;
use crate::trace::Sample;
use crate::units::Time;

/// Some of the connections, a bit for each.
#[derive(Clone, Copy, Default)]
struct Set(u32);

const _: () = assert!(MAX_CONNECTIONS < 32, "a bit for each connection, and room to look beyond");

impl Set {
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn contains(self, i: usize) -> bool {
        self.0 & (1 << i) != 0
    }

    /// The one connection that is in it, where it is one.
    fn only(self) -> Option<usize> {
        self.0.is_power_of_two().then(|| self.0.trailing_zeros() as usize)
    }

    fn insert(&mut self, i: usize) {
        self.0 |= 1 << i;
    }

    fn remove(&mut self, i: usize) {
        self.0 &= !(1 << i);
    }

    /// The first of them that is `start` or comes after it.
    fn first_from(self, start: usize) -> Option<usize> {
        let rest = self.0 & (u32::MAX << start);
        (rest != 0).then(|| rest.trailing_zeros() as usize)
    }
}

pub(crate) struct Engine<'a> {
    network: Network<'a>,
    connections: Vec<Connection>,
    set_up: Time,
    /// When anything happens next, as far as known; never too late.
    soonest: Time,
    /// Whether a response is complete by then.
    complete: bool,
    samples: Vec<Sample>,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(scenario: &'a Scenario) -> Engine<'a> {
        Engine::with(scenario, true)
    }

    /// The same without samples and replies, for studies that run many scenarios and look at few
    /// figures of each.
    pub(crate) fn unsampled(scenario: &'a Scenario) -> Engine<'a> {
        Engine::with(scenario, false)
    }

    fn with(scenario: &'a Scenario, sampled: bool) -> Engine<'a> {
        let responses = scenario.connections as usize * (1 + usize::from(scenario.idle.is_some()));
        let segments = scenario.segments() as usize * responses;
        // Some are sent again; growing means to copy all.
        let packets = segments + segments / 16 + 1;
        let network = Network::new(scenario, packets, sampled);
        let settings = Settings {
            initial_window: scenario.initial_window,
            receive_window: scenario.receive_window.map(|window| window.whole_segments()),
            base_rtt: network.base_rtt,
            slot: match scenario.assumptions.clock {
                Clock::Slots => network.slot,
                Clock::Continuous => Time::nanos(1),
            },
            hystart: scenario.hystart,
            tail_loss_probe: scenario.tail_loss_probe,
            slow_start_after_idle: scenario.slow_start_after_idle,
            assumptions: scenario.assumptions,
        };
        let set_up = scenario.set_up.time(network.base_rtt);
        let connection = |i: u32| {
            let begins = scenario.stagger.times(i.into()) + set_up + scenario.think;
            Connection::new(i as u8, scenario, settings.clone(), begins)
        };
        Engine {
            set_up,
            connections: (0..scenario.connections).map(connection).collect(),
            soonest: set_up + scenario.think,
            complete: false,
            // A sender that acts at once has a sample for each ACK; slots take many together.
            samples: match scenario.assumptions.clock {
                Clock::Continuous if sampled => Vec::with_capacity(packets),
                _ => Vec::new(),
            },
            network,
        }
    }

    /// Runs until the last response has arrived, and its ACKs, where they count.
    pub(crate) fn run(mut self) -> Run {
        let scenario = self.network.scenario;
        let discards = scenario.assumptions.trailing_acks == TrailingAcks::Discarded;
        let mut open = scenario.connections;
        let mut now = self.next_event(Time::ZERO);
        loop {
            self.slot(now);
            if std::mem::take(&mut self.complete) {
                for connection in &mut self.connections {
                    open -= u32::from(connection.end_response(now, discards, &mut self.network));
                }
                self.look_ahead();
            }
            if open == 0 && (discards || self.connections.iter().all(|c| c.sender.all_acked())) {
                break;
            }
            now = self.next_event(now + self.network.slot);
        }
        let Engine { network, connections, set_up, samples, .. } = self;
        let first = &connections[0];
        let base_rtt = network.base_rtt;
        let (packets, replies, decisions) = network.into_record();
        Run {
            scenario: scenario.clone(),
            base_rtt,
            set_up,
            worst_rtt: Some(first.worst_rtt).filter(|rtt| *rtt > Time::ZERO),
            rto: first.sender.rto(),
            acks: connections.iter().map(|c| c.acks_received).sum(),
            connections: connections.iter().map(Connection::result).collect(),
            samples,
            packets,
            replies,
            decisions,
        }
    }

    /// Everything of the slot that starts at `now` but deliveries, phase by phase.
    fn slot(&mut self, now: Time) {
        let mut due = Set::default();
        for (i, connection) in self.connections.iter_mut().enumerate() {
            if connection.listen(now, &mut self.network) {
                due.insert(i);
            }
        }
        match due.only() {
            Some(i) => {
                let connection = &mut self.connections[i];
                while connection.send(now, &mut self.network) {}
            }
            None => self.send_in_turn(now, due),
        }
        self.soonest = Time::NEVER;
        for (i, connection) in self.connections.iter_mut().enumerate() {
            if due.contains(i) {
                connection.finish_slot(now, &mut self.network);
            }
            self.soonest = self.soonest.min(connection.next());
        }
        if self.network.sampled && !due.is_empty() {
            let sender = &self.connections[0].sender;
            self.samples.push(Sample {
                at: now,
                cwnd: sender.cwnd(),
                ssthresh: sender.ssthresh(),
                in_flight: sender.in_flight(),
                queue: self.network.bottleneck.queued(now),
            });
        }
    }

    /// Phases 5 and 6: sending, and the link.
    ///
    /// Connections with something to send in the same slot send one packet each in turn, as if each
    /// came from a server of its own over an equally quick link: none can fill the queue before
    /// another has had its turn. The first turn is that of the connection behind the last one that got
    /// a packet into the queue, so whoever met a full queue is the first to try again and none is first
    /// every time. Somebody must be first at the start, and it is the first connection, whatever the
    /// scenario, so that the one a panel shows does not jump: over many paths with drops it is some 3 %
    /// quicker than the last one for it, and a tenth of its drops fewer.
    fn send_in_turn(&mut self, now: Time, mut sending: Set) {
        let mut turn = self.network.turn;
        while let Some(i) = sending.first_from(turn).or_else(|| sending.first_from(0)) {
            if !self.connections[i].send(now, &mut self.network) {
                sending.remove(i);
            }
            turn = i + 1;
        }
    }

    /// Works out when anything happens next, once all that happens now is done.
    fn look_ahead(&mut self) {
        self.soonest = self.connections.iter().map(Connection::next).fold(Time::NEVER, Time::min);
    }

    /// The next slot in which anything happens, no earlier than `earliest`, with what arrives by then
    /// delivered.
    ///
    /// Arrivals are no events of their own: nothing overtakes a packet on the path, so what arrives
    /// before anything else happens can be delivered at once.
    fn next_event(&mut self, earliest: Time) -> Time {
        debug_assert!(self.soonest != Time::NEVER, "an unfinished response always has a timer");
        let mut slot = self.network.slot_of(self.soonest, earliest);
        while let Some(arrival) = self.network.take_arrival(slot) {
            let connection = &mut self.connections[usize::from(arrival.connection)];
            let (complete, next) = connection.take(&arrival, &mut self.network);
            self.complete |= complete;
            if next < self.soonest {
                self.soonest = next;
                slot = self.network.slot_of(next, earliest);
            }
        }
        slot
    }
}
