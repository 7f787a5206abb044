//! The articles' figures beside the model's; and, in [`kernel`], what a real kernel did.
//!
//! Each row of `tests/figures/*.csv` is one figure of an article, with the settings it was read at and
//! the tolerance of its rounding. It is run through the public interface like any other scenario.

pub mod kernel;

use crate::bdp::BandwidthDelay;
use crate::model::{self, Model};
use crate::quantity::Figure;
use crate::slow_start::SlowStart;

/// A figure as an article prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// A number in the row's unit.
    Number(f64),
    /// The article says that there is none.
    None,
}

impl Printed {
    /// How far a figure is from it; none where either has no number.
    fn off_by(self, figure: Figure) -> Option<f64> {
        match (self, figure) {
            (Printed::Number(printed), Figure::Number(n)) => Some(n - printed),
            _ => None,
        }
    }

    /// Whether a figure is the same within a tolerance.
    fn is_met_by(self, figure: Figure, tolerance: f64) -> bool {
        match self {
            // The allowance is for tolerances such as 0.06, which have no exact binary form.
            Printed::Number(_) => self.off_by(figure).is_some_and(|d| d.abs() <= tolerance + 1e-9),
            Printed::None => matches!(figure, Figure::Absent(_)),
        }
    }
}

/// One figure, as printed and as the model has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row's name.
    pub id: String,
    /// The settings that differ from the start values, as a query.
    pub settings: String,
    /// Key of the quantity.
    pub quantity: String,
    /// What the article prints.
    pub article: Printed,
    /// What the model gives.
    pub model: Figure,
    /// The same as the page shows it, and as it would show the article's figure.
    pub shown: [String; 2],
    /// The unit of both.
    pub unit: String,
    /// By how much they may differ.
    pub tolerance: f64,
}

impl Row {
    /// How far the model is from the article; none where either has no number.
    pub fn difference(&self) -> Option<f64> {
        self.article.off_by(self.model)
    }

    /// Whether the model gives the article's figure.
    pub fn holds(&self) -> bool {
        self.article.is_met_by(self.model, self.tolerance)
    }
}

/// A column of a figures file, the parameter it sets, and the unit its numbers are in.
type Column = (&'static str, &'static str, &'static str);

const SLOW_START_COLUMNS: &[Column] = &[
    ("size_bytes", "size", ""),
    ("rtt_ms", "rtt", "ms"),
    ("rate_bps", "rate", "bps"),
    ("iw", "initial-window", ""),
    ("hystart", "hystart", ""),
    ("tlp", "tail-loss-probe", ""),
    ("slow_start_after_idle", "slow-start-after-idle", ""),
    ("loss", "loss", ""),
    ("idle_ms", "idle", "ms"),
];

/// The figures of the slow-start article.
///
/// # Errors
/// A sentence, where the file does not fit the model.
pub fn slow_start() -> Result<Vec<Row>, String> {
    let csv = include_str!("../../../tests/figures/slow-start.csv");
    rows::<SlowStart>(csv, SLOW_START_COLUMNS)
}

const BDP_COLUMNS: &[Column] = &[
    ("window_bytes", "window", ""),
    ("rule", "rule", ""),
    ("link_bps", "link", "bps"),
    ("hop_bps", "hop", "bps"),
    ("rtt_ms", "rtt", "ms"),
];

/// The figures of the bandwidth-delay-product article.
///
/// # Errors
/// A sentence, where the file does not fit the model.
pub fn bdp() -> Result<Vec<Row>, String> {
    let csv = include_str!("../../../tests/figures/bdp.csv");
    rows::<BandwidthDelay>(csv, BDP_COLUMNS)
}

fn rows<M: Model>(csv: &str, columns: &[Column]) -> Result<Vec<Row>, String> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| row::<M>(&header, line, columns).map_err(|e| format!("{line}: {e}"))).collect()
}

fn row<M: Model>(header: &[&str], line: &str, columns: &[Column]) -> Result<Row, String> {
    let cells: Vec<&str> = line.split(',').collect();
    let cell = |name: &str| {
        let index = header.iter().position(|h| *h == name);
        index.and_then(|i| cells.get(i)).copied().ok_or(format!("no column '{name}'"))
    };
    let mut scenario = M::Scenario::default();
    for (column, parameter, suffix) in columns {
        let text = cell(column)?;
        if text.is_empty() {
            continue;
        }
        let p = M::parameter(parameter).ok_or(format!("no parameter '{parameter}'"))?;
        let value = p.parse(&format!("{text}{suffix}")).map_err(|e| e.to_string())?;
        (p.set)(&mut scenario, value);
    }
    let run = M::run(&scenario).map_err(|e| e.to_string())?;
    let key = cell("quantity")?;
    let quantity = M::quantity(key).ok_or(format!("no quantity '{key}'"))?;
    let number = |name| cell(name)?.parse::<f64>().map_err(|e| e.to_string());
    let article = match cell("article")? {
        "none" => Printed::None,
        _ => Printed::Number(number("article")?),
    };
    let printed = match article {
        Printed::Number(n) => quantity.write(Figure::Number(n)),
        Printed::None => quantity.show(&run),
    };
    Ok(Row {
        id: cell("id")?.to_owned(),
        shown: [quantity.show(&run), printed],
        settings: model::to_query::<M>(&scenario),
        quantity: key.to_owned(),
        article,
        model: (quantity.value)(&run),
        unit: cell("unit")?.to_owned(),
        tolerance: number("tolerance")?,
    })
}
