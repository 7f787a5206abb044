//! Pacing: when a packet may leave that the window allows (Linux `tcp_update_pacing_rate`).
//!
//! A sender that acts in slots collects [`Credit`] slot by slot. It is only worked out when something
//! happens; a run of quiet slots is one multiplication. Credit is counted in whole billionths of a
//! packet, rounded up, so that ten slots of a tenth are a packet and quiet slots add up exactly.
//!
//! A sender that acts at once sends a short burst and then waits behind a [`Gate`] for as long as the
//! burst takes at the pacing rate (`tcp_update_skb_after_send`).

use crate::assumptions::{Clock, Pacing};
use crate::units::{MSS, Time};

/// Pacing rate as a multiple of cwnd/srtt while cwnd < ssthresh/2 (`tcp_pacing_ss_ratio`).
const SLOW_START: f64 = 2.0;
/// The same from there on (`tcp_pacing_ca_ratio`).
const AVOIDANCE: f64 = 1.2;
/// Credit, in packets, that a sender blocked by its window or out of data may keep. Fitted; 0.88 to
/// 0.91 give the same figures.
const IDLE_CREDIT: f64 = 0.9;
/// Segments that leave unpaced at the start of a connection.
pub const UNPACED_SEGMENTS: u32 = 10;
/// A burst holds what the pacing rate sends in this part of a second (`sk_pacing_shift`) …
const BURSTS_PER_SECOND: f64 = 1024.0;
/// … but at least this many segments (`tcp_min_tso_segs`) …
const MIN_BURST: u32 = 2;
/// … and at most this many bytes.
const MAX_BURST_BYTES: f64 = 65_536.0;
/// Short paths allow larger bursts: [`MAX_BURST_BYTES`], halved per this much of the minimum
/// round-trip time (`tcp_tso_rtt_log`).
const BURST_HALVING: f64 = 512_000.0;

/// How many times cwnd/srtt the pacing rate is.
pub fn factor(cwnd: f64, ssthresh: f64) -> f64 {
    if cwnd < ssthresh / 2.0 { SLOW_START } else { AVOIDANCE }
}

/// Segments that leave together at `rate` packets a nanosecond (`tcp_tso_autosize`).
pub fn burst(rate: f64, min_rtt: f64, cwnd: f64) -> u32 {
    let mut bytes = rate * 1e9 * MSS as f64 / BURSTS_PER_SECOND;
    let mut extra = MAX_BURST_BYTES;
    let mut halvings = min_rtt / BURST_HALVING;
    while halvings >= 1.0 && extra >= 1.0 {
        extra /= 2.0;
        halvings -= 1.0;
    }
    bytes = (bytes + extra).min(MAX_BURST_BYTES);
    let half_window = ((cwnd / 2.0) as u32).max(1);
    ((bytes / MSS as f64) as u32).max(MIN_BURST).min(half_window)
}

/// What decides when a packet may leave.
#[derive(Clone, Debug)]
pub enum Pacer {
    /// Nothing but the window.
    Off,
    /// Credit that accrues in slots.
    Credit(Credit),
    /// A gate that a burst closes behind it.
    Gate(Gate),
}

impl Pacer {
    /// The pacer of a sender with this clock.
    pub fn new(pacing: Pacing, clock: Clock) -> Pacer {
        match (pacing, clock) {
            (Pacing::None, _) => Pacer::Off,
            (_, Clock::Slots) => Pacer::Credit(Credit::new(IDLE_CREDIT)),
            (_, Clock::Continuous) => Pacer::Gate(Gate::default()),
        }
    }

    /// The credit, where there is such a thing.
    pub fn credit(&mut self) -> Option<&mut Credit> {
        match self {
            Pacer::Credit(credit) => Some(credit),
            _ => None,
        }
    }
}

/// A burst passes; the next one waits until the time the burst takes at the pacing rate is over.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    opens: f64,
    /// The burst under way: its moment, the segments it may still hold.
    at: Time,
    left: u32,
    /// How late the burst is, which shortens the wait behind it.
    late: f64,
}

impl Gate {
    /// Whether a packet may leave.
    pub fn is_open(&self, now: Time) -> bool {
        self.in_burst(now) || now.0 as f64 >= self.opens
    }

    /// When the next burst may begin.
    pub fn opens(&self) -> Time {
        Time(self.opens.ceil() as u64)
    }

    /// A packet leaves, the first of `burst` where none is under way; `price` is the time it takes at
    /// the pacing rate.
    pub fn pass(&mut self, now: Time, burst: u32, price: f64) {
        if !self.in_burst(now) {
            self.late = (now.0 as f64 - self.opens).max(0.0);
            self.opens = self.opens.max(now.0 as f64);
            self.left = burst;
            self.at = now;
        }
        self.left = self.left.saturating_sub(1);
        let discount = self.late.min(price / 2.0);
        self.late -= discount;
        self.opens += price - discount;
    }

    /// The window is closed or there is nothing to send: the burst is over.
    pub fn end_burst(&mut self) {
        self.left = 0;
    }

    fn in_burst(&self, now: Time) -> bool {
        self.left > 0 && self.at == now
    }
}

/// One packet's credit.
const PACKET: i64 = 1_000_000_000;

/// The credit of `packets`, rounded up.
fn credit(packets: f64) -> i64 {
    (packets * PACKET as f64).ceil() as i64
}

/// The credit a sender has, and up to which slot it is worked out.
#[derive(Clone, Debug)]
pub struct Credit {
    credit: i64,
    /// The last slot whose credit has been added; -1 before the first.
    slot: i64,
    /// Whether the sender was held by its window or had nothing to send: it keeps at most `cap`.
    blocked: bool,
    cap: i64,
}

impl Credit {
    /// One that has accrued nothing before slot 0; a blocked sender keeps `cap` packets' credit.
    pub fn new(cap: f64) -> Credit {
        Credit { credit: 0, slot: -1, blocked: false, cap: credit(cap) }
    }

    /// Begins again at `slot`, in which nothing accrues.
    pub fn restart(&mut self, slot: i64) {
        *self = Credit { credit: 0, slot, blocked: false, cap: self.cap };
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
        let mut pacer = Credit::new(0.9);
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
        let mut pacer = Credit::new(0.9);
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
        let (mut one, mut many) = (Credit::new(0.9), Credit::new(0.9));
        one.accrue(0, 0.125);
        many.accrue(0, 0.125);
        one.catch_up(8, 0.125);
        for slot in 1..8 {
            many.accrue(slot, 0.125);
        }
        assert_eq!(one.credit, many.credit);
    }

    #[test]
    fn a_gate_lets_a_burst_through_and_closes_for_its_length() {
        let mut gate = Gate::default();
        let start = Time::millis(100);
        gate.pass(start, 2, 5e6);
        assert!(gate.is_open(start));
        gate.pass(start, 2, 5e6);
        assert!(!gate.is_open(start));
        // Late by far, so the burst costs half.
        assert_eq!(gate.opens(), Time::millis(105));
        gate.pass(Time::millis(105), 1, 5e6);
        assert_eq!(gate.opens(), Time::millis(110));
    }

    #[test]
    fn bursts_are_of_two_at_least_and_grow_with_the_rate() {
        assert_eq!(burst(20.0 / 80e6, 80e6, 10.0), 2);
        assert_eq!(burst(1_470.0 / 80e6, 80e6, 735.0), 17);
        assert_eq!(burst(20.0 / 80e6, 80e6, 2.0), 1);
    }
}
