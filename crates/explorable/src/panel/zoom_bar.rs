//! Buttons and keys that zoom and move the time axis.

use super::playback::button;
use crate::browser::dom;
use crate::charts::Charts;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, KeyboardEvent, WheelEvent};

/// What one press zooms by.
const STEP: f64 = 2.0;
/// What one notch of the wheel, about 100 pixels, zooms by: three are a press.
const NOTCH: f64 = 1.26;

/// Adds the buttons to `parent`; the keys are heard in `keys`, the wheel on the charts.
pub fn add(parent: &HtmlElement, keys: &HtmlElement, charts: &Rc<Charts>) {
    let root = dom::append(parent, "div", "zoom-bar");
    dom::set(&root, "role", "group");
    dom::set(&root, "aria-label", "Time axis");
    let tie = |button: &HtmlElement, act: fn(&Charts)| {
        let charts = charts.clone();
        dom::on(button, "click", move |_: Event| act(&charts));
    };
    dom::append_text(&root, "span", "", "Zoom");
    tie(&button(&root, "", "−", "Zoom out", "-"), |c| c.zoom(1.0 / STEP, None));
    tie(&button(&root, "", "+", "Zoom in", "+"), |c| c.zoom(STEP, None));
    tie(&button(&root, "part", "‹", "Earlier", "<"), |c| c.pan(-0.5));
    tie(&button(&root, "part", "›", "Later", ">"), |c| c.pan(0.5));
    tie(&button(&root, "part", "Whole", "Show the whole time", "0"), Charts::zoom_whole);

    let this = charts.clone();
    dom::on(keys, "keydown", move |event: KeyboardEvent| {
        let target = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
        let is_field = target.is_some_and(|t| ["SELECT", "INPUT"].contains(&t.tag_name().as_str()));
        if is_field || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match event.key().as_str() {
            "+" | "=" => this.zoom(STEP, None),
            "-" => this.zoom(1.0 / STEP, None),
            "0" => this.zoom_whole(),
            "<" => this.pan(-0.5),
            ">" => this.pan(0.5),
            _ => return,
        }
        event.prevent_default();
    });
    let this = charts.clone();
    // Without the key the wheel scrolls the page; a touchpad's pinch comes with it.
    dom::on(charts.plots(), "wheel", move |event: WheelEvent| {
        if event.ctrl_key() {
            event.prevent_default();
            let factor = NOTCH.powf((-event.delta_y() / 100.0).clamp(-2.1, 2.1));
            this.zoom(factor, Some(event.client_x().into()));
        }
    });
}
