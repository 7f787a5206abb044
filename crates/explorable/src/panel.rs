//! A panel: controls, hero number, readouts, charts and log of one model, kept in step.

use crate::assumptions::Drawer;
use crate::charts::Charts;
use crate::control::Control;
use crate::dom::{self, Coalesced};
use crate::embed;
use crate::log::Log;
use crate::playback::Player;
use crate::url;
use crate::view::View;
use crate::{tabs, zoom_bar};
use packet_core::parameter::Value;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

/// How long a reader must be still before the page's address and the spoken sentence follow.
const PAUSE_MS: i32 = 400;

/// What keys do while the charts have the focus.
const KEYS: &str = "With the focus on the charts: left and right arrow move the cursor, Home and End to \
    the ends; n and p, or up and down arrow, go to the next and the previous decision, l to the next \
    loss; a full stop and a comma to the next and the previous packet, which Enter loses in the ladder, \
    and Ctrl+Z undoes that; Space plays and pauses; + and − zoom, < and > move what is shown, 0 shows \
    the whole time; Escape takes the cursor away.";

/// One panel in the page. It lives as long as the page does.
pub struct Panel<M: View> {
    root: HtmlElement,
    scenario: RefCell<M::Scenario>,
    /// One for each of the model's parameters, the assumptions included.
    controls: Vec<Control>,
    more: Option<HtmlElement>,
    drawer: Rc<Drawer<M>>,
    hero: Hero,
    readouts: HtmlElement,
    notice: HtmlElement,
    status: HtmlElement,
    charts_root: HtmlElement,
    /// One group for each axis.
    charts: RefCell<Vec<Rc<Charts>>>,
    /// The chosen one of the model's tabs.
    tab: Cell<usize>,
    /// For each packet lost by a click, the values before it of the parameters it has changed.
    undo: RefCell<Vec<Vec<(usize, Value)>>>,
    log: Rc<Log>,
    tables: HtmlElement,
    /// What was last shown, to compare with.
    told: RefCell<Told>,
    frame: OnceCell<Coalesced>,
    settled: OnceCell<Coalesced>,
    followers: RefCell<Vec<Follower>>,
}

/// What is called once a change has settled.
pub type Follower = Box<dyn Fn()>;

struct Hero {
    number: HtmlElement,
    parts: HtmlElement,
    second: HtmlElement,
    second_number: HtmlElement,
    second_name: HtmlElement,
}

impl<M: View> Panel<M> {
    /// Builds the panel into `root`, in the state that the page's address asks for.
    pub fn mount(root: &HtmlElement) -> Rc<Panel<M>> {
        root.set_inner_html("");
        let query = url::parameters();
        let mut scenario = M::Scenario::default();
        let remarks = url::apply::<M>(&mut scenario, &query, embed::prefix::<M>());
        let only = query.get("controls");
        let wanted = query.get(&tab_key::<M>()).unwrap_or_default();
        let tab = M::TABS.iter().position(|tab| tab.key == wanted).unwrap_or(0);

        dom::append_text(root, "p", "visually-hidden", M::SUMMARY);
        let notice = dom::append(root, "p", "notice");
        dom::set(&notice, "role", "status");
        let hero = Hero::new(root, M::HERO);
        let controls_root = dom::append(root, "div", "controls");
        dom::set(&controls_root, "role", "group");
        dom::set(&controls_root, "aria-label", "Settings");
        let charts_root = dom::append(root, "div", "charts");
        let readouts = dom::append(root, "dl", "readouts");
        let log_root = dom::append(root, "div", "log");
        let drawer_root = dom::append(root, "div", "drawer");
        let tables = dom::append(root, "div", "tables");
        let status = dom::append(root, "p", "visually-hidden");
        dom::set(&status, "role", "status");

        let log = Log::new(&log_root);
        let more = (!M::MORE.is_empty() && only.is_none()).then(more);
        let drawer = Drawer::new(&drawer_root);
        let panel = Rc::new_cyclic(|this: &std::rc::Weak<Panel<M>>| {
            let asked_for =
                |key| only.as_ref().is_none_or(|only| only.split(',').any(|wanted| wanted == key));
            let control = |i: usize, p: &'static packet_core::parameter::Parameter<M::Scenario>| {
                let this = this.clone();
                let change = move |value| {
                    if let Some(panel) = this.upgrade() {
                        panel.choose(i, value);
                    }
                };
                // The first of the assumptions chooses among presets of the others.
                let assumed = i > M::PARAMETERS.len();
                let parent = match &more {
                    _ if assumed => drawer.list(),
                    Some(more) if M::MORE.contains(&p.key) => more,
                    _ => &controls_root,
                };
                let id = format!("{}-", M::NAME);
                let control = Control::new(parent, &id, p, Rc::new(change));
                control.set_hidden(!asked_for(p.key));
                if assumed {
                    drawer.add(&control, p);
                }
                control
            };
            let controls = M::parameters().enumerate().map(|(i, p)| control(i, p)).collect();
            if let Some(more) = &more {
                let _ = controls_root.append_child(more);
            }
            drawer.set_hidden(!M::ASSUMPTIONS.iter().skip(1).any(|p| asked_for(p.key)));
            Panel {
                root: root.clone(),
                scenario: RefCell::new(scenario),
                controls,
                more: more.clone(),
                drawer,
                hero,
                readouts,
                notice,
                status,
                charts_root,
                charts: RefCell::default(),
                tab: Cell::new(tab),
                undo: RefCell::default(),
                log,
                tables,
                told: RefCell::default(),
                frame: OnceCell::new(),
                settled: OnceCell::new(),
                followers: RefCell::default(),
            }
        });
        panel.add_reset_all(&controls_root);
        let this = panel.clone();
        panel.frame.get_or_init(|| Coalesced::new(move || this.render()));
        let this = panel.clone();
        panel.settled.get_or_init(|| Coalesced::new(move || this.settle()));
        panel.hear_undo();
        panel.open_more();
        panel.render();
        dom::set_text(&panel.notice, &remarks.join(" "));
        panel
    }

    /// Sets the start values and then what `query` says, and tells what that has changed.
    pub fn apply(self: &Rc<Self>, query: &str) -> Outcome {
        let before = self.told.borrow().clone();
        let (scenario, _) = url::read::<M>(query, "");
        self.become_like(scenario);
        Outcome::new(&before, &self.told.borrow())
    }

    fn become_like(self: &Rc<Self>, scenario: M::Scenario) {
        for (control, p) in self.controls.iter().zip(M::parameters()) {
            if (p.get)(&scenario) != (p.get)(&self.scenario.borrow()) {
                control.flash();
            }
        }
        self.scenario.replace(scenario);
        self.undo.borrow_mut().clear();
        self.open_more();
        self.render();
        self.changed();
    }

    fn choose(&self, index: usize, value: Value) {
        if let Some(p) = M::parameters().nth(index) {
            (p.set)(&mut self.scenario.borrow_mut(), value);
        }
        self.changed();
    }

    /// Follows a change: the figures before the next frame, the address once the reader is still.
    fn changed(&self) {
        dom::set_text(&self.notice, "");
        if let (Some(frame), Some(settled)) = (self.frame.get(), self.settled.get()) {
            frame.in_next_frame();
            settled.after_pause(PAUSE_MS);
        }
    }

    /// Opens what is put away where something in it is set.
    fn open_more(&self) {
        let (scenario, start) = (self.scenario.borrow(), M::Scenario::default());
        let is_set = |p: &&packet_core::parameter::Parameter<M::Scenario>| {
            M::MORE.contains(&p.key) && (p.get)(&scenario) != (p.get)(&start)
        };
        if let Some(more) = self.more.as_ref().filter(|_| M::parameters().any(|p| is_set(&p))) {
            dom::set_flag(more, "open", true);
        }
    }

    fn add_reset_all(self: &Rc<Self>, parent: &HtmlElement) {
        let button = dom::append_text(parent, "button", "reset-all", "Reset all");
        dom::set(&button, "type", "button");
        let this = self.clone();
        dom::on(&button, "click", move |_: web_sys::Event| {
            this.apply("");
        });
    }

    fn render(self: &Rc<Self>) {
        if let Some(frame) = self.frame.get() {
            frame.done();
        }
        let scenario = self.scenario.borrow();
        let start = M::baseline(&scenario);
        for (control, p) in self.controls.iter().zip(M::parameters()) {
            control.show(p, (p.get)(&scenario), (p.get)(&start));
        }
        self.drawer.show(&scenario);
        let run = match M::run(&scenario) {
            Ok(run) => run,
            Err(error) => {
                dom::set_text(&self.notice, &error.to_string());
                return;
            }
        };
        for (control, p) in self.controls.iter().zip(M::PARAMETERS) {
            control.set_note(&M::note(&run, p.key).unwrap_or_default());
        }
        let hero = M::hero(&run);
        self.hero.show(&hero);
        self.told.replace(Told::new::<M>(&hero, &run));
        self.show_readouts(&M::readouts(&run));
        for charts in self.charts.borrow().iter() {
            charts.set_undoable(!self.undo.borrow().is_empty());
        }
        self.log.show(M::log(&run));
        self.show_plots(&run);
        self.show_tables(&M::tables(&run));
    }

    fn show_tables(&self, tables: &[crate::view::Table]) {
        let there = self.tables.children();
        for (i, table) in tables.iter().enumerate() {
            let element = there.item(i as u32).unwrap_or_else(|| new_table(&self.tables, table));
            let Some(body) = element.last_element_child().and_then(|t| t.last_element_child())
            else {
                continue;
            };
            let cells = body.get_elements_by_tag_name("td");
            for (i, text) in table.rows.iter().flat_map(|row| &row[1..]).enumerate() {
                if let Some(cell) = cells.item(i as u32) {
                    dom::set_text(&cell, text);
                }
            }
        }
    }

    fn show_plots(self: &Rc<Self>, run: &M::Run) {
        let tab = M::TABS.get(self.tab.get());
        let plots = if tab.is_some() { M::plots_of(run, self.tab.get()) } else { M::plots(run) };
        let has_ladder = tab.is_some_and(|tab| tab.has_ladder);
        for (i, plot) in plots.into_iter().enumerate() {
            let there = self.charts.borrow().get(i).cloned();
            let charts = there.unwrap_or_else(|| self.new_charts(i, plot.clone()));
            charts.show(plot, M::ladder(run), has_ladder);
        }
    }

    fn new_charts(self: &Rc<Self>, index: usize, plot: crate::chart::Plot) -> Rc<Charts> {
        let this = self.clone();
        let pick = move |x| {
            M::pick(&mut this.scenario.borrow_mut(), index, x);
            this.changed();
        };
        let group = dom::append(&self.charts_root, "div", "group");
        let charts = Charts::new(&group, plot, &self.log, Box::new(pick));
        if !M::TABS.is_empty() {
            let this = self.clone();
            tabs::add(charts.tools(), M::TABS, self.tab.get(), move |tab| this.choose_tab(tab));
            Player::add(charts.tools(), &group, &charts);
            zoom_bar::add(charts.tools(), &group, &charts);
            let keys = dom::append(&group, "details", "table");
            dom::append_text(&keys, "summary", "", "Keys");
            dom::append_text(&keys, "p", "rest", KEYS);
            let (this, panel) = (self.clone(), self.clone());
            let lose = move |picked: &crate::ladder::Picked| {
                if picked.can_be_lost {
                    this.lose(picked.segment);
                }
            };
            charts.on_lose(Box::new(lose), move || panel.undo());
        }
        self.charts.borrow_mut().push(charts.clone());
        charts
    }

    fn choose_tab(self: &Rc<Self>, tab: usize) {
        self.tab.set(tab);
        self.render();
        let key = M::TABS.get(tab).filter(|_| tab > 0).map(|tab| tab.key);
        url::set(&tab_key::<M>(), key);
    }

    /// Loses a packet on purpose, or delivers one that was lost so.
    fn lose(self: &Rc<Self>, segment: u32) {
        let values = |s: &M::Scenario| M::PARAMETERS.iter().map(|p| (p.get)(s)).collect::<Vec<_>>();
        let before = values(&self.scenario.borrow());
        M::lose(&mut self.scenario.borrow_mut(), segment);
        let after = values(&self.scenario.borrow());
        let changed = before.into_iter().enumerate().filter(|(i, value)| after[*i] != *value);
        self.undo.borrow_mut().push(changed.collect());
        self.render();
        self.changed();
    }

    /// Takes back the last packet lost by a click.
    fn undo(self: &Rc<Self>) {
        let Some(values) = self.undo.borrow_mut().pop() else { return };
        for (i, value) in values {
            (M::PARAMETERS[i].set)(&mut self.scenario.borrow_mut(), value);
        }
        self.render();
        self.changed();
    }

    fn hear_undo(self: &Rc<Self>) {
        let this = self.clone();
        dom::on(&self.root, "keydown", move |event: KeyboardEvent| {
            let is_undo = event.key() == "z" && (event.ctrl_key() || event.meta_key());
            // A text field undoes its own typing.
            let target = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
            let is_field = target.is_some_and(|t| t.class_list().contains("field"));
            if is_undo && !is_field && !this.undo.borrow().is_empty() {
                event.prevent_default();
                this.undo();
            }
        });
    }

    fn show_readouts(&self, readouts: &[crate::view::Readout]) {
        let pairs = self.readouts.children();
        for (i, readout) in readouts.iter().enumerate() {
            let pair = pairs.item(i as u32).unwrap_or_else(|| {
                let pair = dom::append(&self.readouts, "div", "readout");
                dom::append(&pair, "dt", "");
                dom::append(&pair, "dd", "");
                pair.into()
            });
            dom::set(&pair, "title", readout.help);
            if let (Some(name), Some(value)) =
                (pair.first_element_child(), pair.last_element_child())
            {
                dom::set_text(&name, &readout.label);
                dom::set_text(&value, &readout.value);
            }
        }
    }

    /// The reader is still: the address follows, and one sentence says where the figures stand.
    fn settle(&self) {
        if let Some(settled) = self.settled.get() {
            settled.done();
        }
        url::write::<M>(&self.scenario.borrow(), embed::prefix::<M>());
        dom::set_text(&self.status, &self.sentence());
        self.followers.borrow().iter().for_each(|follower| follower());
    }
}

/// What the page does with a panel whatever its model is.
pub trait AnyPanel {
    /// The panel's element in the page.
    fn root(&self) -> &HtmlElement;
    /// The panel's name, and what stands before its keys in the whole page's address.
    fn name(&self) -> (&'static str, &'static str);
    /// The key and the label of each control.
    fn controls(&self) -> Vec<(&'static str, &'static str)>;
    /// Sets what `query` says, on top of the start values or of what is set now; returns remarks on
    /// what could not be taken as it is.
    fn set(self: Rc<Self>, query: &str, from_start: bool) -> Vec<String>;
    /// What differs from the start values, `size=64KB&iw=46`.
    fn query(&self) -> String;
    /// The hero number with its unit.
    fn hero(&self) -> String;
    /// One sentence on where the figures stand.
    fn sentence(&self) -> String;
    /// Calls `follower` whenever a change has settled.
    fn on_settled(&self, follower: Follower);
}

impl<M: View> AnyPanel for Panel<M> {
    fn root(&self) -> &HtmlElement {
        &self.root
    }

    fn name(&self) -> (&'static str, &'static str) {
        (M::NAME, M::PREFIX)
    }

    fn controls(&self) -> Vec<(&'static str, &'static str)> {
        // Of the assumptions only the preset, which stands among the settings.
        let shown = M::PARAMETERS.iter().chain(M::ASSUMPTIONS.iter().take(1));
        shown.map(|p| (p.key, p.label)).collect()
    }

    fn set(self: Rc<Self>, query: &str, from_start: bool) -> Vec<String> {
        let now = || self.scenario.borrow().clone();
        let mut scenario = if from_start { M::Scenario::default() } else { now() };
        let remarks = url::apply::<M>(&mut scenario, &url::parse(query), "");
        self.become_like(scenario);
        dom::set_text(&self.notice, &remarks.join(" "));
        remarks
    }

    fn query(&self) -> String {
        packet_core::model::to_query::<M>(&self.scenario.borrow())
    }

    fn hero(&self) -> String {
        self.told.borrow().number.clone()
    }

    fn sentence(&self) -> String {
        self.hero.sentence(M::HERO)
    }

    fn on_settled(&self, follower: Follower) {
        self.followers.borrow_mut().push(follower);
    }
}

/// The key of the chosen tab in the page's address.
fn tab_key<M: View>() -> String {
    format!("{}view", embed::prefix::<M>())
}

/// Where rarely needed controls are put away.
fn more() -> HtmlElement {
    let more = dom::create("details", "more");
    dom::append_text(&more, "summary", "", "More settings");
    more
}

/// The frame of a table: its title, its columns, and its rows with their names.
fn new_table(parent: &HtmlElement, table: &crate::view::Table) -> web_sys::Element {
    let details = dom::append(parent, "details", "table");
    dom::append_text(&details, "summary", "", table.title);
    let element = dom::append(&details, "table", "");
    let head = dom::append(&dom::append(&element, "thead", ""), "tr", "");
    for name in table.columns {
        let cell = dom::append_text(&head, "th", "", name);
        dom::set(&cell, "scope", "col");
    }
    let body = dom::append(&element, "tbody", "");
    for row in &table.rows {
        let line = dom::append(&body, "tr", "");
        let name = dom::append_text(&line, "th", "", &row[0]);
        dom::set(&name, "scope", "row");
        for _ in &row[1..] {
            dom::append(&line, "td", "");
        }
    }
    details.into()
}

/// What a reader compares before and after: the hero numbers, and quantities by name.
#[derive(Clone, Default)]
struct Told {
    number: String,
    second: Option<String>,
    others: Vec<(&'static str, String)>,
}

impl Told {
    fn new<M: View>(hero: &crate::view::Hero, run: &M::Run) -> Told {
        let quantities = M::TELLING.iter().filter_map(|key| M::quantity(key));
        Told {
            number: hero.number.clone(),
            second: hero.second.as_ref().map(|s| s.0.clone()),
            others: quantities.map(|q| (q.label, q.show(run))).collect(),
        }
    }
}

/// What a button has changed.
pub struct Outcome {
    /// The number to remember it by.
    pub number: String,
    /// The hero number before and now; where it has stayed, what else has changed.
    pub change: String,
}

impl Outcome {
    fn new(before: &Told, after: &Told) -> Outcome {
        let number = after.number.clone();
        let mut change = if before.number == number {
            format!("still {number}")
        } else {
            format!("{} → {number}", before.number)
        };
        if before.number == number {
            for ((name, was), (_, is)) in before.others.iter().zip(&after.others) {
                if was != is {
                    change += &format!(", {} {was} → {is}", name.to_lowercase());
                }
            }
        } else if let Some(second) = &after.second {
            change += &format!(", second request {second}");
        }
        Outcome { number: after.second.clone().unwrap_or(number), change }
    }
}

impl Hero {
    fn new(root: &HtmlElement, name: &str) -> Hero {
        let hero = dom::append(root, "div", "hero");
        let first = dom::append(&hero, "div", "");
        let number = dom::append(&first, "output", "hero-number");
        dom::set(&number, "aria-live", "off");
        dom::append_text(&first, "span", "hero-name", name);
        let second = dom::append(&hero, "div", "hero-second");
        let second_number = dom::append(&second, "span", "hero-number");
        let second_name = dom::append(&second, "span", "hero-name");
        let parts = dom::append(&hero, "p", "hero-parts");
        Hero { number, parts, second, second_number, second_name }
    }

    fn show(&self, hero: &crate::view::Hero) {
        dom::set_text(&self.number, &hero.number);
        dom::set_text(&self.parts, &hero.parts);
        dom::set_flag(&self.second, "hidden", hero.second.is_none());
        if let Some((number, name)) = &hero.second {
            dom::set_text(&self.second_number, number);
            dom::set_text(&self.second_name, name);
        }
    }

    fn sentence(&self, name: &str) -> String {
        let text = |element: &HtmlElement| element.text_content().unwrap_or_default();
        let mut sentence = format!("{name} {}: {}.", text(&self.number), text(&self.parts));
        if !self.second.hidden() {
            sentence += &format!(" {} {}.", text(&self.second_name), text(&self.second_number));
        }
        sentence
    }
}
