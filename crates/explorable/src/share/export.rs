//! "Export": a run as a table, as a picture, as a link, as a command.

use crate::browser::{copy, dom, save};
use crate::charts::chart::{Picture, Theme};
use crate::panel::Panel;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{
    Blob, CanvasRenderingContext2d, Element, Event, HtmlCanvasElement, HtmlElement,
    HtmlTextAreaElement,
};

/// Pixels of a saved picture to one of the page's: sharp on paper and on a projector.
const SCALE: f64 = 2.0;
/// The same of a drawing, whose places are whole numbers of these.
const FINE: f64 = 8.0;
/// Around and between the parts of a figure, in CSS pixels.
const MARGIN: f64 = 20.0;
const SMALL: f64 = 13.0;
/// About the width of a letter, as a part of its height.
const LETTER: f64 = 0.52;

/// What a figure of a panel is made of.
pub struct Figure {
    /// What the panel is about.
    pub title: String,
    /// What is set.
    pub settings: String,
    /// The hero number.
    pub number: String,
    /// What it is, and what it is made of.
    pub parts: Vec<String>,
    /// The charts with their titles.
    pub charts: Vec<(&'static str, Picture)>,
}

impl Figure {
    /// All parts below each other, in the colours in force at `element`.
    fn compose(self, element: &Element, scale: f64) -> Picture {
        let [paper, ink, muted] = Theme::of(element).words();
        let widths = self.charts.iter().map(|chart| f64::from(chart.1.width) / scale);
        let width = widths.fold(320.0, f64::max);
        let mut lines = Vec::new();
        let letters = |size: f64| (width / (LETTER * size)) as usize;
        let add = |lines: &mut Vec<_>, text: &str, size: f64, bold: bool, colour| {
            lines.extend(wrap(text, letters(size)).into_iter().map(|l| (l, size, bold, colour)));
        };
        add(&mut lines, &self.title, 18.0, true, ink);
        add(&mut lines, &self.settings, SMALL, false, muted);
        add(&mut lines, &self.number, 40.0, true, ink);
        for part in &self.parts {
            add(&mut lines, part, SMALL, false, muted);
        }
        let height: f64 = lines.iter().map(|line| 1.35 * line.1).sum::<f64>()
            + self.charts.iter().map(|c| f64::from(c.1.height) / scale + 2.0 * SMALL).sum::<f64>();
        let mut picture = Picture::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN, scale);
        picture.fill(paper);
        let mut y = MARGIN;
        for (text, size, bold, colour) in lines {
            picture.write(&text, (MARGIN, y), size, bold, colour);
            y += 1.35 * size;
        }
        for (title, chart) in self.charts {
            picture.write(title, (MARGIN, y + 0.5 * SMALL), SMALL, false, muted);
            y += 2.0 * SMALL;
            let height = f64::from(chart.height) / scale;
            picture.place(chart, (MARGIN, y));
            y += height;
        }
        picture
    }
}

/// Breaks a text into lines of at most so many letters, where it has spaces.
fn wrap(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Adds the menu to the tools under the panel.
pub fn offer(panel: &Rc<Panel>) {
    let Ok(Some(tools)) = panel.root().query_selector(".tools") else { return };
    let menu = dom::create("details", "export");
    let _ = tools.insert_before(&menu, tools.first_child().as_ref());
    dom::append_text(&menu, "summary", "", "Export");
    let content = dom::append(&menu, "div", "");
    let saves = dom::append(&content, "p", "saves");
    button(&saves, "Trace as CSV", panel, |panel| {
        save::text(&format!("{}.csv", panel.file_name()), "text/csv", &panel.trace_csv());
    });
    button(&saves, "Charts as PNG", panel, png);
    button(&saves, "Charts as SVG", panel, |panel| {
        let figure = panel.figure(FINE);
        let title = format!("{}: {} {}", figure.title, figure.number, figure.parts.join(". "));
        let svg = figure.compose(panel.root(), FINE).svg(&title);
        save::text(&format!("{}.svg", panel.file_name()), "image/svg+xml", &svg);
    });
    let (id, _) = panel.name();
    let status = dom::create("p", "copied");
    dom::set(&status, "role", "status");
    let link =
        field(&content, &format!("{id}-address"), "Link to this state", "Copy the link", &status);
    if dom::window().location().protocol().is_ok_and(|protocol| protocol == "file:") {
        let text = "This page is a file: the link works on this computer only. To share the state, pass on \
            the file, and what follows the name of the file in the link.";
        dom::append_text(&content, "p", "aside", text);
    }
    let label = "The same run on the command line";
    let command = field(&content, &format!("{id}-command"), label, "Copy the command", &status);
    let _ = content.append_child(&status);
    let (this, root) = (panel.clone(), menu.clone());
    let follow = Rc::new(move || {
        if root.has_attribute("open") {
            link.set_value(&this.address());
            command.set_value(&this.command());
        }
    });
    let opened = follow.clone();
    dom::on(&menu, "toggle", move |_: Event| {
        dom::set_text(&status, "");
        opened();
    });
    panel.on_settled(Box::new(move || follow()));
}

fn button(parent: &HtmlElement, label: &str, panel: &Rc<Panel>, act: impl Fn(&Panel) + 'static) {
    let button = dom::append_text(parent, "button", "copy", label);
    dom::set(&button, "type", "button");
    let panel = panel.clone();
    dom::set_flag(&button, "data-tells", true);
    dom::on(&button, "click", move |_: Event| {
        if panel.may_tell() {
            act(&panel);
        }
    });
}

fn field(
    parent: &HtmlElement,
    id: &str,
    label: &str,
    copy: &str,
    status: &HtmlElement,
) -> HtmlTextAreaElement {
    let root = dom::append(parent, "div", "code");
    let name = dom::append_text(&root, "label", "", label);
    dom::set(&name, "for", id);
    let field: HtmlTextAreaElement = dom::append(&root, "textarea", "").unchecked_into();
    field.set_id(id);
    field.set_rows(2);
    field.set_read_only(true);
    dom::set(&field, "spellcheck", "false");
    copy::button(&root, copy, field.clone(), status.clone());
    field
}

fn png(panel: &Panel) {
    let picture = panel.figure(SCALE).compose(panel.root(), SCALE);
    let canvas: HtmlCanvasElement = dom::create("canvas", "").unchecked_into();
    canvas.set_width(picture.width);
    canvas.set_height(picture.height);
    let context = canvas.get_context("2d").ok().flatten();
    let Some(Ok(context)) = context.map(|c| c.dyn_into::<CanvasRenderingContext2d>()) else {
        return;
    };
    picture.paint(&context);
    let name = format!("{}.png", panel.file_name());
    let done = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            save::blob(&name, &blob);
        }
    });
    let _ = canvas.to_blob(done.unchecked_ref());
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_texts_are_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 3), ["unbreakable"]);
    }
}
