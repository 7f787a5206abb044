//! The panels' state in the page's address, under short stable names.

use crate::browser::dom;
use crate::panel::any::AnyScenario;
use packet_core::model::{self, Settable};
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

thread_local! {
    /// What the address would be, where the page may not touch it (a sandboxed frame).
    static UNSHOWN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The parameters of the page's address.
pub fn parameters() -> UrlSearchParams {
    let unshown = UNSHOWN.with_borrow(Clone::clone);
    parse(&unshown.unwrap_or_else(|| dom::window().location().search().unwrap_or_default()))
}

/// The parameters of a query such as `size=64KB&iw=46`.
pub fn parse(query: &str) -> UrlSearchParams {
    UrlSearchParams::new_with_str(query)
        .or_else(|_| UrlSearchParams::new())
        .expect("an empty list of parameters can always be made")
}

/// Sets on `scenario` what `query` says under this panel's `prefix`; returns remarks on what it could
/// not take as it is.
pub fn apply(scenario: &mut dyn Settable, query: &UrlSearchParams, prefix: &str) -> Vec<String> {
    let keys = scenario.settings().into_iter().map(|setting| setting.key);
    let values: Vec<(&str, String)> =
        keys.filter_map(|key| Some((key, query.get(&format!("{prefix}{key}"))?))).collect();
    let pairs: Vec<_> = values.iter().map(|(key, text)| (*key, text.as_str())).collect();
    model::apply(scenario, &pairs)
}

/// A scenario of the same model from its start values and `query`, with remarks on what could not be
/// taken as it is.
pub fn read(of: &dyn AnyScenario, query: &str) -> (Box<dyn AnyScenario>, Vec<String>) {
    let mut scenario = of.start();
    let remarks = apply(&mut *scenario, &parse(query), "");
    (scenario, remarks)
}

/// Writes what differs from the start values into the page's address and leaves the rest of it alone.
pub fn write(scenario: &dyn Settable, prefix: &str) {
    replace(&with(scenario, prefix));
}

/// The whole address of the page in this state, whether or not the browser shows it yet.
pub fn address(scenario: &dyn Settable, prefix: &str) -> String {
    let here = dom::window().location().href().unwrap_or_default();
    let page = &here[..here.find(['?', '#']).unwrap_or(here.len())];
    let text = String::from(with(scenario, prefix).to_string());
    if text.is_empty() { page.to_owned() } else { format!("{page}?{text}") }
}

fn with(scenario: &dyn Settable, prefix: &str) -> UrlSearchParams {
    let query = parameters();
    for setting in scenario.settings() {
        query.delete(&format!("{prefix}{}", setting.key));
    }
    for pair in model::query(scenario).split('&') {
        if let Some((key, value)) = pair.split_once('=') {
            query.set(&format!("{prefix}{key}"), value);
        }
    }
    query
}

/// Writes one parameter into the page's address, or takes it out.
pub fn set(key: &str, value: Option<&str>) {
    let query = parameters();
    match value {
        Some(value) => query.set(key, value),
        None => query.delete(key),
    }
    replace(&query);
}

fn replace(query: &UrlSearchParams) {
    let location = dom::window().location();
    let text = String::from(query.to_string());
    let search = if text.is_empty() { String::new() } else { format!("?{text}") };
    let path = location.pathname().unwrap_or_default();
    let hash = location.hash().unwrap_or_default();
    if let Ok(history) = dom::window().history() {
        let address = format!("{path}{search}{hash}");
        if history.replace_state_with_url(&JsValue::NULL, "", Some(&address)).is_err() {
            UNSHOWN.set(Some(search));
        }
    }
}
