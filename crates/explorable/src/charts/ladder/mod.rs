//! The packets of a run in space and time: down from the sender to the receiver, ACKs back up.
//!
//! The sender is at height 0, the receiver at 1. The bottleneck's queue stands on the link's line at
//! [`LINK`], each packet at its place in it: a packet joins the tail, moves down as those before it leave,
//! and then travels to the receiver. [`thin`] chooses what is drawn of this, [`draw`] paints it.

mod draw;
mod picture;
mod thin;

pub use draw::{Canvases, Picked};

use packet_core::sender::Kind;
use packet_core::trace::{Fate, Packet, Reply};
use packet_core::units::{Time, grouped};
use thin::Scale;

/// Where packets leave the bottleneck.
const LINK: f64 = 0.27;
/// Where the tail of the run's longest queue is.
const TAIL: f64 = 0.06;
/// A queue shorter than this many packets is drawn as low as it is.
const LEAST_QUEUE: f64 = 8.0;
/// A packet this close to a pointer is meant by it, in CSS pixels.
const REACH: f64 = 9.0;

/// What is travelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An ACK.
    Ack,
    /// A segment's first transmission.
    Data,
    /// A segment again, after a loss.
    Again,
    /// A segment sent to provoke an answer.
    Probe,
    /// A packet that found the queue full.
    Dropped,
    /// A packet lost on purpose.
    Lost,
}

impl Class {
    /// All of them, from back to front.
    const ALL: [Class; 6] =
        [Class::Ack, Class::Data, Class::Again, Class::Probe, Class::Dropped, Class::Lost];

    /// Whether it never leaves the bottleneck.
    fn is_loss(self) -> bool {
        matches!(self, Class::Dropped | Class::Lost)
    }
}

/// The way of one packet or ACK; times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// What it is.
    pub class: Class,
    /// The connection it belongs to, counted from 1; none where there is one only.
    pub connection: Option<u8>,
    /// The segment it carries; for an ACK, everything below it has arrived.
    pub segment: u32,
    /// Whether it can be lost on purpose.
    pub can_be_lost: bool,
    sent: f64,
    /// When it left the bottleneck; for an ACK and for what is lost, when it was sent.
    left: f64,
    arrived: f64,
    /// Packets in the queue before it.
    place: u32,
}

impl Flight {
    /// What it is and what became of it, in words.
    fn describe(&self) -> String {
        let mut name = format!("packet {}", grouped(f64::from(self.segment) + 1.0));
        if let Some(connection) = self.connection {
            name = format!("connection {connection}, {name}");
        }
        match self.class {
            Class::Again => name += ", sent again",
            Class::Probe => name += " as a probe",
            _ => {}
        }
        let ms = |t: f64| packet_core::units::milliseconds(t);
        match self.class {
            Class::Dropped => format!("{name}: dropped by the full queue at {}", ms(self.sent)),
            Class::Lost => format!("{name}: lost on purpose at {}", ms(self.sent)),
            _ => {
                format!(
                    "{name}: {} in the queue, arrives at {}",
                    ms(self.left - self.sent),
                    ms(self.arrived)
                )
            }
        }
    }
}

/// What is on its way at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnTheWay {
    /// Packets between the link and the receiver.
    pub packets: usize,
    /// ACKs between the receiver and the sender.
    pub acks: usize,
    /// Packets at the bottleneck.
    pub queued: usize,
}

impl std::fmt::Display for OnTheWay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OnTheWay { packets, acks, queued } = self;
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let count = |n: usize| grouped(n as f64);
        write!(
            f,
            "in the air: {} packet{}, {} ACK{}; in the queue: {}",
            count(*packets),
            s(*packets),
            count(*acks),
            s(*acks),
            count(*queued)
        )
    }
}

/// Everything that travels in a run.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The packets, in the order of sending.
    flights: Vec<Flight>,
    /// Those of them that leave the bottleneck. They never overtake each other.
    through: Vec<u32>,
    acks: Vec<Flight>,
    /// Packets the full height of the queue stands for.
    queue: f64,
    /// The longest way of any packet.
    longest: f64,
    /// Whether any packet has to wait.
    waits: bool,
}

impl Ladder {
    /// The ways of `packets`, of which new ones of the first `losable` segments can be lost on purpose, and
    /// of their `replies`. `one_way` is the time from the link to the receiver.
    pub fn new(packets: &[Packet], replies: &[Reply], one_way: Time, losable: u32) -> Ladder {
        let mut flights = Vec::with_capacity(packets.len());
        let mut through: Vec<u32> = Vec::with_capacity(packets.len());
        // The first of `through` that has not left the bottleneck yet.
        let mut head = 0;
        let (mut deepest, mut longest, mut waits) = (0, 0.0f64, false);
        let is_shared = packets.iter().any(|p| p.connection > 0);
        let connection = |index: u8| is_shared.then_some(index + 1);
        for (i, p) in packets.iter().enumerate() {
            while through.get(head).is_some_and(|f| packets[*f as usize].departed <= Some(p.sent)) {
                head += 1;
            }
            let place = (through.len() - head) as u32;
            let class = match (p.fate, p.kind) {
                (Fate::QueueDrop, _) => Class::Dropped,
                (Fate::Lost, _) => Class::Lost,
                (_, Kind::New) => Class::Data,
                (_, Kind::Retransmission) => Class::Again,
                (_, Kind::Probe) => Class::Probe,
            };
            let left = p.departed.unwrap_or(p.sent);
            let arrived = p.delivered.or(p.departed.map(|d| d + one_way)).unwrap_or(p.sent);
            if p.departed.is_some() {
                through.push(i as u32);
                deepest = deepest.max(place + 1);
            }
            waits |= left > p.sent;
            longest = longest.max((arrived - p.sent).as_millis());
            flights.push(Flight {
                class,
                connection: connection(p.connection),
                segment: p.segment,
                can_be_lost: p.kind == Kind::New && p.connection == 0 && p.segment < losable,
                sent: p.sent.as_millis(),
                left: left.as_millis(),
                arrived: arrived.as_millis(),
                place,
            });
        }
        let ack = |r: &Reply| Flight {
            class: Class::Ack,
            connection: connection(r.connection),
            segment: r.cumulative,
            can_be_lost: false,
            sent: r.sent.as_millis(),
            left: r.sent.as_millis(),
            arrived: r.due.as_millis(),
            place: 0,
        };
        let acks = replies.iter().map(ack).collect();
        Ladder {
            flights,
            through,
            acks,
            queue: f64::from(deepest).max(LEAST_QUEUE),
            longest,
            waits,
        }
    }

    /// What is on its way at `t` milliseconds.
    pub fn at(&self, t: f64) -> OnTheWay {
        let by = |time: fn(&Flight) -> f64| {
            self.through.partition_point(|i| time(&self.flights[*i as usize]) <= t)
        };
        let (sent, left, arrived) = (by(|f| f.sent), by(|f| f.left), by(|f| f.arrived));
        let replied = self.acks.partition_point(|a| a.sent <= t);
        let acked = self.acks.partition_point(|a| a.arrived <= t);
        OnTheWay { packets: left - arrived, acks: replied - acked, queued: sent - left }
    }

    /// The packets and ACKs on their way at `t`, each kind in the order of sending.
    fn on_the_way(&self, t: f64) -> impl Iterator<Item = &Flight> {
        let of = |list: &[Flight], longest: f64| {
            let first = list.partition_point(|f| f.sent < t - longest);
            first..list.partition_point(|f| f.sent <= t)
        };
        let way_back = self.acks.first().map_or(0.0, |a| a.arrived - a.sent + 1.0);
        let (data, acks) = (of(&self.flights, self.longest), of(&self.acks, way_back));
        self.flights[data].iter().chain(&self.acks[acks])
    }

    /// What a reader is told of a packet, by its place in the order of sending.
    pub fn pick(&self, index: usize) -> Option<Picked> {
        let flight = self.flights.get(index)?;
        Some(Picked {
            index,
            segment: flight.segment,
            can_be_lost: flight.can_be_lost,
            is_lost: flight.class == Class::Lost,
            text: flight.describe(),
        })
    }

    /// The moment at which a packet is sent.
    pub fn sent(&self, index: usize) -> Option<f64> {
        self.flights.get(index).map(|f| f.sent)
    }

    /// The packet whose way is nearest to a point at `t` milliseconds and height `y`, unless none is near.
    /// `height` is that of the diagram in CSS pixels.
    fn near(&self, t: f64, y: f64, scale: Scale, height: f64) -> Option<usize> {
        let slack = REACH * (scale.to - scale.from) / scale.width;
        let first = self.flights.partition_point(|f| f.sent < t - self.longest - slack);
        let end = self.flights.partition_point(|f| f.sent <= t + slack);
        let point = (scale.x(t), y * height);
        let distance = |f: &Flight| {
            let way = self.way(f).map(|(t, y)| (scale.x(t), y * height));
            way.windows(2).map(|w| distance(point, w[0], w[1])).fold(f64::INFINITY, f64::min)
        };
        let near = (first..end).map(|i| (distance(&self.flights[i]), i));
        near.filter(|n| n.0 <= REACH).min_by(|a, b| a.0.total_cmp(&b.0)).map(|n| n.1)
    }

    /// The packet sent last at `t` or before.
    pub fn last_sent(&self, t: f64) -> Option<usize> {
        self.flights.partition_point(|f| f.sent <= t + 1e-9).checked_sub(1)
    }

    /// The corners of a way: time and height.
    fn way(&self, f: &Flight) -> [(f64, f64); 4] {
        if f.class == Class::Ack {
            return [(f.sent, 1.0), (f.sent, 1.0), (f.sent, 1.0), (f.arrived, 0.0)];
        }
        let tail = match f.class {
            Class::Lost => LINK,
            _ => LINK - (LINK - TAIL) * (f64::from(f.place) / self.queue).min(1.0),
        };
        if f.class.is_loss() {
            return [(f.sent, 0.0), (f.sent, tail), (f.sent, tail), (f.sent, tail)];
        }
        [(f.sent, 0.0), (f.sent, tail), (f.left, LINK), (f.arrived, 1.0)]
    }

    /// The height of a flight at `t`, while it is on its way.
    fn height(&self, f: &Flight, t: f64) -> Option<f64> {
        if t < f.sent || t >= f.arrived {
            return None;
        }
        let way = self.way(f);
        let leg = way.windows(2).rfind(|w| w[0].0 <= t && w[1].0 > w[0].0)?;
        let part = (t - leg[0].0) / (leg[1].0 - leg[0].0);
        Some(leg[0].1 + part.min(1.0) * (leg[1].1 - leg[0].1))
    }

    /// Rows for a table of the packets on their way between two moments, at most so many, and how many
    /// packets those are.
    pub fn rows(&self, from: f64, to: f64, most: usize) -> (Vec<[String; 6]>, usize) {
        let ms = |t: f64| format!("{t:.1}");
        let seen = self.flights.iter().filter(|f| f.sent <= to && f.arrived >= from);
        let row = |f: &Flight| {
            let kind = match f.class {
                Class::Again => "again",
                Class::Probe => "probe",
                _ => "first",
            };
            let (left, arrived) = match f.class {
                Class::Dropped => ("–".to_owned(), "dropped by the full queue".to_owned()),
                Class::Lost => ("–".to_owned(), "lost on purpose".to_owned()),
                _ => (ms(f.left), ms(f.arrived)),
            };
            let number = grouped(f64::from(f.segment) + 1.0);
            let number =
                f.connection.map_or(number.clone(), |c| format!("{number} of connection {c}"));
            [number, kind.to_owned(), ms(f.sent), f.place.to_string(), left, arrived]
        };
        (seen.clone().take(most).map(row).collect(), seen.count())
    }
}

/// From a point to a stretch of line.
fn distance(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = if length == 0.0 { 0.0 } else { ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length };
    let along = along.clamp(0.0, 1.0);
    (p.0 - a.0 - along * dx).hypot(p.1 - a.1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::slow_start::scenario::Loss;
    use packet_core::units::Bytes;
    use packet_core::{Scenario, run};

    pub(super) fn ladder(scenario: &Scenario) -> (packet_core::Run, Ladder) {
        let run = run(scenario).expect("an allowed scenario");
        let one_way = Time(run.base_rtt.0 / 2);
        let ladder = Ladder::new(&run.packets, &run.replies, one_way, scenario.segments());
        (run, ladder)
    }

    pub(super) fn overflowing() -> Scenario {
        Scenario { size: Bytes::mb(4), hystart: false, buffer: Some(300), ..Scenario::default() }
    }

    #[test]
    fn the_queue_is_as_long_as_the_run_says() {
        for scenario in [Scenario::default(), overflowing()] {
            let (run, ladder) = ladder(&scenario);
            for s in &run.samples {
                let on = ladder.at(s.at.as_millis());
                assert_eq!(on.queued, s.queue as usize, "{:?}", s.at);
            }
        }
    }

    #[test]
    fn all_that_was_sent_is_somewhere() {
        let (_, ladder) = ladder(&overflowing());
        for t in (0..2000).map(f64::from) {
            let on = ladder.at(t);
            let sent = ladder.flights.iter().filter(|f| !f.class.is_loss() && f.sent <= t).count();
            let arrived = ladder.flights.iter().filter(|f| !f.class.is_loss() && f.arrived <= t);
            assert_eq!(on.packets + on.queued + arrived.count(), sent, "{t} ms");
        }
    }

    #[test]
    fn a_packet_joins_the_tail_and_ends_at_the_receiver() {
        let (_, ladder) = ladder(&overflowing());
        for f in ladder.flights.iter().filter(|f| !f.class.is_loss()) {
            let heights = ladder.way(f).map(|corner| corner.1);
            assert!(heights.is_sorted() && heights[3] == 1.0, "{f:?}");
            let mut before = -1.0;
            for t in (0..50).map(|i| f.sent + (f.arrived - f.sent) * f64::from(i) / 50.0) {
                let height = ladder.height(f, t).expect("it is on its way");
                assert!(height >= before, "{f:?} at {t}");
                before = height;
            }
        }
    }

    #[test]
    fn the_packet_under_the_pointer_is_found() {
        let scenario = Scenario {
            size: Bytes::kb(14),
            loss: Loss::None.toggled(4, 10),
            ..Scenario::default()
        };
        let (_, ladder) = ladder(&scenario);
        let scale = Scale { from: 0.0, to: 200.0, width: 500.0 };
        let fifth = ladder.flights[4];
        let middle = (fifth.left + fifth.arrived) / 2.0;
        let found = ladder.near(middle, (LINK + 1.0) / 2.0, scale, 300.0);
        assert_eq!(found, Some(4));
        assert_eq!(ladder.near(150.0, 0.1, scale, 300.0), None);
        assert_eq!(ladder.flights[3].class, Class::Lost);
        assert_eq!(ladder.last_sent(fifth.sent), Some(4));
    }
}
