//! What a real kernel did beside both presets.
//!
//! Each line of `tests/figures/kernel-medians.csv` is one measurement: the settings it was made at, as
//! a query, and the median of each figure over several runs. It is made from `kernel.csv`, which has
//! every figure's spread too, and small enough for the page. The `linux` preset is meant to come as
//! close as a row's tolerance says; figures that it misses are listed with a reason in
//! `kernel-exceptions.csv`.

use super::Printed;
use crate::assumptions::Preset;
use crate::model::{self, Model};
use crate::quantity::{Figure, Quantity};
use crate::slow_start::{Run, Scenario, SlowStart};
use crate::units::{Unit, decimal};

/// What the measurements were made for, by the first digit of their names.
pub const GROUPS: &[(&str, &str)] = &[
    ("1", "response sizes"),
    ("2", "initial windows"),
    ("3", "HyStart on and off"),
    ("4", "idle connections"),
    ("5", "losses at the tail"),
    ("6", "a slow link"),
    ("7", "fast links"),
];

/// One measurement: a scenario, and what the kernel did in it.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Its name.
    pub id: &'static str,
    /// What it was made for, one of [`GROUPS`].
    pub group: &'static str,
    /// The same as a scenario of the `linux` preset.
    pub linux: Scenario,
    /// The same as a scenario of the `article` preset.
    pub article: Scenario,
    /// A cell for each of the file's quantities; empty where there was no such figure.
    figures: &'static str,
}

/// One figure of a real kernel beside those of both presets.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The measurement's name; several figures share one.
    pub id: &'static str,
    /// The settings of the `linux` run, as a query.
    pub settings: String,
    /// Key of the quantity.
    pub quantity: &'static str,
    /// What it is measured in.
    pub unit: Unit,
    /// What the kernel did: the median of several runs, or nothing where there was no such figure.
    pub kernel: Printed,
    /// What the `linux` preset gives.
    pub linux: Figure,
    /// What the `article` preset gives.
    pub article: Figure,
    /// How far from the kernel the `linux` preset may be; absent where the figure is only shown.
    pub tolerance: Option<f64>,
}

impl Row {
    /// How far the `linux` preset is from the kernel; none where either has no number.
    pub fn difference(&self) -> Option<f64> {
        self.kernel.off_by(self.linux)
    }

    /// How far the `article` preset is from the kernel; none where either has no number.
    pub fn article_difference(&self) -> Option<f64> {
        self.kernel.off_by(self.article)
    }

    /// Whether the `linux` preset is as close as it should be; figures that are only shown always hold.
    pub fn holds(&self) -> bool {
        self.tolerance.is_none_or(|tolerance| self.kernel.is_met_by(self.linux, tolerance))
    }

    /// Why it is further away than it should be, where that is known and accepted.
    pub fn exception(&self) -> Option<&'static str> {
        EXCEPTIONS.lines().skip(1).find_map(|line| {
            let mut cells = line.splitn(5, ',');
            let found = cells.next() == Some(self.id) && cells.next() == Some(self.quantity);
            if found { cells.nth(2) } else { None }
        })
    }

    /// Whether the article's simplifications show: whether its figure is further from the kernel's than
    /// the `linux` preset's may be.
    pub fn simplification_matters(&self) -> bool {
        let usual = match self.kernel {
            Printed::Number(n) => USUAL_PART * n.abs(),
            Printed::None => 0.0,
        };
        !self.kernel.is_met_by(self.article, self.tolerance.unwrap_or(usual))
    }
}

/// How close most figures should come, as a part of the kernel's.
const USUAL_PART: f64 = 0.03;

/// How close a figure should come: at least this much, or this part of the kernel's.
fn aim(quantity: &str) -> Option<(f64, f64)> {
    match quantity {
        "response_ms" | "second_response_ms" => Some((2.0, USUAL_PART)),
        "queue_drops" => Some((0.0, 0.1)),
        "hystart_train_exit_cwnd" | "hystart_delay_exit_cwnd" => Some((0.0, 0.05)),
        "cwnd_at_end" | "cwnd_before_second" | "cwnd_at_second" => Some((0.0, USUAL_PART)),
        _ => None,
    }
}

/// A response that waited for a timer may be off by this much, in milliseconds: a kernel's timers go
/// off on steps of 32 ms.
const TIMER_TOLERANCE: f64 = 30.0;

const MEDIANS: &str = include_str!("../../../../tests/figures/kernel-medians.csv");

/// Figures that the `linux` preset is known to miss, with the reason:
/// `id,quantity,kernel,linux,reason`.
pub const EXCEPTIONS: &str = include_str!("../../../../tests/figures/kernel-exceptions.csv");

/// What was measured, in the file's order.
pub fn measurements() -> impl Iterator<Item = Measurement> {
    MEDIANS.lines().skip(1).filter_map(measurement)
}

/// Keys of the quantities that were measured, in the file's order.
pub fn quantities() -> impl Iterator<Item = &'static str> {
    MEDIANS.lines().next().unwrap_or_default().split(',').skip(2)
}

/// Every figure of every measurement beside both presets.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for measurement in measurements() {
        rows.append(&mut measurement.compare());
    }
    rows
}

impl Measurement {
    /// Runs both presets: each figure beside the kernel's.
    pub fn compare(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let (linux, article) = (SlowStart::run(&self.linux), SlowStart::run(&self.article));
        let (Ok(linux), Ok(article)) = (linux, article) else { return rows };
        for (key, text) in self.figures() {
            if let Some(quantity) = SlowStart::quantity(key) {
                rows.push(self.row(quantity, text, &linux, &article));
            }
        }
        rows
    }

    fn row(&self, quantity: &'static Quantity<Run>, text: &str, linux: &Run, article: &Run) -> Row {
        let aim = aim(quantity.key);
        let (kernel, tolerance) = match decimal(text) {
            Some(n) => {
                let waits = quantity.key == "response_ms" && self.timer_fired();
                let waited = if waits { TIMER_TOLERANCE } else { 0.0 };
                let tolerance = aim.map(|(least, part)| waited.max(least).max(part * n));
                (Printed::Number(n), tolerance)
            }
            None => (Printed::None, aim.map(|_| 0.0)),
        };
        Row {
            id: self.id,
            settings: self.settings(),
            quantity: quantity.key,
            unit: quantity.unit,
            kernel,
            linux: (quantity.value)(linux),
            article: (quantity.value)(article),
            tolerance,
        }
    }

    fn timer_fired(&self) -> bool {
        let timer = |key| matches!(key, "tail_loss_probes" | "timeouts");
        self.figures().any(|(key, text)| timer(key) && text != "0")
    }

    /// The settings of the `linux` run, as a query.
    pub fn settings(&self) -> String {
        model::to_query::<SlowStart>(&self.linux)
    }

    /// Whether the quantity with this key was measured.
    pub fn has(&self, key: &str) -> bool {
        self.figures().any(|(measured, _)| measured == key)
    }

    /// The figures there are, by key, as the file has them.
    fn figures(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        quantities().zip(self.figures.split(',')).filter(|(_, text)| !text.is_empty())
    }
}

fn measurement(line: &'static str) -> Option<Measurement> {
    let mut cells = line.splitn(3, ',');
    let (id, settings, figures) = (cells.next()?, cells.next()?, cells.next()?);
    let mut linux = Scenario::of(Preset::Linux);
    let pairs = settings.split('&').filter_map(|pair| pair.split_once('='));
    let remarks = model::apply_pairs::<SlowStart>(&mut linux, pairs);
    debug_assert!(remarks.is_empty(), "{line}: {remarks:?}");
    let mut article = linux.clone();
    article.set_model(Preset::Article);
    let group = GROUPS.iter().find(|(digit, _)| id.starts_with(digit))?.1;
    Some(Measurement { id, group, linux, article, figures })
}
