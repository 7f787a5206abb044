//! When to stop waiting: the tail loss probe (RFC 8985 section 7) and the retransmission timeout
//! (RFC 6298 section 5).
//!
//! Both are armed at every transmission; no ACK restarts them.

use crate::units::Time;

/// What a timer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Send the last segment again and wait.
    Probe,
    /// Take everything unacknowledged as lost.
    Timeout,
}

/// The deadlines of both timers.
#[derive(Clone, Debug)]
pub struct Timers {
    probe: Time,
    timeout: Time,
}

impl Default for Timers {
    fn default() -> Self {
        Timers { probe: Time::NEVER, timeout: Time::NEVER }
    }
}

impl Timers {
    /// Arms both at a transmission; no probe where `probe` is absent.
    pub fn arm(&mut self, now: Time, probe: Option<Time>, rto: Time) {
        self.probe = probe.map_or(Time::NEVER, |pto| now + pto);
        self.timeout = now + rto;
    }

    /// Stops both: nothing is outstanding.
    pub fn stop(&mut self) {
        *self = Timers::default();
    }

    /// The next deadline.
    pub fn next(&self) -> Time {
        self.probe.min(self.timeout)
    }

    /// The timer that has run out by `now`, the timeout first; it is stopped.
    pub fn expired(&mut self, now: Time) -> Option<Expiry> {
        if self.timeout <= now {
            self.stop();
            Some(Expiry::Timeout)
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
        timers.arm(Time::millis(10), Some(Time::millis(40)), Time::millis(200));
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
        timers.arm(Time::ZERO, Some(Time::millis(600)), Time::millis(300));
        assert_eq!(timers.expired(Time::millis(600)), Some(Expiry::Timeout));
        assert_eq!(timers.next(), Time::NEVER);
    }
}
