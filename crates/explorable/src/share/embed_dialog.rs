//! "Embed this": the code that puts a panel, as it stands, into another page.

use super::{embed, url};
use crate::browser::{copy, dom};
use crate::panel::Panel;
use js_sys::Object;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{
    Event, HtmlDialogElement, HtmlElement, HtmlIFrameElement, HtmlInputElement,
    HtmlTextAreaElement, MessageEvent,
};

/// Sizes in CSS pixels; no size is as wide as there is room, and as high as needed.
const SIZES: &[Option<(u32, u32)>] = &[None, Some((480, 260)), Some((640, 340)), Some((800, 420))];
const THEMES: [(&str, &str); 3] =
    [("auto", "as the reader’s system"), ("light", "light"), ("dark", "dark")];
/// The height of a frame that nobody sizes.
const HEIGHT: u32 = 720;
/// The height up to which a frame shows no more than it has room for; as in the stylesheet.
const LOW: u32 = 480;
/// What the page may do in a frame; all else, such as leading the host page away, it may not.
const SANDBOX: &str =
    "allow-scripts allow-same-origin allow-downloads allow-popups allow-popups-to-escape-sandbox";

/// Adds a button under the panel that opens the dialog; in a frame, a link to the whole page instead.
pub fn offer(panel: &Rc<Panel>) {
    let tools = dom::create("div", "tools");
    // The last element is the one that is only heard.
    let last = panel.root().last_element_child();
    let _ = panel.root().insert_before(&tools, last.as_deref());
    if embed::alone() {
        link_to_page(&tools, panel);
        return;
    }
    let button = dom::append_text(&tools, "button", "quiet", "Embed this");
    dom::set(&button, "type", "button");
    dom::set(&button, "aria-haspopup", "dialog");
    let panel = panel.clone();
    dom::on(&button, "click", move |_: Event| open(&panel));
}

fn link_to_page(tools: &HtmlElement, panel: &Rc<Panel>) {
    let link = dom::append_text(tools, "a", "", "Open the whole page");
    dom::set(&link, "target", "_blank");
    dom::set(&link, "rel", "noopener");
    let (name, prefix) = panel.name();
    let this = panel.clone();
    let follow = move || {
        let query = this.query();
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let query: Vec<String> = pairs.map(|pair| format!("{prefix}{pair}")).collect();
        let query = query.join("&") + &aside("", prefix);
        let query = query.trim_start_matches('&');
        dom::set(&link, "href", &format!("{}?{query}#{name}", page()));
    };
    follow();
    panel.on_settled(Box::new(follow));
}

/// What of the page's address is more than settings, `&view=ladder&pin=size%3D64KB`: the panel's own part
/// has the prefix `from` there, and shall have `to`.
fn aside(from: &str, to: &str) -> String {
    let query = url::parameters();
    let of_panel = ["view", "pin"].map(|key| (from, to, key));
    let of_page = ["teach", "exercises", "exercise"].map(|key| ("", "", key));
    let mut parts = String::new();
    for (from, to, key) in of_panel.into_iter().chain(of_page) {
        if let Some(value) = query.get(&format!("{from}{key}")) {
            parts += &format!("&{to}{key}={}", String::from(js_sys::encode_uri_component(&value)));
        }
    }
    parts
}

/// The page's own address, without what is set in it.
fn page() -> String {
    let address = dom::window().location().href().unwrap_or_default();
    let end = address.find(['?', '#']).unwrap_or(address.len());
    address[..end].to_owned()
}

/// The page's address as other pages need it: a file is looked for beside them.
fn address_for_others() -> String {
    let page = page();
    match page.rsplit_once('/') {
        Some((_, name)) if page.starts_with("file:") => name.to_owned(),
        _ => page,
    }
}

/// What a reader chooses in the dialog, and what the code is made of.
struct Embedding {
    page: String,
    panel: &'static str,
    title: String,
    /// The controls to show; all of them where there is none.
    controls: Vec<&'static str>,
    query: String,
    theme: &'static str,
    size: Option<(u32, u32)>,
}

impl Embedding {
    /// The script and the element.
    fn element(&self) -> String {
        let folder = &self.page[..=self.page.rfind('/').unwrap_or(0)];
        let mut attributes = attribute("panel", self.panel);
        for (name, value) in [
            ("state", self.query.as_str()),
            ("controls", &self.controls.join(",")),
            ("theme", if self.theme == "auto" { "" } else { self.theme }),
        ] {
            if !value.is_empty() {
                attributes += &attribute(name, value);
            }
        }
        if let Some((width, height)) = self.size {
            attributes += &attribute("width", &width.to_string());
            attributes += &attribute("height", &height.to_string());
        }
        format!(
            "<script async{}></script>\n<slow-start-panel{attributes}></slow-start-panel>",
            attribute("src", &format!("{folder}embed.js"))
        )
    }

    /// The address of the panel alone.
    fn address(&self) -> String {
        let mut address = format!("{}?embed=1&panel={}", self.page, self.panel);
        if !self.controls.is_empty() {
            address += &format!("&controls={}", self.controls.join(","));
        }
        if self.theme != "auto" {
            address += &format!("&theme={}", self.theme);
        }
        if !self.query.is_empty() {
            address += &format!("&{}", self.query);
        }
        address
    }

    /// A frame that does without a script.
    fn frame(&self) -> String {
        let width = self.size.map_or("100%".to_owned(), |(width, _)| width.to_string());
        let height = self.size.map_or(HEIGHT, |(_, height)| height);
        let attributes: String = [
            ("src", self.address().as_str()),
            ("title", &self.title),
            ("width", &width),
            ("height", &height.to_string()),
            ("style", "border:0;max-width:100%"),
            ("loading", "lazy"),
            ("allow", "clipboard-write"),
            ("sandbox", SANDBOX),
        ]
        .map(|(name, value)| attribute(name, value))
        .concat();
        format!("<iframe{attributes}></iframe>")
    }
}

fn attribute(name: &str, value: &str) -> String {
    let value = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!(" {name}=\"{value}\"")
}

/// Loads the panel out of sight in the chosen size, and calls `found` with the height that it needs.
fn measure(
    dialog: &HtmlElement,
    mut embedding: Embedding,
    found: impl Fn(&mut Embedding, u32) + 'static,
) {
    // A new frame each time: another address in the same one would be a step back in the browser.
    if let Ok(Some(old)) = dialog.query_selector("iframe") {
        old.remove();
    }
    let Some((width, height)) = embedding.size else { return };
    let frame = dom::create("iframe", "");
    for (name, value) in [
        ("aria-hidden", "true"),
        ("tabindex", "-1"),
        ("title", &embedding.title),
        ("width", &width.to_string()),
        ("height", &height.to_string()),
        ("src", &embedding.address()),
    ] {
        dom::set(&frame, name, value);
    }
    let _ = dialog.append_child(&frame);
    let frame: HtmlIFrameElement = frame.unchecked_into();
    let heard = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
        let inner = frame.content_window();
        if inner.is_some_and(|inner| event.source().is_some_and(|it| Object::is(&it, &inner))) {
            embed::height_in(&event.data()).inspect(|height| found(&mut embedding, *height));
        }
    });
    // One handler for all frames: that of the last one replaces it.
    dom::window().set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
}

/// The page in one file has no script beside it to offer.
fn is_single_file() -> bool {
    let root = dom::document().document_element();
    root.is_some_and(|root| root.has_attribute("data-single-file"))
}

fn option(
    group: &HtmlElement,
    name: &str,
    index: usize,
    label: &str,
    multiple: bool,
) -> HtmlInputElement {
    let line = dom::append(group, "label", "option");
    let input: HtmlInputElement = dom::append(&line, "input", "").unchecked_into();
    dom::set(&input, "type", if multiple { "checkbox" } else { "radio" });
    dom::set(&input, "name", name);
    dom::set(&input, "value", &index.to_string());
    dom::append_text(&line, "span", "", label);
    input
}

/// Builds the dialog anew, since what it offers depends on the panel's state, and opens it.
fn open(panel: &Rc<Panel>) {
    let ((name, prefix), parameters) = (panel.name(), panel.controls());
    let Some(body) = dom::document().body() else { return };
    let dialog: HtmlDialogElement = dom::append(&body, "dialog", "embed").unchecked_into();
    let id = format!("{name}-embed");
    dom::set(&dialog, "aria-labelledby", &id);
    dom::append_text(&dialog, "h2", "", "Embed this panel").set_id(&id);
    let text = "The panel starts in the reader’s page as it stands here now.";
    dom::append_text(&dialog, "p", "", text);

    let choices = dom::append(&dialog, "div", "choices");
    let sizes: Vec<String> = SIZES
        .iter()
        .map(|size| size.map_or("as high as needed".into(), |(w, h)| format!("{w} × {h}")))
        .collect();
    let group = |legend: &str, key: &str, labels: &[&str], multiple: bool| {
        let group = dom::append(&choices, "fieldset", "");
        dom::append_text(&group, "legend", "", legend);
        let option =
            |(i, label): (usize, &&str)| option(&group, &format!("{id}-{key}"), i, label, multiple);
        labels.iter().enumerate().map(option).collect::<Vec<_>>()
    };
    let labels: Vec<&str> = sizes.iter().map(String::as_str).collect();
    let size = group("Size", "size", &labels, false);
    let theme = group("Theme", "theme", &THEMES.map(|theme| theme.1), false);
    let labels: Vec<&str> = parameters.iter().map(|(_, label)| *label).collect();
    let controls = group("Controls", "control", &labels, true);
    size[0].set_checked(true);
    theme[0].set_checked(true);
    let query = panel.query();
    let changed = |key: &str| query.split('&').any(|pair| pair.split('=').next() == Some(key));
    // What the reader has changed is what the panel shall be about; else all of it.
    let all = query.is_empty();
    for (input, (key, _)) in controls.iter().zip(&parameters) {
        input.set_checked(all || changed(key));
    }

    let room = dom::append(&dialog, "p", "room");
    dom::set(&room, "role", "status");
    let status = dom::create("p", "copied");
    dom::set(&status, "role", "status");
    let code = |label: &str, key: &str, rows: &str| {
        let block = dom::append(&dialog, "div", "code");
        let field_id = format!("{id}-{key}");
        let name = dom::append_text(&block, "label", "", label);
        dom::set(&name, "for", &field_id);
        let field: HtmlTextAreaElement = dom::append(&block, "textarea", "").unchecked_into();
        field.set_id(&field_id);
        field.set_read_only(true);
        dom::set(&field, "rows", rows);
        dom::set(&field, "spellcheck", "false");
        copy::button(&block, "Copy", field.clone(), status.clone());
        if let Some(button) = block.last_element_child() {
            dom::set(&button, "aria-label", &format!("Copy: {label}"));
        }
        field
    };
    let element = (!is_single_file()).then(|| {
        code("A script and an element: sizes itself, listens to your page", "element", "4")
    });
    let frame = code("A frame alone: needs no script", "frame", "5");
    let _ = dialog.append_child(&status);
    if is_single_file() {
        let text = "Where this file lies beside the page that embeds it, the code works as it is.";
        dom::append_text(&dialog, "p", "", text);
    }
    let close = dom::append_text(&dialog, "button", "close", "Close");
    dom::set(&close, "type", "button");
    let this = dialog.clone();
    dom::on(&close, "click", move |_: Event| this.close());

    let (title, this) = (panel.title(), dialog.clone());
    let query = query + &aside(prefix, "");
    let query = query.trim_start_matches('&').to_owned();
    let mut narrowed = false;
    let mut write = move || {
        let chosen = |inputs: &[HtmlInputElement]| inputs.iter().position(|input| input.checked());
        let size = SIZES[chosen(&size).unwrap_or(0)];
        // A small frame has no room for all controls: once, the first two are proposed instead.
        if size.is_some() && !narrowed && controls.iter().all(HtmlInputElement::checked) {
            controls.iter().skip(2).for_each(|input| input.set_checked(false));
            narrowed = true;
        }
        let mut shown: Vec<&'static str> = controls
            .iter()
            .zip(&parameters)
            .filter(|(input, _)| input.checked())
            .map(|(_, (key, _))| *key)
            .collect();
        if shown.is_empty() {
            shown.push("none");
        }
        let embedding = Embedding {
            page: address_for_others(),
            panel: name,
            title: title.clone(),
            controls: if shown.len() == controls.len() { Vec::new() } else { shown },
            query: query.clone(),
            theme: THEMES[chosen(&theme).unwrap_or(0)].0,
            size,
        };
        let (element, frame) = (element.clone(), frame.clone());
        let fill = move |embedding: &Embedding| {
            if let Some(element) = &element {
                element.set_value(&embedding.element());
            }
            frame.set_value(&embedding.frame());
        };
        fill(&embedding);
        dom::set_text(&room, "");
        let room = room.clone();
        measure(&this, embedding, move |embedding, needed| {
            let Some((_, height)) = &mut embedding.size else { return };
            if needed > LOW {
                let text = "There is not room for all of these controls: choose fewer, or the size that is \
                    as high as needed.";
                dom::set_text(&room, text);
            } else if needed > *height {
                *height = needed;
                let text =
                    format!("These controls need {needed} pixels of height; the code has that.");
                dom::set_text(&room, &text);
                fill(embedding);
            }
        });
    };
    write();
    dom::on(&choices, "change", move |_: Event| write());
    let this = dialog.clone();
    dom::on(&dialog, "close", move |_: Event| this.remove());
    let _ = dialog.show_modal();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedding() -> Embedding {
        Embedding {
            page: "https://example.org/tcp/index.html".to_owned(),
            panel: "slow-start",
            title: "Slow \"start\"".to_owned(),
            controls: vec!["size", "iw"],
            query: "size=64KB&iw=46".to_owned(),
            theme: "dark",
            size: Some((480, 260)),
        }
    }

    #[test]
    fn the_element_says_what_was_chosen() {
        assert_eq!(
            embedding().element(),
            "<script async src=\"https://example.org/tcp/embed.js\"></script>\n\
             <slow-start-panel panel=\"slow-start\" state=\"size=64KB&amp;iw=46\" controls=\"size,iw\" \
             theme=\"dark\" width=\"480\" height=\"260\"></slow-start-panel>"
        );
        let plain = Embedding {
            controls: Vec::new(),
            query: String::new(),
            theme: "auto",
            size: None,
            ..embedding()
        };
        assert!(
            plain
                .element()
                .ends_with("\n<slow-start-panel panel=\"slow-start\"></slow-start-panel>")
        );
    }

    #[test]
    fn the_frame_says_the_same_in_its_address() {
        let frame = embedding().frame();
        let address = "https://example.org/tcp/index.html?embed=1&amp;panel=slow-start\
             &amp;controls=size,iw&amp;theme=dark&amp;size=64KB&amp;iw=46";
        assert!(frame.starts_with(&format!("<iframe src=\"{address}\"")), "{frame}");
        assert!(frame.contains("title=\"Slow &quot;start&quot;\" width=\"480\" height=\"260\""));
    }
}
