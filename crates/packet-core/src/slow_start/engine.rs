//! The event loop: one order of events, by time, then phase, then sequence.
//!
//! Everything that will happen is known in a few queues that are each in time order already, so the
//! next event is the earliest of their heads. All that falls into one slot of the sender's clock is
//! handled in the phases of [`Engine::slot`]; slots in which nothing happens cost nothing. A sender
//! that acts at once has slots of a nanosecond.

use super::decision::{Decision, Logged};
use super::receiver::{Answer, Receiver};
use super::run::{Response, Run};
use super::scenario::Scenario;
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

pub(crate) struct Engine<'a> {
    scenario: &'a Scenario,
    slot: Time,
    one_way: Time,
    base_rtt: Time,
    sender: Sender,
    bottleneck: Bottleneck,
    receiver: Receiver,
    /// Packets on their way to the receiver, by index, and the latest time one arrives.
    deliveries: Timeline<u32>,
    last_delivery: Time,
    acks: Timeline<Answer>,
    notices: Timeline<u32>,
    ack_batch: Vec<Ack>,
    acks_received: u32,
    /// The segments to lose on their first transmission.
    doomed: Range<u32>,
    /// When the sender next does something by itself.
    wake: Time,
    second_request: Time,
    request: Time,
    responses: Vec<Response>,
    worst_rtt: Time,
    burst: Option<Burst>,
    samples: Vec<Sample>,
    packets: Vec<Packet>,
    replies: Vec<Reply>,
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
        let (slot, base_rtt) = match assumptions.clock {
            Clock::Slots => {
                let slot = Time(scenario.rtt.0.div_ceil(SLOTS_PER_RTT));
                (slot, slot.times(SLOTS_PER_RTT))
            }
            Clock::Continuous => (Time::nanos(1), scenario.rtt),
        };
        let one_way = Time(base_rtt.0 / 2);
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
            receiver: Receiver::new(assumptions.acks, assumptions.timer_granularity),
            deliveries: Timeline::default(),
            last_delivery: Time::ZERO,
            acks: Timeline::default(),
            acks_received: 0,
            notices: Timeline::default(),
            ack_batch: Vec::new(),
            doomed: scenario.loss.segments(scenario.segments()),
            wake: Time::ZERO,
            second_request: Time::NEVER,
            request: Time::ZERO,
            responses: Vec::new(),
            worst_rtt: Time::ZERO,
            burst: None,
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

    /// Runs until the last response has arrived, and its ACKs, where they count.
    pub(crate) fn run(mut self) -> Run {
        let discards = self.scenario.assumptions.trailing_acks == TrailingAcks::Discarded;
        let acts_at_once = self.scenario.assumptions.clock == Clock::Continuous;
        self.begin_response(Time::ZERO, None);
        let mut now = Time::ZERO;
        let mut over = false;
        loop {
            let complete = self.deliver(now);
            // A delivery is no news to the sender.
            if !acts_at_once || self.next_of_sender() <= now {
                self.slot(now);
            }
            over |= complete && !self.end_response(now);
            if over && (discards || self.sender.all_acked()) {
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
            worst_rtt: Some(self.worst_rtt).filter(|rtt| *rtt > Time::ZERO),
            rto,
            acks: self.acks_received,
            samples: self.samples,
            packets: self.packets,
            replies: self.replies,
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
        self.wake = self.sender.wake_at();
        self.decisions.extend(self.sender.take_decisions().map(|what| Logged { at: now, what }));
        self.samples.push(Sample {
            at: now,
            cwnd: self.sender.cwnd(),
            ssthresh: self.sender.ssthresh(),
            in_flight: self.sender.in_flight(),
            queue: self.bottleneck.queued(now),
        });
    }

    /// When the sender next learns of something or does something.
    fn next_of_sender(&self) -> Time {
        self.acks.next().min(self.notices.next()).min(self.wake).min(self.second_request)
    }

    fn next_event(&self, now: Time) -> Time {
        let arrivals = self.deliveries.next().min(self.receiver.deadline());
        let next = self.next_of_sender().min(arrivals);
        debug_assert!(next != Time::NEVER, "an unfinished response always has a timer");
        // An event is handled in the slot it falls into; division is slow, so not in slots of 1 ns.
        let slot = self.slot.0;
        let start = if slot == 1 { next } else { Time(next.0.div_ceil(slot) * slot) };
        start.max(now + self.slot)
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
            let arrival = self.receiver.take(now, index, packet.segment);
            complete |= arrival.complete;
            if let Some(answer) = arrival.answer {
                self.reply(now, answer);
            }
        }
        if self.receiver.deadline() <= now {
            let answer = self.receiver.on_deadline();
            self.reply(now, answer);
        }
        complete
    }

    /// An ACK leaves the receiver.
    fn reply(&mut self, now: Time, answer: Answer) {
        let due = now + self.one_way;
        self.replies.push(Reply { sent: now, due, cumulative: answer.cumulative });
        self.acks.push(due, answer);
    }

    /// Closes the response that ended at `now`; says whether another one follows.
    fn end_response(&mut self, now: Time) -> bool {
        let second = !self.responses.is_empty();
        let response = Response { requested: self.request, finished: now };
        self.log(now, Decision::Finished { response: response.duration(), second });
        self.responses.push(response);
        match self.scenario.idle {
            Some(idle) if !second => {
                if self.scenario.assumptions.trailing_acks == TrailingAcks::Discarded {
                    self.sender.forget_outstanding();
                    self.receiver.drop_held();
                    self.acks = Timeline::default();
                    self.notices = Timeline::default();
                }
                self.doomed = 0..0;
                self.wake = self.sender.wake_at();
                self.second_request = now + idle;
                true
            }
            _ => false,
        }
    }

    fn take_acks(&mut self, now: Time) {
        self.ack_batch.clear();
        while let Some(answer) = self.acks.pop_due(now) {
            let (first, last) = (answer.first as usize, answer.last as usize);
            // Packets do not overtake each other: all of these that arrived are answered.
            for packet in &mut self.packets[first..=last] {
                if packet.fate == Fate::Delivered {
                    packet.acked = Some(now);
                    self.worst_rtt = self.worst_rtt.max(now - packet.sent);
                }
            }
            let newest = self.packets[last].segment;
            let sacked = if newest >= answer.cumulative { (newest, newest + 1) } else { (0, 0) };
            let echo = Some(self.packets[first].sent);
            self.acks_received += 1;
            self.ack_batch.push(Ack { cumulative: answer.cumulative, sacked, echo });
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
        if kind == Kind::New && self.doomed.contains(&segment) {
            packet.fate = Fate::Lost;
            let behind = self.scenario.segments() - 1 - segment;
            self.log(now, Decision::LostOnPurpose { segment, behind });
            if behind >= BEHIND {
                self.notify(notice, index);
            }
        } else if let Ok(departed) = self.bottleneck.offer(now) {
            packet.departed = Some(departed);
            // Nothing overtakes on the path.
            let arrives = departed + self.one_way + self.scenario.spike.delay(departed);
            self.last_delivery = self.last_delivery.max(arrives);
            self.deliveries.push(self.last_delivery, index);
        } else {
            packet.fate = Fate::QueueDrop;
            self.log_drop(now);
            self.notify(notice, index);
        }
        self.packets.push(packet);
    }

    /// Has the sender told of a loss, where it is told.
    fn notify(&mut self, at: Time, packet: u32) {
        if self.scenario.assumptions.loss_feedback == LossFeedback::OneRoundTrip {
            self.notices.push(at, packet);
        }
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
