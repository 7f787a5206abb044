//! A line of a log: a decision and its moment.

use crate::units::Time;
use serde::Serialize;
use std::fmt;

/// What a log tells of; it displays as a sentence.
pub trait Told: fmt::Display {
    /// Whether it tells of a loss.
    fn is_loss(&self) -> bool;
}

/// A decision and its moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Logged<D> {
    /// When.
    pub at: Time,
    /// What.
    #[serde(flatten)]
    pub what: D,
}
