//! What each figure that `ss` prints means.

use crate::reading::{Reading, segments, show_bytes, show_time};
use crate::socket::Info;
use packet_core::bdp::buffers;
use packet_core::sender::MIN_RTO;
use packet_core::units::{Bytes, Time, Unit, grouped};

/// The largest window the TCP header can carry without scaling, in bytes.
pub(crate) const UNSCALED_WINDOW: u64 = buffers::UNSCALED_WINDOW.0;

/// The printed figures, in the order of an info line.
pub(crate) fn readings(info: &Info) -> Vec<Reading> {
    let each: &[fn(&Info) -> Option<Reading>] = &[
        congestion_control,
        window_scale,
        rto,
        backoff,
        rtt,
        min_rtt,
        ato,
        mss,
        pmtu,
        cwnd,
        ssthresh,
        bytes_sent,
        bytes_retrans,
        bytes_acked,
        bytes_received,
        send,
        last_sent,
        pacing_rate,
        delivery_rate,
        app_limited,
        busy,
        rwnd_limited,
        sndbuf_limited,
        unacked,
        retrans,
        lost,
        reordering,
        rcv_space,
        rcv_ssthresh,
        not_sent,
        snd_wnd,
    ];
    each.iter().filter_map(|reading| reading(info)).collect()
}

fn congestion_control(info: &Info) -> Option<Reading> {
    let name = info.congestion_control?;
    let meaning = match name {
        "cubic" => {
            "Slow start, which HyStart may end before a loss does; then CUBIC. The model here is of this one."
        }
        "reno" => "Slow start without HyStart: only a loss or a threshold ends it.",
        "bbr" | "bbr2" | "bbr3" => {
            "It starts by a phase of its own, which also doubles but ends by measured rate: the model here is not of it."
        }
        _ => {
            "Its start differs from CUBIC's, if only in having no HyStart: take the model's figures with care."
        }
    };
    Some(Reading::text("congestion control", name, meaning.to_owned()))
}

fn window_scale(info: &Info) -> Option<Reading> {
    let (theirs, ours) = info.window_scale?;
    let (to_us, to_them) = (UNSCALED_WINDOW << theirs, UNSCALED_WINDOW << ours);
    let meaning = if theirs == 0 {
        format!(
            "The peer's window is not scaled: it can never offer more than {}.",
            show_bytes(to_us)
        )
    } else {
        format!(
            "The peer can offer a window of up to {} (65,535 x 2^{theirs}), this side one of up to {}.",
            Bytes(to_us),
            Bytes(to_them)
        )
    };
    Some(Reading::text("wscale", format!("{theirs},{ours}"), meaning))
}

fn rto(info: &Info) -> Option<Reading> {
    let rto = info.rto?;
    let floor = MIN_RTO;
    // The kernel counts the timer in ticks, of 4 ms on many hosts.
    let at_floor = floor + Time::millis(5);
    let meaning = match info.rtt {
        Some((rtt, _)) if info.backoff.is_none() && rto <= rtt + at_floor => format!(
            "Without an answer for {} everything is sent again. Beside the smoothed round trip of {} that is Linux's floor of {}.",
            show_time(rto),
            show_time(rtt),
            show_time(floor)
        ),
        Some((rtt, _)) if info.backoff.is_none() => format!(
            "Without an answer for {} everything is sent again. The round trip takes {} and varies so much that {} are added, more than the floor of {}.",
            show_time(rto),
            show_time(rtt),
            show_time(rto.saturating_sub(rtt)),
            show_time(floor)
        ),
        _ => format!("Without an answer for {} everything is sent again.", show_time(rto)),
    };
    Some(Reading::time("rto", rto, meaning))
}

fn backoff(info: &Info) -> Option<Reading> {
    let n = info.backoff?;
    let meaning =
        format!("The timeout has been doubled {} in a row: nothing comes back.", times(n));
    Some(Reading::figure("backoff", n as f64, Unit::Ratio, grouped(n as f64), meaning))
}

fn rtt(info: &Info) -> Option<Reading> {
    let (rtt, deviation) = info.rtt?;
    let meaning = format!(
        "A round trip takes {} on average, give or take {}, the wait in any queue included.",
        show_time(rtt),
        show_time(deviation)
    );
    let value = format!("{} / {}", show_time(rtt), show_time(deviation));
    Some(Reading::figure("rtt", rtt.as_millis(), Unit::Time, value, meaning))
}

fn min_rtt(info: &Info) -> Option<Reading> {
    let min = info.min_rtt?;
    let meaning = format!(
        "The quickest round trip seen took {}: as near as a socket gets to the path without a queue.",
        show_time(min)
    );
    Some(Reading::time("minrtt", min, meaning))
}

fn ato(info: &Info) -> Option<Reading> {
    let ato = info.ato?;
    let meaning = format!(
        "This side may hold back an ACK for {} to answer two packets at once.",
        show_time(ato)
    );
    Some(Reading::time("ato", ato, meaning))
}

fn mss(info: &Info) -> Option<Reading> {
    let mss = info.mss?;
    let meaning = format!(
        "A full segment carries {}; the windows below count such segments. The model takes 1,448.",
        show_bytes(mss)
    );
    Some(Reading::bytes("mss", mss, meaning))
}

fn pmtu(info: &Info) -> Option<Reading> {
    let pmtu = info.pmtu?;
    let meaning =
        format!("The path takes packets of up to {}, headers included.", show_bytes(pmtu));
    Some(Reading::bytes("pmtu", pmtu, meaning))
}

fn cwnd(info: &Info) -> Option<Reading> {
    let cwnd = info.cwnd?;
    let meaning = match info.window_bytes() {
        Some(bytes) => format!(
            "The congestion window lets {} be in flight, {}.",
            segments(cwnd),
            show_bytes(bytes as u64)
        ),
        None => format!("The congestion window lets {} be in flight.", segments(cwnd)),
    };
    Some(Reading::segments("cwnd", cwnd, meaning))
}

fn ssthresh(info: &Info) -> Option<Reading> {
    let printed = info.ssthresh?;
    let meaning = match info.finite_ssthresh() {
        Some(n) => {
            format!("The window doubles only below {}; above, it grows slowly.", segments(n))
        }
        None => "The kernel's way to write that there is no threshold yet.".to_owned(),
    };
    Some(Reading::segments("ssthresh", printed, meaning))
}

fn bytes_sent(info: &Info) -> Option<Reading> {
    let n = info.bytes_sent?;
    let meaning =
        format!("This side has sent {}, whatever was sent again included.", show_bytes(n));
    Some(Reading::bytes("bytes_sent", n, meaning))
}

fn bytes_retrans(info: &Info) -> Option<Reading> {
    let n = info.bytes_retrans?;
    let meaning = format!("Of what was sent, {} were sent again.", show_bytes(n));
    Some(Reading::bytes("bytes_retrans", n, meaning))
}

fn bytes_acked(info: &Info) -> Option<Reading> {
    let n = info.bytes_acked?;
    let meaning = match info.mss.filter(|mss| *mss > 0) {
        Some(mss) => format!(
            "The peer has acknowledged {}, about {}.",
            show_bytes(n),
            segments(n.div_ceil(mss))
        ),
        None => format!("The peer has acknowledged {}.", show_bytes(n)),
    };
    Some(Reading::bytes("bytes_acked", n, meaning))
}

fn bytes_received(info: &Info) -> Option<Reading> {
    let n = info.bytes_received?;
    let meaning = if n > info.bytes_acked.unwrap_or(0) {
        format!(
            "{} came in, more than went out: the window that matters for them is the peer's, so run ss there too.",
            show_bytes(n)
        )
    } else {
        format!("{} came in.", show_bytes(n))
    };
    Some(Reading::bytes("bytes_received", n, meaning))
}

fn send(info: &Info) -> Option<Reading> {
    let rate = info.send?;
    let meaning = format!(
        "One window in each smoothed round trip makes {rate}. It is computed by ss, not measured."
    );
    Some(Reading::rate("send", rate, meaning))
}

fn last_sent(info: &Info) -> Option<Reading> {
    let ago = info.last_sent?;
    let meaning = format!("Data was last sent {} ago.", show_time(ago));
    Some(Reading::time("lastsnd", ago, meaning))
}

fn pacing_rate(info: &Info) -> Option<Reading> {
    let rate = info.pacing_rate?;
    let meaning = format!(
        "Where the sender paces, its packets leave at {rate}: in slow start twice the window in each round trip, later 1.2 times."
    );
    Some(Reading::rate("pacing_rate", rate, meaning))
}

fn delivery_rate(info: &Info) -> Option<Reading> {
    let rate = info.delivery_rate?;
    let meaning = if info.app_limited {
        format!(
            "Data got through at {rate}, while the application had no more to send: the narrow hop is at least that fast."
        )
    } else if info.has_queue() == Some(true) {
        format!(
            "Data got through at {rate}, measured from ACK to ACK. As a queue stands on the path (rtt is well above minrtt), that is near the rate of its narrow hop."
        )
    } else {
        format!(
            "Data got through at {rate}, measured from ACK to ACK. No queue shows (rtt well above minrtt), so this may be the rate of the window alone, and the narrow hop may be faster."
        )
    };
    Some(Reading::rate("delivery_rate", rate, meaning))
}

fn app_limited(info: &Info) -> Option<Reading> {
    info.app_limited.then(|| {
        let meaning = "When the delivery rate was measured, the application had too little to send to fill the window.";
        Reading::text("app_limited", "yes", meaning.to_owned())
    })
}

fn busy(info: &Info) -> Option<Reading> {
    let busy = info.busy?;
    let meaning = format!("For {} in all there was data to be acknowledged.", show_time(busy));
    Some(Reading::time("busy", busy, meaning))
}

fn rwnd_limited(info: &Info) -> Option<Reading> {
    let (time, part) = info.rwnd_limited?;
    let meaning = format!(
        "For {}, {} of the busy time, the receiver's window stopped the sender, not the congestion window.",
        show_time(time),
        Unit::Percent.figure(part)
    );
    Some(Reading::time("rwnd_limited", time, meaning))
}

fn sndbuf_limited(info: &Info) -> Option<Reading> {
    let (time, part) = info.sndbuf_limited?;
    let meaning = format!(
        "For {}, {} of the busy time, the send buffer was too small for the window.",
        show_time(time),
        Unit::Percent.figure(part)
    );
    Some(Reading::time("sndbuf_limited", time, meaning))
}

fn unacked(info: &Info) -> Option<Reading> {
    let n = info.unacked?;
    let meaning = match info.cwnd.filter(|cwnd| *cwnd > 0) {
        Some(cwnd) if n >= cwnd => {
            format!("{} in flight: the window of {} is full.", segments(n), grouped(cwnd as f64))
        }
        Some(cwnd) => format!(
            "{} in flight of the {} that the window lets be.",
            segments(n),
            grouped(cwnd as f64)
        ),
        None => format!("{} in flight.", segments(n)),
    };
    Some(Reading::segments("unacked", n, meaning))
}

fn retrans(info: &Info) -> Option<Reading> {
    let (now, all) = info.retrans?;
    let meaning = format!(
        "{} sent again since the connection began, {} of them not answered yet.",
        segments(all),
        grouped(now as f64)
    );
    Some(Reading::text("retrans", format!("{now}/{all}"), meaning))
}

fn lost(info: &Info) -> Option<Reading> {
    let n = info.lost?;
    let meaning = format!("{} in flight are taken as lost.", segments(n));
    Some(Reading::segments("lost", n, meaning))
}

fn reordering(info: &Info) -> Option<Reading> {
    let n = info.reordering?;
    let meaning = format!(
        "The path has delivered packets out of order: a gap counts as a loss only from {} behind it on, not from 3.",
        segments(n)
    );
    Some(Reading::segments("reordering", n, meaning))
}

fn rcv_space(info: &Info) -> Option<Reading> {
    let n = info.rcv_space?;
    let meaning = format!("Receive autotuning has settled on {} for what comes in.", show_bytes(n));
    Some(Reading::bytes("rcv_space", n, meaning))
}

fn rcv_ssthresh(info: &Info) -> Option<Reading> {
    let n = info.rcv_ssthresh?;
    let meaning = format!("This side offers the peer a window of up to {} now.", show_bytes(n));
    Some(Reading::bytes("rcv_ssthresh", n, meaning))
}

fn not_sent(info: &Info) -> Option<Reading> {
    let n = info.not_sent?;
    let meaning = format!(
        "{} wait in the send buffer: the application is not what holds them.",
        show_bytes(n)
    );
    Some(Reading::bytes("notsent", n, meaning))
}

fn snd_wnd(info: &Info) -> Option<Reading> {
    let n = info.snd_wnd?;
    let meaning = match info.window_bytes() {
        Some(cwnd) if (n as f64) < cwnd => format!(
            "The peer offers {}, less than the congestion window's {}: the receiver is the limit.",
            show_bytes(n),
            show_bytes(cwnd as u64)
        ),
        _ => format!("The peer offers a window of {}.", show_bytes(n)),
    };
    Some(Reading::bytes("snd_wnd", n, meaning))
}

fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{} times", grouped(n as f64)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::units::Rate;

    fn meaning(reading: Option<Reading>) -> String {
        reading.expect("a reading").meaning
    }

    #[test]
    fn nothing_is_said_of_what_was_not_printed() {
        assert!(readings(&Info::default()).is_empty());
    }

    #[test]
    fn the_timeout_is_held_against_its_floor() {
        let mut info = Info {
            rto: Some(Time::millis(244)),
            rtt: Some((Time::millis(42), Time::millis(2))),
            ..Info::default()
        };
        assert_eq!(
            meaning(rto(&info)),
            "Without an answer for 244 ms everything is sent again. Beside the smoothed round trip of 42 ms that is Linux's floor of 200 ms."
        );
        info.rto = Some(Time::millis(412));
        assert!(meaning(rto(&info)).contains("varies so much that 370 ms are added"));
        info.backoff = Some(2);
        assert!(!meaning(rto(&info)).contains("floor"));
        assert!(meaning(backoff(&info)).contains("doubled 2 times"));
    }

    #[test]
    fn the_peers_shift_caps_what_is_sent() {
        let with = |scale| Info { window_scale: Some(scale), ..Info::default() };
        assert!(meaning(window_scale(&with((0, 7)))).contains("more than 65,535 bytes"));
        assert!(meaning(window_scale(&with((7, 10)))).contains("8 MB (65,535 x 2^7)"));
    }

    #[test]
    fn an_idle_application_makes_the_delivery_rate_a_lower_bound() {
        let mut info = Info { delivery_rate: Some(Rate(23_400_000)), ..Info::default() };
        assert!(meaning(delivery_rate(&info)).contains("23.4 Mbps"));
        info.app_limited = true;
        assert!(meaning(delivery_rate(&info)).contains("at least"));
    }

    #[test]
    fn the_smaller_window_is_the_limit() {
        let info =
            Info { cwnd: Some(100), mss: Some(1_448), snd_wnd: Some(65_535), ..Info::default() };
        assert!(meaning(snd_wnd(&info)).ends_with("144,800 bytes: the receiver is the limit."));
    }
}
