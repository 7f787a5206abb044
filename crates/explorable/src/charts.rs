//! The charts of one panel over one time axis, with one cursor and the values under it.

use crate::chart::{self, Chart, Theme};
use crate::dom;
use crate::log::Log;
use packet_core::units::{Time, grouped};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlCanvasElement, HtmlElement, KeyboardEvent, PointerEvent};

/// A decision this close to the cursor, as a part of the axis, is meant by it.
const REACH: f64 = 0.008;
/// Rows of the table behind a chart.
const TABLE_ROWS: usize = 25;

/// All charts of a panel.
pub struct Charts {
    root: HtmlElement,
    values: HtmlElement,
    plots: HtmlElement,
    overlay: HtmlElement,
    line: HtmlElement,
    moments: HtmlElement,
    table: HtmlElement,
    log: Rc<Log>,
    canvases: RefCell<Vec<Figure>>,
    charts: RefCell<Vec<Chart>>,
    end_ms: Cell<f64>,
    cursor: Cell<Option<f64>>,
}

struct Figure {
    title: HtmlElement,
    canvas: HtmlCanvasElement,
}

impl Charts {
    /// No charts yet, in `root`; the lines of `log` and their moments point at each other.
    pub fn new(root: &HtmlElement, log: Rc<Log>) -> Rc<Charts> {
        let values = dom::append(root, "p", "values");
        let plots = dom::append(root, "div", "plots");
        dom::set(&plots, "tabindex", "0");
        dom::set(&plots, "role", "slider");
        dom::set(&plots, "aria-label", "Moment on the time axis");
        let overlay = dom::append(&plots, "div", "overlay");
        let moments = dom::append(&overlay, "div", "moments");
        let line = dom::append(&overlay, "div", "cursor");
        dom::set_flag(&line, "hidden", true);
        let table = dom::append(root, "details", "table");
        dom::append_text(&table, "summary", "", "The charts as a table");
        let charts = Rc::new(Charts {
            root: root.clone(),
            values,
            plots,
            overlay,
            line,
            moments,
            table,
            log: log.clone(),
            canvases: RefCell::default(),
            charts: RefCell::default(),
            end_ms: Cell::new(1.0),
            cursor: Cell::new(None),
        });
        charts.listen();
        let this = charts.clone();
        log.on_point(Box::new(move |at| this.set_cursor(Some(at))));
        charts
    }

    /// Shows these charts from the start to `end`.
    pub fn show(&self, charts: Vec<Chart>, end: Time) {
        self.end_ms.set(end.as_millis().max(1e-6));
        let there = self.canvases.borrow().len();
        for chart in charts.iter().skip(there) {
            let figure = dom::append(&self.plots, "figure", "");
            let title = dom::append(&figure, "figcaption", "");
            let canvas = chart::canvas_in(&figure);
            dom::set(&canvas, "role", "img");
            dom::set(&canvas, "aria-label", chart.title);
            self.canvases.borrow_mut().push(Figure { title, canvas });
        }
        self.charts.replace(charts);
        self.draw();
        self.draw_moments();
        self.set_cursor(self.cursor.get());
        if self.table.has_attribute("open") {
            self.fill_table();
        }
    }

    /// Paints all charts anew, as after a change of size or theme.
    pub fn draw(&self) {
        let theme = Theme::of(&self.root);
        let (charts, canvases) = (self.charts.borrow(), self.canvases.borrow());
        for (i, (chart, figure)) in charts.iter().zip(canvases.iter()).enumerate() {
            dom::set_text(&figure.title, chart.title);
            let last = i + 1 == charts.len();
            chart::draw(&figure.canvas, chart, self.end_ms.get(), last, &theme);
        }
        if let Some(figure) = canvases.first() {
            let (left, right) = chart::plot_edges(&figure.canvas);
            let style = self.overlay.style();
            let _ = style.set_property("left", &format!("{left}px"));
            let _ = style.set_property("width", &format!("{}px", right - left));
        }
    }

    fn listen(self: &Rc<Self>) {
        for event in ["pointermove", "pointerdown"] {
            let this = self.clone();
            dom::on(&self.plots, event, move |event: PointerEvent| this.point(&event));
        }
        let this = self.clone();
        dom::on(&self.plots, "pointerleave", move |event: PointerEvent| {
            if event.pointer_type() == "mouse" {
                this.set_cursor(None);
            }
        });
        let this = self.clone();
        dom::on(&self.plots, "keydown", move |event: KeyboardEvent| this.key(&event));
        let this = self.clone();
        dom::on(&self.table, "toggle", move |_: Event| {
            if this.table.has_attribute("open") {
                this.fill_table();
            }
        });
        let this = self.clone();
        let resized = Closure::<dyn FnMut()>::new(move || this.draw());
        if let Ok(observer) = web_sys::ResizeObserver::new(resized.as_ref().unchecked_ref()) {
            observer.observe(&self.plots);
            std::mem::forget(observer);
        }
        resized.forget();
        if let Ok(Some(dark)) = dom::window().match_media("(prefers-color-scheme: dark)") {
            let this = self.clone();
            dom::on(&dark, "change", move |_: Event| this.draw());
        }
    }

    fn point(&self, event: &PointerEvent) {
        let area = self.overlay.get_bounding_client_rect();
        let fraction = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
        self.set_cursor(Some(fraction.clamp(0.0, 1.0) * self.end_ms.get()));
    }

    fn key(&self, event: &KeyboardEvent) {
        let end = self.end_ms.get();
        let now = self.cursor.get();
        let at = now.unwrap_or(0.0);
        let moments = self.log.moments();
        let next = |after: bool| {
            let times = moments.iter().map(|m| m.0);
            if after {
                times.clone().find(|t| *t > at + 1e-6)
            } else {
                times.clone().rfind(|t| *t < at - 1e-6)
            }
        };
        let to = match event.key().as_str() {
            "ArrowRight" => Some(self.step(at, true)),
            "ArrowLeft" => Some(self.step(at, false)),
            "ArrowUp" => next(true).or(now),
            "ArrowDown" => next(false).or(now),
            "PageUp" => Some((at + end / 10.0).min(end)),
            "PageDown" => Some((at - end / 10.0).max(0.0)),
            "Home" => Some(0.0),
            "End" => Some(end),
            "Escape" => None,
            _ => return,
        };
        event.prevent_default();
        self.set_cursor(to);
    }

    /// The next sample after `at` or the last before it, but at least a three-hundredth of the axis away.
    fn step(&self, at: f64, forward: bool) -> f64 {
        let least = self.end_ms.get() / 300.0;
        let charts = self.charts.borrow();
        let points = charts.first().and_then(|c| c.series.first()).map_or(&[][..], |s| &s.points);
        let times = points.iter().map(|p| p.0);
        let found = if forward {
            times.clone().find(|t| *t >= at + least)
        } else {
            times.clone().rev().find(|t| *t <= at - least)
        };
        found.unwrap_or(if forward { self.end_ms.get() } else { 0.0 })
    }

    /// Moves the cursor to a moment, or takes it away.
    fn set_cursor(&self, at: Option<f64>) {
        let end = self.end_ms.get();
        let at = at.map(|at| at.min(end));
        self.cursor.set(at);
        self.log.mark(at, REACH * end);
        dom::set_flag(&self.line, "hidden", at.is_none());
        let text = match at {
            Some(at) => self.values_at(at),
            None => "Point at a chart, or use the arrow keys, to read the values of a moment."
                .to_owned(),
        };
        dom::set_text(&self.values, &text);
        if let Some(at) = at {
            let left = format!("{:.3}%", 100.0 * at / end);
            let _ = self.line.style().set_property("left", &left);
        }
        dom::set(&self.plots, "aria-valuemin", "0");
        dom::set(&self.plots, "aria-valuemax", &format!("{end:.0}"));
        dom::set(&self.plots, "aria-valuenow", &format!("{:.0}", at.unwrap_or(0.0)));
        dom::set(&self.plots, "aria-valuetext", &text);
    }

    fn values_at(&self, at: f64) -> String {
        let mut parts = vec![format!("{} ms", grouped(at))];
        for chart in self.charts.borrow().iter() {
            for series in &chart.series {
                let value = match series.at(at) {
                    Some(v) if v.is_finite() => format!("{}{}", grouped(v), chart.unit),
                    Some(_) => "infinite".to_owned(),
                    None => continue,
                };
                parts.push(format!("{} {value}", series.label));
            }
        }
        parts.join(" · ")
    }

    fn draw_moments(&self) {
        let end = self.end_ms.get();
        let ticks = self.moments.children();
        let moments = self.log.moments();
        for (i, (at, loss)) in moments.iter().enumerate() {
            let tick = ticks
                .item(i as u32)
                .unwrap_or_else(|| dom::append(&self.moments, "span", "").into());
            dom::set(&tick, "class", if *loss { "moment loss" } else { "moment" });
            dom::set(&tick, "style", &format!("left:{:.3}%", 100.0 * at / end));
        }
        while let Some(tick) = ticks.item(moments.len() as u32) {
            tick.remove();
        }
    }

    /// A row for each of a few moments: what the charts show, as text.
    fn fill_table(&self) {
        if let Ok(Some(old)) = self.table.query_selector("table") {
            old.remove();
        }
        let table = dom::append(&self.table, "table", "");
        let charts = self.charts.borrow();
        let head = dom::append(&dom::append(&table, "thead", ""), "tr", "");
        let columns = || charts.iter().flat_map(|c| c.series.iter().map(move |s| (c, s)));
        for name in std::iter::once("time (ms)").chain(columns().map(|(_, s)| s.label)) {
            let cell = dom::append_text(&head, "th", "", name);
            dom::set(&cell, "scope", "col");
        }
        let body = dom::append(&table, "tbody", "");
        for row in 0..=TABLE_ROWS {
            let at = self.end_ms.get() * row as f64 / TABLE_ROWS as f64;
            let line = dom::append(&body, "tr", "");
            dom::append_text(&line, "td", "", &grouped(at));
            for (chart, series) in columns() {
                let text = match series.at(at) {
                    Some(v) if v.is_finite() => format!("{}{}", grouped(v), chart.unit),
                    Some(_) => "infinite".to_owned(),
                    None => "–".to_owned(),
                };
                dom::append_text(&line, "td", "", &text);
            }
        }
    }
}
