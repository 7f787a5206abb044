//! Short names for what the page needs of the browser.

use wasm_bindgen::convert::FromWasmAbi;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, EventTarget, HtmlElement, Window};

/// The window; there is always one where a page runs.
pub fn window() -> Window {
    web_sys::window().expect("a page runs in a window")
}

/// The document of the window.
pub fn document() -> Document {
    window().document().expect("a window has a document")
}

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

/// A new element with a class.
pub fn create(tag: &str, class: &str) -> HtmlElement {
    let element = document().create_element(tag).expect("a plain tag name is always valid");
    if !class.is_empty() {
        element.set_class_name(class);
    }
    element.unchecked_into()
}

/// A new element with a class inside `parent`, at its end.
pub fn append(parent: &Element, tag: &str, class: &str) -> HtmlElement {
    let element = create(tag, class);
    parent.append_child(&element).expect("a new element can be appended");
    element
}

/// A new element with a class and a text inside `parent`, at its end.
pub fn append_text(parent: &Element, tag: &str, class: &str, text: &str) -> HtmlElement {
    let element = append(parent, tag, class);
    element.set_text_content(Some(text));
    element
}

/// Sets an attribute.
pub fn set(element: &Element, name: &str, value: &str) {
    element.set_attribute(name, value).expect("a plain attribute name is always valid");
}

/// Sets an attribute that is there or not.
pub fn set_flag(element: &Element, name: &str, on: bool) {
    element
        .toggle_attribute_with_force(name, on)
        .map(drop)
        .expect("a plain attribute name is always valid");
}

/// Sets the text where it differs, so that nothing is laid out for nothing.
pub fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Every element that matches a CSS selector.
pub fn all(selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = document().query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

/// Calls `handler` at every event of this name, for as long as the page lives.
pub fn on<E: FromWasmAbi + 'static>(
    target: &EventTarget,
    event: &str,
    handler: impl FnMut(E) + 'static,
) {
    // Boxed, or the code that follows would be there once for each handler.
    listen(target, event, Box::new(handler));
}

fn listen<E: FromWasmAbi + 'static>(target: &EventTarget, event: &str, handler: Box<dyn FnMut(E)>) {
    let closure = Closure::wrap(handler);
    target
        .add_event_listener_with_callback(event, closure.as_ref().unchecked_ref())
        .expect("a listener can always be added");
    closure.forget();
}

/// A new table with these columns as the last child of `parent`; returns its body.
pub fn append_table<'a>(
    parent: &HtmlElement,
    columns: impl Iterator<Item = &'a str>,
) -> HtmlElement {
    let table = append(parent, "table", "");
    // Where it is wider than the window, it is moved by arrow keys.
    set(&table, "tabindex", "0");
    let head = append(&append(&table, "thead", ""), "tr", "");
    for name in columns {
        let cell = append_text(&head, "th", "", name);
        set(&cell, "scope", "col");
    }
    append(&table, "tbody", "")
}

/// Does work once the browser has painted what is there now.
pub fn after_paint(work: impl FnOnce() + 'static) {
    let work = Closure::once_into_js(work);
    // What is called for a frame comes before its paint; a timer that is set there, after it.
    let in_frame = Closure::once_into_js(move || {
        let work = work.unchecked_ref();
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(work, 0);
    });
    let _ = window().request_animation_frame(in_frame.unchecked_ref());
}

/// Work that is asked for often and done once, before the next frame or after a pause.
pub struct Coalesced {
    callback: Closure<dyn FnMut()>,
    waiting: std::cell::Cell<Option<i32>>,
}

impl Coalesced {
    /// Work to be asked for.
    pub fn new(work: impl FnMut() + 'static) -> Coalesced {
        let work: Box<dyn FnMut()> = Box::new(work);
        Coalesced { callback: Closure::wrap(work), waiting: std::cell::Cell::new(None) }
    }

    /// Asks for the work before the next frame is painted. The work calls [`Coalesced::done`].
    pub fn in_next_frame(&self) {
        if self.waiting.get().is_none() {
            let id = window().request_animation_frame(self.callback.as_ref().unchecked_ref());
            self.waiting.set(id.ok());
        }
    }

    /// Asks for the work once nobody has asked for this many milliseconds.
    pub fn after_pause(&self, ms: i32) {
        if let Some(id) = self.waiting.take() {
            window().clear_timeout_with_handle(id);
        }
        let callback = self.callback.as_ref().unchecked_ref();
        let id = window().set_timeout_with_callback_and_timeout_and_arguments_0(callback, ms);
        self.waiting.set(id.ok());
    }

    /// The work is being done: the next one to ask begins anew.
    pub fn done(&self) {
        self.waiting.set(None);
    }
}
