//! The sender's state machine.
//!
//! It learns of the path only through ACKs, loss notices and timers, and `now` is always an argument,
//! so it can be driven without a path: [`Sender::write`], [`Sender::on_acks`] and
//! [`Sender::on_timer`] go in, [`Sender::transmit`] gives what leaves, [`Sender::wake_at`] the next
//! moment at which it has something to do. One file a concept:
//!
//! | file | what it decides | source |
//! |---|---|---|
//! | `scoreboard` | what is in flight, lost, acknowledged | RFC 6675 |
//! | `rack` | what is lost, from what arrived | RFC 8985 |
//! | `recovery` | the window while a loss is repaired | RFC 6937 |
//! | `rtt` | srtt, rttvar, RTO | RFC 6298 |
//! | `timers` | when to probe and when to give up waiting | RFC 8985, RFC 6298 |
//! | `hystart` | when to end slow start | Linux `tcp_cubic.c` |
//! | `hystart_plus_plus` | when to doubt slow start | RFC 9406 |
//! | `cubic` | how to grow in congestion avoidance | RFC 9438 |
//! | `usage` | whether the window may grow at all | RFC 7661 |
//! | `idle_restart` | what an idle connection keeps | RFC 2861 |
//! | `pacing` | when a packet may leave | Linux `tcp_pacing_*` |

mod cubic;
pub mod hystart;
pub mod hystart_plus_plus;
pub mod idle_restart;
mod pacing;
mod rack;
mod recovery;
mod rtt;
mod scoreboard;
mod timers;
mod usage;

use crate::assumptions::{
    Assumptions, Clock, CongestionAvoidance, HandshakeSample, HyStartOrder, IdleClock,
    InitialPacing, LossFeedback, Pacing, ProbeCut, ProbeTimeout, Recovery, SlowStartExit,
    TimerRestart, WindowArithmetic, WindowValidation,
};
use crate::decision::{Decision, ExitReason};
use crate::units::Time;
use cubic::{Cubic, LinuxCubic};
use hystart::{HyStart, Verdict};
use hystart_plus_plus::{HyStartPlusPlus, Turn};
use pacing::Pacer;
use rack::Rack;
use recovery::{Reduction, Repair, Window};
use rtt::RttEstimator;
use scoreboard::Scoreboard;
use timers::{Expiry, Timers};
use usage::Usage;

pub use rtt::MIN_RTO;

/// What a lost packet leaves of a fractional window (CUBIC's beta, RFC 9438 section 4.6).
const BETA: f64 = 0.7;
/// What it leaves of one in whole segments, of 1024.
const WHOLE_BETA: f64 = 717.0;
/// Added to a probe timeout, and to the reordering timer (`TCP_TIMEOUT_MIN_US`).
const MIN_TIMEOUT: Time = Time::millis(2);
/// The probe timeout of a kernel without a round-trip sample.
const UNSAMPLED_PTO: Time = Time::secs(1);

/// What a sender is configured with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Initial window, in segments.
    pub initial_window: u32,
    /// Segments the receiver takes beyond what it has acknowledged in order; no limit where absent.
    pub receive_window: Option<u32>,
    /// The path's base round-trip time: what pacing goes by before a sample, and the handshake's
    /// sample where that counts.
    pub base_rtt: Time,
    /// Length of a slot of the sender's clock; a nanosecond where it acts at once.
    pub slot: Time,
    /// Whether HyStart may end slow start.
    pub hystart: bool,
    /// Whether a tail loss probe is sent.
    pub tail_loss_probe: bool,
    /// Whether an idle connection's window decays.
    pub slow_start_after_idle: bool,
    /// What the model takes for granted.
    pub assumptions: Assumptions,
}

/// What the receiver says. Segments are counted from the first one of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// Everything below this has arrived.
    pub cumulative: u32,
    /// A selectively acknowledged block, from its first segment to one past its last; empty where both
    /// are the same. One block is enough where no ACK is lost: each newly arrived segment is reported.
    pub sacked: (u32, u32),
    /// When the copy that raised this ACK had been sent (the timestamp echo of RFC 7323), where known.
    pub echo: Option<Time>,
}

/// What a transmission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A segment's first transmission.
    New,
    /// A lost segment again.
    Retransmission,
    /// The last segment again, to provoke an answer.
    Probe,
}

/// A packet the sender lets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// The segment, counted from the first one of the connection.
    pub segment: u32,
    /// Why it is sent.
    pub kind: Kind,
}

/// A probe that has not been answered.
#[derive(Clone, Copy, Debug)]
struct Tail {
    /// What had been sent with it.
    end: u32,
    /// Whether it repeated a segment.
    repeats: bool,
}

/// What has happened to the timers' disadvantage since they were last armed. They are armed once the
/// sender has stopped sending, for all that left together.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    /// An ACK made progress.
    progress: bool,
    /// The last packet that left, if any did.
    sent: Option<Transmission>,
    /// New data left.
    new: bool,
    /// A probe left, or the segment at the left edge again.
    urgent: bool,
    /// Nothing was outstanding before.
    from_idle: bool,
}

/// How long a timer was armed for.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    time: Time,
    /// Whether there was a round-trip sample to make it from.
    sampled: bool,
}

/// What a batch of ACKs brought.
#[derive(Clone, Copy, Debug, Default)]
struct News {
    /// Segments newly known to be delivered.
    delivered: u32,
    /// The last round-trip sample, in nanoseconds.
    sample: Option<f64>,
}

/// The sending half of one connection.
#[derive(Clone, Debug)]
pub struct Sender {
    settings: Settings,
    scoreboard: Scoreboard,
    rtt: RttEstimator,
    timers: Timers,
    rack: Rack,
    hystart: HyStart,
    hystart_plus_plus: HyStartPlusPlus,
    cubic: Cubic,
    linux_cubic: LinuxCubic,
    pacer: Pacer,
    usage: Usage,
    /// The last credit worked out for a slot, and the window, threshold and srtt it was for.
    credit_rate: ([f64; 3], i64),
    cwnd: f64,
    ssthresh: f64,
    peak_cwnd: f64,
    /// Acknowledged segments that have not made a whole one yet, where the window is in whole segments.
    toward_next: f64,
    repair: Option<Repair>,
    probe_waits: bool,
    probe_spent: bool,
    tail: Option<Tail>,
    last_sent: Option<Time>,
    /// Whether the pacer alone held back a packet when the sender last stopped.
    held: bool,
    since: Since,
    /// What the probe and the timeout were last armed for.
    pto: Wait,
    rto: Wait,
    /// Added to every round-trip sample, in nanoseconds.
    bias: f64,
    exited_slow_start: bool,
    told_of_full_receiver: bool,
    decisions: Vec<Decision>,
}

impl Sender {
    /// A sender that has sent nothing yet.
    pub fn new(settings: Settings) -> Sender {
        let cwnd = f64::from(settings.initial_window);
        let a = settings.assumptions;
        let paced = a.pacing == Pacing::FqLike;
        let mut rtt = RttEstimator::new(a.rto);
        if a.handshake_sample == HandshakeSample::Counted {
            rtt.handshake(settings.base_rtt.0 as f64);
        }
        Sender {
            scoreboard: Scoreboard::default(),
            rtt,
            timers: Timers::default(),
            rack: Rack::default(),
            hystart: HyStart::new(hystart::Rule {
                paced,
                order: a.hystart_order,
                rounds: a.hystart_rounds,
            }),
            hystart_plus_plus: HyStartPlusPlus::new(paced),
            cubic: Cubic::default(),
            linux_cubic: LinuxCubic::default(),
            pacer: Pacer::new(a.pacing, a.clock, settings.slot),
            usage: Usage::default(),
            credit_rate: ([0.0; 3], 0),
            cwnd,
            ssthresh: f64::INFINITY,
            peak_cwnd: cwnd,
            toward_next: 0.0,
            repair: None,
            probe_waits: false,
            probe_spent: false,
            tail: None,
            last_sent: None,
            held: false,
            since: Since::default(),
            pto: Wait::default(),
            rto: Wait::default(),
            // In slots, an ACK is seen half a slot after it came, on average. Fitted.
            bias: match a.clock {
                Clock::Slots => 0.5 * settings.slot.0 as f64,
                Clock::Continuous => 0.0,
            },
            exited_slow_start: false,
            told_of_full_receiver: false,
            decisions: Vec::new(),
            settings,
        }
    }

    /// Congestion window, in segments.
    pub fn cwnd(&self) -> f64 {
        self.cwnd
    }

    /// Slow start threshold, in segments; infinite until something lowers it.
    pub fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    /// The largest congestion window a slot began with, in segments.
    pub fn peak_cwnd(&self) -> f64 {
        self.peak_cwnd
    }

    /// Packets in flight as the sender counts them.
    pub fn in_flight(&self) -> u32 {
        self.scoreboard.in_flight()
    }

    /// Whether everything sent is acknowledged.
    pub fn all_acked(&self) -> bool {
        self.scoreboard.all_acked()
    }

    /// The retransmission timeout in force.
    pub fn rto(&self) -> Time {
        self.rtt.rto(self.settings.assumptions.timer_granularity)
    }

    /// Smoothed round-trip time in nanoseconds, once there is a sample.
    pub fn srtt(&self) -> Option<f64> {
        self.rtt.srtt()
    }

    /// Whether anything has been decided since the last call of [`Sender::take_decisions`].
    pub fn has_decided(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// What has been decided since the last call.
    pub fn take_decisions(&mut self) -> std::vec::Drain<'_, Decision> {
        self.decisions.drain(..)
    }

    /// The application queues the segments of a response; `idle` is the time since the last one ended.
    pub fn write(&mut self, now: Time, segments: u32, idle: Option<Time>) {
        let first = self.scoreboard.sent() == 0;
        if let Some(credit) = self.pacer.credit() {
            // A connection begins with its first response, whenever that is.
            credit.restart(if first { now } else { now + self.settings.slot });
        }
        match self.idle_since(now, idle) {
            Some(idle) => self.after_idle(idle),
            None if first => self.hystart.start_round(now, 0),
            None => {}
        }
        self.probe_spent = false;
        self.scoreboard.write(segments);
    }

    /// Takes everything outstanding as acknowledged without looking at the ACKs: the response is over.
    pub fn forget_outstanding(&mut self) {
        self.scoreboard.ack_all();
        self.timers.stop();
        self.rack.forget();
        self.repair = None;
        self.probe_waits = false;
        self.tail = None;
        self.held = false;
    }

    /// When the sender next has something to do by itself: a timer, or credit for a packet.
    pub fn wake_at(&mut self) -> Time {
        let timer = self.timers.next();
        if !self.held {
            return timer;
        }
        let rate = self.credit_rate();
        timer.min(match &self.pacer {
            Pacer::Off => Time::NEVER,
            Pacer::Credit(credit) => credit.ready_at(rate),
            Pacer::Gate(gate) => gate.opens(),
        })
    }

    /// Time has come to `now`: works out the quiet slots before it.
    pub fn catch_up(&mut self, now: Time) {
        let rate = self.credit_rate();
        if self.pacer.credit().is_some_and(|credit| credit.catch_up(now, rate)) {
            self.note_peak();
        }
    }

    /// The transmission of `segment` at `sent` was lost.
    pub fn on_loss(&mut self, segment: u32, sent: Time) {
        if self.scoreboard.on_lost(segment, sent) {
            if let Some(credit) = self.pacer.credit() {
                credit.forfeit();
            }
            self.begin_repair(segment);
        }
    }

    /// Runs the timer that has expired by `now`, if any.
    pub fn on_timer(&mut self, now: Time) {
        if self.timers.next() <= now {
            self.on_expiry(now);
        }
    }

    #[cold]
    fn on_expiry(&mut self, now: Time) {
        match self.timers.expired(now) {
            Some(Expiry::Probe) => {
                self.send_probe();
                if !self.probe_waits && !self.timers.is_armed() {
                    self.arm_timeout(now);
                }
            }
            Some(Expiry::Reordering) => {
                let lost = self.detect_losses(now);
                self.reduce(1, lost == 0);
            }
            Some(Expiry::Timeout) => self.time_out(now),
            None => {}
        }
    }

    /// The credit of the slot `now` falls into accrues.
    pub fn accrue(&mut self, now: Time) {
        let rate = self.credit_rate();
        if let Some(credit) = self.pacer.credit() {
            credit.accrue(now, rate);
        }
        if self.settings.assumptions.clock == Clock::Slots {
            self.note_peak();
        }
    }

    fn note_peak(&mut self) {
        if self.cwnd > self.peak_cwnd {
            self.peak_cwnd = self.cwnd;
        }
    }

    /// ACKs that came in one slot.
    pub fn on_acks(&mut self, now: Time, acks: impl IntoIterator<Item = Ack>) {
        let edge = self.scoreboard.left_edge();
        let mut news = News::default();
        for ack in acks {
            self.take(now, ack, &mut news);
        }
        self.after_acks(now, edge, news);
    }

    /// What follows from ACKs that brought such news; everything below `edge` was acknowledged before.
    fn after_acks(&mut self, now: Time, edge: u32, news: News) {
        let progress = self.scoreboard.left_edge() > edge;
        self.answer_probe(news.delivered > 0);
        self.since.progress |= progress;
        if news.delivered > 0 {
            self.end_repair();
            let lost = self.detect_losses(now);
            self.reduce(news.delivered, progress && lost == 0);
            // A duplicate ACK is no reason to grow.
            let grows =
                progress || self.settings.assumptions.loss_feedback == LossFeedback::OneRoundTrip;
            self.grow(now, if grows { news.delivered } else { 0 }, news.sample);
        }
        if self.scoreboard.all_acked() {
            self.timers.stop();
        }
        if self.settings.assumptions.clock == Clock::Continuous {
            self.note_peak();
        }
    }

    /// Lets one packet go, if window and pacer allow it now. To be called after every other event until
    /// nothing is left to send, which is when the timers are armed.
    pub fn transmit(&mut self, now: Time) -> Option<Transmission> {
        let next = self.next_transmission();
        if let Some(credit) = self.pacer.credit() {
            credit.set_blocked(next.is_none());
        }
        self.held = next.is_some_and(|next| !self.pay(now, next));
        let Some(next) = next.filter(|_| !self.held) else {
            self.on_stopped(now);
            return None;
        };
        self.since.from_idle |= self.scoreboard.outstanding() == 0;
        self.since.new |= next.kind == Kind::New;
        self.since.urgent |= std::mem::take(&mut self.probe_waits)
            || (next.kind == Kind::Retransmission && next.segment == self.scoreboard.left_edge());
        self.since.sent = Some(next);
        if next.kind != Kind::New {
            self.rack.on_sent_again(next.segment, now);
        }
        self.scoreboard.on_sent(next.segment, now);
        self.last_sent = Some(now);
        if let Some(Repair { window: Window::Reduced(reduction), .. }) = &mut self.repair {
            reduction.on_sent();
        }
        Some(next)
    }

    fn next_transmission(&mut self) -> Option<Transmission> {
        if self.probe_waits {
            return Some(self.probe());
        }
        if f64::from(self.scoreboard.in_flight()) >= self.cwnd {
            return None;
        }
        if let Some(segment) = self.scoreboard.next_lost() {
            return Some(Transmission { segment, kind: Kind::Retransmission });
        }
        let segment = self.next_new()?;
        Some(Transmission { segment, kind: Kind::New })
    }

    /// The new segment to send next, if the receiver has room for it (RFC 9293 section 3.8.6).
    fn next_new(&self) -> Option<u32> {
        let window = self.settings.receive_window;
        let has_room = window.is_none_or(|window| self.scoreboard.outstanding() < window);
        self.scoreboard.next_new().filter(|_| has_room)
    }

    /// Has the pacer let a packet through; says whether it did.
    fn pay(&mut self, now: Time, next: Transmission) -> bool {
        match self.pacer {
            Pacer::Off => true,
            Pacer::Credit(_) => self.pay_credit(next),
            Pacer::Gate(_) => self.pass_gate(now, next),
        }
    }

    fn pay_credit(&mut self, next: Transmission) -> bool {
        let free = self.is_free(next, 1);
        let Some(credit) = self.pacer.credit() else { return true };
        // A first packet may always leave: nothing in flight, so no ACK would ever bring it on.
        let first = next.kind == Kind::New && self.scoreboard.in_flight() == 0;
        if !credit.ready() && !first && !free {
            return false;
        }
        if !free {
            credit.spend();
        }
        true
    }

    fn pass_gate(&mut self, now: Time, next: Transmission) -> bool {
        let rate = self.pacing_rate();
        let burst = pacing::burst(rate, self.rtt.path_minimum(), self.cwnd);
        let price = if self.is_free(next, burst) { 0.0 } else { 1.0 / rate };
        let Pacer::Gate(gate) = &mut self.pacer else { return true };
        let passes = gate.is_open(now);
        if passes {
            gate.pass(now, burst, price);
        }
        passes
    }

    /// Whether a packet, as one of a `burst`, leaves without counting for the pacer.
    fn is_free(&self, next: Transmission, burst: u32) -> bool {
        next.kind == Kind::New
            && match self.settings.assumptions.initial_pacing {
                InitialPacing::FromFirstPacket => false,
                InitialPacing::FirstTenUnpaced => {
                    self.scoreboard.sent() + burst < pacing::UNPACED_SEGMENTS
                }
                InitialPacing::None => self.scoreboard.left_edge() == 0,
            }
    }

    /// Nothing more leaves for now.
    fn on_stopped(&mut self, now: Time) {
        if let Pacer::Gate(gate) = &mut self.pacer {
            gate.end_burst();
        }
        let since = std::mem::take(&mut self.since);
        self.arm_timers(now, since);
        self.tell_of_full_receiver();
        if self.settings.assumptions.window_validation == WindowValidation::Off {
            return;
        }
        let board = &self.scoreboard;
        let limited = f64::from(board.in_flight()) >= self.cwnd;
        if since.new || (limited && self.next_new().is_some()) {
            let (out, edge, sent) = (board.outstanding(), board.left_edge(), board.sent());
            self.usage.on_send_attempt(limited, out, edge, sent);
        }
    }

    /// Tells, the first time, that the receive window holds back what cwnd would allow.
    fn tell_of_full_receiver(&mut self) {
        let window = self.settings.receive_window.filter(|_| !self.told_of_full_receiver);
        let Some(segments) = window else { return };
        let has_more = self.scoreboard.next_new().is_some() && self.next_new().is_none();
        if has_more && f64::from(self.scoreboard.in_flight()) < self.cwnd {
            self.told_of_full_receiver = true;
            self.decisions.push(Decision::ReceiveWindowFull { segments, cwnd: self.cwnd });
        }
    }

    /// Takes one ACK: the scoreboard and the round-trip samples.
    fn take(&mut self, now: Time, ack: Ack, news: &mut News) {
        let rack = self.settings.assumptions.loss_feedback == LossFeedback::DuplicateAcks;
        // When the first and the last of the segments were sent that give an unambiguous sample.
        let (mut delivered, mut sent) = (0, None);
        let min_rtt = self.rtt.path_minimum();
        let in_order = self.scoreboard.left_edge()..ack.cumulative;
        for segment in in_order.chain(ack.sacked.0..ack.sacked.1) {
            let Some(delivery) = self.scoreboard.on_acked(segment) else { continue };
            delivered += 1;
            if rack {
                self.rack.on_delivered(delivery, now, min_rtt);
            }
            if !delivery.repeated {
                sent = Some((sent.map_or(delivery.sent, |(first, _)| first), delivery.sent));
            }
        }
        if delivered == 0 {
            return;
        }
        news.delivered += delivered;
        if let Some((first, last)) = sent.or(ack.echo.map(|echo| (echo, echo))) {
            let (edge, sent_up_to) = (self.scoreboard.left_edge(), self.scoreboard.sent());
            let rtt = |sent: Time| (now - sent).0 as f64 + self.bias;
            let longest = rtt(first);
            let latest = if last == first { longest } else { rtt(last) };
            self.rtt.sample(longest, edge, sent_up_to);
            news.sample = Some(latest);
        }
    }

    fn srtt_or_base(&self) -> f64 {
        self.rtt.srtt().unwrap_or(self.settings.base_rtt.0 as f64)
    }

    /// Packets a slot (Linux `tcp_update_pacing_rate`).
    fn pacing_rate(&self) -> f64 {
        let slots_per_rtt = self.srtt_or_base() / self.settings.slot.0 as f64;
        let window = match self.settings.assumptions.clock {
            Clock::Slots => self.cwnd,
            Clock::Continuous => self.cwnd.max(self.scoreboard.outstanding().into()),
        };
        pacing::factor(self.cwnd, self.ssthresh) * window / slots_per_rtt
    }

    /// The credit of a slot at the pacing rate, which is asked for more often than it changes; zero where
    /// no credit is kept.
    fn credit_rate(&mut self) -> i64 {
        if self.pacer.credit().is_none() {
            return 0;
        }
        let rests_on = [self.cwnd, self.ssthresh, self.srtt_or_base()];
        if self.credit_rate.0 != rests_on {
            self.credit_rate = (rests_on, pacing::credit(self.pacing_rate()));
        }
        self.credit_rate.1
    }

    fn after_loss(&self) -> f64 {
        match self.settings.assumptions.window_arithmetic {
            WindowArithmetic::Fractional => (BETA * self.cwnd).max(1.0),
            WindowArithmetic::Whole => (self.cwnd * WHOLE_BETA / 1024.0).floor().max(2.0),
        }
    }

    /// Both CUBICs remember the window a loss cuts.
    fn remember_loss(&mut self) {
        self.cubic.on_loss(self.cwnd);
        self.linux_cubic.on_loss(self.cwnd);
    }

    /// A loss cuts the window, unless one has been cut for and is being repaired.
    fn begin_repair(&mut self, segment: u32) {
        if self.repair.is_some() {
            return;
        }
        let before = self.cwnd;
        self.remember_loss();
        self.ssthresh = self.after_loss();
        self.toward_next = 0.0;
        self.tail = None;
        let window = match self.settings.assumptions.recovery {
            Recovery::ImmediateCut => {
                self.cwnd = self.ssthresh;
                Window::Frozen
            }
            Recovery::ProportionalRateReduction => Window::Reduced(Reduction::new(before)),
        };
        self.repair = Some(Repair { end: self.scoreboard.sent(), window });
        let cwnd = self.ssthresh;
        self.decisions.push(Decision::FastRetransmit { segment, cwnd_before: before, cwnd });
        self.exit_slow_start_at(ExitReason::Loss, cwnd);
    }

    /// Proportional rate reduction, while there is one.
    fn reduce(&mut self, delivered: u32, progress: bool) {
        if let Some(Repair { window: Window::Reduced(reduction), .. }) = &mut self.repair {
            let in_flight = self.scoreboard.in_flight();
            let cwnd = reduction.window(delivered, in_flight, self.ssthresh, progress);
            self.cwnd = cwnd.max(1.0);
        }
    }

    fn end_repair(&mut self) {
        let Some(repair) = self.repair else { return };
        if self.scoreboard.left_edge() < repair.end {
            return;
        }
        self.repair = None;
        if let Window::Reduced(_) = repair.window {
            self.cwnd = self.ssthresh;
        }
        self.decisions.push(Decision::RecoveryEnded { cwnd: self.cwnd });
    }

    /// Looks for losses in what the ACKs say; returns how many are new.
    fn detect_losses(&mut self, now: Time) -> u32 {
        if self.settings.assumptions.loss_feedback == LossFeedback::OneRoundTrip {
            return 0;
        }
        if self.repair.is_none() && self.scoreboard.sacked() == 0 {
            // Nothing sent later has arrived.
            self.timers.arm_reordering(None);
            return 0;
        }
        self.take_as_lost(now)
    }

    /// Takes as lost what was sent so long before something that arrived; returns how many segments.
    #[inline(never)] // Rarely called, from where every ACK passes.
    fn take_as_lost(&mut self, now: Time) -> u32 {
        let certain =
            self.repair.is_some() || self.scoreboard.sacked() >= rack::DUPLICATE_THRESHOLD;
        let allowance = if certain {
            Time::ZERO
        } else {
            Time::whole_nanos((self.rtt.path_minimum() / 4.0).min(self.srtt_or_base() / 8.0))
        };
        let (mut lost, mut first) = (0, None);
        let pending = loop {
            match self.rack.detect(&mut self.scoreboard, now, allowance) {
                Ok(segment) => {
                    first = first.or(Some(segment));
                    lost += 1;
                }
                Err(pending) => break pending,
            }
        };
        let granularity = self.settings.assumptions.timer_granularity;
        let wait = |at: Time| granularity.deadline(now, at.saturating_sub(now) + MIN_TIMEOUT);
        self.timers.arm_reordering(pending.map(wait));
        if let Some(segment) = first {
            self.begin_repair(segment);
        }
        lost
    }

    /// The window grows on `acked` segments, whose last round-trip sample was `sample`.
    fn grow(&mut self, now: Time, acked: u32, sample: Option<f64>) {
        if self.repair.is_some_and(|repair| repair.window != Window::Regrows) {
            return;
        }
        let a = self.settings.assumptions;
        let slow_start = self.cwnd < self.ssthresh;
        if slow_start && a.hystart_order == HyStartOrder::BeforeGrowth {
            self.look_at_delay(now, sample);
        }
        let validated = a.window_validation == WindowValidation::Off
            || self.usage.allows_growth(self.cwnd, slow_start);
        if acked == 0 || !validated {
            return;
        }
        let mut left = f64::from(acked);
        if self.cwnd < self.ssthresh {
            left = self.slow_start(acked);
            if a.hystart_order == HyStartOrder::AfterGrowth {
                self.look_at_delay(now, sample);
            }
        }
        if left > 0.0 {
            self.exit_slow_start(ExitReason::Threshold);
            self.avoid_congestion(now, left);
        }
    }

    /// Slow start adds one segment per segment acknowledged (RFC 5681 section 3.1); returns what is
    /// left for congestion avoidance.
    fn slow_start(&mut self, acked: u32) -> f64 {
        let added = if self.exit_variant() == SlowStartExit::HyStartPlusPlus {
            self.hystart_plus_plus.growth(acked)
        } else {
            f64::from(acked)
        };
        match self.settings.assumptions.window_arithmetic {
            WindowArithmetic::Fractional => {
                self.cwnd += added;
                0.0
            }
            WindowArithmetic::Whole => {
                self.toward_next += added;
                let whole = self.toward_next.floor();
                self.toward_next -= whole;
                let grown = (self.cwnd + whole).min(self.ssthresh);
                let left = self.cwnd + whole - grown;
                self.cwnd = grown;
                left
            }
        }
    }

    /// The window has reached its threshold (RFC 9438 section 4).
    fn avoid_congestion(&mut self, now: Time, acked: f64) {
        let a = &self.settings.assumptions;
        let sampled = self.rtt.minimum();
        let minimum = if sampled.is_finite() { sampled } else { self.srtt_or_base() };
        if a.congestion_avoidance == CongestionAvoidance::Rfc9438
            && a.window_arithmetic == WindowArithmetic::Fractional
        {
            for _ in 0..acked as u32 {
                self.cwnd += self.cubic.growth(now, self.cwnd, minimum);
            }
            return;
        }
        let count = match a.congestion_avoidance {
            CongestionAvoidance::Rfc9438 => 1.0 / self.cubic.growth(now, self.cwnd, minimum),
            CongestionAvoidance::Linux => {
                self.linux_cubic.count(now, self.cwnd, acked as u32, minimum)
            }
        };
        match a.window_arithmetic {
            WindowArithmetic::Fractional => self.cwnd += acked / count,
            WindowArithmetic::Whole => {
                // What had gathered toward a longer count is worth one segment at most.
                if self.toward_next >= count {
                    self.toward_next = 0.0;
                    self.cwnd += 1.0;
                }
                self.toward_next += acked;
                if self.toward_next >= count {
                    let added = (self.toward_next / count).floor();
                    self.toward_next -= added * count;
                    self.cwnd += added;
                }
            }
        }
    }

    fn exit_variant(&self) -> SlowStartExit {
        if self.settings.hystart {
            self.settings.assumptions.slow_start_exit
        } else {
            SlowStartExit::None
        }
    }

    /// HyStart's look at the ACKs of a slow start.
    fn look_at_delay(&mut self, now: Time, sample: Option<f64>) {
        let Some(sample) = sample else { return };
        let (left_edge, sent) = (self.scoreboard.left_edge(), self.scoreboard.sent());
        match self.exit_variant() {
            SlowStartExit::None => {}
            SlowStartExit::HyStart => {
                let minimum = self.rtt.minimum();
                if let Some(verdict) =
                    self.hystart.on_acks(now, left_edge, sent, self.cwnd, sample, minimum)
                {
                    self.ssthresh = self.cwnd;
                    self.exit_slow_start(self.reason(verdict));
                }
            }
            SlowStartExit::HyStartPlusPlus => {
                if let Some(turn) = self.hystart_plus_plus.on_acks(left_edge, sent, sample) {
                    self.on_turn(turn);
                }
            }
        }
    }

    fn on_turn(&mut self, turn: Turn) {
        let cwnd = self.cwnd;
        match turn {
            Turn::Doubt { round_minimum, minimum, threshold } => {
                self.decisions.push(Decision::ConservativeSlowStart {
                    round_minimum: self.measured(round_minimum),
                    minimum: self.measured(minimum),
                    threshold: Time::whole_nanos(threshold),
                    cwnd,
                });
            }
            Turn::Resume { round_minimum, baseline } => {
                let (round_minimum, baseline) =
                    (self.measured(round_minimum), self.measured(baseline));
                self.decisions.push(Decision::SlowStartResumed { round_minimum, baseline, cwnd });
            }
            Turn::End => {
                self.ssthresh = cwnd;
                let rounds = hystart_plus_plus::CONSERVATIVE_ROUNDS;
                self.exit_slow_start(ExitReason::ConservativeRounds { rounds });
            }
        }
    }

    /// How long the sender waits for an answer before it probes (RFC 8985 section 7.2).
    fn pto(&self) -> Time {
        let two_round_trips = Time::whole_nanos(2.0 * self.srtt_or_base());
        let lone = self.scoreboard.outstanding() == 1;
        match self.settings.assumptions.probe_timeout {
            ProbeTimeout::TwoRoundTrips => two_round_trips,
            _ if self.rtt.srtt().is_none() => UNSAMPLED_PTO,
            ProbeTimeout::LonePacketWaits if lone => two_round_trips + MIN_RTO,
            _ => two_round_trips + MIN_TIMEOUT,
        }
    }

    fn arm_timeout(&mut self, now: Time) {
        self.arm(now, None, Some(self.rto()));
    }

    /// Arms the timers for these waits, none where absent, and remembers them for the log: by the time
    /// they are over, another round-trip sample may have come.
    fn arm(&mut self, now: Time, pto: Option<Time>, rto: Option<Time>) {
        let granularity = self.settings.assumptions.timer_granularity;
        let deadline = |wait: Option<Time>| wait.map(|wait| granularity.deadline(now, wait));
        self.timers.arm(deadline(pto), deadline(rto));
        let sampled = self.rtt.srtt().is_some();
        self.pto = pto.map_or(self.pto, |time| Wait { time, sampled });
        self.rto = rto.map_or(self.rto, |time| Wait { time, sampled });
    }

    /// Whether a silent tail is worth a probe: not while losses are known or suspected.
    fn may_probe(&self) -> bool {
        self.settings.tail_loss_probe && self.repair.is_none() && self.scoreboard.sacked() == 0
    }

    /// Arms the timers for what has happened `since` they were last armed.
    fn arm_timers(&mut self, now: Time, since: Since) {
        let a = &self.settings.assumptions;
        if a.timer_restart == TimerRestart::Transmissions {
            if since.sent.is_some() {
                let probes = self.settings.tail_loss_probe && !self.probe_spent;
                self.arm(now, probes.then(|| self.pto()), Some(self.rto()));
            }
        } else if self.scoreboard.all_acked() {
            self.timers.stop();
        } else if since.urgent {
            self.arm_timeout(now);
        } else if (since.new || since.progress) && self.may_probe() {
            // Never later than the timeout, which progress restarts and new data does not.
            let (oldest, rto) = (self.scoreboard.first_sent().unwrap_or(now), self.rto());
            let left = (oldest + rto).saturating_sub(now);
            let rto = if since.new && left > Time::ZERO { left } else { rto };
            self.arm(now, Some(self.pto().min(rto)), None);
        } else if since.progress
            || (since.from_idle && since.new)
            || !self.timers.is_armed()
            || (since.new && self.timers.has_probe())
        {
            self.arm_timeout(now);
        }
    }

    /// The next probe: new data, where a probe costs nothing and there is some, else the last segment.
    fn probe(&self) -> Transmission {
        let new = match self.settings.assumptions.probe_cut {
            ProbeCut::AtOnce => None,
            ProbeCut::WhenPassed => self.next_new(),
        };
        match new {
            Some(segment) => Transmission { segment, kind: Kind::New },
            None => Transmission {
                segment: self.scoreboard.sent().saturating_sub(1),
                kind: Kind::Probe,
            },
        }
    }

    fn send_probe(&mut self) {
        let may = match self.settings.assumptions.probe_cut {
            ProbeCut::AtOnce => !self.probe_spent && self.scoreboard.all_sent(),
            ProbeCut::WhenPassed => {
                let idle = self.tail.is_none() && self.repair.is_none();
                // There is nothing to learn from a segment that has arrived.
                idle && (self.next_new().is_some() || !self.scoreboard.last_is_acked())
            }
        };
        if !may || self.scoreboard.all_acked() {
            return;
        }
        self.probe_waits = true;
        if let Some(credit) = self.pacer.credit() {
            credit.clear();
        }
        let (before, probe) = (self.cwnd, self.probe());
        match self.settings.assumptions.probe_cut {
            ProbeCut::AtOnce => {
                self.probe_spent = true;
                self.cwnd = self.after_loss();
            }
            ProbeCut::WhenPassed => {
                let repeats = probe.kind == Kind::Probe;
                let end = self.scoreboard.sent() + u32::from(!repeats);
                self.tail = Some(Tail { end, repeats });
            }
        }
        self.decisions.push(Decision::ProbeSent {
            segment: probe.segment,
            pto: self.pto.time,
            sampled: self.pto.sampled,
            cwnd_before: before,
            cwnd: self.cwnd,
        });
    }

    /// An ACK that reaches a probe settles it; one that passes a repeated segment shows that the first
    /// copy was lost, which costs window (RFC 8985 section 7.4).
    fn answer_probe(&mut self, news: bool) {
        let Some(tail) = self.tail else { return };
        let edge = self.scoreboard.left_edge();
        if edge < tail.end {
            return;
        }
        if tail.repeats && edge > tail.end && self.repair.is_none() {
            self.remember_loss();
            self.ssthresh = self.after_loss();
            self.cwnd = self.ssthresh;
        }
        if !tail.repeats || edge > tail.end || !news {
            self.tail = None;
        }
    }

    fn time_out(&mut self, now: Time) {
        let before = self.cwnd;
        let a = self.settings.assumptions;
        // A cut that is being repaired already is enough.
        let repairing = a.recovery == Recovery::ProportionalRateReduction && self.repair.is_some();
        if !repairing {
            self.remember_loss();
            self.ssthresh = self.after_loss().max(2.0);
        }
        self.cwnd = 1.0;
        self.toward_next = 0.0;
        self.repair = match a.recovery {
            Recovery::ImmediateCut => None,
            Recovery::ProportionalRateReduction => {
                Some(Repair { end: self.scoreboard.sent(), window: Window::Regrows })
            }
        };
        self.probe_waits = false;
        self.tail = None;
        self.scoreboard.lose_all();
        self.hystart.reset(now, self.scoreboard.sent());
        self.hystart_plus_plus.reset();
        if a.congestion_avoidance == CongestionAvoidance::Linux {
            self.linux_cubic.forget();
            self.rtt.forget_minimum();
        }
        if let Some(credit) = self.pacer.credit() {
            credit.clear();
        }
        self.decisions.push(Decision::Timeout {
            rto: self.rto.time,
            sampled: self.rto.sampled,
            cwnd_before: before,
            ssthresh: self.ssthresh,
        });
        self.exit_slow_start(ExitReason::Timeout);
        self.rtt.back_off();
        if a.timer_restart == TimerRestart::Acks {
            self.arm_timeout(now);
        }
    }

    /// How long the connection has been idle, if it was; `since_response` is the time since a response
    /// ended.
    fn idle_since(&self, now: Time, since_response: Option<Time>) -> Option<Time> {
        match self.settings.assumptions.idle_clock {
            IdleClock::LastByteDelivered => since_response,
            IdleClock::LastDataSent => self.last_sent.map(|sent| now.saturating_sub(sent)),
        }
    }

    fn after_idle(&mut self, idle: Time) {
        let rto = self.rto();
        let before = self.cwnd;
        let decays = self.settings.slow_start_after_idle;
        let (mut halvings, mut floor) = (0, before);
        if self.scoreboard.outstanding() > 0 {
            return;
        }
        self.linux_cubic.on_idle(idle);
        if decays {
            let initial = f64::from(self.settings.initial_window);
            let restart = idle_restart::after_idle(idle, rto, self.cwnd, self.ssthresh, initial);
            floor = restart.floor;
            self.cwnd = restart.cwnd;
            self.ssthresh = restart.ssthresh;
            halvings = restart.halvings;
        }
        self.decisions.push(Decision::IdleRestart {
            idle,
            rto,
            decays,
            halvings,
            floor,
            cwnd_before: before,
            cwnd: self.cwnd,
            ssthresh: self.ssthresh,
        });
    }

    fn exit_slow_start(&mut self, reason: ExitReason) {
        self.exit_slow_start_at(reason, self.cwnd);
    }

    fn exit_slow_start_at(&mut self, reason: ExitReason, cwnd: f64) {
        if !self.exited_slow_start {
            self.exited_slow_start = true;
            self.decisions.push(Decision::SlowStartEnded { reason, cwnd });
        }
    }

    /// HyStart's verdict for the log.
    fn reason(&self, verdict: Verdict) -> ExitReason {
        match verdict {
            Verdict::AckTrain { train, minimum } => {
                ExitReason::AckTrain { train, minimum: self.measured(minimum) }
            }
            Verdict::DelayIncrease { round_minimum, minimum, threshold } => {
                ExitReason::DelayIncrease {
                    round_minimum: self.measured(round_minimum),
                    minimum: self.measured(minimum),
                    threshold: Time::whole_nanos(threshold),
                }
            }
        }
    }

    /// A round-trip time for the log: what it was on the path, without the clock's bias.
    fn measured(&self, sample: f64) -> Time {
        Time::whole_nanos(sample - self.bias)
    }
}
