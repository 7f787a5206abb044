//! "Against a real kernel": the article's model and the `linux` preset beside what a kernel did.

use crate::browser::chunks::Chunks;
use crate::browser::dom;
use packet_core::figures::Printed;
use packet_core::figures::kernel::{self, GROUPS, Measurement, Row};
use packet_core::parameter::Value;
use packet_core::quantity::Figure;
use packet_core::slow_start::scenario::Loss;
use packet_core::units::Unit;
use packet_core::{Model, Scenario, SlowStart};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement, HtmlSelectElement};

/// The quantity shown at first.
const FIRST: &str = "response_ms";
const ALL: &str = "all";
const BY_DIFFERENCE: &str = "difference";

/// What is called with the settings of the row a reader chose.
type OnChoose = Box<dyn Fn(&str)>;

/// Ties every place for the comparison to a panel, which `on_choose` sets.
pub fn mount(on_choose: impl Fn(&str) + Clone + 'static) {
    for place in dom::all("[data-kernel]") {
        let built = OnceCell::new();
        let on_choose = on_choose.clone();
        let root = place.clone();
        dom::on(&place, "toggle", move |_: Event| {
            if root.has_attribute("open") {
                built.get_or_init(|| Comparison::new(&root, Box::new(on_choose.clone())));
            }
        });
    }
}

/// The table and what chooses among its rows.
struct Comparison {
    measurements: Vec<Measurement>,
    /// In the order of `measurements`; empty until worked out.
    results: RefCell<Vec<Vec<Row>>>,
    quantity: HtmlSelectElement,
    group: HtmlSelectElement,
    order: HtmlSelectElement,
    only_marked: HtmlInputElement,
    progress: HtmlElement,
    body: HtmlElement,
    /// In the order of `measurements`.
    lines: Vec<Line>,
    work: OnceCell<Rc<Chunks>>,
}

/// The row of one measurement.
struct Line {
    root: HtmlElement,
    mark: HtmlElement,
    kernel: HtmlElement,
    linux: Compared,
    article: Compared,
}

/// A figure, and how far it is from the kernel's.
struct Compared {
    figure: HtmlElement,
    difference: HtmlElement,
}

impl Comparison {
    fn new(root: &HtmlElement, on_choose: OnChoose) -> Rc<Comparison> {
        let measurements: Vec<_> = kernel::measurements().collect();
        let filters = dom::append(root, "div", "filters");
        let quantities = kernel::quantities().filter_map(SlowStart::quantity);
        let quantities = quantities.map(|quantity| (quantity.key, quantity.label));
        let quantity = select(&filters, "kernel-quantity", "Quantity", quantities);
        quantity.set_value(FIRST);
        let groups = GROUPS.iter().map(|(_, name)| (*name, *name));
        let groups = [(ALL, "all measurements")].into_iter().chain(groups);
        let group = select(&filters, "kernel-group", "Measurements", groups);
        let orders = [("", "as measured"), (BY_DIFFERENCE, "simple model furthest off first")];
        let order = select(&filters, "kernel-order", "Order", orders);
        let only_marked = checkbox(&filters, "kernel-marked", "only rows marked ≠");
        let progress = dom::append(root, "p", "progress");
        dom::set(&progress, "role", "status");
        let body = table(root);
        let lines = measurements.iter().map(|m| Line::new(&body, m)).collect();
        let chosen_from = body.clone();
        dom::on(&body, "click", move |event: Event| {
            let target = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
            let button = target.and_then(|t| t.closest("button").ok().flatten());
            let Some(button) = button else { return };
            for other in elements(&chosen_from, "button") {
                let _ = other.remove_attribute("aria-current");
            }
            dom::set(&button, "aria-current", "true");
            on_choose(&button.get_attribute("data-set").unwrap_or_default());
        });
        let comparison = Rc::new(Comparison {
            results: RefCell::new(vec![Vec::new(); measurements.len()]),
            measurements,
            quantity,
            group,
            order,
            only_marked,
            progress,
            body,
            lines,
            work: OnceCell::new(),
        });
        for tag in ["select", "input"] {
            for element in elements(&filters, tag) {
                let this = comparison.clone();
                dom::on(&element, "change", move |_: Event| this.show());
            }
        }
        let this = comparison.clone();
        comparison.work.get_or_init(|| Chunks::new(Box::new(move || this.work_one_out()))).start();
        comparison.show();
        comparison
    }

    /// Works the quickest measurement left out; says whether there are more.
    fn work_one_out(&self) -> bool {
        let waiting = self.waiting();
        let Some(next) = waiting.iter().min_by_key(|i| self.measurements[**i].linux.size) else {
            return false;
        };
        self.results.borrow_mut()[*next] = self.measurements[*next].compare();
        if waiting.len() > 1 {
            self.show_line(*next);
            self.tell();
        } else {
            self.show();
        }
        waiting.len() > 1
    }

    /// Places of what is not worked out.
    fn waiting(&self) -> Vec<usize> {
        let results = self.results.borrow();
        (0..results.len()).filter(|i| results[*i].is_empty()).collect()
    }

    /// Shows the rows that are asked for, in the order asked for.
    fn show(&self) {
        let by_difference = self.order.value() == BY_DIFFERENCE;
        let off = |index| self.row(index).map_or(-1.0, |row| relative(&row));
        let mut left: Vec<(usize, f64)> = (0..self.lines.len())
            .map(|index| (index, if by_difference { off(index) } else { -(index as f64) }))
            .collect();
        while let Some(first) =
            (0..left.len()).reduce(|a, b| if left[b].1 > left[a].1 { b } else { a })
        {
            let (index, _) = left.remove(first);
            self.show_line(index);
            let _ = self.body.append_child(&self.lines[index].root);
        }
        self.tell();
    }

    /// The result for the quantity asked for.
    fn row(&self, index: usize) -> Option<Row> {
        let (results, key) = (self.results.borrow(), self.quantity.value());
        results.get(index)?.iter().find(|row| row.quantity == key).cloned()
    }

    fn show_line(&self, index: usize) {
        let (measurement, line) = (&self.measurements[index], &self.lines[index]);
        let (key, group) = (self.quantity.value(), self.group.value());
        let row = self.row(index);
        let marked = row.as_ref().is_some_and(Row::simplification_matters);
        let wanted = measurement.has(&key)
            && (group == ALL || group == measurement.group)
            && (marked || !self.only_marked.checked());
        dom::set_flag(&line.root, "hidden", !wanted);
        line.show(row.as_ref(), marked);
    }

    fn tell(&self) {
        let (waiting, all) = (self.waiting().len(), self.measurements.len());
        let text = if waiting > 0 {
            format!("Worked out: {} of {all} measurements", all - waiting)
        } else {
            let shown = self.lines.iter().filter(|line| !line.root.hidden());
            let (mut rows, mut marked) = (0, 0);
            for line in shown {
                rows += 1;
                marked += usize::from(line.root.class_list().contains("matters"));
            }
            format!(
                "{rows} rows; in {marked} of them, marked ≠, what the simple model leaves out shows"
            )
        };
        dom::set_text(&self.progress, &text);
    }
}

impl Line {
    fn new(body: &HtmlElement, measurement: &Measurement) -> Line {
        let root = dom::append(body, "tr", "");
        dom::set(&root, "role", "row");
        let name = dom::append(&root, "th", "");
        dom::set(&name, "scope", "row");
        dom::set(&name, "role", "rowheader");
        let mark = dom::append(&name, "span", "mark");
        let button = dom::append(&name, "button", "try");
        dom::set(&button, "type", "button");
        dom::set(&button, "data-set", &measurement.settings());
        let (path, rest) = words(&measurement.linux);
        dom::append_text(&button, "span", "", &path);
        if !rest.is_empty() {
            dom::append_text(&button, "small", "", &rest);
        }
        let cell = || {
            let cell = dom::append(&root, "td", "");
            dom::set(&cell, "role", "cell");
            cell
        };
        let compared = || {
            let cell = cell();
            let figure = dom::append(&cell, "span", "");
            Compared { figure, difference: dom::append(&cell, "small", "") }
        };
        let kernel = cell();
        let (linux, article) = (compared(), compared());
        Line { root, mark, kernel, linux, article }
    }

    fn show(&self, row: Option<&Row>, marked: bool) {
        let _ = self.root.class_list().toggle_with_force("matters", marked);
        dom::set_text(&self.mark, if marked { "≠" } else { "" });
        let Some(row) = row else {
            dom::set_text(&self.kernel, "…");
            self.linux.show("…", "");
            self.article.show("…", "");
            return;
        };
        let kernel = match row.kernel {
            Printed::Number(n) => row.unit.figure(n),
            Printed::None => "none".to_owned(),
        };
        dom::set_text(&self.kernel, &kernel);
        let figure = |figure| match figure {
            Figure::Number(n) => row.unit.figure(n),
            Figure::Text(word) | Figure::Absent(word) => word.to_owned(),
        };
        let off = |difference: Option<f64>| difference.map(|d| signed(row.unit, d));
        self.linux.show(&figure(row.linux), &off(row.difference()).unwrap_or_default());
        self.article.show(&figure(row.article), &off(row.article_difference()).unwrap_or_default());
    }
}

impl Compared {
    fn show(&self, figure: &str, difference: &str) {
        dom::set_text(&self.figure, figure);
        dom::set_text(&self.difference, difference);
    }
}

/// How far the article's figure is from the kernel's, as a part of that.
fn relative(row: &Row) -> f64 {
    match (row.article_difference(), row.kernel) {
        (Some(difference), Printed::Number(kernel)) => difference.abs() / kernel.abs().max(1.0),
        _ => f64::from(u8::from(row.simplification_matters())),
    }
}

/// A difference with its sign: `+38 ms`, `−1,210`, `±0`.
fn signed(unit: Unit, difference: f64) -> String {
    let tenths = (difference.abs() * 10.0).round() / 10.0;
    let size = if unit == Unit::Time { tenths } else { difference.abs().round() };
    match size {
        0.0 => "±0".to_owned(),
        _ if difference < 0.0 => format!("−{}", unit.figure(size)),
        _ => format!("+{}", unit.figure(size)),
    }
}

/// A scenario in few words: its size and path, and what else is not as at the start.
fn words(scenario: &Scenario) -> (String, String) {
    let start = Scenario::of(scenario.model);
    let path = ["size", "rtt", "rate"];
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for p in SlowStart::parameters() {
        let (value, shown) = ((p.get)(scenario), p.show((p.get)(scenario)));
        if path.contains(&p.name) {
            first.push(shown);
            continue;
        }
        if value == (p.get)(&start) {
            continue;
        }
        rest.push(match (p.name, value) {
            // Named by the page around, too small to matter, or said by the packet's number.
            ("model" | "buffer", _) => continue,
            ("loss", _) if matches!(scenario.loss, Loss::Segments(_)) => continue,
            ("initial-window", Value::Number(n)) => format!("IW {n}"),
            ("tail-loss-probe", _) => "no probe".to_owned(),
            ("slow-start-after-idle", _) => "no decay when idle".to_owned(),
            ("hystart", _) => "no HyStart".to_owned(),
            ("loss", _) => format!("lost: {shown}"),
            ("lose-segment", _) => format!("lost: packet {shown}"),
            ("idle", _) => format!("again after {shown}"),
            ("pacing", _) => "paced".to_owned(),
            ("acks", _) => "an ACK for every second segment".to_owned(),
            _ => format!("{} {shown}", p.label),
        });
    }
    (first.join(", "), rest.join(", "))
}

/// The table's frame; returns its body. Roles are said again, as on a phone its rows are laid out anew.
fn table(root: &HtmlElement) -> HtmlElement {
    let table = dom::append(root, "table", "");
    dom::set(&table, "role", "table");
    dom::set(&table, "aria-label", "The models beside a real kernel");
    let head = dom::append(&table, "thead", "");
    dom::set(&head, "role", "rowgroup");
    let line = dom::append(&head, "tr", "");
    dom::set(&line, "role", "row");
    for name in ["Scenario", "Linux 6.18", "Linux preset", "Simple model"] {
        let cell = dom::append_text(&line, "th", "", name);
        dom::set(&cell, "scope", "col");
        dom::set(&cell, "role", "columnheader");
    }
    let body = dom::append(&table, "tbody", "");
    dom::set(&body, "role", "rowgroup");
    body
}

fn select<'a>(
    parent: &HtmlElement,
    id: &str,
    name: &str,
    options: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> HtmlSelectElement {
    let label = dom::append_text(parent, "label", "", name);
    let select = dom::append(&label, "select", "");
    select.set_id(id);
    for (value, text) in options {
        let option = dom::append_text(&select, "option", "", text);
        dom::set(&option, "value", value);
    }
    select.unchecked_into()
}

fn checkbox(parent: &HtmlElement, id: &str, name: &str) -> HtmlInputElement {
    let label = dom::append(parent, "label", "check");
    let input = dom::append(&label, "input", "");
    dom::set(&input, "type", "checkbox");
    input.set_id(id);
    dom::append_text(&label, "span", "", name);
    input.unchecked_into()
}

fn elements(parent: &HtmlElement, tag: &str) -> Vec<HtmlElement> {
    let list = parent.get_elements_by_tag_name(tag);
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measurement_has_a_name_of_its_own_within_its_group() {
        let mut names: Vec<_> =
            kernel::measurements().map(|m| (m.group, words(&m.linux))).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), kernel::measurements().count());
    }

    #[test]
    fn a_difference_has_its_sign() {
        let signs = [38.2, -0.04, -1.26, 1210.0].map(|d| signed(Unit::Time, d));
        assert_eq!(signs, ["+38 ms", "±0", "−1.3 ms", "+1.21 s"]);
        assert_eq!(signed(Unit::Packets, -2119.4), "−2,119");
    }

    #[test]
    fn the_scenario_is_told_in_few_words() {
        let measured = |id| kernel::measurements().find(|m| m.id == id).expect("there");
        let told = |id| words(&measured(id).linux);
        assert_eq!(told("1-14336-u"), ("14 KB, 100 Mbps, 80 ms".into(), String::new()));
        assert_eq!(
            told("5-rtt20-65536-seg19of46-tlp0-w").1,
            "no probe, lost: packet 19, an ACK for every second segment"
        );
    }
}
