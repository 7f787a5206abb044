//! What the command line offers of a model, beyond its parameters and quantities.

use packet_core::assumptions::Assumptions;
use packet_core::units::Time;
use packet_core::{Model, Scenario, SlowStart, trace};

/// A model with its subcommands.
pub trait Subject: Model {
    /// The subcommand that runs it once.
    const RUN: &'static str;
    /// The subcommand that runs it over a range.
    const SWEEP: &'static str;
    /// What one run is, in a line.
    const ABOUT: &'static str;
    /// The presets of `--model` and what each sets, the default first.
    const PRESETS: &'static [Preset<Self::Scenario>];
    /// Example options for one run, and for a sweep, with what they show.
    const EXAMPLES: (&'static [Example], &'static [Example]);

    /// The trace, as comma-separated values.
    fn trace_csv(run: &Self::Run) -> String;
    /// What was decided, when, as sentences.
    fn log(run: &Self::Run) -> Vec<(Time, String)>;
}

/// A preset's name, and what puts it into a scenario.
pub type Preset<S> = (&'static str, fn(&mut S));

/// Options, and what they show.
pub type Example = (&'static str, &'static str);

impl Subject for SlowStart {
    const RUN: &'static str = "run";
    const SWEEP: &'static str = "sweep";
    const ABOUT: &'static str =
        "Runs one response on a new connection, or two with an idle gap between them";
    const PRESETS: &'static [Preset<Scenario>] =
        &[("article", |s| s.assumptions = Assumptions::ARTICLE)];
    const EXAMPLES: (&'static [Example], &'static [Example]) = (
        &[
            ("--size 64KB --initial-window 46", "a larger initial window"),
            ("--size 16MB --hystart off --format json", "an overflowing queue, for a script"),
            ("--idle 500ms --format decisions", "what an idle connection keeps of its window"),
            ("--size 14KB --rtt 20ms --loss last-window", "a tail loss and its probe"),
        ],
        &[
            ("--over rate --from 10Mbps --to 10Gbps --points 31", "what bandwidth buys: nothing"),
            ("--over rtt --from 1ms --to 300ms --points 50 --size 64KB", "what distance costs"),
        ],
    );

    fn trace_csv(run: &Self::Run) -> String {
        trace::samples_csv(&run.samples)
    }

    fn log(run: &Self::Run) -> Vec<(Time, String)> {
        run.decisions.iter().map(|d| (d.at, d.what.to_string())).collect()
    }
}
