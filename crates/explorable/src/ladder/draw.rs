//! The ladder's place in the page: a still canvas, and one above it for what moves with the cursor.

use super::picture::{Anchor, Pen, Picture, Piece, Tone, pen};
use super::thin::Scale;
use super::{Class, Ladder};
use crate::chart::{self, Axis, Theme};
use crate::dom;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};

/// Room above the sender and below the receiver, in CSS pixels.
const MARGIN: f64 = 10.0;
/// Dots closer than this are one, in CSS pixels.
const DOT_GAP: f64 = 7.0;
/// Where more than this are on their way, the dots of data and ACKs stand beside each other.
const CROWD: usize = 40;
const TITLE: &str = "Packets down to the receiver, ACKs back up";

/// The packet a reader points at.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Its place in the order of sending.
    pub index: usize,
    /// The segment it carries.
    pub segment: u32,
    /// Whether it can be lost on purpose.
    pub can_be_lost: bool,
    /// Whether it has been already.
    pub is_lost: bool,
    /// What it is and what became of it.
    pub text: String,
}

/// The ladder's canvases, with a line on how much of it is aggregated.
pub struct Canvases {
    root: HtmlElement,
    caption: HtmlElement,
    still: HtmlCanvasElement,
    moving: HtmlCanvasElement,
}

impl Canvases {
    /// Empty ones before what else is in `parent`.
    pub fn new(parent: &HtmlElement) -> Canvases {
        let root = dom::create("div", "ladder");
        let _ = parent.prepend_with_node_1(&root);
        dom::set(&root, "role", "figure");
        dom::set(&root, "aria-label", TITLE);
        dom::append_text(&root, "p", "caption", TITLE);
        let stack = dom::append(&root, "div", "stack");
        let still = chart::canvas_in(&stack);
        dom::set(&still, "role", "img");
        dom::set(&still, "aria-label", TITLE);
        let moving = chart::canvas_in(&stack);
        dom::set(&moving, "aria-hidden", "true");
        let caption = dom::append(&root, "p", "caption count");
        Canvases { root, caption, still, moving }
    }

    /// Shows or hides them.
    pub fn set_hidden(&self, hidden: bool) {
        dom::set_flag(&self.root, "hidden", hidden);
    }

    /// What they show, with its title.
    pub fn picture(&self, scale: f64) -> (&'static str, chart::Picture) {
        let mut picture = chart::Picture::of(&self.still, scale);
        picture.cover(&self.moving);
        (TITLE, picture)
    }

    /// Paints the packets of the part of `axis` that is shown.
    pub fn draw(&self, ladder: &Ladder, axis: Axis, theme: &Theme) {
        let Some(brush) = Brush::new(&self.still, theme) else { return };
        let (width, height) = self.size(theme);
        let ticks = chart::tick_room(self.still.client_width().into());
        let picture = Picture::new(ladder, axis, ticks, width, height);
        for piece in &picture.pieces {
            brush.paint(piece);
        }
        dom::set_text(&self.caption, &picture.caption());
    }

    /// Paints what is on its way at a moment, and the packet a reader points at.
    pub fn draw_moment(
        &self,
        ladder: &Ladder,
        axis: Axis,
        at: Option<f64>,
        picked: Option<usize>,
        theme: &Theme,
    ) {
        let Some(brush) = Brush::new(&self.moving, theme) else { return };
        let (width, height) = self.size(theme);
        let scale = Scale { from: axis.at(0.0), to: axis.at(1.0), width };
        brush.clip(width, height);
        if let Some(f) = picked.and_then(|i| ladder.flights.get(i)) {
            let way = ladder.way(f).map(|(t, y)| (scale.x(t), y * height));
            let thick = Pen { width: 3.5, dash: &[], ..pen(f.class) };
            brush.paint(&Piece::Line(thick, way.to_vec()));
        }
        let Some(at) = at else { return };
        let on = ladder.at(at);
        let aside = if on.packets + on.acks > CROWD { 4.5 } else { 0.0 };
        let mut last = [f64::NEG_INFINITY; 2];
        for f in ladder.on_the_way(at) {
            let Some(y) = ladder.height(f, at).map(|y| y * height) else { continue };
            let is_ack = f.class == Class::Ack;
            let last = &mut last[usize::from(is_ack)];
            if (y - *last).abs() >= DOT_GAP {
                *last = y;
                let x = scale.x(at) + if is_ack { aside } else { -aside };
                brush.dot((x, y), pen(f.class).tone, !is_ack);
            }
        }
    }

    /// The packet whose way passes a point of the window.
    pub fn packet_at(
        &self,
        ladder: &Ladder,
        axis: Axis,
        (x, y): (f64, f64),
        theme: &Theme,
    ) -> Option<usize> {
        let (width, height) = self.size(theme);
        let scale = Scale { from: axis.at(0.0), to: axis.at(1.0), width };
        let area = self.still.get_bounding_client_rect();
        let (left, _) = chart::plot_edges(&self.still, theme);
        let (x, y) = (x - area.left() - left, y - area.top() - MARGIN);
        let inside = (0.0..=width).contains(&x) && (-MARGIN..=height + MARGIN).contains(&y);
        if !inside {
            return None;
        }
        ladder.near(axis.at(x / width), y / height, scale, height)
    }

    /// The plot's size in CSS pixels.
    fn size(&self, theme: &Theme) -> (f64, f64) {
        let (left, right) = chart::plot_edges(&self.still, theme);
        (right - left, f64::from(self.still.client_height()) - 2.0 * MARGIN)
    }
}

/// A canvas that is ready to be painted on, from the plot's upper left corner.
struct Brush<'a> {
    context: CanvasRenderingContext2d,
    theme: &'a Theme,
    /// The pen the canvas is set to: most lines are drawn with the one of the line before.
    pen: Cell<Option<Pen>>,
}

impl Brush<'_> {
    /// Clears `canvas`; none where it is not shown.
    fn new<'a>(canvas: &HtmlCanvasElement, theme: &'a Theme) -> Option<Brush<'a>> {
        let (width, height) = (canvas.client_width(), canvas.client_height());
        if width < 50 || height < 40 {
            return None;
        }
        let dpr = theme.dpr();
        // Setting the size also clears the canvas.
        canvas.set_width((f64::from(width) * dpr).round() as u32);
        canvas.set_height((f64::from(height) * dpr).round() as u32);
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        context.scale(dpr, dpr).ok()?;
        context.translate(chart::plot_edges(canvas, theme).0, MARGIN).ok()?;
        context.set_font(&format!("{}px system-ui, sans-serif", theme.font_px()));
        context.set_text_baseline("middle");
        context.set_line_join("round");
        Some(Brush { context, theme, pen: Cell::new(None) })
    }

    fn clip(&self, width: f64, height: f64) {
        self.context.begin_path();
        self.context.rect(0.0, -MARGIN, width, height + 2.0 * MARGIN);
        self.context.clip();
    }

    fn css(&self, tone: Tone) -> &str {
        match tone {
            Tone::Ink => self.theme.css("--ink"),
            Tone::Muted => self.theme.css("--muted"),
            Tone::Grid => self.theme.css("--grid"),
            Tone::Of(role) => self.theme.css(role.property()),
        }
    }

    fn trace(&self, points: &[(f64, f64)]) {
        self.context.begin_path();
        for (i, (x, y)) in points.iter().enumerate() {
            if i == 0 { self.context.move_to(*x, *y) } else { self.context.line_to(*x, *y) }
        }
    }

    fn paint(&self, piece: &Piece) {
        let context = &self.context;
        match piece {
            Piece::Line(pen, points) => {
                if self.pen.replace(Some(*pen)) != Some(*pen) {
                    let dash: js_sys::Array = pen.dash.iter().map(|d| JsValue::from(*d)).collect();
                    let _ = context.set_line_dash(&dash);
                    context.set_stroke_style_str(self.css(pen.tone));
                    context.set_line_width(pen.width);
                }
                self.trace(points);
                context.stroke();
            }
            Piece::Area(tone, alpha, corners) => {
                context.set_global_alpha(*alpha);
                context.set_fill_style_str(self.css(*tone));
                self.trace(corners);
                context.fill();
                context.set_global_alpha(1.0);
            }
            Piece::Text(tone, (x, y), anchor, text) => {
                context.set_text_align(match anchor {
                    Anchor::Start => "left",
                    Anchor::Middle => "center",
                    Anchor::End => "right",
                });
                self.pen.set(None);
                // A rim of paper keeps the words apart from the lines behind them.
                let _ = context.set_line_dash(&js_sys::Array::new());
                context.set_line_width(3.0);
                context.set_stroke_style_str(self.theme.css("--paper"));
                let _ = context.stroke_text(text, *x, *y);
                context.set_fill_style_str(self.css(*tone));
                let _ = context.fill_text(text, *x, *y);
            }
        }
    }

    /// A packet where it is now; an ACK is hollow.
    fn dot(&self, (x, y): (f64, f64), tone: Tone, filled: bool) {
        let context = &self.context;
        self.pen.set(None);
        let _ = context.set_line_dash(&js_sys::Array::new());
        context.begin_path();
        let _ = context.arc(x, y, if filled { 3.5 } else { 3.0 }, 0.0, std::f64::consts::TAU);
        let inside = if filled { self.css(tone) } else { self.theme.css("--paper") };
        context.set_fill_style_str(inside);
        context.fill();
        context.set_line_width(1.5);
        let rim = if filled { self.theme.css("--paper") } else { self.css(tone) };
        context.set_stroke_style_str(rim);
        context.stroke();
    }
}
