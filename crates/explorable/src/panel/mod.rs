//! A panel: controls, hero number, readouts, charts and log of one model, kept in step.

pub mod any;
mod assumptions;
mod control;
mod guess_form;
pub mod log;
mod pin;
mod playback;
pub mod settings;
pub mod tabs;
pub mod view;
mod zoom_bar;

use crate::browser::dom::{self, Coalesced};
use crate::charts::Charts;
use crate::share::export::Figure;
use crate::share::{embed, url};
use crate::teach::guess::{self, Verdict};
use any::{About, AnyPart, AnyRun, AnyScenario};
use assumptions::Drawer;
use control::Control;
use guess_form::{Answer, GuessForm};
use log::Log;
use packet_core::parameter::{Setting, Value};
use pin::{Act, PinBar, Pinned};
use playback::Player;
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
pub struct Panel {
    root: HtmlElement,
    about: &'static About,
    scenario: RefCell<Box<dyn AnyScenario>>,
    /// One for each of the model's parameters, the assumptions included.
    controls: Vec<Control>,
    more: Option<HtmlElement>,
    drawer: Rc<Drawer>,
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
    parts: Vec<Box<dyn AnyPart>>,
    /// What was last shown, to compare with.
    told: RefCell<Told>,
    frame: OnceCell<Coalesced>,
    settled: OnceCell<Coalesced>,
    followers: RefCell<Vec<Follower>>,
    pin_bar: PinBar,
    pinned: RefCell<Option<Pinned>>,
    guess_form: GuessForm,
    /// In teacher's mode, what need not be guessed any more.
    guessing: RefCell<Option<Guessing>>,
    on_guessed: OnceCell<OnGuessed>,
}

/// What teacher's mode knows of a panel.
struct Guessing {
    /// The settings whose figures the reader has seen.
    known: Option<Box<dyn AnyScenario>>,
    /// The exercise that is being asked.
    question: Option<Question>,
    /// The number of the exercise whose settings are shown, as long as they are.
    exercise: Option<usize>,
}

/// What a reader knows when teacher's mode begins.
#[derive(Clone, Copy)]
pub enum Known {
    /// Nothing, not even the start values.
    Nothing,
    /// The start values, which the text speaks of.
    Start,
    /// What is shown now.
    Now,
}

/// An exercise as a panel asks it.
pub struct Question {
    /// Its number, from 1.
    pub number: usize,
    /// Which one it is.
    pub title: String,
    /// What is asked.
    pub text: String,
    /// What is set for it, on top of the start values.
    pub settings: String,
    /// The key of the figure to guess.
    pub quantity: String,
    /// What is told once the figure is known.
    pub explanation: String,
    /// Asks the next one, where there is one.
    pub next: Option<Rc<dyn Fn()>>,
}

/// What is called with the question and the guess against the truth.
pub type OnGuessed = Box<dyn Fn(&str, &Verdict)>;

/// What stands for a number that is yet to be guessed.
const VEILED: &str = "?";

/// What is said beside a button that has set such a number.
pub const GUESS_FIRST: &str = "guess first, in the panel:";

/// What is called once a change has settled.
pub type Follower = Box<dyn Fn()>;

struct Hero {
    number: HtmlElement,
    /// Leads to the question, while the number is to be guessed.
    guess: HtmlElement,
    /// The number against a pinned run's.
    against: HtmlElement,
    parts: HtmlElement,
    second: HtmlElement,
    second_number: HtmlElement,
    second_name: HtmlElement,
}

impl Panel {
    /// Builds the panel of a model into `root`, in the state that the page's address asks for.
    pub fn mount(root: &HtmlElement, start: &dyn AnyScenario) -> Rc<Panel> {
        root.set_inner_html("");
        let (mut scenario, about) = (start.copy(), start.about());
        let query = url::parameters();
        let mut remarks = url::apply(&mut *scenario, &query, embed::prefix(about));
        let only = query.get("controls");
        let tab = find_tab(about, query.get(&tab_key(about)), &mut remarks).unwrap_or(0);
        if embed::alone() {
            remarks.extend(embed::remarks_on_address(&*scenario));
        }

        dom::append_text(root, "p", "visually-hidden", about.summary);
        let notice = dom::append(root, "p", "notice");
        dom::set(&notice, "role", "status");
        // The number stays in sight as long as anything of this is.
        let stage = dom::append(root, "div", "stage");
        let hero = Hero::new(&stage, about.hero);
        hero.parts.set_id(&format!("{}-parts", about.name));
        let controls_root = dom::append(&stage, "div", "controls");
        dom::set(&controls_root, "role", "group");
        dom::set(&controls_root, "aria-label", "Settings");
        let charts_root = dom::append(&stage, "div", "charts");
        let readouts = dom::append(&stage, "dl", "readouts");
        let log_root = dom::append(root, "div", "log");
        let drawer_root = dom::append(root, "div", "drawer");
        let tables = dom::append(root, "div", "tables");
        let status = dom::append(root, "p", "visually-hidden");
        dom::set(&status, "role", "status");

        let log = Log::new(&log_root, about.log, about.is_timed);
        let parts = start.parts(root);
        let more = (!about.more.is_empty() && only.is_none()).then(more);
        let drawer = Drawer::new(&drawer_root, start.copy());
        let settings = scenario.settings();
        let panel = Rc::new_cyclic(|this: &std::rc::Weak<Panel>| {
            let asked_for =
                |key| only.as_ref().is_none_or(|only| only.split(',').any(|it| it.trim() == key));
            let weak = this.clone();
            let act = move |act| {
                if let Some(panel) = weak.upgrade() {
                    panel.act_on_pin(act);
                }
            };
            let pin_bar = PinBar::new(&controls_root, Rc::new(act));
            let weak = this.clone();
            let id = format!("{}-", about.name);
            let guess_form = GuessForm::new(&charts_root, &id, move |answer| {
                if let Some(panel) = weak.upgrade() {
                    panel.answer(answer);
                }
            });
            let control = |i: usize, setting: Setting| {
                let this = this.clone();
                let change = move |value| {
                    if let Some(panel) = this.upgrade() {
                        panel.choose(i, value);
                    }
                };
                // The first of the assumptions chooses among presets of the others.
                let assumed = i >= about.settings;
                let parent = match &more {
                    _ if assumed => &drawer.place(setting.key),
                    Some(more) if about.more.contains(&setting.key) => more,
                    _ => &controls_root,
                };
                let id = format!("{}-", about.name);
                let control = Control::new(parent, &id, setting, Rc::new(change));
                control.set_hidden(!asked_for(setting.key));
                if assumed {
                    drawer.add(&control, setting);
                }
                control
            };
            let controls = settings.iter().enumerate().map(|(i, s)| control(i, *s)).collect();
            if let Some(more) = &more {
                let _ = controls_root.append_child(more);
            }
            drawer.set_hidden(!settings[about.settings..].iter().any(|s| asked_for(s.key)));
            Panel {
                root: root.clone(),
                about,
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
                parts,
                told: RefCell::default(),
                frame: OnceCell::new(),
                settled: OnceCell::new(),
                followers: RefCell::default(),
                pin_bar,
                pinned: RefCell::default(),
                guess_form,
                guessing: RefCell::default(),
                on_guessed: OnceCell::new(),
            }
        });
        panel.add_reset_all(&controls_root);
        add_explain(root, &controls_root);
        let this = panel.clone();
        panel.frame.get_or_init(|| Coalesced::new(move || this.render()));
        let this = panel.clone();
        panel.settled.get_or_init(|| Coalesced::new(move || this.settle()));
        panel.hear_undo();
        panel.open_more();
        let this = panel.clone();
        dom::on(&panel.hero.guess, "click", move |_: web_sys::Event| this.guess_form.focus());
        remarks.extend(panel.take_pin(query.get(&format!("{}pin", embed::prefix(about)))));
        panel.render();
        dom::set_text(&panel.notice, &remarks.join(" "));
        embed::remark(remarks);
        panel
    }

    /// Sets the start values and then what `query` says, and tells what has come of it: beside what was
    /// shown before, if that `is_comparable` or shows the start values.
    pub fn apply(self: &Rc<Self>, query: &str, is_comparable: bool) -> Outcome {
        let is_comparable = is_comparable || self.query().is_empty();
        let before = is_comparable.then(|| self.told.borrow().clone());
        let (scenario, _) = url::read(&**self.scenario.borrow(), query);
        self.become_like(scenario);
        Outcome::new(before.as_ref(), &self.told.borrow())
    }

    /// Where the figures stand.
    pub fn outcome(&self) -> Outcome {
        Outcome::new(None, &self.told.borrow())
    }

    fn become_like(self: &Rc<Self>, scenario: Box<dyn AnyScenario>) {
        for (place, control) in self.controls.iter().enumerate() {
            if scenario.get(place) != self.scenario.borrow().get(place) {
                control.flash();
            }
        }
        self.scenario.replace(scenario);
        self.undo.borrow_mut().clear();
        self.open_more();
        self.give_up_question();
        self.render();
        self.changed();
    }

    fn choose(&self, index: usize, value: Value) {
        self.give_up_question();
        self.scenario.borrow_mut().set(index, value);
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
        let scenario = self.scenario.borrow();
        let start = scenario.start();
        let is_set = |(place, setting): (usize, &Setting)| {
            self.about.more.contains(&setting.key) && scenario.get(place) != start.get(place)
        };
        let any_is_set = || scenario.settings().iter().enumerate().any(is_set);
        if let Some(more) = self.more.as_ref().filter(|_| any_is_set()) {
            dom::set_flag(more, "open", true);
        }
    }

    fn add_reset_all(self: &Rc<Self>, parent: &HtmlElement) {
        let button = dom::append_text(parent, "button", "reset-all", "Reset all");
        dom::set(&button, "type", "button");
        let this = self.clone();
        dom::on(&button, "click", move |_: web_sys::Event| {
            this.apply("", false);
        });
    }

    /// Pins, swaps or unpins.
    fn act_on_pin(self: &Rc<Self>, act: Act) {
        // A pinned run is compared with: its number would be told.
        if !matches!(act, Act::Pin(false)) && !self.may_tell() {
            return;
        }
        let now = self.scenario.borrow().clone();
        match act {
            Act::Pin(true) => drop(self.pinned.replace(Pinned::new(now))),
            Act::Pin(false) => drop(self.pinned.take()),
            Act::Swap => {
                let Some(then) = self.pinned.replace(Pinned::new(now)) else { return };
                self.become_like(then.scenario);
            }
        }
        let pinned = self.pinned.borrow();
        pin::write(self.prefix(), pinned.as_ref().map(|pinned| &*pinned.scenario));
        drop(pinned);
        self.show_pin();
        self.render();
        self.changed();
    }

    /// Pins what an address says, where it does; returns remarks on what it could not take as it is.
    fn take_pin(&self, pin: Option<String>) -> Vec<String> {
        let Some((pinned, remarks)) = pin.map(|pin| pin::read(&**self.scenario.borrow(), &pin))
        else {
            return Vec::new();
        };
        self.pinned.replace(pinned.and_then(Pinned::new));
        self.show_pin();
        remarks
    }

    fn show_pin(&self) {
        let pinned = self.pinned.borrow();
        self.pin_bar.show(pinned.as_ref().map(|pinned| &*pinned.scenario));
    }

    /// Whether the figures are to be guessed before they are shown.
    pub fn is_veiled(&self) -> bool {
        self.guessing.borrow().as_ref().is_some_and(|guessing| {
            guessing.question.is_some() || guessing.known.as_ref() != Some(&self.scenario.borrow())
        })
    }

    /// What is set is no longer what the exercise asks about.
    fn give_up_question(&self) {
        if let Some(guessing) = &mut *self.guessing.borrow_mut() {
            guessing.question = None;
            if guessing.exercise.take().is_some() {
                url::set("exercise", None);
            }
        }
    }

    /// Whether the figures may be told; else leads to the question.
    pub fn may_tell(&self) -> bool {
        if self.is_veiled() {
            self.guess_form.focus();
        }
        !self.is_veiled()
    }

    /// Asks for a guess where the figures are veiled.
    fn show_question(&self, is_veiled: bool) {
        if self.root.has_attribute("data-veiled") != is_veiled {
            dom::set_flag(&self.root, "data-veiled", is_veiled);
            let name = self.about.name;
            for button in dom::all(&format!("[data-panel='{name}'] [data-tells]")) {
                dom::set(&button, "aria-disabled", if is_veiled { "true" } else { "false" });
                // The line below the number, which asks for the guess.
                let why = if is_veiled { self.hero.parts.id() } else { String::new() };
                dom::set(&button, "aria-describedby", &why);
            }
        }
        if !is_veiled {
            if self.guess_form.is_asking() {
                self.guess_form.hide();
            }
            return;
        }
        let guessing = self.guessing.borrow();
        let question = guessing.as_ref().and_then(|guessing| guessing.question.as_ref());
        let key = question.map_or(self.about.figure, |question| &question.quantity);
        let suffix = self.scenario.borrow().quantity(key).map_or("", |q| guess::suffix(q.unit));
        match question {
            Some(question) => self.guess_form.ask(&question.title, &question.text, suffix),
            None => {
                let set = settings::describe(&**self.scenario.borrow());
                let text = format!("What will the {} be?", self.about.hero);
                self.guess_form.ask(&text, &format!("Set: {set}."), suffix);
            }
        }
    }

    /// Judges a guess, and shows the figures.
    fn answer(self: &Rc<Self>, answer: Answer) {
        let scenario = self.scenario.borrow().clone();
        let Ok(run) = scenario.run() else { return };
        let guessing = self.guessing.borrow();
        let question = guessing.as_ref().and_then(|guessing| guessing.question.as_ref());
        let key = question.map_or(self.about.figure, |question| &question.quantity);
        let Some(quantity) = scenario.quantity(key) else { return };
        let Some((truth, shown)) = run.figure(key) else { return };
        let truth = truth.number();
        let verdict = match (&answer, truth) {
            (Answer::Guess(text), Some(truth)) => match guess::read(quantity.unit, text) {
                Some(guess) => Some(Verdict::new(quantity.unit, guess, truth)),
                None => {
                    let unit = guess::suffix(quantity.unit);
                    let example = quantity.unit.figure(if truth < 1.0 { 0.0 } else { 100.0 });
                    let error = format!(
                        "'{text}' is not allowed; use a number in {unit}, such as {example}."
                    );
                    self.guess_form.refuse(&error.replace(" in ,", ","));
                    return;
                }
            },
            _ => None,
        };
        let label = quantity.label.to_ascii_lowercase();
        let told =
            verdict.as_ref().map_or_else(|| format!("The {label} is {shown}."), Verdict::sentence);
        let what = question.map_or_else(
            || format!("{}: {}", quantity.label, settings::describe(&*scenario)),
            |question| format!("{}: {label}", question.title),
        );
        let explanation = question.map_or(String::new(), |question| question.explanation.clone());
        let next = question.and_then(|question| question.next.clone());
        drop(guessing);
        if let Some(guessing) = &mut *self.guessing.borrow_mut() {
            guessing.known = Some(scenario);
            guessing.question = None;
        }
        if let (Some(verdict), Some(on_guessed)) = (&verdict, self.on_guessed.get()) {
            on_guessed(&what, verdict);
        }
        self.render();
        self.guess_form.tell(&told, &explanation, next);
        self.changed();
    }

    fn render(self: &Rc<Self>) {
        if let Some(frame) = self.frame.get() {
            frame.done();
        }
        let scenario = self.scenario.borrow();
        let settings = scenario.settings();
        let shown = self.controls.iter().zip(&settings).zip(scenario.unsaid());
        for (place, ((control, setting), start)) in shown.enumerate() {
            control.show(setting, scenario.get(place), start);
        }
        self.drawer.show(&**scenario);
        let run = match scenario.run() {
            Ok(run) => run,
            Err(error) => {
                dom::set_text(&self.notice, &error.to_string());
                return;
            }
        };
        for (control, setting) in self.controls.iter().zip(&settings[..self.about.settings]) {
            control.set_note(&run.note(setting.key).unwrap_or_default());
        }
        let is_veiled = self.is_veiled();
        self.show_question(is_veiled);
        let hero = if is_veiled { veiled() } else { run.hero() };
        self.hero.show(&hero);
        let pinned = self.pinned.borrow();
        let against = pinned.as_ref().filter(|_| !is_veiled).map(|p| p.against(&hero.number));
        dom::set_text(&self.hero.against, &against.unwrap_or_default());
        self.told.replace(Told::new(self.about, &**scenario, &hero, &*run));
        self.show_readouts(&run.readouts(), pinned.as_ref());
        for charts in self.charts.borrow().iter() {
            charts.set_undoable(!self.undo.borrow().is_empty());
        }
        self.log.show(run.log(), &scenario.command());
        self.show_plots(&*run);
        self.show_tables(&run.tables());
        self.parts.iter().for_each(|part| part.show(&*run));
    }

    fn show_tables(&self, tables: &[view::Table]) {
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

    fn show_plots(self: &Rc<Self>, run: &dyn AnyRun) {
        let plots = run.plots(self.tab.get());
        let has_ladder = self.about.tabs.get(self.tab.get()).is_some_and(|tab| tab.has_ladder);
        let pinned = self.pinned.borrow();
        let pinned = pinned.as_ref().map(|pinned| pinned.plots(self.tab.get()));
        for (i, plot) in plots.into_iter().enumerate() {
            let there = self.charts.borrow().get(i).cloned();
            let charts = there.unwrap_or_else(|| self.new_charts(i, plot.clone()));
            let behind = pinned.as_ref().and_then(|plots| plots.get(i)).cloned();
            charts.show(plot, behind, run.ladder(), has_ladder);
        }
    }

    fn new_charts(self: &Rc<Self>, index: usize, plot: crate::charts::chart::Plot) -> Rc<Charts> {
        let this = self.clone();
        let pick = move |x| {
            this.give_up_question();
            this.scenario.borrow_mut().pick(index, x);
            this.changed();
        };
        let group = dom::append(&self.charts_root, "div", "group");
        let charts = Charts::new(&group, plot, &self.log, Box::new(pick));
        if !self.about.tabs.is_empty() {
            let this = self.clone();
            let tabs = self.about.tabs;
            tabs::add(charts.tools(), tabs, self.tab.get(), move |tab| this.choose_tab(tab));
            Player::add(charts.tools(), &group, &charts);
            zoom_bar::add(charts.tools(), &group, &charts);
            let keys = dom::append(&group, "details", "table");
            dom::append_text(&keys, "summary", "", "Keys");
            dom::append_text(&keys, "p", "rest", KEYS);
            let (this, panel) = (self.clone(), self.clone());
            let lose = move |picked: &crate::charts::ladder::Picked| {
                if picked.can_be_lost || picked.is_lost {
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
        let key = self.about.tabs.get(tab).filter(|_| tab > 0).map(|tab| tab.key);
        url::set(&tab_key(self.about), key);
        // What links to this state follows.
        if let Some(settled) = self.settled.get() {
            settled.after_pause(PAUSE_MS);
        }
    }

    /// Loses a packet on purpose, or delivers one that was lost so.
    fn lose(self: &Rc<Self>, segment: u32) {
        self.give_up_question();
        let before = self.scenario.borrow().values();
        self.scenario.borrow_mut().lose(segment);
        let after = self.scenario.borrow().values();
        let changed = before.into_iter().enumerate().filter(|(i, value)| after[*i] != *value);
        self.undo.borrow_mut().push(changed.collect());
        self.render();
        self.changed();
    }

    /// Takes back the last packet lost by a click.
    fn undo(self: &Rc<Self>) {
        let Some(values) = self.undo.borrow_mut().pop() else { return };
        self.give_up_question();
        for (i, value) in values {
            self.scenario.borrow_mut().set(i, value);
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

    fn show_readouts(&self, readouts: &[view::Readout], pinned: Option<&Pinned>) {
        let pairs = self.readouts.children();
        for (i, readout) in readouts.iter().enumerate() {
            let pair = pairs.item(i as u32).unwrap_or_else(|| {
                let pair = dom::append(&self.readouts, "div", "readout");
                dom::append(&pair, "dt", "");
                dom::append(&pair, "dd", "");
                dom::append(&pair, "dd", "help");
                pair.into()
            });
            dom::set(&pair, "title", readout.help);
            let parts = pair.children();
            let texts = [readout.label.as_str(), &readout.value, readout.help];
            for (i, text) in texts.into_iter().enumerate() {
                parts.item(i as u32).inspect(|part| dom::set_text(part, text));
            }
            match (pinned.and_then(|pinned| pinned.was(readout)), parts.item(3)) {
                (Some(was), there) => {
                    let there = there.unwrap_or_else(|| dom::append(&pair, "dd", "was").into());
                    dom::set_text(&there, &format!("A: {was}"));
                }
                (None, Some(there)) => there.remove(),
                (None, None) => {}
            }
        }
    }

    /// The reader is still: the address follows, and one sentence says where the figures stand.
    fn settle(&self) {
        if let Some(settled) = self.settled.get() {
            settled.done();
        }
        url::write(&**self.scenario.borrow(), self.prefix());
        dom::set_text(&self.status, &self.sentence());
        self.followers.borrow().iter().for_each(|follower| follower());
    }

    /// What stands before its keys in the page's address.
    fn prefix(&self) -> &'static str {
        embed::prefix(self.about)
    }
}

/// What the rest of the page does with a panel.
impl Panel {
    /// The panel's element in the page.
    pub fn root(&self) -> &HtmlElement {
        &self.root
    }

    /// The panel's name, and what stands before its keys in the whole page's address.
    pub fn name(&self) -> (&'static str, &'static str) {
        (self.about.name, self.about.prefix)
    }

    /// What the panel is about.
    pub fn title(&self) -> String {
        let title = self.root.get_attribute("aria-labelledby");
        let title = title.and_then(|id| dom::document().get_element_by_id(&id));
        title.and_then(|title| title.text_content()).unwrap_or_default()
    }

    /// The key and the label of each control.
    pub fn controls(&self) -> Vec<(&'static str, &'static str)> {
        // Of the assumptions only the preset, which stands among the settings.
        let settings = self.scenario.borrow().settings();
        settings[..self.about.settings].iter().map(|s| (s.key, s.label)).collect()
    }

    /// Sets what `query` says, on top of the start values or of what is set now; returns remarks on
    /// what could not be taken as it is.
    pub fn set(self: Rc<Self>, query: &str, from_start: bool) -> Vec<String> {
        let now = self.scenario.borrow().clone();
        let mut scenario = if from_start { now.start() } else { now };
        let query = url::parse(query);
        let mut remarks = url::apply(&mut *scenario, &query, "");
        remarks.extend(self.take_pin(query.get("pin")));
        if let Some(tab) = find_tab(self.about, query.get("view"), &mut remarks) {
            let buttons = self.root.query_selector_all(".views button").ok();
            let button = buttons.and_then(|buttons| buttons.item(tab as u32));
            button.inspect(|button| button.unchecked_ref::<HtmlElement>().click());
        }
        self.become_like(scenario);
        dom::set_text(&self.notice, &remarks.join(" "));
        remarks
    }

    /// Looks at what is set.
    pub fn with_scenario<T>(&self, what: impl FnOnce(&dyn AnyScenario) -> T) -> T {
        what(&**self.scenario.borrow())
    }

    /// What differs from the start values, `size=64KB&iw=46`.
    pub fn query(&self) -> String {
        packet_core::model::query(&**self.scenario.borrow())
    }

    /// The hero number with its unit.
    pub fn hero(&self) -> String {
        self.told.borrow().number.clone()
    }

    /// One sentence on where the figures stand.
    pub fn sentence(&self) -> String {
        self.hero.sentence(self.about.hero)
    }

    /// Calls `follower` whenever a change has settled.
    pub fn on_settled(&self, follower: Follower) {
        self.followers.borrow_mut().push(follower);
    }

    /// The address of the page as it stands.
    pub fn address(&self) -> String {
        let address = url::address(&**self.scenario.borrow(), self.prefix());
        if embed::alone() { address } else { format!("{address}#{}", self.about.name) }
    }

    /// The same run on the command line.
    pub fn command(&self) -> String {
        self.scenario.borrow().command()
    }

    /// The name of a file about the run, without its ending.
    pub fn file_name(&self) -> String {
        settings::file_name(&**self.scenario.borrow())
    }

    /// The trace as comma-separated values.
    pub fn trace_csv(&self) -> String {
        // What is set is always allowed: whatever sets it has made sure of that.
        self.scenario.borrow().run().map_or(String::new(), |run| run.trace_csv())
    }

    /// What is shown, as a figure whose pictures have `scale` pixels for one of the page's.
    pub fn figure(&self, scale: f64) -> Figure {
        let text = |element: &HtmlElement| element.text_content().unwrap_or_default();
        let second = (!self.hero.second.hidden()).then(|| {
            format!("{}: {}", text(&self.hero.second_name), text(&self.hero.second_number))
        });
        let pinned = self.pinned.borrow();
        let pinned = pinned.as_ref().map(|pinned| {
            format!("{}: {}", text(&self.hero.against), settings::describe(&*pinned.scenario))
        });
        let parts =
            [Some(self.about.hero.to_owned()), Some(text(&self.hero.parts)), second, pinned];
        let charts = self.charts.borrow();
        Figure {
            title: self.title(),
            settings: settings::caption(&**self.scenario.borrow()),
            number: text(&self.hero.number),
            parts: parts.into_iter().flatten().collect(),
            charts: charts.iter().flat_map(|charts| charts.pictures(scale)).collect(),
        }
    }

    /// Enters teacher's mode, or leaves it where nothing is known.
    pub fn teach(self: Rc<Self>, known: Option<Known>) {
        self.guessing.replace(known.map(|known| Guessing {
            known: match known {
                Known::Nothing => None,
                Known::Start => Some(self.scenario.borrow().start()),
                Known::Now => Some(self.scenario.borrow().clone()),
            },
            question: None,
            exercise: None,
        }));
        self.guess_form.hide();
        self.render();
    }

    /// Asks an exercise.
    pub fn ask(self: Rc<Self>, question: Question) {
        let (scenario, _) = url::read(&**self.scenario.borrow(), &question.settings);
        self.become_like(scenario);
        let exercise = Some(question.number);
        self.guessing.replace(Some(Guessing { known: None, question: Some(question), exercise }));
        self.render();
        // In a frame it is asked as the page loads, which must not move the page around it.
        if embed::alone() {
            return;
        }
        self.root.scroll_into_view();
        // On a phone the field is farther down: the focus takes the page there.
        self.guess_form.focus();
    }

    /// Says what to call once the reader has guessed.
    pub fn on_guessed(&self, on_guessed: OnGuessed) {
        let _ = self.on_guessed.set(on_guessed);
    }
}

/// The key of the chosen tab in the page's address.
fn tab_key(about: &About) -> String {
    format!("{}view", embed::prefix(about))
}

/// A button that says of every setting and figure what it is; a pointer has that as a tooltip.
fn add_explain(root: &HtmlElement, parent: &HtmlElement) {
    let button = dom::append_text(parent, "button", "reset-all", "What do these mean?");
    dom::set(&button, "type", "button");
    dom::set(&button, "aria-pressed", "false");
    let (root, pressed) = (root.clone(), button.clone());
    dom::on(&button, "click", move |_: web_sys::Event| {
        let explained = root.class_list().toggle("explained").unwrap_or_default();
        dom::set(&pressed, "aria-pressed", if explained { "true" } else { "false" });
    });
}

/// The tab with this key; with a remark where there is none.
fn find_tab(about: &About, key: Option<String>, remarks: &mut Vec<String>) -> Option<usize> {
    let key = key.filter(|key| !key.is_empty())?;
    let place = about.tabs.iter().position(|tab| tab.key == key);
    if place.is_none() {
        let keys: Vec<_> = about.tabs.iter().map(|tab| tab.key).collect();
        let allowed = match keys.is_empty() {
            true => "this panel has only one".to_owned(),
            false => format!("use {}", keys.join(", ")),
        };
        remarks.push(format!("view: '{key}' is not allowed; {allowed}."));
    }
    place
}

/// Where rarely needed controls are put away.
fn more() -> HtmlElement {
    let more = dom::create("details", "more");
    dom::append_text(&more, "summary", "", "More settings");
    more
}

/// The frame of a table: its title, its columns, and its rows with their names.
fn new_table(parent: &HtmlElement, table: &view::Table) -> web_sys::Element {
    let details = dom::append(parent, "details", "table");
    dom::append_text(&details, "summary", "", table.title);
    let body = dom::append_table(&details, table.columns.iter().copied());
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
    /// The second number with what it is.
    second: Option<(String, String)>,
    others: Vec<(&'static str, String)>,
}

impl Told {
    fn new(about: &About, of: &dyn AnyScenario, hero: &view::Hero, run: &dyn AnyRun) -> Told {
        let other = |key: &&str| Some((of.quantity(key)?.label, run.figure(key)?.1));
        Told {
            number: hero.number.clone(),
            second: hero.second.clone(),
            others: about.telling.iter().filter_map(other).collect(),
        }
    }
}

/// What a button has changed.
pub struct Outcome {
    /// The number to remember it by.
    pub number: String,
    /// The hero number, and what it was if there is something to compare it with; where it has stayed,
    /// what else has changed.
    pub change: String,
}

impl Outcome {
    fn new(before: Option<&Told>, after: &Told) -> Outcome {
        let number = after.number.clone();
        if number == VEILED {
            return Outcome { number, change: GUESS_FIRST.to_owned() };
        }
        let mut change = match before {
            Some(before) if before.number == number => format!("still {number}"),
            Some(before) => format!("{} → {number}", before.number),
            None => number.clone(),
        };
        if let Some(before) = before.filter(|before| before.number == number) {
            for ((name, was), (_, is)) in before.others.iter().zip(&after.others) {
                if was != is {
                    change += &format!("; {}: ", name.to_ascii_lowercase());
                    // Some are words where there is nothing to count.
                    if was.starts_with(|c: char| c.is_ascii_digit() || c == '−') {
                        change += &format!("{was} → ");
                    }
                    change += is;
                }
            }
        } else if let Some((second, name)) = &after.second {
            let what = name.split(',').next().unwrap_or_default();
            change += &format!("; {what}: {second}");
        }
        let second = after.second.as_ref().map(|second| second.0.clone());
        Outcome { number: second.unwrap_or(number), change }
    }
}

/// The hero number while it is to be guessed.
fn veiled() -> view::Hero {
    let parts = "make your guess first".to_owned();
    view::Hero { number: VEILED.to_owned(), parts, second: None }
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
        let against = dom::append(&hero, "p", "hero-against");
        let parts = dom::append(&hero, "p", "hero-parts");
        let guess = dom::append_text(&hero, "button", "answer to-guess", "Guess");
        dom::set(&guess, "type", "button");
        dom::set_flag(&guess, "hidden", true);
        Hero { number, guess, against, parts, second, second_number, second_name }
    }

    fn show(&self, hero: &view::Hero) {
        dom::set_text(&self.number, &hero.number);
        dom::set_flag(&self.guess, "hidden", hero.number != VEILED);
        dom::set_text(&self.parts, &hero.parts);
        dom::set_flag(&self.second, "hidden", hero.second.is_none());
        if let Some((number, name)) = &hero.second {
            dom::set_text(&self.second_number, number);
            dom::set_text(&self.second_name, name);
        }
    }

    fn sentence(&self, name: &str) -> String {
        let text = |element: &HtmlElement| element.text_content().unwrap_or_default();
        if text(&self.number) == VEILED {
            return format!("{name}: {}.", text(&self.parts));
        }
        let mut sentence = format!("{name} {}: {}.", text(&self.number), text(&self.parts));
        let against = text(&self.against);
        if !against.is_empty() {
            sentence += &format!(" {against}.");
        }
        if !self.second.hidden() {
            sentence += &format!(" {} {}.", text(&self.second_number), text(&self.second_name));
        }
        sentence
    }
}
