//! Losses found from what arrived instead: RACK, RFC 8985 section 6 (Linux `tcp_recovery.c`).

use super::scoreboard::{Delivery, Scoreboard};
use crate::units::Time;
use std::collections::VecDeque;

/// Selectively acknowledged segments that make a hole a loss without further waiting (RFC 5681
/// section 3.2).
pub const DUPLICATE_THRESHOLD: u32 = 3;

/// The latest transmission that was delivered, and which ones still wait. New segments leave in order,
/// so the scoreboard knows them; those sent again are kept here.
#[derive(Clone, Debug, Default)]
pub struct Rack {
    latest: (Time, u32),
    rtt: Time,
    /// No segment below is waiting for an answer to its first transmission.
    first_waiting: u32,
    /// Later transmissions in the order they left; those with an answer go when they come to the front.
    repeats: VecDeque<(Time, u32)>,
}

impl Rack {
    /// A segment left once more.
    pub fn on_sent_again(&mut self, segment: u32, now: Time) {
        self.repeats.push_back((now, segment));
    }

    /// A segment was delivered (section 6.2, step 2). An answer that comes sooner than the path allows
    /// was to an earlier copy and says nothing about this one.
    pub fn on_delivered(&mut self, delivery: Delivery, now: Time, min_rtt: f64) {
        let rtt = now - delivery.sent;
        if delivery.repeated && (rtt.0 as f64) < min_rtt {
            return;
        }
        self.rtt = rtt;
        let this = (delivery.sent, delivery.segment);
        if this > self.latest {
            self.latest = this;
        }
    }

    /// Takes the oldest transmission as lost if waiting for it has gone on for too long, and tells which
    /// segment it was; the time when it will have, where that is known (section 6.2, step 5).
    pub fn detect(
        &mut self,
        board: &mut Scoreboard,
        now: Time,
        allowance: Time,
    ) -> Result<u32, Option<Time>> {
        let Some((sent, segment)) = self.oldest(board).filter(|oldest| *oldest < self.latest)
        else {
            return Err(None);
        };
        let deadline = sent + self.rtt + allowance;
        if deadline > now {
            return Err(Some(deadline));
        }
        board.on_lost(segment, sent);
        Ok(segment)
    }

    /// Everything outstanding is settled some other way.
    pub fn forget(&mut self) {
        self.repeats.clear();
    }

    /// The transmission that has waited longest for its answer.
    fn oldest(&mut self, board: &Scoreboard) -> Option<(Time, u32)> {
        while self.repeats.front().is_some_and(|(sent, segment)| !board.awaits(*segment, *sent)) {
            self.repeats.pop_front();
        }
        let first = board.first_waiting(self.first_waiting);
        self.first_waiting = first.map_or(board.sent(), |(_, segment)| segment);
        let again = self.repeats.front().copied();
        first.into_iter().chain(again).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_sent() -> (Scoreboard, Rack) {
        let mut board = Scoreboard::default();
        board.write(3);
        for segment in 0..3 {
            board.on_sent(segment, Time::millis(segment.into()));
        }
        (board, Rack::default())
    }

    fn deliver(board: &mut Scoreboard, rack: &mut Rack, segment: u32, now: Time) {
        let delivery = board.on_acked(segment).expect("news");
        rack.on_delivered(delivery, now, 80e6);
    }

    #[test]
    fn what_left_before_a_delivered_segment_is_lost() {
        let (mut board, mut rack) = three_sent();
        let now = Time::millis(81);
        deliver(&mut board, &mut rack, 1, now);
        assert_eq!(rack.detect(&mut board, now, Time::ZERO), Ok(0));
        assert_eq!(rack.detect(&mut board, now, Time::ZERO), Err(None));
    }

    #[test]
    fn reordering_gets_its_allowance() {
        let (mut board, mut rack) = three_sent();
        let now = Time::millis(81);
        deliver(&mut board, &mut rack, 1, now);
        let later = Time::millis(100);
        assert_eq!(rack.detect(&mut board, now, Time::millis(20)), Err(Some(later)));
        assert_eq!(rack.detect(&mut board, later, Time::millis(20)), Ok(0));
    }

    #[test]
    fn an_answer_to_an_earlier_copy_says_nothing() {
        let (mut board, mut rack) = three_sent();
        board.on_sent(2, Time::millis(70));
        rack.on_sent_again(2, Time::millis(70));
        deliver(&mut board, &mut rack, 2, Time::millis(82));
        assert_eq!(rack.detect(&mut board, Time::secs(1), Time::ZERO), Err(None));
    }
}
