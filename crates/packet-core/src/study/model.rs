//! The model behind the initial-window panel: a few windows on one path, for one connection that has the
//! link to itself and for several.

use super::decision::{self, Decision, Logged};
use super::scenario::{ASSUMPTIONS, PARAMETERS, Scenario};
use super::{Cost, OUTCOME_QUANTITIES, Outcome};
use crate::assumptions::Preset;
use crate::model::Model;
use crate::parameter::{self, Invalid, Parameter};
use crate::quantity::{Figure, Quantity, ms};
use crate::slow_start;
use crate::units::Unit;
use std::fmt::Write;

/// The model behind the initial-window panel.
pub struct InitialWindow;

/// What came of each of a scenario's windows.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What was run.
    pub scenario: Scenario,
    /// What each window makes of it, the smallest window first.
    pub costs: Vec<Cost>,
    /// What happened with each of them, in time order.
    pub decisions: Vec<Logged>,
}

/// Runs a scenario with each of its windows, for one connection and for all of them.
///
/// # Errors
/// [`Invalid`], naming the first field that is out of range.
pub fn run(scenario: &Scenario) -> Result<Run, Invalid> {
    parameter::validate(PARAMETERS, scenario)?;
    // What the windows have in common has settings that are none here.
    scenario.together(scenario.current).validate()?;
    let mut decisions = Vec::new();
    let mut costs: Vec<Cost> = Vec::new();
    for window in scenario.windows() {
        let mut outcome = |of: &slow_start::Scenario| {
            let run = slow_start::unsampled(of);
            decision::tell(&run, &mut decisions);
            Outcome::from(&run)
        };
        let alone = outcome(&scenario.alone(window));
        let together = match scenario.common.connections {
            1 => alone,
            _ => outcome(&scenario.together(window)),
        };
        costs.push(Cost { alone, together });
    }
    decision::compare(&mut decisions, scenario.current);
    Ok(Run { scenario: scenario.clone(), costs, decisions })
}

impl Run {
    /// What this window makes of the scenario; of a window that is not among those compared, what the
    /// smallest one does.
    fn of(&self, window: u32) -> &Cost {
        let found = self.costs.iter().find(|c| c.alone.initial_window == window);
        found.unwrap_or(&self.costs[0])
    }

    /// With the current window.
    pub fn current(&self) -> &Cost {
        self.of(self.scenario.current)
    }

    /// With the proposed window.
    pub fn proposed(&self) -> &Cost {
        self.of(self.scenario.proposed)
    }

    /// Whether there is more than one connection.
    pub fn is_shared(&self) -> bool {
        self.scenario.common.connections > 1
    }
}

impl Model for InitialWindow {
    type Scenario = Scenario;
    type Run = Run;
    type Decision = Decision;
    const PARAMETERS: &'static [Parameter<Scenario>] = PARAMETERS;
    const QUANTITIES: &'static [Quantity<Run>] = QUANTITIES;
    const ASSUMPTIONS: &'static [Parameter<Scenario>] = ASSUMPTIONS;

    fn baseline(scenario: &Scenario) -> Scenario {
        let mut start = Scenario::of(scenario.common.model);
        start.common.model = Preset::Article;
        start
    }

    fn run(scenario: &Scenario) -> Result<Run, Invalid> {
        run(scenario)
    }

    fn log(run: &Run) -> &[Logged] {
        &run.decisions
    }

    /// A row for each window, and for one connection and several.
    fn trace_csv(run: &Run) -> String {
        let mut csv = String::from("connections");
        for quantity in OUTCOME_QUANTITIES {
            // Writing to a string cannot fail.
            let _ = write!(csv, ",{}", quantity.key);
        }
        csv.push('\n');
        let of = |cost: &Cost| [cost.alone, cost.together];
        let outcomes = run.costs.iter().flat_map(of);
        for outcome in outcomes.step_by(if run.is_shared() { 1 } else { 2 }) {
            let _ = write!(csv, "{}", outcome.connections);
            for quantity in OUTCOME_QUANTITIES {
                let number = (quantity.value)(&outcome).number().unwrap_or_default();
                let _ = write!(csv, ",{}", (number * 1e3).round() / 1e3);
            }
            csv.push('\n');
        }
        csv
    }
}

/// A figure of all connections, where there are several.
fn shared(run: &Run, value: f64) -> Figure {
    if run.is_shared() { Figure::Number(value) } else { Figure::Absent("one connection") }
}

/// The figures of a [`Run`] that compare the proposed window with the current one; times in milliseconds.
/// Those of each window are in [`COST_QUANTITIES`](super::COST_QUANTITIES).
pub const QUANTITIES: &[Quantity<Run>] = &[
    Quantity {
        key: "saved_ms",
        label: "Time saved",
        unit: Unit::Time,
        help: "By how much the proposed window is quicker than the current one, for one connection that has the link to itself.",
        value: |r| Figure::Number(r.proposed().alone.saves_ms(&r.current().alone)),
    },
    Quantity {
        key: "saved_percent",
        label: "Of the time",
        unit: Unit::Percent,
        help: "The time saved, as a part of the time with the current window.",
        value: |r| Figure::Number(r.proposed().alone.saves_percent(&r.current().alone)),
    },
    Quantity {
        key: "saved_together_ms",
        label: "Saved for the slowest",
        unit: Unit::Time,
        help: "By how much the slowest of all connections is quicker with the proposed window.",
        value: |r| shared(r, r.proposed().together.saves_ms(&r.current().together)),
    },
    Quantity {
        key: "current_ms",
        label: "With the current window",
        unit: Unit::Time,
        help: "The time with the current window, for one connection that has the link to itself.",
        value: |r| ms(r.current().alone.time),
    },
    Quantity {
        key: "proposed_ms",
        label: "With the proposed window",
        unit: Unit::Time,
        help: "The time with the proposed window, for one connection that has the link to itself.",
        value: |r| ms(r.proposed().alone.time),
    },
    Quantity {
        key: "current_round_trips",
        label: "Round trips, current",
        unit: Unit::RoundTrips,
        help: "Round trips of data with the current window, for one connection.",
        value: |r| Figure::Number(r.current().alone.round_trips.into()),
    },
    Quantity {
        key: "proposed_round_trips",
        label: "Round trips, proposed",
        unit: Unit::RoundTrips,
        help: "Round trips of data with the proposed window, for one connection.",
        value: |r| Figure::Number(r.proposed().alone.round_trips.into()),
    },
    Quantity {
        key: "current_slowest_ms",
        label: "Slowest, current",
        unit: Unit::Time,
        help: "The longest response of all connections with the current window.",
        value: |r| shared(r, r.current().together.slowest.as_millis()),
    },
    Quantity {
        key: "proposed_slowest_ms",
        label: "Slowest, proposed",
        unit: Unit::Time,
        help: "The longest response of all connections with the proposed window.",
        value: |r| shared(r, r.proposed().together.slowest.as_millis()),
    },
    Quantity {
        key: "current_retransmission_percent",
        label: "Sent again, current",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets of all connections, with the current window.",
        value: |r| Figure::Number(r.current().together.retransmission_rate_percent()),
    },
    Quantity {
        key: "proposed_retransmission_percent",
        label: "Sent again, proposed",
        unit: Unit::Percent,
        help: "Retransmissions in a hundred packets of all connections, with the proposed window.",
        value: |r| Figure::Number(r.proposed().together.retransmission_rate_percent()),
    },
    Quantity {
        key: "window_for_one_round_trip",
        label: "Window for one round trip",
        unit: Unit::Segments,
        help: "The initial window that holds the whole object: its segments of 1,448 bytes.",
        value: |r| Figure::Number(r.scenario.common.segments().into()),
    },
    Quantity {
        key: "bdp_segments",
        label: "BDP",
        unit: Unit::Packets,
        help: "Bandwidth-delay product: packets that fill the path with an empty queue.",
        value: |r| Figure::Number(r.scenario.common.bdp_packets().round()),
    },
    Quantity {
        key: "buffer_packets",
        label: "Buffer",
        unit: Unit::Packets,
        help: "Packets the bottleneck holds, the one in service included.",
        value: |r| Figure::Number(r.scenario.common.buffer_packets().into()),
    },
    Quantity {
        key: "first_windows_packets",
        label: "First windows together",
        unit: Unit::Packets,
        help: "The proposed window times the connections: what arrives before anyone has heard of the path.",
        value: |r| {
            let Scenario { common, proposed, .. } = &r.scenario;
            Figure::Number((proposed.min(&common.segments()) * common.connections).into())
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{compare, cost};
    use crate::units::{Bytes, Time};

    #[test]
    fn a_run_is_what_each_window_makes_of_one_connection_and_of_all() {
        for preset in Preset::ALL {
            let scenario = Scenario::of(*preset);
            let run = run(&scenario).expect("allowed");
            assert_eq!(Ok(run.costs.clone()), cost(&scenario.common, &[3, 10, 32]));
            let alone = compare(&scenario.alone(1), &[10, 32]).expect("allowed");
            assert_eq!([run.current().alone, run.proposed().alone], [alone[0], alone[1]]);
        }
    }

    #[test]
    fn figures_of_several_connections_are_there_where_there_are_several() {
        let mut scenario = Scenario::default();
        let figure = |scenario: &Scenario, key| {
            let run = run(scenario).expect("allowed");
            InitialWindow::figure(&run, key).and_then(Figure::number)
        };
        assert_eq!(figure(&scenario, "first_windows_packets"), Some(128.0));
        assert!(figure(&scenario, "saved_together_ms").is_some_and(|ms| ms.abs() < 1.0));
        scenario.common.connections = 1;
        assert_eq!(figure(&scenario, "saved_together_ms"), None);
        assert!(figure(&scenario, "saved_ms").is_some_and(|ms| ms > 90.0));
    }

    #[test]
    fn the_table_has_a_row_for_each_window_and_for_one_and_several() {
        let mut scenario = Scenario::default();
        let csv = |scenario: &Scenario| InitialWindow::trace_csv(&run(scenario).expect("allowed"));
        let several = csv(&scenario);
        assert_eq!(several.lines().count(), 7);
        assert!(several.starts_with("connections,initial_window,time_ms,"), "{several}");
        assert!(several.contains("\n1,32,117,") && several.contains("\n4,32,"), "{several}");
        scenario.common.connections = 1;
        assert_eq!(csv(&scenario).lines().count(), 4);
    }

    #[test]
    fn an_object_that_is_too_large_is_refused() {
        let mut scenario = Scenario::default();
        scenario.common.size = Bytes::mb(1);
        let error = run(&scenario).expect_err("too large");
        assert_eq!(error.to_string(), "size: '1 MB' is not allowed; use 1 KB to 256 KB");
    }

    #[test]
    fn what_cannot_be_set_here_is_checked_too() {
        let mut scenario = Scenario::default();
        scenario.common.idle = Some(Time::NEVER);
        assert_eq!(run(&scenario).expect_err("too long").field, "idle");
    }
}
