//! The drawer of assumptions: how each is taken, where that comes from, and what the other way changes.

use super::any::{AnyRun, AnyScenario};
use super::control::Control;
use crate::browser::chunks::Chunks;
use crate::browser::dom;
use packet_core::parameter::Setting;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// How long a reader must be still before the effects are worked out.
const PAUSE_MS: i32 = 150;

/// The drawer of one panel; hidden where its model has nothing to be taken one way or another.
pub struct Drawer {
    root: HtmlElement,
    /// Says how many differ.
    count: HtmlElement,
    list: HtmlElement,
    entries: RefCell<Vec<Entry>>,
    scenario: RefCell<Box<dyn AnyScenario>>,
    /// What the effects are compared with; worked out when the first of them is.
    run: RefCell<Option<Box<dyn AnyRun>>>,
    /// The next entry whose effect is to be worked out.
    next: Cell<usize>,
    work: RefCell<Option<Rc<Chunks>>>,
}

/// A group of assumptions: folded on a phone, where all of them are many screens long.
fn new_group(list: &HtmlElement, title: &str) -> HtmlElement {
    let group = dom::append(list, "details", "");
    let narrow = dom::window().match_media("(max-width: 40rem)").ok().flatten();
    dom::set_flag(&group, "open", !narrow.is_some_and(|narrow| narrow.matches()));
    dom::append_text(&group, "summary", "", title);
    dom::append(&group, "div", "")
}

/// One assumption.
struct Entry {
    key: &'static str,
    mark: HtmlElement,
    effect: HtmlElement,
}

impl Drawer {
    /// An empty drawer in `parent`.
    pub fn new(parent: &HtmlElement, scenario: Box<dyn AnyScenario>) -> Rc<Drawer> {
        let root = dom::append(parent, "details", "assumptions");
        let summary = dom::append_text(&root, "summary", "", "Assumptions");
        let count = dom::append(&summary, "span", "count");
        dom::append_text(
            &root,
            "p",
            "about",
            "What the model takes for granted, each with its source and with what the other way alone \
             would change now. ≠ marks what is not as in the simple model.",
        );
        let list = dom::append(&root, "div", "list");
        let drawer = Rc::new(Drawer {
            root,
            count,
            list,
            entries: RefCell::default(),
            scenario: RefCell::new(scenario),
            run: RefCell::default(),
            next: Cell::new(0),
            work: RefCell::default(),
        });
        let this = drawer.clone();
        drawer.work.replace(Some(Chunks::new(Box::new(move || this.tell_next()))));
        let this = drawer.clone();
        dom::on(&drawer.root, "toggle", move |_: Event| this.tell_anew(0));
        drawer
    }

    /// Where the control of the next assumption goes: into the last group, or into one that it begins.
    pub fn place(&self, key: &str) -> HtmlElement {
        let groups = self.scenario.borrow().about().groups;
        if let Some((_, title)) = groups.iter().find(|group| group.0 == key) {
            return new_group(&self.list, title);
        }
        let group = self.list.last_element_child().and_then(|group| group.last_element_child());
        group.map_or_else(|| self.list.clone(), JsCast::unchecked_into)
    }

    /// Adds to the control of an assumption what is to be said of it.
    pub fn add(&self, control: &Control, setting: Setting) {
        let root = control.root();
        let mark = dom::append(root, "p", "mark");
        let taken = self.scenario.borrow().assumption(setting.key);
        let source = taken.map_or("", |taken| taken.source);
        dom::append_text(root, "p", "source", source);
        let effect = dom::append(root, "p", "effect");
        self.entries.borrow_mut().push(Entry { key: setting.key, mark, effect });
    }

    /// Hides the drawer, where there is nothing to show in it.
    pub fn set_hidden(&self, hidden: bool) {
        dom::set_flag(&self.root, "hidden", hidden);
    }

    /// Shows how the assumptions of this scenario are taken.
    pub fn show(&self, scenario: &dyn AnyScenario) {
        let entries = self.entries.borrow();
        let mut differing = 0;
        for entry in entries.iter() {
            let instead_of = scenario.assumption(entry.key).and_then(|taken| taken.instead_of);
            differing += usize::from(instead_of.is_some());
            let mark = instead_of
                .map_or(String::new(), |article| format!("≠ the simple model: “{article}”"));
            dom::set_text(&entry.mark, &mark);
        }
        let count = match differing {
            0 => ": all as in the simple model".to_owned(),
            n => format!(": {n} of {} differ from the simple model", entries.len()),
        };
        dom::set_text(&self.count, &count);
        self.scenario.replace(scenario.copy());
        self.run.replace(None);
        self.tell_anew(PAUSE_MS);
    }

    /// Works the effects out anew, if the drawer is open, and not before a reader has been still.
    fn tell_anew(&self, pause_ms: i32) {
        let open = self.root.has_attribute("open");
        let _ = self.list.class_list().toggle_with_force("stale", open);
        self.next.set(if open { 0 } else { usize::MAX });
        if let Some(work) = self.work.borrow().as_ref().filter(|_| open) {
            work.start_after(pause_ms);
        }
    }

    /// Tells of one effect; says whether there are more.
    fn tell_next(&self) -> bool {
        let next = self.next.get();
        let entries = self.entries.borrow();
        if let Some(entry) = entries.get(next) {
            let mut run = self.run.borrow_mut();
            if run.is_none() {
                *run = self.scenario.borrow().run().ok();
            }
            let effect = run.as_ref().and_then(|run| run.effect(entry.key));
            dom::set_text(&entry.effect, &effect.unwrap_or_default());
            self.next.set(next + 1);
        }
        let more = self.next.get() < entries.len();
        if !more {
            let _ = self.list.class_list().remove_1("stale");
        }
        more
    }
}
