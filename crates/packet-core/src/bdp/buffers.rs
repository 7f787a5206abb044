//! What a window costs in kernel memory, and what a buffer makes of a window.
//!
//! The kernel charges a socket for the memory its packets occupy, not for the payload in them. The
//! constants are those of a usual x86-64 build of Linux 6.x; they depend on its options, so the ratios
//! are the point and not the last byte.

use crate::units::{Bytes, MSS, Rate, Time, Unit};

/// Room for headers below TCP (`MAX_TCP_HEADER`); depends on the build.
pub const MAX_TCP_HEADER: u64 = 256;
/// `sizeof(struct skb_shared_info)`, aligned; depends on the build.
pub const SKB_SHARED_INFO: u64 = 320;
/// `sizeof(struct sk_buff)`, aligned; depends on the build.
pub const SK_BUFF: u64 = 256;
/// How many windows `tcp_sndbuf_expand` makes room for under CUBIC (1.7, rounded up).
pub const SNDBUF_EXPAND_CUBIC: u64 = 2;
/// The same under BBR (`bbr_sndbuf_expand`).
pub const SNDBUF_EXPAND_BBR: u64 = 3;
/// The most autotuning gives a send buffer, where memory allows (`tcp_init`, `tcp_wmem[2]`).
pub const TCP_WMEM_MAX: Bytes = Bytes::mb(4);
/// The most autotuning gives a receive buffer, where memory allows (`tcp_init`, `tcp_rmem[2]`).
pub const TCP_RMEM_MAX: Bytes = Bytes::mb(32);
/// The largest window without window scaling: 16 bits (RFC 9293 section 3.1, RFC 7323 section 2).
pub const UNSCALED_WINDOW: Bytes = Bytes(65_535);
/// The part of a receive buffer that is offered as window before anything was measured, in 256ths
/// (`TCP_DEFAULT_SCALING_RATIO`, Linux 6.6 and later; `tcp_adv_win_scale` before).
pub const DEFAULT_SCALING_RATIO: u64 = 128;
/// What a socket is charged for a segment of `mss` bytes (`per_mss` in `tcp_sndbuf_expand`): payload,
/// headers and shared info, rounded up to a power of two as the allocator does, and the `sk_buff`.
pub const fn charged_per_segment(mss: u64) -> Bytes {
    Bytes((mss + MAX_TCP_HEADER + SKB_SHARED_INFO).next_power_of_two() + SK_BUFF)
}

/// Send memory that holds `window` bytes of payload in full segments: what `tcp_wmem[2]` must allow.
pub const fn send_memory(window: Bytes) -> Bytes {
    Bytes(window.segments() as u64 * charged_per_segment(MSS).0)
}

/// The argument of `SO_SNDBUF` that sets `memory`: the kernel doubles it (`sock_setsockopt`). Above
/// `net.core.wmem_max` it is cut to that, and any value ends autotuning for the socket.
pub const fn socket_option(memory: Bytes) -> Bytes {
    Bytes(memory.0.div_ceil(2))
}

/// The send buffer autotuning wants for a congestion window: room for `expand` of them
/// (`tcp_sndbuf_expand`), at most [`TCP_WMEM_MAX`].
pub const fn autotuned_send_memory(window: Bytes, expand: u64) -> Bytes {
    let memory = expand * send_memory(window).0;
    if memory < TCP_WMEM_MAX.0 { Bytes(memory) } else { TCP_WMEM_MAX }
}

/// Payload that a send buffer of `memory` holds in full segments.
pub const fn payload_held(memory: Bytes) -> Bytes {
    Bytes(memory.0 / charged_per_segment(MSS).0 * MSS)
}

/// The window autotuning wants to offer when the application read `read` bytes in a round trip: the
/// double, as what was measured is one round trip late (`tcp_rcvbuf_grow`).
pub const fn right_sized_window(read: Bytes) -> Bytes {
    Bytes(read.0 << 1)
}

/// Receive memory behind a window, at a scaling ratio in 256ths (`tcp_space_from_win`).
pub const fn receive_memory(window: Bytes, ratio: u64) -> Bytes {
    Bytes((window.0 << 8).div_ceil(ratio))
}

/// The fastest one flow can be with this window: one window a round trip. Any rate where that takes no time.
pub const fn ceiling(window: Bytes, rtt: Time) -> Rate {
    match (window.0 as u128 * 8_000_000_000).checked_div(rtt.0 as u128) {
        Some(bps) => Rate(bps as u64),
        None => Rate(u64::MAX),
    }
}

/// One line of the calculator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// What it is.
    pub label: &'static str,
    /// How much, in the unit's figures.
    pub value: f64,
    /// What it is measured in.
    pub unit: Unit,
    /// Where it comes from: a kernel function, a sysctl, an RFC.
    pub source: &'static str,
}

impl Line {
    fn bytes(label: &'static str, Bytes(value): Bytes, source: &'static str) -> Line {
        Line { label, value: value as f64, unit: Unit::Bytes, source }
    }

    fn rate(label: &'static str, Rate(bps): Rate, source: &'static str) -> Line {
        Line { label, value: bps as f64 / 1e6, unit: Unit::Mbps, source }
    }

    /// The value for people, with its unit.
    pub fn show(&self) -> String {
        self.unit.figure(self.value)
    }
}

/// The calculator for a window and a round-trip time.
pub fn lines(window: Bytes, rtt: Time) -> Vec<Line> {
    let needed = send_memory(window);
    let doubled = right_sized_window(window);
    let held = payload_held(window);
    vec![
        Line::bytes(
            "Charged for a segment of 1,448 bytes",
            charged_per_segment(MSS),
            "per_mss in tcp_sndbuf_expand(); constants depend on the build",
        ),
        Line::bytes("Send memory the window needs", needed, "tcp_wmem[2] must allow it"),
        Line::bytes(
            "SO_SNDBUF to ask for",
            socket_option(needed),
            "sock_setsockopt() doubles it; net.core.wmem_max limits it; it ends autotuning",
        ),
        Line::bytes(
            "Payload in a send buffer as large as the window",
            held,
            "whole segments at per_mss each",
        ),
        Line::rate("Rate that such a buffer allows", ceiling(held, rtt), "payload / RTT"),
        Line::bytes(
            "Send buffer that autotuning gives CUBIC",
            autotuned_send_memory(window, SNDBUF_EXPAND_CUBIC),
            "tcp_sndbuf_expand(): 2 windows, at most tcp_wmem[2]",
        ),
        Line::bytes(
            "Send buffer that autotuning gives BBR",
            autotuned_send_memory(window, SNDBUF_EXPAND_BBR),
            "bbr_sndbuf_expand(): 3 windows, at most tcp_wmem[2]",
        ),
        Line::bytes(
            "Window that receive autotuning offers",
            doubled,
            "tcp_rcvbuf_grow(): twice what was read in a round trip",
        ),
        Line::bytes(
            "Receive memory behind that window",
            receive_memory(doubled, DEFAULT_SCALING_RATIO),
            "scaling_ratio at its start of 128/256; measured from then on",
        ),
        Line::rate(
            "Ceiling of a send buffer of 4 MB, were it all payload",
            ceiling(TCP_WMEM_MAX, rtt),
            "tcp_wmem[2] as tcp_init() sets it / RTT",
        ),
        Line::rate(
            "Ceiling of a send buffer of 4 MB, as memory is charged",
            ceiling(payload_held(TCP_WMEM_MAX), rtt),
            "tcp_wmem[2] at per_mss a segment / RTT",
        ),
        Line::rate(
            "Ceiling of a receive buffer of 32 MB, were it all payload",
            ceiling(TCP_RMEM_MAX, rtt),
            "tcp_rmem[2] as tcp_init() sets it / RTT",
        ),
        Line::rate(
            "Ceiling without window scaling",
            ceiling(UNSCALED_WINDOW, rtt),
            "65,535 bytes (RFC 7323 section 2) / RTT",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mbps(rate: Rate) -> f64 {
        rate.0 as f64 / 1e6
    }

    #[test]
    fn a_segment_is_charged_as_the_article_counts() {
        assert_eq!(MSS + MAX_TCP_HEADER + SKB_SHARED_INFO, 2_024);
        assert_eq!(charged_per_segment(MSS), Bytes(2_304));
    }

    #[test]
    fn the_ceilings_of_the_article() {
        let singapore = Time::millis(180);
        assert_eq!(mbps(ceiling(TCP_WMEM_MAX, singapore)).round(), 186.0);
        assert_eq!(TCP_RMEM_MAX.0, 8 * TCP_WMEM_MAX.0, "eight times tighter");
        assert!((mbps(ceiling(UNSCALED_WINDOW, Time::millis(80))) - 6.55).abs() < 0.01);
    }

    #[test]
    fn a_buffer_of_one_bdp_holds_well_under_one_bdp() {
        let bdp = Bytes(965_333);
        let held = payload_held(bdp);
        assert!(held.0 * 2 > bdp.0 && held.0 * 3 < 2 * bdp.0, "{held}");
        assert_eq!(payload_held(send_memory(bdp)).segments(), bdp.segments());
    }

    #[test]
    fn half_a_receive_buffer_is_window_until_it_is_measured() {
        let memory = receive_memory(Bytes::mb(1), DEFAULT_SCALING_RATIO);
        assert_eq!(memory, Bytes::mb(2));
    }

    #[test]
    fn autotuning_stops_at_the_ceiling() {
        assert_eq!(
            autotuned_send_memory(Bytes::kb(64), SNDBUF_EXPAND_CUBIC),
            Bytes(2 * 46 * 2_304)
        );
        assert_eq!(autotuned_send_memory(Bytes::mb(16), SNDBUF_EXPAND_BBR), TCP_WMEM_MAX);
    }

    #[test]
    fn every_line_shows_a_value_and_its_source() {
        for line in lines(Bytes::kb(256), Time::millis(80)) {
            assert!(line.value > 0.0 && !line.source.is_empty(), "{line:?}");
            assert!(!line.show().is_empty());
        }
    }
}
