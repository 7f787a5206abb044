//! What a real kernel did beside both presets.
//!
//! Each line of `tests/figures/kernel-medians.csv` is one measurement: the settings it was made at and
//! the median of each figure over several runs. It is `kernel.csv`, which has every figure's spread
//! too, in a form small enough for the page. The `linux` preset is meant to come as close as a row's
//! tolerance says; figures that it misses are listed with a reason in `kernel-exceptions.csv`.

use super::{Column, Printed};
use crate::assumptions::Preset;
use crate::model::{self, Model};
use crate::quantity::Figure;
use crate::slow_start::{Scenario, SlowStart};
use crate::units::Unit;

const COLUMNS: &[Column] = &[
    ("size_bytes", "size", ""),
    ("rtt_ms", "rtt", "ms"),
    ("rate_bps", "rate", "bps"),
    ("queue_packets", "buffer", ""),
    ("iw", "initial-window", ""),
    ("hystart", "hystart", ""),
    ("tlp", "tail-loss-probe", ""),
    ("slow_start_after_idle", "slow-start-after-idle", ""),
    ("idle_ms", "idle", "ms"),
];

/// Those that mean something to the `linux` preset only.
const ASSUMPTION_COLUMNS: &[Column] = &[("pacing", "pacing", ""), ("acks", "acks", "")];

/// The columns before the figures: the name and the settings.
const SETTINGS: usize = 1 + COLUMNS.len() + ASSUMPTION_COLUMNS.len() + 1;

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
    figures: Vec<Measured>,
}

/// One figure of the kernel.
#[derive(Clone, Debug)]
struct Measured {
    quantity: &'static str,
    kernel: Printed,
    tolerance: Option<f64>,
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
    /// Why it is further away, where that is known and accepted.
    pub exception: Option<&'static str>,
}

impl Row {
    /// How far the `linux` preset is from the kernel; none where either has no number.
    pub fn difference(&self) -> Option<f64> {
        self.off_by(self.linux)
    }

    /// How far the `article` preset is from the kernel; none where either has no number.
    pub fn article_difference(&self) -> Option<f64> {
        self.off_by(self.article)
    }

    /// Whether the `linux` preset is as close as it should be; figures that are only shown always hold.
    pub fn holds(&self) -> bool {
        self.tolerance.is_none_or(|tolerance| self.is_within(self.linux, tolerance))
    }

    /// Whether the article's simplifications show: whether its figure is further from the kernel's than
    /// the `linux` preset's may be.
    pub fn simplification_matters(&self) -> bool {
        let usual = match self.kernel {
            Printed::Number(n) => USUAL_PART * n.abs(),
            Printed::None => 0.0,
        };
        !self.is_within(self.article, self.tolerance.unwrap_or(usual))
    }

    fn off_by(&self, figure: Figure) -> Option<f64> {
        match (self.kernel, figure) {
            (Printed::Number(kernel), Figure::Number(n)) => Some(n - kernel),
            _ => None,
        }
    }

    fn is_within(&self, figure: Figure, tolerance: f64) -> bool {
        match self.kernel {
            Printed::Number(_) => self.off_by(figure).is_some_and(|d| d.abs() <= tolerance + 1e-9),
            Printed::None => matches!(figure, Figure::Absent(_)),
        }
    }
}

/// How close most figures should come, as a part of the kernel's.
const USUAL_PART: f64 = 0.03;

/// How a figure of the kernel's file is called here, and how close it should come: at least this
/// much, or this part of it.
fn aim(quantity: &str) -> (&str, Option<(f64, f64)>) {
    match quantity {
        "response_ms" | "second_response_ms" => (quantity, Some((2.0, USUAL_PART))),
        "dropped" => ("queue_drops", Some((0.0, 0.1))),
        "hystart_train_exit_cwnd" | "hystart_delay_exit_cwnd" => (quantity, Some((0.0, 0.05))),
        "cwnd_at_end" | "cwnd_before_second" | "cwnd_at_second" => {
            (quantity, Some((0.0, USUAL_PART)))
        }
        "rto_at_end_ms" => ("rto_ms", None),
        _ => (quantity, None),
    }
}

/// A response that waited for a timer may be off by this much, in milliseconds: a kernel's timers go
/// off on steps of 32 ms.
const TIMER_TOLERANCE: f64 = 30.0;

const MEDIANS: &str = include_str!("../../../../tests/figures/kernel-medians.csv");

/// Figures that the `linux` preset is known to miss, with the reason:
/// `id,quantity,kernel,linux,reason`.
pub const EXCEPTIONS: &str = include_str!("../../../../tests/figures/kernel-exceptions.csv");

/// What was measured.
///
/// # Errors
/// A sentence, where the file does not fit the model.
pub fn measurements() -> Result<Vec<Measurement>, String> {
    let mut lines = MEDIANS.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines
        .map(|line| {
            let cells = line.split(',').collect();
            measurement(&Cells { header: &header, cells }).map_err(|e| format!("{line}: {e}"))
        })
        .collect()
}

/// Every figure of every measurement beside both presets.
///
/// # Errors
/// A sentence, where the file does not fit the model.
pub fn rows() -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for measurement in measurements()? {
        rows.append(&mut measurement.compare()?);
    }
    Ok(rows)
}

impl Measurement {
    /// Runs both presets: each figure beside the kernel's.
    ///
    /// # Errors
    /// A sentence, where the settings are out of range.
    pub fn compare(&self) -> Result<Vec<Row>, String> {
        let run = |scenario| SlowStart::run(scenario).map_err(|e| format!("{}: {e}", self.id));
        let (linux, article) = (run(&self.linux)?, run(&self.article)?);
        let row = |measured: &Measured| {
            let quantity = SlowStart::quantity(measured.quantity)?;
            Some(Row {
                id: self.id,
                settings: self.settings(),
                quantity: quantity.key,
                unit: quantity.unit,
                kernel: measured.kernel,
                linux: (quantity.value)(&linux),
                article: (quantity.value)(&article),
                tolerance: measured.tolerance,
                exception: exception(self.id, quantity.key),
            })
        };
        Ok(self.figures.iter().filter_map(row).collect())
    }

    /// The settings of the `linux` run, as a query.
    pub fn settings(&self) -> String {
        model::to_query::<SlowStart>(&self.linux)
    }

    /// Keys of the quantities that were measured.
    pub fn quantities(&self) -> impl Iterator<Item = &'static str> {
        self.figures.iter().map(|measured| measured.quantity)
    }
}

fn exception(id: &str, quantity: &str) -> Option<&'static str> {
    EXCEPTIONS.lines().skip(1).find_map(|line| {
        let mut cells = line.splitn(5, ',');
        let found = cells.next() == Some(id) && cells.next() == Some(quantity);
        if found { cells.nth(2) } else { None }
    })
}

/// One line of the file.
struct Cells<'a> {
    header: &'a [&'static str],
    cells: Vec<&'static str>,
}

impl Cells<'_> {
    fn get(&self, name: &str) -> Option<&'static str> {
        let index = self.header.iter().position(|h| *h == name)?;
        self.cells.get(index).copied()
    }

    fn need(&self, name: &str) -> Result<&'static str, String> {
        self.get(name).ok_or_else(|| format!("no column '{name}'"))
    }

    /// The figures there are, by their names in the file.
    fn figures(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let pairs = self.header.iter().copied().zip(self.cells.iter().copied());
        pairs.skip(SETTINGS).filter(|(_, text)| !text.is_empty())
    }
}

fn set(scenario: &mut Scenario, parameter: &str, text: &str) -> Result<(), String> {
    let p = SlowStart::parameter(parameter).ok_or(format!("no parameter '{parameter}'"))?;
    let value = p.parse(text).map_err(|e| e.to_string())?;
    (p.set)(scenario, value);
    Ok(())
}

fn scenario(preset: Preset, line: &Cells) -> Result<Scenario, String> {
    let mut scenario = Scenario::of(preset);
    let assumptions = if preset == Preset::Linux { ASSUMPTION_COLUMNS } else { &[] };
    for (column, parameter, suffix) in COLUMNS.iter().chain(assumptions) {
        let text = line.need(column)?;
        if !text.is_empty() {
            set(&mut scenario, parameter, &format!("{text}{suffix}"))?;
        }
    }
    match line.need("loss")? {
        "last" => set(&mut scenario, "loss", "last-window")?,
        "last2" => set(&mut scenario, "loss", "last-two")?,
        // segKofN: the K-th of N.
        text => match text.strip_prefix("seg").and_then(|t| t.split_once("of")) {
            Some((number, _)) => set(&mut scenario, "lose-segment", number)?,
            None => set(&mut scenario, "loss", text)?,
        },
    }
    Ok(scenario)
}

fn measurement(line: &Cells) -> Result<Measurement, String> {
    let id = line.need("id")?;
    let group = GROUPS.iter().find(|(digit, _)| id.starts_with(digit));
    let timer = ["tail_loss_probes", "timeouts"];
    let timer = timer.iter().any(|name| line.get(name).is_some_and(|text| text != "0"));
    let figure = |(name, text): (&'static str, &str)| {
        let (key, aim) = aim(name);
        let quantity = SlowStart::quantity(key).ok_or(format!("no quantity '{key}'"))?;
        let kernel = match text {
            "infinite" => Printed::None,
            _ => Printed::Number(text.parse().map_err(|e| format!("'{text}': {e}"))?),
        };
        let tolerance = match (kernel, aim) {
            (Printed::Number(n), Some((least, part))) => {
                let waited = if timer && key == "response_ms" { TIMER_TOLERANCE } else { 0.0 };
                Some(waited.max(least).max(part * n))
            }
            (_, aim) => aim.map(|_| 0.0),
        };
        Ok(Measured { quantity: quantity.key, kernel, tolerance })
    };
    Ok(Measurement {
        id,
        group: group.ok_or("in no group")?.1,
        linux: scenario(Preset::Linux, line)?,
        article: scenario(Preset::Article, line)?,
        figures: line.figures().map(figure).collect::<Result<_, String>>()?,
    })
}
