//! Talking to the page around this one, when this one is in its frame.
//!
//! | message | from | what it says |
//! |---|---|---|
//! | `height`, `height` | here | how high this page is, on load and after each change |
//! | `state`, `panel`, `title`, `query`, `hero`, `text` | here | how a panel stands, on load and after a change has settled |
//! | `remarks`, `remarks` | here | what of the address or of a message could not be taken as it is |
//! | `set`, `query`, `reset`, `panel` | the host | sets controls, on top of the start values where `reset` is true |
//! | `theme`, `theme`, `font` | the host | sets the theme, the text size or both |
//!
//! Each is an object with `source: "slow-start"` and its name as `type`. `panel` may be left out of `set`;
//! a query may hold `view` and `pin` beside settings.

use super::url;
use crate::browser::dom;
use crate::page::appearance;
use crate::panel::Panel;
use crate::panel::any::{About, AnyScenario};
use crate::panel::view::View;
use js_sys::{Array, Object, Reflect};
use packet_core::SlowStart;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Window};

const SOURCE: &str = "slow-start";

/// What an address may hold beside settings; of these, a message only the first two.
const OF_ADDRESS: [&str; 10] = [
    "view",
    "pin",
    "embed",
    "panel",
    "controls",
    "theme",
    "font",
    "teach",
    "exercises",
    "exercise",
];

/// Whether the page's address asks for one panel and nothing around it.
pub fn alone() -> bool {
    // The page's head has read the address: the first paint depends on it.
    dom::document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// The names of the panels.
fn panels() -> Vec<String> {
    dom::all("[data-panel]").iter().filter_map(|it| it.get_attribute("data-panel")).collect()
}

/// The name of the panel that is meant where none is named.
pub fn wanted() -> String {
    let named = url::parameters().get("panel");
    named.filter(|name| panels().contains(name)).unwrap_or_else(|| SlowStart::NAME.to_owned())
}

/// What stands before a panel's keys in the page's address: nothing where it is alone.
pub fn prefix(about: &About) -> &'static str {
    if alone() { "" } else { about.prefix }
}

/// Tells the host how high the page is, and listens to what it says of the theme.
pub fn start() {
    let Some(host) = host() else { return };
    listen("theme", move |message| {
        let text = |key| text(message, key);
        let theme = text("theme").map(|theme| appearance::set_theme(&theme));
        let font = text("font").map(|font| appearance::set_font(&font));
        remark(theme.into_iter().chain(font).filter_map(Result::err).collect());
    });
    let Some(root) = dom::document().document_element() else { return };
    let (element, last) = (root.clone(), Cell::new(0.0));
    let tell = Closure::<dyn FnMut()>::new(move || {
        // Not the scroll height, which is never less than the frame's.
        let height = element.get_bounding_client_rect().height().ceil();
        if height != last.replace(height) {
            post(&host, "height", &[("height", height.into())]);
            // What AMP pages, and others after them, listen to.
            let amp = object(&[
                ("sentinel", "amp".into()),
                ("type", "embed-size".into()),
                ("height", height.into()),
            ]);
            send(&host, &amp);
        }
    });
    if let Ok(observer) = web_sys::ResizeObserver::new(tell.as_ref().unchecked_ref()) {
        observer.observe(&root);
        std::mem::forget(observer);
    }
    tell.forget();
}

/// Lets the host set this panel and hear of its state.
pub fn tie(panel: &Rc<Panel>) {
    let Some(host) = host() else { return };
    let (name, _) = panel.name();
    let this = panel.clone();
    listen("set", move |message| {
        if text(message, "panel").unwrap_or_else(wanted) != name {
            return;
        }
        let Some(query) = text(message, "query") else {
            return remark(vec!["set: the query is missing; it is a text such as iw=46.".into()]);
        };
        let reset = Reflect::get(message, &"reset".into()).is_ok_and(|r| r.is_truthy());
        let mut remarks = this.with_scenario(|it| unknown_keys(it, &query, &OF_ADDRESS[..2]));
        remarks.extend(this.clone().set(&query, reset));
        remark(remarks);
    });
    let this = panel.clone();
    let tell = move || {
        let state = [
            ("panel", name.into()),
            ("title", this.title().into()),
            ("query", this.query().into()),
            ("hero", this.hero().into()),
            ("text", this.sentence().into()),
        ];
        post(&host, "state", &state);
    };
    tell();
    panel.on_settled(Box::new(tell));
}

/// Remarks on the address of an embedded panel: whoever wrote it meant all of it for this page.
pub fn remarks_on_address(scenario: &dyn AnyScenario) -> Vec<String> {
    let query = url::parameters();
    let given = |key: &str| query.get(key).filter(|value| !value.is_empty());
    let mut remarks = appearance::take_address();
    if let Some(name) = given("panel").filter(|name| !panels().contains(name)) {
        let (names, used) = (panels().join(", "), wanted());
        remarks.push(format!("panel: '{name}' is not allowed; use {names}. Using {used}."));
    }
    for key in given("controls").unwrap_or_default().split(',') {
        if let Some(keys) = unknown(scenario, key.trim(), &["none"]) {
            remarks.push(format!("controls: '{key}' is not allowed; use none, or some of {keys}."));
        }
    }
    remarks.extend(unknown_keys(scenario, &String::from(query.to_string()), &OF_ADDRESS));
    remarks
}

/// The keys of the settings, where this key is none of theirs and of `others`. The keys of the
/// assumptions would be too many to read.
fn unknown(scenario: &dyn AnyScenario, key: &str, others: &[&str]) -> Option<String> {
    let keys: Vec<_> = scenario.settings().iter().map(|setting| setting.key).collect();
    let is_known = key.is_empty() || keys.contains(&key) || others.contains(&key);
    (!is_known).then(|| keys[..scenario.about().settings].join(", "))
}

/// A sentence for each key that nothing has; `others` may be used beside settings.
fn unknown_keys(scenario: &dyn AnyScenario, query: &str, others: &[&str]) -> Vec<String> {
    let mut remarks = Vec::new();
    for pair in query.split('&') {
        let key = pair.split('=').next().unwrap_or_default();
        // What counts only as the page is loaded is no mistake in a message: a reset sends all of `state`.
        if let Some(keys) = unknown(scenario, key, &OF_ADDRESS) {
            let others = others.join(", ");
            remarks.push(format!(
                "{key}: there is no such setting; there are {keys}, and also {others}."
            ));
        }
    }
    remarks
}

/// The window that holds this one in a frame.
fn host() -> Option<Window> {
    let parent = dom::window().parent().ok().flatten()?;
    (!Object::is(&parent, &dom::window())).then_some(parent)
}

/// Calls `handler` with every message of this type from the host, and from nobody else.
fn listen(kind: &'static str, handler: impl Fn(&JsValue) + 'static) {
    let Some(host) = host() else { return };
    dom::on(&dom::window(), "message", move |event: MessageEvent| {
        // The host may be anyone, as the page may be read anywhere; other frames have no say.
        let from_host = event.source().is_some_and(|source| Object::is(&source, &host));
        let message = event.data();
        let text = |key| text(&message, key);
        if from_host
            && text("source").as_deref() == Some(SOURCE)
            && text("type").as_deref() == Some(kind)
        {
            handler(&message);
        }
    });
}

/// The height that a page in a frame of this one tells of itself.
pub fn height_in(message: &JsValue) -> Option<u32> {
    let is_ours = text(message, "source")? == SOURCE && text(message, "type")? == "height";
    let height = Reflect::get(message, &"height".into()).ok()?.as_f64()?;
    is_ours.then_some(height as u32)
}

fn text(message: &JsValue, key: &str) -> Option<String> {
    Reflect::get(message, &key.into()).ok()?.as_string()
}

/// Tells the host what could not be taken as it is.
pub fn remark(remarks: Vec<String>) {
    if let (Some(host), false) = (host(), remarks.is_empty()) {
        let remarks: Array = remarks.into_iter().map(JsValue::from).collect();
        post(&host, "remarks", &[("remarks", remarks.into())]);
    }
}

fn post(host: &Window, kind: &str, fields: &[(&str, JsValue)]) {
    let message = object(fields);
    for (key, value) in [("source", SOURCE), ("type", kind)] {
        let _ = Reflect::set(&message, &key.into(), &value.into());
    }
    send(host, &message);
}

fn send(host: &Window, message: &JsValue) {
    // To any origin: a host that is itself sandboxed has none that could be named, and nothing here
    // is secret, only what the reader sees in a page that anyone may open.
    let _ = host.post_message(message, "*");
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        let _ = Reflect::set(&object, &(*key).into(), value);
    }
    object.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::any;
    use packet_core::bdp::BandwidthDelay;

    #[test]
    fn a_key_that_is_no_setting_is_named() {
        let unknown =
            |query| unknown_keys(&*any::start::<BandwidthDelay>(), query, &OF_ADDRESS[..2]);
        assert_eq!(unknown("win=1MB&&view=ladder&exercise=2"), Vec::<String>::new());
        let remarks = unknown("speed=2&win=1MB");
        assert_eq!(remarks.len(), 1);
        assert!(remarks[0].starts_with("speed: there is no such setting; there are win, "));
        assert!(remarks[0].ends_with(", and also view, pin."));
    }
}
