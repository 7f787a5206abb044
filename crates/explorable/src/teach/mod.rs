//! Teacher's mode: every number is guessed before it is shown; exercises ask for one after another.

pub mod exercises;
pub mod guess;

use crate::browser::json::Json;
use crate::browser::settle::settle;
use crate::browser::{dom, save};
use crate::panel::{Known, Panel, Question};
use crate::share::{embed, url};
use exercises::{Exercises, Subject};
use guess::Verdict;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement, HtmlInputElement, Response};

/// The largest file of exercises that is read, in bytes.
const LARGEST: f64 = 1e6;

/// The mode, its exercises and what has been guessed; one for the whole page.
struct Teacher {
    panels: Vec<Rc<Panel>>,
    subjects: Vec<Subject>,
    section: HtmlElement,
    title: HtmlElement,
    list: HtmlElement,
    notice: HtmlElement,
    table: HtmlElement,
    caption: HtmlElement,
    rows: HtmlElement,
    picker: HtmlInputElement,
    exercises: RefCell<Option<Exercises>>,
    guesses: RefCell<Vec<Verdict>>,
    /// The exercise to be asked first, until there are exercises.
    wanted: RefCell<Option<String>>,
}

/// Offers the mode for these panels, and enters it where the page's address asks for it.
pub fn start(panels: Vec<Rc<Panel>>, subjects: Vec<Subject>) {
    let Some(section) = dom::all("[data-teaching]").pop() else { return };
    let teacher = Rc::new(Teacher::new(section, panels, subjects));
    teacher.listen();
    for panel in &teacher.panels {
        let this = teacher.clone();
        panel.on_guessed(Box::new(move |what, verdict| this.record(what, verdict)));
    }
    let query = url::parameters();
    let address = query.get("exercises").filter(|address| !address.is_empty());
    let wanted = query.get("exercise").filter(|number| !number.is_empty());
    // Whoever names exercises means them to be asked, unless the mode has been left.
    let unsaid = if address.is_some() || wanted.is_some() { "1" } else { "0" };
    let on = query.get("teach").as_deref().unwrap_or(unsaid) == "1";
    if let Some(place) = dom::all("[data-appearance]").pop() {
        let label = dom::append(&place, "label", "");
        let input: HtmlInputElement = dom::append(&label, "input", "").unchecked_into();
        dom::set(&input, "type", "checkbox");
        dom::append_text(&label, "span", "", "Guess first");
        dom::set(&label, "title", "Teacher's mode: each number is guessed before it is shown.");
        input.set_checked(on);
        let (this, checked) = (teacher.clone(), input.clone());
        dom::on(&input, "change", move |_: Event| {
            let on = checked.checked();
            url::set(
                "teach",
                if on == (unsaid == "1") { None } else { Some(if on { "1" } else { "0" }) },
            );
            url::set("exercise", None);
            this.turn(on.then_some(Known::Now));
        });
    }
    if on {
        // Nobody has read the text of an embedded panel, which may be asked about its start values.
        let is_asked = embed::alone() && wanted.is_some();
        teacher.turn(Some(if is_asked { Known::Nothing } else { Known::Start }));
    }
    let wanted = wanted.filter(|_| on);
    match (address, wanted) {
        // Where exercises are named, it is one of those that is asked.
        (Some(address), wanted) => {
            teacher.wanted.replace(wanted);
            teacher.fetch(address);
        }
        (None, Some(wanted)) => teacher.ask_wanted(&wanted),
        (None, None) => {}
    }
}

impl Teacher {
    fn new(section: HtmlElement, panels: Vec<Rc<Panel>>, subjects: Vec<Subject>) -> Teacher {
        let title = dom::append(&section, "h2", "");
        dom::append_text(
            &section,
            "p",
            "",
            "Guess first is on: whatever is set, the panel asks for your guess and then shows the number, \
             the charts and the log. Or take an exercise:",
        );
        let list = dom::append(&section, "ol", "exercises");
        let notice = dom::append(&section, "div", "notice");
        dom::set(&notice, "role", "alert");
        let table = dom::append(&section, "table", "");
        let caption = dom::append(&table, "caption", "");
        let head = dom::append(&dom::append(&table, "thead", ""), "tr", "");
        for name in ["What", "Your guess", "It is", "Off by", "Guess ÷ truth"] {
            let cell = dom::append_text(&head, "th", "", name);
            dom::set(&cell, "scope", "col");
        }
        let rows = dom::append(&table, "tbody", "");
        dom::set_flag(&table, "hidden", true);
        let tools = dom::append(&section, "div", "teacher-tools");
        dom::append_text(
            &tools,
            "p",
            "",
            "For teachers: bring your own exercises. Save these as a template, edit them, and open your file; \
             or put it on the web and add exercises=ADDRESS to this page’s address.",
        );
        let save = dom::append_text(&tools, "button", "quiet", "Save these exercises");
        dom::set(&save, "type", "button");
        dom::on(&save, "click", move |_: Event| {
            save::text("exercises.json", "application/json", exercises::OURS);
        });
        let label = dom::append_text(&tools, "label", "", "Open a file of exercises ");
        let picker: HtmlInputElement = dom::append(&label, "input", "").unchecked_into();
        dom::set(&picker, "type", "file");
        dom::set(&picker, "accept", ".json,application/json");
        Teacher {
            panels,
            subjects,
            section,
            title,
            list,
            notice,
            table,
            caption,
            rows,
            picker,
            exercises: RefCell::default(),
            guesses: RefCell::default(),
            wanted: RefCell::default(),
        }
    }

    /// Reads the file that a teacher picks.
    fn listen(self: &Rc<Self>) {
        let this = self.clone();
        dom::on(&self.picker, "change", move |_: Event| {
            let Some(file) = this.picker.files().and_then(|files| files.get(0)) else { return };
            let (this, name) = (this.clone(), file.name());
            if file.size() > LARGEST {
                this.refuse(&name, vec![too_large()]);
                return;
            }
            settle(file.text(), move |text| match text.ok().and_then(|text| text.as_string()) {
                Some(text) => this.load(&text, &name),
                None => this.refuse(&name, vec!["The file cannot be read.".to_owned()]),
            });
        });
    }

    /// Enters the mode or leaves it.
    fn turn(self: &Rc<Self>, known: Option<Known>) {
        dom::set_flag(&self.section, "hidden", known.is_none());
        if known.is_some() && self.exercises.borrow().is_none() {
            self.load(exercises::OURS, "exercises.json");
        }
        for panel in &self.panels {
            panel.clone().teach(known);
        }
    }

    /// Gets a teacher's exercises from the web.
    fn fetch(self: &Rc<Self>, address: String) {
        let this = self.clone();
        let failed = {
            let (this, address) = (self.clone(), address.clone());
            move |why: &str| this.refuse(&address, vec![why.to_owned()])
        };
        settle(dom::window().fetch_with_str(&address), move |response| {
            let Some(response) = response.ok().and_then(|r| r.dyn_into::<Response>().ok()) else {
                failed(
                    "There is no answer from there, or its server does not let other pages read it.",
                );
                return;
            };
            if !response.ok() {
                failed(&format!("The server answers {}.", response.status()));
                return;
            }
            let Ok(text) = response.text() else { return };
            settle(text, move |text| match text.ok().and_then(|text| text.as_string()) {
                Some(text) if text.len() as f64 > LARGEST => failed(&too_large()),
                Some(text) => this.load(&text, &address),
                None => failed("It ends early."),
            });
        });
    }

    /// Replaces the exercises, where these are right.
    fn load(self: &Rc<Self>, text: &str, from: &str) {
        let read = Json::parse(text)
            .map_err(|error| vec![format!("This is not JSON that can be read: {error}.")])
            .and_then(|whole| exercises::read(&whole, &self.subjects));
        match read {
            Ok(exercises) => {
                self.notice.set_text_content(None);
                self.show(&exercises);
                self.exercises.replace(Some(exercises));
                if let Some(wanted) = self.wanted.take() {
                    self.ask_wanted(&wanted);
                }
            }
            Err(errors) => self.refuse(from, errors),
        }
    }

    fn refuse(&self, from: &str, errors: Vec<String>) {
        self.wanted.take();
        self.notice.set_text_content(None);
        let text = format!("{from} could not be used; the exercises are still the ones before.");
        dom::append_text(&self.notice, "p", "", &text);
        let list = dom::append(&self.notice, "ul", "");
        for error in &errors {
            dom::append_text(&list, "li", "", error);
        }
        embed::remark(errors.iter().map(|error| format!("{from}: {error}")).collect());
        dom::set_flag(&self.section, "hidden", false);
    }

    fn show(self: &Rc<Self>, exercises: &Exercises) {
        dom::set_text(&self.title, &exercises.title);
        self.list.set_text_content(None);
        for (i, exercise) in exercises.list.iter().enumerate() {
            let line = dom::append(&self.list, "li", "");
            let button = dom::append_text(&line, "button", "try", &exercise.question);
            dom::set(&button, "type", "button");
            let this = self.clone();
            dom::on(&button, "click", move |_: Event| this.ask(i));
        }
    }

    fn panel(&self, name: &str) -> Option<Rc<Panel>> {
        self.panels.iter().find(|panel| panel.name().0 == name).cloned()
    }

    /// Asks the exercise with the number that the page's address gives, or says which there are.
    fn ask_wanted(self: &Rc<Self>, number: &str) {
        let exercises = self.exercises.borrow();
        let list = exercises.as_ref().map_or(&[][..], |exercises| &exercises.list);
        // In a frame, those about the other panels have no place.
        let mut numbers = Vec::new();
        for (place, exercise) in list.iter().enumerate() {
            if self.panel(&exercise.panel).is_some() {
                numbers.push((place + 1).to_string());
            }
        }
        match number.parse::<usize>() {
            Ok(one) if numbers.iter().any(|it| it == number) => self.ask(one - 1),
            _ => {
                let numbers = numbers.join(", ");
                let text = format!("exercise: '{number}' is not allowed; use one of {numbers}.");
                dom::append_text(&self.notice, "p", "", &text);
                embed::remark(vec![text]);
            }
        }
    }

    /// Asks exercise number `index`.
    fn ask(self: &Rc<Self>, index: usize) {
        let exercises = self.exercises.borrow();
        let Some(exercises) = &*exercises else { return };
        let Some(exercise) = exercises.list.get(index) else { return };
        let Some(panel) = self.panel(&exercise.panel) else { return };
        let (number, last) = (index + 1, exercises.list.len());
        // In a frame there is this one exercise only.
        let is_one_of_many = !embed::alone();
        let next = (is_one_of_many && number < last).then(|| {
            let this = self.clone();
            Rc::new(move || this.ask(number)) as Rc<dyn Fn()>
        });
        let title =
            if is_one_of_many { format!("Exercise {number} of {last}") } else { String::new() };
        panel.ask(Question {
            number,
            title,
            text: exercise.question.clone(),
            settings: exercise.settings.clone(),
            quantity: exercise.quantity.clone(),
            explanation: exercise.explanation.clone(),
            next,
        });
        url::set("exercise", Some(&number.to_string()));
    }

    /// Adds a guess to the history.
    fn record(&self, what: &str, verdict: &Verdict) {
        let row = dom::append(&self.rows, "tr", "");
        let name = dom::append_text(&row, "th", "", what);
        dom::set(&name, "scope", "row");
        let off_by = verdict.off_by.as_deref().unwrap_or("nothing");
        for text in [&verdict.guess, &verdict.truth, off_by, &verdict.ratio_text()] {
            dom::append_text(&row, "td", "", text);
        }
        let mut guesses = self.guesses.borrow_mut();
        guesses.push(verdict.clone());
        let close = guesses.iter().filter(|verdict| verdict.is_close()).count();
        let noun = if guesses.len() == 1 { "guess" } else { "guesses" };
        let caption = format!("{} {noun}, {close} within a quarter of the truth", guesses.len());
        dom::set_text(&self.caption, &caption);
        dom::set_flag(&self.table, "hidden", false);
    }
}

fn too_large() -> String {
    "It is larger than 1 MB, which no list of 50 exercises needs to be.".to_owned()
}
