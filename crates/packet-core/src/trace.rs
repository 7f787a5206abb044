//! What a run leaves behind for charts and tables.

use crate::sender::Kind;
use crate::units::Time;
use serde::Serialize;
use std::fmt::Write;

/// The state of the first connection's sender and of the queue at the end of a slot in which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// When.
    pub at: Time,
    /// Congestion window, in segments.
    pub cwnd: f64,
    /// Slow start threshold, in segments; infinite until something lowers it.
    pub ssthresh: f64,
    /// Packets in flight as the sender counts them.
    pub in_flight: u32,
    /// Packets at the bottleneck, the one in service included.
    pub queue: u32,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Not at the receiver yet when the run ended.
    InFlight,
    /// It reached the receiver.
    Delivered,
    /// The queue was full.
    QueueDrop,
    /// Lost on purpose.
    Lost,
}

/// One packet on its way. Times are since the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Packet {
    /// The connection it belongs to, counted from 0.
    pub connection: u8,
    /// The segment it carries, counted from the first one of the connection.
    pub segment: u32,
    /// Why it was sent.
    #[serde(serialize_with = "kind_name")]
    pub kind: Kind,
    /// What became of it.
    pub fate: Fate,
    /// When it left the sender.
    pub sent: Time,
    /// When it left the bottleneck.
    pub departed: Option<Time>,
    /// When it reached the receiver.
    pub delivered: Option<Time>,
    /// When its ACK reached the sender.
    pub acked: Option<Time>,
}

/// One ACK on its way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The connection it belongs to, counted from 0.
    pub connection: u8,
    /// When it left the receiver.
    pub sent: Time,
    /// When it reaches the sender, unless the run is over by then.
    pub due: Time,
    /// Everything below this segment has arrived.
    pub cumulative: u32,
}

/// A short name, for tables.
pub fn kind_str(kind: Kind) -> &'static str {
    match kind {
        Kind::New => "new",
        Kind::Retransmission => "retransmission",
        Kind::Probe => "probe",
    }
}

fn kind_name<S: serde::Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind_str(*kind))
}

/// The samples as comma-separated values: a header, then `time_ms,cwnd,ssthresh,in_flight,queue`; an
/// infinite ssthresh is empty.
pub fn samples_csv(samples: &[Sample]) -> String {
    let mut csv = String::from("time_ms,cwnd,ssthresh,in_flight,queue\n");
    for s in samples {
        let ssthresh =
            if s.ssthresh.is_finite() { format!("{:.3}", s.ssthresh) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(
            csv,
            "{},{:.3},{ssthresh},{},{}",
            s.at.as_millis(),
            s.cwnd,
            s.in_flight,
            s.queue
        );
    }
    csv
}
