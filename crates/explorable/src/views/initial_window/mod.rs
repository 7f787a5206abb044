//! The initial-window panel: what it shows of a comparison, and the parts that only it has.

mod comparison;
mod heat_map;
mod objects;

use crate::browser::dom;
use crate::charts::chart::{Axis, Chart, Level, Plot, Role, Series, Stroke};
use crate::panel::settings;
use crate::panel::view::{Hero, Part, Readout, Taken, View, readout};
use packet_core::model::Of;
use packet_core::slow_start::assumptions::Assumption;
use packet_core::study::{Curve, InitialWindow, LARGEST, Outcome, Run, Scenario, steps};
use packet_core::units::{Bytes, Unit, grouped};
use packet_core::{Model, SlowStart, model, study};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// The smallest object on the curve.
const SMALLEST: Bytes = Bytes::kb(1);
/// Sizes on the curve besides those at its steps: between those it is nearly straight.
const CURVE_POINTS: u32 = 24;
/// Quantities that tell what an assumption changes.
const CHANGED: &[&str] = &[
    "saved_ms",
    "saved_together_ms",
    "current_ms",
    "proposed_ms",
    "proposed_retransmission_percent",
];

/// Calls `load` with the settings behind a button of the panel that a reader presses.
pub fn on_load(root: &HtmlElement, load: impl Fn(&str) + 'static) {
    dom::on(root, "click", move |event: Event| {
        let target = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
        let button = target.and_then(|t| t.closest("[data-load]").ok().flatten());
        if let Some(settings) = button.and_then(|button| button.get_attribute("data-load")) {
            load(&settings);
        }
    });
}

fn show(key: &str, run: &Run) -> String {
    InitialWindow::quantity(key).map_or(String::new(), |q| q.show(run))
}

impl View for InitialWindow {
    const NAME: &'static str = "initial-window";
    const PREFIX: &'static str = "iw-";
    const HERO: &'static str = "time saved";
    const FIGURE: &'static str = "saved_ms";
    const COMMAND: &'static str = "compare";
    const TELLING: &'static [&'static str] =
        &["saved_together_ms", "proposed_retransmission_percent"];
    const MORE: &'static [&'static str] =
        &["stagger", "buf", "bufbdp", "rwnd", "setup", "think", "timed", "hs", "tlp"];
    const SUMMARY: &'static str = "Two or three initial windows side by side, on the same packet model. \
        The controls set the windows, the object, the path and how many connections share it; the time \
        that the proposed window saves follows at once, with a map of paths and a list of objects below.";
    const GROUPS: &'static [(&'static str, &'static str)] = SlowStart::GROUPS;
    const LOG: &'static str = "What happens with each window, and when";
    const IS_TIMED: bool = false;

    fn hero(run: &Run) -> Hero {
        let (now, then) = (&run.current().alone, &run.proposed().alone);
        let trips = match (now.round_trips, then.round_trips) {
            (1, 1) => "1 round trip as before".to_owned(),
            (before, after) if before == after => format!("{after} round trips as before"),
            (before, after) => format!("{before} → {after} round trips"),
        };
        let second = run.is_shared().then(|| {
            let connections = run.scenario.common.connections;
            let again = show("proposed_retransmission_percent", run);
            let name = format!("for the slowest of {connections}, {again} of packets sent again");
            (show("saved_together_ms", run), name)
        });
        let parts = format!("alone: {} → {}, {trips}", now.time, then.time);
        Hero { number: show("saved_ms", run), parts, second }
    }

    fn readouts(run: &Run) -> Vec<Readout> {
        ["window_for_one_round_trip", "bdp_segments", "buffer_packets", "first_windows_packets"]
            .into_iter()
            .filter_map(|key| readout::<Self>(key, run))
            .collect()
    }

    fn plots(run: &Run) -> Vec<Plot> {
        vec![curve(&run.scenario)]
    }

    fn pick(scenario: &mut Scenario, _: usize, x: f64) {
        scenario.common.size = Bytes(x.round() as u64).clamp(SMALLEST, LARGEST);
    }

    fn note(run: &Run, key: &str) -> Option<String> {
        let Scenario { common, current, proposed, .. } = &run.scenario;
        let first = proposed.min(&common.segments()) * common.connections;
        match key {
            "b" if proposed == current => Some("The same as the current window.".to_owned()),
            "b" if proposed < current => Some("Smaller than the current window.".to_owned()),
            "conns" if run.is_shared() => Some(format!(
                "Their first windows: {} packets; the queue holds {}.",
                grouped(first.into()),
                grouped(common.buffer_packets().into())
            )),
            "stagger" if !run.is_shared() => Some("No effect: there is one connection.".to_owned()),
            "bufbdp" if common.buffer.is_some() => {
                Some("No effect: the buffer is given in packets.".to_owned())
            }
            "rwnd" => {
                let room = common.receive_window?.whole_segments();
                (room < *proposed)
                    .then(|| format!("Of a window of {proposed}, {room} segments fit."))
            }
            _ => None,
        }
    }

    fn assumption(scenario: &Scenario, key: &str) -> Option<Taken> {
        SlowStart::assumption(&scenario.common, key)
    }

    fn effect(run: &Run, key: &str) -> Option<String> {
        let assumption = Assumption::find(key)?;
        let common = assumption.flipped(&run.scenario.common);
        let other = assumption.parameter.label_of(assumption.other(&run.scenario.common))?;
        let changed = study::run(&Scenario { common, ..run.scenario.clone() }).ok()?;
        let change = model::change::<Self>(run, &changed, CHANGED);
        let change = change.as_deref().unwrap_or("no change in this scenario");
        Some(format!("With “{other}”: {change}"))
    }

    fn command(scenario: &Scenario) -> String {
        let windows: Vec<_> = scenario.windows().iter().map(u32::to_string).collect();
        let options = settings::options(&Of::<SlowStart>(scenario.common.clone()));
        format!("slowstart compare --initial-window {}{options}", windows.join(","))
    }

    fn parts(root: &HtmlElement) -> Vec<Box<dyn Part<Self>>> {
        vec![
            Box::new(comparison::Comparison::new(root)),
            Box::new(heat_map::Map::new(root)),
            Box::new(objects::ObjectList::new(root)),
        ]
    }
}

/// Time and round trips over the object's size, for a single connection.
fn curve(scenario: &Scenario) -> Plot {
    let mut shown = vec![
        (scenario.current, "current", Role::Second, Stroke::Dashed),
        (scenario.proposed, "proposed", Role::Accent, Stroke::Line),
    ];
    shown.extend(scenario.other.map(|other| (other, "third", Role::Limit, Stroke::Dotted)));
    let windows: Vec<_> = shown.iter().map(|window| window.0).collect();
    let common = scenario.alone(scenario.current);
    let mut curve = Curve::new(&common, &windows, SMALLEST..=LARGEST, CURVE_POINTS).ok();
    let points: Vec<_> = curve
        .as_mut()
        .map(|curve| curve.step(usize::MAX).map(|(size, o)| (size.0 as f64, o.to_vec())).collect())
        .unwrap_or_default();
    let series = |value: fn(&Outcome) -> f64, steps: bool| {
        let one =
            |(i, (_, label, role, stroke)): (usize, &(u32, &'static str, Role, Stroke))| Series {
                label,
                role: *role,
                stroke: match stroke {
                    Stroke::Dashed if steps => Stroke::DashedStep,
                    _ if steps => Stroke::Step,
                    other => *other,
                },
                points: points
                    .iter()
                    .map(|(size, outcomes)| (*size, value(&outcomes[i])))
                    .collect(),
            };
        shown.iter().enumerate().map(one).collect()
    };
    let chart =
        |title, unit, series| Chart { title, unit, series, levels: Vec::new(), y_max: None };
    let charts = vec![
        chart(
            "Time over object size, one connection; dotted uprights: where the current window needs \
             one more round trip",
            " ms",
            series(|o| o.time.as_millis(), false),
        ),
        chart("Round trips of data", "", series(|o| o.round_trips.into(), true)),
    ];
    let place = |size: Bytes| {
        let value = size.0 as f64;
        Level { label: format!("{} B", grouped(value)), value }
    };
    Plot {
        axis: Axis::Doubling { unit: Unit::Bytes, min: SMALLEST.0 as f64, max: LARGEST.0 as f64 },
        charts,
        places: steps(scenario.current, LARGEST).into_iter().map(place).collect(),
        here: Some(common.size.0 as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::assumptions::Preset;

    fn run(scenario: &Scenario) -> Run {
        study::run(scenario).expect("allowed")
    }

    #[test]
    fn the_hero_is_what_the_window_saves_one_and_several() {
        let hero = InitialWindow::hero(&run(&Scenario::of(Preset::Linux)));
        assert_eq!(hero.number, "92 ms");
        assert_eq!(hero.parts, "alone: 210 ms → 118 ms, 3 → 1 round trips");
        let (number, name) = hero.second.expect("there are four");
        assert_eq!(number, "−700 ms");
        assert_eq!(name, "for the slowest of 4, 33% of packets sent again");
    }

    #[test]
    fn the_curve_has_the_steps_of_the_current_window_and_goes_through_the_run() {
        let scenario = Scenario::default();
        let plot = curve(&scenario);
        let places: Vec<_> = plot.places.iter().map(|p| p.label.as_str()).collect();
        assert_eq!(places, ["14,480 B", "43,440 B", "101,360 B", "217,200 B"]);
        let here = plot.here.expect("a size");
        let run = run(&scenario);
        let trips = &plot.charts[1].series[1];
        assert_eq!(trips.at(here), Some(f64::from(run.proposed().alone.round_trips)));
        assert_eq!(trips.at(46_336.0), Some(1.0));
        assert_eq!(trips.at(46_337.0), Some(2.0));
    }

    #[test]
    fn a_click_on_the_curve_sets_the_size() {
        let mut scenario = Scenario::default();
        InitialWindow::pick(&mut scenario, 0, 43_440.4);
        assert_eq!(scenario.common.size, Bytes(43_440));
    }

    #[test]
    fn the_command_names_the_windows_and_what_differs() {
        let command = InitialWindow::command(&Scenario::of(Preset::Linux));
        assert_eq!(
            command,
            "slowstart compare --initial-window 3,10,32 --size 45KB --rate 5Mbps --connections 4 --model linux"
        );
    }
}
