//! The slow-start model: one response on one connection, or two with an idle gap between them; on
//! several connections at once, if so wished.

pub mod assumptions;
mod connection;
mod engine;
mod network;
mod receiver;
mod run;
pub mod scenario;
mod set_up;

pub(crate) use run::unsampled;
pub use run::{Connection, QUANTITIES, Response, Run, run};
pub use scenario::{PARAMETERS, Scenario};
pub use set_up::SetUp;

use crate::assumptions::Preset;
use crate::decision::{Decision, Logged};
use crate::model::Model;
use crate::parameter::{Invalid, Parameter};
use crate::quantity::Quantity;

/// The model behind the slow-start panel and `slowstart run`.
pub struct SlowStart;

impl Model for SlowStart {
    type Scenario = Scenario;
    type Run = Run;
    type Decision = Decision;
    const PARAMETERS: &'static [Parameter<Scenario>] = PARAMETERS;
    const QUANTITIES: &'static [Quantity<Run>] = QUANTITIES;
    const ASSUMPTIONS: &'static [Parameter<Scenario>] = assumptions::OF_SCENARIO;

    fn baseline(scenario: &Scenario) -> Scenario {
        Scenario { model: Preset::Article, ..Scenario::of(scenario.model) }
    }

    fn run(scenario: &Scenario) -> Result<Run, Invalid> {
        run(scenario)
    }

    fn log(run: &Run) -> &[Logged] {
        &run.decisions
    }

    fn trace_csv(run: &Run) -> String {
        crate::trace::samples_csv(&run.samples)
    }
}
