//! Charts as data. [`picture`] draws them; the cursor, the tables behind them and the exports read them.

mod axis;
mod draw;
mod picture;

pub use axis::Axis;
pub use draw::{Theme, canvas_in, picture, plot_edges, show, tick_room};
pub use picture::{Picture, Rgb};

/// The part a colour plays; the page's stylesheet says which colour that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The current run.
    Accent,
    /// The second quantity of the current run.
    Second,
    /// Limits and thresholds.
    Limit,
    /// The queue.
    Queue,
    /// Losses.
    Loss,
    /// A pinned run, behind the current one.
    Pinned,
}

impl Role {
    /// The custom property that holds the colour.
    pub fn property(self) -> &'static str {
        match self {
            Role::Accent => "--accent",
            Role::Second => "--second",
            Role::Limit => "--limit",
            Role::Queue => "--queue",
            Role::Loss => "--loss",
            Role::Pinned => "--pinned",
        }
    }
}

/// How a series gets from one point to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Holds each value until the next point.
    Step,
    /// The same, dashed.
    DashedStep,
    /// Straight.
    Line,
    /// The same, dashed.
    Dashed,
    /// The same, dotted.
    Dotted,
    /// Straight, with the area below shaded.
    Area,
    /// A mark at each point, which spans the one unit below it.
    Marks(Mark),
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A short upright stroke.
    Tick,
    /// An R on an upright stroke: sent again.
    Again,
    /// A P on an upright stroke: a probe.
    Probe,
    /// A cross.
    Cross,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name at the end of the line.
    pub label: &'static str,
    /// Its colour.
    pub role: Role,
    /// Its line.
    pub stroke: Stroke,
    /// Place on the axis and value, in the axis's order.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The value that holds at `x`.
    pub fn at(&self, x: f64) -> Option<f64> {
        let after = self.points.partition_point(|p| p.0 <= x + 1e-9);
        let point = self.points[..after].last()?;
        Some(point.1)
    }
}

/// A value, or a place on the axis, to compare with.
#[derive(Clone, Debug)]
pub struct Level {
    /// The name at the end of the line.
    pub label: String,
    /// The value.
    pub value: f64,
}

/// Charts over one axis, with one cursor.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The axis.
    pub axis: Axis,
    /// The charts, from top to bottom.
    pub charts: Vec<Chart>,
    /// Places on the axis to compare with.
    pub places: Vec<Level>,
    /// Where the current run stands, where the axis is something that can be set.
    pub here: Option<f64>,
}

/// One chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What the y axis measures.
    pub title: &'static str,
    /// Unit of the values, as it stands behind them.
    pub unit: &'static str,
    /// The curves.
    pub series: Vec<Series>,
    /// Values to compare with; one far above the curves is named at the top instead.
    pub levels: Vec<Level>,
    /// The top of the y axis where it is fixed.
    pub y_max: Option<f64>,
}

impl Chart {
    /// The top of the y axis: room for the curves, and for a level unless that would flatten them.
    pub fn top(&self) -> f64 {
        if let Some(top) = self.y_max {
            return top;
        }
        let values = self.series.iter().flat_map(|s| &s.points).map(|p| p.1);
        let highest = values.filter(|v| v.is_finite()).fold(4.0, f64::max);
        let levels = self.levels.iter().map(|l| l.value).filter(|v| *v <= 2.5 * highest);
        levels.fold(highest, f64::max) * 1.08
    }

    /// The bottom and the top of the y axis. Where there are marks, it follows what is in sight.
    pub fn range(&self, axis: Axis) -> (f64, f64) {
        let has_marks = self.series.iter().any(|s| matches!(s.stroke, Stroke::Marks(_)));
        let (from, to) = match axis {
            Axis::Stretch { from, to } if has_marks => (from, to),
            _ => return (0.0, self.top()),
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for series in &self.series {
            let first = series.points.partition_point(|p| p.0 < from);
            let end = series.points.partition_point(|p| p.0 <= to);
            // A step holds from before the left edge.
            let held = usize::from(series.stroke == Stroke::Step);
            for (_, y) in &series.points[first.saturating_sub(held)..end] {
                if y.is_finite() {
                    (low, high) = (low.min(*y), high.max(*y));
                }
            }
        }
        if low > high {
            return (0.0, self.top());
        }
        let room = (0.06 * (high - low)).max(1.0);
        ((low - room).max(0.0), high + room)
    }
}
