//! Who pays: what a window does where several connections share a link.
//!
//! Each connection's first window leaves before anything is known of the link or of the others, so the
//! windows add up in its queue.

use super::Outcome;
use crate::parameter::Invalid;
use crate::quantity::{Figure, Quantity};
use crate::slow_start::Scenario;
use crate::units::Unit;

/// One initial window, for one connection and for several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// One connection with the link to itself.
    pub alone: Outcome,
    /// The scenario's connections together.
    pub together: Outcome,
}

/// What each of these initial windows does on the scenario's path, for a single connection and for the
/// scenario's.
///
/// # Errors
/// [`Invalid`], naming the first parameter that is out of range.
pub fn cost(scenario: &Scenario, windows: &[u32]) -> Result<Vec<Cost>, Invalid> {
    let each = |window: &u32| {
        let together = Scenario { initial_window: *window, ..scenario.clone() };
        let alone = Scenario { connections: 1, ..together.clone() };
        Ok(Cost { alone: Outcome::of(&alone)?, together: Outcome::of(&together)? })
    };
    windows.iter().map(each).collect()
}

/// The figures of a [`Cost`]; times in milliseconds.
pub const COST_QUANTITIES: &[Quantity<Cost>] = &[
    Quantity {
        key: "initial_window",
        label: "Initial window",
        unit: Unit::Segments,
        help: "Segments each sender may send before the first ACK.",
        value: |c| Figure::Number(c.together.initial_window.into()),
    },
    Quantity {
        key: "alone_ms",
        label: "Time alone",
        unit: Unit::Time,
        help: "The time of one connection that has the link to itself, by the chosen clock.",
        value: |c| Figure::Number(c.alone.time.as_millis()),
    },
    Quantity {
        key: "alone_round_trips",
        label: "Round trips alone",
        unit: Unit::RoundTrips,
        help: "Round trips of data of one connection that has the link to itself.",
        value: |c| Figure::Number(c.alone.round_trips.into()),
    },
    Quantity {
        key: "alone_queue_drops",
        label: "Dropped alone",
        unit: Unit::Packets,
        help: "Packets of a single connection that the full queue threw away.",
        value: |c| Figure::Number(c.alone.dropped.into()),
    },
    Quantity {
        key: "alone_retransmissions",
        label: "Retransmissions alone",
        unit: Unit::Packets,
        help: "Segments that a single connection sent more than once.",
        value: |c| Figure::Number(c.alone.retransmissions.into()),
    },
    Quantity {
        key: "alone_retransmission_rate_percent",
        label: "Retransmission rate alone",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets of one connection that has the link to itself.",
        value: |c| Figure::Number(c.alone.retransmission_rate_percent()),
    },
    Quantity {
        key: "mean_response_ms",
        label: "Average response",
        unit: Unit::Time,
        help: "The average response time of all connections.",
        value: |c| Figure::Number(c.together.mean.as_millis()),
    },
    Quantity {
        key: "slowest_response_ms",
        label: "Slowest response",
        unit: Unit::Time,
        help: "The longest response time of all connections.",
        value: |c| Figure::Number(c.together.slowest.as_millis()),
    },
    Quantity {
        key: "queue_drops",
        label: "Dropped by the queue",
        unit: Unit::Packets,
        help: "Packets the full queue threw away, of all connections.",
        value: |c| Figure::Number(c.together.dropped.into()),
    },
    Quantity {
        key: "retransmissions",
        label: "Retransmissions",
        unit: Unit::Packets,
        help: "Segments sent more than once, on all connections.",
        value: |c| Figure::Number(c.together.retransmissions.into()),
    },
    Quantity {
        key: "retransmission_rate_percent",
        label: "Retransmission rate",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets of all connections.",
        value: |c| Figure::Number(c.together.retransmission_rate_percent()),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bytes, Rate};

    #[test]
    fn many_connections_pay_for_what_one_gets_free() {
        let size = Bytes::kb(45);
        let rate = Rate::mbps(5);
        let scenario = Scenario { size, rate, connections: 8, ..Scenario::default() };
        let costs = cost(&scenario, &[10, 32]).expect("allowed");
        let free = costs.iter().all(|c| c.alone.retransmissions == 0);
        assert!(free && costs[1].alone.response < costs[0].alone.response);
        let rates = costs.iter().map(|c| c.together.retransmission_rate_percent());
        assert!(rates.is_sorted_by(|a, b| a < b), "{costs:?}");
        assert!(costs.iter().all(|c| c.together.slowest >= c.together.mean));
    }
}
