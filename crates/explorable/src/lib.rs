//! The panels in the page.
//!
//! Each element with `data-panel` becomes a [`panel::Panel`]: a model of `packet_core` with its
//! parameters as controls, and a [`view::View`] that says what of a run is shown. A button with
//! `data-set` sets a panel from the prose.

#![forbid(unsafe_code)]

mod any;
mod appearance;
mod assumptions;
mod bdp;
mod chart;
mod charts;
mod chunks;
mod control;
mod copy;
mod dom;
mod embed;
mod embed_dialog;
mod exercises;
mod export;
mod gestures;
mod guess;
mod guess_form;
mod initial_window;
mod json;
mod kernel;
mod ladder;
mod log;
mod packet_bar;
mod page;
mod panel;
mod pin;
mod playback;
mod save;
mod sequence;
mod settings;
mod settle;
mod slow_start;
mod socket;
mod tabs;
mod teach;
mod url;
mod view;
mod zoom;
mod zoom_bar;

use wasm_bindgen::prelude::*;

/// Builds the panels. Called once the page's code has arrived.
#[wasm_bindgen(start)]
pub fn start() {
    page::start();
}
