//! Some charts over one axis, with one cursor and the values under it.

pub mod chart;
mod gestures;
pub mod ladder;
mod packet_bar;
pub mod sequence;
mod zoom;

use crate::browser::dom;
use crate::page::appearance;
use crate::panel::log::Log;
use chart::{Axis, Chart, Picture, Plot, Theme};
use gestures::Gestures;
use ladder::{Canvases, Ladder, Picked};
use packet_bar::PacketBar;
use packet_core::units::grouped;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, Event, HtmlCanvasElement, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent,
};
use zoom::Stretch;

/// A decision this close to the cursor, as a part of the axis, is meant by it.
const REACH: f64 = 0.008;
/// Decisions closer than this have one mark, as a part of the axis.
const TICK: f64 = 0.002;
/// Rows of the table behind a chart.
const TABLE_ROWS: usize = 25;
/// Rows of the table of packets at most; zooming in shows the others.
const PACKET_ROWS: usize = 100;

/// What is called with the place on the axis that a reader clicks on.
pub type OnPick = Box<dyn Fn(f64)>;

/// What is called with the packet that a reader loses.
pub type OnLose = Box<dyn Fn(&Picked)>;

/// The charts of one axis.
pub struct Charts {
    root: HtmlElement,
    values: HtmlElement,
    /// What a button or a line of the log has led to, spoken.
    told: HtmlElement,
    plots: HtmlElement,
    overlay: HtmlElement,
    line: HtmlElement,
    moments: HtmlElement,
    table: HtmlElement,
    packet_table: HtmlElement,
    tools: HtmlElement,
    /// Made where packets are drawn for the first time.
    ladder_canvases: OnceCell<Canvases>,
    packet_bar: PacketBar,
    /// The log whose moments lie on this axis.
    log: Option<Rc<Log>>,
    canvases: RefCell<Vec<Figure>>,
    /// The axis of this is what is shown; `whole` is all there is.
    plot: RefCell<Plot>,
    /// The same of a pinned run, which `whole` has room for too.
    pinned: RefCell<Option<Plot>>,
    /// Where the current run ends on the axis.
    end_of_run: Cell<f64>,
    /// Nothing is drawn before the page has been laid out: to ask for sizes before would lay it out at once.
    is_laid_out: Cell<bool>,
    whole: Cell<Axis>,
    /// The part of a time axis that is shown, where it is not the whole.
    stretch: Cell<Option<Stretch>>,
    cursor: Cell<Option<f64>>,
    /// Whether the cursor stays where the pointer leaves it.
    is_held: Cell<bool>,
    is_playing: Cell<bool>,
    gestures: Gestures,
    /// What travels in the run, and whether that is drawn.
    ladder: RefCell<Option<Ladder>>,
    shows_ladder: Cell<bool>,
    picked: Cell<Option<usize>>,
    /// What was picked before the pointer went down: a finger's first tap points, its second one loses.
    picked_before: Cell<Option<usize>>,
    is_touch: Cell<bool>,
    on_lose: OnceCell<OnLose>,
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
        let tools = dom::append(root, "div", "time-tools");
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
        let told = dom::append(root, "p", "visually-hidden");
        dom::set(&told, "role", "status");
        let packet_bar = PacketBar::new(root);
        let table = dom::append(root, "details", "table");
        dom::append_text(&table, "summary", "", "The charts as a table");
        let packet_table = dom::append(root, "details", "table packets");
        dom::append_text(&packet_table, "summary", "", "The packets as a table");
        let charts = Rc::new(Charts {
            root: root.clone(),
            values,
            told,
            plots,
            overlay,
            line,
            moments,
            table,
            packet_table,
            tools,
            ladder_canvases: OnceCell::new(),
            packet_bar,
            log: is_time.then(|| log.clone()),
            canvases: RefCell::default(),
            whole: Cell::new(plot.axis),
            stretch: Cell::new(None),
            plot: RefCell::new(plot),
            pinned: RefCell::default(),
            end_of_run: Cell::default(),
            is_laid_out: Cell::default(),
            cursor: Cell::new(None),
            is_held: Cell::new(false),
            is_playing: Cell::new(false),
            gestures: Gestures::default(),
            ladder: RefCell::default(),
            shows_ladder: Cell::new(false),
            picked: Cell::new(None),
            picked_before: Cell::new(None),
            is_touch: Cell::new(false),
            on_lose: OnceCell::new(),
        });
        charts.listen();
        let this = charts.clone();
        if is_time {
            log.on_point(Box::new(move |at| this.visit(at)));
        } else {
            dom::set(&charts.plots, "class", "plots pickable");
            charts.pick_with(on_pick);
        }
        charts
    }

    /// Shows another state of the charts, behind it that of a pinned run, and what travels in the run,
    /// drawn where `shows_ladder`.
    pub fn show(
        &self,
        mut plot: Plot,
        pinned: Option<Plot>,
        ladder: Option<Ladder>,
        shows_ladder: bool,
    ) {
        self.end_of_run.set(plot.axis.at(1.0));
        if let Some(pinned) = &pinned {
            plot.axis = plot.axis.with(pinned.axis);
        }
        self.pinned.replace(pinned);
        self.whole.set(plot.axis);
        if let (Some(stretch), Axis::Time { end }) = (self.stretch.get(), plot.axis) {
            let stretch = stretch.moved(0.0, end);
            self.stretch.set(Some(stretch).filter(|s| !s.is_whole(end)));
        }
        plot.axis = self.shown_axis();
        self.shows_ladder.set(shows_ladder && ladder.is_some());
        self.ladder.replace(ladder);
        dom::set_flag(&self.packet_table, "hidden", !self.shows_ladder.get());
        if self.shows_ladder.get() {
            self.ladder_canvases.get_or_init(|| Canvases::new(&self.plots));
        }
        if let Some(canvases) = self.ladder_canvases.get() {
            canvases.set_hidden(!self.shows_ladder.get());
        }
        self.packet_bar.set_hidden(!self.shows_ladder.get());
        while self.canvases.borrow().len() > plot.charts.len() {
            let surplus = self.canvases.borrow_mut().pop();
            surplus.and_then(|f| f.canvas.parent_element()).inspect(Element::remove);
        }
        let there = self.canvases.borrow().len();
        for _ in there..plot.charts.len() {
            let figure = dom::append(&self.plots, "figure", "");
            let title = dom::append(&figure, "figcaption", "");
            let canvas = chart::canvas_in(&figure);
            dom::set(&canvas, "role", "img");
            self.canvases.borrow_mut().push(Figure { title, canvas });
        }
        for (chart, figure) in plot.charts.iter().zip(self.canvases.borrow().iter()) {
            dom::set_text(&figure.title, chart.title);
            dom::set(&figure.canvas, "aria-label", chart.title);
        }
        self.plot.replace(plot);
        if self.is_laid_out.get() {
            self.draw();
        }
        self.draw_moments();
        self.set_cursor(self.cursor.get());
        self.fill_tables();
    }

    fn fill_tables(&self) {
        if self.table.has_attribute("open") {
            self.fill_table();
        }
        if self.packet_table.has_attribute("open") {
            self.fill_packet_table();
        }
    }

    /// Paints all charts anew, as after a change of size or theme.
    pub fn draw(&self) {
        self.is_laid_out.set(true);
        let theme = Theme::of(&self.root);
        let (plot, canvases) = (self.plot.borrow(), self.canvases.borrow());
        // All sizes are asked for before anything is changed, so that the page is laid out once.
        let edges = canvases.first().map(|figure| chart::plot_edges(&figure.canvas, &theme));
        let pictures = self.pictures_of(&plot, &theme);
        for (figure, picture) in canvases.iter().zip(pictures) {
            chart::show(&figure.canvas, &picture);
        }
        self.with_ladder(|ladder, canvases| canvases.draw(ladder, plot.axis, &theme));
        self.draw_moment();
        if let Some((left, right)) = edges {
            let style = self.overlay.style();
            let _ = style.set_property("left", &format!("{left}px"));
            let _ = style.set_property("width", &format!("{}px", right - left));
        }
    }

    /// Paints what moves with the cursor.
    fn draw_moment(&self) {
        if !self.is_laid_out.get() {
            return;
        }
        self.with_ladder(|ladder, canvases| {
            let (axis, theme) = (self.plot.borrow().axis, Theme::of(&self.root));
            let (at, picked) = (self.cursor.get(), self.picked.get());
            canvases.draw_moment(ladder, axis, at, picked, &theme);
        });
    }

    /// Does something with the packets, where they are drawn.
    fn with_ladder<T>(&self, what: impl FnOnce(&Ladder, &Canvases) -> T) -> Option<T> {
        let ladder = self.ladder.borrow();
        let ladder = ladder.as_ref().filter(|_| self.shows_ladder.get())?;
        Some(what(ladder, self.ladder_canvases.get()?))
    }

    /// The charts with their titles as pictures, in the size and the theme in which they are shown.
    pub fn pictures(&self, scale: f64) -> Vec<(&'static str, Picture)> {
        let theme = Theme::of(&self.root).scaled(scale);
        let plot = self.plot.borrow();
        let (at, picked) = (self.cursor.get(), self.picked.get());
        let ladder = self.with_ladder(|ladder, canvases| {
            canvases.picture(ladder, plot.axis, at, picked, &theme, scale)
        });
        let charts = plot.charts.iter().map(|chart| chart.title);
        let charts = charts.zip(self.pictures_of(&plot, &theme));
        // What is veiled has no size.
        ladder.into_iter().chain(charts).filter(|(_, picture)| picture.width > 0).collect()
    }

    fn pictures_of(&self, plot: &Plot, theme: &Theme) -> Vec<Picture> {
        let (pinned, canvases) = (self.pinned.borrow(), self.canvases.borrow());
        let picture = |(i, figure): (usize, &Figure)| {
            let size = (figure.canvas.client_width().into(), figure.canvas.client_height().into());
            chart::picture(size, plot, pinned.as_ref(), i, theme)
        };
        canvases.iter().enumerate().map(picture).collect()
    }

    fn listen(self: &Rc<Self>) {
        let this = self.clone();
        dom::on(&self.plots, "pointermove", move |event: PointerEvent| {
            match this.gestures.moved(&event) {
                Some(change) if this.stretch.get().is_some() || change.factor != 1.0 => {
                    this.change_stretch(change.factor, change.about, change.by);
                }
                // While it plays, only a press takes over.
                _ if !this.is_playing.get() => this.point(&event),
                _ => {}
            }
        });
        let this = self.clone();
        dom::on(&self.plots, "pointerdown", move |event: PointerEvent| {
            this.gestures.down(&event);
            this.is_playing.set(false);
            this.is_held.set(true);
            this.is_touch.set(event.pointer_type() == "touch");
            this.picked_before.set(this.picked.get());
            this.point(&event);
        });
        for event in ["pointerup", "pointercancel", "pointerleave"] {
            let this = self.clone();
            dom::on(&self.plots, event, move |event: PointerEvent| this.gestures.up(&event));
        }
        let this = self.clone();
        dom::on(&self.plots, "click", move |event: MouseEvent| {
            let at = (f64::from(event.client_x()), f64::from(event.client_y()));
            let packet = this.packet_at(at.0, at.1);
            let is_meant = !this.is_touch.get() || packet == this.picked_before.get();
            if this.gestures.is_click() && is_meant && packet.is_some() {
                this.picked.set(packet);
                this.lose_picked();
            }
        });
        let this = self.clone();
        dom::on(&self.packet_table, "toggle", move |_: Event| this.fill_tables());
        let this = self.clone();
        dom::on(&self.plots, "pointerleave", move |event: PointerEvent| {
            let stays = this.is_held.get() || this.is_playing.get();
            if event.pointer_type() == "mouse" && !stays {
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
        self.picked.set(self.packet_at(event.client_x().into(), event.client_y().into()));
        self.set_cursor(Some(axis.at(fraction.clamp(0.0, 1.0))));
    }

    /// The packet at a point of the window, where packets are drawn.
    fn packet_at(&self, x: f64, y: f64) -> Option<usize> {
        self.with_ladder(|ladder, canvases| {
            let (axis, theme) = (self.plot.borrow().axis, Theme::of(&self.root));
            canvases.packet_at(ladder, axis, (x, y), &theme)
        })?
    }

    fn picked(&self) -> Option<Picked> {
        self.with_ladder(|ladder, _| ladder.pick(self.picked.get()?))?
    }

    fn lose_picked(&self) {
        if let (Some(picked), Some(on_lose)) = (self.picked(), self.on_lose.get()) {
            on_lose(&picked);
        }
    }

    /// Says what to call with the packet that a reader loses, and when that is to be undone.
    pub fn on_lose(self: &Rc<Self>, on_lose: OnLose, on_undo: impl Fn() + 'static) {
        let _ = self.on_lose.set(on_lose);
        let this = self.clone();
        self.packet_bar.listen(move || this.lose_picked(), on_undo);
    }

    /// Whether there is a loss to take back.
    pub fn set_undoable(&self, undoable: bool) {
        self.packet_bar.set_undoable(undoable);
    }

    /// Says something where the values are, until the cursor moves.
    pub fn say(&self, text: &str) {
        dom::set_text(&self.values, text);
        dom::set_text(&self.told, text);
    }

    /// Goes to a moment and tells what is there: the focus is elsewhere.
    pub fn visit(&self, at: f64) {
        self.go(Some(at));
        let decided = self.log.as_ref().map_or(String::new(), |log| log.marked());
        let text = format!("{}. {decided}", self.values.text_content().unwrap_or_default());
        dom::set_text(&self.told, text.trim_end());
    }

    /// Where the buttons of the charts are.
    pub fn tools(&self) -> &HtmlElement {
        &self.tools
    }

    /// The element with the charts.
    pub fn plots(&self) -> &HtmlElement {
        &self.plots
    }

    /// The cursor's place on the axis.
    pub fn cursor(&self) -> Option<f64> {
        self.cursor.get()
    }

    /// Where the axis ends.
    pub fn end(&self) -> f64 {
        self.whole.get().at(1.0)
    }

    /// The decisions' moments, and whether each tells of a loss.
    pub fn moments(&self) -> Vec<(f64, bool)> {
        self.log.as_ref().map_or_else(Vec::new, |log| log.moments())
    }

    /// Whether the cursor moves by itself.
    pub fn is_playing(&self) -> bool {
        self.is_playing.get()
    }

    /// Says whether the cursor moves by itself.
    pub fn set_playing(&self, playing: bool) {
        self.is_playing.set(playing);
        self.is_held.set(true);
    }

    /// Moves the cursor on, as it plays.
    pub fn play_to(&self, at: f64) {
        self.picked.set(None);
        self.set_cursor(Some(at));
    }

    /// Moves the cursor where a reader wants it, and with it to the packet sent last.
    pub fn go(&self, at: Option<f64>) {
        self.is_playing.set(false);
        self.is_held.set(at.is_some());
        let ladder = self.ladder.borrow();
        self.picked.set(at.and_then(|at| ladder.as_ref()?.last_sent(at)));
        drop(ladder);
        self.set_cursor(at);
    }

    /// Goes from packet to packet.
    fn go_to_next_packet(&self, forward: bool) {
        let ladder = self.ladder.borrow();
        let Some(ladder) = ladder.as_ref() else { return };
        let at = self.cursor.get();
        let now = self.picked.get().or(at.and_then(|at| ladder.last_sent(at)));
        let next = match (now, forward) {
            (Some(now), true) => now + 1,
            (Some(now), false) => now.saturating_sub(1),
            (None, _) => 0,
        };
        let Some(sent) = ladder.sent(next) else { return };
        self.is_playing.set(false);
        self.is_held.set(true);
        self.picked.set(Some(next));
        self.set_cursor(Some(sent));
    }

    fn shown_axis(&self) -> Axis {
        match self.stretch.get() {
            Some(Stretch { from, to }) => Axis::Stretch { from, to },
            None => self.whole.get(),
        }
    }

    /// Shows moments `factor` times as far apart, around a place in the window or else the cursor.
    pub fn zoom(&self, factor: f64, about: Option<f64>) {
        let area = self.overlay.get_bounding_client_rect();
        let axis = self.plot.borrow().axis;
        let at_cursor = self.cursor.get().map(|at| axis.fraction(at));
        let fraction = at_cursor.filter(|f| (0.0..=1.0).contains(f)).unwrap_or(0.5);
        let about = about.unwrap_or(area.left() + fraction * area.width());
        self.change_stretch(factor, about, 0.0);
    }

    /// Shows what is later by a part of what is shown.
    pub fn pan(&self, by: f64) {
        let width = self.overlay.get_bounding_client_rect().width();
        self.change_stretch(1.0, 0.0, -by * width);
    }

    /// Shows the whole time.
    pub fn zoom_whole(&self) {
        self.set_stretch(None);
    }

    /// `about` and `by` in CSS pixels of the window.
    fn change_stretch(&self, factor: f64, about: f64, by: f64) {
        let Axis::Time { end } = self.whole.get() else { return };
        let area = self.overlay.get_bounding_client_rect();
        let axis = self.plot.borrow().axis;
        let now = self.stretch.get().unwrap_or(Stretch::whole(end));
        let about = axis.at((about - area.left()) / area.width().max(1.0));
        let zoomed = now.zoomed(factor, about.clamp(now.from, now.to), end);
        let moved = zoomed.moved(-by / area.width().max(1.0) * zoomed.length(), end);
        self.set_stretch(Some(moved).filter(|s| !s.is_whole(end)));
    }

    fn set_stretch(&self, stretch: Option<Stretch>) {
        if self.stretch.replace(stretch) != stretch {
            self.follow_stretch();
            self.set_cursor_line();
        }
    }

    /// Shows everything on the axis anew.
    fn follow_stretch(&self) {
        let axis = self.shown_axis();
        self.plot.borrow_mut().axis = axis;
        dom::set_flag(&self.root, "data-zoomed", self.stretch.get().is_some());
        self.draw();
        self.draw_moments();
        self.fill_tables();
    }

    fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let whole = self.whole.get();
        let axis = self.plot.borrow().axis;
        let now = self.cursor.get().or(self.plot.borrow().here);
        let at = now.unwrap_or(whole.at(0.0));
        let jump = |by: f64| axis.at(axis.fraction(at) + by);
        let moments = self.moments();
        let times = moments.iter().map(|m| m.0);
        let to = match event.key().as_str() {
            "ArrowRight" => Some(self.step(at, true)),
            "ArrowLeft" => Some(self.step(at, false)),
            "ArrowUp" => times.clone().find(|t| *t > at + 1e-6).or(now),
            "ArrowDown" => times.clone().rfind(|t| *t < at - 1e-6).or(now),
            "PageUp" => Some(jump(0.1)),
            "PageDown" => Some(jump(-0.1)),
            "Home" => Some(whole.at(0.0)),
            "End" => Some(whole.at(1.0)),
            "Escape" => None,
            "," | "." => {
                self.go_to_next_packet(event.key() == ".");
                return event.prevent_default();
            }
            "Enter" | "Delete" if self.shows_ladder.get() => {
                self.lose_picked();
                return event.prevent_default();
            }
            _ => return,
        };
        event.prevent_default();
        self.go(to);
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
        match found {
            Some(x) => plot.axis.at(x),
            None => self.whole.get().at(if forward { 1.0 } else { 0.0 }),
        }
    }

    /// Moves the cursor to a place on the axis, or takes it away.
    fn set_cursor(&self, at: Option<f64>) {
        let whole = self.whole.get();
        let at = at.map(|at| at.clamp(whole.at(0.0), whole.at(1.0)));
        self.cursor.set(at);
        if let (Some(at), Some(stretch), Axis::Time { end }) = (at, self.stretch.get(), whole) {
            let showing = stretch.showing(at, end);
            if showing != stretch {
                self.stretch.set(Some(showing));
                self.follow_stretch();
            }
        }
        self.set_cursor_line();
        self.draw_moment();
    }

    /// Shows the cursor where it is, with the values there.
    fn set_cursor_line(&self) {
        let (at, axis, whole) = (self.cursor.get(), self.plot.borrow().axis, self.whole.get());
        if let Some(log) = &self.log {
            log.mark(at, REACH * (axis.at(1.0) - axis.at(0.0)));
        }
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
        let fraction = axis.fraction(at.unwrap_or(axis.at(0.0)));
        dom::set_flag(&self.line, "hidden", at.is_none() || !(0.0..=1.0).contains(&fraction));
        let _ = self.line.style().set_property("left", &format!("{:.3}%", 100.0 * fraction));
        let place = at.or(self.plot.borrow().here).unwrap_or(whole.at(0.0));
        dom::set(&self.plots, "aria-valuemin", "0");
        dom::set(&self.plots, "aria-valuemax", "100");
        dom::set(&self.plots, "aria-valuenow", &format!("{:.0}", 100.0 * whole.fraction(place)));
        let picked = self.picked();
        self.packet_bar.show(picked.as_ref());
        let spoken = picked.map_or(text.clone(), |p| format!("{text} · {}", p.text));
        dom::set(&self.plots, "aria-valuetext", &spoken);
    }

    fn values_at(&self, at: f64) -> String {
        let mut text = self.plot.borrow().axis.show(at);
        for (name, value) in self.columns(at) {
            if let Some(value) = value {
                text += &format!(" · {name} {value}");
            }
        }
        if let Some(ladder) = &*self.ladder.borrow() {
            text += &format!(" · {}", ladder.at(at));
        }
        text
    }

    /// What each curve's name is and how it stands at a place, the current run's before a pinned one's.
    fn columns(&self, at: f64) -> Vec<(String, Option<String>)> {
        let (plot, pinned) = (self.plot.borrow(), self.pinned.borrow());
        let runs = [Some((&*plot, self.end_of_run.get(), "")), {
            pinned.as_ref().map(|pinned| (pinned, pinned.axis.at(1.0), "A "))
        }];
        let mut columns = Vec::new();
        for (plot, end, run) in runs.into_iter().flatten() {
            for (chart, series) in
                plot.charts.iter().flat_map(|c| c.series.iter().map(move |s| (c, s)))
            {
                // A run that is over has no values.
                let value = (at <= end * (1.0 + 1e-9)).then(|| series.at(at)).flatten();
                columns.push((format!("{run}{}", series.label), value_text(chart, value)));
            }
        }
        columns
    }

    fn draw_moments(&self) {
        let Some(log) = &self.log else { return };
        let axis = self.plot.borrow().axis;
        let ticks = self.moments.children();
        let mut moments: Vec<_> =
            log.moments().into_iter().map(|(at, loss)| (axis.fraction(at), loss)).collect();
        moments.retain(|moment| (0.0..=1.0).contains(&moment.0));
        // Those that would cover each other are one.
        moments.dedup_by(|next, last| next.1 == last.1 && next.0 - last.0 < TICK);
        for (i, (fraction, loss)) in moments.iter().enumerate() {
            let tick = ticks
                .item(i as u32)
                .unwrap_or_else(|| dom::append(&self.moments, "span", "").into());
            dom::set(&tick, "class", if *loss { "moment loss" } else { "moment" });
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
        let plot = self.plot.borrow();
        let columns = |row: usize| self.columns(plot.axis.at(row as f64 / TABLE_ROWS as f64));
        let names: Vec<_> = columns(0).into_iter().map(|column| column.0).collect();
        let names = std::iter::once("at").chain(names.iter().map(String::as_str));
        let body = dom::append_table(&self.table, names);
        for row in 0..=TABLE_ROWS {
            let at = plot.axis.at(row as f64 / TABLE_ROWS as f64);
            let line = dom::append(&body, "tr", "");
            dom::append_text(&line, "td", "", &plot.axis.show(at));
            for (_, value) in columns(row) {
                dom::append_text(&line, "td", "", value.as_deref().unwrap_or("–"));
            }
        }
    }

    /// A row for each of the first packets in sight.
    fn fill_packet_table(&self) {
        for old in ["table", "p"] {
            if let Ok(Some(old)) = self.packet_table.query_selector(old) {
                old.remove();
            }
        }
        let ladder = self.ladder.borrow();
        let Some(ladder) = ladder.as_ref() else { return };
        let axis = self.plot.borrow().axis;
        let (rows, count) = ladder.rows(axis.at(0.0), axis.at(1.0), PACKET_ROWS);
        let columns =
            ["packet", "which time", "sent, ms", "queue before it", "left, ms", "arrived, ms"];
        let body = dom::append_table(&self.packet_table, columns.into_iter());
        for row in &rows {
            let line = dom::append(&body, "tr", "");
            for text in row {
                dom::append_text(&line, "td", "", text);
            }
        }
        let more = count - rows.len();
        if more > 0 {
            let text = format!("and {} more: zoom in to list them", grouped(more as f64));
            dom::append_text(&self.packet_table, "p", "rest", &text);
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
