//! What a panel shows of a model. A panel is a model, its parameters, and one of these.

use super::settings;
use crate::charts::chart::Plot;
use crate::charts::ladder::Ladder;
use packet_core::Model;
use packet_core::model::Of;
use web_sys::HtmlElement;

/// The number a reader watches.
pub struct Hero {
    /// The number with its unit.
    pub number: String,
    /// What it is made of.
    pub parts: String,
    /// A second number beside it, with its name.
    pub second: Option<(String, String)>,
}

/// A small figure below the hero number.
pub struct Readout {
    /// Its name.
    pub label: String,
    /// Its value with its unit.
    pub value: String,
    /// One sentence on what it says.
    pub help: &'static str,
}

/// A table of a few figures that follow from the settings.
pub struct Table {
    /// What it is about.
    pub title: &'static str,
    /// The names of its columns; the first column names the rows.
    pub columns: &'static [&'static str],
    /// Its cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// One way of looking at a run: some of its charts.
pub struct Tab {
    /// Its short name in the page's address.
    pub key: &'static str,
    /// Its name in the page.
    pub label: &'static str,
    /// Whether the packets are drawn above the charts.
    pub has_ladder: bool,
}

/// How an assumption is taken.
pub struct Taken {
    /// Where its variants come from.
    pub source: &'static str,
    /// Where it differs from the first preset: what that one says.
    pub instead_of: Option<&'static str>,
}

/// A part of a panel that only this panel has.
pub trait Part<M: Model> {
    /// Follows the panel's settings.
    fn show(&self, run: &M::Run);
}

/// How a model is shown.
pub trait View: Model + Sized {
    /// The panel's name in the page: `data-panel`, element ids.
    const NAME: &'static str;
    /// What stands before its keys in the page's address.
    const PREFIX: &'static str;
    /// What the hero number is.
    const HERO: &'static str;
    /// The key of the quantity that the hero number is.
    const FIGURE: &'static str;
    /// The subcommand of `slowstart` that runs the model.
    const COMMAND: &'static str;
    /// Quantities worth a word beside a button that has changed them but not the hero number.
    const TELLING: &'static [&'static str];
    /// Keys of the controls that are put away under "More settings": those that few readers need.
    const MORE: &'static [&'static str] = &[];
    /// For people who hear the page: what is here and what can be changed.
    const SUMMARY: &'static str;
    /// What the log is about.
    const LOG: &'static str = "What the sender decided, and why";
    /// Whether the moments of the log lie on the axis of a chart.
    const IS_TIMED: bool = true;

    /// The number a reader watches.
    fn hero(run: &Self::Run) -> Hero;
    /// The figures below it.
    fn readouts(run: &Self::Run) -> Vec<Readout>;
    /// The charts: one plot for each axis, always the same ones in the same order.
    fn plots(run: &Self::Run) -> Vec<Plot>;
    /// Ways of looking at a run on a time axis, the first one to begin with; none where there is only one.
    const TABS: &'static [Tab] = &[];
    /// The charts of one of [`View::TABS`].
    fn plots_of(run: &Self::Run, _tab: usize) -> Vec<Plot> {
        Self::plots(run)
    }
    /// What travels in a run, where it is of packets.
    fn ladder(_: &Self::Run) -> Option<Ladder> {
        None
    }
    /// Loses a segment's first transmission on purpose, or delivers it where it was lost.
    fn lose(_: &mut Self::Scenario, _segment: u32) {}
    /// Goes to a place on the axis of a plot that is not time, where a reader has clicked.
    fn pick(scenario: &mut Self::Scenario, plot: usize, x: f64);
    /// What else bears on a control's value, by the parameter's key.
    fn note(_: &Self::Run, _: &str) -> Option<String> {
        None
    }
    /// The groups of assumptions: the key of each one's first, and its title.
    const GROUPS: &'static [(&'static str, &'static str)] = &[];
    /// What is to be said of an assumption, by its parameter's key.
    fn assumption(_: &Self::Scenario, _: &str) -> Option<Taken> {
        None
    }
    /// What taking an assumption the other way changes, by its parameter's key.
    fn effect(_: &Self::Run, _: &str) -> Option<String> {
        None
    }
    /// The same run on the command line: `slowstart run --size 64KB --initial-window 46`.
    fn command(scenario: &Self::Scenario) -> String {
        format!("slowstart {}{}", Self::COMMAND, settings::options(&Of::<Self>(scenario.clone())))
    }
    /// Builds what this panel has beyond the others into its element, where everything else is there
    /// already.
    fn parts(_root: &HtmlElement) -> Vec<Box<dyn Part<Self>>> {
        Vec::new()
    }
    /// Tables below the log; none in most panels.
    fn tables(_: &Self::Run) -> Vec<Table> {
        Vec::new()
    }
}

/// The readout of one quantity.
pub fn readout<M: Model>(key: &str, run: &M::Run) -> Option<Readout> {
    let quantity = M::quantity(key)?;
    let (noun, mut value) = (quantity.unit.noun(), quantity.show(run));
    // "Packets dropped: 0" needs no second "packets".
    if !noun.is_empty() && quantity.label.to_ascii_lowercase().contains(noun) {
        let bare = value.trim_end_matches('s').trim_end_matches(noun.trim_end_matches('s'));
        value.truncate(bare.trim_end().len());
    }
    Some(Readout { label: quantity.label.to_owned(), value, help: quantity.help })
}
