//! The browser's runs are the native ones bit for bit: the same tests, compiled for it.

#![cfg(target_arch = "wasm32")]

#[path = "../../packet-core/tests/figures.rs"]
mod figures;
#[path = "../../packet-core/tests/fingerprint.rs"]
mod fingerprint;
#[path = "../../packet-core/tests/golden.rs"]
mod golden;
#[path = "../../packet-core/tests/hash/mod.rs"]
mod hash;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
