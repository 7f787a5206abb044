//! The sender's state machine.
//!
//! It learns of the path only through ACKs, loss notices and timers, and `now` is always an argument,
//! so it can be driven without a path. One file a concept:
//!
//! | file | what it decides | source |
//! |---|---|---|
//! | `scoreboard` | what is in flight, lost, acknowledged | RFC 6675 |
//! | `rtt` | srtt, rttvar, RTO | RFC 6298 |
//! | `timers` | when to probe and when to give up waiting | RFC 8985, RFC 6298 |
//! | `hystart` | when to end slow start | Linux `tcp_cubic.c` |
//! | `cubic` | how to grow in congestion avoidance | RFC 9438 |
//! | `idle_restart` | what an idle connection keeps | RFC 2861 |
//! | `pacing` | when a packet may leave | Linux `tcp_pacing_*` |

mod cubic;
pub mod hystart;
pub mod idle_restart;
mod pacing;
mod rtt;
mod scoreboard;
mod timers;

use crate::assumptions::Assumptions;
use crate::slow_start::decision::{Decision, ExitReason};
use crate::units::Time;
use cubic::Cubic;
use hystart::{HyStart, Verdict};
use pacing::Pacer;
use rtt::RttEstimator;
use scoreboard::Scoreboard;
use timers::{Expiry, Timers};

/// What a sender is configured with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Initial window, in segments.
    pub initial_window: u32,
    /// The path's base round-trip time: what pacing and the probe go by before a sample.
    pub base_rtt: Time,
    /// Length of a slot of the sender's clock.
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

/// Tells the sender that one segment was delivered.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// The segment.
    pub segment: u32,
    /// When the copy that was delivered had been sent (the timestamp echo of RFC 7323).
    pub echo: Time,
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

/// The sending half of one connection.
#[derive(Clone, Debug)]
pub struct Sender {
    settings: Settings,
    scoreboard: Scoreboard,
    rtt: RttEstimator,
    timers: Timers,
    hystart: HyStart,
    cubic: Cubic,
    pacer: Pacer,
    cwnd: f64,
    ssthresh: f64,
    peak_cwnd: f64,
    /// In recovery until everything below this is acknowledged.
    recovery: Option<u32>,
    probe_waits: bool,
    probe_spent: bool,
    exited_slow_start: bool,
    decisions: Vec<Decision>,
}

impl Sender {
    /// A sender that has sent nothing yet.
    pub fn new(settings: Settings) -> Sender {
        let cwnd = f64::from(settings.initial_window);
        Sender {
            scoreboard: Scoreboard::default(),
            rtt: RttEstimator::default(),
            timers: Timers::default(),
            hystart: HyStart::default(),
            cubic: Cubic::default(),
            pacer: Pacer::new(settings.assumptions.idle_credit),
            cwnd,
            ssthresh: f64::INFINITY,
            peak_cwnd: cwnd,
            recovery: None,
            probe_waits: false,
            probe_spent: false,
            exited_slow_start: false,
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

    /// The retransmission timeout in force.
    pub fn rto(&self) -> Time {
        self.rtt.rto(&self.settings.assumptions)
    }

    /// Smoothed round-trip time in nanoseconds, once there is a sample.
    pub fn srtt(&self) -> Option<f64> {
        self.rtt.srtt()
    }

    /// What has been decided since the last call.
    pub fn take_decisions(&mut self) -> std::vec::Drain<'_, Decision> {
        self.decisions.drain(..)
    }

    /// The application queues the segments of a response; `idle` is the time since the last one ended.
    pub fn write(&mut self, now: Time, segments: u32, idle: Option<Time>) {
        if let Some(idle) = idle {
            self.after_idle(idle);
            self.pacer.restart(self.slot(now));
        } else {
            self.hystart.start_round(now, 0);
        }
        self.probe_spent = false;
        self.scoreboard.write(segments);
    }

    /// Takes everything outstanding as acknowledged without looking at the ACKs: the response is over.
    pub fn forget_outstanding(&mut self) {
        self.scoreboard.ack_all();
        self.timers.stop();
        self.recovery = None;
        self.probe_waits = false;
    }

    /// When the sender next has something to do by itself: a timer, or credit for a packet.
    pub fn wake_at(&mut self) -> Time {
        let timer = self.timers.next();
        if self.held_by_pacer() {
            let slot = self.pacer.ready_slot(self.pacing_rate()) as u64;
            timer.min(self.settings.slot.times(slot))
        } else {
            timer
        }
    }

    /// Time has come to `now`: works out the quiet slots before it.
    pub fn catch_up(&mut self, now: Time) {
        if self.pacer.catch_up(self.slot(now), self.pacing_rate()) {
            self.peak_cwnd = self.peak_cwnd.max(self.cwnd);
        }
    }

    /// The transmission of `segment` at `sent` was lost.
    pub fn on_loss(&mut self, segment: u32, sent: Time) {
        if !self.scoreboard.on_lost(segment, sent) {
            return;
        }
        self.pacer.forfeit();
        if self.recovery.is_some() {
            return;
        }
        let before = self.cwnd;
        self.cubic.on_loss(before);
        self.ssthresh = self.after_loss();
        self.cwnd = self.ssthresh;
        self.recovery = Some(self.scoreboard.sent());
        self.decisions.push(Decision::FastRetransmit {
            segment,
            cwnd_before: before,
            cwnd: self.cwnd,
        });
        self.exit_slow_start(ExitReason::Loss);
    }

    /// Runs the timer that has expired by `now`, if any.
    pub fn on_timer(&mut self, now: Time) {
        match self.timers.expired(now) {
            Some(Expiry::Probe) => self.send_probe(),
            Some(Expiry::Timeout) => self.time_out(now),
            None => {}
        }
    }

    /// The credit of the slot `now` falls into accrues.
    pub fn accrue(&mut self, now: Time) {
        self.pacer.accrue(self.slot(now), self.pacing_rate());
        self.peak_cwnd = self.peak_cwnd.max(self.cwnd);
    }

    /// ACKs that came in one slot.
    pub fn on_acks(&mut self, now: Time, acks: &[Ack]) {
        let slot = self.settings.slot.0 as f64;
        let bias = self.settings.assumptions.rtt_sample_bias * slot;
        let mut acked = 0;
        let mut sample = 0.0;
        for ack in acks {
            if self.scoreboard.on_acked(ack.segment) {
                sample = (now - ack.echo).0 as f64 + bias;
                self.rtt.sample(sample);
                acked += 1;
            }
        }
        if acked > 0 {
            self.end_recovery();
            self.grow(now, acked, sample);
        }
        if self.scoreboard.all_acked() {
            self.timers.stop();
        }
    }

    /// Lets one packet go, if window and pacer allow it now.
    pub fn transmit(&mut self, now: Time) -> Option<Transmission> {
        let next = self.next_transmission();
        self.pacer.set_blocked(next.is_none());
        let next = next?;
        // A first packet may always leave: nothing in flight, so no ACK would ever bring it on.
        let first = next.kind == Kind::New && self.scoreboard.in_flight() == 0;
        if !self.pacer.ready() && !first {
            return None;
        }
        self.pacer.spend();
        self.scoreboard.on_sent(next.segment, now);
        if next.kind == Kind::Probe {
            self.probe_waits = false;
        }
        let probe = (self.settings.tail_loss_probe && !self.probe_spent)
            .then(|| Time((2.0 * self.srtt_or_base()) as u64));
        self.timers.arm(now, probe, self.rto());
        Some(next)
    }

    fn next_transmission(&mut self) -> Option<Transmission> {
        if self.probe_waits {
            let segment = self.scoreboard.sent() - 1;
            return Some(Transmission { segment, kind: Kind::Probe });
        }
        if f64::from(self.scoreboard.in_flight()) >= self.cwnd {
            return None;
        }
        if let Some(segment) = self.scoreboard.next_lost() {
            return Some(Transmission { segment, kind: Kind::Retransmission });
        }
        let segment = self.scoreboard.next_new()?;
        Some(Transmission { segment, kind: Kind::New })
    }

    fn held_by_pacer(&mut self) -> bool {
        self.next_transmission().is_some()
    }

    fn slot(&self, now: Time) -> i64 {
        (now.0 / self.settings.slot.0) as i64
    }

    fn srtt_or_base(&self) -> f64 {
        self.rtt.srtt().unwrap_or(self.settings.base_rtt.0 as f64)
    }

    /// Packets a slot (Linux `tcp_update_pacing_rate`).
    fn pacing_rate(&self) -> f64 {
        let a = &self.settings.assumptions;
        let factor =
            if self.cwnd < self.ssthresh / 2.0 { a.pacing_slow_start } else { a.pacing_avoidance };
        let slots_per_rtt = self.srtt_or_base() / self.settings.slot.0 as f64;
        factor * self.cwnd / slots_per_rtt
    }

    fn after_loss(&self) -> f64 {
        (self.settings.assumptions.beta * self.cwnd).max(1.0)
    }

    /// Slow start adds one segment per segment acknowledged (RFC 5681 section 3.1).
    fn grow(&mut self, now: Time, acked: u32, sample: f64) {
        if self.recovery.is_some() {
            return;
        }
        let minimum = self.rtt.minimum();
        if self.cwnd >= self.ssthresh {
            self.exit_slow_start(ExitReason::Threshold);
            for _ in 0..acked {
                self.cwnd += self.cubic.growth(now, self.cwnd, minimum);
            }
            return;
        }
        self.cwnd += f64::from(acked);
        if !self.settings.hystart {
            return;
        }
        let (left_edge, sent) = (self.scoreboard.left_edge(), self.scoreboard.sent());
        let verdict = self.hystart.on_acks(now, left_edge, sent, self.cwnd, sample, minimum);
        if let Some(verdict) = verdict {
            self.ssthresh = self.cwnd;
            self.exit_slow_start(match verdict {
                Verdict::AckTrain { train, minimum } => {
                    ExitReason::AckTrain { train, minimum: Time(minimum as u64) }
                }
                Verdict::DelayIncrease { round_minimum, minimum, threshold } => {
                    ExitReason::DelayIncrease {
                        round_minimum: Time(round_minimum as u64),
                        minimum: Time(minimum as u64),
                        threshold: Time(threshold as u64),
                    }
                }
            });
        }
    }

    fn end_recovery(&mut self) {
        if self.recovery.is_some_and(|end| self.scoreboard.left_edge() >= end) {
            self.recovery = None;
            self.decisions.push(Decision::RecoveryEnded { cwnd: self.cwnd });
        }
    }

    fn send_probe(&mut self) {
        if self.probe_spent || !self.scoreboard.all_sent() {
            return;
        }
        self.probe_spent = true;
        self.probe_waits = true;
        self.pacer.clear();
        let before = self.cwnd;
        self.cwnd = self.after_loss();
        self.decisions.push(Decision::ProbeSent {
            segment: self.scoreboard.sent() - 1,
            pto: Time((2.0 * self.srtt_or_base()) as u64),
            sampled: self.rtt.srtt().is_some(),
            cwnd_before: before,
            cwnd: self.cwnd,
        });
    }

    fn time_out(&mut self, now: Time) {
        let before = self.cwnd;
        let rto = self.rto();
        self.cubic.on_loss(before);
        self.ssthresh = self.after_loss().max(2.0);
        self.cwnd = 1.0;
        self.recovery = None;
        self.probe_waits = false;
        self.scoreboard.lose_all();
        self.hystart.reset(now, self.scoreboard.sent());
        self.pacer.clear();
        self.decisions.push(Decision::Timeout {
            rto,
            sampled: self.rtt.srtt().is_some(),
            cwnd_before: before,
            ssthresh: self.ssthresh,
        });
        self.exit_slow_start(ExitReason::Timeout);
        self.rtt.back_off();
    }

    fn after_idle(&mut self, idle: Time) {
        let rto = self.rto();
        let before = self.cwnd;
        let decays = self.settings.slow_start_after_idle;
        let mut halvings = 0;
        if decays {
            let initial = f64::from(self.settings.initial_window);
            let restart = idle_restart::after_idle(idle, rto, self.cwnd, self.ssthresh, initial);
            self.cwnd = restart.cwnd;
            self.ssthresh = restart.ssthresh;
            halvings = restart.halvings;
        }
        self.decisions.push(Decision::IdleRestart {
            idle,
            rto,
            decays,
            halvings,
            cwnd_before: before,
            cwnd: self.cwnd,
            ssthresh: self.ssthresh,
        });
    }

    fn exit_slow_start(&mut self, reason: ExitReason) {
        if !self.exited_slow_start {
            self.exited_slow_start = true;
            self.decisions.push(Decision::SlowStartEnded { reason, cwnd: self.cwnd });
        }
    }
}
