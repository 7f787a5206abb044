//! The panels in the page.
//!
//! Each element with `data-panel` becomes a [`panel::Panel`]: a model of `packet_core` with its
//! parameters as controls, and a [`panel::view::View`] that says what of a run is shown. A button with
//! `data-set` sets a panel from the prose.
//!
//! | folder | what is in it |
//! |---|---|
//! | `page` | what is around the panels: theme, prose, the section on a real kernel |
//! | `panel` | a panel of any model: controls, number, log, playback, pin |
//! | `views` | what each model shows of a run |
//! | `charts` | charts, ladder and packets over one axis |
//! | `teach` | teacher's mode, guesses and exercises |
//! | `share` | address, embedding, files |
//! | `browser` | what the browser does for us |

#![forbid(unsafe_code)]

mod browser;
mod charts;
mod page;
mod panel;
mod share;
mod teach;
mod views;

use wasm_bindgen::prelude::*;

/// Builds the panels. Called once the page's code has arrived.
#[wasm_bindgen(start)]
pub fn start() {
    page::start();
}
