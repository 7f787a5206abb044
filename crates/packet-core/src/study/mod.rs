//! What raising the initial window buys, and who pays: many runs of the slow-start model, side by side.
//!
//! | file | what it answers |
//! |---|---|
//! | `scenario`, `model`, `decision` | a few windows for one connection and for several, as the page shows it |
//! | `comparison` | what a few windows make of one scenario |
//! | `heat_map` | on which paths a larger window helps, and where it drops packets |
//! | `curve` | at which object sizes a round trip is added |
//! | `objects`, `har` | which objects there are, from a list or a browser's recording |
//! | `object_table` | what a larger window does for each of them on a few paths |
//! | `cost` | what a window costs when several connections share the link |
//!
//! The long ones are worked out step by step, so that a page can show what there is and give up what
//! is no longer wanted: `step(n)` works out the next `n`, `is_done` says whether that was all.

mod comparison;
mod cost;
mod curve;
pub mod decision;
mod har;
mod heat_map;
mod model;
mod object_table;
mod objects;
mod outcome;
mod scenario;

pub use comparison::compare;
pub use cost::{COST_QUANTITIES, Cost, cost};
pub use curve::{Curve, steps};
#[cfg(feature = "har")]
pub use har::parse as parse_har;
pub use har::{Entry, body_bytes, from_entries};
pub use heat_map::{Axes, Cell, HeatMap};
pub use model::{InitialWindow, QUANTITIES, Run, run};
pub use object_table::{DEFAULT_PATHS, ObjectTable, Path, Row, Total};
pub use objects::{BadLine, Object, Objects};
pub use outcome::{OUTCOME_QUANTITIES, Outcome};
pub use scenario::{ASSUMPTIONS, LARGEST_COMPARED, PARAMETERS, Scenario};

use crate::parameter::Invalid;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Checks that a range does not end before it begins.
fn ascending<T: Display + PartialOrd>(
    field: &'static str,
    range: &RangeInclusive<T>,
) -> Result<(), Invalid> {
    if range.start() <= range.end() {
        return Ok(());
    }
    let value = format!("{} to {}", range.start(), range.end());
    Err(Invalid { field, value, allowed: "a range whose smaller end comes first".to_owned() })
}
