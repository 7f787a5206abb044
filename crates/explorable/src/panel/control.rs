//! One control for one setting: a slider with a number field, a checkbox, or a few radio buttons.

use crate::browser::dom;
use packet_core::parameter::{Kind, Scale, Setting, Value};
use packet_core::units::Unit;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement};

/// Steps of a logarithmic slider.
const STEPS: u64 = 120;
/// About what a letter of a mark's label takes of the slider's length, and what keeps labels apart.
const LETTER: f64 = 0.024;
const LABEL_GAP: f64 = 0.02;

/// What a control calls with the value a reader chose.
pub type OnChange = Rc<dyn Fn(Value)>;

/// The parts of a control that change.
pub struct Control {
    root: HtmlElement,
    reset: HtmlElement,
    /// What a reset goes back to.
    start: Rc<Cell<Value>>,
    note: HtmlElement,
    parts: Parts,
}

enum Parts {
    Number {
        slider: HtmlInputElement,
        field: HtmlInputElement,
        error: HtmlElement,
        stops: Vec<Value>,
        /// Whether a reader is typing into the field.
        typing: Rc<Cell<bool>>,
        /// What is shown.
        shown: Rc<Cell<Value>>,
    },
    Switch(HtmlInputElement),
    Choice(Vec<HtmlInputElement>),
}

impl Control {
    /// Builds the control of `setting` into `parent`.
    pub fn new(
        parent: &HtmlElement,
        prefix: &str,
        setting: Setting,
        on_change: OnChange,
    ) -> Control {
        let class = match setting.kind {
            Kind::Number { .. } => "control number",
            Kind::Switch => "control switch",
            Kind::Choice(_) => "control choice",
        };
        let tag = if matches!(setting.kind, Kind::Choice(_)) { "fieldset" } else { "div" };
        let root = dom::append(parent, tag, class);
        dom::set(&root, "data-key", setting.key);
        dom::set(&root, "title", setting.help);
        let id = format!("{prefix}{}", setting.key);
        let parts = match setting.kind {
            Kind::Number { .. } => number(&root, &id, setting, &on_change),
            Kind::Switch => switch(&root, &id, setting, &on_change),
            Kind::Choice(_) => choice(&root, &id, setting, &on_change),
        };
        let note = dom::append(&root, "p", "note");
        note.set_id(&format!("{id}-note"));
        let help = dom::append_text(&root, "p", "help", setting.help);
        help.set_id(&format!("{id}-help"));
        let described: Vec<&web_sys::Element> = match &parts {
            Parts::Number { slider, field, .. } => vec![slider, field],
            Parts::Switch(input) => vec![input],
            Parts::Choice(_) => vec![&root],
        };
        for element in described {
            dom::set(element, "aria-describedby", &format!("{id}-note {id}-help"));
        }
        let reset = dom::append_text(&root, "button", "reset", "reset");
        dom::set(&reset, "type", "button");
        let start = Rc::new(Cell::new(Value::Absent));
        let (element, back_to) = (root.clone(), start.clone());
        dom::on(&reset, "click", move |_: Event| {
            on_change(back_to.get());
            // The button hides itself: the focus goes to what it has reset.
            if let Ok(Some(input)) = element.query_selector("input") {
                let _ = input.unchecked_into::<HtmlElement>().focus();
            }
        });
        Control { root, reset, start, note, parts }
    }

    /// The control's element.
    pub fn root(&self) -> &HtmlElement {
        &self.root
    }

    /// Shows `value`; a reset goes back to `start`.
    pub fn show(&self, setting: &Setting, value: Value, start: Value) {
        let text = setting.show(value);
        match &self.parts {
            Parts::Number { slider, field, error, stops, typing, shown } => {
                shown.set(value);
                slider.set_value(&nearest(stops, value).to_string());
                dom::set(slider, "aria-valuetext", &text);
                let fraction = nearest(stops, value) as f64 / (stops.len() - 1) as f64;
                let fill = format!("{:.2}%", 100.0 * fraction);
                let _ = slider.style().set_property("--fill", &fill);
                if !typing.get() {
                    field.set_value(&short(setting, value));
                    dom::set_text(error, "");
                    let _ = field.remove_attribute("aria-invalid");
                }
            }
            Parts::Switch(input) => input.set_checked(value == Value::Switch(true)),
            Parts::Choice(inputs) => {
                for (i, input) in inputs.iter().enumerate() {
                    input.set_checked(value == Value::Choice(i));
                }
            }
        }
        dom::set_flag(&self.reset, "hidden", value == start);
        if value != start {
            self.start.set(start);
            let back = format!("Reset {} to {}", setting.label, setting.show(start));
            dom::set(&self.reset, "aria-label", &back);
            dom::set(&self.reset, "title", &back);
        }
    }

    /// Says below the control what else bears on its value; nothing where the text is empty.
    pub fn set_note(&self, text: &str) {
        dom::set_text(&self.note, text);
    }

    /// Hides the control, where the page's address asks for a few only.
    pub fn set_hidden(&self, hidden: bool) {
        dom::set_flag(&self.root, "hidden", hidden);
    }

    /// Lights the control up for a moment, to show that something else has set it.
    pub fn flash(&self) {
        let _ = self.root.class_list().remove_1("flash");
        // Reading the layout lets the animation start again.
        let _ = self.root.offset_width();
        let _ = self.root.class_list().add_1("flash");
    }
}

fn input(parent: &HtmlElement, kind: &str, id: &str, class: &str) -> HtmlInputElement {
    let input = dom::append(parent, "input", class);
    dom::set(&input, "type", kind);
    if !id.is_empty() {
        input.set_id(id);
    }
    input.unchecked_into()
}

fn label(parent: &HtmlElement, id: &str, text: &str) {
    let label = dom::append_text(parent, "label", "", text);
    dom::set(&label, "for", id);
}

fn number(root: &HtmlElement, id: &str, setting: Setting, on_change: &OnChange) -> Parts {
    let stops = stops(setting.kind);
    let head = dom::append(root, "div", "head");
    label(&head, id, &long_label(&setting));
    let field = input(&head, "text", "", "field");
    dom::set(&field, "aria-label", &format!("{}, typed in", setting.label));
    dom::set(&field, "autocomplete", "off");
    dom::set(&field, "spellcheck", "false");
    let slider = input(root, "range", id, "");
    dom::set(&slider, "min", "0");
    dom::set(&slider, "max", &(stops.len() - 1).to_string());
    dom::set(&slider, "step", "1");
    scale(root, &setting, &stops);
    let error = dom::append(root, "p", "error");
    dom::set(&error, "role", "alert");

    let (moved, values, change) = (slider.clone(), stops.clone(), on_change.clone());
    dom::on(&slider, "input", move |_: Event| {
        let index = moved.value_as_number() as usize;
        change(values[index.min(values.len() - 1)]);
    });
    let shown = Rc::new(Cell::new(Value::Absent));
    let typing = Rc::new(Cell::new(false));
    let (begun, typed, there) = (typing.clone(), field.clone(), shown.clone());
    dom::on(&field, "input", move |_: Event| {
        begun.set(typed.value() != short(&setting, there.get()));
    });
    let ended = typing.clone();
    dom::on(&field, "blur", move |_: Event| ended.set(false));
    // A finger that turns out to move the page has not meant the slider it came down on.
    let before = Rc::new(Cell::new(None));
    let (touched, there) = (before.clone(), shown.clone());
    dom::on(&slider, "pointerdown", move |_: Event| touched.set(Some(there.get())));
    let (touched, change) = (before.clone(), on_change.clone());
    dom::on(&slider, "pointercancel", move |_: Event| {
        if let Some(value) = touched.take() {
            change(value);
        }
    });
    let (typed, message, change) = (field.clone(), error.clone(), on_change.clone());
    let ended = typing.clone();
    dom::on(&field, "change", move |_: Event| {
        ended.set(false);
        match parse_loosely(&setting, &typed.value()) {
            Ok(value) => change(value),
            Err(error) => {
                dom::set_text(&message, &error);
                dom::set(&typed, "aria-invalid", "true");
            }
        }
    });
    Parts::Number { slider, field, error, stops, typing, shown }
}

/// A field that shows milliseconds may be given a bare number: it is taken in the unit shown.
fn parse_loosely(setting: &Setting, text: &str) -> Result<Value, String> {
    let typed = text.trim();
    let bare = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit() || c == '.');
    let suffix = match setting.kind {
        Kind::Number { unit: Unit::Time, .. } if bare => "ms",
        Kind::Number { unit: Unit::BitsPerSecond, .. } if bare => "Mbps",
        Kind::Number { unit: Unit::Bytes, .. } if bare => "KB",
        _ => "",
    };
    let is_list = matches!(setting.kind, Kind::Number { unit: Unit::Ordinal, .. });
    let text = if is_list { typed.to_owned() } else { typed.replace(',', "") };
    // The control it stands at says which setting it is.
    let said = |allowed: String| match typed {
        "" => format!("Use {allowed}."),
        _ => format!("'{typed}' is not allowed; use {allowed}."),
    };
    setting.parse(&format!("{text}{suffix}")).map_err(|e| said(e.allowed))
}

fn switch(root: &HtmlElement, id: &str, setting: Setting, on_change: &OnChange) -> Parts {
    let input = input(root, "checkbox", id, "");
    label(root, id, setting.label);
    let (checked, change) = (input.clone(), on_change.clone());
    dom::on(&input, "change", move |_: Event| change(Value::Switch(checked.checked())));
    Parts::Switch(input)
}

fn choice(root: &HtmlElement, id: &str, setting: Setting, on_change: &OnChange) -> Parts {
    dom::append_text(root, "legend", "", setting.label);
    let Kind::Choice(choices) = setting.kind else { return Parts::Choice(Vec::new()) };
    let radio = |(i, choice): (usize, &packet_core::parameter::Choice)| {
        let line = dom::append(root, "div", "option");
        let option_id = format!("{id}-{}", choice.name);
        let input = input(&line, "radio", &option_id, "");
        dom::set(&input, "name", id);
        label(&line, &option_id, choice.label);
        let change = on_change.clone();
        dom::on(&input, "change", move |_: Event| change(Value::Choice(i)));
        input
    };
    Parts::Choice(choices.iter().enumerate().map(radio).collect())
}

/// The values a slider stops at: evenly spread, round, with every mark among them.
fn stops(kind: Kind) -> Vec<Value> {
    let Kind::Number { unit, min, max, scale, marks, absent } = kind else { return Vec::new() };
    let mut numbers: Vec<u64> = match scale {
        Scale::Linear if max - min <= 4 * STEPS => (min..=max).collect(),
        _ => (0..=STEPS)
            .map(|i| round(unit, scale.at(i as f64 / STEPS as f64, min, max)))
            .filter(|n| (min..=max).contains(n))
            .collect(),
    };
    // They are in order: each of the others has its place, with no need of the library's large sort.
    for number in marks.iter().copied().chain([min, max]) {
        if let Err(place) = numbers.binary_search(&number) {
            numbers.insert(place, number);
        }
    }
    let absent = absent.map(|_| Value::Absent);
    absent.into_iter().chain(numbers.into_iter().map(Value::Number)).collect()
}

/// Two significant digits in the unit people read.
fn round(unit: Unit, value: u64) -> u64 {
    let base: u64 = match unit {
        Unit::Bytes if value >= 1 << 20 => 1 << 20,
        Unit::Bytes if value >= 1 << 10 => 1 << 10,
        _ => 1,
    };
    let mut step = 1.0;
    while value as f64 / base as f64 >= 100.0 * step {
        step *= 10.0;
    }
    while (value as f64 / base as f64) < 10.0 * step && base > 1 {
        step /= 10.0;
    }
    ((value as f64 / base as f64 / step).round() * step * base as f64).round() as u64
}

fn nearest(stops: &[Value], value: Value) -> usize {
    let n = match value {
        Value::Number(n) => n,
        // A slider has one place: that of the first.
        Value::Numbers(list) => list.as_slice()[0].into(),
        _ => return stops.iter().position(|s| *s == value).unwrap_or(0),
    };
    let distance = |stop: &Value| match stop {
        Value::Number(s) => s.abs_diff(n),
        _ => u64::MAX,
    };
    (0..stops.len()).min_by_key(|i| distance(&stops[*i])).unwrap_or(0)
}

/// A value without the noun that the label already has.
fn short(setting: &Setting, value: Value) -> String {
    let text = setting.show(value);
    match setting.kind {
        Kind::Number { unit: Unit::Segments | Unit::Packets | Unit::Connections, .. } => {
            text.split(' ').next().unwrap_or_default().to_owned()
        }
        _ => text,
    }
}

/// The setting's name with the unit that its values are shown without.
fn long_label(setting: &Setting) -> String {
    match setting.kind {
        Kind::Number { unit: unit @ (Unit::Segments | Unit::Packets), .. } => {
            format!("{}, {}", setting.label, unit.noun())
        }
        _ => setting.label.to_owned(),
    }
}

/// Ticks at the marks and words at those that have room.
fn scale(root: &HtmlElement, setting: &Setting, stops: &[Value]) {
    let Kind::Number { min, max, marks, .. } = setting.kind else { return };
    let line = dom::append(root, "div", "scale");
    dom::set(&line, "aria-hidden", "true");
    let last = stops.len() - 1;
    let position = |value: Value| nearest(stops, value) as f64 / last as f64;
    let ends = [stops[0], Value::Number(max)];
    let mut labelled: Vec<(f64, usize)> = Vec::new();
    let marks = marks.iter().filter(|m| **m != min && **m != max).map(|m| Value::Number(*m));
    for value in ends.into_iter().chain(marks) {
        let at = position(value);
        let tick = dom::append(&line, "span", "tick");
        let _ = tick.style().set_property("--at", &format!("{:.2}%", 100.0 * at));
        let label = short(setting, value);
        let letters = label.chars().count();
        // At the ends a label stands within the line.
        let half = LETTER * letters as f64 / 2.0;
        let centre = at.clamp(half, 1.0 - half);
        let apart = |(other, others): &(f64, usize)| {
            (other - centre).abs() > half + LETTER * *others as f64 / 2.0 + LABEL_GAP
        };
        if labelled.iter().all(apart) {
            labelled.push((centre, letters));
            dom::append_text(&tick, "span", "", &label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::slow_start::PARAMETERS;

    #[test]
    fn every_mark_and_start_value_is_a_stop() {
        let start = packet_core::Scenario::default();
        for p in PARAMETERS {
            let stops = stops(p.kind);
            if let Kind::Number { min, max, marks, .. } = p.kind {
                let wanted = marks.iter().chain([&min, &max]).map(|n| Value::Number(*n));
                for value in wanted.chain([(p.get)(&start)]) {
                    assert_eq!(stops[nearest(&stops, value)], value, "{}", p.name);
                }
                assert!(stops.iter().all(|s| p.allows(*s)), "{}", p.name);
            }
        }
    }

    #[test]
    fn stops_are_round_numbers() {
        assert_eq!(round(Unit::Bytes, 5_300), 5_325); // 5.2 KB
        assert_eq!(round(Unit::BitsPerSecond, 12_345_678), 12_000_000);
        assert_eq!(round(Unit::Time, 45_678_901), 46_000_000);
        assert_eq!(round(Unit::Bytes, 1_600_000), 1_572_864);
    }

    #[test]
    fn a_bare_number_is_taken_in_the_usual_unit() {
        let setting =
            |name| PARAMETERS.iter().find(|p| p.name == name).expect("there is one").setting();
        let (rtt, lose) = (setting("rtt"), setting("lose-segment"));
        assert_eq!(parse_loosely(&rtt, "20"), Ok(Value::Number(20_000_000)));
        let said = "'900' is not allowed; use 1 ms to 300 ms.";
        assert_eq!(parse_loosely(&rtt, " 900 "), Err(said.to_owned()));
        assert_eq!(parse_loosely(&rtt, ""), Err("Use 1 ms to 300 ms.".to_owned()));
        assert_eq!(parse_loosely(&lose, "12, 40").map(|v| lose.exact(v)), Ok("12,40".to_owned()));
    }
}
