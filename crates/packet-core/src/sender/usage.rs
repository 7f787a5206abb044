//! Whether the window is in use: RFC 7661 in spirit, Linux `tcp_cwnd_validate` and
//! `tcp_is_cwnd_limited` in detail.

/// What the sender last found when it tried to send, remembered for a round trip.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    limited: bool,
    most_out: u32,
    round_end: u32,
}

impl Usage {
    /// The sender stopped sending: because of its window, or for want of data or credit. `out`
    /// segments are outstanding, everything below `left_edge` is acknowledged, `sent` have left.
    pub fn on_send_attempt(&mut self, limited: bool, out: u32, left_edge: u32, sent: u32) {
        let round_over = left_edge >= self.round_end;
        if round_over || limited || (!self.limited && out > self.most_out) {
            *self = Usage { limited, most_out: out, round_end: sent };
        }
    }

    /// Whether the window may grow: it held the sender back, or slow start has yet to reach twice what
    /// was out.
    pub fn allows_growth(&self, cwnd: f64, slow_start: bool) -> bool {
        self.limited || (slow_start && cwnd < f64::from(2 * self.most_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window after `n` segments from an initial window of 10, each acknowledged by itself.
    fn after(n: u32) -> u32 {
        let mut usage = Usage::default();
        usage.on_send_attempt(n >= 10, n, 0, n);
        (0..n).fold(10, |cwnd, _| cwnd + u32::from(usage.allows_growth(cwnd.into(), true)))
    }

    #[test]
    fn a_window_in_part_used_grows_to_twice_that_part() {
        assert_eq!((after(5), after(6), after(9), after(10)), (10, 12, 18, 20));
    }

    #[test]
    fn a_full_window_is_remembered_for_a_round() {
        let mut usage = Usage::default();
        usage.on_send_attempt(true, 10, 0, 10);
        usage.on_send_attempt(false, 3, 8, 11);
        assert!(usage.allows_growth(100.0, false));
        usage.on_send_attempt(false, 1, 10, 11);
        assert!(!usage.allows_growth(100.0, false));
    }
}
