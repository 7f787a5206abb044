//! A line of a log: a decision and its moment.

use crate::units::Time;
use serde::Serialize;

/// A decision and its moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Logged<D> {
    /// When.
    pub at: Time,
    /// What.
    #[serde(flatten)]
    pub what: D,
}
