//! Waiting for a promise.

use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Calls `done` with what came of a promise.
pub fn settle(promise: Promise, done: impl FnOnce(Result<JsValue, JsValue>) + 'static) {
    let done = Rc::new(Cell::new(Some(done)));
    let other = done.clone();
    let call = move |result| {
        if let Some(done) = done.take() {
            done(result);
        }
    };
    let refused = move |result| {
        if let Some(done) = other.take() {
            done(Err(result));
        }
    };
    // One of the two is called; both stay, a few bytes.
    let kept = Closure::once(move |value| call(Ok(value)));
    let failed = Closure::once(refused);
    let _ = promise.then2(&kept, &failed);
    kept.forget();
    failed.forget();
}
