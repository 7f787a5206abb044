//! The slow-start model: one response on one connection, or two with an idle gap between them.

pub mod decision;
mod engine;
mod run;
pub mod scenario;

pub use run::{QUANTITIES, Response, Run, run};
pub use scenario::{PARAMETERS, Scenario};

use crate::model::Model;
use crate::parameter::{Invalid, Parameter};
use crate::quantity::Quantity;

/// The model behind the slow-start panel and `slowstart run`.
pub struct SlowStart;

impl Model for SlowStart {
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
        crate::trace::samples_csv(&run.samples)
    }
}
