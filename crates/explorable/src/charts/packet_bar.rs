//! The line below a ladder: which packet is meant, a button that loses it, and one that takes that back.

use super::ladder::Picked;
use crate::browser::dom;
use web_sys::{Event, HtmlElement};

/// The line.
pub struct PacketBar {
    root: HtmlElement,
    what: HtmlElement,
    lose: HtmlElement,
    undo: HtmlElement,
}

impl PacketBar {
    /// An empty one in `parent`.
    pub fn new(parent: &HtmlElement) -> PacketBar {
        let root = dom::append(parent, "div", "packet-bar");
        let what = dom::append(&root, "p", "");
        let button = |class: &str| {
            let button = dom::append(&root, "button", class);
            dom::set(&button, "type", "button");
            button
        };
        let (lose, undo) = (button("lose"), button("undo"));
        dom::set_text(&undo, "Undo");
        dom::set(&undo, "aria-label", "Undo the loss");
        dom::set(&undo, "aria-keyshortcuts", "Control+Z");
        let bar = PacketBar { root, what, lose, undo };
        bar.show(None);
        bar.set_undoable(false);
        bar
    }

    /// Says what to do at the buttons.
    pub fn listen(&self, on_lose: impl Fn() + 'static, on_undo: impl Fn() + 'static) {
        dom::on(&self.lose, "click", move |_: Event| on_lose());
        dom::on(&self.undo, "click", move |_: Event| on_undo());
    }

    /// Shows or hides it.
    pub fn set_hidden(&self, hidden: bool) {
        dom::set_flag(&self.root, "hidden", hidden);
    }

    /// Says which packet is meant.
    pub fn show(&self, picked: Option<&Picked>) {
        let (text, action) = match picked {
            None => (
                "Click a packet to lose it, or go to it with the comma and full-stop keys and press Enter.",
                None,
            ),
            Some(p) if p.is_lost => (p.text.as_str(), Some("Deliver it after all")),
            Some(p) if p.can_be_lost => (p.text.as_str(), Some("Lose this packet")),
            // Only what the model can lose: first transmissions of the first response.
            Some(p) => (p.text.as_str(), None),
        };
        dom::set_text(&self.what, &capitalised(text));
        dom::set_text(&self.lose, action.unwrap_or("Lose this packet"));
        let why_not = match picked {
            Some(_) if action.is_none() => {
                "Only first transmissions of the first response can be lost on purpose, 8 at most"
            }
            None => "First point at a packet",
            _ => "",
        };
        // It stays where it is, so that nothing jumps and the keyboard finds it.
        dom::set(&self.lose, "aria-disabled", if action.is_none() { "true" } else { "false" });
        dom::set(&self.lose, "title", why_not);
    }

    /// Whether there is a loss to take back.
    pub fn set_undoable(&self, undoable: bool) {
        dom::set(&self.undo, "aria-disabled", if undoable { "false" } else { "true" });
        dom::set(
            &self.undo,
            "title",
            if undoable { "" } else { "Nothing has been lost by a click yet" },
        );
    }
}

fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
