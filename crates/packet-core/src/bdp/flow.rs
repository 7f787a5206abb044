//! The rules of a slot, applied to whole stretches of equal slots.
//!
//! In each slot, in this order: ACKs return and losses are noticed; the sender fills its window as far
//! as its link allows; the hop accepts what fits into its buffer and drops the rest; the hop serves.
//! What the next slots do follows from the first one, and so does how many of them do the same, so
//! [`Flow::step`] takes all of those at once. The result is that of going slot by slot, to the last
//! bit, at a cost that depends on how often something changes.

use super::path::{Amount, Path, SLOTS_PER_RTT};
use super::scenario::Repair;
use std::collections::VecDeque;

/// What happens in a slot and is heard of later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slot {
    accepted: Amount,
    dropped: Amount,
    served: Amount,
    /// The part of `served` that the receiver can use.
    in_order: Amount,
    /// The pass whose data arrived out of order; 0 where none did.
    gap: u32,
}

/// Equal slots, from the end of the stretch before up to `end`.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    end: u64,
    slot: Slot,
}

/// What happened a fixed number of slots ago: the way of ACKs and of loss notices.
#[derive(Clone, Copy, Debug)]
struct Echo {
    lag: u64,
    stretch: usize,
}

impl Echo {
    fn new(lag: u64) -> Echo {
        Echo { lag, stretch: 0 }
    }

    fn at(&mut self, now: u64, history: &[Stretch]) -> Slot {
        while history[self.stretch].end + self.lag <= now {
            self.stretch += 1;
        }
        history[self.stretch].slot
    }

    /// For how many slots from `now` the echo stays the same, if these slots are like `slot`.
    fn lasts(&self, now: u64, history: &[Stretch], slot: Slot) -> u64 {
        let stretch = history[self.stretch];
        // The latest stretch is still growing, and its echo with it.
        let grows = self.stretch + 1 == history.len() && stretch.slot == slot;
        if grows { u64::MAX } else { stretch.end + self.lag - now }
    }
}

/// What waits at the hop, told apart by the use the receiver has for it.
///
/// The sender numbers its passes over the data: going back to a gap begins a new one. What a pass sent
/// before its first drop is in order, and the rest is not, so no segment needs a number: the hop is
/// first in first out, and a new pass begins where the receiver is.
#[derive(Clone, Debug, Default)]
struct Contents(VecDeque<Load>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Load {
    pass: u32,
    in_order: bool,
    amount: Amount,
}

impl Load {
    fn is_like(&self, other: &Load) -> bool {
        (self.pass, self.in_order) == (other.pass, other.in_order)
    }

    /// What a slot that serves `amount` of this brings the receiver: data in order, and a gap.
    fn brings(&self, amount: Amount) -> (Amount, u32) {
        if self.in_order { (amount, 0) } else { (0, self.pass) }
    }
}

impl Contents {
    /// Takes `load` and serves `served` in one slot, or in several like it: returns what a slot brings
    /// the receiver and how many bring the same.
    fn serve(&self, load: Load, served: Amount) -> (Amount, u32, u64) {
        let one_kind = self.0.iter().all(|waiting| waiting.is_like(&load));
        if one_kind {
            let (in_order, gap) = load.brings(served);
            return (in_order, if served > 0 { gap } else { 0 }, u64::MAX);
        }
        let head = self.0[0];
        if let Some(slots) = head.amount.checked_div(served).filter(|slots| *slots > 0) {
            let (in_order, gap) = head.brings(served);
            return (in_order, gap, slots);
        }
        let (mut in_order, mut gap, mut left) = (0, 0, served);
        for waiting in self.0.iter().chain([&load]) {
            let amount = waiting.amount.min(left);
            let brought = waiting.brings(amount);
            in_order += brought.0;
            // The latest gap is the one that counts.
            gap = gap.max(if amount > 0 { brought.1 } else { 0 });
            left -= amount;
        }
        (in_order, gap, 1)
    }

    /// Applies `slots` slots that each take `load` and serve `served` and leave `queue` in the end.
    fn advance(&mut self, load: Load, served: Amount, slots: u64, queue: Amount) {
        if self.0.iter().all(|waiting| waiting.is_like(&load)) {
            self.0.clear();
            self.0.push_back(Load { amount: queue, ..load });
            return;
        }
        let amount = load.amount * slots;
        match self.0.back_mut() {
            Some(last) if last.is_like(&load) => last.amount += amount,
            _ => self.0.push_back(Load { amount, ..load }),
        }
        let mut left = served * slots;
        while let Some(head) = self.0.front_mut() {
            let gone = head.amount.min(left);
            head.amount -= gone;
            left -= gone;
            if head.amount > 0 {
                break;
            }
            self.0.pop_front();
        }
    }
}

/// What a run adds up to, in bits x 10^-9 with headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Slots of the run.
    pub slots: u64,
    /// Sent, everything counted each time.
    pub sent: u128,
    /// Sent again.
    pub sent_again: u128,
    /// Thrown away by the full hop.
    pub dropped: u128,
    /// Served by the hop.
    pub served: u128,
    /// Served, and of use to the receiver.
    pub in_order: u128,
    /// At the hop when the run ended.
    pub queued: u64,
    /// The most that was at the hop between two slots.
    pub peak_queue: u64,
    /// Queueing delay of all that was served: amounts times slots.
    pub queueing: u128,
    /// How often the sender went back to a gap.
    pub passes: u32,
    /// Slot of the first drop.
    pub first_drop: Option<u64>,
    /// Slot in which the sender noticed a loss first.
    pub first_notice: Option<u64>,
}

impl Totals {
    /// What came after an earlier moment of the same run.
    pub(super) fn since(&self, earlier: &Totals) -> Totals {
        Totals {
            slots: self.slots - earlier.slots,
            sent: self.sent - earlier.sent,
            sent_again: self.sent_again - earlier.sent_again,
            dropped: self.dropped - earlier.dropped,
            served: self.served - earlier.served,
            in_order: self.in_order - earlier.in_order,
            queueing: self.queueing - earlier.queueing,
            passes: self.passes - earlier.passes,
            ..*self
        }
    }
}

/// What a chart wants to know after a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub slot: u64,
    pub in_flight: Amount,
    pub queue: Amount,
}

/// One flow on its way.
struct Flow {
    path: Path,
    window: Amount,
    repair: Repair,
    now: u64,
    end: u64,
    /// As the sender counts it: less what is acknowledged and what is known to be lost.
    in_flight: Amount,
    /// Known to be lost and not sent again yet.
    waiting: Amount,
    queue: Amount,
    contents: Contents,
    pass: u32,
    /// Whether something of this pass was dropped.
    gap: bool,
    history: Vec<Stretch>,
    acks: Echo,
    notices: Echo,
    totals: Totals,
    /// Delay of everything at the hop so far, in amounts times slots.
    queueing: u128,
}

/// Runs a flow with this window for `slots`. `observe` hears of the first and the last slot of every
/// stretch; in between everything moves in a straight line.
pub(super) fn flow(
    path: Path,
    window: Amount,
    repair: Repair,
    slots: u64,
    observe: impl FnMut(State),
) -> Totals {
    Flow::new(path, window, repair, slots).run(u64::MAX, observe)
}

impl Flow {
    fn new(path: Path, window: Amount, repair: Repair, slots: u64) -> Flow {
        Flow {
            path,
            window,
            repair,
            now: 0,
            end: slots,
            in_flight: 0,
            waiting: 0,
            queue: 0,
            contents: Contents::default(),
            pass: 1,
            gap: false,
            history: vec![Stretch { end: 0, slot: Slot::default() }],
            acks: Echo::new(SLOTS_PER_RTT),
            notices: Echo::new(path.notice()),
            totals: Totals::default(),
            queueing: 0,
        }
    }

    /// Runs to the end in steps of at most `longest` slots.
    fn run(mut self, longest: u64, mut observe: impl FnMut(State)) -> Totals {
        while self.now < self.end {
            self.step(longest, &mut observe);
        }
        self.totals.slots = self.end;
        self.totals.queued = self.queue;
        self.totals.sent_again -= u128::from(self.waiting);
        self.totals.queueing = self.queueing - self.queueing_of_the_rest();
        self.totals.passes = self.pass - 1;
        self.totals
    }

    fn step(&mut self, longest: u64, observe: &mut impl FnMut(State)) {
        let Path { link, hop, buffer, .. } = self.path;
        let now = self.now;

        // 1: what returns.
        let (returned, noticed) = self.hear();

        // 2: what is sent; at first evenly, so that the start does not arrive as one burst.
        let starting = now < SLOTS_PER_RTT;
        let limit = if starting { link.min(self.window / SLOTS_PER_RTT) } else { link };
        let room = self.window - self.in_flight;
        let sent = room.min(limit);

        // 3 and 4: what the hop accepts, drops and serves.
        let accepted = sent.min(buffer - self.queue);
        let dropped = sent - accepted;
        let served = hop.min(self.queue + accepted);
        let load = Load { pass: self.pass, in_order: !self.gap, amount: accepted };
        let (in_order, gap, alike) = self.contents.serve(load, served);
        let slot = Slot { accepted, dropped, served, in_order, gap };

        let opens_a_gap = self.repair == Repair::GoBackN && dropped > 0 && !self.gap;
        let slots = alike
            .min(if starting { SLOTS_PER_RTT - now } else { self.end - now })
            .min(self.acks.lasts(now, &self.history, slot))
            .min(self.notices.lasts(now, &self.history, slot))
            .min(same_sending(room, limit, returned))
            .min(same_queue(self.queue, buffer, hop, sent))
            .min(if opens_a_gap { 1 } else { longest });

        // The queue after slot k is queue + k x (accepted - served).
        let before = self.queue;
        let after = |k: u64| {
            before + k * accepted.saturating_sub(served) - k * served.saturating_sub(accepted)
        };
        self.queue = after(slots);
        let ends = u128::from(after(1)) + u128::from(self.queue);
        self.queueing += ends * u128::from(slots) / 2;
        self.contents.advance(load, served, slots, self.queue);
        self.gap |= opens_a_gap;

        self.in_flight += sent;
        observe(State { slot: now, in_flight: self.in_flight, queue: after(1) });
        if slots > 1 {
            let more = slots - 1;
            self.in_flight += more * sent.saturating_sub(returned);
            self.in_flight -= more * returned.saturating_sub(sent);
            let (in_flight, queue) = (self.in_flight, self.queue);
            observe(State { slot: now + more, in_flight, queue });
        }
        self.waiting += slots * noticed.saturating_sub(sent);
        self.waiting =
            self.waiting.saturating_sub(slots.saturating_mul(sent.saturating_sub(noticed)));

        self.count(slot, sent, noticed, slots);
        self.now += slots;
        match self.history.last_mut() {
            Some(last) if last.slot == slot => last.end = self.now,
            _ => self.history.push(Stretch { end: self.now, slot }),
        }
    }

    /// Takes the ACKs and loss notices of this slot: returns what no longer counts as in flight, and
    /// what is to be sent again for a notice of its own. Who goes back to a gap has no such notices:
    /// the ACK of what came after the gap tells, once a pass.
    fn hear(&mut self) -> (Amount, Amount) {
        let acked = self.acks.at(self.now, &self.history);
        let lost = self.notices.at(self.now, &self.history).dropped;
        if self.repair != Repair::GoBackN {
            self.in_flight -= acked.served + lost;
            return (acked.served + lost, lost);
        }
        self.in_flight -= acked.in_order;
        if acked.gap == self.pass {
            self.totals.sent_again += u128::from(self.in_flight);
            self.totals.first_notice.get_or_insert(self.now);
            self.waiting += self.in_flight;
            self.in_flight = 0;
            self.pass += 1;
            self.gap = false;
        }
        (acked.in_order, 0)
    }

    fn count(&mut self, slot: Slot, sent: Amount, noticed: Amount, slots: u64) {
        let all = |amount: Amount| u128::from(amount) * u128::from(slots);
        let totals = &mut self.totals;
        totals.sent += all(sent);
        totals.sent_again += all(noticed);
        totals.dropped += all(slot.dropped);
        totals.served += all(slot.served);
        totals.in_order += all(slot.in_order);
        totals.peak_queue = totals.peak_queue.max(self.queue);
        if slot.dropped > 0 {
            totals.first_drop.get_or_insert(self.now);
        }
        if noticed > 0 {
            totals.first_notice.get_or_insert(self.now);
        }
    }

    /// The queueing delay so far of what is still at the hop, which is what came last.
    fn queueing_of_the_rest(&self) -> u128 {
        let (mut rest, mut delay) = (u128::from(self.queue), 0);
        for pair in self.history.windows(2).rev() {
            let (start, stretch) = (pair[0].end, pair[1]);
            let each = u128::from(stretch.slot.accepted);
            let whole = rest.checked_div(each).unwrap_or(0).min((stretch.end - start).into());
            // What came in slot s has waited self.end - s slots.
            let youngest = u128::from(self.end - stretch.end) + 1;
            let sum = whole * youngest + whole * whole.saturating_sub(1) / 2;
            delay += each * sum;
            rest -= each * whole;
            if whole < u128::from(stretch.end - start) && each > 0 {
                delay += rest * (youngest + whole);
                break;
            }
        }
        delay
    }
}

/// For how many slots the sender sends the same: it has `room`, may send `limit` a slot, and
/// `returned` makes new room in each.
fn same_sending(room: Amount, limit: Amount, returned: Amount) -> u64 {
    if room < limit {
        if room == returned { u64::MAX } else { 1 }
    } else {
        (room - limit).checked_div(limit.saturating_sub(returned)).map_or(u64::MAX, |n| n + 1)
    }
}

/// For how many slots the hop accepts and serves the same, when `sent` arrives in each.
fn same_queue(queue: Amount, buffer: Amount, hop: Amount, sent: Amount) -> u64 {
    let full = queue + sent > buffer;
    let idle = queue + sent < hop;
    if full {
        if queue + hop == buffer { u64::MAX } else { 1 }
    } else if idle {
        if queue == 0 { u64::MAX } else { 1 }
    } else if sent > hop {
        (buffer - sent - queue) / (sent - hop) + 1
    } else {
        (queue + sent - hop).checked_div(hop - sent).map_or(u64::MAX, |n| n + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::path::{PACKET, on_the_wire};
    use super::super::scenario::Scenario;
    use super::*;
    use crate::units::{Bytes, Rate, Time};
    use proptest::prelude::*;

    const REPAIRS: [Repair; 3] = [Repair::ArticleShare, Repair::GoBackN, Repair::SelectiveRepeat];

    fn totals(window: Bytes, repair: Repair) -> Totals {
        let path = Path::new(&Scenario::default());
        let window = on_the_wire(window);
        flow(path, window, repair, path.slots(window), |_| ())
    }

    /// What came of each slot when every step is one slot long, or as long as can be.
    fn runs(scenario: &Scenario) -> [(Totals, u64); 2] {
        [1, u64::MAX].map(|longest| {
            let mut steps = 0;
            let window = on_the_wire(scenario.window);
            let path = Path::new(scenario);
            let flow = Flow::new(path, window, scenario.repair, path.slots(window));
            (flow.run(longest, |_| steps += 1), steps)
        })
    }

    #[test]
    fn stretches_give_what_single_slots_give() {
        for window in [64, 256, 943, 1_526, 2_095, 2_096, 2_200, 4_096, 9_766, 16_384] {
            for repair in REPAIRS {
                let scenario =
                    Scenario { window: Bytes::kb(window), repair, ..Scenario::default() };
                let [(single, slots), (stretches, steps)] = runs(&scenario);
                assert_eq!(single, stretches, "{window} KB, {repair:?}");
                assert!(steps < slots, "{window} KB, {repair:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn odd_paths_give_the_same_too(
            window in 65_536u64..16_777_216,
            link in 10_000_000u64..10_000_000_000,
            hop in 1_000_000u64..1_000_000_000,
            rtt in 5_000_000u64..300_000_000,
            buffer in 5_000_000u64..100_000_000,
            repair in 0..3usize,
        ) {
            let scenario = Scenario {
                window: Bytes(window),
                link: Rate(link),
                hop: Rate(hop),
                rtt: Time(rtt),
                buffer: Time(buffer),
                repair: REPAIRS[repair],
                ..Scenario::default()
            };
            let [(single, _), (stretches, _)] = runs(&scenario);
            prop_assert_eq!(single, stretches);
        }
    }

    #[test]
    fn a_window_below_the_pipe_never_waits() {
        let totals = totals(Bytes::kb(512), Repair::ArticleShare);
        assert_eq!((totals.queueing, totals.queued, totals.dropped), (0, 0, 0));
        assert_eq!(totals.sent, totals.served);
    }

    #[test]
    fn a_window_that_just_fits_loses_nothing_and_a_little_more_does() {
        let path = Path::new(&Scenario::default());
        let fits = path.hop * (SLOTS_PER_RTT - 1) + path.buffer;
        let run = |window| flow(path, window, Repair::ArticleShare, path.slots(window), |_| ());
        assert_eq!(run(fits).dropped, 0);
        assert_eq!(run(fits).peak_queue, path.buffer - path.hop);
        assert!(run(fits + PACKET).dropped > 0);
    }

    #[test]
    fn the_receiver_of_go_back_n_uses_only_what_is_in_order() {
        let go_back = totals(Bytes(10_000_000), Repair::GoBackN);
        assert!(go_back.passes > 0);
        assert!(go_back.in_order * 3 < go_back.served);
        let selective = totals(Bytes(10_000_000), Repair::SelectiveRepeat);
        assert_eq!(selective.in_order, selective.served);
        let lossless = totals(Bytes::kb(512), Repair::GoBackN);
        assert_eq!((lossless.passes, lossless.in_order), (0, lossless.served));
    }

    #[test]
    fn a_mixed_slot_brings_data_and_a_gap() {
        let load = |pass, in_order, amount| Load { pass, in_order, amount };
        let mut contents = Contents::default();
        contents.advance(load(1, true, 5), 0, 1, 5);
        contents.advance(load(1, false, 10), 0, 1, 15);
        assert_eq!(contents.serve(load(1, false, 0), 2), (2, 0, 2), "two slots of the first kind");
        assert_eq!(contents.serve(load(1, false, 0), 7), (5, 1, 1));
        contents.advance(load(1, false, 0), 7, 1, 8);
        assert_eq!(contents.0, [load(1, false, 8)]);
    }
}
