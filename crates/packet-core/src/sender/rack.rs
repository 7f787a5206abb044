//! Losses found from what arrived instead: RACK, RFC 8985 section 6 (Linux `tcp_recovery.c`).

use super::scoreboard::{Delivery, Scoreboard};
use crate::units::Time;
use std::collections::VecDeque;

/// Selectively acknowledged segments that make a hole a loss without further waiting (RFC 5681
/// section 3.2).
pub const DUPLICATE_THRESHOLD: u32 = 3;

/// The latest transmission that was delivered, and every transmission that still waits.
#[derive(Clone, Debug, Default)]
pub struct Rack {
    latest: (Time, u32),
    rtt: Time,
    /// Transmissions in the order they left; those with an answer go when they come to the front.
    waiting: VecDeque<(Time, u32)>,
}

impl Rack {
    /// A segment left.
    pub fn on_sent(&mut self, segment: u32, now: Time) {
        self.waiting.push_back((now, segment));
    }

    /// A segment was delivered (section 6.2, step 2). An answer that comes sooner than the path allows
    /// was to an earlier copy and says nothing about this one.
    pub fn on_delivered(&mut self, delivery: Delivery, now: Time, min_rtt: f64) {
        if self.waiting.front() == Some(&(delivery.sent, delivery.segment)) {
            self.waiting.pop_front();
        }
        let rtt = now - delivery.sent;
        if delivery.repeated && (rtt.0 as f64) < min_rtt {
            return;
        }
        self.rtt = rtt;
        self.latest = self.latest.max((delivery.sent, delivery.segment));
    }

    /// Whether waiting has gone on so long that the transmission at the front must be lost; a time
    /// where that is still to come (section 6.2, step 5).
    pub fn detect(
        &mut self,
        board: &Scoreboard,
        now: Time,
        allowance: Time,
    ) -> Result<(u32, Time), Option<Time>> {
        while let Some(&(sent, segment)) = self.waiting.front() {
            if board.awaits(segment, sent) {
                if self.latest <= (sent, segment) {
                    return Err(None);
                }
                let deadline = sent + self.rtt + allowance;
                if deadline > now {
                    return Err(Some(deadline));
                }
                self.waiting.pop_front();
                return Ok((segment, sent));
            }
            self.waiting.pop_front();
        }
        Err(None)
    }

    /// Everything outstanding is settled some other way.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_sent() -> (Scoreboard, Rack) {
        let (mut board, mut rack) = (Scoreboard::default(), Rack::default());
        board.write(3);
        for segment in 0..3 {
            let now = Time::millis(segment.into());
            board.on_sent(segment, now);
            rack.on_sent(segment, now);
        }
        (board, rack)
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
        assert_eq!(rack.detect(&board, now, Time::ZERO), Ok((0, Time::ZERO)));
        assert_eq!(rack.detect(&board, now, Time::ZERO), Err(None));
    }

    #[test]
    fn reordering_gets_its_allowance() {
        let (mut board, mut rack) = three_sent();
        let now = Time::millis(81);
        deliver(&mut board, &mut rack, 1, now);
        let later = Time::millis(100);
        assert_eq!(rack.detect(&board, now, Time::millis(20)), Err(Some(later)));
        assert_eq!(rack.detect(&board, later, Time::millis(20)), Ok((0, Time::ZERO)));
    }

    #[test]
    fn an_answer_to_an_earlier_copy_says_nothing() {
        let (mut board, mut rack) = three_sent();
        board.on_sent(2, Time::millis(70));
        rack.on_sent(2, Time::millis(70));
        deliver(&mut board, &mut rack, 2, Time::millis(82));
        assert_eq!(rack.detect(&board, Time::secs(1), Time::ZERO), Err(None));
    }
}
