//! The window while a loss is repaired: proportional rate reduction, RFC 6937 (Linux
//! `tcp_cwnd_reduction`).

/// What is being repaired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repair {
    /// It ends once everything below this is acknowledged.
    pub end: u32,
    /// What the window does meanwhile.
    pub window: Window,
}

/// What the window does during a repair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// It has been cut and stays.
    Frozen,
    /// It falls in proportion to what is delivered.
    Reduced(Reduction),
    /// It starts again from one segment, after a timeout.
    Regrows,
}

/// The account of what was delivered and sent since a loss was noticed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    prior_cwnd: f64,
    delivered: u32,
    sent: u32,
}

impl Reduction {
    /// A reduction from `cwnd`.
    pub fn new(cwnd: f64) -> Reduction {
        Reduction { prior_cwnd: cwnd, delivered: 0, sent: 0 }
    }

    /// A segment was sent.
    pub fn on_sent(&mut self) {
        self.sent += 1;
    }

    /// The window after an ACK that reported `delivered` segments and leaves `in_flight`; `progress`
    /// where it moved the left edge and showed no new loss.
    pub fn window(&mut self, delivered: u32, in_flight: u32, ssthresh: f64, progress: bool) -> f64 {
        self.delivered += delivered;
        let (sent, in_flight) = (f64::from(self.sent), f64::from(in_flight));
        let room = ssthresh - in_flight;
        let may_send = if room < 0.0 {
            (ssthresh * f64::from(self.delivered) / self.prior_cwnd).ceil() - sent
        } else {
            let owed = (f64::from(self.delivered) - sent).max(f64::from(delivered));
            (owed + f64::from(u8::from(progress))).min(room)
        };
        // The lost segment itself goes out whatever the account says.
        let least = if self.sent == 0 { 1.0 } else { 0.0 };
        in_flight + may_send.max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_packets_later_it_is_down_to_the_threshold() {
        let mut reduction = Reduction::new(100.0);
        let (mut in_flight, mut sent) = (96, 0);
        for _ in 0..96 {
            in_flight -= 1;
            let cwnd = reduction.window(1, in_flight, 70.0, false);
            while f64::from(in_flight) < cwnd {
                reduction.on_sent();
                in_flight += 1;
                sent += 1;
            }
        }
        assert_eq!((in_flight, sent), (70, 70));
    }

    #[test]
    fn the_first_retransmission_always_goes_out() {
        let mut reduction = Reduction::new(10.0);
        assert_eq!(reduction.window(1, 9, 7.0, false), 10.0);
    }

    #[test]
    fn below_the_threshold_it_sends_what_was_delivered_and_one_more_on_progress() {
        let mut reduction = Reduction::new(10.0);
        reduction.on_sent();
        assert_eq!(reduction.window(2, 2, 7.0, false), 4.0);
        assert_eq!(reduction.window(2, 2, 7.0, true), 6.0);
    }
}
