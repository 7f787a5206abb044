//! Saving something as a file.

use super::dom;
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// How long a browser may take to begin saving.
const PATIENCE_MS: i32 = 60_000;

/// Offers a text as a file of this name.
pub fn text(name: &str, kind: &str, content: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&content.into());
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        self::blob(name, &blob);
    }
}

/// Offers a blob as a file of this name.
pub fn blob(name: &str, content: &Blob) {
    let Ok(address) = Url::create_object_url_with_blob(content) else { return };
    let link: HtmlAnchorElement = dom::create("a", "").unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    let revoke = Closure::once_into_js(move || drop(Url::revoke_object_url(&address)));
    let _ = dom::window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(revoke.unchecked_ref(), PATIENCE_MS);
}
