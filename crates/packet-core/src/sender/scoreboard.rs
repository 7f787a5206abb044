//! Which segments are in flight, lost or acknowledged.

use crate::units::Time;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    InFlight,
    Lost,
    Acked,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    state: State,
    /// Whether it has been sent more than once.
    repeated: bool,
    sent: Time,
}

/// A segment that an ACK newly reports as delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The segment.
    pub segment: u32,
    /// When it was last sent.
    pub sent: Time,
    /// Whether it had been sent more than once, so that nobody knows which copy arrived.
    pub repeated: bool,
}

/// Every segment the application has queued so far, from the first one of the connection on.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    /// The segments sent at least once.
    segments: Vec<Segment>,
    written: u32,
    left_edge: u32,
    /// Acknowledged above the left edge.
    sacked: u32,
    in_flight: u32,
    lost: VecDeque<u32>,
}

impl Scoreboard {
    /// Queues `segments` new ones.
    pub fn write(&mut self, segments: u32) {
        self.written += segments;
        self.segments.reserve(segments as usize);
    }

    /// Segments sent at least once.
    pub fn sent(&self) -> u32 {
        self.segments.len() as u32
    }

    /// Everything below is acknowledged.
    pub fn left_edge(&self) -> u32 {
        self.left_edge
    }

    /// Segments acknowledged above the left edge.
    pub fn sacked(&self) -> u32 {
        self.sacked
    }

    /// Segments sent and neither acknowledged nor known to be lost.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Whether every queued segment has been sent and no lost one waits.
    pub fn all_sent(&self) -> bool {
        self.sent() == self.written && self.lost.is_empty()
    }

    /// Whether everything sent is acknowledged.
    pub fn all_acked(&self) -> bool {
        self.left_edge == self.sent()
    }

    /// The lost segment to send next.
    pub fn next_lost(&mut self) -> Option<u32> {
        // A lost segment may have been acknowledged since: its first copy was only late.
        while let Some(&segment) = self.lost.front() {
            if self.segments[segment as usize].state == State::Lost {
                return Some(segment);
            }
            self.lost.pop_front();
        }
        None
    }

    /// The new segment to send next.
    pub fn next_new(&self) -> Option<u32> {
        (self.sent() < self.written).then_some(self.sent())
    }

    /// A segment leaves: the next lost one, the next new one, or one that is sent once more. What has
    /// been acknowledged and is sent again as a probe waits for an answer, but is not in flight.
    pub fn on_sent(&mut self, segment: u32, now: Time) {
        if segment == self.sent() {
            self.segments.push(Segment { state: State::InFlight, repeated: false, sent: now });
            self.in_flight += 1;
            return;
        }
        let record = Segment { state: State::InFlight, repeated: true, sent: now };
        let before = std::mem::replace(&mut self.segments[segment as usize], record);
        if before.state == State::Lost {
            self.in_flight += 1;
            if self.lost.front() == Some(&segment) {
                self.lost.pop_front();
            }
        }
    }

    /// A segment is acknowledged; tells about it where that is news.
    pub fn on_acked(&mut self, segment: u32) -> Option<Delivery> {
        let record = self.segments.get_mut(segment as usize)?;
        match std::mem::replace(&mut record.state, State::Acked) {
            State::Acked => return None,
            State::InFlight => self.in_flight = self.in_flight.saturating_sub(1),
            State::Lost => {}
        }
        let delivery = Delivery { segment, sent: record.sent, repeated: record.repeated };
        if segment != self.left_edge {
            self.sacked += 1;
            return Some(delivery);
        }
        self.left_edge += 1;
        while self.left_edge < self.sent()
            && self.segments[self.left_edge as usize].state == State::Acked
        {
            self.left_edge += 1;
            self.sacked -= 1;
        }
        Some(delivery)
    }

    /// When the segment at the left edge was last sent.
    pub fn first_sent(&self) -> Option<Time> {
        self.segments.get(self.left_edge as usize).map(|s| s.sent)
    }

    /// Whether the last segment sent has been acknowledged.
    pub fn last_is_acked(&self) -> bool {
        self.segments.last().is_some_and(|s| s.state == State::Acked)
    }

    /// Segments sent and not acknowledged in order.
    pub fn outstanding(&self) -> u32 {
        self.sent() - self.left_edge
    }

    /// Whether the transmission of `segment` at `sent` is its latest and has no answer yet.
    pub fn awaits(&self, segment: u32, sent: Time) -> bool {
        let record = self.segments[segment as usize];
        record.state == State::InFlight && record.sent == sent
    }

    /// The first segment from `from` on that waits for an answer to its first transmission, and when
    /// that was.
    pub fn first_waiting(&self, from: u32) -> Option<(Time, u32)> {
        (from.max(self.left_edge)..self.sent()).find_map(|segment| {
            let record = self.segments[segment as usize];
            (record.state == State::InFlight && !record.repeated).then_some((record.sent, segment))
        })
    }

    /// The transmission of `segment` at `sent` was lost; says whether that is news.
    pub fn on_lost(&mut self, segment: u32, sent: Time) -> bool {
        if !self.awaits(segment, sent) {
            return false;
        }
        self.segments[segment as usize].state = State::Lost;
        self.in_flight = self.in_flight.saturating_sub(1);
        self.lost.push_back(segment);
        true
    }

    /// Takes everything unacknowledged as lost, in order (RFC 6298 section 5.4).
    pub fn lose_all(&mut self) {
        self.lost.clear();
        self.in_flight = 0;
        for segment in self.left_edge..self.sent() {
            let state = &mut self.segments[segment as usize].state;
            if *state != State::Acked {
                *state = State::Lost;
                self.lost.push_back(segment);
            }
        }
    }

    /// Takes everything sent as acknowledged.
    pub fn ack_all(&mut self) {
        for segment in &mut self.segments[self.left_edge as usize..] {
            segment.state = State::Acked;
        }
        self.left_edge = self.sent();
        self.sacked = 0;
        self.in_flight = 0;
        self.lost.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(n: u32) -> Scoreboard {
        let mut board = Scoreboard::default();
        board.write(n);
        while let Some(segment) = board.next_new() {
            board.on_sent(segment, Time::ZERO);
        }
        board
    }

    #[test]
    fn a_hole_holds_the_left_edge() {
        let mut board = sent(4);
        assert!(board.on_acked(0).is_some());
        assert!(board.on_acked(2).is_some());
        assert_eq!((board.left_edge(), board.in_flight()), (1, 2));
        assert!(board.on_acked(1).is_some());
        assert_eq!(board.left_edge(), 3);
        assert_eq!(board.on_acked(1), None);
    }

    #[test]
    fn a_lost_segment_waits_to_be_sent_again_once() {
        let mut board = sent(3);
        assert!(board.on_lost(1, Time::ZERO));
        assert!(!board.on_lost(1, Time::ZERO));
        assert_eq!((board.next_lost(), board.in_flight()), (Some(1), 2));
        board.on_sent(1, Time::millis(5));
        assert_eq!((board.next_lost(), board.in_flight()), (None, 3));
        assert!(!board.on_lost(1, Time::ZERO), "that was the first transmission");
    }

    #[test]
    fn a_segment_sent_twice_says_so() {
        let mut board = sent(2);
        board.on_sent(1, Time::millis(5));
        let first = Delivery { segment: 0, sent: Time::ZERO, repeated: false };
        assert_eq!(board.on_acked(0), Some(first));
        let second = Delivery { segment: 1, sent: Time::millis(5), repeated: true };
        assert_eq!(board.on_acked(1), Some(second));
        assert_eq!(board.on_acked(7), None, "never sent");
    }

    #[test]
    fn a_late_ack_saves_a_segment_from_being_sent_again() {
        let mut board = sent(3);
        board.lose_all();
        assert_eq!((board.next_lost(), board.in_flight()), (Some(0), 0));
        board.on_acked(0);
        assert_eq!(board.next_lost(), Some(1));
    }

    #[test]
    fn a_probe_of_what_has_arrived_does_not_count() {
        let mut board = sent(3);
        board.on_acked(2);
        board.on_sent(2, Time::millis(5));
        assert_eq!(board.in_flight(), 2);
        assert!(board.on_acked(2).is_some(), "its answer is news all the same");
    }

    #[test]
    fn a_probe_does_not_count_twice() {
        let mut board = sent(3);
        board.on_sent(2, Time::millis(5));
        assert_eq!(board.in_flight(), 3);
    }
}
