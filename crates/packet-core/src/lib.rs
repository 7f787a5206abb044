//! A deterministic packet model of how one TCP connection starts.
//!
//! ```
//! use packet_core::{Scenario, run, units::Bytes};
//!
//! let scenario = Scenario { size: Bytes::kb(14), ..Scenario::default() };
//! let run = run(&scenario)?;
//! assert_eq!(run.first().duration().to_string(), "79 ms");
//! # Ok::<(), packet_core::parameter::Invalid>(())
//! ```
//!
//! Data flows one way: a [`Scenario`] is validated and [`run`]; the [`Run`] holds the packets, the
//! sender's samples, and the decisions with the numbers they were made from. Every figure is a
//! [`quantity::Quantity`] read off it. These are the slow-start model's; [`bdp`] has its own of each.

#![forbid(unsafe_code)]

pub mod assumptions;
pub mod bdp;
pub mod decision;
pub mod figures;
pub mod list;
pub mod logged;
pub mod model;
pub mod parameter;
pub mod path;
pub mod quantity;
pub mod sender;
pub mod slow_start;
pub mod study;
pub mod trace;
pub mod units;

pub use model::Model;
pub use slow_start::{Run, Scenario, SlowStart, run};
