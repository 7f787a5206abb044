//! The question that a panel asks before it shows a number, and the answer to a guess.

use crate::browser::dom;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement};

/// What a reader answers.
pub enum Answer {
    /// This, as typed.
    Guess(String),
    /// Nothing: the number is to be shown.
    ShowMe,
}

/// What the button behind an answer does, where there is more to ask.
type GoOn = Rc<RefCell<Option<Rc<dyn Fn()>>>>;

/// The question and the answer, below the hero number.
pub struct GuessForm {
    root: HtmlElement,
    title: HtmlElement,
    question: HtmlElement,
    form: HtmlElement,
    field: HtmlInputElement,
    suffix: HtmlElement,
    error: HtmlElement,
    outcome: HtmlElement,
    verdict: HtmlElement,
    explanation: HtmlElement,
    next: HtmlElement,
    go_on: GoOn,
}

impl GuessForm {
    /// A hidden form in `parent`.
    pub fn new(parent: &HtmlElement, id: &str, on_answer: impl Fn(Answer) + 'static) -> GuessForm {
        let root = dom::append(parent, "section", "guess");
        dom::set(&root, "aria-label", "Your guess");
        dom::set_flag(&root, "hidden", true);
        let title = dom::append(&root, "p", "guess-title");
        let question = dom::append(&root, "p", "guess-question");
        dom::set(&question, "id", &format!("{id}question"));
        let form = dom::append(&root, "form", "");
        // A browser's own bubbles would speak of the number in another way than the page does.
        dom::set_flag(&form, "novalidate", true);
        let label = dom::append_text(&form, "label", "", "Your guess ");
        let field: HtmlInputElement = dom::append(&label, "input", "field").unchecked_into();
        for (name, value) in [
            ("type", "text"),
            ("inputmode", "decimal"),
            ("autocomplete", "off"),
            ("aria-describedby", &format!("{id}question {id}guess-error")),
        ] {
            dom::set(&field, name, value);
        }
        let suffix = dom::append(&label, "span", "suffix");
        let submit = dom::append_text(&form, "button", "answer", "Check");
        dom::set(&submit, "type", "submit");
        let show = dom::append_text(&form, "button", "quiet", "Show me");
        dom::set(&show, "type", "button");
        let error = dom::append(&form, "p", "error");
        dom::set(&error, "id", &format!("{id}guess-error"));
        dom::set(&error, "role", "alert");

        let outcome = dom::append(&root, "div", "outcome");
        dom::set(&outcome, "tabindex", "-1");
        let verdict = dom::append(&outcome, "p", "verdict");
        dom::set(&verdict, "role", "status");
        let explanation = dom::append(&outcome, "p", "");
        let next = dom::append_text(&outcome, "button", "answer", "Next exercise");
        dom::set(&next, "type", "button");

        let on_answer = Rc::new(on_answer);
        let (typed, answer) = (field.clone(), on_answer.clone());
        // Enter presses it too. A form is not sent in a sandboxed frame, not even this far.
        dom::on(&submit, "click", move |event: Event| {
            event.prevent_default();
            answer(Answer::Guess(typed.value()));
        });
        dom::on(&show, "click", move |_: Event| on_answer(Answer::ShowMe));
        let go_on = GoOn::default();
        let pressed = go_on.clone();
        dom::on(&next, "click", move |_: Event| {
            let go_on = pressed.borrow().clone();
            if let Some(go_on) = go_on {
                go_on();
            }
        });
        let error_of = error.clone();
        let typed = field.clone();
        dom::on(&field, "input", move |_: Event| {
            dom::set_text(&error_of, "");
            dom::set(&typed, "aria-invalid", "false");
        });
        GuessForm {
            root,
            title,
            question,
            form,
            field,
            suffix,
            error,
            outcome,
            verdict,
            explanation,
            next,
            go_on,
        }
    }

    /// Asks; what has been typed stays where the question is the same.
    pub fn ask(&self, title: &str, question: &str, suffix: &str) {
        let asked = self.question.text_content().unwrap_or_default();
        if asked != question || self.form.hidden() {
            self.field.set_value("");
            dom::set_text(&self.error, "");
            dom::set(&self.field, "aria-invalid", "false");
        }
        dom::set_text(&self.title, title);
        dom::set_text(&self.question, question);
        dom::set_text(&self.suffix, suffix);
        self.show(true, false);
    }

    /// Says what is wrong with what was typed.
    pub fn refuse(&self, error: &str) {
        dom::set_text(&self.error, error);
        dom::set(&self.field, "aria-invalid", "true");
        self.focus();
    }

    /// Tells what came of the guess, and goes on with `next` where there is more.
    pub fn tell(&self, verdict: &str, explanation: &str, next: Option<Rc<dyn Fn()>>) {
        dom::set_text(&self.verdict, verdict);
        dom::set_text(&self.explanation, explanation);
        dom::set_flag(&self.next, "hidden", next.is_none());
        self.go_on.replace(next);
        self.show(false, true);
        // The pressed button is gone: the focus follows to what came of it.
        let _ = self.outcome.focus();
    }

    /// Asks nothing, and tells nothing.
    pub fn hide(&self) {
        self.show(false, false);
    }

    /// Whether there is a question in sight.
    pub fn is_asking(&self) -> bool {
        !self.root.hidden() && !self.form.hidden()
    }

    /// Puts the focus into the field.
    pub fn focus(&self) {
        let _ = self.field.focus();
    }

    fn show(&self, asking: bool, telling: bool) {
        dom::set_flag(&self.root, "hidden", !asking && !telling);
        dom::set_flag(&self.form, "hidden", !asking);
        dom::set_flag(&self.outcome, "hidden", !telling);
    }
}
