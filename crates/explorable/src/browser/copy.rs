//! Copying a text that stands in a field.

use super::dom;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement, HtmlTextAreaElement};

/// A button in `parent` that copies what `field` holds and says in `status` what came of it.
pub fn button(parent: &HtmlElement, label: &str, field: HtmlTextAreaElement, status: HtmlElement) {
    let button = dom::append_text(parent, "button", "copy", label);
    dom::set(&button, "type", "button");
    dom::on(&button, "click", move |_: Event| {
        dom::set_text(&status, "");
        let (by_hand, told) = (field.clone(), status.clone());
        let fall_back = move |_: JsValue| dom::set_text(&told, copy_selection(&by_hand));
        let told = status.clone();
        let done = move |_: JsValue| dom::set_text(&told, COPIED);
        match write(&field.value()) {
            Some((promise, then)) => {
                // One of the two is called and frees itself; the other, a few bytes, stays.
                let [done, refused] =
                    [Closure::once_into_js(done), Closure::once_into_js(fall_back)];
                let _ = then.call2(&promise, &done, &refused);
            }
            None => fall_back(JsValue::NULL),
        }
    });
}

const COPIED: &str = "Copied.";
const SELECTED: &str = "Copying is not allowed here. The text is selected: press Ctrl+C or ⌘C.";

/// Asks the browser's clipboard: a promise and its `then`. None where a page has no clipboard, as
/// over plain HTTP.
fn write(text: &str) -> Option<(JsValue, Function)> {
    // Looked up by name: to call what is not there would end the page.
    let navigator = Reflect::get(&dom::window(), &"navigator".into()).ok()?;
    let clipboard = Reflect::get(&navigator, &"clipboard".into()).ok()?;
    let promise = function(&clipboard, "writeText")?.call1(&clipboard, &text.into()).ok()?;
    let then = function(&promise, "then")?;
    Some((promise, then))
}

fn function(of: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}

/// The old way, which frames without the permission allow; where it fails, the reader's own hands.
fn copy_selection(field: &HtmlTextAreaElement) -> &'static str {
    let _ = field.focus();
    field.select();
    let document = dom::document();
    let copied = function(&document, "execCommand")
        .and_then(|command| command.call1(&document, &"copy".into()).ok());
    if copied.is_some_and(|c| c.is_truthy()) { COPIED } else { SELECTED }
}
