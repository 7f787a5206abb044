//! A pinned run, A, that the current one, B, is compared with.

use super::any::{AnyRun, AnyScenario};
use super::settings;
use super::view::Readout;
use crate::browser::dom;
use crate::charts::chart::Plot;
use crate::share::url;
use crate::teach::guess;
use packet_core::model::{place, query};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::{Event, HtmlElement};

/// What a pinned run is remembered by.
pub struct Pinned {
    /// Its settings.
    pub scenario: Box<dyn AnyScenario>,
    /// The hero number with its unit.
    pub number: String,
    /// Its readouts.
    pub readouts: Vec<Readout>,
    run: Box<dyn AnyRun>,
    /// The charts of the tab that was last asked for: some cost many runs.
    plots: RefCell<Option<(usize, Vec<Plot>)>>,
}

impl Pinned {
    /// Runs a scenario to be compared with; nothing where it cannot be run.
    pub fn new(scenario: Box<dyn AnyScenario>) -> Option<Pinned> {
        let run = scenario.run().ok()?;
        let (number, readouts) = (run.hero().number, run.readouts());
        Some(Pinned { scenario, number, readouts, run, plots: RefCell::default() })
    }

    /// Its charts in one of the model's tabs.
    pub fn plots(&self, tab: usize) -> Vec<Plot> {
        let mut plots = self.plots.borrow_mut();
        match &*plots {
            Some((of, plots)) if *of == tab => plots.clone(),
            _ => {
                let fresh = self.run.plots(tab);
                plots.insert((tab, fresh)).1.clone()
            }
        }
    }

    /// What the hero number is against the pinned one: `+146 ms against the pinned 79 ms`.
    pub fn against(&self, number: &str) -> String {
        let figure = self.scenario.about().figure;
        let unit = self.scenario.quantity(figure).map(|q| q.unit);
        match unit.and_then(|unit| guess::difference(unit, number, &self.number)) {
            Some(difference) => format!("{difference} against the pinned {}", self.number),
            None => format!("the same as the pinned {}", self.number),
        }
    }

    /// What a readout was in the pinned run, where it was something else.
    pub fn was(&self, now: &Readout) -> Option<&str> {
        let then = self.readouts.iter().find(|then| then.label == now.label)?;
        (then.value != now.value).then_some(&then.value)
    }
}

/// Reads a pinned run's own query; with remarks on what could not be taken as it is. Nothing is pinned
/// where it names no setting at all.
pub fn read(of: &dyn AnyScenario, query: &str) -> (Option<Box<dyn AnyScenario>>, Vec<String>) {
    let (scenario, mut remarks) = url::read(of, query);
    let names: Vec<_> = query.split('&').filter(|pair| !pair.is_empty()).collect();
    let settings = of.settings();
    let is_known =
        |pair: &&str| place(&settings, pair.split('=').next().unwrap_or_default()).is_some();
    let unknown: Vec<_> = names.iter().filter(|pair| !is_known(pair)).collect();
    remarks.extend(unknown.iter().map(|pair| format!("'{pair}' names no setting.")));
    let pinned = names.is_empty() || unknown.len() < names.len();
    if !pinned {
        remarks.push("Nothing is pinned.".to_owned());
    }
    let told = remarks.into_iter().map(|remark| format!("Pinned run: {remark}")).collect();
    (pinned.then_some(scenario), told)
}

/// Writes the pinned run into the page's address, or takes it out.
pub fn write(prefix: &str, pinned: Option<&dyn AnyScenario>) {
    let query = pinned.map(|scenario| query(scenario));
    url::set(&format!("{prefix}pin"), query.as_deref());
}

/// The buttons that pin, swap and unpin, and what is pinned.
pub struct PinBar {
    pin: HtmlElement,
    pinned: HtmlElement,
    what: HtmlElement,
    unpin: HtmlElement,
}

/// What a reader does with a pin.
#[derive(Clone, Copy)]
pub enum Act {
    /// Pin the current run, or take the pin away.
    Pin(bool),
    /// Make the pinned run the current one, and pin what was.
    Swap,
}

impl PinBar {
    /// The buttons at the end of `parent`.
    pub fn new(parent: &HtmlElement, act: Rc<dyn Fn(Act)>) -> PinBar {
        let root = dom::append(parent, "div", "pinning");
        let button = |parent: &HtmlElement, text: &str, what: Act| {
            let button = dom::append_text(parent, "button", "quiet", text);
            dom::set(&button, "type", "button");
            let act = act.clone();
            dom::on(&button, "click", move |_: Event| act(what));
            button
        };
        let pin = button(&root, "Pin this run", Act::Pin(true));
        dom::set(&pin, "title", "Keeps this run as A, to compare what you set next with it.");
        let pinned = dom::append(&root, "div", "");
        let what = dom::append(&pinned, "p", "");
        let swap = button(&pinned, "Swap A and B", Act::Swap);
        for button in [&pin, &swap] {
            dom::set_flag(button, "data-tells", true);
        }
        let unpin = button(&pinned, "Unpin A", Act::Pin(false));
        dom::set_flag(&pinned, "hidden", true);
        PinBar { pin, pinned, what, unpin }
    }

    /// Says what is pinned; the focus stays on the button that is there instead of a pressed one.
    pub fn show(&self, pinned: Option<&dyn AnyScenario>) {
        let focused = dom::document().active_element();
        let was_here = |button: &HtmlElement| focused.as_ref() == Some(button.as_ref());
        let (from_pin, from_unpin) = (was_here(&self.pin), was_here(&self.unpin));
        dom::set_flag(&self.pin, "hidden", pinned.is_some());
        dom::set_flag(&self.pinned, "hidden", pinned.is_none());
        let what = pinned.map_or(String::new(), |scenario| {
            format!("A, pinned: {}", settings::describe(scenario))
        });
        dom::set_text(&self.what, &what);
        if pinned.is_some() && from_pin {
            let _ = self.unpin.focus();
        }
        if pinned.is_none() && from_unpin {
            let _ = self.pin.focus();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::view::View;
    use packet_core::model::Of;
    use packet_core::units::Bytes;
    use packet_core::{Scenario, SlowStart};

    #[test]
    fn a_number_is_told_against_the_pinned_one() {
        let scenario = Scenario { size: Bytes::kb(64), initial_window: 46, ..Scenario::default() };
        let pinned = Pinned::new(Box::new(Of::<SlowStart>(scenario))).expect("these can be run");
        assert_eq!(pinned.against("225 ms"), "+146 ms against the pinned 79 ms");
        assert_eq!(pinned.against("60 ms"), "−19 ms against the pinned 79 ms");
        assert_eq!(pinned.against("79 ms"), "the same as the pinned 79 ms");
    }

    #[test]
    fn readouts_that_read_the_same_are_not_repeated() {
        let pinned =
            Pinned::new(Box::new(Of::<SlowStart>(Scenario::default()))).expect("these can be run");
        let run = packet_core::run(&Scenario { initial_window: 46, ..Scenario::default() });
        let now = SlowStart::readouts(&run.expect("these can be run"));
        let was = |label: &str| now.iter().find(|r| r.label == label).and_then(|r| pinned.was(r));
        assert_eq!(was("Packets dropped"), None);
        assert_eq!(was("Round trips by doubling"), Some("7"));
    }
}
