//! When to stop waiting: the tail loss probe (RFC 8985 section 7), the reordering timer (RFC 8985
//! section 6.3) and the retransmission timeout (RFC 6298 section 5).

use crate::assumptions::TimerGranularity;
use crate::units::Time;

/// A tick of the kernel's clock at 250 ticks a second.
pub const TICK: Time = Time::millis(4);
/// A timer closer than this many ticks is on the wheel's first level …
const FIRST_LEVEL: u64 = 63;
/// … and each further level is this many bits coarser and reaches as much further.
const LEVEL_BITS: u32 = 3;

impl TimerGranularity {
    /// A length of time as the timers count it.
    pub fn length(self, time: Time) -> Time {
        match self {
            TimerGranularity::Exact => time,
            TimerGranularity::KernelTicks => TICK.times(time.0.div_ceil(TICK.0)),
        }
    }

    /// When a timer goes off that is set at `now` for `timeout` (`calc_index` in the kernel's
    /// `timer.c`): never early, so at the step after the one the deadline falls into.
    pub fn deadline(self, now: Time, timeout: Time) -> Time {
        match self {
            TimerGranularity::Exact => now + timeout,
            TimerGranularity::KernelTicks => {
                let ticks = timeout.0.div_ceil(TICK.0);
                let (mut bits, mut reach) = (0, FIRST_LEVEL);
                while ticks >= reach {
                    bits += LEVEL_BITS;
                    reach <<= LEVEL_BITS;
                }
                let steps = ((now.0 / TICK.0 + ticks) >> bits) + 1;
                TICK.times(steps << bits)
            }
        }
    }
}

/// What a timer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Send something to provoke an answer, and wait.
    Probe,
    /// What waited only for reordering to be ruled out is lost.
    Reordering,
    /// Take everything unacknowledged as lost.
    Timeout,
}

/// The deadlines of the timers.
#[derive(Clone, Debug)]
pub struct Timers {
    probe: Time,
    reordering: Time,
    timeout: Time,
}

impl Default for Timers {
    fn default() -> Self {
        Timers { probe: Time::NEVER, reordering: Time::NEVER, timeout: Time::NEVER }
    }
}

impl Timers {
    /// Sets the probe and the timeout; none where absent.
    pub fn arm(&mut self, probe: Option<Time>, timeout: Option<Time>) {
        self.probe = probe.unwrap_or(Time::NEVER);
        self.timeout = timeout.unwrap_or(Time::NEVER);
    }

    /// Sets the reordering timer, or stops it.
    pub fn arm_reordering(&mut self, at: Option<Time>) {
        self.reordering = at.unwrap_or(Time::NEVER);
    }

    /// Whether a probe is due some time.
    pub fn has_probe(&self) -> bool {
        self.probe != Time::NEVER
    }

    /// Whether anything will ever end the wait for an answer.
    pub fn is_armed(&self) -> bool {
        self.probe.min(self.timeout) != Time::NEVER
    }

    /// Stops all: nothing is outstanding.
    pub fn stop(&mut self) {
        *self = Timers::default();
    }

    /// The next deadline.
    pub fn next(&self) -> Time {
        self.probe.min(self.timeout).min(self.reordering)
    }

    /// The timer that has run out by `now`, the timeout first; it is stopped.
    pub fn expired(&mut self, now: Time) -> Option<Expiry> {
        if self.timeout <= now {
            self.stop();
            Some(Expiry::Timeout)
        } else if self.reordering <= now {
            self.reordering = Time::NEVER;
            Some(Expiry::Reordering)
        } else if self.probe <= now {
            self.probe = Time::NEVER;
            Some(Expiry::Probe)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probe_comes_first_and_once() {
        let mut timers = Timers::default();
        timers.arm(Some(Time::millis(50)), Some(Time::millis(210)));
        assert_eq!(timers.next(), Time::millis(50));
        assert_eq!(timers.expired(Time::millis(49)), None);
        assert_eq!(timers.expired(Time::millis(50)), Some(Expiry::Probe));
        assert_eq!(timers.next(), Time::millis(210));
        assert_eq!(timers.expired(Time::millis(210)), Some(Expiry::Timeout));
        assert_eq!(timers.next(), Time::NEVER);
    }

    #[test]
    fn the_probe_never_comes_after_the_timeout() {
        let mut timers = Timers::default();
        timers.arm(Some(Time::millis(600)), Some(Time::millis(300)));
        assert_eq!(timers.expired(Time::millis(600)), Some(Expiry::Timeout));
        assert_eq!(timers.next(), Time::NEVER);
    }

    #[test]
    fn kernel_timers_land_on_the_tick_after_the_deadline() {
        let kernel = TimerGranularity::KernelTicks;
        assert_eq!(kernel.deadline(Time::millis(21), Time::millis(224)), Time::millis(248));
        assert_eq!(kernel.deadline(Time::millis(20), Time::micros(42_500)), Time::millis(68));
        assert_eq!(kernel.length(Time::micros(280_100)), Time::millis(284));
    }

    #[test]
    fn long_kernel_timers_land_on_steps_of_32_ms() {
        let kernel = TimerGranularity::KernelTicks;
        let at = kernel.deadline(Time::millis(242), Time::millis(284));
        assert_eq!(at, Time::millis(544));
        assert_eq!(at.0 % Time::millis(32).0, 0);
    }
}
