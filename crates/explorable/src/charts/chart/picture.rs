//! What plotters draws, kept as a few shapes: painted on a canvas, or written as an SVG file.

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;
use std::fmt::Write;
use wasm_bindgen::JsValue;
use web_sys::CanvasRenderingContext2d;

/// The typeface of all words: the reader's own.
pub const FAMILY: &str = "system-ui, sans-serif";

/// The rim around words, in CSS pixels.
const RIM: f64 = 3.0;

/// A colour: red, green, blue.
pub type Rgb = (u8, u8, u8);

/// Shapes on a ground of some size, in pixels of which `scale` make one CSS pixel.
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    scale: f64,
    shapes: Vec<Shape>,
}

/// One stroke of the pen.
struct Shape {
    colour: BackendColor,
    form: Form,
}

enum Form {
    /// A line through these points, this wide; lengths of dash and gap, where it is not solid.
    Line(Vec<BackendCoord>, u32, &'static [f64]),
    /// What these points enclose.
    Polygon(Vec<BackendCoord>),
    /// A circle's centre and radius; how wide its line is, or nothing where it is filled.
    Circle(BackendCoord, u32, Option<u32>),
    /// Words at a place, which is where of them `h` and `v` say; with a rim of this colour, where there
    /// is something behind them.
    Words {
        text: String,
        at: BackendCoord,
        size: f64,
        bold: bool,
        h: HPos,
        v: VPos,
        rim: Option<Rgb>,
    },
}

impl Picture {
    /// An empty picture of this size in CSS pixels.
    pub fn new(width: f64, height: f64, scale: f64) -> Picture {
        let px = |css: f64| (css * scale).round() as u32;
        Picture { width: px(width), height: px(height), scale, shapes: Vec::new() }
    }

    /// What plotters draws with.
    pub fn pen(&mut self) -> Pen<'_> {
        Pen(self)
    }

    fn px(&self, (x, y): (f64, f64)) -> BackendCoord {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    /// Fills the whole picture.
    pub fn fill(&mut self, rgb: Rgb) {
        let (w, h) = (self.width as i32, self.height as i32);
        self.add(rgb, Form::Polygon(vec![(0, 0), (w, 0), (w, h), (0, h)]));
    }

    fn add(&mut self, rgb: Rgb, form: Form) {
        self.shapes.push(Shape { colour: BackendColor { alpha: 1.0, rgb }, form });
    }

    fn all(&self, points: impl Iterator<Item = (f64, f64)>) -> Vec<BackendCoord> {
        points.map(|point| self.px(point)).collect()
    }

    /// A line through points in CSS pixels.
    pub fn line(
        &mut self,
        points: impl Iterator<Item = (f64, f64)>,
        width: f64,
        dash: &'static [f64],
        rgb: Rgb,
    ) {
        let form = Form::Line(self.all(points), (width * self.scale).round() as u32, dash);
        self.add(rgb, form);
    }

    /// Fills what points in CSS pixels enclose.
    pub fn area(&mut self, corners: impl Iterator<Item = (f64, f64)>, alpha: f64, rgb: Rgb) {
        let form = Form::Polygon(self.all(corners));
        self.shapes.push(Shape { colour: BackendColor { alpha, rgb }, form });
    }

    /// A dot at a place in CSS pixels, with a rim.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, inside: Rgb, rim: Rgb) {
        let (at, radius) = (self.px(at), (radius * self.scale) as u32);
        self.add(inside, Form::Circle(at, radius, None));
        self.add(rim, Form::Circle(at, radius, Some((1.5 * self.scale) as u32)));
    }

    /// Writes words over lines: `h` of them is at a place in CSS pixels, halfway up.
    pub fn label(&mut self, text: &str, at: (f64, f64), h: HPos, size: f64, rgb: Rgb, rim: Rgb) {
        let (at, size, text) = (self.px(at), size * self.scale, text.to_owned());
        let (v, rim) = (VPos::Center, Some(rim));
        self.add(rgb, Form::Words { text, at, size, bold: false, h, v, rim });
    }

    /// Writes words with the top of their first letter at a place in CSS pixels.
    pub fn write(&mut self, text: &str, at: (f64, f64), size: f64, bold: bool, rgb: Rgb) {
        let (at, size, text) = (self.px(at), size * self.scale, text.to_owned());
        let (h, v, rim) = (HPos::Left, VPos::Top, None);
        self.add(rgb, Form::Words { text, at, size, bold, h, v, rim });
    }

    /// Puts another picture of the same scale at a place in CSS pixels.
    pub fn place(&mut self, other: Picture, at: (f64, f64)) {
        let (dx, dy) = self.px(at);
        let moved = |(x, y): BackendCoord| (x + dx, y + dy);
        let all = |points: Vec<BackendCoord>| points.into_iter().map(moved).collect();
        self.shapes.extend(other.shapes.into_iter().map(|Shape { colour, form }| Shape {
            colour,
            form: match form {
                Form::Line(points, width, dash) => Form::Line(all(points), width, dash),
                Form::Polygon(points) => Form::Polygon(all(points)),
                Form::Circle(centre, radius, line) => Form::Circle(moved(centre), radius, line),
                Form::Words { text, at, size, bold, h, v, rim } => {
                    Form::Words { text, at: moved(at), size, bold, h, v, rim }
                }
            },
        }));
    }

    /// Paints the picture on a canvas of its size.
    pub fn paint(&self, context: &CanvasRenderingContext2d) {
        // Most shapes have the colour and the dashes of the one before.
        let (mut now, mut dashes): (_, &[f64]) = (None, &[]);
        for Shape { colour, form } in &self.shapes {
            let look = Some((colour.rgb, colour.alpha));
            if std::mem::replace(&mut now, look) != look {
                let (r, g, b) = colour.rgb;
                let style = format!("rgba({r},{g},{b},{})", colour.alpha);
                context.set_fill_style_str(&style);
                context.set_stroke_style_str(&style);
            }
            let dash = if let Form::Line(_, _, dash) = form { *dash } else { &[] };
            if dash != std::mem::replace(&mut dashes, dash) {
                let lengths: js_sys::Array =
                    dash.iter().map(|length| JsValue::from(length * self.scale)).collect();
                let _ = context.set_line_dash(&lengths);
            }
            match form {
                Form::Line(points, width, _) => {
                    context.set_line_width(f64::from(*width));
                    trace(context, points);
                    context.stroke();
                }
                Form::Polygon(points) => {
                    trace(context, points);
                    context.fill();
                }
                Form::Circle((x, y), radius, line) => {
                    context.begin_path();
                    let (x, y, radius) = (f64::from(*x), f64::from(*y), f64::from(*radius));
                    // Only a negative radius is refused.
                    let _ = context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
                    match line {
                        Some(width) => {
                            context.set_line_width(f64::from(*width));
                            context.stroke();
                        }
                        None => context.fill(),
                    }
                }
                Form::Words { text, at, size, bold, h, v, rim } => {
                    let weight = if *bold { "600 " } else { "" };
                    context.set_font(&format!("{weight}{size}px {FAMILY}"));
                    context.set_text_align(match h {
                        HPos::Left => "left",
                        HPos::Right => "right",
                        HPos::Center => "center",
                    });
                    context.set_text_baseline(match v {
                        VPos::Top => "top",
                        VPos::Center => "middle",
                        VPos::Bottom => "bottom",
                    });
                    let (x, y) = (f64::from(at.0), f64::from(at.1));
                    if let Some((r, g, b)) = rim {
                        context.set_stroke_style_str(&format!("rgb({r},{g},{b})"));
                        context.set_line_width(RIM * self.scale);
                        let _ = context.stroke_text(text, x, y);
                        now = None;
                    }
                    let _ = context.fill_text(text, x, y);
                }
            }
        }
    }

    /// The picture as an SVG document; `title` is what is read out for it.
    pub fn svg(&self, title: &str) -> String {
        let (w, h) = (self.width, self.height);
        let css = |px: u32| f64::from(px) / self.scale;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {w} {h}\" font-family=\"{FAMILY}\">\n<title>{}</title>\n",
            css(w),
            css(h),
            escaped(title)
        );
        for Shape { colour, form } in &self.shapes {
            let (r, g, b) = colour.rgb;
            let paint = |kind: &str| {
                let opacity = match colour.alpha {
                    1.0 => String::new(),
                    alpha => format!(" {kind}-opacity=\"{alpha}\""),
                };
                format!("{kind}=\"#{r:02x}{g:02x}{b:02x}\"{opacity}")
            };
            let stroke =
                |width: &u32| format!("fill=\"none\" {} stroke-width=\"{width}\"", paint("stroke"));
            // Writing to a string cannot fail.
            let _ = match form {
                Form::Line(points, width, dash) => {
                    let dash: Vec<_> = dash.iter().map(|d| (d * self.scale).to_string()).collect();
                    let dash = match &dash[..] {
                        [] => String::new(),
                        dash => format!(" stroke-dasharray=\"{}\"", dash.join(" ")),
                    };
                    writeln!(out, "<path d=\"{}\" {}{dash}/>", path(points), stroke(width))
                }
                Form::Polygon(points) => {
                    writeln!(out, "<path d=\"{}Z\" {}/>", path(points), paint("fill"))
                }
                Form::Circle((x, y), radius, line) => {
                    let style = line.as_ref().map_or_else(|| paint("fill"), stroke);
                    writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>")
                }
                Form::Words { text, at, size, bold, h, v, rim } => {
                    let anchor = match h {
                        HPos::Left => "start",
                        HPos::Right => "end",
                        HPos::Center => "middle",
                    };
                    // Not `dominant-baseline`, which many programs that open the file do not know.
                    let dy = match v {
                        VPos::Top => 0.88,
                        VPos::Center => 0.35,
                        VPos::Bottom => -0.2,
                    };
                    let weight = if *bold { " font-weight=\"600\"" } else { "" };
                    let rim = rim.map_or_else(String::new, |(r, g, b)| {
                        format!(
                            " stroke=\"#{r:02x}{g:02x}{b:02x}\" stroke-width=\"{}\" paint-order=\"stroke\"",
                            RIM * self.scale
                        )
                    });
                    writeln!(
                        out,
                        "<text x=\"{}\" y=\"{:.1}\" font-size=\"{size}\"{weight}{rim} text-anchor=\"{anchor}\" {}>{}</text>",
                        at.0,
                        f64::from(at.1) + dy * size,
                        paint("fill"),
                        escaped(text)
                    )
                }
            };
        }
        out + "</svg>\n"
    }
}

fn trace(context: &CanvasRenderingContext2d, points: &[BackendCoord]) {
    context.begin_path();
    for (x, y) in sharp(points) {
        context.line_to(x, y);
    }
}

/// An upright or level line half a pixel aside, where it fills whole pixels.
fn sharp(points: &[BackendCoord]) -> impl Iterator<Item = (f64, f64)> {
    let aside = |same: bool| if same && points.len() == 2 { 0.5 } else { 0.0 };
    let (dx, dy) = match points {
        [a, b] => (aside(a.0 == b.0), aside(a.1 == b.1)),
        _ => (0.0, 0.0),
    };
    points.iter().map(move |(x, y)| (f64::from(*x) - dx, f64::from(*y) - dy))
}

fn path(points: &[BackendCoord]) -> String {
    let mut path = String::new();
    for (i, (x, y)) in sharp(points).enumerate() {
        let _ = write!(path, "{}{x} {y}", if i == 0 { 'M' } else { 'L' });
    }
    path
}

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Draws into a picture, for plotters.
pub struct Pen<'a>(&'a mut Picture);

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Pen<'_> {
    fn draw(&mut self, colour: BackendColor, form: Form) -> Drawn {
        if colour.alpha > 0.0 {
            self.0.shapes.push(Shape { colour, form });
        }
        Ok(())
    }
}

impl DrawingBackend for Pen<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.0.width, self.0.height)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.draw(colour, Form::Polygon(vec![(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw(style.color(), Form::Line(vec![from, to], style.stroke_width(), &[]))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let mut corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        if fill {
            return self.draw(style.color(), Form::Polygon(corners));
        }
        corners.push((left, top));
        self.draw(style.color(), Form::Line(corners, style.stroke_width(), &[]))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.draw(style.color(), Form::Line(path.into_iter().collect(), style.stroke_width(), &[]))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.draw(style.color(), Form::Polygon(points.into_iter().collect()))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let line = (!fill).then(|| style.stroke_width());
        self.draw(style.color(), Form::Circle(centre, radius, line))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let anchor = style.anchor();
        let (text, size) = (text.to_owned(), style.size());
        let (h, v) = (anchor.h_pos, anchor.v_pos);
        let form = Form::Words { text, at, size, bold: false, h, v, rim: None };
        self.draw(style.color(), form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::prelude::{Circle, Color, IntoDrawingArea, PathElement, RGBColor};

    #[test]
    fn what_is_drawn_is_written_as_svg() {
        let mut picture = Picture::new(100.0, 50.0, 2.0);
        picture.fill((255, 255, 255));
        picture.write("A & B", (5.0, 5.0), 10.0, true, (0, 0, 0));
        let mut part = Picture::new(50.0, 20.0, 2.0);
        {
            let root = part.pen().into_drawing_area();
            let line = PathElement::new(
                vec![(0, 0), (10, 20)],
                Color::stroke_width(&RGBColor(255, 0, 0), 3),
            );
            root.draw(&line).expect("a picture takes everything");
            let dot = Circle::new((4, 4), 2, RGBColor(0, 0, 255).mix(0.5).filled());
            root.draw(&dot).expect("a picture takes everything");
        }
        part.line([(0.0, 0.0), (5.0, 1.0)].into_iter(), 1.5, &[2.0, 3.0], (0, 0, 0));
        part.label("over lines", (5.0, 5.0), HPos::Center, 12.0, (0, 0, 0), (255, 255, 255));
        picture.place(part, (10.0, 10.0));
        let svg = picture.svg("Two <runs>");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"100\" height=\"50\" viewBox=\"0 0 200 100\""), "{svg}");
        assert!(svg.contains("<title>Two &lt;runs&gt;</title>"), "{svg}");
        assert!(svg.contains(">A &amp; B</text>"), "{svg}");
        assert!(
            svg.contains(
                "<path d=\"M20 20L30 40\" fill=\"none\" stroke=\"#ff0000\" stroke-width=\"3\"/>"
            ),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#0000ff\" fill-opacity=\"0.5\""), "{svg}");
        assert!(svg.contains("stroke-width=\"3\" stroke-dasharray=\"4 6\"/>"), "{svg}");
        assert!(
            svg.contains("stroke=\"#ffffff\" stroke-width=\"6\" paint-order=\"stroke\""),
            "{svg}"
        );
        assert!(svg.ends_with("</svg>\n"));
    }
}
