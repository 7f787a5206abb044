//! What a real kernel did beside both presets.
//!
//! Each row of `tests/figures/kernel.csv` is one figure of one measurement, the median of several runs,
//! with the settings it was measured at. The `linux` preset is meant to come as close as the row's
//! tolerance says; figures that it misses are listed with a reason in `kernel-exceptions.csv`.

use super::{Column, Printed};
use crate::assumptions::Preset;
use crate::model::{self, Model};
use crate::quantity::Figure;
use crate::slow_start::{Run, Scenario, SlowStart};
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

/// One figure of a real kernel beside those of both presets.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The measurement's name; several figures share one.
    pub id: String,
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
        match (self.kernel, self.linux) {
            (Printed::Number(kernel), Figure::Number(linux)) => Some(linux - kernel),
            _ => None,
        }
    }

    /// Whether the `linux` preset is as close as it should be; figures that are only shown always hold.
    pub fn holds(&self) -> bool {
        let Some(tolerance) = self.tolerance else { return true };
        match self.kernel {
            Printed::Number(_) => self.difference().is_some_and(|d| d.abs() <= tolerance + 1e-9),
            Printed::None => matches!(self.linux, Figure::Absent(_)),
        }
    }
}

/// How a figure of the kernel's file is called here, and how close it should come: at least this
/// much, or this part of it.
fn aim(quantity: &str) -> (&str, Option<(f64, f64)>) {
    match quantity {
        "response_ms" | "second_response_ms" => (quantity, Some((2.0, 0.03))),
        "dropped" => ("queue_drops", Some((0.0, 0.1))),
        "hystart_train_exit_cwnd" | "hystart_delay_exit_cwnd" => (quantity, Some((0.0, 0.05))),
        "cwnd_at_end" | "cwnd_before_second" | "cwnd_at_second" => (quantity, Some((0.0, 0.03))),
        "rto_at_end_ms" => ("rto_ms", None),
        _ => (quantity, None),
    }
}

/// A response that waited for a timer may be off by this much, in milliseconds: a kernel's timers go
/// off on steps of 32 ms.
const TIMER_TOLERANCE: f64 = 30.0;

/// What a real kernel did (`tests/figures/kernel.csv`), beside both presets.
///
/// # Errors
/// A sentence, where the file does not fit the model.
pub fn rows() -> Result<Vec<Row>, String> {
    let csv = include_str!("../../../../tests/figures/kernel.csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let table: Vec<Cells> =
        lines.map(|line| Cells { header: &header, cells: line.split(',').collect() }).collect();
    let mut rows = Vec::new();
    for of_one_run in table.chunk_by(|a, b| a.get("id") == b.get("id")) {
        push_rows(of_one_run, &mut rows)?;
    }
    Ok(rows)
}

/// Figures that the `linux` preset is known to miss, with the reason:
/// `id,quantity,kernel,linux,reason`.
pub const EXCEPTIONS: &str = include_str!("../../../../tests/figures/kernel-exceptions.csv");

fn exception(id: &str, quantity: &str) -> Option<&'static str> {
    EXCEPTIONS.lines().skip(1).find_map(|line| {
        let mut cells = line.splitn(5, ',');
        let found = cells.next() == Some(id) && cells.next() == Some(quantity);
        if found { cells.nth(2) } else { None }
    })
}

/// One line of a figures file.
struct Cells<'a> {
    header: &'a [&'a str],
    cells: Vec<&'a str>,
}

impl<'a> Cells<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        let index = self.header.iter().position(|h| *h == name)?;
        self.cells.get(index).copied()
    }

    fn need(&self, name: &str) -> Result<&'a str, String> {
        self.get(name).ok_or_else(|| format!("no column '{name}'"))
    }

    fn number(&self, name: &str) -> Result<f64, String> {
        self.need(name)?.parse::<f64>().map_err(|e| e.to_string())
    }
}

fn set(scenario: &mut Scenario, parameter: &str, text: &str) -> Result<(), String> {
    let p = SlowStart::parameter(parameter).ok_or(format!("no parameter '{parameter}'"))?;
    let value = p.parse(text).map_err(|e| e.to_string())?;
    (p.set)(scenario, value);
    Ok(())
}

fn run(preset: Preset, row: &Cells) -> Result<Run, String> {
    let mut scenario = Scenario::of(preset);
    let assumptions = if preset == Preset::Linux { ASSUMPTION_COLUMNS } else { &[] };
    for (column, parameter, suffix) in COLUMNS.iter().chain(assumptions) {
        let text = row.need(column)?;
        if !text.is_empty() {
            set(&mut scenario, parameter, &format!("{text}{suffix}"))?;
        }
    }
    match row.need("loss")? {
        "last" => set(&mut scenario, "loss", "last-window")?,
        "last2" => set(&mut scenario, "loss", "last-two")?,
        // segKofN: the K-th of N.
        text => match text.strip_prefix("seg").and_then(|t| t.split_once("of")) {
            Some((number, _)) => set(&mut scenario, "lose-segment", number)?,
            None => set(&mut scenario, "loss", text)?,
        },
    }
    SlowStart::run(&scenario).map_err(|e| e.to_string())
}

fn push_rows(table: &[Cells], rows: &mut Vec<Row>) -> Result<(), String> {
    let Some(first) = table.first() else { return Ok(()) };
    let (linux, article) = (run(Preset::Linux, first)?, run(Preset::Article, first)?);
    let settings = model::to_query::<SlowStart>(&linux.scenario);
    let fired = |row: &Cells| {
        let timer = matches!(row.get("quantity"), Some("tail_loss_probes" | "timeouts"));
        timer && row.get("median") != Some("0")
    };
    let timer = table.iter().any(fired);
    for row in table {
        let (key, aim) = aim(row.need("quantity")?);
        let quantity = SlowStart::quantity(key).ok_or(format!("no quantity '{key}'"))?;
        let kernel = match row.need("median")? {
            "infinite" => Printed::None,
            _ => Printed::Number(row.number("median")?),
        };
        let tolerance = match (kernel, aim) {
            (Printed::Number(n), Some((least, part))) => {
                let waited = if timer && key == "response_ms" { TIMER_TOLERANCE } else { 0.0 };
                Some(waited.max(least).max(part * n))
            }
            (_, aim) => aim.map(|_| 0.0),
        };
        let id = row.need("id")?;
        rows.push(Row {
            id: id.to_owned(),
            settings: settings.clone(),
            quantity: quantity.key,
            unit: quantity.unit,
            kernel,
            linux: (quantity.value)(&linux),
            article: (quantity.value)(&article),
            tolerance,
            exception: exception(id, quantity.key),
        });
    }
    Ok(())
}
