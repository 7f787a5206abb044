//! The page around the panels: its theme, its embedded form, its "try this" buttons, its last words.

pub mod appearance;
mod kernel;
mod socket;

use crate::browser::dom;
use crate::panel::any::{self, AnyScenario};
use crate::panel::view::View;
use crate::panel::{GUESS_FIRST, Outcome, Panel};
use crate::share::{embed, embed_dialog, export};
use crate::teach;
use crate::teach::exercises::Subject;
use crate::views::initial_window;
use packet_core::SlowStart;
use packet_core::bdp::BandwidthDelay;
use packet_core::study::InitialWindow;
use std::cell::RefCell;
use std::panic;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// The "try this" button that was pressed last.
const PRESSED: &str = "[data-try][aria-pressed='true']";

/// Builds every panel the page has a place for.
pub fn start() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        say_it_failed(&info.to_string());
    }));
    for place in dom::all("[data-version]") {
        dom::set_text(&place, env!("CARGO_PKG_VERSION"));
    }
    appearance::start();
    if embed::alone() {
        keep_only(&embed::wanted());
    }
    embed::start();
    let mut panels: Vec<Rc<Panel>> = Vec::new();
    let slow_start = mount(&*any::start::<SlowStart>());
    if let Some(panel) = slow_start.clone() {
        panels.push(panel.clone());
        kernel::mount(move |settings| show(&panel, settings));
    }
    later(move || {
        let bdp = mount(&*any::start::<BandwidthDelay>());
        panels.extend(bdp);
        later(move || {
            if let Some(panel) = mount(&*any::start::<InitialWindow>()) {
                panels.push(panel.clone());
                if let Some(slow_start) = slow_start {
                    initial_window::on_load(panel.root(), move |settings| {
                        show(&slow_start, settings)
                    });
                }
            }
            let subjects = vec![
                Subject::of::<SlowStart>(),
                Subject::of::<BandwidthDelay>(),
                Subject::of::<InitialWindow>(),
            ];
            teach::start(panels.clone(), subjects);
            // Not before: what is to be guessed first, the page around this one is not told either.
            panels.iter().for_each(embed::tie);
            if let (true, Some(panel)) = (embed::alone(), panels.first()) {
                dom::document().set_title(&panel.title());
            }
            later(go_to_hash);
        });
    });
}

/// The panels may have pushed what the address points at out of sight.
fn go_to_hash() {
    let hash = dom::window().location().hash().unwrap_or_default();
    let id = hash.trim_start_matches('#');
    if let Some(place) = dom::document().get_element_by_id(id).filter(|_| !id.is_empty()) {
        place.scroll_into_view();
    }
}

/// A reader sees the first panel, and can set it, while the others are built; in a frame there is only one.
fn later(work: impl FnOnce() + 'static) {
    if embed::alone() { work() } else { dom::after_paint(work) }
}

/// Builds the panel of a model where the page has a place for it, and ties its buttons to it.
fn mount(start: &dyn AnyScenario) -> Option<Rc<Panel>> {
    let name = start.about().name;
    let place = dom::all(&format!("[data-panel='{name}']")).pop()?;
    // Left out where another panel stands alone.
    if place.has_attribute("hidden") {
        return None;
    }
    let panel = Panel::mount(&place, start);
    for button in dom::all(&format!("[data-try='{name}']")) {
        tie(&button, panel.clone());
    }
    embed_dialog::offer(&panel);
    export::offer(&panel);
    if name == SlowStart::NAME {
        socket::start(&panel);
    }
    Some(panel)
}

/// Sets a panel and goes to it.
fn show(panel: &Rc<Panel>, query: &str) {
    panel.apply(query, false);
    let root = panel.root();
    root.scroll_into_view();
    let _ = root.focus();
}

/// A "try this" button sets the panel and says beside it what has come of it.
fn tie(button: &HtmlElement, panel: Rc<Panel>) {
    let query = button.get_attribute("data-set").unwrap_or_default();
    let result = result_beside(button);
    // In a row of buttons, each keeps its number, so that the row becomes a table.
    let badge = in_row(button).map(|_| dom::append(button, "small", ""));
    let say = Rc::new({
        let (panel, result) = (panel.clone(), result.clone());
        move |outcome: Outcome| {
            dom::set_text(&result, &outcome.change);
            if let Some(badge) = &badge {
                dom::set_text(badge, &outcome.number);
            }
            let what = if panel.is_veiled() { "go to it" } else { "see why" };
            let link = dom::append_text(&result, "button", "to-panel", what);
            dom::set(&link, "type", "button");
            let root = panel.root().clone();
            dom::on(&link, "click", move |_: Event| root.scroll_into_view());
        }
    });
    // What was set while its number was to be guessed first.
    let waiting: Rc<RefCell<Option<String>>> = Rc::default();
    let (this, waits, tell, of) = (button.clone(), waiting.clone(), say.clone(), panel.clone());
    panel.on_settled(Box::new(move || {
        let Some(set) = (!of.is_veiled()).then(|| waits.take()).flatten() else { return };
        if set == of.query() && this.matches(PRESSED).unwrap_or(false) {
            tell(of.outcome());
        } else if result.text_content().is_some_and(|text| text.starts_with(GUESS_FIRST)) {
            dom::set_text(&result, "");
        }
    }));
    let pressed = button.clone();
    dom::on(button, "click", move |_: Event| {
        // What a button elsewhere has set differs in more than this one's row is about.
        let row = in_row(&pressed);
        let is_same_row =
            row.is_some_and(|row| row.query_selector(PRESSED).is_ok_and(|it| it.is_some()));
        let outcome = panel.apply(&query, is_same_row);
        say(outcome);
        waiting.replace(panel.is_veiled().then(|| panel.query()));
        for other in dom::all(PRESSED) {
            dom::set(&other, "aria-pressed", "false");
        }
        dom::set(&pressed, "aria-pressed", "true");
    });
}

fn in_row(button: &HtmlElement) -> Option<Element> {
    button.closest(".tries").ok().flatten()
}

/// Where to say what came of a button: behind it, or below its row.
fn result_beside(button: &HtmlElement) -> HtmlElement {
    let there = in_row(button).and_then(|row| row.query_selector(".result").ok().flatten());
    if let Some(result) = there {
        return result.unchecked_into();
    }
    // The panel itself says aloud what has come of it.
    let result = dom::create("span", "result");
    match in_row(button) {
        Some(row) => drop(row.append_child(&result)),
        None => drop(button.insert_adjacent_element("afterend", &result)),
    }
    result
}

/// In a frame, the panel stands alone.
fn keep_only(panel: &str) {
    for place in dom::all("[data-panel]") {
        let wanted = place.get_attribute("data-panel").as_deref() == Some(panel);
        dom::set_flag(&place, "hidden", !wanted);
    }
}

/// Puts the reason into every panel: a page that has stopped says so.
fn say_it_failed(reason: &str) {
    for place in dom::all("[data-panel]") {
        let place: Element = place.unchecked_into();
        place.set_inner_html("");
        let text = format!(
            "This panel has stopped: {reason}. Reload the page to start it again; without its settings \
             in the address it begins from its start values."
        );
        let message = dom::append_text(&place, "p", "failed", &text);
        dom::set(&message, "role", "alert");
    }
}
