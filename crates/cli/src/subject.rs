//! What the command line offers of a model, beyond its parameters and quantities.

use packet_core::assumptions::Preset::{Article, Linux};
use packet_core::bdp::{self, BandwidthDelay};
use packet_core::{Model, Run, Scenario, SlowStart};

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

    /// The one figure that says most, before all others.
    fn headline(_: &Self::Run) -> Option<String> {
        None
    }
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
        &[("article", |s| s.set_model(Article)), ("linux", |s| s.set_model(Linux))];
    const EXAMPLES: (&'static [Example], &'static [Example]) = (
        &[
            ("--size 64KB --initial-window 46", "a larger initial window"),
            ("--size 16MB --hystart off --format json", "an overflowing queue, for a script"),
            ("--idle 500ms --format decisions", "what an idle connection keeps of its window"),
            ("--size 14KB --rtt 20ms --loss last-window", "a tail loss and its probe"),
            ("--setup tls13 --think 20ms --clock syn-to-ack", "the whole of a first visit"),
            (
                "--connections 8 --size 45KB --rate 5Mbps --initial-window 32",
                "what windows add up to where connections share a link",
            ),
        ],
        &[
            ("--over rate --from 10Mbps --to 10Gbps --points 31", "what bandwidth buys: nothing"),
            ("--over rtt --from 1ms --to 300ms --points 50 --size 64KB", "what distance costs"),
        ],
    );

    fn headline(run: &Run) -> Option<String> {
        let clock = SlowStart::parameter("timed")?;
        let clock = clock.show((clock.get)(&run.scenario));
        Some(format!("{} {clock}", run.time()))
    }
}

impl Subject for BandwidthDelay {
    const RUN: &'static str = "bdp";
    const SWEEP: &'static str = "bdp-sweep";
    const ABOUT: &'static str = "Runs one flow with a fixed send window across one path";
    const PRESETS: &'static [Preset<bdp::Scenario>] = &[("article", |_| ())];
    const EXAMPLES: (&'static [Example], &'static [Example]) = (
        &[
            ("--window 512KB", "a window below the bandwidth-delay product"),
            ("--rule my-link-x-idle-ping --format decisions", "the wrong rate and the wrong delay"),
            ("--window 9766KB --repair go-back-n", "what a receiver makes of an overload"),
        ],
        &[
            ("--points 200", "goodput, round-trip time and loss over all windows"),
            ("--over buffer --from 10ms --to 1s --points 20 --window 4MB", "what a buffer adds"),
        ],
    );
}
