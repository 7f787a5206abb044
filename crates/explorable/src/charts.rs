//! Some charts over one axis, with one cursor and the values under it.

use crate::appearance;
use crate::chart::{self, Axis, Chart, Plot, Theme};
use crate::dom;
use crate::log::Log;
use packet_core::units::grouped;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlCanvasElement, HtmlElement, KeyboardEvent, PointerEvent};

/// A decision this close to the cursor, as a part of the axis, is meant by it.
const REACH: f64 = 0.008;
/// Rows of the table behind a chart.
const TABLE_ROWS: usize = 25;

/// What is called with the place on the axis that a reader clicks on.
pub type OnPick = Box<dyn Fn(f64)>;

/// The charts of one axis.
pub struct Charts {
    root: HtmlElement,
    values: HtmlElement,
    plots: HtmlElement,
    overlay: HtmlElement,
    line: HtmlElement,
    moments: HtmlElement,
    table: HtmlElement,
    /// The log whose moments lie on this axis.
    log: Option<Rc<Log>>,
    canvases: RefCell<Vec<Figure>>,
    plot: RefCell<Plot>,
    cursor: Cell<Option<f64>>,
}

struct Figure {
    title: HtmlElement,
    canvas: HtmlCanvasElement,
}

impl Charts {
    /// The charts of `plot` in `root`. The lines of `log` and their moments on a time axis point at
    /// each other; a click on another axis is given to `on_pick`.
    pub fn new(root: &HtmlElement, plot: Plot, log: &Rc<Log>, on_pick: OnPick) -> Rc<Charts> {
        let is_time = matches!(plot.axis, Axis::Time { .. });
        let values = dom::append(root, "p", "values");
        let plots = dom::append(root, "div", "plots");
        dom::set(&plots, "tabindex", "0");
        dom::set(&plots, "role", "slider");
        let meaning = if is_time { "Moment on the time axis" } else { "Place on the axis" };
        dom::set(&plots, "aria-label", meaning);
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
            log: is_time.then(|| log.clone()),
            canvases: RefCell::default(),
            plot: RefCell::new(plot.clone()),
            cursor: Cell::new(None),
        });
        charts.listen();
        let this = charts.clone();
        if is_time {
            log.on_point(Box::new(move |at| this.set_cursor(Some(at))));
        } else {
            dom::set(&charts.plots, "class", "plots pickable");
            charts.pick_with(on_pick);
        }
        charts.show(plot);
        charts
    }

    /// Shows another state of the same charts.
    pub fn show(&self, plot: Plot) {
        let there = self.canvases.borrow().len();
        for chart in plot.charts.iter().skip(there) {
            let figure = dom::append(&self.plots, "figure", "");
            let title = dom::append(&figure, "figcaption", "");
            let canvas = chart::canvas_in(&figure);
            dom::set(&canvas, "role", "img");
            dom::set(&canvas, "aria-label", chart.title);
            self.canvases.borrow_mut().push(Figure { title, canvas });
        }
        self.plot.replace(plot);
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
        let (plot, canvases) = (self.plot.borrow(), self.canvases.borrow());
        for (i, (chart, figure)) in plot.charts.iter().zip(canvases.iter()).enumerate() {
            dom::set_text(&figure.title, chart.title);
            chart::draw(&figure.canvas, &plot, i, &theme);
        }
        if let Some(figure) = canvases.first() {
            let (left, right) = chart::plot_edges(&figure.canvas, &theme);
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
        let this = self.clone();
        dom::on(&dom::document(), appearance::CHANGED, move |_: Event| this.draw());
        if let Ok(Some(dark)) = dom::window().match_media("(prefers-color-scheme: dark)") {
            let this = self.clone();
            dom::on(&dark, "change", move |_: Event| this.draw());
        }
    }

    fn pick_with(self: &Rc<Self>, on_pick: OnPick) {
        let on_pick = Rc::new(on_pick);
        let (this, pick) = (self.clone(), on_pick.clone());
        dom::on(&self.plots, "click", move |_: Event| {
            if let Some(x) = this.cursor.get() {
                pick(x);
            }
        });
        let this = self.clone();
        dom::on(&self.plots, "keydown", move |event: KeyboardEvent| {
            if let ("Enter" | " ", Some(x)) = (event.key().as_str(), this.cursor.get()) {
                event.prevent_default();
                on_pick(x);
            }
        });
    }

    fn point(&self, event: &PointerEvent) {
        let area = self.overlay.get_bounding_client_rect();
        let fraction = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
        let axis = self.plot.borrow().axis;
        self.set_cursor(Some(axis.at(fraction.clamp(0.0, 1.0))));
    }

    fn key(&self, event: &KeyboardEvent) {
        let axis = self.plot.borrow().axis;
        let now = self.cursor.get().or(self.plot.borrow().here);
        let at = now.unwrap_or(axis.at(0.0));
        let jump = |by: f64| axis.at((axis.fraction(at) + by).clamp(0.0, 1.0));
        let moments = self.log.as_ref().map_or_else(Vec::new, |log| log.moments());
        let times = moments.iter().map(|m| m.0);
        let to = match event.key().as_str() {
            "ArrowRight" => Some(self.step(at, true)),
            "ArrowLeft" => Some(self.step(at, false)),
            "ArrowUp" => times.clone().find(|t| *t > at + 1e-6).or(now),
            "ArrowDown" => times.clone().rfind(|t| *t < at - 1e-6).or(now),
            "PageUp" => Some(jump(0.1)),
            "PageDown" => Some(jump(-0.1)),
            "Home" => Some(axis.at(0.0)),
            "End" => Some(axis.at(1.0)),
            "Escape" => None,
            _ => return,
        };
        event.prevent_default();
        self.set_cursor(to);
    }

    /// The next sample after `at` or the last before it, but at least a three-hundredth of the axis away.
    fn step(&self, at: f64, forward: bool) -> f64 {
        let plot = self.plot.borrow();
        let from = plot.axis.fraction(at);
        let points =
            plot.charts.first().and_then(|c| c.series.first()).map_or(&[][..], |s| &s.points);
        let mut places = points.iter().map(|p| plot.axis.fraction(p.0));
        let least = 1.0 / 300.0;
        let found = if forward {
            places.find(|x| *x >= from + least)
        } else {
            places.rfind(|x| *x <= from - least)
        };
        plot.axis.at(found.unwrap_or(if forward { 1.0 } else { 0.0 }))
    }

    /// Moves the cursor to a place on the axis, or takes it away.
    fn set_cursor(&self, at: Option<f64>) {
        let axis = self.plot.borrow().axis;
        let at = at.map(|at| at.clamp(axis.at(0.0), axis.at(1.0)));
        self.cursor.set(at);
        if let Some(log) = &self.log {
            log.mark(at, REACH * axis.at(1.0));
        }
        dom::set_flag(&self.line, "hidden", at.is_none());
        let text = match (at, self.log.is_some()) {
            (Some(at), _) => self.values_at(at),
            (None, true) => {
                "Point at a chart, or use the arrow keys, to read the values of a moment."
                    .to_owned()
            }
            (None, false) => {
                "Point at a chart to read it; click, or press Enter, to go there.".to_owned()
            }
        };
        dom::set_text(&self.values, &text);
        let fraction = axis.fraction(at.or(self.plot.borrow().here).unwrap_or(axis.at(0.0)));
        if at.is_some() {
            let _ = self.line.style().set_property("left", &format!("{:.3}%", 100.0 * fraction));
        }
        dom::set(&self.plots, "aria-valuemin", "0");
        dom::set(&self.plots, "aria-valuemax", "100");
        dom::set(&self.plots, "aria-valuenow", &format!("{:.0}", 100.0 * fraction));
        dom::set(&self.plots, "aria-valuetext", &text);
    }

    fn values_at(&self, at: f64) -> String {
        let plot = self.plot.borrow();
        let mut parts = vec![plot.axis.show(at)];
        for chart in &plot.charts {
            for series in &chart.series {
                if let Some(text) = value_text(chart, series.at(at)) {
                    parts.push(format!("{} {text}", series.label));
                }
            }
        }
        parts.join(" · ")
    }

    fn draw_moments(&self) {
        let Some(log) = &self.log else { return };
        let axis = self.plot.borrow().axis;
        let ticks = self.moments.children();
        let moments = log.moments();
        for (i, (at, loss)) in moments.iter().enumerate() {
            let tick = ticks
                .item(i as u32)
                .unwrap_or_else(|| dom::append(&self.moments, "span", "").into());
            dom::set(&tick, "class", if *loss { "moment loss" } else { "moment" });
            let fraction = axis.fraction(*at);
            dom::set_flag(&tick, "hidden", fraction > 1.0);
            dom::set(&tick, "style", &format!("left:{:.3}%", 100.0 * fraction));
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
        let plot = self.plot.borrow();
        let head = dom::append(&dom::append(&table, "thead", ""), "tr", "");
        let columns = || plot.charts.iter().flat_map(|c| c.series.iter().map(move |s| (c, s)));
        for name in std::iter::once("at").chain(columns().map(|(_, s)| s.label)) {
            let cell = dom::append_text(&head, "th", "", name);
            dom::set(&cell, "scope", "col");
        }
        let body = dom::append(&table, "tbody", "");
        for row in 0..=TABLE_ROWS {
            let at = plot.axis.at(row as f64 / TABLE_ROWS as f64);
            let line = dom::append(&body, "tr", "");
            dom::append_text(&line, "td", "", &plot.axis.show(at));
            for (chart, series) in columns() {
                let text = value_text(chart, series.at(at)).unwrap_or_else(|| "–".to_owned());
                dom::append_text(&line, "td", "", &text);
            }
        }
    }
}

/// A value of a chart for people; nothing where there is none.
fn value_text(chart: &Chart, value: Option<f64>) -> Option<String> {
    value.map(|v| match v {
        _ if v.is_infinite() => "infinite".to_owned(),
        _ if v < 100.0 && v.fract() != 0.0 => format!("{v:.1}{}", chart.unit),
        _ => format!("{}{}", grouped(v), chart.unit),
    })
}
