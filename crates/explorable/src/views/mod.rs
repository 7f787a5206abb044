//! What of each model's run a panel shows.

mod bdp;
pub mod initial_window;
mod slow_start;
