//! A line of a log: a decision and its moment.

use crate::units::Time;
use serde::Serialize;
use std::fmt;

/// What a log tells of; it displays as a sentence.
pub trait Told: fmt::Display {
    /// Whether it tells of a loss.
    fn is_loss(&self) -> bool;
    /// What stands in the place of its moment where it has none: it goes before the run, or sums it up.
    fn instead_of_moment(&self) -> Option<&'static str> {
        None
    }
}

/// A decision and its moment; displays as a sentence that names the connection where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Logged<D> {
    /// When.
    pub at: Time,
    /// Which connection it is about, counted from 0, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<u32>,
    /// What.
    #[serde(flatten)]
    pub what: D,
}

impl<D: fmt::Display> fmt::Display for Logged<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(connection) = self.connection {
            write!(f, "Connection {}: ", connection + 1)?;
        }
        self.what.fmt(f)
    }
}
