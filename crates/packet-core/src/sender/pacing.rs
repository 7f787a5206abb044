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
    /// The pacer of a sender with this clock, whose slots are so long.
    pub fn new(pacing: Pacing, clock: Clock, slot: Time) -> Pacer {
        match (pacing, clock) {
            (Pacing::None, _) => Pacer::Off,
            (_, Clock::Slots) => Pacer::Credit(Credit::new(slot, IDLE_CREDIT)),
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
        Time::whole_nanos(self.opens.ceil())
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
pub fn credit(packets: f64) -> i64 {
    (packets * PACKET as f64).ceil() as i64
}

/// The credit a sender has, and up to when it is worked out.
#[derive(Clone, Debug)]
pub struct Credit {
    credit: i64,
    /// Length of a slot.
    slot: Time,
    /// The start of the first slot whose credit has not been added.
    from: Time,
    /// Whether the sender was held by its window or had nothing to send: it keeps at most `cap`.
    blocked: bool,
    cap: i64,
}

impl Credit {
    /// One that has accrued nothing before the first slot, of this length; a blocked sender keeps `cap`
    /// packets' credit.
    pub fn new(slot: Time, cap: f64) -> Credit {
        Credit { credit: 0, slot, from: Time::ZERO, blocked: false, cap: credit(cap) }
    }

    /// Begins again with the slot that starts at `from`.
    pub fn restart(&mut self, from: Time) {
        *self = Credit { credit: 0, from, blocked: false, ..*self };
    }

    /// Adds the credit of every slot before `now`, `rate` for each; says whether there were any.
    pub fn catch_up(&mut self, now: Time, rate: i64) -> bool {
        if now <= self.from {
            return false;
        }
        let slots = ((now - self.from).0 / self.slot.0) as i64;
        self.credit = self.credit.saturating_add(slots.saturating_mul(rate));
        if self.blocked {
            self.credit = self.credit.min(self.cap);
        }
        self.from = now;
        true
    }

    /// Adds the credit of the slot that starts at `now`, which is `rate`.
    pub fn accrue(&mut self, now: Time, rate: i64) {
        if now >= self.from {
            self.credit += rate;
            self.from = now + self.slot;
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

    /// The slot in which there will be credit for a packet, if each brings `rate`.
    pub fn ready_at(&self, rate: i64) -> Time {
        let missing = (PACKET - self.credit).max(1) as u64;
        let slots = missing.div_ceil(rate.max(1) as u64);
        self.from + Time(self.slot.0.saturating_mul(slots - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of a nanosecond, so that times are slots' numbers.
    fn pacer() -> Credit {
        Credit::new(Time(1), 0.9)
    }

    #[test]
    fn a_window_of_ten_leaves_over_half_a_round_trip() {
        let (mut pacer, rate) = (pacer(), credit(0.25));
        let mut sent = Vec::new();
        let mut slot = Time(0);
        while sent.len() < 10 {
            pacer.catch_up(slot, rate);
            pacer.accrue(slot, rate);
            assert!(sent.is_empty() || pacer.ready());
            pacer.spend();
            pacer.set_blocked(false);
            sent.push(slot.0);
            slot = pacer.ready_at(rate);
        }
        assert_eq!(sent, [0, 7, 11, 15, 19, 23, 27, 31, 35, 39]);
    }

    #[test]
    fn a_blocked_sender_saves_less_than_a_packet() {
        let mut pacer = pacer();
        pacer.accrue(Time(0), credit(5.0));
        pacer.set_blocked(true);
        pacer.catch_up(Time(100), credit(5.0));
        pacer.accrue(Time(100), credit(0.05));
        assert!(!pacer.ready());
        pacer.accrue(Time(101), credit(0.06));
        assert!(pacer.ready());
    }

    #[test]
    fn quiet_slots_add_up_to_what_single_slots_would() {
        let (mut one, mut many, rate) = (pacer(), pacer(), credit(0.125));
        one.accrue(Time(0), rate);
        many.accrue(Time(0), rate);
        one.catch_up(Time(8), rate);
        for slot in 1..8 {
            many.accrue(Time(slot), rate);
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
