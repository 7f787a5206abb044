//! From a real socket to the model, and back.
//!
//! ```
//! let text = "cubic rto:204 rtt:42.5/11.2 mss:1448 cwnd:40 minrtt:40";
//! let readings = readings::read(text)?;
//! let settings = readings.settings();
//! assert_eq!(settings.query(), "rtt=40ms");
//! # Ok::<(), readings::Unreadable>(())
//! ```
//!
//! [`read`] takes what a reader pastes: the output of `ss -ti`, timing lines of `curl -w`, counters of
//! `nstat -az`. Everything in it is either read, set aside by name, or listed as [`Unknown`] with its
//! line and a reason. [`Socket::readings`], [`Timing::readings`] and [`HyStartCounters::readings`] say what the
//! figures mean, [`Readings::settings`] what they say about a scenario. The other way round,
//! [`commands()`] gives the commands that check a scenario on a real system, with the figures that the
//! model expects.

#![forbid(unsafe_code)]

pub mod commands;
pub mod curl;
mod derived;
mod field;
mod line;
mod nstat;
mod printed;
mod read;
mod reading;
mod settings;
mod socket;
mod tokens;

pub use commands::{Command, Place, commands};
pub use curl::Timing;
pub use nstat::HyStartCounters;
pub use read::{Readings, Unknown, Unreadable, read};
pub use reading::Reading;
pub use settings::{Change, Remark, Settings};
pub use socket::{Info, Socket};
