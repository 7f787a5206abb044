//! Theme and text size: in the page's address, and as two small controls in its header.

use crate::browser::dom;
use crate::share::url;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlSelectElement};

/// The event on the document after which everything painted by hand must be painted anew.
pub const CHANGED: &str = "appearance";

const THEMES: &[(&str, &str)] = &[("auto", "as your system"), ("light", "light"), ("dark", "dark")];
const SIZES: &[u32] = &[100, 125, 150, 175, 200];
/// The allowed text sizes, in percent.
const SMALLEST: u32 = 75;
const LARGEST: u32 = 300;
/// Size of the charts' text at 100 percent, in CSS pixels; as in the stylesheet.
const CHART_FONT: f64 = 12.0;

/// Takes over what the address says, and builds the controls where the page has a place for them.
pub fn start() {
    let remarks = take_address();
    if let Some(place) = dom::all("[data-appearance]").pop() {
        build(&place, remarks);
    }
    print_in_light();
}

/// Takes over what the address says; returns remarks on what it could not take as it is.
pub fn take_address() -> Vec<String> {
    let query = url::parameters();
    let given = |key: &str| query.get(key).filter(|text| !text.is_empty());
    let theme = given("theme").map(|theme| set_theme(&theme));
    let font = given("font").map(|font| set_font(&font));
    theme.into_iter().chain(font).filter_map(Result::err).collect()
}

/// Shows the page in this theme.
///
/// # Errors
/// A sentence with what is allowed; the theme is then the reader's own.
pub fn set_theme(theme: &str) -> Result<(), String> {
    let known = THEMES.iter().any(|(name, _)| *name == theme);
    if let Some(root) = root() {
        if known && theme != "auto" {
            dom::set(&root, "data-theme", theme);
        } else {
            let _ = root.remove_attribute("data-theme");
        }
    }
    changed();
    known.then_some(()).ok_or(format!("theme: '{theme}' is not allowed; use auto, light or dark."))
}

/// Shows the page's text in this size, in percent.
///
/// # Errors
/// A sentence with what is allowed; the size is then the nearest allowed one, or what it was.
pub fn set_font(text: &str) -> Result<(), String> {
    let (size, result) = read_size(text);
    if let (Some(size), Some(root)) = (size, root()) {
        let style = root.unchecked_into::<HtmlElement>().style();
        if size == 100 {
            let _ = style.remove_property("font-size");
            let _ = style.remove_property("--chart-font");
        } else {
            let _ = style.set_property("font-size", &format!("{size}%"));
            let chart = CHART_FONT * f64::from(size) / 100.0;
            let _ = style.set_property("--chart-font", &format!("{chart}px"));
        }
    }
    changed();
    result
}

/// Reads `150` or `150%`.
fn read_size(text: &str) -> (Option<u32>, Result<(), String>) {
    let range = format!("use {SMALLEST} to {LARGEST} percent");
    let Ok(size) = text.trim().trim_end_matches('%').parse::<u32>() else {
        return (None, Err(format!("font: '{text}' is not allowed; {range}.")));
    };
    let near = size.clamp(SMALLEST, LARGEST);
    let remark = format!("font: '{text}' is not allowed; {range}. Using {near}.");
    (Some(near), if near == size { Ok(()) } else { Err(remark) })
}

fn root() -> Option<Element> {
    dom::document().document_element()
}

fn changed() {
    if let Ok(event) = Event::new(CHANGED) {
        let _ = dom::document().dispatch_event(&event);
    }
}

fn theme() -> String {
    root().and_then(|r| r.get_attribute("data-theme")).unwrap_or_else(|| "auto".to_owned())
}

fn font() -> u32 {
    let size = root().and_then(|root| {
        root.unchecked_into::<HtmlElement>().style().get_property_value("font-size").ok()
    });
    size.and_then(|s| read_size(&s).0).unwrap_or(100)
}

fn build(place: &HtmlElement, remarks: Vec<String>) {
    place.set_inner_html("");
    let mut sizes = SIZES.to_vec();
    if !sizes.contains(&font()) {
        sizes.insert(sizes.partition_point(|size| *size < font()), font());
    }
    let sizes: Vec<(String, String)> =
        sizes.iter().map(|s| (s.to_string(), format!("{s}%"))).collect();
    let sizes: Vec<(&str, &str)> = sizes.iter().map(|(s, l)| (s.as_str(), l.as_str())).collect();
    let status = dom::create("span", "notice");
    dom::set(&status, "role", "status");
    let status = Rc::new(status);
    // Written to the address as long as it is not what a reader gets without.
    let tell = |key: &'static str, usual: &'static str, set: fn(&str) -> Result<(), String>| {
        let status = status.clone();
        move |value: String| {
            dom::set_text(&status, "");
            let _ = set(&value);
            url::set(key, (value != usual).then_some(&value));
        }
    };
    select(place, "Theme", "theme", THEMES, &theme(), tell("theme", "auto", set_theme));
    let now = font().to_string();
    select(place, "Text size", "font", &sizes, &now, tell("font", "100", set_font));
    let _ = place.append_child(&status);
    dom::set_text(&status, &remarks.join(" "));
}

fn select(
    place: &HtmlElement,
    name: &str,
    id: &str,
    options: &[(&str, &str)],
    now: &str,
    choose: impl Fn(String) + 'static,
) {
    let label = dom::append_text(place, "label", "", name);
    let select: HtmlSelectElement = dom::append(&label, "select", "").unchecked_into();
    select.set_id(id);
    for (value, text) in options {
        let option = dom::append_text(&select, "option", "", text);
        dom::set(&option, "value", value);
        dom::set_flag(&option, "selected", *value == now);
    }
    let chosen = select.clone();
    dom::on(&select, "change", move |_: Event| choose(chosen.value()));
}

/// Paper is white: what is painted by hand follows for as long as the page is printed.
fn print_in_light() {
    let before = Rc::new(std::cell::RefCell::new(None));
    let kept = before.clone();
    dom::on(&dom::window(), "beforeprint", move |_: Event| {
        kept.replace(Some(theme()));
        let _ = set_theme("light");
    });
    dom::on(&dom::window(), "afterprint", move |_: Event| {
        if let Some(theme) = before.take() {
            let _ = set_theme(&theme);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_size_is_read_with_or_without_its_sign() {
        assert_eq!(read_size("150"), (Some(150), Ok(())));
        assert_eq!(read_size("150%"), (Some(150), Ok(())));
        let (near, remark) = read_size("900");
        assert_eq!(near, Some(300));
        assert!(remark.is_err_and(|r| r.ends_with("use 75 to 300 percent. Using 300.")));
        assert_eq!(read_size("big").0, None);
    }
}
