//! Everything a comparison of initial windows depends on: a slow-start scenario without its own initial
//! window, and the windows in its place.

use crate::assumptions::Preset;
use crate::parameter::{Kind, Parameter, Scale, Value};
use crate::slow_start::assumptions::OF_SCENARIO;
use crate::slow_start::scenario::{IW_RFC_5681, IW_RFC_6928, IW_TUNED_CDN};
use crate::slow_start::{self, PARAMETERS as OF_ONE};
use crate::units::{Bytes, Rate, Unit};

/// The largest object that windows are compared for.
pub const LARGEST: Bytes = Bytes::kb(256);

/// A path, an object, and the windows to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// All that the windows have in common. Its own initial window means nothing.
    pub common: slow_start::Scenario,
    /// The window there is, in segments.
    pub current: u32,
    /// The window that is asked about, in segments.
    pub proposed: u32,
    /// A third one beside them.
    pub other: Option<u32>,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario::of(Preset::Article)
    }
}

impl Scenario {
    /// The start values with the assumptions of a preset: several connections on a slow link.
    pub fn of(preset: Preset) -> Scenario {
        let common = slow_start::Scenario {
            size: Bytes::kb(45),
            rate: Rate::mbps(5),
            connections: 4,
            ..slow_start::Scenario::of(preset)
        };
        Scenario { common, current: IW_RFC_6928, proposed: 32, other: Some(IW_RFC_5681) }
    }

    /// The windows, each once, the smallest first.
    pub fn windows(&self) -> Vec<u32> {
        let mut windows = Vec::with_capacity(3);
        for window in [Some(self.current), Some(self.proposed), self.other].into_iter().flatten() {
            if let Err(place) = windows.binary_search(&window) {
                windows.insert(place, window);
            }
        }
        windows
    }

    /// All connections with this window.
    pub fn together(&self, initial_window: u32) -> slow_start::Scenario {
        slow_start::Scenario { initial_window, ..self.common.clone() }
    }

    /// One connection with this window, and the link to itself.
    pub fn alone(&self, initial_window: u32) -> slow_start::Scenario {
        slow_start::Scenario { connections: 1, ..self.together(initial_window) }
    }
}

/// A parameter of one run: a setting, or else an assumption.
const fn of_one(place: usize) -> &'static Parameter<slow_start::Scenario> {
    if place < OF_ONE.len() { &OF_ONE[place] } else { &OF_SCENARIO[place - OF_ONE.len()] }
}

/// The place of the parameter with this name for [`of_one`]. Where there is none, this does not compile.
const fn place(name: &str) -> usize {
    let mut place = 0;
    while !same(of_one(place).name.as_bytes(), name.as_bytes()) {
        place += 1;
    }
    place
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A parameter of one run as one of what all windows have in common.
const fn shared<const PLACE: usize>() -> Parameter<Scenario> {
    let Parameter { name, key, label, help, kind, .. } = *of_one(PLACE);
    Parameter {
        name,
        key,
        label,
        help,
        kind,
        get: |s| (of_one(PLACE).get)(&s.common),
        set: |s, v| (of_one(PLACE).set)(&mut s.common, v),
    }
}

macro_rules! shared {
    ($name:literal) => {
        shared::<{ place($name) }>()
    };
}

const fn window(absent: Option<&'static str>) -> Kind {
    Kind::Number {
        unit: Unit::Segments,
        min: 1,
        max: 64,
        scale: Scale::Linear,
        marks: &[IW_RFC_5681 as u64, IW_RFC_6928 as u64, 32, IW_TUNED_CDN as u64],
        absent,
    }
}

fn segments(value: Value) -> Option<u32> {
    match value {
        Value::Number(n) => Some(n as u32),
        _ => None,
    }
}

/// What can be set on a [`Scenario`].
pub const PARAMETERS: &[Parameter<Scenario>] = &[
    Parameter {
        name: "current",
        key: "a",
        label: "Current IW",
        help: "The initial window that there is, in segments: 10 by RFC 6928, which is Linux's default.",
        kind: window(None),
        get: |s| Value::Number(s.current.into()),
        set: |s, v| s.current = segments(v).unwrap_or(s.current),
    },
    Parameter {
        name: "proposed",
        key: "b",
        label: "Proposed IW",
        help: "The initial window that it would be raised to, in segments.",
        kind: window(None),
        get: |s| Value::Number(s.proposed.into()),
        set: |s, v| s.proposed = segments(v).unwrap_or(s.proposed),
    },
    Parameter {
        name: "other",
        key: "c",
        label: "Third IW",
        help: "One more initial window beside the two, in segments: 3 by RFC 5681, as it was before.",
        kind: window(Some("none")),
        get: |s| s.other.map_or(Value::Absent, |n| Value::Number(n.into())),
        set: |s, v| s.other = segments(v),
    },
    Parameter {
        label: "Object size",
        kind: Kind::Number {
            unit: Unit::Bytes,
            min: 1 << 10,
            max: LARGEST.0,
            scale: Scale::Logarithmic,
            marks: &[14 << 10, 45 << 10, 64 << 10, 100 << 10],
            absent: None,
        },
        ..shared!("size")
    },
    shared!("rate"),
    shared!("rtt"),
    shared!("connections"),
    shared!("stagger"),
    shared!("buffer"),
    shared!("buffer-bdp"),
    shared!("receive-window"),
    shared!("setup"),
    shared!("think"),
    shared!("clock"),
    shared!("hystart"),
    shared!("tail-loss-probe"),
];

macro_rules! all_shared {
    ($($name:literal)+) => { &[$(shared!($name),)+] };
}

/// What is taken for granted, as in one run.
pub const ASSUMPTIONS: &[Parameter<Scenario>] = all_shared! {
    "model" "sender-clock" "pacing" "initial-pacing" "loss-feedback" "recovery" "probe-timeout"
    "probe-cut" "rto" "timer-restart" "timer-granularity" "congestion-avoidance"
    "window-arithmetic" "window-validation" "acks" "handshake-sample" "trailing-acks" "idle-clock"
    "slow-start-exit" "hystart-order" "hystart-rounds"
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, apply_pairs, to_query};
    use crate::study::InitialWindow;

    #[test]
    fn a_shared_parameter_is_the_one_of_a_single_run() {
        let mut scenario = Scenario::default();
        for p in PARAMETERS.iter().skip(3).chain(ASSUMPTIONS) {
            let one = of_one(place(p.name));
            assert_eq!((one.name, one.key), (p.name, p.key));
            let linux = (one.get)(&slow_start::Scenario::of(Preset::Linux));
            (p.set)(&mut scenario, linux);
            assert_eq!(((p.get)(&scenario), (one.get)(&scenario.common)), (linux, linux));
        }
    }

    #[test]
    fn every_assumption_can_be_set() {
        let names = |p: &Parameter<_>| p.name;
        assert!(ASSUMPTIONS.iter().map(|p| p.name).eq(OF_SCENARIO.iter().map(names)));
    }

    #[test]
    fn a_query_holds_what_differs_and_reads_back() {
        assert_eq!(to_query::<InitialWindow>(&Scenario::default()), "");
        let mut scenario = Scenario { other: None, proposed: 46, ..Scenario::of(Preset::Linux) };
        scenario.common.connections = 1;
        let query = to_query::<InitialWindow>(&scenario);
        assert_eq!(query, "b=46&c=none&conns=1&model=linux");
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut read = Scenario::default();
        assert_eq!(apply_pairs::<InitialWindow>(&mut read, pairs), Vec::<String>::new());
        assert_eq!(read, scenario);
        for (place, p) in InitialWindow::parameters().enumerate() {
            assert_eq!(InitialWindow::place(p.key), Some(place), "{}", p.key);
        }
    }

    #[test]
    fn a_window_named_twice_is_compared_once() {
        let windows = |other| Scenario { other, ..Scenario::default() }.windows();
        assert_eq!(windows(Some(3)), [3, 10, 32]);
        assert_eq!(windows(Some(32)), [10, 32]);
        assert_eq!(windows(None), [10, 32]);
    }
}
