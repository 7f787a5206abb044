//! The ladder's place in the page: a still canvas, and one above it for what moves with the cursor.

use super::Ladder;
use super::picture::{Anchor, Picture, Piece, Tone, moment};
use super::thin::Scale;
use crate::browser::dom;
use crate::charts::chart::{self, Axis, Rgb, Theme};
use plotters::style::text_anchor::HPos;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};

/// Room above the sender and below the receiver, in CSS pixels.
const MARGIN: f64 = 10.0;
/// Places on the canvases are whole numbers of these parts of a CSS pixel.
const FINE: f64 = 8.0;
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

    /// What they show, with its title, in pixels of which `scale` make one CSS pixel.
    pub fn picture(
        &self,
        ladder: &Ladder,
        axis: Axis,
        at: Option<f64>,
        picked: Option<usize>,
        theme: &Theme,
        scale: f64,
    ) -> (&'static str, chart::Picture) {
        let mut pieces = self.still(ladder, axis, theme).pieces;
        pieces.extend(self.moving(ladder, axis, at, picked, theme));
        (TITLE, self.compose(&pieces, theme, scale))
    }

    /// Paints the packets of the part of `axis` that is shown.
    pub fn draw(&self, ladder: &Ladder, axis: Axis, theme: &Theme) {
        let picture = self.still(ladder, axis, theme);
        paint(&self.still, &self.compose(&picture.pieces, theme, FINE), theme);
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
        let pieces = self.moving(ladder, axis, at, picked, theme);
        paint(&self.moving, &self.compose(&pieces, theme, FINE), theme);
    }

    fn still(&self, ladder: &Ladder, axis: Axis, theme: &Theme) -> Picture {
        let (width, height) = self.size(theme);
        let ticks = chart::tick_room(self.still.client_width().into(), theme);
        Picture::new(ladder, axis, ticks, width, height)
    }

    fn moving(
        &self,
        ladder: &Ladder,
        axis: Axis,
        at: Option<f64>,
        picked: Option<usize>,
        theme: &Theme,
    ) -> Vec<Piece> {
        let (width, height) = self.size(theme);
        moment(ladder, axis, at, picked, width, height)
    }

    /// Pieces in their places on the canvas, in the theme's colours.
    fn compose(&self, pieces: &[Piece], theme: &Theme, scale: f64) -> chart::Picture {
        let size = (self.still.client_width().into(), self.still.client_height().into());
        let mut picture = chart::Picture::new(size.0, size.1, scale);
        let left = chart::plot_edges(&self.still, theme).0;
        let place = |(x, y): (f64, f64)| (left + x, MARGIN + y);
        let rgb = |tone: Tone| -> Rgb {
            theme.rgb(match tone {
                Tone::Ink => "--ink",
                Tone::Muted => "--muted",
                Tone::Grid => "--grid",
                Tone::Of(role) => role.property(),
            })
        };
        let paper = theme.rgb("--paper");
        for piece in pieces {
            match piece {
                Piece::Line(pen, points) => {
                    let points = points.iter().copied().map(place);
                    picture.line(points, pen.width, pen.dash, rgb(pen.tone));
                }
                Piece::Area(tone, alpha, corners) => {
                    picture.area(corners.iter().copied().map(place), *alpha, rgb(*tone));
                }
                Piece::Dot(tone, at, true) => picture.dot(place(*at), 3.5, rgb(*tone), paper),
                Piece::Dot(tone, at, false) => picture.dot(place(*at), 3.0, paper, rgb(*tone)),
                Piece::Text(tone, at, anchor, text) => {
                    let h = match anchor {
                        Anchor::Start => HPos::Left,
                        Anchor::Middle => HPos::Center,
                        Anchor::End => HPos::Right,
                    };
                    picture.label(text, place(*at), h, theme.font_px(), rgb(*tone), paper);
                }
            }
        }
        picture
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

fn paint(canvas: &HtmlCanvasElement, picture: &chart::Picture, theme: &Theme) {
    let context = canvas.get_context("2d").ok().flatten();
    let Some(Ok(context)) = context.map(|c| c.dyn_into::<CanvasRenderingContext2d>()) else {
        return;
    };
    let dpr = theme.dpr();
    // Setting the size also clears the canvas.
    canvas.set_width((f64::from(canvas.client_width()) * dpr).round() as u32);
    canvas.set_height((f64::from(canvas.client_height()) * dpr).round() as u32);
    let _ = context.scale(dpr / FINE, dpr / FINE);
    context.set_line_join("round");
    picture.paint(&context);
}
