//! The receiver: what has arrived, and when that is acknowledged (RFC 5681 section 4.2, Linux
//! `__tcp_ack_snd_check`).

use crate::assumptions::{Acks, TimerGranularity};
use crate::units::Time;

/// ACKs for data that go out at once at the start of a connection: a kernel grants 16
/// (`TCP_MAX_QUICKACKS`), of which two more than that were seen.
const QUICK_ACKS: u32 = 18;
/// How long an ACK is held back at most (`TCP_ATO_MIN`).
const DELAYED_ACK: Time = Time::millis(40);

/// An ACK on its way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Everything below this has arrived.
    pub cumulative: u32,
    /// The first packet it answers, by index.
    pub first: u32,
    /// The last one: what arrived from the first one up to it is answered.
    pub last: u32,
}

/// What an arrival leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Whether the response is complete.
    pub complete: bool,
    /// The ACK, unless it is held back.
    pub answer: Option<Answer>,
}

/// The receiving half of one connection.
#[derive(Debug)]
pub struct Receiver {
    policy: Acks,
    granularity: TimerGranularity,
    has: Vec<bool>,
    missing: u32,
    /// Everything below has arrived.
    next: u32,
    /// Segments that arrived above it.
    above: u32,
    quick: u32,
    /// The first packet that has not been answered, and how many there are.
    first_held: u32,
    held: u32,
    deadline: Time,
}

impl Receiver {
    /// One that has received nothing yet.
    pub fn new(policy: Acks, granularity: TimerGranularity) -> Receiver {
        Receiver {
            policy,
            granularity,
            has: Vec::new(),
            missing: 0,
            next: 0,
            above: 0,
            quick: QUICK_ACKS,
            first_held: 0,
            held: 0,
            deadline: Time::NEVER,
        }
    }

    /// A response of so many segments is expected.
    pub fn expect(&mut self, segments: u32) {
        self.missing += segments;
        self.has.resize(self.has.len() + segments as usize, false);
    }

    /// When an ACK that is held back goes out.
    pub fn deadline(&self) -> Time {
        self.deadline
    }

    /// The packet with this index brings a segment.
    pub fn take(&mut self, now: Time, packet: u32, segment: u32) -> Arrival {
        let had = std::mem::replace(&mut self.has[segment as usize], true);
        let in_order = segment == self.next;
        let hole = self.above > 0;
        if in_order {
            self.next += 1;
        } else if !had {
            self.above += 1;
        }
        if in_order && hole {
            while self.has.get(self.next as usize) == Some(&true) {
                self.next += 1;
                self.above -= 1;
            }
        }
        self.missing -= u32::from(!had);
        if self.held == 0 {
            self.first_held = packet;
        }
        self.held += 1;
        // What is out of order or fills a hole is answered at once.
        let at_once = match self.policy {
            Acks::EverySegment => true,
            Acks::QuickThenEverySecond => !in_order || hole || self.quick > 0 || self.held >= 2,
        };
        let answer = if at_once {
            Some(self.answer(packet))
        } else {
            self.deadline = self.granularity.deadline(now, DELAYED_ACK);
            None
        };
        Arrival { complete: !had && self.missing == 0, answer }
    }

    /// The ACK for the one packet that was held back until now.
    pub fn on_deadline(&mut self) -> Answer {
        self.answer(self.first_held)
    }

    /// Forgets an ACK that is held back.
    pub fn drop_held(&mut self) {
        self.held = 0;
        self.deadline = Time::NEVER;
    }

    fn answer(&mut self, last: u32) -> Answer {
        self.quick = self.quick.saturating_sub(1);
        self.drop_held();
        Answer { cumulative: self.next, first: self.first_held, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receiver(policy: Acks) -> Receiver {
        let mut receiver = Receiver::new(policy, TimerGranularity::Exact);
        receiver.expect(40);
        receiver
    }

    #[test]
    fn every_segment_raises_an_ack() {
        let mut receiver = receiver(Acks::EverySegment);
        let first = receiver.take(Time::ZERO, 0, 0).answer;
        assert_eq!(first, Some(Answer { cumulative: 1, first: 0, last: 0 }));
        let third = receiver.take(Time::ZERO, 2, 2).answer;
        assert_eq!(third, Some(Answer { cumulative: 1, first: 2, last: 2 }));
        let second = receiver.take(Time::ZERO, 3, 1).answer;
        assert_eq!(second, Some(Answer { cumulative: 3, first: 3, last: 3 }));
    }

    #[test]
    fn the_first_acks_are_quick_and_the_rest_answer_two_segments() {
        let mut receiver = receiver(Acks::QuickThenEverySecond);
        let answers: Vec<_> = (0..22).map(|s| receiver.take(Time::ZERO, s, s).answer).collect();
        assert!(answers[..18].iter().all(|a| a.is_some()));
        let pair = |first| Some(Answer { cumulative: first + 2, first, last: first + 1 });
        assert_eq!(answers[18..], [None, pair(18), None, pair(20)]);
    }

    #[test]
    fn a_lone_segment_is_answered_after_40_ms() {
        let mut receiver = receiver(Acks::QuickThenEverySecond);
        for s in 0..19 {
            receiver.take(Time::millis(5), s, s);
        }
        assert_eq!(receiver.deadline(), Time::millis(45));
        assert_eq!(receiver.on_deadline(), Answer { cumulative: 19, first: 18, last: 18 });
        assert_eq!(receiver.deadline(), Time::NEVER);
    }

    #[test]
    fn a_hole_ends_the_patience() {
        let mut receiver = receiver(Acks::QuickThenEverySecond);
        for s in (0..22).filter(|s| *s != 19) {
            receiver.take(Time::ZERO, s, s);
        }
        assert!(receiver.take(Time::ZERO, 22, 22).answer.is_some());
        let filled = receiver.take(Time::ZERO, 23, 19).answer;
        assert_eq!(filled.map(|a| a.cumulative), Some(23));
    }
}
