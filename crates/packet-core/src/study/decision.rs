//! What happened with each of a few initial windows.

use crate::decision;
use crate::logged::{self, Told};
use crate::slow_start;
use crate::units::{Time, grouped};
use std::fmt;

/// One event worth a line in the log of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The initial window, in segments.
    pub window: u32,
    /// How many connections begin with it.
    pub connections: u32,
    /// What happened.
    pub event: Event,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The first packet found the queue full.
    DropsBegin {
        /// How many packets found it full in the whole run.
        dropped: u32,
        /// How many were sent.
        sent: u32,
        /// How many packets the queue holds.
        buffer: u32,
    },
    /// A retransmission timer ran out for the first time.
    TimerRanOut {
        /// The timeout it was armed with.
        rto: Time,
    },
    /// The last byte of the last connection arrived.
    Delivered {
        /// Segments of each response.
        segments: u32,
        /// Round trips of data of the first one.
        round_trips: u32,
        /// By how many round trips a single connection is quicker than with the current window, and what
        /// that is; nothing where it is the current one, or where there are more connections.
        fewer: Option<(i32, u32)>,
    },
}

/// An event and its moment.
pub type Logged = logged::Logged<Decision>;

/// Tells what happened in a run of one window, in time order.
pub(super) fn tell(run: &slow_start::Run, log: &mut Vec<Logged>) {
    let slow_start::Scenario { initial_window, connections, .. } = run.scenario;
    let mut add = |at, event| {
        let what = Decision { window: initial_window, connections, event };
        let place = log.partition_point(|logged| logged.at <= at);
        log.insert(place, Logged { at, connection: None, what });
    };
    let (mut drops, mut timers) = (None, None);
    for logged in &run.decisions {
        match logged.what {
            decision::Decision::QueueOverflow { buffer, .. } => {
                drops.get_or_insert((logged.at, buffer));
            }
            decision::Decision::Timeout { rto, .. } => {
                timers.get_or_insert((logged.at, rto));
            }
            _ => {}
        }
    }
    if let Some((at, buffer)) = drops {
        let dropped = run.connections.iter().map(|c| c.dropped).sum();
        add(at, Event::DropsBegin { dropped, sent: run.packets.len() as u32, buffer });
    }
    if let Some((at, rto)) = timers {
        add(at, Event::TimerRanOut { rto });
    }
    let last = run.connections.iter().filter_map(|c| c.responses.first()).map(|r| r.finished).max();
    let (segments, round_trips) = (run.scenario.segments(), run.round_trips());
    add(last.unwrap_or_default(), Event::Delivered { segments, round_trips, fewer: None });
}

/// Says of each window by how many round trips a single connection is quicker than with `current`.
pub(super) fn compare(log: &mut [Logged], current: u32) {
    let round_trips = |what: &Decision| match what.event {
        Event::Delivered { round_trips, .. } if what.connections == 1 => Some(round_trips as i32),
        _ => None,
    };
    let of_current = |logged: &&Logged| logged.what.window == current;
    let now = log.iter().filter(of_current).find_map(|logged| round_trips(&logged.what));
    for what in log.iter_mut().map(|logged| &mut logged.what).filter(|what| what.window != current)
    {
        let by = now.zip(round_trips(what)).map(|(now, then)| (now - then, current));
        if let Event::Delivered { fewer, .. } = &mut what.event {
            *fewer = by;
        }
    }
}

fn plural(n: u32, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(n.into()))
}

impl Told for Decision {
    fn is_loss(&self) -> bool {
        !matches!(self.event, Event::Delivered { .. })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decision { window, connections, event } = self;
        write!(f, "Window {window}")?;
        if *connections > 1 {
            write!(f, ", {connections} at once")?;
        }
        match event {
            Event::DropsBegin { dropped, sent, buffer } => write!(
                f,
                ": the queue is full at {}; from here on {} of {} sent are dropped",
                plural(*buffer, "packet"),
                grouped((*dropped).into()),
                grouped((*sent).into())
            ),
            Event::TimerRanOut { rto } => {
                write!(f, ": nothing came back for {rto}, and the retransmission timer runs out")
            }
            Event::Delivered { .. } if *connections > 1 => {
                write!(f, ": the last byte of the slowest arrives")
            }
            Event::Delivered { segments, round_trips, fewer } => {
                let (segments, trips) =
                    (plural(*segments, "segment"), plural(*round_trips, "round trip"));
                write!(f, ": {segments} are there after {trips}")?;
                match fewer {
                    Some((0, than)) => write!(f, ", as many as from {than}"),
                    Some((n, than)) => {
                        let word = if *n > 0 { "fewer" } else { "more" };
                        write!(f, ", {} {word} than from {than}", n.abs())
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::assumptions::Preset;
    use crate::study::{Scenario, run};
    use crate::units::{Bytes, Rate};

    fn log(scenario: &Scenario) -> Vec<String> {
        let run = run(scenario).expect("allowed");
        assert!(run.decisions.is_sorted_by_key(|logged| logged.at));
        run.decisions.iter().map(|logged| format!("{} {logged}", logged.at)).collect()
    }

    #[test]
    fn the_log_tells_where_a_round_trip_is_saved_and_where_drops_begin() {
        let lines = log(&Scenario { other: None, ..Scenario::of(Preset::Linux) });
        let expected = [
            "0 ms Window 32, 4 at once: the queue is full at 66 packets; from here on 62 of 190 sent are dropped",
            "118 ms Window 32: 32 segments are there after 1 round trip, 2 fewer than from 10",
            "210 ms Window 10: 32 segments are there after 3 round trips",
            "350 ms Window 10, 4 at once: the last byte of the slowest arrives",
            "1.05 s Window 32, 4 at once: the last byte of the slowest arrives",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn one_connection_has_a_line_for_each_window() {
        let mut scenario = Scenario::default();
        scenario.common.connections = 1;
        scenario.common.rate = Rate::mbps(100);
        scenario.common.size = Bytes::kb(14);
        let lines = log(&scenario);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[2].ends_with("after 3 round trips, 2 more than from 10"), "{lines:?}");
        assert!(lines[0].ends_with("1 round trip, as many as from 10"), "{lines:?}");
    }
}
