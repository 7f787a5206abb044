//! A slow-start run and the figures read off it.

use super::engine::Engine;
use super::scenario::{Scenario, Stopwatch};
use crate::decision::{Decision, ExitReason, Logged};
use crate::parameter::Invalid;
use crate::quantity::{Figure, Quantity, ms};
use crate::trace::{Fate, Packet, Reply, Sample};
use crate::units::{Time, Unit};

/// One response, from the request to its last byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// When the request was at the sender.
    pub requested: Time,
    /// When the last byte reached the receiver.
    pub finished: Time,
    /// When the ACK for the last byte reaches the sender, which may be after the end of the run.
    pub acknowledged: Time,
}

impl Response {
    /// The response time.
    pub fn duration(self) -> Time {
        self.finished - self.requested
    }
}

/// What came of one of the connections.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    /// The responses: one, or two with an idle gap between them.
    pub responses: Vec<Response>,
    /// Packets sent.
    pub sent: u32,
    /// Of these, segments sent before.
    pub retransmissions: u32,
    /// Of these, packets that found the queue full.
    pub dropped: u32,
    /// Largest congestion window, in segments.
    pub peak_cwnd: f64,
}

impl Connection {
    /// The time of the first response, from the request to the last byte.
    pub fn duration(&self) -> Time {
        self.responses.first().map_or(Time::ZERO, |r| r.duration())
    }
}

/// All that came of a [`Scenario`]. What is not said to be about all connections is about the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What was run.
    pub scenario: Scenario,
    /// The path's round-trip time without a queue, in whole slots.
    pub base_rtt: Time,
    /// From a connection's SYN until the request is at the sender.
    pub set_up: Time,
    /// The longest round trip of any acknowledged packet; none where no ACK came back in time.
    pub worst_rtt: Option<Time>,
    /// The retransmission timeout in force at the end.
    pub rto: Time,
    /// ACKs that reached the senders of all connections.
    pub acks: u32,
    /// What came of each connection, the first one included.
    pub connections: Vec<Connection>,
    /// The sender's state whenever something happened on any connection, in time order.
    pub samples: Vec<Sample>,
    /// Every packet of all connections, in the order of sending.
    pub packets: Vec<Packet>,
    /// Every ACK of all connections, in the order of sending; those still on their way at the end too.
    pub replies: Vec<Reply>,
    /// What was decided on all connections, in time order.
    pub decisions: Vec<Logged>,
}

/// Runs a scenario.
///
/// # Errors
/// [`Invalid`], naming the first field that is out of range.
pub fn run(scenario: &Scenario) -> Result<Run, Invalid> {
    scenario.validate()?;
    Ok(Engine::new(scenario).run())
}

/// The same without samples and unchecked: for studies of many runs, which look at few figures of each.
pub(crate) fn unsampled(scenario: &Scenario) -> Run {
    Engine::unsampled(scenario).run()
}

impl Run {
    /// The responses: one, or two with an idle gap between them.
    pub fn responses(&self) -> &[Response] {
        &self.connections[0].responses
    }

    /// The first response.
    pub fn first(&self) -> Response {
        self.responses()[0]
    }

    /// The time of the first response, by the scenario's clock.
    pub fn time(&self) -> Time {
        match self.scenario.clock {
            Stopwatch::RequestToLastByte => self.first().duration(),
            Stopwatch::SynToLastAck => self.syn_to_last_ack(),
        }
    }

    /// From the first connection's SYN to its last byte's ACK at the sender; from the request where the
    /// connection is there already.
    pub fn syn_to_last_ack(&self) -> Time {
        self.set_up + self.first().acknowledged.saturating_sub(self.first().requested)
    }

    /// The time of the first response that took longest, over all connections.
    pub fn slowest_response(&self) -> Time {
        self.connections.iter().map(Connection::duration).max().unwrap_or(Time::ZERO)
    }

    /// Packets sent more than once, over all connections.
    pub fn retransmissions(&self) -> u32 {
        self.connections.iter().map(|c| c.retransmissions).sum()
    }

    /// Retransmissions in a hundred packets sent, over all connections.
    pub fn retransmission_rate_percent(&self) -> f64 {
        100.0 * f64::from(self.retransmissions()) / self.packets.len() as f64
    }

    /// Round trips the first response took: a packet is in the round after the latest one of which an
    /// ACK had come when it was sent.
    pub fn round_trips(&self) -> u32 {
        let segments = self.scenario.segments();
        let mine = |p: &&Packet| p.connection == 0 && p.segment < segments;
        let mut rounds: Vec<(Time, u32)> = Vec::with_capacity(segments as usize);
        let (mut answered, mut round) = (0, 0);
        for packet in self.packets.iter().filter(mine) {
            // Nothing overtakes, so that ACKs come in the order of sending.
            while let Some((acked, of)) = rounds.get(answered)
                && *acked <= packet.sent
            {
                round = round.max(*of);
                answered += 1;
            }
            rounds.extend(packet.acked.map(|acked| (acked, round + 1)));
        }
        round + 1
    }

    /// What was decided on the first connection.
    fn decisions_of_first(&self) -> impl Iterator<Item = &Logged> {
        self.decisions.iter().filter(|d| d.connection.is_none_or(|c| c == 0))
    }

    /// Where and why slow start ended, if it did.
    pub fn slow_start_exit(&self) -> Option<(ExitReason, f64)> {
        self.decisions_of_first().find_map(|d| match d.what {
            Decision::SlowStartEnded { reason, cwnd } => Some((reason, cwnd)),
            _ => None,
        })
    }

    /// Packets with this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.packets.iter().filter(|p| p.fate == fate).count()
    }

    /// The part of the first response's time in which the link was not transmitting it.
    pub fn link_idle(&self) -> Time {
        self.first().duration().saturating_sub(self.scenario.link_busy())
    }

    /// The window at a response's start: before and after what idleness took.
    fn window_at_second(&self) -> Option<(f64, f64)> {
        let begins = |d: &&Logged| matches!(d.what, Decision::Started { second: true, .. });
        let at = self.decisions_of_first().find(begins)?;
        let Decision::Started { cwnd, .. } = at.what else { return None };
        let decay = self.decisions_of_first().find_map(|d| match d.what {
            Decision::IdleRestart { cwnd_before, .. } => Some(cwnd_before),
            _ => None,
        });
        Some((decay.unwrap_or(cwnd), cwnd))
    }

    /// Where one of HyStart's tests ended slow start, if it was the one that did.
    fn exit_by(&self, test: &str) -> Figure {
        match self.slow_start_exit() {
            Some((reason, cwnd)) if reason.name() == test => Figure::Number(cwnd),
            _ => Figure::Absent("not fired"),
        }
    }
}

/// The figures of a [`Run`]; times in milliseconds, windows in segments.
pub const QUANTITIES: &[Quantity<Run>] = &[
    Quantity {
        key: "response_ms",
        label: "Response time",
        unit: Unit::Time,
        help: "From the request to the last byte at the receiver.",
        value: |r| ms(r.first().duration()),
    },
    Quantity {
        key: "link_busy_ms",
        label: "Link transmitting",
        unit: Unit::Time,
        help: "What the link needs for the response at its full rate.",
        value: |r| ms(r.scenario.link_busy()),
    },
    Quantity {
        key: "link_idle_ms",
        label: "Link idle",
        unit: Unit::Time,
        help: "The rest of the response time: the sender was waiting.",
        value: |r| ms(r.link_idle()),
    },
    Quantity {
        key: "link_used_percent",
        label: "Of link rate used",
        unit: Unit::Percent,
        help: "Size over response time, as a part of the link rate.",
        value: |r| {
            let possible = r.scenario.rate.bytes_in(r.first().duration());
            Figure::Number(100.0 * r.scenario.size.0 as f64 / possible)
        },
    },
    Quantity {
        key: "segments",
        label: "Segments",
        unit: Unit::Segments,
        help: "Segments of 1,448 bytes in the response.",
        value: |r| Figure::Number(r.scenario.segments().into()),
    },
    Quantity {
        key: "ideal_round_trips",
        label: "Round trips by doubling",
        unit: Unit::RoundTrips,
        help: "What doubling alone needs: ceil(log2(S / IW + 1)) for S segments from an initial window of IW.",
        value: |r| Figure::Number(r.scenario.ideal_round_trips().into()),
    },
    Quantity {
        key: "measured_round_trips",
        label: "Round trips measured",
        unit: Unit::RoundTrips,
        help: "The response time in round-trip times.",
        value: |r| Figure::Number(r.first().duration().as_secs() / r.base_rtt.as_secs()),
    },
    Quantity {
        key: "peak_cwnd",
        label: "Peak window",
        unit: Unit::Segments,
        help: "The largest congestion window that anything was sent under; the last ACKs of a response may open it further.",
        value: |r| Figure::Number(r.connections[0].peak_cwnd),
    },
    Quantity {
        key: "bdp_segments",
        label: "BDP",
        unit: Unit::Packets,
        help: "Bandwidth-delay product: packets that fill the path with an empty queue.",
        value: |r| Figure::Number(r.scenario.bdp_packets().round()),
    },
    Quantity {
        key: "buffer_packets",
        label: "Buffer",
        unit: Unit::Packets,
        help: "Packets the bottleneck holds, the one in service included.",
        value: |r| Figure::Number(r.scenario.buffer_packets().into()),
    },
    Quantity {
        key: "dropped",
        label: "Packets dropped",
        unit: Unit::Packets,
        help: "Packets the full queue threw away, of all connections, and those lost on purpose.",
        value: |r| Figure::Number((r.count(Fate::QueueDrop) + r.count(Fate::Lost)) as f64),
    },
    Quantity {
        key: "worst_rtt_ms",
        label: "Worst round-trip time",
        unit: Unit::Time,
        help: "The longest round trip that an ACK taken by the sender reported.",
        value: |r| r.worst_rtt.map_or(Figure::Absent("none seen"), ms),
    },
    Quantity {
        key: "slow_start_exit_reason",
        label: "Slow start ended by",
        unit: Unit::Text,
        help: "ack-train and delay-increase are HyStart's tests; none where the response was over first.",
        value: |r| match r.slow_start_exit() {
            Some((reason, _)) => Figure::Text(reason.name()),
            None => Figure::Absent("not ended"),
        },
    },
    Quantity {
        key: "slow_start_exit_cwnd",
        label: "Window as slow start ended",
        unit: Unit::Segments,
        help: "The congestion window slow start left.",
        value: |r| match r.slow_start_exit() {
            Some((_, cwnd)) => Figure::Number(cwnd.round()),
            None => Figure::Absent("not ended"),
        },
    },
    Quantity {
        key: "ack_train_ms",
        label: "ACK train",
        unit: Unit::Time,
        help: "How long the round's ACKs had been arriving when HyStart's train test fired.",
        value: |r| match r.slow_start_exit() {
            Some((ExitReason::AckTrain { train, .. }, _)) => ms(train),
            _ => Figure::Absent("not fired"),
        },
    },
    Quantity {
        key: "rto_ms",
        label: "RTO in force",
        unit: Unit::Time,
        help: "The retransmission timeout at the end: 1 s without a sample, else made of srtt and rttvar as the model has it, at least 200 ms.",
        value: |r| ms(r.rto),
    },
    Quantity {
        key: "second_response_ms",
        label: "Second request",
        unit: Unit::Time,
        help: "Response time of the second request on the same connection.",
        value: |r| r.responses().get(1).map_or(Figure::Absent("none"), |r| ms(r.duration())),
    },
    Quantity {
        key: "queue_drops",
        label: "Dropped by the queue",
        unit: Unit::Packets,
        help: "Packets the full queue threw away.",
        value: |r| Figure::Number(r.count(Fate::QueueDrop) as f64),
    },
    Quantity {
        key: "retransmissions",
        label: "Retransmissions",
        unit: Unit::Packets,
        help: "Segments sent more than once, probes that repeat one included.",
        value: |r| Figure::Number(r.retransmissions().into()),
    },
    Quantity {
        key: "tail_loss_probes",
        label: "Tail loss probes",
        unit: Unit::Times,
        help: "How often a packet was sent to provoke an answer after a silence.",
        value: |r| {
            let probe = |d: &&Logged| matches!(d.what, Decision::ProbeSent { .. });
            Figure::Number(r.decisions.iter().filter(probe).count() as f64)
        },
    },
    Quantity {
        key: "timeouts",
        label: "Timeouts",
        unit: Unit::Times,
        help: "How often the retransmission timer ran out.",
        value: |r| {
            let timeout = |d: &&Logged| matches!(d.what, Decision::Timeout { .. });
            Figure::Number(r.decisions.iter().filter(timeout).count() as f64)
        },
    },
    Quantity {
        key: "acks",
        label: "ACKs",
        unit: Unit::Packets,
        help: "ACKs that reached the sender.",
        value: |r| Figure::Number(r.acks.into()),
    },
    Quantity {
        key: "cwnd_at_end",
        label: "Window at the end",
        unit: Unit::Segments,
        help: "The congestion window as the run ended, with which a next response would start.",
        value: |r| r.samples.last().map_or(Figure::Absent("none"), |s| Figure::Number(s.cwnd)),
    },
    Quantity {
        key: "ssthresh_at_end",
        label: "Threshold at the end",
        unit: Unit::Segments,
        help: "The slow start threshold as the run ended.",
        value: |r| match r.samples.last() {
            Some(s) if s.ssthresh.is_finite() => Figure::Number(s.ssthresh),
            _ => Figure::Absent("infinite"),
        },
    },
    Quantity {
        key: "cwnd_before_second",
        label: "Window before the second",
        unit: Unit::Segments,
        help: "The congestion window the connection had as the idle time ended.",
        value: |r| r.window_at_second().map_or(Figure::Absent("none"), |w| Figure::Number(w.0)),
    },
    Quantity {
        key: "cwnd_at_second",
        label: "Window at the second",
        unit: Unit::Segments,
        help: "What idleness left of it.",
        value: |r| r.window_at_second().map_or(Figure::Absent("none"), |w| Figure::Number(w.1)),
    },
    Quantity {
        key: "hystart_train_exit_cwnd",
        label: "HyStart train fired at",
        unit: Unit::Segments,
        help: "The congestion window at which HyStart's train test ended slow start.",
        value: |r| r.exit_by("ack-train"),
    },
    Quantity {
        key: "hystart_delay_exit_cwnd",
        label: "HyStart delay fired at",
        unit: Unit::Segments,
        help: "The congestion window at which HyStart's delay test ended slow start.",
        value: |r| r.exit_by("delay-increase"),
    },
    Quantity {
        key: "data_round_trips",
        label: "Round trips of data",
        unit: Unit::RoundTrips,
        help: "Rounds of sending and hearing of it that the response took, the last one in part.",
        value: |r| Figure::Number(r.round_trips().into()),
    },
    Quantity {
        key: "set_up_ms",
        label: "Set-up",
        unit: Unit::Time,
        help: "From the SYN until the request is at the sender; not part of the response time.",
        value: |r| ms(r.set_up),
    },
    Quantity {
        key: "syn_to_last_ack_ms",
        label: "SYN to last ACK",
        unit: Unit::Time,
        help: "From the client's SYN to the last byte's ACK at the sender; from the request where the connection is there already.",
        value: |r| ms(r.syn_to_last_ack()),
    },
    Quantity {
        key: "slowest_response_ms",
        label: "Slowest response",
        unit: Unit::Time,
        help: "The longest response time of all connections.",
        value: |r| ms(r.slowest_response()),
    },
    Quantity {
        key: "retransmission_rate_percent",
        label: "Retransmission rate",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets sent, over all connections.",
        value: |r| Figure::Number(r.retransmission_rate_percent()),
    },
];
