//! Talking to the page around this one, when this one is in its frame.
//!
//! | message | from | what it says |
//! |---|---|---|
//! | `height`, `height` | here | how high this page is, on load and after each change |
//! | `state`, `panel`, `query`, `hero`, `text` | here | how a panel stands, on load and after a change has settled |
//! | `remarks`, `remarks` | here | what of a message could not be taken as it is |
//! | `set`, `query`, `reset`, `panel` | the host | sets controls, on top of the start values where `reset` is true |
//! | `theme`, `theme`, `font` | the host | sets the theme, the text size or both |
//!
//! Each is an object with `source: "slow-start"` and its name as `type`. `panel` may be left out of `set`;
//! a query may hold `view` and `pin` beside settings.

use super::url;
use crate::browser::dom;
use crate::page::appearance;
use crate::panel::Panel;
use crate::panel::any::About;
use crate::panel::view::View;
use js_sys::{Array, Object, Reflect};
use packet_core::SlowStart;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Window};

const SOURCE: &str = "slow-start";

/// Whether the page's address asks for one panel and nothing around it.
pub fn alone() -> bool {
    url::parameters().get("embed").is_some_and(|e| e == "1")
}

/// The name of the panel that is meant where none is named.
pub fn wanted() -> String {
    let named = url::parameters().get("panel");
    let is_there = |name: &String| {
        let places = dom::all("[data-panel]");
        places.iter().any(|place| place.get_attribute("data-panel").as_ref() == Some(name))
    };
    named.filter(is_there).unwrap_or_else(|| SlowStart::NAME.to_owned())
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
        let mut remarks = unknown_keys(&this.controls(), &query);
        remarks.extend(this.clone().set(&query, reset));
        remark(remarks);
    });
    let this = panel.clone();
    let tell = move || {
        let state = [
            ("panel", name.into()),
            ("query", this.query().into()),
            ("hero", this.hero().into()),
            ("text", this.sentence().into()),
        ];
        post(&host, "state", &state);
    };
    tell();
    panel.on_settled(Box::new(tell));
}

/// A sentence for each key that is no control's: other keys in an address are left to others, but
/// here they can only be mistakes.
fn unknown_keys(controls: &[(&str, &str)], query: &str) -> Vec<String> {
    // What a panel's state has beside its settings; the last three only count as the page is loaded.
    const OTHERS: [&str; 5] = ["view", "pin", "teach", "exercises", "exercise"];
    let keys: Vec<&str> = controls.iter().map(|control| control.0).collect();
    let given = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    given
        .filter(|key| !key.is_empty() && !keys.contains(key) && !OTHERS.contains(key))
        .map(|key| format!("{key}: there is no such control; there are {}.", keys.join(", ")))
        .collect()
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

fn text(message: &JsValue, key: &str) -> Option<String> {
    Reflect::get(message, &key.into()).ok()?.as_string()
}

fn remark(remarks: Vec<String>) {
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

    #[test]
    fn a_key_that_is_no_control_is_named() {
        let controls = [("size", "Response size"), ("iw", "Initial window")];
        assert_eq!(unknown_keys(&controls, "iw=46&size=1MB&&view=ladder"), Vec::<String>::new());
        assert_eq!(
            unknown_keys(&controls, "speed=2&iw=46"),
            ["speed: there is no such control; there are size, iw."]
        );
    }
}
