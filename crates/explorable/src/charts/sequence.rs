//! The time-sequence graph, in the conventions of tcptrace: each segment where and when it was sent,
//! below them what is acknowledged, above them how far the window allows.

use super::chart::{Chart, Mark, Role, Series, Stroke};
use packet_core::Run;
use packet_core::assumptions::TrailingAcks;
use packet_core::sender::Kind;
use packet_core::trace::{Fate, Packet};

/// The graph of a run; of several connections, the first one's.
pub fn chart(run: &Run) -> Chart {
    let marks = |label, role, mark, wanted: fn(&Packet) -> bool| Series {
        label,
        role,
        stroke: Stroke::Marks(mark),
        points: run.packets.iter().filter(|p| p.connection == 0 && wanted(p)).map(place).collect(),
    };
    let is_lost = |p: &Packet| matches!(p.fate, Fate::QueueDrop | Fate::Lost);
    let acked = acknowledged(run);
    let mut series = vec![
        Series {
            label: "window limit",
            role: Role::Limit,
            stroke: Stroke::Step,
            points: limit(run, &acked),
        },
        Series { label: "acknowledged", role: Role::Second, stroke: Stroke::Step, points: acked },
        marks("sent", Role::Accent, Mark::Tick, |p| p.kind == Kind::New),
        marks("R again", Role::Loss, Mark::Again, |p| p.kind == Kind::Retransmission),
        marks("P probe", Role::Limit, Mark::Probe, |p| p.kind == Kind::Probe),
        marks("× lost", Role::Loss, Mark::Cross, is_lost),
    ];
    // What has not happened needs no name.
    series.retain(|s| !s.points.is_empty());
    Chart {
        title: if run.scenario.connections > 1 {
            "Segments of connection 1 by number; the window limit is what is acknowledged and cwnd above it"
        } else {
            "Segments by number; the window limit is what is acknowledged and cwnd above it"
        },
        unit: "",
        series,
        levels: Vec::new(),
        y_max: None,
    }
}

fn place(p: &Packet) -> (f64, f64) {
    (p.sent.as_millis(), f64::from(p.segment) + 1.0)
}

/// Below which segment everything is acknowledged, over time.
fn acknowledged(run: &Run) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, 0.0)];
    let mut highest = 0;
    // Where the end of a response discards its last ACKs, the next one begins as if they had come.
    let discards = run.scenario.assumptions.trailing_acks == TrailingAcks::Discarded;
    let second = run.responses().get(1).filter(|_| discards).map(|r| r.requested);
    let mut all = second.map(|at| (at, run.scenario.segments()));
    for reply in run.replies.iter().filter(|reply| reply.connection == 0) {
        if let Some((at, segments)) = all.take_if(|(at, _)| *at <= reply.due) {
            highest = highest.max(segments);
            points.push((at.as_millis(), f64::from(highest)));
        }
        if reply.cumulative > highest {
            highest = reply.cumulative;
            points.push((reply.due.as_millis(), f64::from(highest)));
        }
    }
    points
}

/// How far the window allows to send: it begins where the acknowledged segments end.
fn limit(run: &Run, acked: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut next = 0;
    let mut edge = 0.0;
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(run.samples.len());
    for s in &run.samples {
        let at = s.at.as_millis();
        while let Some(point) = acked.get(next).filter(|p| p.0 <= at) {
            edge = point.1;
            next += 1;
        }
        points.push((at, edge + s.cwnd.floor()));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::units::{Bytes, Time};
    use packet_core::{Scenario, run};

    fn series<'a>(chart: &'a Chart, label: &str) -> &'a Series {
        chart.series.iter().find(|s| s.label == label).expect("there is one")
    }

    #[test]
    fn new_data_lies_between_what_is_acknowledged_and_the_window_limit() {
        for idle in [None, Some(Time::millis(20)), Some(Time::secs(1))] {
            let scenario = Scenario { size: Bytes::kb(300), idle, ..Scenario::default() };
            let chart = chart(&run(&scenario).expect("an allowed scenario"));
            let (limit, acked) = (series(&chart, "window limit"), series(&chart, "acknowledged"));
            for (at, segment) in &series(&chart, "sent").points {
                let below = acked.at(*at).expect("it begins at 0");
                let above = limit.at(*at).expect("it begins at 0");
                assert!(below < *segment && *segment <= above, "{below} {segment} {above} at {at}");
            }
        }
    }

    #[test]
    fn every_packet_has_its_mark() {
        let scenario = Scenario {
            size: Bytes::mb(4),
            hystart: false,
            buffer: Some(300),
            ..Scenario::default()
        };
        let run = run(&scenario).expect("an allowed scenario");
        let chart = chart(&run);
        let marks = |s: &&Series| matches!(s.stroke, Stroke::Marks(m) if m != Mark::Cross);
        let drawn: usize = chart.series.iter().filter(marks).map(|s| s.points.len()).sum();
        assert_eq!(drawn, run.packets.len());
        let lost = run.count(Fate::QueueDrop) + run.count(Fate::Lost);
        assert_eq!(series(&chart, "× lost").points.len(), lost);
        for s in &chart.series {
            assert!(s.points.is_sorted_by(|a, b| a.0 <= b.0), "{}", s.label);
        }
    }
}
