//! What follows from the figures of a socket taken together.

use crate::printed::UNSCALED_WINDOW;
use crate::reading::{Reading, percent, rate_of, segments, show_bytes, show_time};
use crate::socket::{Info, Socket, USUAL_INITIAL_WINDOW};
use packet_core::sender::idle_restart;
use packet_core::units::{Time, Unit, grouped};

/// The derived figures, as far as their ingredients were printed.
pub(crate) fn readings(socket: &Socket) -> Vec<Reading> {
    if socket.is_listening() {
        let meaning = "It waits for connections: its window is that of none. Look at the sockets it has accepted.";
        return vec![Reading::text("phase", "listening", meaning.to_owned()).derived()];
    }
    let each: &[fn(&Info) -> Option<Reading>] = &[
        phase,
        doublings,
        standing_queue,
        window_ceiling,
        scaling_ceiling,
        fill,
        idle,
        retransmitted,
    ];
    each.iter().filter_map(|reading| Some(reading(&socket.info)?.derived())).collect()
}

/// `ss` leaves the threshold out until it is below 65,535 segments.
fn phase(info: &Info) -> Option<Reading> {
    let cwnd = info.cwnd?;
    let (value, meaning) = match info.finite_ssthresh() {
        None if info.congestion_control.is_some_and(|name| name.starts_with("bbr")) => (
            "starting",
            format!(
                "No ssthresh: the start-up phase has not ended, and the window of {} still grows by its own rules, not by slow start.",
                segments(cwnd)
            ),
        ),
        None => (
            "in slow start",
            format!(
                "No ssthresh: nothing has ended slow start yet, and a full window of {} doubles each round trip.",
                segments(cwnd)
            ),
        ),
        Some(threshold) if cwnd < threshold => (
            "in slow start again",
            format!(
                "At {} the window is below its threshold of {}: after a timeout or a silence it doubles again up to there.",
                segments(cwnd),
                grouped(threshold as f64)
            ),
        ),
        Some(threshold) => (
            "past slow start",
            format!(
                "Slow start has ended, at a threshold of {}; the window of {} grows slowly now.",
                grouped(threshold as f64),
                grouped(cwnd as f64)
            ),
        ),
    };
    Some(Reading::text("phase", value, meaning))
}

/// How far the window has grown, beside how far the acknowledged data could have taken it.
fn doublings(info: &Info) -> Option<Reading> {
    let (cwnd, mss) = (info.cwnd?, info.mss.filter(|mss| *mss > 0)?);
    let acked = info.bytes_acked? / mss;
    let n = (cwnd / USUAL_INITIAL_WINDOW).checked_ilog2().unwrap_or(0);
    let possible = acked.saturating_add(USUAL_INITIAL_WINDOW);
    let plural = if n == 1 { "" } else { "s" };
    let grown = format!(
        "From a usual initial window of {USUAL_INITIAL_WINDOW} to cwnd {} it is {n} doubling{plural}",
        grouped(cwnd as f64)
    );
    let meaning = if info.finite_ssthresh().is_some() {
        format!("{grown}; {} have been acknowledged in all.", segments(acked))
    } else if cwnd.saturating_mul(2) < possible {
        format!(
            "{grown}. Each segment acknowledged in slow start adds one: {} could have made {}. So it was not full most of the time, or lost its growth in a silence.",
            segments(acked),
            grouped(possible as f64)
        )
    } else {
        format!(
            "{grown}. Each segment acknowledged in slow start adds one: {} make {} of a window that is always full.",
            segments(acked),
            grouped(possible as f64)
        )
    };
    Some(Reading::figure("doublings", f64::from(n), Unit::Ratio, format!("{n}"), meaning))
}

/// The delay above the path's own.
fn standing_queue(info: &Info) -> Option<Reading> {
    let ((rtt, _), min) = (info.rtt?, info.min_rtt.filter(|min| *min > Time::ZERO)?);
    let queue = rtt.saturating_sub(min);
    if !info.has_queue()? {
        let meaning = format!(
            "The average round trip is {} above the quickest: no queue to speak of.",
            show_time(queue)
        );
        return Some(Reading::time("standing queue", queue, meaning));
    }
    let held = info.delivery_rate.filter(|rate| rate.0 > 0).map(|rate| {
        format!(
            " At {rate} that is a queue of {}.",
            show_bytes(rate.bytes_in(queue).round() as u64)
        )
    });
    let meaning = format!(
        "{} of the average {} are no distance but waiting: the queue that stands on the path now, mostly by this sender's own window, or an ACK held back.{}",
        show_time(queue),
        show_time(rtt),
        held.unwrap_or_default()
    );
    Some(Reading::time("standing queue", queue, meaning))
}

/// Above this part of the ceiling, the window is what limits.
const AT_CEILING: f64 = 0.8;

/// One window in each round trip is as fast as it gets.
fn window_ceiling(info: &Info) -> Option<Reading> {
    let (window, rtt) = (info.window_bytes()?, info.base_rtt()?);
    let ceiling = rate_of(window, rtt)?;
    let mut meaning = format!(
        "{} x {} bytes in each {}: with this window, {ceiling} is the most there can be.",
        grouped(info.cwnd? as f64),
        grouped(info.mss? as f64),
        show_time(rtt)
    );
    if let Some(delivered) = info.delivery_rate {
        let part = percent(delivered.0 as f64, ceiling.0 as f64);
        meaning += &if delivered.0 as f64 >= AT_CEILING * ceiling.0 as f64 {
            format!(
                " {delivered} are delivered, {part} of it: the window is the limit, not the link."
            )
        } else if info.app_limited {
            format!(" {delivered} are delivered, {part} of it: the application is the limit.")
        } else {
            format!(" {delivered} are delivered, {part} of it: the window is not the limit.")
        };
    }
    Some(Reading::rate("window ceiling", ceiling, meaning))
}

/// Where the peer's window cannot be scaled, that is a ceiling of its own.
fn scaling_ceiling(info: &Info) -> Option<Reading> {
    let why = match info.window_scale {
        Some((0, 0)) => "wscale:0,0 adds nothing to the header's 16 bits",
        Some((0, _)) => "the peer's shift is 0, which adds nothing to the header's 16 bits",
        Some(_) => return None,
        // wscale stands behind the congestion control's name: with that, the line's beginning is there.
        None if info.congestion_control.is_some() && info.rtt.is_some() => {
            "no wscale in the line, so window scaling was not agreed on"
        }
        None => return None,
    };
    let rtt = info.base_rtt()?;
    let ceiling = rate_of(UNSCALED_WINDOW as f64, rtt)?;
    let meaning = format!(
        "At most 65,535 bytes can be in flight ({why}): 65,535 bytes in each {} make {ceiling}, whatever the link and the buffers.",
        show_time(rtt)
    );
    Some(Reading::rate("ceiling without scaling", ceiling, meaning))
}

/// The window beside what fills the path.
fn fill(info: &Info) -> Option<Reading> {
    let (window, rtt) = (info.window_bytes()?, info.min_rtt.filter(|min| *min > Time::ZERO)?);
    let rate = info.delivery_rate.filter(|rate| rate.0 > 0)?;
    let bdp = rate.bytes_in(rtt);
    let ratio = window / bdp;
    let shown = Unit::Ratio.figure(ratio);
    let product = format!("{rate} x {} make {}", show_time(rtt), show_bytes(bdp.round() as u64));
    let meaning = if ratio > 2.0 {
        format!(
            "{product}, if the rate is the narrow hop's: a full window is {shown} times that, and what is above 1 stands in the queue."
        )
    } else {
        format!(
            "{product}, if the rate is the narrow hop's: a full window is {shown} times that. While the window is the limit, the rate measured is the window's own and the path may be larger."
        )
    };
    Some(Reading::figure("window over BDP", ratio, Unit::Ratio, format!("{shown} times"), meaning))
}

/// What a silence has done to the window, or will do at the next write.
fn idle(info: &Info) -> Option<Reading> {
    let cwnd = info.cwnd.filter(|cwnd| *cwnd > 0)?;
    if let (Some(ago), Some(rto)) = (info.last_sent, info.rto)
        && ago > rto
        && rto > Time::ZERO
        && info.unacked.is_none()
        && cwnd > USUAL_INITIAL_WINDOW
    {
        let ssthresh = info.finite_ssthresh().map_or(f64::INFINITY, |n| n as f64);
        let initial = USUAL_INITIAL_WINDOW as f64;
        let after = idle_restart::after_idle(ago, rto, cwnd as f64, ssthresh, initial);
        let times = if after.halvings == 1 {
            "once".to_owned()
        } else {
            format!("{} times", after.halvings)
        };
        let meaning = format!(
            "Nothing was sent for {}, longer than the timeout of {}: with tcp_slow_start_after_idle on, the next write halves cwnd {} {times}, to {}.",
            show_time(ago),
            show_time(rto),
            grouped(cwnd as f64),
            grouped(after.cwnd)
        );
        return Some(Reading::text(
            "idle",
            format!("cold: {} at the next write", grouped(after.cwnd)),
            meaning,
        ));
    }
    let mss = info.mss.filter(|mss| *mss > 0)?;
    let acked = info.bytes_acked? / mss;
    // As many as two full initial windows: growth was to be had.
    if cwnd <= USUAL_INITIAL_WINDOW && acked >= 2 * USUAL_INITIAL_WINDOW {
        let meaning = format!(
            "{} acknowledged, and still cwnd {}: the window never had to grow, or a silence or losses took the growth back. The next large response starts as on a new connection.",
            segments(acked),
            grouped(cwnd as f64)
        );
        return Some(Reading::text("idle", "cold", meaning));
    }
    let (ago, rto) = (info.last_sent?, info.rto?);
    (ago <= rto && cwnd > USUAL_INITIAL_WINDOW).then(|| {
        let meaning = format!(
            "Data went out {} ago, within the timeout of {}: the window of {} is kept. A longer silence halves it once for each timeout.",
            show_time(ago),
            show_time(rto),
            grouped(cwnd as f64)
        );
        Reading::text("idle", "warm", meaning)
    })
}

/// The part of the data that had to be sent twice.
fn retransmitted(info: &Info) -> Option<Reading> {
    let sent = info.bytes_sent.filter(|sent| *sent > 0)?;
    let again = info.bytes_retrans.unwrap_or(0);
    let part = 100.0 * again as f64 / sent as f64;
    let value = Unit::Percent.figure(part);
    let meaning = if again == 0 {
        format!(
            "None of {} had to be sent again: no loss has held this connection back.",
            show_bytes(sent)
        )
    } else {
        format!(
            "{} of {} were sent again, {value}: each loss costs a cut of the window, and in a short response a timer.",
            show_bytes(again),
            show_bytes(sent)
        )
    };
    Some(Reading::figure("retransmitted", part, Unit::Percent, value, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::units::Rate;

    /// A socket on a path of 18 ms, in the middle of a large transfer.
    fn info() -> Info {
        Info {
            congestion_control: Some("cubic"),
            window_scale: Some((7, 7)),
            rto: Some(Time::millis(416)),
            rtt: Some((Time::millis(214), Time::millis(6))),
            min_rtt: Some(Time::millis(18)),
            mss: Some(1_448),
            cwnd: Some(432),
            ssthresh: Some(302),
            bytes_sent: Some(40_000_000),
            bytes_retrans: Some(144_800),
            bytes_acked: Some(39_000_000),
            delivery_rate: Some(Rate(23_400_000)),
            last_sent: Some(Time::millis(4)),
            ..Info::default()
        }
    }

    #[test]
    fn the_threshold_tells_the_phase() {
        let phase = |info: &Info| phase(info).expect("a reading").value;
        let mut info = info();
        assert_eq!(phase(&info), "past slow start");
        info.cwnd = Some(10);
        assert_eq!(phase(&info), "in slow start again");
        info.ssthresh = None;
        assert_eq!(phase(&info), "in slow start");
        info.ssthresh = Some(2_147_483_647);
        assert_eq!(phase(&info), "in slow start");
    }

    #[test]
    fn the_queue_is_what_the_round_trip_has_too_much() {
        let reading = standing_queue(&info()).expect("a reading");
        assert_eq!(reading.number, Some(196.0));
        assert!(reading.meaning.ends_with("At 23.4 Mbps that is a queue of 573,300 bytes."));
        let calm = Info { rtt: Some((Time::micros(18_400), Time::ZERO)), ..info() };
        assert!(standing_queue(&calm).expect("a reading").meaning.contains("no queue"));
    }

    #[test]
    fn the_ceiling_is_one_window_a_round_trip() {
        let reading = window_ceiling(&info()).expect("a reading");
        assert_eq!(reading.number, Some(278_016_000.0));
        assert!(reading.meaning.ends_with("8.4% of it: the window is not the limit."));
        let small = Info { cwnd: Some(40), ..info() };
        let reading = window_ceiling(&small).expect("a reading");
        assert!(reading.meaning.ends_with("91% of it: the window is the limit, not the link."));
    }

    #[test]
    fn a_window_without_scaling_has_a_ceiling_of_its_own() {
        let mut info = info();
        assert_eq!(scaling_ceiling(&info), None);
        info.window_scale = Some((0, 0));
        assert_eq!(scaling_ceiling(&info).expect("a reading").value, "29.13 Mbps");
        info.window_scale = None;
        assert!(
            scaling_ceiling(&info).expect("a reading").meaning.contains("no wscale in the line")
        );
        info.congestion_control = None;
        assert_eq!(scaling_ceiling(&info), None);
    }

    #[test]
    fn the_window_is_held_against_the_path() {
        let reading = fill(&info()).expect("a reading");
        assert_eq!(reading.value, "11.9 times");
        assert!(reading.meaning.contains("make 52,650 bytes"));
    }

    #[test]
    fn a_silence_beyond_the_timeout_makes_a_window_cold() {
        let idle = |info: &Info| idle(info).map(|reading| reading.value);
        let mut info = Info { cwnd: Some(80), ssthresh: None, ..info() };
        assert_eq!(idle(&info).as_deref(), Some("warm"));
        info.last_sent = Some(Time::millis(1_000));
        assert_eq!(idle(&info).as_deref(), Some("cold: 20 at the next write"));
        info.last_sent = Some(Time::secs(60));
        assert_eq!(idle(&info).as_deref(), Some("cold: 10 at the next write"));
        info.cwnd = Some(10);
        assert_eq!(idle(&info).as_deref(), Some("cold"));
        info.bytes_acked = Some(14_480);
        assert_eq!(idle(&info), None);
    }

    #[test]
    fn growth_is_held_against_what_was_acknowledged() {
        let with = |cwnd, acked: u64| {
            let info = Info {
                cwnd: Some(cwnd),
                ssthresh: None,
                bytes_acked: Some(acked * 1_448),
                ..info()
            };
            doublings(&info).expect("a reading")
        };
        let grown = with(40, 30);
        assert_eq!(grown.number, Some(2.0));
        assert!(grown.meaning.ends_with("30 segments make 40 of a window that is always full."));
        assert!(with(20, 1_000).meaning.contains("could have made 1,010"));
        assert_eq!(with(u64::MAX, 1).number, Some(60.0));
        assert_eq!(with(9, 1).number, Some(0.0));
    }

    #[test]
    fn losses_are_a_part_of_what_was_sent() {
        assert_eq!(retransmitted(&info()).expect("a reading").value, "0.4%");
        let none = Info { bytes_retrans: None, ..info() };
        assert!(retransmitted(&none).expect("a reading").meaning.starts_with("None of 40,000,000"));
    }

    #[test]
    fn of_a_listening_socket_only_that_is_said() {
        let socket = Socket { state: Some("LISTEN".to_owned()), info: info(), ..Socket::default() };
        let readings = readings(&socket);
        assert_eq!((readings.len(), &*readings[0].value), (1, "listening"));
    }
}
