//! A reader's own objects, on a few paths, with the current and with the proposed window.

use crate::browser::chunks::Chunks;
use crate::browser::dom::{self, Coalesced};
use crate::browser::save;
use crate::browser::settle::settle;
use crate::panel::view::Part;
use js_sys::{Array, JSON, Reflect};
use packet_core::study::{
    BadLine, DEFAULT_PATHS, Entry, InitialWindow, Object, ObjectTable, Objects, Path, Row, Run,
    Scenario, body_bytes, from_entries,
};
use packet_core::units::{Bytes, Time, grouped};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

/// A list to start from: a page and what it needs.
const SAMPLE: &str = "name, bytes\nindex.html, 68KB\nstyle.css, 14KB\napp.js, 120KB\nhero.jpg, 85KB\n\
    manifest.json, 16KB\nlogo.svg, 3KB\napi/items, 28KB\nfont.woff2, 45KB\n";
/// How long a reader must be still before the table follows.
const PAUSE_MS: i32 = 300;
/// The largest file that is read.
const LARGEST: Bytes = Bytes::mb(64);
/// Rows shown; the file has all.
const ROWS: usize = 200;
/// Bad lines told one by one.
const BAD_LINES: usize = 20;

/// The list with its table.
pub struct ObjectList(Rc<Inner>);

struct Inner {
    root: HtmlElement,
    text: HtmlTextAreaElement,
    picker: HtmlInputElement,
    notice: HtmlElement,
    bad: HtmlElement,
    paths: HtmlElement,
    result: HtmlElement,
    progress: HtmlElement,
    save: HtmlElement,
    objects: RefCell<Objects>,
    scenario: RefCell<Option<Scenario>>,
    table: RefCell<Option<ObjectTable>>,
    /// Where the rows go.
    rows: RefCell<Option<HtmlElement>>,
    typed: OnceCell<Coalesced>,
    work: OnceCell<Rc<Chunks>>,
}

impl ObjectList {
    /// The list, closed, above the log of the panel in `root`.
    pub fn new(root: &HtmlElement) -> ObjectList {
        let details = dom::create("details", "part objects");
        let log = root.query_selector(":scope > .log").ok().flatten();
        let _ = root.insert_before(&details, log.as_ref().map(AsRef::as_ref));
        dom::append_text(&details, "summary", "", "Your own objects: which gain a round trip?");
        dom::append_text(
            &details,
            "p",
            "about",
            "A line for each object, name, bytes; sizes may be written as 14KB. Or a HAR file, as a browser’s \
             network panel saves it: then an object on a connection that was used before starts with the \
             window that is left there. Nothing leaves this page.",
        );
        let label = dom::append_text(&details, "label", "", "Objects");
        dom::set(&label, "for", "initial-window-objects");
        let text: HtmlTextAreaElement = dom::append(&details, "textarea", "paste").unchecked_into();
        text.set_id("initial-window-objects");
        text.set_rows(9);
        text.set_value(SAMPLE);
        dom::set(&text, "spellcheck", "false");
        dom::set(&text, "autocomplete", "off");
        let tools = dom::append(&details, "p", "list-tools");
        let label = dom::append_text(&tools, "label", "", "Open a file ");
        let picker: HtmlInputElement = dom::append(&label, "input", "").unchecked_into();
        dom::set(&picker, "type", "file");
        dom::set(&picker, "accept", ".har,.csv,.txt,.json,text/*,application/json");
        let sample = button(&tools, "Sample list");
        let notice = dom::append(&details, "p", "values");
        dom::set(&notice, "role", "status");
        let bad = dom::append(&details, "ul", "bad");
        let fieldset = dom::append(&details, "fieldset", "");
        dom::append_text(&fieldset, "legend", "", "Paths: round-trip time, link rate");
        let paths = dom::append(&fieldset, "div", "paths");
        let add = button(&fieldset, "Add a path");
        let progress = dom::append(&details, "progress", "");
        dom::set(&progress, "aria-label", "Objects worked out");
        let result = dom::append(&details, "div", "scroll");
        // Where the table is wider than the window, it is moved by arrow keys.
        dom::set(&result, "tabindex", "0");
        let save = button(&details, "Save as CSV");
        let inner = Rc::new(Inner {
            root: details,
            text,
            picker,
            notice,
            bad,
            paths,
            result,
            progress,
            save,
            objects: RefCell::new(Objects::parse(SAMPLE)),
            scenario: RefCell::default(),
            table: RefCell::default(),
            rows: RefCell::default(),
            typed: OnceCell::new(),
            work: OnceCell::new(),
        });
        for path in DEFAULT_PATHS {
            inner.add_path(&path.to_string());
        }
        inner.listen(&sample, &add);
        ObjectList(inner)
    }
}

impl Part<InitialWindow> for ObjectList {
    fn show(&self, run: &Run) {
        let scenario = Some(run.scenario.clone());
        if self.0.scenario.replace(scenario.clone()) != scenario {
            self.0.work_out_anew();
        }
    }
}

impl Inner {
    fn listen(self: &Rc<Self>, sample: &HtmlElement, add: &HtmlElement) {
        let this = self.clone();
        self.work.get_or_init(|| Chunks::new(Box::new(move || this.work_one_out())));
        let this = self.clone();
        self.typed.get_or_init(|| {
            Coalesced::new(move || {
                this.typed.get().inspect(|typed| typed.done());
                this.read(&this.text.value(), None);
            })
        });
        let this = self.clone();
        dom::on(&self.text, "input", move |_: Event| {
            this.typed.get().inspect(|typed| typed.after_pause(PAUSE_MS));
        });
        let this = self.clone();
        dom::on(sample, "click", move |_: Event| {
            this.text.set_value(SAMPLE);
            this.read(SAMPLE, None);
        });
        let this = self.clone();
        dom::on(add, "click", move |_: Event| {
            let field = this.add_path("");
            let _ = field.focus();
        });
        let this = self.clone();
        dom::on(&self.root, "toggle", move |_: Event| {
            if this.table.borrow().is_none() {
                this.work_out_anew();
            }
        });
        let this = self.clone();
        dom::on(&self.save, "click", move |_: Event| {
            if let Some(table) = &*this.table.borrow() {
                save::text("initial-window-objects.csv", "text/csv", &table.csv());
            }
        });
        let this = self.clone();
        dom::on(&self.picker, "change", move |_: Event| this.open());
    }

    /// Reads the file that a reader picks.
    fn open(self: &Rc<Self>) {
        let Some(file) = self.picker.files().and_then(|files| files.get(0)) else { return };
        let (this, name) = (self.clone(), file.name());
        if file.size() > LARGEST.0 as f64 {
            self.refuse(&format!("{name}: it is larger than {LARGEST}."));
            return;
        }
        settle(file.text(), move |text| match text.ok().and_then(|text| text.as_string()) {
            Some(text) => this.read(&text, Some(&name)),
            None => this.refuse(&format!("{name}: it cannot be read.")),
        });
    }

    /// Takes the objects of a list or of an archive, typed or from a file.
    fn read(&self, text: &str, file: Option<&str>) {
        let text = text.trim_start_matches('\u{feff}');
        let is_archive = text.trim_start().starts_with('{');
        let read =
            if is_archive { archive(text).map(from_entries) } else { Ok(Objects::parse(text)) };
        match read {
            Ok(objects) => {
                if file.is_some() {
                    // What is shown is what is used; an archive is too long to be shown.
                    self.text.set_value(if is_archive { "" } else { text });
                }
                self.objects.replace(objects);
                self.tell(file);
                self.work_out_anew();
            }
            Err(error) => self.refuse(&format!("{}{error}", prefix(file))),
        }
    }

    /// Says how many objects there are, and what could not be used.
    fn tell(&self, file: Option<&str>) {
        let Objects { objects, bad } = &*self.objects.borrow();
        let count = match objects.len() {
            1 => "1 object.".to_owned(),
            n => format!("{} objects.", grouped(n as f64)),
        };
        let left_out = match bad.len() {
            0 => String::new(),
            1 => " 1 line is left out:".to_owned(),
            n => format!(" {} lines are left out:", grouped(n as f64)),
        };
        dom::set_text(&self.notice, &format!("{}{count}{left_out}", prefix(file)));
        self.bad.set_text_content(None);
        for BadLine { line, reason } in bad.iter().take(BAD_LINES) {
            dom::append_text(&self.bad, "li", "", &format!("line {line}: {reason}"));
        }
        if bad.len() > BAD_LINES {
            let more = format!("and {} more", bad.len() - BAD_LINES);
            dom::append_text(&self.bad, "li", "", &more);
        }
    }

    /// Says why nothing has changed.
    fn refuse(&self, why: &str) {
        dom::set_text(&self.notice, &format!("{why} The list before stays."));
        self.bad.set_text_content(None);
    }

    /// A field for one more path; returns it.
    fn add_path(self: &Rc<Self>, text: &str) -> HtmlInputElement {
        let line = dom::append(&self.paths, "div", "path");
        let field: HtmlInputElement = dom::append(&line, "input", "field").unchecked_into();
        dom::set(&field, "aria-label", "Round-trip time, link rate");
        dom::set(&field, "placeholder", "85 ms, 20 Mbps");
        dom::set(&field, "autocomplete", "off");
        field.set_value(text);
        let remove = button(&line, "Remove");
        let error = dom::append(&line, "p", "error");
        dom::set(&error, "role", "alert");
        let this = self.clone();
        dom::on(&field, "change", move |_: Event| this.work_out_anew());
        let this = self.clone();
        dom::on(&remove, "click", move |_: Event| {
            line.remove();
            this.work_out_anew();
        });
        field
    }

    /// The paths that can be read; says beside the others why not.
    fn read_paths(&self) -> Vec<Path> {
        let lines = self.paths.children();
        let lines = (0..lines.length()).filter_map(|i| lines.item(i));
        let read = |line: web_sys::Element| {
            let field = line.first_element_child()?.dyn_into::<HtmlInputElement>().ok()?;
            let (text, error) = (field.value(), line.last_element_child()?);
            let path = Path::parse(&text);
            let told = match &path {
                Err(error) if !text.trim().is_empty() => error.to_string(),
                _ => String::new(),
            };
            dom::set_flag(&field, "aria-invalid", !told.is_empty());
            dom::set_text(&error, &told);
            path.ok()
        };
        lines.filter_map(read).collect()
    }

    /// Begins the table anew, if the list is open.
    fn work_out_anew(&self) {
        self.table.replace(None);
        if !self.root.has_attribute("open") {
            return;
        }
        let Some(scenario) = self.scenario.borrow().clone() else { return };
        let (objects, paths) = (self.objects.borrow().objects.clone(), self.read_paths());
        let windows = [scenario.current, scenario.proposed];
        self.result.set_text_content(None);
        self.rows.replace(Some(head(&self.result, &paths, windows)));
        dom::set(&self.progress, "max", &objects.len().max(1).to_string());
        self.tell_progress(0, false);
        // What the panel and the fields allow, the model allows.
        self.table.replace(ObjectTable::new(&scenario.common, objects, paths, windows).ok());
        self.work.get().inspect(|work| work.start_after(PAUSE_MS));
    }

    fn tell_progress(&self, done: usize, is_all: bool) {
        dom::set(&self.progress, "value", &done.to_string());
        dom::set_flag(&self.progress, "data-done", is_all);
    }

    /// Works one object out; says whether there are more.
    fn work_one_out(&self) -> bool {
        let mut table = self.table.borrow_mut();
        let (Some(table), Some(body)) = (table.as_mut(), self.rows.borrow().clone()) else {
            return false;
        };
        table.step(1);
        let paths = table.paths().len().max(1);
        let done = table.rows().len() / paths;
        self.tell_progress(done, table.is_done());
        let new = table.rows().chunks(paths).nth(done.saturating_sub(1));
        if let Some(rows) = new.filter(|_| done <= ROWS && body.child_element_count() < done as u32)
        {
            row(&body, &table.objects()[rows[0].object], rows);
        }
        if table.is_done() && !table.rows().is_empty() {
            total(&self.result, table, done);
        }
        !table.is_done()
    }
}

fn button(parent: &HtmlElement, text: &str) -> HtmlElement {
    let button = dom::append_text(parent, "button", "quiet", text);
    dom::set(&button, "type", "button");
    button
}

fn prefix(file: Option<&str>) -> String {
    file.map_or(String::new(), |name| format!("{name}: "))
}

/// A table with these paths; returns its body.
fn head(parent: &HtmlElement, paths: &[Path], [current, proposed]: [u32; 2]) -> HtmlElement {
    let table = dom::append(parent, "table", "");
    let caption = format!("Round trips of data and time, from {current} → from {proposed}");
    dom::append_text(&table, "caption", "", &caption);
    let line = dom::append(&dom::append(&table, "thead", ""), "tr", "");
    let name = |text: &str| dom::set(&dom::append_text(&line, "th", "", text), "scope", "col");
    name("Object");
    name("Size");
    paths.iter().for_each(|path| name(&path.to_string()));
    name("Window for one trip");
    dom::append(&table, "tbody", "")
}

/// An object on all paths.
fn row(body: &HtmlElement, object: &Object, rows: &[Row]) {
    let line = dom::append(body, "tr", "");
    let name = dom::append_text(&line, "th", "", &format!("{}{}", object.host, object.name));
    dom::set(&name, "scope", "row");
    if object.before > 0 {
        dom::append_text(&name, "small", "", " used connection");
    }
    dom::append_text(&line, "td", "", &object.size.to_string());
    for row in rows {
        let trips = [row.current.round_trips, row.proposed.round_trips];
        let times = [row.current.time, row.proposed.time];
        result(&line, trips, times, row.gained_round_trips() > 0);
    }
    dom::append_text(&line, "td", "", &rows[0].window_for_one.to_string());
}

/// Round trips and time with both windows; what gains stands out.
fn result(line: &HtmlElement, trips: [u32; 2], times: [Time; 2], gains: bool) {
    let cell = dom::append(line, "td", if gains { "gains" } else { "" });
    let change = |tag, before: String, after: String| {
        let text = if before == after { before } else { format!("{before} → {after}") };
        dom::append_text(&cell, tag, "", &text);
    };
    change("span", grouped(trips[0].into()), grouped(trips[1].into()));
    change("small", times[0].to_string(), times[1].to_string());
}

/// The sums, and which objects gain.
fn total(parent: &HtmlElement, table: &ObjectTable, objects: usize) {
    let Some(element) = parent.first_element_child() else { return };
    let line = dom::append(&dom::append(&element, "tfoot", ""), "tr", "");
    let name = dom::append_text(&line, "th", "", &format!("all {}", grouped(objects as f64)));
    dom::set(&name, "scope", "row");
    dom::append(&line, "td", "");
    for path in 0..table.paths().len() {
        let total = table.total(path);
        result(&line, total.round_trips, total.time, total.gain > 0);
        if let Some(cell) = line.last_element_child() {
            let gain = format!("{} gain a trip", grouped(total.gain.into()));
            dom::append_text(&cell, "small", "", &gain);
        }
    }
    dom::append(&line, "td", "");
    if objects > ROWS {
        let more = format!("The first {ROWS} are shown; the file has all.");
        dom::append_text(parent, "p", "about", &more);
    }
}

/// The entries of an HTTP archive, read by the browser.
fn archive(text: &str) -> Result<Vec<Entry>, String> {
    let whole = JSON::parse(text).map_err(|error| {
        let why = error.dyn_ref::<js_sys::Error>().map_or(String::new(), |e| e.message().into());
        format!("this is not an HTTP archive: {why}.")
    })?;
    let entries = at(&whole, &["log", "entries"]);
    if !Array::is_array(&entries) {
        return Err("this is not an HTTP archive: there is no list log.entries.".to_owned());
    }
    Ok(Array::from(&entries).iter().map(|it| entry(&it)).collect())
}

fn entry(it: &JsValue) -> Entry {
    let number = |path: &[&str]| at(it, path).as_f64();
    let body_size = number(&["response", "bodySize"]).unwrap_or(-1.0);
    let size = |name| number(&["response", "content", name]).unwrap_or_default();
    Entry {
        url: at(it, &["request", "url"]).as_string().unwrap_or_default(),
        body_bytes: body_bytes(body_size as i64, size("size") as i64, size("compression") as i64),
        connection: at(it, &["connection"]).as_string(),
    }
}

/// What lies in a value behind these names; undefined where one of them is not there.
fn at(value: &JsValue, path: &[&str]) -> JsValue {
    let get = |value: JsValue, name: &&str| Reflect::get(&value, &(*name).into());
    path.iter().fold(value.clone(), |value, name| get(value, name).unwrap_or(JsValue::UNDEFINED))
}
