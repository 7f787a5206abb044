//! On which paths the proposed window helps: link rate by round-trip time, a cell for each path.

use crate::browser::chunks::Chunks;
use crate::browser::dom;
use crate::charts::chart::Theme;
use crate::page::appearance;
use crate::panel::tabs;
use crate::panel::view::{Part, Tab};
use crate::share::embed;
use packet_core::model::to_query;
use packet_core::quantity::signed;
use packet_core::study::{Axes, Cell as Path, HeatMap, InitialWindow, Run, Scenario};
use packet_core::units::{Rate, Time, Unit, grouped};
use packet_core::{SlowStart, slow_start};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{
    CanvasRenderingContext2d, Event, HtmlCanvasElement, HtmlElement, IntersectionObserver,
    IntersectionObserverEntry, KeyboardEvent, MouseEvent, PointerEvent,
};

/// How long a reader must be still before the map is worked out anew.
const PAUSE_MS: i32 = 150;
/// The part of the time saved that has the full colour, in percent.
const FULL_PERCENT: f64 = 80.0;
/// A time this much longer counts as slower, in percent.
const SLOWER_PERCENT: f64 = -0.5;
/// Rows and columns of the table behind the map.
const TABLE_LINES: usize = 7;

/// Round-trip times and link rates with a label.
const RTTS: &[u64] = &[
    Time::millis(5).0,
    Time::millis(10).0,
    Time::millis(20).0,
    Time::millis(40).0,
    Time::millis(80).0,
    Time::millis(160).0,
    Time::millis(300).0,
];
const RATES: &[u64] = &[
    Rate::mbps(1).0,
    Rate::mbps(3).0,
    Rate::mbps(10).0,
    Rate::mbps(30).0,
    Rate::mbps(100).0,
    Rate::mbps(300).0,
    Rate::gbps(1).0,
];

/// What the colours say.
const MEASURES: &[Tab] = &[
    Tab { key: "percent", label: "Percent", has_ladder: false },
    Tab { key: "ms", label: "Milliseconds", has_ladder: false },
];

/// The map with its legend, what it says of a cell, and a table behind it.
pub struct Map(Rc<Inner>);

struct Inner {
    root: HtmlElement,
    about: HtmlElement,
    plot: HtmlElement,
    canvas: HtmlCanvasElement,
    /// Around the cell that is read, and around the panel's own path.
    ring: HtmlElement,
    own: HtmlElement,
    legend: [HtmlElement; 2],
    progress: HtmlElement,
    values: HtmlElement,
    load: HtmlElement,
    table: HtmlElement,
    map: RefCell<Option<HeatMap>>,
    /// What the map is of, but for the path.
    scenario: RefCell<Option<Scenario>>,
    path: Cell<Option<(Rate, Time)>>,
    /// The cell that is read.
    cell: Cell<Option<usize>>,
    /// The cell that was read before the pointer went down: a finger's first tap reads, its second loads.
    read_before: Cell<Option<usize>>,
    is_touch: Cell<bool>,
    in_ms: Cell<bool>,
    is_in_sight: Cell<bool>,
    work: OnceCell<Rc<Chunks>>,
}

impl Map {
    /// An empty map above the log of the panel in `root`.
    pub fn new(root: &HtmlElement) -> Map {
        let section = dom::create("section", "part map");
        let log = root.query_selector(":scope > .log").ok().flatten();
        let _ = root.insert_before(&section, log.as_ref().map(AsRef::as_ref));
        dom::append_text(&section, "h3", "", "Where it helps: link rate by round-trip time");
        let about = dom::append(&section, "p", "about");
        let tools = dom::append(&section, "div", "time-tools");
        let grid = dom::append(&section, "div", "grid");
        let axes = Axes::default();
        let rows = dom::append(&grid, "div", "rows");
        ticks(&rows, Unit::Time, RTTS, axes.rtts.start().0, axes.rtts.end().0);
        let plot = dom::append(&grid, "div", "plot");
        let canvas = dom::append(&plot, "canvas", "").unchecked_into();
        let own = dom::append(&plot, "div", "own");
        let ring = dom::append(&plot, "div", "ring");
        dom::set(&plot, "tabindex", "0");
        // Arrow keys go from cell to cell, which no table of 1,600 cells would be quicker at.
        dom::set(&plot, "role", "application");
        dom::set(&plot, "aria-roledescription", "heat map");
        dom::set(&plot, "aria-describedby", "initial-window-cell");
        // In a frame there is no other panel.
        let is_alone = embed::alone();
        let label = format!(
            "Time saved, link rate by round-trip time. Arrow keys read a cell, Page Up and Page Down, Home \
             and End go farther{}.",
            if is_alone { "" } else { ", Enter loads it into the slow-start panel" }
        );
        dom::set(&plot, "aria-label", &label);
        let columns = dom::append(&grid, "div", "columns");
        ticks(&columns, Unit::BitsPerSecond, RATES, axes.rates.start().0, axes.rates.end().0);
        let side = dom::append(&section, "div", "side");
        let legend = legend(&side);
        let progress = dom::append(&side, "progress", "");
        dom::set(&progress, "aria-label", "Paths worked out");
        dom::set(&progress, "max", &(axes.columns * axes.rows).to_string());
        let values = dom::append(&side, "p", "values");
        values.set_id("initial-window-cell");
        dom::set(&values, "role", "status");
        let load =
            dom::append_text(&side, "button", "quiet", "Load this path into the first panel");
        dom::set(&load, "type", "button");
        dom::set_flag(&load, "hidden", is_alone);
        let table = dom::append(&section, "details", "table");
        dom::append_text(&table, "summary", "", "The map as a table");
        let inner = Rc::new(Inner {
            root: section,
            about,
            plot,
            canvas,
            ring,
            own,
            legend,
            progress,
            values,
            load,
            table,
            map: RefCell::default(),
            scenario: RefCell::default(),
            path: Cell::default(),
            cell: Cell::default(),
            read_before: Cell::default(),
            is_touch: Cell::default(),
            in_ms: Cell::default(),
            is_in_sight: Cell::default(),
            work: OnceCell::new(),
        });
        let this = inner.clone();
        tabs::add(&tools, MEASURES, 0, move |chosen| {
            this.in_ms.set(MEASURES[chosen].key == "ms");
            this.paint();
        });
        let this = inner.clone();
        inner.work.get_or_init(|| Chunks::new(Box::new(move || this.work_one_out())));
        inner.listen();
        inner.watch();
        Map(inner)
    }
}

impl Part<InitialWindow> for Map {
    fn show(&self, run: &Run) {
        self.0.show(&run.scenario);
    }
}

impl Inner {
    fn show(&self, scenario: &Scenario) {
        let slow_start::Scenario { rate, rtt, size, connections, .. } = scenario.common;
        let start = slow_start::Scenario::default();
        let common =
            slow_start::Scenario { rate: start.rate, rtt: start.rtt, ..scenario.common.clone() };
        let of = Scenario { common, other: None, ..scenario.clone() };
        self.path.set(Some((rate, rtt)));
        if self.scenario.borrow().as_ref() != Some(&of) {
            let (current, proposed) = (scenario.current, scenario.proposed);
            let who = match connections {
                1 => "one connection".to_owned(),
                n => format!("the slowest of {n} connections at once"),
            };
            dom::set_text(
                &self.about,
                &format!(
                    "Time that a window of {proposed} saves over one of {current} for {size}, {who}, on \
                     each of 1,600 paths. {}",
                    if embed::alone() { "" } else { "A click loads a path into the first panel." }
                ),
            );
            let windows = [current, proposed];
            // What a panel is set to is allowed, and so are the axes.
            self.map.replace(HeatMap::new(&of.common, windows, &Axes::default()).ok());
            self.scenario.replace(Some(of));
            let _ = self.root.class_list().add_1("stale");
            self.tell_progress(0, false);
            self.clear_table();
            self.work.get().inspect(|work| work.start_after(PAUSE_MS));
        }
        self.with_map(|map| self.read(map));
    }

    fn with_map<T>(&self, what: impl FnOnce(&HeatMap) -> T) -> Option<T> {
        self.map.borrow().as_ref().map(what)
    }

    /// Works one cell out; says whether there are more. While nobody can see the map, it waits.
    fn work_one_out(&self) -> bool {
        if !self.is_in_sight.get() {
            return false;
        }
        if let Some(map) = self.map.borrow_mut().as_mut() {
            map.step(1);
        }
        let map = self.map.borrow();
        let Some(map) = map.as_ref() else { return false };
        let (done, columns) = (map.cells().len(), map.rates().len());
        if done == 1 {
            let _ = self.root.class_list().remove_1("stale");
            self.paint_all(map);
        }
        if done.is_multiple_of(columns) {
            self.tell_progress(done, map.is_done());
            self.paint_cells(map, done - columns);
            self.read(map);
        }
        if map.is_done() {
            self.fill_table(map);
        }
        !map.is_done()
    }

    fn tell_progress(&self, done: usize, is_all: bool) {
        dom::set(&self.progress, "value", &done.to_string());
        dom::set_flag(&self.progress, "data-done", is_all);
    }

    fn listen(self: &Rc<Self>) {
        let this = self.clone();
        dom::on(&self.plot, "pointermove", move |event: PointerEvent| {
            this.go(this.cell_at(&event))
        });
        let this = self.clone();
        dom::on(&self.plot, "pointerdown", move |event: PointerEvent| {
            this.is_touch.set(event.pointer_type() == "touch");
            this.read_before.set(this.cell.get());
            this.go(this.cell_at(&event));
        });
        let this = self.clone();
        dom::on(&self.plot, "pointerleave", move |event: PointerEvent| {
            if event.pointer_type() == "mouse" {
                this.go(None);
            }
        });
        let this = self.clone();
        dom::on(&self.plot, "click", move |event: MouseEvent| {
            let cell = this.cell_at(&event);
            if cell.is_some() && (!this.is_touch.get() || cell == this.read_before.get()) {
                this.go(cell);
                this.load.click();
            }
        });
        let this = self.clone();
        dom::on(&self.plot, "keydown", move |event: KeyboardEvent| this.key(&event));
        let this = self.clone();
        dom::on(&self.plot, "focus", move |_: Event| {
            if this.cell.get().is_none() {
                this.go(this.with_map(|map| this.own_cell(map).unwrap_or(0)));
            }
        });
        let this = self.clone();
        dom::on(&dom::document(), appearance::CHANGED, move |_: Event| this.paint());
        if let Ok(Some(dark)) = dom::window().match_media("(prefers-color-scheme: dark)") {
            let this = self.clone();
            dom::on(&dark, "change", move |_: Event| this.paint());
        }
        let this = self.clone();
        let resized = Closure::<dyn FnMut()>::new(move || this.paint());
        if let Ok(observer) = web_sys::ResizeObserver::new(resized.as_ref().unchecked_ref()) {
            observer.observe(&self.plot);
            std::mem::forget(observer);
        }
        resized.forget();
    }

    /// Learns whether the map can be seen.
    fn watch(self: &Rc<Self>) {
        let this = self.clone();
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let last = entries.pop().dyn_into::<IntersectionObserverEntry>();
            let is_in_sight = last.is_ok_and(|entry| entry.is_intersecting());
            this.is_in_sight.set(is_in_sight);
            if is_in_sight {
                this.work.get().inspect(|work| work.start());
            }
        });
        if let Ok(observer) = IntersectionObserver::new(seen.as_ref().unchecked_ref()) {
            observer.observe(&self.root);
            std::mem::forget(observer);
        }
        seen.forget();
    }

    /// The cell under a pointer.
    fn cell_at(&self, event: &MouseEvent) -> Option<usize> {
        let area = self.canvas.get_bounding_client_rect();
        let (columns, rows) = self.with_map(size)?;
        let place = |at: i32, from: f64, length: f64, count: usize| {
            let part = (f64::from(at) - from) / length.max(1.0);
            (0.0..1.0).contains(&part).then_some((part * count as f64) as usize)
        };
        let column = place(event.client_x(), area.left(), area.width(), columns)?;
        let row = place(event.client_y(), area.top(), area.height(), rows)?;
        Some((rows - 1 - row) * columns + column)
    }

    /// The cell nearest to the panel's own path, where that is on the map.
    fn own_cell(&self, map: &HeatMap) -> Option<usize> {
        let (rate, rtt) = self.path.get()?;
        let column = nearest(map.rates().iter().map(|rate| rate.0), rate.0)?;
        let row = nearest(map.rtts().iter().map(|rtt| rtt.0), rtt.0)?;
        Some(row * map.rates().len() + column)
    }

    fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some((columns, rows)) = self.with_map(size) else { return };
        let at = self.cell.get().unwrap_or(0);
        let (column, row) = (at % columns, at / columns);
        let (column, row) = match event.key().as_str() {
            "ArrowLeft" => (column.saturating_sub(1), row),
            "ArrowRight" => (column + 1, row),
            "ArrowDown" => (column, row.saturating_sub(1)),
            "ArrowUp" => (column, row + 1),
            "PageDown" => (column, row.saturating_sub(5)),
            "PageUp" => (column, row + 5),
            "Home" => (0, row),
            "End" => (columns, row),
            "Enter" | " " => {
                self.load.click();
                return event.prevent_default();
            }
            _ => return,
        };
        event.prevent_default();
        self.go(Some(row.min(rows - 1) * columns + column.min(columns - 1)));
    }

    /// Goes to a cell, or away from all.
    fn go(&self, cell: Option<usize>) {
        if self.cell.replace(cell) != cell {
            self.with_map(|map| self.read(map));
        }
    }

    /// Says what is in the cell, and marks it and the panel's own.
    fn read(&self, map: &HeatMap) {
        let (columns, rows) = size(map);
        for (ring, cell) in [(&self.ring, self.cell.get()), (&self.own, self.own_cell(map))] {
            dom::set_flag(ring, "hidden", cell.is_none());
            let cell = cell.unwrap_or(0);
            let (column, row) = (cell % columns, rows - 1 - cell / columns);
            let part = |place: usize, count| format!("{}%", 100.0 * place as f64 / count as f64);
            let style = ring.style();
            let _ = style.set_property("left", &part(column, columns));
            let _ = style.set_property("top", &part(row, rows));
        }
        let mut scenario = map.scenario(self.cell.get().unwrap_or(0));
        if let (None, Some((rate, rtt))) = (self.cell.get(), self.path.get()) {
            scenario = slow_start::Scenario { rate, rtt, ..scenario };
        }
        dom::set(&self.load, "data-load", &to_query::<SlowStart>(&scenario));
        let text = match self.cell.get() {
            Some(cell) => {
                let (rate, rtt) = (map.rates()[cell % columns], map.rtts()[cell / columns]);
                let text = map.cells().get(cell).map(|path| describe(path, map.windows()));
                text.unwrap_or_else(|| format!("{rate}, {rtt}: not worked out yet"))
            }
            None => "Point at a cell, or use the arrow keys, to read it. The dashed frame is \
                around the path that is set."
                .to_owned(),
        };
        dom::set_text(&self.values, &text);
    }

    /// Paints the map as far as it is known, and its legend.
    fn paint(&self) {
        self.with_map(|map| self.paint_all(map));
    }

    fn paint_all(&self, map: &HeatMap) {
        let dpr = dom::window().device_pixel_ratio();
        let px = |css: i32| (f64::from(css) * dpr).round() as u32;
        // Setting the size also clears the canvas.
        self.canvas.set_width(px(self.canvas.client_width()));
        self.canvas.set_height(px(self.canvas.client_height()));
        let full = self.full(map);
        let unit = if self.in_ms.get() { Unit::Time } else { Unit::Percent };
        let words = ["slower", "saved"];
        for (end, word) in self.legend.iter().zip(words) {
            dom::set_text(end, &format!("{} or more {word}", unit.figure(full)));
        }
        self.paint_cells(map, 0);
    }

    /// What has the full colour: in percent, or about what the round trips saved by doubling are worth on
    /// the longest path.
    fn full(&self, map: &HeatMap) -> f64 {
        if !self.in_ms.get() {
            return FULL_PERCENT;
        }
        let trips = |initial_window| {
            let one = slow_start::Scenario { initial_window, ..map.scenario(0) };
            f64::from(one.ideal_round_trips())
        };
        let [current, proposed] = map.windows();
        let longest = map.rtts().last().map_or(1.0, |rtt| rtt.as_millis());
        (trips(current) - trips(proposed)).abs().max(1.0) * longest
    }

    /// Paints the cells that are known, from this one on.
    fn paint_cells(&self, map: &HeatMap, from: usize) {
        let context = self.canvas.get_context("2d").ok().flatten();
        let Some(Ok(context)) = context.map(|c| c.dyn_into::<CanvasRenderingContext2d>()) else {
            return;
        };
        let (theme, full) = (Theme::of(&self.root), self.full(map));
        let (columns, rows) = size(map);
        let (width, height) = (f64::from(self.canvas.width()), f64::from(self.canvas.height()));
        let edge = |place: usize, count: usize, length: f64| {
            (length * place as f64 / count as f64).round()
        };
        for (cell, path) in map.cells().iter().enumerate().skip(from) {
            let (column, row) = (cell % columns, rows - 1 - cell / columns);
            let (x, y) = (edge(column, columns, width), edge(row, rows, height));
            let (right, below) = (edge(column + 1, columns, width), edge(row + 1, rows, height));
            let saved = if self.in_ms.get() { path.saved_ms() } else { path.saved_percent() };
            let part = (saved.abs() / full).min(1.0);
            let property = if saved < 0.0 { "--loss" } else { "--accent" };
            context.set_fill_style_str(&theme.tint(property, part));
            context.fill_rect(x, y, right - x, below - y);
            // Whichever stands out from the colour below.
            let mark = theme.css(if part > 0.5 { "--paper" } else { "--ink" });
            context.set_fill_style_str(mark);
            let (middle, centre) = ((x + right) / 2.0, (y + below) / 2.0);
            let size = (right - x).min(below - y);
            if is_slower(path) {
                context.fill_rect(
                    middle - 0.35 * size,
                    below - 0.25 * size,
                    0.7 * size,
                    0.12 * size,
                );
            }
            if path.drops() {
                context.begin_path();
                // Only a negative radius is refused.
                let _ = context.arc(middle, centre, 0.17 * size, 0.0, std::f64::consts::TAU);
                context.fill();
            }
        }
    }

    /// Some of the cells as text.
    fn fill_table(&self, map: &HeatMap) {
        self.clear_table();
        let table = dom::append(&self.table, "table", "");
        let (columns, rows) = size(map);
        let places =
            |count: usize| (0..TABLE_LINES).map(move |i| i * (count - 1) / (TABLE_LINES - 1));
        let head = dom::append(&dom::append(&table, "thead", ""), "tr", "");
        dom::append_text(&head, "td", "", "time saved");
        let name = |line: &HtmlElement, scope: &str, text: &str| {
            dom::set(&dom::append_text(line, "th", "", text), "scope", scope);
        };
        for column in places(columns) {
            name(&head, "col", &map.rates()[column].to_string());
        }
        let body = dom::append(&table, "tbody", "");
        for row in places(rows) {
            let line = dom::append(&body, "tr", "");
            name(&line, "row", &map.rtts()[row].to_string());
            for column in places(columns) {
                let path = &map.cells()[row * columns + column];
                let drops = if path.drops() { ", drops" } else { "" };
                let (ms, percent) = (time(path.saved_ms()), percent(path.saved_percent()));
                dom::append_text(&line, "td", "", &format!("{percent}, {ms}{drops}"));
            }
        }
    }

    fn clear_table(&self) {
        if let Ok(Some(old)) = self.table.query_selector("table") {
            old.remove();
        }
    }
}

fn size(map: &HeatMap) -> (usize, usize) {
    (map.rates().len(), map.rtts().len())
}

fn is_slower(path: &Path) -> bool {
    path.saved_percent() < SLOWER_PERCENT
}

fn time(ms: f64) -> String {
    signed(&Unit::Time.figure(ms))
}

fn percent(percent: f64) -> String {
    signed(&Unit::Percent.figure(percent))
}

/// The place of the value nearest to this one; nothing where all are far from it.
fn nearest(values: impl Iterator<Item = u64>, value: u64) -> Option<usize> {
    // A little more than half of the way from one cell to the next, on either axis.
    let off = |v: u64| (v as f64 / value as f64).ln().abs();
    let near = values.map(off).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    near.filter(|(_, off)| *off < 0.1).map(|(place, _)| place)
}

/// What the map says of a path.
fn describe(path: &Path, [current, proposed]: [u32; 2]) -> String {
    let Path { rate, rtt, before, after } = path;
    let (ms, part) = (path.saved_ms(), path.saved_percent());
    let verdict = match is_slower(path) {
        true => format!("{} slower ({})", time(-ms), percent(-part)),
        false => format!("{} saved ({})", time(ms.max(0.0)), percent(part.max(0.0))),
    };
    let dropped = |n: u32| match n {
        0 => "none dropped".to_owned(),
        n => format!("{} dropped", grouped(n.into())),
    };
    format!(
        "{rate}, {rtt}: {verdict}. From {current}: {}, {}. From {proposed}: {}, {}.",
        before.judged(),
        dropped(before.dropped),
        after.judged(),
        dropped(after.dropped)
    )
}

/// Labels of these values along an axis with these ends, each doubling the same distance.
fn ticks(axis: &HtmlElement, unit: Unit, values: &[u64], from: u64, to: u64) {
    dom::set(axis, "aria-hidden", "true");
    for value in values {
        let part = (*value as f64 / from as f64).ln() / (to as f64 / from as f64).ln();
        // The ends are the middles of the outermost cells.
        let place = 100.0 * (part * 39.0 + 0.5) / 40.0;
        let label = dom::append_text(axis, "span", "", &unit.show(*value));
        dom::set(&label, "style", &format!("--at:{place:.2}%"));
    }
}

/// What the colours and the marks mean; returns the words at the ends of the scale.
fn legend(parent: &HtmlElement) -> [HtmlElement; 2] {
    let legend = dom::append(parent, "div", "legend");
    let low = dom::append(&legend, "span", "");
    dom::append(&legend, "span", "colours");
    let high = dom::append(&legend, "span", "");
    for (class, text) in [("dot", "drops packets"), ("bar", "slower")] {
        let entry = dom::append(&legend, "span", "entry");
        dom::append(&entry, "span", class);
        dom::append_text(&entry, "span", "", text);
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_told_in_words() {
        let scenario = Scenario::default();
        let axes = Axes { columns: 2, rows: 2, ..Axes::default() };
        let mut map = HeatMap::new(&scenario.alone(10), [10, 32], &axes).expect("allowed");
        map.step(usize::MAX);
        assert_eq!(
            describe(&map.cells()[3], [10, 32]),
            "1 Gbps, 300 ms: 461 ms saved (61%). From 10: 758 ms, none dropped. From 32: 296 ms, none dropped."
        );
    }

    #[test]
    fn the_nearest_cell_is_found_unless_it_is_off_the_map() {
        let values = || [1_000_000, 1_190_000, 1_420_000].into_iter();
        assert_eq!(nearest(values(), 1_200_000), Some(1));
        assert_eq!(nearest(values(), 1_000_000), Some(0));
        assert_eq!(nearest(values(), 10_000_000), None);
    }
}
