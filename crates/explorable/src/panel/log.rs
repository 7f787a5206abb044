//! The decision log: a line a decision, each tied to its moment on the charts.

use crate::browser::dom;
use packet_core::logged::{Logged, Told};
use packet_core::units::grouped;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// Lines shown; a run that loses packets over and over has many thousands.
const LINES: usize = 200;

/// What is called with the moment, in milliseconds, of the line a reader points at.
pub type OnPoint = Box<dyn Fn(f64)>;

/// What a log tells.
pub struct Story {
    /// The first decisions in words.
    pub lines: Vec<String>,
    /// The moments of all decisions in milliseconds or what stands instead, and whether each tells of a loss.
    pub moments: Vec<(Result<f64, &'static str>, bool)>,
}

impl Story {
    /// The story of these decisions.
    pub fn of<D: Told>(decisions: &[Logged<D>]) -> Story {
        let moment = |logged: &Logged<D>| {
            let instead = logged.what.instead_of_moment();
            (instead.map_or(Ok(logged.at.as_millis()), Err), logged.what.is_loss())
        };
        Story {
            lines: decisions.iter().take(LINES).map(Logged::to_string).collect(),
            moments: decisions.iter().map(moment).collect(),
        }
    }
}

/// The log of one panel.
pub struct Log {
    list: HtmlElement,
    rest: HtmlElement,
    /// Whether its moments lie on a chart's axis, so that a line leads somewhere.
    is_timed: bool,
    moments: RefCell<Vec<(Result<f64, &'static str>, bool)>>,
    on_point: OnceCell<OnPoint>,
}

impl Log {
    /// An empty log in `parent`, about what its `title` says; its moments lie on a chart's axis where it
    /// `is_timed`.
    pub fn new(parent: &HtmlElement, title: &str, is_timed: bool) -> Rc<Log> {
        dom::append_text(parent, "h3", "", title);
        let list = dom::append(parent, "ol", "");
        let rest = dom::append(parent, "p", "rest");
        let moments = RefCell::new(Vec::new());
        let log = Rc::new(Log { list, rest, is_timed, moments, on_point: OnceCell::new() });
        for event in ["pointerover", "focusin", "click"] {
            let this = log.clone();
            dom::on(&log.list, event, move |event: Event| this.point(&event));
        }
        log
    }

    /// Says what to call when a reader points at a line.
    pub fn on_point(&self, on_point: OnPoint) {
        let _ = self.on_point.set(on_point);
    }

    /// The moments of the decisions that have one, in milliseconds, and whether each tells of a loss.
    pub fn moments(&self) -> Vec<(f64, bool)> {
        let moments = self.moments.borrow();
        moments.iter().filter_map(|(at, is_loss)| Some((at.ok()?, *is_loss))).collect()
    }

    /// Tells this story; `command` is the same run on the command line.
    pub fn show(&self, story: Story, command: &str) {
        let Story { lines, moments } = story;
        let more = moments.len() - lines.len();
        let rest = format!(
            "and {} more, which the buttons above go on to; {command} --format decisions prints them all",
            grouped(more as f64)
        );
        dom::set_text(&self.rest, if more > 0 { &rest } else { "" });
        let rows = self.list.children();
        for (i, (line, (at, is_loss))) in lines.iter().zip(&moments).enumerate() {
            let row = self.row(i, self.is_timed && at.is_ok());
            dom::set(&row, "class", if *is_loss { "loss" } else { "" });
            if let Some(button) = row.first_element_child() {
                let (time, text) = (button.first_element_child(), button.last_element_child());
                if let (Some(time), Some(text)) = (time, text) {
                    let at = at.map_or_else(str::to_owned, |ms| format!("{} ms", grouped(ms)));
                    dom::set_text(&time, &at);
                    set_with_bold_numbers(&text, line);
                }
            }
        }
        while let Some(row) = rows.item(lines.len() as u32) {
            row.remove();
        }
        self.moments.replace(moments);
    }

    /// Marks the lines within `reach` of `at`, both in milliseconds.
    pub fn mark(&self, at: Option<f64>, reach: f64) {
        let rows = self.list.children();
        for (i, (moment, _)) in self.moments.borrow().iter().take(LINES).enumerate() {
            let near = at.zip(moment.ok()).is_some_and(|(at, moment)| (at - moment).abs() <= reach);
            if let Some(row) = rows.item(i as u32) {
                let _ = row.class_list().toggle_with_force("marked", near);
            }
        }
    }

    /// What the marked lines say.
    pub fn marked(&self) -> String {
        let rows = self.list.children();
        let marked = (0..rows.length()).filter_map(|i| rows.item(i));
        let marked = marked.filter(|row| row.class_list().contains("marked"));
        let texts: Vec<_> = marked
            .filter_map(|row| row.last_element_child()?.last_element_child()?.text_content())
            .collect();
        texts.join(". ")
    }

    /// The row at this place, a button where it leads somewhere; a new one where there is none such.
    fn row(&self, place: usize, leads: bool) -> Element {
        let tag = if leads { "button" } else { "div" };
        let old = self.list.children().item(place as u32);
        if let Some(row) = &old
            && row.first_element_child().is_some_and(|line| line.local_name() == tag)
        {
            return row.clone();
        }
        let row: Element = dom::append(&self.list, "li", "").into();
        let line = dom::append(&row, tag, "line");
        if leads {
            dom::set(&line, "type", "button");
        }
        dom::append(&line, "span", "at");
        dom::append(&line, "span", "text");
        if let Some(old) = old {
            let _ = self.list.replace_child(&row, &old);
        }
        row
    }

    fn point(&self, event: &Event) {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let Some(row) = target.and_then(|t| t.closest("li").ok().flatten()) else { return };
        let rows = self.list.children();
        let index = (0..rows.length()).find(|i| rows.item(*i).as_ref() == Some(&row));
        let moment = index.and_then(|i| self.moments.borrow().get(i as usize).copied());
        if let (Some((Ok(at), _)), Some(on_point)) = (moment, self.on_point.get()) {
            on_point(at);
        }
    }
}

/// Sets a sentence with its numbers in bold: they decided.
fn set_with_bold_numbers(element: &Element, text: &str) {
    if element.text_content().as_deref() == Some(text) {
        return;
    }
    element.set_text_content(None);
    for (is_number, part) in numbers(text) {
        let tag = if is_number { "b" } else { "span" };
        dom::append_text(element, tag, "", part);
    }
}

/// Splits a sentence into numbers and what is between them.
fn numbers(text: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[start..];
        let end = number.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.'));
        let number = number[..end.unwrap_or(number.len())].trim_end_matches(['.', ',']);
        if start > 0 {
            parts.push((false, &rest[..start]));
        }
        parts.push((true, number));
        rest = &rest[start + number.len()..];
    }
    if !rest.is_empty() {
        parts.push((false, rest));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_are_set_apart() {
        assert_eq!(
            numbers("ends at cwnd 1,965, then 1.03 s."),
            [
                (false, "ends at cwnd "),
                (true, "1,965"),
                (false, ", then "),
                (true, "1.03"),
                (false, " s.")
            ]
        );
        assert_eq!(numbers("200"), [(true, "200")]);
        assert_eq!(numbers("no number"), [(false, "no number")]);
    }
}
