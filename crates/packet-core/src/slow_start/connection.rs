//! Both ends of one connection, and what is on its way back to the sender.

use super::network::{Arrival, Network, Timeline};
use super::receiver::{Answer, Receiver};
use super::run::{self, Response};
use super::scenario::Scenario;
use crate::assumptions::LossFeedback;
use crate::decision::Decision;
use crate::list::List;
use crate::sender::{Ack, Kind, Sender, Settings, Transmission};
use crate::trace::{Fate, Packet, Reply};
use crate::units::Time;

/// Segments behind a lost one that make three duplicate ACKs.
const BEHIND: u32 = 3;

/// Drops that follow each other within a round trip share a line in the log.
struct Burst {
    last: Time,
    line: usize,
}

/// One connection.
pub struct Connection {
    index: u8,
    pub sender: Sender,
    receiver: Receiver,
    acks: Timeline<Answer>,
    notices: Timeline<u32>,
    pub acks_received: u32,
    /// The segments to lose on their first transmission, counted from 1.
    doomed: List,
    /// When the next response begins.
    begins: Time,
    /// When the sender next learns of something or does something.
    next: Time,
    requested: Time,
    pub responses: Vec<Response>,
    /// Something of it has arrived in this slot; the last byte of the response has.
    stirred: bool,
    complete: bool,
    pub worst_rtt: Time,
    burst: Option<Burst>,
    sent: u32,
    retransmissions: u32,
    dropped: u32,
}

impl Connection {
    /// The connection with this index, whose first response begins then. Only the first connection loses
    /// packets on purpose.
    pub fn new(index: u8, scenario: &Scenario, settings: Settings, begins: Time) -> Connection {
        let a = scenario.assumptions;
        Connection {
            index,
            sender: Sender::new(settings),
            receiver: Receiver::new(a.acks, a.timer_granularity),
            acks: Timeline::default(),
            notices: Timeline::default(),
            acks_received: 0,
            doomed: if index == 0 {
                scenario.loss.numbers(scenario.segments())
            } else {
                List::default()
            },
            begins,
            next: begins,
            requested: Time::ZERO,
            responses: Vec::new(),
            stirred: false,
            complete: false,
            worst_rtt: Time::ZERO,
            burst: None,
            sent: 0,
            retransmissions: 0,
            dropped: 0,
        }
    }

    /// When anything happens next but deliveries.
    pub fn next(&self) -> Time {
        self.next.min(self.receiver.deadline())
    }

    /// Takes a packet that arrives; says whether it completes the response, and when something follows
    /// from it.
    pub fn take(&mut self, packet: &Arrival, network: &mut Network) -> (bool, Time) {
        let now = packet.at;
        self.stirred = network.stirs();
        let taken = self.receiver.take(now, packet.index, packet.segment);
        if taken.complete {
            self.complete = true;
            let answered = if taken.answer.is_some() { now } else { self.receiver.deadline() };
            let (requested, acknowledged) = (self.requested, answered + network.one_way);
            self.responses.push(Response { requested, finished: now, acknowledged });
        }
        if let Some(answer) = taken.answer {
            self.reply(now, answer, network);
        }
        let at_once = self.stirred || taken.complete;
        (taken.complete, if at_once { now } else { self.next() })
    }

    /// An ACK leaves the receiver.
    fn reply(&mut self, now: Time, answer: Answer, network: &mut Network) {
        let due = now + network.one_way;
        if network.sampled {
            let (connection, cumulative) = (self.index, answer.cumulative);
            network.replies.push(Reply { connection, sent: now, due, cumulative });
        }
        self.acks.push(due, answer);
        self.next = self.next.min(due);
    }

    /// All that happens in a slot before the sender sends; says whether there was anything.
    pub fn listen(&mut self, now: Time, network: &mut Network) -> bool {
        if self.receiver.deadline() <= now {
            self.stirred = network.stirs();
            let answer = self.receiver.on_deadline();
            self.reply(now, answer, network);
        }
        if !std::mem::take(&mut self.stirred) && self.next > now {
            return false;
        }
        self.sender.catch_up(now);
        if self.begins <= now {
            self.begin_response(now, network);
        }
        // 1: loss notices
        while let Some(index) = self.notices.pop_due(now) {
            let packet = network.packets[index as usize];
            self.sender.on_loss(packet.segment, packet.sent);
        }
        // 2: timers
        self.sender.on_timer(now);
        // 3: pacing credit
        self.sender.accrue(now);
        // 4: ACKs
        self.take_acks(now, network);
        true
    }

    /// Sends a packet; says whether there was one.
    pub fn send(&mut self, now: Time, network: &mut Network) -> bool {
        let Some(transmission) = self.sender.transmit(now) else { return false };
        self.transmit(now, transmission, network);
        true
    }

    /// Nothing more happens to it in this slot.
    pub fn finish_slot(&mut self, now: Time, network: &mut Network) {
        self.look_ahead();
        self.take_decisions(now, network);
    }

    fn look_ahead(&mut self) {
        let told = self.acks.next().min(self.notices.next());
        self.next = told.min(self.sender.wake_at()).min(self.begins);
    }

    fn take_decisions(&mut self, now: Time, network: &mut Network) {
        if self.sender.has_decided() {
            network.log(now, self.index, self.sender.take_decisions());
        }
    }

    fn log(&self, now: Time, what: Decision, network: &mut Network) {
        network.log(now, self.index, std::iter::once(what));
    }

    fn begin_response(&mut self, now: Time, network: &mut Network) {
        let segments = network.scenario.segments();
        let idle = self.responses.last().map(|last| now - last.finished);
        self.begins = Time::NEVER;
        self.requested = now - network.scenario.think;
        self.receiver.expect(segments);
        self.sender.write(now, segments, idle);
        self.take_decisions(now, network);
        let (cwnd, second) = (self.sender.cwnd(), idle.is_some());
        self.log(now, Decision::Started { segments, cwnd, second }, network);
        let numbers = self.doomed.as_slice().iter().map(|number| u32::from(*number));
        for number in numbers.filter(|number| *number > segments) {
            self.log(now, Decision::NothingToLose { number, segments }, network);
        }
    }

    /// Closes the response that ended in this slot, if one did; says whether it was the last one.
    pub fn end_response(&mut self, now: Time, discards: bool, network: &mut Network) -> bool {
        if !std::mem::take(&mut self.complete) {
            return false;
        }
        let second = self.responses.len() > 1;
        let idle = network.scenario.idle.filter(|_| !second);
        if let Some(idle) = idle {
            self.begins = now + idle + network.scenario.think;
            self.doomed = List::default();
        }
        if discards {
            self.sender.forget_outstanding();
            self.receiver.drop_held();
            self.acks = Timeline::default();
            self.notices = Timeline::default();
        }
        self.look_ahead();
        let response = now - self.requested;
        self.log(now, Decision::Finished { response, second }, network);
        idle.is_none()
    }

    fn take_acks(&mut self, now: Time, network: &mut Network) {
        if self.acks.next() > now {
            return;
        }
        let packets = &mut network.packets;
        let acks = std::iter::from_fn(|| {
            let Answer { cumulative, first, last } = self.acks.pop_due(now)?;
            self.acks_received += 1;
            // Packets do not overtake each other: all of these that arrived are answered.
            for packet in &mut packets[first as usize..=last as usize] {
                if packet.fate == Fate::Delivered && packet.connection == self.index {
                    packet.acked = Some(now);
                    self.worst_rtt = self.worst_rtt.max(now - packet.sent);
                }
            }
            let newest = packets[last as usize].segment;
            let sacked = if newest >= cumulative { (newest, newest + 1) } else { (0, 0) };
            let echo = Some(packets[first as usize].sent);
            Some(Ack { cumulative, sacked, echo })
        });
        self.sender.on_acks(now, acks);
    }

    fn transmit(&mut self, now: Time, transmission: Transmission, network: &mut Network) {
        let Transmission { segment, kind } = transmission;
        let index = network.packets.len() as u32;
        let mut packet = Packet {
            connection: self.index,
            segment,
            kind,
            fate: Fate::InFlight,
            sent: now,
            departed: None,
            delivered: None,
            acked: None,
        };
        self.sent += 1;
        self.retransmissions += u32::from(kind != Kind::New);
        if kind == Kind::New && self.is_doomed(segment) {
            packet.fate = Fate::Lost;
            let behind = segment + 1..network.scenario.segments();
            let behind = behind.filter(|segment| !self.is_doomed(*segment)).count() as u32;
            self.log(now, Decision::LostOnPurpose { segment, behind }, network);
            if behind >= BEHIND {
                self.notify(now, index, network);
            }
        } else if let Ok(departed) = network.bottleneck.offer(now) {
            network.turn = usize::from(self.index) + 1;
            packet.departed = Some(departed);
            packet.delivered = Some(network.arrival(departed));
        } else {
            packet.fate = Fate::QueueDrop;
            self.dropped += 1;
            self.log_drop(now, network);
            self.notify(now, index, network);
        }
        network.packets.push(packet);
    }

    fn is_doomed(&self, segment: u32) -> bool {
        self.doomed.as_slice().iter().any(|number| u32::from(*number) == segment + 1)
    }

    /// Has the sender told of a loss, where it is told.
    fn notify(&mut self, now: Time, packet: u32, network: &Network) {
        if network.scenario.assumptions.loss_feedback == LossFeedback::OneRoundTrip {
            self.notices.push(now + network.base_rtt, packet);
        }
    }

    fn log_drop(&mut self, now: Time, network: &mut Network) {
        if let Some(burst) = &mut self.burst
            && now - burst.last <= network.base_rtt
            && let Decision::QueueOverflow { packets, .. } = &mut network.decisions[burst.line].what
        {
            *packets += 1;
            burst.last = now;
            return;
        }
        self.burst = Some(Burst { last: now, line: network.decisions.len() });
        let buffer = network.scenario.buffer_packets();
        self.log(now, Decision::QueueOverflow { packets: 1, buffer }, network);
    }

    /// What came of it.
    pub fn result(&self) -> run::Connection {
        run::Connection {
            responses: self.responses.clone(),
            sent: self.sent,
            retransmissions: self.retransmissions,
            dropped: self.dropped,
            peak_cwnd: self.sender.peak_cwnd(),
        }
    }
}
