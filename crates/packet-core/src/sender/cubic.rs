//! CUBIC's window growth in congestion avoidance, with the Reno-friendly floor (RFC 9438 section 4).

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
}
