//! The bandwidth-delay-product model: one flow with a fixed send window across one path.
//!
//! ```
//! use packet_core::{bdp, units::Bytes};
//!
//! let run = bdp::run(&bdp::Scenario { window: Bytes::kb(512), ..bdp::Scenario::default() })?;
//! assert_eq!(format!("{:.1}", run.goodput_mbps()), "52.4");
//! # Ok::<(), packet_core::parameter::Invalid>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `scenario` | everything a run depends on |
//! | `sizing` | what each sizing rule multiplies |
//! | `path` | the path in slots and amounts |
//! | `flow` | the rules of a slot, applied to whole stretches of equal slots |
//! | `run` | a run and the figures read off it |
//! | `sweep` | goodput, round-trip time and loss over all windows |
//! | `decision` | what was decided and why |
//! | `buffers` | what a window costs in kernel memory |

pub mod buffers;
pub mod decision;
mod flow;
mod path;
mod run;
pub mod scenario;
mod sizing;
mod sweep;

pub use flow::Totals;
pub use run::{LimitedBy, QUANTITIES, Run, Sample, run, samples_csv};
pub use scenario::{PARAMETERS, Repair, Scenario};
pub use sizing::SizingRule;
pub use sweep::{MAX_STREAMS, SweepPoint, parallel_streams, sweep};

use crate::model::Model;
use crate::parameter::{Invalid, Parameter};
use crate::quantity::Quantity;

/// The model behind the bandwidth-delay-product panel and `slowstart bdp`.
pub struct BandwidthDelay;

impl Model for BandwidthDelay {
    type Scenario = Scenario;
    type Run = Run;
    type Decision = decision::Decision;
    const PARAMETERS: &'static [Parameter<Scenario>] = PARAMETERS;
    const QUANTITIES: &'static [Quantity<Run>] = QUANTITIES;

    fn run(scenario: &Scenario) -> Result<Run, Invalid> {
        run(scenario)
    }

    fn log(run: &Run) -> &[decision::Logged] {
        &run.decisions
    }

    fn trace_csv(run: &Run) -> String {
        samples_csv(&run.samples)
    }
}
