//! CUBIC's window growth in congestion avoidance, with the Reno-friendly floor (RFC 9438 section 4).
//!
//! [`Cubic`] follows the RFC; [`LinuxCubic`] adds what `bictcp_update` in Linux's `tcp_cubic.c` does
//! differently.

use crate::units::Time;

/// CUBIC's constant C, segments per cubic second (RFC 9438 section 5.1).
const C: f64 = 0.4;
/// Above the target the window grows by one per this many windows acknowledged.
const BEYOND_TARGET: f64 = 100.0;
/// The window grows by at most one per this many segments acknowledged.
const MIN_COUNT: f64 = 2.0;

/// The window CUBIC remembers and the curve back to it.
#[derive(Clone, Debug, Default)]
pub struct Cubic {
    w_max: f64,
    epoch: Option<Epoch>,
}

#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: Time,
    origin: f64,
    k: f64,
}

impl Cubic {
    /// A loss cut the window from `cwnd`: remembers it and begins a new curve.
    pub fn on_loss(&mut self, cwnd: f64) {
        self.w_max = cwnd;
        self.epoch = None;
    }

    /// How much one acknowledged segment adds to `cwnd` segments: the larger of what Reno would add
    /// and what the cubic curve asks for. `min_rtt` in nanoseconds.
    pub fn growth(&mut self, now: Time, cwnd: f64, min_rtt: f64) -> f64 {
        let w_max = self.w_max;
        let epoch = self.epoch.get_or_insert_with(|| {
            if w_max > cwnd {
                let k = libm::cbrt((w_max - cwnd) / C);
                Epoch { start: now, origin: w_max, k }
            } else {
                Epoch { start: now, origin: cwnd, k: 0.0 }
            }
        });
        let x = ((now - epoch.start).0 as f64 + min_rtt) / 1e9 - epoch.k;
        let target = epoch.origin + C * x * x * x;
        let count = if target > cwnd { cwnd / (target - cwnd) } else { BEYOND_TARGET * cwnd };
        (1.0 / cwnd).max(1.0 / count.max(MIN_COUNT))
    }
}

/// While no loss is remembered the window grows by at least one per this many segments.
const NO_LOSS_COUNT: f64 = 20.0;
/// Fast convergence leaves this much of a window that was cut below the last maximum: (1 + beta)/2.
const CONVERGENCE: f64 = (1024.0 + 717.0) / 2048.0;
/// Reno adds one segment per this many eighths of a window, at CUBIC's beta.
const RENO_EIGHTHS: f64 = 15.0;
/// The count is worked out again when the window has changed, or after this long.
const UPDATE_INTERVAL: Time = Time::micros(31_250);

/// CUBIC as Linux has it: growth as a whole number of acknowledged segments per segment added.
#[derive(Clone, Debug, Default)]
pub struct LinuxCubic {
    w_max: f64,
    epoch: Option<LinuxEpoch>,
    updated: Option<(Time, f64)>,
    count: f64,
}

#[derive(Clone, Copy, Debug)]
struct LinuxEpoch {
    curve: Epoch,
    acked: f64,
    reno: f64,
}

impl LinuxCubic {
    /// A loss cuts the window from `cwnd`. A flow that did not get back to its maximum gives way.
    pub fn on_loss(&mut self, cwnd: f64) {
        self.w_max = if cwnd < self.w_max { (cwnd * CONVERGENCE).floor() } else { cwnd };
        self.epoch = None;
    }

    /// A timeout: all is forgotten.
    pub fn forget(&mut self) {
        *self = LinuxCubic::default();
    }

    /// The connection was idle this long, which the curve does not count.
    pub fn on_idle(&mut self, idle: Time) {
        if let Some(epoch) = &mut self.epoch {
            epoch.curve.start += idle;
        }
    }

    /// Segments to acknowledge per segment added to `cwnd`, after `acked` more; `min_rtt` in nanoseconds.
    pub fn count(&mut self, now: Time, cwnd: f64, acked: u32, min_rtt: f64) -> f64 {
        let w_max = self.w_max;
        let acked = f64::from(acked);
        if let Some(epoch) = &mut self.epoch {
            epoch.acked += acked;
            let same = |(at, window)| window == cwnd && now - at <= UPDATE_INTERVAL;
            if self.updated.is_some_and(same) {
                return self.count;
            }
        }
        self.updated = Some((now, cwnd));
        let epoch = self.epoch.get_or_insert_with(|| {
            let (origin, k) =
                if w_max > cwnd { (w_max, libm::cbrt((w_max - cwnd) / C)) } else { (cwnd, 0.0) };
            LinuxEpoch { curve: Epoch { start: now, origin, k }, acked, reno: cwnd }
        });
        let x = (now.saturating_sub(epoch.curve.start).0 as f64 + min_rtt) / 1e9 - epoch.curve.k;
        let target = (epoch.curve.origin + C * x * x * x).floor();
        let mut count =
            if target > cwnd { (cwnd / (target - cwnd)).floor() } else { BEYOND_TARGET * cwnd };
        if w_max == 0.0 {
            count = count.min(NO_LOSS_COUNT);
        }
        let per_reno = (cwnd * RENO_EIGHTHS / 8.0).floor().max(1.0);
        while epoch.acked > per_reno {
            epoch.acked -= per_reno;
            epoch.reno += 1.0;
        }
        if epoch.reno > cwnd {
            count = count.min((cwnd / (epoch.reno - cwnd)).floor());
        }
        self.count = count.max(MIN_COUNT);
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Acknowledges a window every 80 ms for a `time` and returns the window at the end.
    fn grow(cubic: &mut Cubic, mut cwnd: f64, time: Time) -> f64 {
        let mut now = Time::secs(10);
        let end = now + time;
        while now < end {
            for _ in 0..cwnd as u32 {
                cwnd += cubic.growth(now, cwnd, 80e6);
            }
            now += Time::millis(80);
        }
        cwnd
    }

    #[test]
    fn it_is_back_at_the_old_window_after_k_seconds_or_a_little_sooner() {
        let mut cubic = Cubic::default();
        cubic.on_loss(1_000.0);
        let k = libm::cbrt(300.0 / C);
        let cwnd = grow(&mut cubic, 700.0, Time((k * 1e9) as u64));
        // Where the curve is flat, Reno's one segment a round trip is the faster of the two.
        assert!((1_000.0..1_050.0).contains(&cwnd), "{cwnd}");
    }

    #[test]
    fn it_never_grows_slower_than_reno() {
        let mut cubic = Cubic::default();
        cubic.on_loss(20.0);
        assert_eq!(cubic.growth(Time::secs(1), 14.0, 20e6), 1.0 / 14.0);
    }

    #[test]
    fn it_never_adds_more_than_one_per_two_acks() {
        let mut cubic = Cubic::default();
        cubic.growth(Time::secs(1), 10.0, 80e6);
        assert_eq!(cubic.growth(Time::secs(60), 10.0, 80e6), 0.5);
    }

    #[test]
    fn linux_grows_by_one_per_twenty_while_no_loss_is_known() {
        let mut cubic = LinuxCubic::default();
        assert_eq!(cubic.count(Time::secs(1), 976.0, 1, 80e6), 20.0);
        cubic.on_loss(2_000.0);
        assert!(cubic.count(Time::secs(1), 1_400.0, 1, 80e6) > 20.0);
        cubic.forget();
        assert_eq!(cubic.count(Time::secs(9), 976.0, 1, 80e6), 20.0);
    }

    #[test]
    fn linux_gives_way_after_a_loss_below_the_maximum() {
        let mut cubic = LinuxCubic::default();
        cubic.on_loss(1_000.0);
        assert_eq!(cubic.w_max, 1_000.0);
        cubic.on_loss(800.0);
        assert_eq!(cubic.w_max, 680.0);
    }

    #[test]
    fn linux_is_no_slower_than_reno() {
        let mut cubic = LinuxCubic::default();
        cubic.on_loss(14.0);
        let mut now = Time::secs(1);
        let mut count = 0.0;
        for _ in 0..30 {
            count = cubic.count(now, 14.0, 1, 20e6);
            now += Time::millis(40);
        }
        assert_eq!(count, 14.0);
    }
}
