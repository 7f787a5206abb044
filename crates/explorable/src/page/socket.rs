//! From a real system and back: what pasted readings of a socket mean, and the commands that check
//! the panel's settings on real hosts.

use crate::browser::{copy, dom};
use crate::panel::Panel;
use packet_core::{Model, Scenario, SlowStart, model};
use readings::{Command, Reading, Readings, Settings, Unknown};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlTextAreaElement};

/// Builds both tools where the page has a place for them.
pub fn start(panel: &Rc<Panel>) {
    for place in dom::all("[data-tool='read-socket']") {
        reader(&place, panel.clone());
    }
    for place in dom::all("[data-tool='commands']") {
        commands(&place, panel.clone());
    }
}

fn button(parent: &HtmlElement, text: &str) -> HtmlElement {
    let button = dom::append_text(parent, "button", "quiet", text);
    dom::set(&button, "type", "button");
    button
}

/// A field to paste into, and below it what the text means.
fn reader(place: &HtmlElement, panel: Rc<Panel>) {
    place.set_inner_html("");
    let label = dom::append_text(place, "label", "", "What ss -ti, nstat -az or curl -w printed");
    dom::set(&label, "for", "socket-text");
    let field: HtmlTextAreaElement = dom::append(place, "textarea", "paste").unchecked_into();
    field.set_id("socket-text");
    field.set_rows(6);
    dom::set(&field, "spellcheck", "false");
    dom::set(&field, "autocomplete", "off");
    let read = button(place, "Read it");
    let result = dom::append(place, "div", "readings");
    dom::set(&result, "role", "region");
    dom::set(&result, "aria-label", "What it means");
    dom::set(&result, "aria-live", "polite");
    dom::on(&read, "click", move |_: Event| {
        result.set_text_content(None);
        match readings::read(&field.value()) {
            Ok(read) => show(&result, &read, &panel),
            Err(error) => drop(dom::append_text(&result, "p", "failed", &error.to_string())),
        }
    });
}

fn show(result: &HtmlElement, read: &Readings, panel: &Rc<Panel>) {
    for socket in &read.sockets {
        table(result, &socket.name(), &socket.readings());
        if read.sockets.len() > 1 && !socket.is_listening() {
            offer(result, socket.settings(), panel);
        }
        if !socket.aside.is_empty() {
            let text = format!("Recognized, but of no use here: {}.", socket.aside.join(", "));
            dom::append_text(result, "p", "aside", &text);
        }
    }
    for timing in &read.timings {
        table(result, &format!("curl, line {}", timing.line), &timing.readings());
    }
    let comparisons = readings::curl::comparisons(&read.timings);
    if !comparisons.is_empty() {
        table(result, "curl, one against the other", &comparisons);
    }
    let settings = read.settings();
    if let Some(counters) = &read.hystart {
        let mut path = scenario(panel);
        settings.apply(&mut path);
        table(result, "HyStart on this machine", &counters.readings(&path));
    }
    unknown(result, &read.unknown);
    offer(result, settings, panel);
}

fn table(result: &HtmlElement, title: &str, readings: &[Reading]) {
    let table = dom::append(result, "table", "");
    dom::append_text(&table, "caption", "", title);
    let body = dom::append(&table, "tbody", "");
    for reading in readings {
        let row = dom::append(&body, "tr", if reading.derived { "derived" } else { "" });
        let name = dom::append_text(&row, "th", "", reading.field);
        dom::set(&name, "scope", "row");
        dom::append_text(&row, "td", "", &reading.value);
        dom::append_text(&row, "td", "", &reading.meaning);
    }
}

fn unknown(result: &HtmlElement, unknown: &[Unknown]) {
    if unknown.is_empty() {
        return;
    }
    dom::append_text(result, "p", "", "Not understood, and not used:");
    let list = dom::append(result, "ul", "");
    for Unknown { line, text, reason } in unknown {
        let item = dom::append_text(&list, "li", "", &format!("line {line}: "));
        dom::append_text(&item, "code", "", text);
        dom::append_text(&item, "span", "", &format!(" ({reason})"));
    }
}

/// A button that sets the panel, with what it will set and why.
fn offer(result: &HtmlElement, settings: Settings, panel: &Rc<Panel>) {
    if settings.changes.is_empty() {
        return;
    }
    let text = format!("Set the panel from {}", settings.source);
    let set = button(result, &text);
    let list = dom::append(result, "ul", "aside");
    for remark in settings.telling() {
        let label = SlowStart::parameter(remark.name).map_or(remark.name, |p| p.label);
        let item = dom::append(&list, "li", "");
        dom::append_text(&item, "strong", "", label);
        let text = match remark.why_left() {
            Some(why) => format!(" stays: {why}"),
            None => format!(": {}", remark.text),
        };
        dom::append_text(&item, "span", "", &text);
    }
    dom::append_text(&list, "li", "", "All other settings stay as they are.");
    let panel = panel.clone();
    dom::on(&set, "click", move |_: Event| {
        panel.clone().set(&settings.query(), true);
        panel.root().scroll_into_view();
    });
}

/// The commands for the panel's settings, worked out while they can be seen.
fn commands(place: &HtmlElement, panel: Rc<Panel>) {
    place.set_inner_html("");
    let details = dom::append(place, "details", "commands");
    dom::append_text(&details, "summary", "", "The commands for the settings of the panel");
    let list = dom::append(&details, "div", "");
    let (this, open) = (panel.clone(), details.clone());
    let fill = Rc::new(move || {
        if open.has_attribute("open") {
            fill_commands(&list, &scenario(&this));
        }
    });
    let opened = fill.clone();
    dom::on(&details, "toggle", move |_: Event| opened());
    panel.on_settled(Box::new(move || fill()));
}

fn fill_commands(list: &HtmlElement, scenario: &Scenario) {
    list.set_text_content(None);
    dom::append_text(list, "p", "", readings::commands::BEFORE);
    // The settings of the panel are allowed ones; were they not, it would say so itself.
    for command in readings::commands(scenario).unwrap_or_default() {
        show_command(list, &command);
    }
}

fn show_command(list: &HtmlElement, command: &Command) {
    let item = dom::append(list, "div", "command");
    let title = format!("{}: {}", command.place.name(), command.purpose);
    dom::append_text(&item, "h3", "", &title);
    if !command.run.is_empty() {
        let field: HtmlTextAreaElement = dom::append(&item, "textarea", "paste").unchecked_into();
        field.set_value(&command.run);
        field.set_read_only(true);
        field.set_rows(command.run.lines().count() as u32);
        dom::set(&field, "aria-label", &title);
        let status = dom::create("span", "copied");
        dom::set(&status, "role", "status");
        copy::button(&item, "Copy", field, status.clone());
        let _ = item.append_child(&status);
    }
    dom::append_text(&item, "p", "", &command.look_for);
}

/// What the panel is set to.
fn scenario(panel: &Rc<Panel>) -> Scenario {
    let query = panel.query();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut scenario = Scenario::default();
    model::apply_pairs::<SlowStart>(&mut scenario, pairs);
    scenario
}
