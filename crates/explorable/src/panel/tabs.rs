//! A choice of views: one pressed button of a few.

use super::view::Tab;
use crate::browser::dom;
use std::rc::Rc;
use web_sys::{Event, HtmlElement};

/// Adds the choice to `parent`, with the view number `chosen` pressed.
pub fn add(
    parent: &HtmlElement,
    tabs: &'static [Tab],
    chosen: usize,
    on_choose: impl Fn(usize) + 'static,
) {
    let root = dom::append(parent, "div", "views");
    dom::set(&root, "role", "group");
    dom::set(&root, "aria-label", "View");
    let on_choose = Rc::new(on_choose);
    for (i, tab) in tabs.iter().enumerate() {
        let button = dom::append_text(&root, "button", "", tab.label);
        dom::set(&button, "type", "button");
        dom::set(&button, "aria-pressed", if i == chosen { "true" } else { "false" });
        let (root, pressed, on_choose) = (root.clone(), button.clone(), on_choose.clone());
        dom::on(&button, "click", move |_: Event| {
            let all = root.children();
            for other in (0..all.length()).filter_map(|i| all.item(i)) {
                dom::set(&other, "aria-pressed", "false");
            }
            dom::set(&pressed, "aria-pressed", "true");
            on_choose(i);
        });
    }
}
