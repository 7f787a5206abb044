//! The event loop: one order of events, by time, then phase, then connection, then sequence.
//!
//! Everything that will happen is known in a few queues that are each in time order already, so the
//! next event is the earliest of their heads. All that falls into one slot of the sender's clock is
//! handled in the phases of [`Engine::slot`]; slots in which nothing happens cost nothing. A sender
//! that acts at once has slots of a nanosecond.
//!
//! Several connections meet at the bottleneck only. Up to the ACKs none of them can affect another, so
//! they are handled one after the other; see [`Engine::send_in_turn`] for who sends first.

use super::decision::{Decision, Logged};
use super::receiver::{Answer, Receiver};
use super::run::{self, Response, Run};
use super::scenario::{MAX_CONNECTIONS, Scenario};
use crate::assumptions::{Clock, LossFeedback, TrailingAcks};
use crate::path::Bottleneck;
use crate::sender::{Ack, Kind, Sender, Settings, Transmission};
use crate::trace::{Fate, Packet, Reply, Sample};
use crate::units::{Time, WIRE_BYTES};
use std::collections::VecDeque;
use std::ops::Range;

/// Slots in a round trip, where the sender acts in slots.
const SLOTS_PER_RTT: u64 = 80;
/// Segments behind a lost one that make three duplicate ACKs.
const BEHIND: u32 = 3;

/// Things of which it is known when they happen, in time order.
struct Timeline<T>(VecDeque<(Time, T)>);

impl<T> Default for Timeline<T> {
    fn default() -> Self {
        Timeline(VecDeque::new())
    }
}

impl<T> Timeline<T> {
    fn push(&mut self, at: Time, what: T) {
        debug_assert!(self.0.back().is_none_or(|(last, _)| *last <= at));
        self.0.push_back((at, what));
    }

    fn next(&self) -> Time {
        self.0.front().map_or(Time::NEVER, |(at, _)| *at)
    }

    fn pop_due(&mut self, now: Time) -> Option<T> {
        if self.next() <= now { self.0.pop_front().map(|(_, what)| what) } else { None }
    }
}

/// Some of the connections, a bit for each.
#[derive(Clone, Copy, Default)]
struct Set(u32);

const _: () = assert!(MAX_CONNECTIONS < 32, "a bit for each connection, and room to look beyond");

impl Set {
    fn is_empty(self) -> bool {
        self.0 == 0
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

/// Both ends of one connection, and what is on its way back to the sender.
struct Connection {
    sender: Sender,
    receiver: Receiver,
    acks: Timeline<Answer>,
    notices: Timeline<u32>,
    acks_received: u32,
    /// The segments to lose on their first transmission.
    doomed: Range<u32>,
    /// When the next response begins.
    begins: Time,
    /// When the sender next learns of something or does something.
    next: Time,
    requested: Time,
    responses: Vec<Response>,
    /// Something of it has arrived in this slot; the last byte of the response has.
    stirred: bool,
    complete: bool,
    worst_rtt: Time,
    burst: Option<Burst>,
    sent: u32,
    retransmissions: u32,
    dropped: u32,
}

/// Drops that follow each other within a round trip share a line in the log.
struct Burst {
    last: Time,
    line: usize,
}

impl Connection {
    /// Works out when something happens next, once the sender has been at work.
    fn look_ahead(&mut self) {
        let told = self.acks.next().min(self.notices.next());
        self.next = told.min(self.sender.wake_at()).min(self.begins);
    }

    /// What came of it.
    fn result(&self) -> run::Connection {
        run::Connection {
            responses: self.responses.clone(),
            sent: self.sent,
            retransmissions: self.retransmissions,
            dropped: self.dropped,
            peak_cwnd: self.sender.peak_cwnd(),
        }
    }

    /// Forgets all that is on its way: the response is over.
    fn forget_outstanding(&mut self) {
        self.sender.forget_outstanding();
        self.receiver.drop_held();
        self.acks = Timeline::default();
        self.notices = Timeline::default();
    }
}

pub(crate) struct Engine<'a> {
    scenario: &'a Scenario,
    slot: Time,
    one_way: Time,
    base_rtt: Time,
    set_up: Time,
    connections: Vec<Connection>,
    bottleneck: Bottleneck,
    /// Packets on their way to their receiver, by index, and the latest time one arrives.
    deliveries: Timeline<u32>,
    last_delivery: Time,
    ack_batch: Vec<Ack>,
    /// When anything happens next but deliveries; never too late, and now where a sender is stirred.
    soonest: Time,
    /// How many connections have not had their last response.
    open: u32,
    /// The connection behind the last one that got a packet into the queue.
    turn: usize,
    sampled: bool,
    samples: Vec<Sample>,
    packets: Vec<Packet>,
    replies: Vec<Reply>,
    decisions: Vec<Logged>,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(scenario: &'a Scenario) -> Engine<'a> {
        let assumptions = scenario.assumptions;
        let (slot, base_rtt) = match assumptions.clock {
            Clock::Slots => {
                let slot = Time(scenario.rtt.0.div_ceil(SLOTS_PER_RTT));
                (slot, slot.times(SLOTS_PER_RTT))
            }
            Clock::Continuous => (Time::nanos(1), scenario.rtt),
        };
        let settings = Settings {
            initial_window: scenario.initial_window,
            receive_window: scenario.receive_window.map(|window| window.whole_segments()),
            base_rtt,
            slot,
            hystart: scenario.hystart,
            tail_loss_probe: scenario.tail_loss_probe,
            slow_start_after_idle: scenario.slow_start_after_idle,
            assumptions,
        };
        let set_up = scenario.set_up.time(base_rtt);
        let begins = |i: u32| scenario.stagger.times(i.into()) + set_up + scenario.think;
        let connection = |i: u32| Connection {
            sender: Sender::new(settings.clone()),
            receiver: Receiver::new(assumptions.acks, assumptions.timer_granularity),
            acks: Timeline::default(),
            notices: Timeline::default(),
            acks_received: 0,
            doomed: if i == 0 { scenario.loss.segments(scenario.segments()) } else { 0..0 },
            begins: begins(i),
            next: begins(i),
            requested: Time::ZERO,
            responses: Vec::new(),
            stirred: false,
            complete: false,
            worst_rtt: Time::ZERO,
            burst: None,
            sent: 0,
            retransmissions: 0,
            dropped: 0,
        };
        let responses = scenario.connections as usize * (1 + usize::from(scenario.idle.is_some()));
        let packets = scenario.segments() as usize * responses;
        Engine {
            scenario,
            slot,
            one_way: Time(base_rtt.0 / 2),
            base_rtt,
            set_up,
            connections: (0..scenario.connections).map(connection).collect(),
            bottleneck: Bottleneck::new(scenario.rate, WIRE_BYTES, slot, scenario.buffer_packets()),
            deliveries: Timeline::default(),
            last_delivery: Time::ZERO,
            ack_batch: Vec::new(),
            soonest: begins(0),
            open: scenario.connections,
            turn: 0,
            sampled: true,
            // A sender that acts at once has a sample for each ACK; slots take many together.
            samples: match assumptions.clock {
                Clock::Slots => Vec::new(),
                Clock::Continuous => Vec::with_capacity(packets + packets / 16),
            },
            packets: Vec::with_capacity(packets),
            replies: Vec::with_capacity(packets),
            decisions: Vec::new(),
        }
    }

    /// The same without samples and replies, for studies that run many scenarios and look at few figures of each.
    pub(crate) fn unsampled(scenario: &'a Scenario) -> Engine<'a> {
        Engine { sampled: false, ..Engine::new(scenario) }
    }

    /// Runs until the last response has arrived, and its ACKs, where they count.
    pub(crate) fn run(mut self) -> Run {
        let discards = self.scenario.assumptions.trailing_acks == TrailingAcks::Discarded;
        let mut now = self.next_event(Time::ZERO);
        loop {
            let complete = self.deliver(now);
            self.slot(now);
            if complete {
                self.end_responses(now, discards);
            }
            if self.open == 0 && (discards || self.connections.iter().all(|c| c.sender.all_acked()))
            {
                break;
            }
            now = self.next_event(now + self.slot);
        }
        let first = &self.connections[0];
        Run {
            scenario: self.scenario.clone(),
            base_rtt: self.base_rtt,
            set_up: self.set_up,
            responses: first.responses.clone(),
            peak_cwnd: first.sender.peak_cwnd(),
            worst_rtt: Some(first.worst_rtt).filter(|rtt| *rtt > Time::ZERO),
            rto: first.sender.rto(),
            acks: self.connections.iter().map(|c| c.acks_received).sum(),
            connections: self.connections.iter().map(Connection::result).collect(),
            samples: self.samples,
            packets: self.packets,
            replies: self.replies,
            decisions: self.decisions,
        }
    }

    /// Everything of the slot that starts at `now` but deliveries, phase by phase.
    fn slot(&mut self, now: Time) {
        if self.soonest > now {
            return;
        }
        let (mut due, stirs) = (Set::default(), self.stirs());
        for i in 0..self.connections.len() {
            let connection = &mut self.connections[i];
            if connection.receiver.deadline() <= now {
                let answer = connection.receiver.on_deadline();
                connection.stirred = stirs;
                self.reply(now, i, answer);
            }
            let connection = &mut self.connections[i];
            if std::mem::take(&mut connection.stirred) || connection.next <= now {
                due.insert(i);
                self.listen(now, i);
            }
        }
        let is_quiet = due.is_empty();
        self.send_in_turn(now, due);
        while let Some(i) = due.first_from(0) {
            due.remove(i);
            self.connections[i].look_ahead();
            self.take_decisions(now, i);
        }
        self.look_ahead();
        if self.sampled && !is_quiet {
            let sender = &self.connections[0].sender;
            self.samples.push(Sample {
                at: now,
                cwnd: sender.cwnd(),
                ssthresh: sender.ssthresh(),
                in_flight: sender.in_flight(),
                queue: self.bottleneck.queued(now),
            });
        }
    }

    /// All a sender learns in a slot before it sends.
    fn listen(&mut self, now: Time, i: usize) {
        self.connections[i].sender.catch_up(now);
        if self.connections[i].begins <= now {
            self.begin_response(now, i);
        }
        let connection = &mut self.connections[i];
        // 1: loss notices
        while let Some(index) = connection.notices.pop_due(now) {
            let packet = self.packets[index as usize];
            connection.sender.on_loss(packet.segment, packet.sent);
        }
        // 2: timers
        connection.sender.on_timer(now);
        // 3: pacing credit
        connection.sender.accrue(now);
        // 4: ACKs
        self.take_acks(now, i);
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
        let mut turn = self.turn;
        while let Some(i) = sending.first_from(turn).or_else(|| sending.first_from(0)) {
            match self.connections[i].sender.transmit(now) {
                Some(transmission) => self.send(now, i, transmission),
                None => sending.remove(i),
            }
            turn = i + 1;
        }
    }

    /// Works out when anything happens next, once all that happens now is done.
    fn look_ahead(&mut self) {
        let each = self.connections.iter().map(|c| c.next.min(c.receiver.deadline()));
        self.soonest = each.fold(Time::NEVER, Time::min);
    }

    /// The next slot in which anything happens, no earlier than `earliest`.
    fn next_event(&self, earliest: Time) -> Time {
        let next = self.deliveries.next().min(self.soonest);
        debug_assert!(next != Time::NEVER, "an unfinished response always has a timer");
        // An event is handled in the slot it falls into; division is slow, so not in slots of 1 ns.
        let slot = self.slot.0;
        let start = if slot == 1 { next } else { Time(next.0.div_ceil(slot) * slot) };
        start.max(earliest)
    }

    fn log(&mut self, at: Time, i: usize, what: Decision) {
        let connection = (self.connections.len() > 1).then_some(i as u32);
        self.decisions.push(Logged { at, connection, what });
    }

    /// Logs what the sender has decided.
    fn take_decisions(&mut self, at: Time, i: usize) {
        let connection = (self.connections.len() > 1).then_some(i as u32);
        let decisions = self.connections[i].sender.take_decisions();
        self.decisions.extend(decisions.map(|what| Logged { at, connection, what }));
    }

    fn begin_response(&mut self, now: Time, i: usize) {
        let segments = self.scenario.segments();
        let connection = &mut self.connections[i];
        let idle = connection.responses.last().map(|last| now - last.finished);
        connection.begins = Time::NEVER;
        connection.requested = now - self.scenario.think;
        connection.receiver.expect(segments);
        connection.sender.write(now, segments, idle);
        let cwnd = connection.sender.cwnd();
        self.take_decisions(now, i);
        self.log(now, i, Decision::Started { segments, cwnd, second: idle.is_some() });
    }

    /// Whether a sender shows its state when something is delivered, which is no news to it: one that
    /// acts in slots does.
    fn stirs(&self) -> bool {
        self.sampled && self.slot > Time::nanos(1)
    }

    /// Delivers what arrives by `now`; says whether that completes a response.
    fn deliver(&mut self, now: Time) -> bool {
        let mut complete = false;
        let stirs = self.stirs();
        while let Some(index) = self.deliveries.pop_due(now) {
            let packet = &mut self.packets[index as usize];
            packet.delivered = Some(now);
            packet.fate = Fate::Delivered;
            let i = usize::from(packet.connection);
            let connection = &mut self.connections[i];
            connection.stirred = stirs;
            let arrival = connection.receiver.take(now, index, packet.segment);
            if arrival.complete {
                complete = true;
                connection.complete = true;
                let (requested, held) = (connection.requested, connection.receiver.deadline());
                let sent = if arrival.answer.is_some() { now } else { held };
                let acknowledged = sent + self.one_way;
                connection.responses.push(Response { requested, finished: now, acknowledged });
            }
            let next = match arrival.answer {
                Some(answer) => self.reply(now, i, answer),
                None => connection.receiver.deadline(),
            };
            self.soonest = if stirs { now } else { self.soonest.min(next) };
        }
        complete
    }

    /// An ACK leaves the receiver; returns when it reaches the sender.
    fn reply(&mut self, now: Time, i: usize, answer: Answer) -> Time {
        let due = now + self.one_way;
        if self.sampled {
            let (connection, cumulative) = (i as u8, answer.cumulative);
            self.replies.push(Reply { connection, sent: now, due, cumulative });
        }
        self.connections[i].acks.push(due, answer);
        self.connections[i].next = self.connections[i].next.min(due);
        due
    }

    /// Closes the responses that ended at `now`.
    fn end_responses(&mut self, now: Time, discards: bool) {
        for i in 0..self.connections.len() {
            if std::mem::take(&mut self.connections[i].complete) {
                self.end_response(now, i, discards);
            }
        }
        self.look_ahead();
    }

    /// Closes the response that ended at `now`; another one may follow.
    fn end_response(&mut self, now: Time, i: usize, discards: bool) {
        let connection = &mut self.connections[i];
        let second = connection.responses.len() > 1;
        match self.scenario.idle {
            Some(idle) if !second => {
                connection.begins = now + idle + self.scenario.think;
                connection.doomed = 0..0;
            }
            _ => self.open -= 1,
        }
        if discards {
            connection.forget_outstanding();
        }
        connection.look_ahead();
        if let Some(response) = connection.responses.last() {
            let response = response.duration();
            self.log(now, i, Decision::Finished { response, second });
        }
    }

    fn take_acks(&mut self, now: Time, i: usize) {
        let connection = &mut self.connections[i];
        self.ack_batch.clear();
        while let Some(answer) = connection.acks.pop_due(now) {
            let (first, last) = (answer.first as usize, answer.last as usize);
            // Packets do not overtake each other: all of these that arrived are answered.
            for packet in &mut self.packets[first..=last] {
                if packet.fate == Fate::Delivered && usize::from(packet.connection) == i {
                    packet.acked = Some(now);
                    connection.worst_rtt = connection.worst_rtt.max(now - packet.sent);
                }
            }
            let newest = self.packets[last].segment;
            let sacked = if newest >= answer.cumulative { (newest, newest + 1) } else { (0, 0) };
            let echo = Some(self.packets[first].sent);
            connection.acks_received += 1;
            self.ack_batch.push(Ack { cumulative: answer.cumulative, sacked, echo });
        }
        if !self.ack_batch.is_empty() {
            connection.sender.on_acks(now, &self.ack_batch);
        }
    }

    fn send(&mut self, now: Time, i: usize, transmission: Transmission) {
        let Transmission { segment, kind } = transmission;
        let index = self.packets.len() as u32;
        let mut packet = Packet {
            connection: i as u8,
            segment,
            kind,
            fate: Fate::InFlight,
            sent: now,
            departed: None,
            delivered: None,
            acked: None,
        };
        let connection = &mut self.connections[i];
        connection.sent += 1;
        connection.retransmissions += u32::from(kind != Kind::New);
        let notice = now + self.base_rtt;
        if kind == Kind::New && connection.doomed.contains(&segment) {
            packet.fate = Fate::Lost;
            let behind = self.scenario.segments() - 1 - segment;
            self.log(now, i, Decision::LostOnPurpose { segment, behind });
            if behind >= BEHIND {
                self.notify(notice, i, index);
            }
        } else if let Ok(departed) = self.bottleneck.offer(now) {
            self.turn = i + 1;
            packet.departed = Some(departed);
            // Nothing overtakes on the path.
            let arrives = departed + self.one_way + self.scenario.spike.delay(departed);
            self.last_delivery = self.last_delivery.max(arrives);
            self.deliveries.push(self.last_delivery, index);
        } else {
            packet.fate = Fate::QueueDrop;
            connection.dropped += 1;
            self.log_drop(now, i);
            self.notify(notice, i, index);
        }
        self.packets.push(packet);
    }

    /// Has the sender told of a loss, where it is told.
    fn notify(&mut self, at: Time, i: usize, packet: u32) {
        if self.scenario.assumptions.loss_feedback == LossFeedback::OneRoundTrip {
            self.connections[i].notices.push(at, packet);
        }
    }

    fn log_drop(&mut self, now: Time, i: usize) {
        if let Some(burst) = &mut self.connections[i].burst
            && now - burst.last <= self.base_rtt
            && let Decision::QueueOverflow { packets, .. } = &mut self.decisions[burst.line].what
        {
            *packets += 1;
            burst.last = now;
            return;
        }
        self.connections[i].burst = Some(Burst { last: now, line: self.decisions.len() });
        let buffer = self.scenario.buffer_packets();
        self.log(now, i, Decision::QueueOverflow { packets: 1, buffer });
    }
}
