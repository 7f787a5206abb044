//! The event loop: one order of events, by time, then phase, then sequence.
//!
//! Everything that will happen is known in a few queues that are each in time order already, so the
//! next event is the earliest of their heads. All that falls into one slot of the sender's clock is
//! handled in the phases of [`Engine::slot`]; slots in which nothing happens cost nothing.

use super::decision::{Decision, Logged};
use super::run::{Response, Run};
use super::scenario::{Loss, Scenario};
use crate::path::Bottleneck;
use crate::sender::{Ack, Kind, Sender, Settings, Transmission};
use crate::trace::{Fate, Packet, Sample};
use crate::units::{Time, WIRE_BYTES};
use std::collections::VecDeque;

/// Something known to happen at `at` to the packet with this index.
#[derive(Clone, Copy)]
struct Event {
    at: Time,
    packet: u32,
}

/// Events in time order.
#[derive(Default)]
struct Timeline(VecDeque<Event>);

impl Timeline {
    fn push(&mut self, at: Time, packet: u32) {
        debug_assert!(self.0.back().is_none_or(|e| e.at <= at));
        self.0.push_back(Event { at, packet });
    }

    fn next(&self) -> Time {
        self.0.front().map_or(Time::NEVER, |e| e.at)
    }

    fn pop_due(&mut self, now: Time) -> Option<u32> {
        let due = self.0.front().is_some_and(|e| e.at <= now);
        if due { self.0.pop_front().map(|e| e.packet) } else { None }
    }
}

/// What the receiver still waits for.
#[derive(Default)]
struct Receiver {
    has: Vec<bool>,
    missing: u32,
}

impl Receiver {
    fn expect(&mut self, segments: u32) {
        self.missing += segments;
        self.has.resize(self.has.len() + segments as usize, false);
    }

    /// Takes a segment; says whether that completes the response.
    fn take(&mut self, segment: u32) -> bool {
        let had = std::mem::replace(&mut self.has[segment as usize], true);
        if !had {
            self.missing -= 1;
        }
        !had && self.missing == 0
    }
}

pub(crate) struct Engine<'a> {
    scenario: &'a Scenario,
    slot: Time,
    one_way: Time,
    base_rtt: Time,
    sender: Sender,
    bottleneck: Bottleneck,
    receiver: Receiver,
    deliveries: Timeline,
    acks: Timeline,
    notices: Timeline,
    ack_batch: Vec<Ack>,
    /// The segment to lose on its first transmission.
    doomed: Option<u32>,
    second_request: Time,
    request: Time,
    responses: Vec<Response>,
    worst_rtt: Option<Time>,
    burst: Option<Burst>,
    samples: Vec<Sample>,
    packets: Vec<Packet>,
    decisions: Vec<Logged>,
}

/// Drops that follow each other within a round trip share a line in the log.
struct Burst {
    last: Time,
    line: usize,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(scenario: &'a Scenario) -> Engine<'a> {
        let assumptions = scenario.assumptions;
        let slot = Time(scenario.rtt.0.div_ceil(assumptions.slots_per_rtt));
        let one_way = slot.times(assumptions.slots_per_rtt / 2);
        let base_rtt = slot.times(assumptions.slots_per_rtt);
        let settings = Settings {
            initial_window: scenario.initial_window,
            base_rtt,
            slot,
            hystart: scenario.hystart,
            tail_loss_probe: scenario.tail_loss_probe,
            slow_start_after_idle: scenario.slow_start_after_idle,
            assumptions,
        };
        let packets = scenario.segments() as usize * (1 + usize::from(scenario.idle.is_some()));
        Engine {
            scenario,
            slot,
            one_way,
            base_rtt,
            sender: Sender::new(settings),
            bottleneck: Bottleneck::new(scenario.rate, WIRE_BYTES, slot, scenario.buffer_packets()),
            receiver: Receiver::default(),
            deliveries: Timeline::default(),
            acks: Timeline::default(),
            notices: Timeline::default(),
            ack_batch: Vec::new(),
            doomed: scenario.loss.segment(scenario.segments()),
            second_request: Time::NEVER,
            request: Time::ZERO,
            responses: Vec::new(),
            worst_rtt: None,
            burst: None,
            samples: Vec::new(),
            packets: Vec::with_capacity(packets),
            decisions: Vec::new(),
        }
    }

    /// Runs until the last response has arrived.
    pub(crate) fn run(mut self) -> Run {
        self.begin_response(Time::ZERO, None);
        let mut now = Time::ZERO;
        loop {
            let complete = self.deliver(now);
            self.slot(now);
            if complete && !self.end_response(now) {
                break;
            }
            now = self.next_event(now);
        }
        let rto = self.sender.rto();
        Run {
            scenario: self.scenario.clone(),
            base_rtt: self.base_rtt,
            responses: self.responses,
            peak_cwnd: self.sender.peak_cwnd(),
            worst_rtt: self.worst_rtt,
            rto,
            samples: self.samples,
            packets: self.packets,
            decisions: self.decisions,
        }
    }

    /// Everything of the slot that starts at `now` but deliveries, phase by phase.
    fn slot(&mut self, now: Time) {
        self.sender.catch_up(now);
        if self.second_request <= now {
            self.second_request = Time::NEVER;
            let last = self.responses.last().map_or(Time::ZERO, |r| r.finished);
            self.begin_response(now, Some(now - last));
        }
        // 1: loss notices
        while let Some(index) = self.notices.pop_due(now) {
            let packet = self.packets[index as usize];
            self.sender.on_loss(packet.segment, packet.sent);
        }
        // 2: timers
        self.sender.on_timer(now);
        // 3: pacing credit
        self.sender.accrue(now);
        // 4: ACKs
        self.take_acks(now);
        // 5 and 6: sending, and the link
        while let Some(transmission) = self.sender.transmit(now) {
            self.send(now, transmission);
        }
        self.decisions.extend(self.sender.take_decisions().map(|what| Logged { at: now, what }));
        self.samples.push(Sample {
            at: now,
            cwnd: self.sender.cwnd(),
            ssthresh: self.sender.ssthresh(),
            in_flight: self.sender.in_flight(),
            queue: self.bottleneck.queued(now),
        });
    }

    fn next_event(&mut self, now: Time) -> Time {
        let next = self
            .deliveries
            .next()
            .min(self.acks.next())
            .min(self.notices.next())
            .min(self.sender.wake_at())
            .min(self.second_request);
        debug_assert!(next != Time::NEVER, "an unfinished response always has a timer");
        // An event is handled in the slot it falls into.
        let slot = self.slot.0;
        Time(next.0.div_ceil(slot) * slot).max(now + self.slot)
    }

    fn log(&mut self, at: Time, what: Decision) {
        self.decisions.push(Logged { at, what });
    }

    fn begin_response(&mut self, now: Time, idle: Option<Time>) {
        let segments = self.scenario.segments();
        self.request = now;
        self.receiver.expect(segments);
        self.sender.write(now, segments, idle);
        self.decisions.extend(self.sender.take_decisions().map(|what| Logged { at: now, what }));
        let (cwnd, second) = (self.sender.cwnd(), idle.is_some());
        self.log(now, Decision::Started { segments, cwnd, second });
    }

    /// Delivers what arrives by `now`; says whether that completes the response.
    fn deliver(&mut self, now: Time) -> bool {
        let mut complete = false;
        while let Some(index) = self.deliveries.pop_due(now) {
            let packet = &mut self.packets[index as usize];
            packet.delivered = Some(now);
            packet.fate = Fate::Delivered;
            complete |= self.receiver.take(packet.segment);
            self.acks.push(now + self.one_way, index);
        }
        complete
    }

    /// Closes the response that ended at `now`; says whether another one follows.
    fn end_response(&mut self, now: Time) -> bool {
        let second = !self.responses.is_empty();
        let response = Response { requested: self.request, finished: now };
        self.log(now, Decision::Finished { response: response.duration(), second });
        self.responses.push(response);
        match self.scenario.idle {
            Some(idle) if !second => {
                self.sender.forget_outstanding();
                self.acks = Timeline::default();
                self.notices = Timeline::default();
                self.doomed = None;
                self.second_request = now + idle;
                true
            }
            _ => false,
        }
    }

    fn take_acks(&mut self, now: Time) {
        self.ack_batch.clear();
        while let Some(index) = self.acks.pop_due(now) {
            let packet = &mut self.packets[index as usize];
            packet.acked = Some(now);
            self.worst_rtt = self.worst_rtt.max(Some(now - packet.sent));
            self.ack_batch.push(Ack { segment: packet.segment, echo: packet.sent });
        }
        if !self.ack_batch.is_empty() {
            self.sender.on_acks(now, &self.ack_batch);
        }
    }

    fn send(&mut self, now: Time, transmission: Transmission) {
        let Transmission { segment, kind } = transmission;
        let index = self.packets.len() as u32;
        let mut packet = Packet {
            segment,
            kind,
            fate: Fate::InFlight,
            sent: now,
            departed: None,
            delivered: None,
            acked: None,
        };
        let notice = now + self.base_rtt;
        if kind == Kind::New && self.doomed == Some(segment) {
            packet.fate = Fate::Lost;
            let behind = self.scenario.segments() - 1 - segment;
            self.log(now, Decision::LostOnPurpose { segment, behind });
            // Three duplicate ACKs need three packets behind the hole.
            if behind >= 3 && self.scenario.loss != Loss::LastWindow {
                self.notices.push(notice, index);
            }
        } else if let Ok(departed) = self.bottleneck.offer(now) {
            packet.departed = Some(departed);
            self.deliveries.push(departed + self.one_way, index);
        } else {
            packet.fate = Fate::QueueDrop;
            self.log_drop(now);
            self.notices.push(notice, index);
        }
        self.packets.push(packet);
    }

    fn log_drop(&mut self, now: Time) {
        let base_rtt = self.base_rtt;
        if let Some(burst) = &mut self.burst
            && now - burst.last <= base_rtt
            && let Decision::QueueOverflow { packets, .. } = &mut self.decisions[burst.line].what
        {
            *packets += 1;
            burst.last = now;
            return;
        }
        self.burst = Some(Burst { last: now, line: self.decisions.len() });
        let buffer = self.scenario.buffer_packets();
        self.log(now, Decision::QueueOverflow { packets: 1, buffer });
    }
}
