//! What the model takes for granted, each simplification as a named field.
//!
//! A figure that depends on one of these can be traced to it. [`Assumptions::ARTICLE`] is the preset
//! whose figures the article shows.

use crate::units::Time;
use serde::{Deserialize, Serialize};

/// Every simplification of the model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assumptions {
    /// The sender acts in slots of the base round-trip time divided by this, as a kernel with a coarse
    /// clock does.
    pub slots_per_rtt: u64,
    /// Added to every round-trip sample, in slots: an ACK is seen on average half a slot after it
    /// came. Fitted.
    pub rtt_sample_bias: f64,
    /// Pacing credit, in packets, that a sender blocked by its window or out of data may keep. Fitted;
    /// 0.88 to 0.91 give the same figures.
    pub idle_credit: f64,
    /// Pacing rate as a multiple of cwnd/srtt while cwnd < ssthresh/2 (`tcp_pacing_ss_ratio`).
    pub pacing_slow_start: f64,
    /// The same from there on (`tcp_pacing_ca_ratio`).
    pub pacing_avoidance: f64,
    /// What a loss leaves of the window (CUBIC's beta, RFC 9438 section 4.6).
    pub beta: f64,
    /// Retransmission timeout before any sample (RFC 6298 section 2.1).
    pub initial_rto: Time,
    /// Lower bound of the retransmission timeout (`TCP_RTO_MIN`; RFC 6298 section 2.4 asks for 1 s).
    pub min_rto: Time,
    /// Upper bound of the retransmission timeout (`TCP_RTO_MAX`).
    pub max_rto: Time,
}

impl Assumptions {
    /// The article's model.
    pub const ARTICLE: Assumptions = Assumptions {
        slots_per_rtt: 80,
        rtt_sample_bias: 0.5,
        idle_credit: 0.9,
        pacing_slow_start: 2.0,
        pacing_avoidance: 1.2,
        beta: 0.7,
        initial_rto: Time::secs(1),
        min_rto: Time::millis(200),
        max_rto: Time::secs(120),
    };
}

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions::ARTICLE
    }
}
