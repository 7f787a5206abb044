//! The few figures of a run that a study looks at.

use crate::decision::Decision;
use crate::parameter::Invalid;
use crate::quantity::{Figure, Quantity};
use crate::slow_start::{Connection, Run, Scenario, unsampled};
use crate::trace::Fate;
use crate::units::{Time, Unit};

/// What came of a scenario, in a few figures. Counts are those of all connections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The initial window, in segments.
    pub initial_window: u32,
    /// How many connections there are.
    pub connections: u32,
    /// The time of the first connection's response, by the scenario's clock.
    pub time: Time,
    /// The same from the request to the last byte at the receiver.
    pub response: Time,
    /// The same from the SYN to the last byte's ACK at the sender.
    pub syn_to_last_ack: Time,
    /// The longest response of all connections, from the request to the last byte.
    pub slowest: Time,
    /// The average response of all connections.
    pub mean: Time,
    /// Round trips of data of the first connection's response.
    pub round_trips: u32,
    /// Packets sent.
    pub sent: u32,
    /// Packets that found the queue full.
    pub dropped: u32,
    /// Segments sent more than once.
    pub retransmissions: u32,
    /// How often a retransmission timer ran out.
    pub timeouts: u32,
}

impl Outcome {
    /// Runs a scenario without keeping its trace.
    ///
    /// # Errors
    /// [`Invalid`], naming the first parameter that is out of range.
    pub fn of(scenario: &Scenario) -> Result<Outcome, Invalid> {
        scenario.validate()?;
        Ok(Outcome::of_valid(scenario))
    }

    /// The same for a scenario known to be allowed, or that goes beyond what a reader may set.
    pub(super) fn of_valid(scenario: &Scenario) -> Outcome {
        Outcome::from(&unsampled(scenario))
    }

    /// The same scenario with this initial window.
    pub(super) fn with_window(scenario: &Scenario, initial_window: u32) -> Outcome {
        Outcome::of_valid(&Scenario { initial_window, ..scenario.clone() })
    }

    /// Retransmissions in a hundred packets sent.
    pub fn retransmission_rate_percent(&self) -> f64 {
        100.0 * f64::from(self.retransmissions) / f64::from(self.sent)
    }

    /// What two outcomes are compared by: the time of a single connection, the slowest of several.
    pub fn judged(&self) -> Time {
        if self.connections > 1 { self.slowest } else { self.time }
    }

    /// By how much this is quicker than `before`, in milliseconds; negative where it is slower.
    pub fn saves_ms(&self, before: &Outcome) -> f64 {
        before.judged().as_millis() - self.judged().as_millis()
    }

    /// The same in percent of the time before.
    pub fn saves_percent(&self, before: &Outcome) -> f64 {
        100.0 * self.saves_ms(before) / before.judged().as_millis()
    }
}

impl From<&Run> for Outcome {
    fn from(run: &Run) -> Outcome {
        let total: u64 = run.connections.iter().map(|c: &Connection| c.duration().0).sum();
        let timeout = |what: &Decision| matches!(what, Decision::Timeout { .. });
        Outcome {
            initial_window: run.scenario.initial_window,
            connections: run.scenario.connections,
            time: run.time(),
            response: run.first().duration(),
            syn_to_last_ack: run.syn_to_last_ack(),
            slowest: run.slowest_response(),
            mean: Time(total / run.connections.len().max(1) as u64),
            round_trips: run.round_trips(),
            sent: run.packets.len() as u32,
            dropped: run.count(Fate::QueueDrop) as u32,
            retransmissions: run.retransmissions(),
            timeouts: run.decisions.iter().filter(|d| timeout(&d.what)).count() as u32,
        }
    }
}

fn ms(time: Time) -> Figure {
    Figure::Number(time.as_millis())
}

/// The figures of an [`Outcome`]; times in milliseconds.
pub const OUTCOME_QUANTITIES: &[Quantity<Outcome>] = &[
    Quantity {
        key: "initial_window",
        label: "Initial window",
        unit: Unit::Segments,
        help: "Segments the sender may send before the first ACK.",
        value: |o| Figure::Number(o.initial_window.into()),
    },
    Quantity {
        key: "time_ms",
        label: "Time",
        unit: Unit::Time,
        help: "The time of the response, by the chosen clock.",
        value: |o| ms(o.time),
    },
    Quantity {
        key: "response_ms",
        label: "Response time",
        unit: Unit::Time,
        help: "From the request to the last byte at the receiver.",
        value: |o| ms(o.response),
    },
    Quantity {
        key: "syn_to_last_ack_ms",
        label: "SYN to last ACK",
        unit: Unit::Time,
        help: "From the client's SYN to the last byte's ACK at the sender.",
        value: |o| ms(o.syn_to_last_ack),
    },
    Quantity {
        key: "data_round_trips",
        label: "Round trips of data",
        unit: Unit::RoundTrips,
        help: "Rounds of sending and hearing of it that the response took, the last one in part.",
        value: |o| Figure::Number(o.round_trips.into()),
    },
    Quantity {
        key: "sent",
        label: "Packets sent",
        unit: Unit::Packets,
        help: "Packets sent on all connections.",
        value: |o| Figure::Number(o.sent.into()),
    },
    Quantity {
        key: "queue_drops",
        label: "Dropped by the queue",
        unit: Unit::Packets,
        help: "Packets the full queue threw away, of all connections.",
        value: |o| Figure::Number(o.dropped.into()),
    },
    Quantity {
        key: "retransmissions",
        label: "Retransmissions",
        unit: Unit::Packets,
        help: "Segments sent more than once, on all connections.",
        value: |o| Figure::Number(o.retransmissions.into()),
    },
    Quantity {
        key: "retransmission_rate_percent",
        label: "Retransmission rate",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets sent, on all connections.",
        value: |o| Figure::Number(o.retransmission_rate_percent()),
    },
    Quantity {
        key: "timeouts",
        label: "Timeouts",
        unit: Unit::Times,
        help: "How often a retransmission timer ran out, on all connections.",
        value: |o| Figure::Number(o.timeouts.into()),
    },
    Quantity {
        key: "mean_response_ms",
        label: "Average response",
        unit: Unit::Time,
        help: "The average response time of all connections.",
        value: |o| ms(o.mean),
    },
    Quantity {
        key: "slowest_response_ms",
        label: "Slowest response",
        unit: Unit::Time,
        help: "The longest response time of all connections.",
        value: |o| ms(o.slowest),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assumptions::Preset;
    use crate::run;
    use crate::units::{Bytes, Rate};

    #[test]
    fn an_outcome_without_a_trace_is_that_of_the_run() {
        let paths = [(1, 5), (1, 300), (4, 20), (30, 85), (300, 20), (1_000, 300)];
        for preset in Preset::ALL {
            for (mbps, ms) in paths {
                for (connections, initial_window) in [(1, 3), (1, 10), (1, 46), (5, 32)] {
                    let (rate, rtt) = (Rate::mbps(mbps), Time::millis(ms));
                    let size = Bytes::kb(256);
                    let path = Scenario { size, rate, rtt, ..Scenario::of(*preset) };
                    let scenario = Scenario { connections, initial_window, ..path };
                    let run = run(&scenario).expect("allowed");
                    assert_eq!(Outcome::of(&scenario), Ok(Outcome::from(&run)), "{scenario:?}");
                }
            }
        }
    }

    #[test]
    fn what_a_run_tells_too_is_told_under_the_same_key() {
        let scenario = Scenario { connections: 3, initial_window: 32, ..Scenario::default() };
        let run = run(&scenario).expect("allowed");
        let outcome = Outcome::from(&run);
        for quantity in OUTCOME_QUANTITIES {
            if let Some(figure) = run.figure(quantity.key) {
                assert_eq!((quantity.value)(&outcome), figure, "{}", quantity.key);
            }
        }
    }
}
