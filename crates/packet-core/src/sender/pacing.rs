//! Pacing: a packet may leave once its credit has accrued.
//!
//! The sender acts in slots, so credit comes in slots too. It is only worked out when something
//! happens; a run of quiet slots is one multiplication. Credit is counted in whole billionths of a
//! packet, rounded up, so that ten slots of a tenth are a packet and quiet slots add up exactly.

/// One packet's credit.
const PACKET: i64 = 1_000_000_000;

/// The credit of `packets`, rounded up.
fn credit(packets: f64) -> i64 {
    (packets * PACKET as f64).ceil() as i64
}

/// The credit a sender has, and up to which slot it is worked out.
#[derive(Clone, Debug)]
pub struct Pacer {
    credit: i64,
    /// The last slot whose credit has been added; -1 before the first.
    slot: i64,
    /// Whether the sender was held by its window or had nothing to send: it keeps at most `cap`.
    blocked: bool,
    cap: i64,
}

impl Pacer {
    /// A pacer that has accrued nothing before slot 0; a blocked sender keeps `cap` packets' credit.
    pub fn new(cap: f64) -> Pacer {
        Pacer { credit: 0, slot: -1, blocked: false, cap: credit(cap) }
    }

    /// Begins again at `slot`, in which nothing accrues.
    pub fn restart(&mut self, slot: i64) {
        *self = Pacer { credit: 0, slot, blocked: false, cap: self.cap };
    }

    /// Adds the credit of every slot before `slot`, at `rate` packets a slot; says whether there were any.
    pub fn catch_up(&mut self, slot: i64, rate: f64) -> bool {
        let slots = slot - 1 - self.slot;
        if slots <= 0 {
            return false;
        }
        self.credit = self.credit.saturating_add(slots.saturating_mul(credit(rate)));
        if self.blocked {
            self.credit = self.credit.min(self.cap);
        }
        self.slot = slot - 1;
        true
    }

    /// Adds the credit of `slot` itself, at `rate` packets a slot.
    pub fn accrue(&mut self, slot: i64, rate: f64) {
        if slot > self.slot {
            self.credit += credit(rate);
            self.slot = slot;
        }
    }

    /// Gives up any credit, after a loss notice.
    pub fn forfeit(&mut self) {
        self.credit = self.credit.min(0);
    }

    /// Sets credit and debt to nothing, when a timer fires.
    pub fn clear(&mut self) {
        self.credit = 0;
    }

    /// Whether there is credit for a packet.
    pub fn ready(&self) -> bool {
        self.credit >= PACKET
    }

    /// Pays for one packet, going into debt where credit is short.
    pub fn spend(&mut self) {
        self.credit -= PACKET;
    }

    /// Says whether the sender is held by its window or out of data, rather than by the pacer.
    pub fn set_blocked(&mut self, blocked: bool) {
        self.blocked = blocked;
        if blocked {
            self.credit = self.credit.min(self.cap);
        }
    }

    /// The slot in which there will be credit for a packet, at `rate` packets a slot.
    pub fn ready_slot(&self, rate: f64) -> i64 {
        let missing = (PACKET - self.credit).max(1) as u64;
        self.slot + missing.div_ceil(credit(rate).max(1) as u64) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_ten_leaves_over_half_a_round_trip() {
        let mut pacer = Pacer::new(0.9);
        let mut sent = Vec::new();
        let mut slot = 0;
        while sent.len() < 10 {
            pacer.catch_up(slot, 0.25);
            pacer.accrue(slot, 0.25);
            assert!(sent.is_empty() || pacer.ready());
            pacer.spend();
            pacer.set_blocked(false);
            sent.push(slot);
            slot = pacer.ready_slot(0.25);
        }
        assert_eq!(sent, [0, 7, 11, 15, 19, 23, 27, 31, 35, 39]);
    }

    #[test]
    fn a_blocked_sender_saves_less_than_a_packet() {
        let mut pacer = Pacer::new(0.9);
        pacer.accrue(0, 5.0);
        pacer.set_blocked(true);
        pacer.catch_up(100, 5.0);
        pacer.accrue(100, 0.05);
        assert!(!pacer.ready());
        pacer.accrue(101, 0.06);
        assert!(pacer.ready());
    }

    #[test]
    fn quiet_slots_add_up_to_what_single_slots_would() {
        let (mut one, mut many) = (Pacer::new(0.9), Pacer::new(0.9));
        one.accrue(0, 0.125);
        many.accrue(0, 0.125);
        one.catch_up(8, 0.125);
        for slot in 1..8 {
            many.accrue(slot, 0.125);
        }
        assert_eq!(one.credit, many.credit);
    }
}
