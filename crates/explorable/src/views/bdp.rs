//! The bandwidth-delay-product panel: what it shows of a run.

use crate::charts::chart::{Axis, Chart, Level, Plot, Role, Series, Stroke};
use crate::panel::view::{Hero, Readout, Table, View, readout};
use packet_core::Model;
use packet_core::bdp::{BandwidthDelay, LimitedBy, Run, Scenario, SizingRule, SweepPoint, buffers};
use packet_core::units::{Bytes, MSS, Unit, grouped};

/// Windows the sweep is run with.
const SWEEP_POINTS: usize = 200;
/// Round trips on the time axis; the first chart's title says so.
const SHOWN_ROUND_TRIPS: u64 = 24;

impl View for BandwidthDelay {
    const NAME: &'static str = "bdp";
    const PREFIX: &'static str = "bdp-";
    const HERO: &'static str = "goodput";
    const FIGURE: &'static str = "goodput_mbps";
    const COMMAND: &'static str = "bdp";
    const TELLING: &'static [&'static str] = &["rtt_ms", "dropped_percent", "window_kb"];
    const SUMMARY: &'static str = "A packet model of one flow with a fixed send window across one \
        path. The controls set the window, the path and how the window is chosen; goodput, \
        round-trip time and loss follow at once.";

    fn hero(run: &Run) -> Hero {
        let show = |key| Self::quantity(key).map_or(String::new(), |q| q.show(run));
        let (window, rtt) = (run.window, show("rtt_ms"));
        let verdict = match run.limited_by() {
            LimitedBy::Window => {
                format!("the hop is idle {} of the time", show("hop_idle_percent"))
            }
            LimitedBy::Link => "your own link is full".to_owned(),
            LimitedBy::Hop => {
                format!("the hop is full, {} stand in its queue", show("standing_queue_ms"))
            }
            LimitedBy::Buffer => {
                let counts = run.scenario.repair.goodput_counts();
                format!("{} of what is sent is thrown away. {counts}", show("dropped_percent"))
            }
        };
        Hero {
            number: show("goodput_mbps"),
            parts: format!("a window of {window} every {rtt}; {verdict}"),
            second: None,
        }
    }

    fn readouts(run: &Run) -> Vec<Readout> {
        [
            "window_kb",
            "bdp_kb",
            "window_over_bdp",
            "rtt_ms",
            "min_rtt_ms",
            "standing_queue_ms",
            "hop_idle_percent",
            "dropped_percent",
            "limited_by",
        ]
        .into_iter()
        .filter_map(|key| readout::<Self>(key, run))
        .collect()
    }

    fn plots(run: &Run) -> Vec<Plot> {
        vec![sweep(run), course(run)]
    }

    fn pick(scenario: &mut Scenario, _: usize, x: f64) {
        scenario.window = Bytes(x.round() as u64);
        scenario.rule = SizingRule::Manual;
    }

    fn note(run: &Run, key: &str) -> Option<String> {
        let dropped = Self::figure(run, "dropped_percent").and_then(|f| f.number());
        let drops_nothing = dropped == Some(0.0);
        match key {
            "win" if run.window != run.scenario.window => {
                Some(format!("The sizing rule sets {}.", run.window))
            }
            "buf" if drops_nothing => {
                Some("Nothing is dropped: a larger buffer would change nothing.".to_owned())
            }
            "rep" if drops_nothing => {
                Some("No effect: nothing is dropped, so nothing is repaired.".to_owned())
            }
            _ => None,
        }
    }

    fn tables(run: &Run) -> Vec<Table> {
        let row =
            |line: &buffers::Line| vec![line.label.to_owned(), line.show(), line.source.to_owned()];
        let lines = buffers::lines(run.window, run.scenario.rtt);
        vec![Table {
            title: "What this window costs in kernel memory, and what limits it there",
            columns: &["", "", "where it comes from"],
            rows: lines.iter().map(row).collect(),
        }]
    }
}

/// Goodput, round-trip time and loss over all windows.
fn sweep(run: &Run) -> Plot {
    let points = packet_core::bdp::sweep(&run.scenario, SWEEP_POINTS).unwrap_or_default();
    let window = |p: &SweepPoint| p.window.0 as f64;
    let chart = |title, unit, label, role, value: fn(&SweepPoint) -> f64| Chart {
        title,
        unit,
        series: vec![Series {
            label,
            role,
            stroke: Stroke::Line,
            points: points.iter().map(|p| (window(p), value(p))).collect(),
        }],
        levels: Vec::new(),
        y_max: None,
    };
    let axis = Axis::Doubling {
        unit: Unit::Bytes,
        min: points.first().map_or(1.0, window),
        max: points.last().map_or(2.0, window),
    };
    let place =
        |label: &str, Bytes(value): Bytes| Level { label: label.to_owned(), value: value as f64 };
    let mut places = vec![place("BDP", run.scenario.bdp())];
    if run.scenario.can_overflow() {
        places.push(place("BDP + buffer", run.scenario.pipe_and_buffer()));
    }
    let charts = vec![
        chart("Goodput over the window, in Mbps", "", "goodput", Role::Accent, |p| p.goodput_mbps),
        chart("Round-trip time over the window", " ms", "RTT", Role::Queue, |p| p.rtt_ms),
        Chart {
            y_max: Some(105.0),
            ..chart("Thrown away over the window", "%", "dropped", Role::Loss, |p| {
                p.dropped_percent
            })
        },
    ];
    Plot { axis, charts, places, here: Some(run.window.0 as f64) }
}

/// Window, in flight and queue over the first round trips of the run; what follows is more of the same.
fn course(run: &Run) -> Plot {
    let end = run.base_rtt.times(SHOWN_ROUND_TRIPS).min(run.duration);
    // Straight on to the first sample beyond the end.
    let within = run.samples.partition_point(|s| s.at <= end);
    let shown = &run.samples[..(within + 1).min(run.samples.len())];
    type Read = fn(&packet_core::bdp::Sample) -> f64;
    let series = |label, role, stroke, read: Read| Series {
        label,
        role,
        stroke,
        points: shown.iter().map(|s| (s.at.as_millis(), read(s))).collect(),
    };
    let bdp = run.scenario.bdp().0 as f64 / MSS as f64;
    let charts = vec![
        Chart {
            title: "Window and in flight, in segments: the first 24 round trips",
            unit: "",
            series: vec![
                series("in flight", Role::Second, Stroke::Line, |s| s.in_flight),
                series("window", Role::Accent, Stroke::DashedStep, |s| s.window),
            ],
            levels: vec![Level { label: format!("BDP {}", grouped(bdp)), value: bdp }],
            y_max: None,
        },
        Chart {
            title: "Queue at the hop, in packets",
            unit: "",
            series: vec![series("queue", Role::Queue, Stroke::Area, |s| s.queue)],
            levels: Vec::new(),
            y_max: None,
        },
    ];
    let axis = Axis::Time { end: end.as_millis() };
    Plot { axis, charts, places: Vec::new(), here: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_run_lies_on_the_sweep() {
        let run = packet_core::bdp::run(&Scenario::default()).expect("start values are allowed");
        let plot = sweep(&run);
        let here = plot.here.expect("a window");
        let goodput = plot.charts[0].series[0].at(here).expect("within the sweep");
        assert!((goodput / run.goodput_mbps() - 1.0).abs() < 0.03);
    }

    #[test]
    fn a_click_sets_the_window_by_hand() {
        let rule = SizingRule::MyLinkXIdlePing;
        let mut scenario = Scenario { rule, ..Scenario::default() };
        BandwidthDelay::pick(&mut scenario, 0, 524_288.4);
        assert_eq!((scenario.window, scenario.rule), (Bytes::kb(512), SizingRule::Manual));
    }
}
