//! Painting a chart on a canvas with plotters, sharp at any device pixel ratio.

use super::picture::{FAMILY, Pen, Picture, Rgb};
use super::{Axis, Chart, Level, Mark, Plot, Role, Series, Stroke};
use crate::browser::dom;
use packet_core::units::decimal;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

/// Width of the labels left of the plot, in CSS pixels.
const LEFT: f64 = 56.0;
/// Room for the names at the lines' ends, in CSS pixels.
const RIGHT: f64 = 112.0;
/// Height of the labels below the plot, in CSS pixels.
const BELOW: f64 = 26.0;
const ABOVE: f64 = 8.0;
/// About how wide a letter is, as a part of the type's size.
const LETTER: f64 = 0.56;

type Cartesian = Cartesian2d<RangedCoordf64, RangedCoordf64>;
type Painted<T> = Result<T, Box<dyn std::error::Error>>;

/// The page's colours and type, read from its stylesheet, and the size of its pixels.
pub struct Theme {
    muted: RGBColor,
    grid: RGBColor,
    paper: RGBColor,
    /// All colours, as the stylesheet has them.
    css: Vec<(&'static str, String)>,
    font_px: f64,
    dpr: f64,
}

impl Theme {
    /// The theme in force at `element`.
    pub fn of(element: &Element) -> Theme {
        let style = dom::window().get_computed_style(element).ok().flatten();
        let read = |property: &str| {
            let text = style.as_ref().and_then(|s| s.get_property_value(property).ok());
            text.unwrap_or_default().trim().to_owned()
        };
        let roles =
            [Role::Accent, Role::Second, Role::Limit, Role::Queue, Role::Loss, Role::Pinned];
        let [ink, muted, grid, paper] =
            ["--ink", "--muted", "--grid", "--paper"].map(|property| (property, read(property)));
        let roles = roles.map(|role| (role.property(), read(role.property())));
        Theme {
            muted: parse_colour(&muted.1),
            grid: parse_colour(&grid.1),
            paper: parse_colour(&paper.1),
            css: [ink, muted, grid, paper].into_iter().chain(roles).collect(),
            font_px: decimal(read("--chart-font").trim_end_matches("px")).unwrap_or(12.0),
            dpr: dom::window().device_pixel_ratio(),
        }
    }

    /// The size of the charts' type, in CSS pixels.
    pub fn font_px(&self) -> f64 {
        self.font_px
    }

    /// Device pixels in a CSS pixel.
    pub fn dpr(&self) -> f64 {
        self.dpr
    }

    /// The same for pixels of which `scale` make one CSS pixel.
    pub fn scaled(self, scale: f64) -> Theme {
        Theme { dpr: scale, ..self }
    }

    /// The ground with so large a part of a colour in it, 0 to 1, as CSS has it.
    pub fn tint(&self, property: &str, part: f64) -> String {
        let (ground, colour) = (self.rgb("--paper"), self.rgb(property));
        let mix =
            |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
        let (r, g, b) = (mix(ground.0, colour.0), mix(ground.1, colour.1), mix(ground.2, colour.2));
        format!("rgb({r},{g},{b})")
    }

    /// The colours of the ground, of words and of lesser words.
    pub fn words(&self) -> [Rgb; 3] {
        ["--paper", "--ink", "--muted"].map(|property| self.rgb(property))
    }

    /// A colour by its custom property, as CSS has it.
    pub fn css(&self, property: &str) -> &str {
        self.css.iter().find(|c| c.0 == property).map_or("", |c| &c.1)
    }

    /// The same in parts.
    pub fn rgb(&self, property: &str) -> Rgb {
        let RGBColor(r, g, b) = parse_colour(self.css(property));
        (r, g, b)
    }

    fn colour(&self, role: Role) -> RGBColor {
        parse_colour(self.css(role.property()))
    }

    fn px(&self, css: f64) -> i32 {
        (css * self.dpr).round() as i32
    }

    /// What words of the usual size need, at the size they have.
    fn room(&self, css: f64) -> f64 {
        css * (self.font_px / 12.0).max(1.0)
    }

    fn font(&self, colour: RGBColor) -> TextStyle<'static> {
        // A family given by its name alone would be compared in lower case, with the library's large tables.
        let family = FontFamily::Name(FAMILY);
        FontDesc::new(family, self.font_px * self.dpr, FontStyle::Normal).color(&colour)
    }
}

/// Reads `#rrggbb`; anything else is a middle grey.
fn parse_colour(text: &str) -> RGBColor {
    let hex = text.trim_start_matches('#');
    let part = |i: usize| hex.get(i..i + 2).and_then(|h| u8::from_str_radix(h, 16).ok());
    match (part(0), part(2), part(4)) {
        (Some(r), Some(g), Some(b)) => RGBColor(r, g, b),
        _ => RGBColor(128, 128, 128),
    }
}

/// Where the plot lies on the canvas, as parts of the canvas's width in CSS pixels: left, right.
pub fn plot_edges(canvas: &HtmlCanvasElement, theme: &Theme) -> (f64, f64) {
    let width = f64::from(canvas.client_width());
    (theme.room(LEFT), width - right(width, theme))
}

/// A narrow chart spends less on names.
fn right(width: f64, theme: &Theme) -> f64 {
    theme.room(if width < 420.0 { RIGHT * 0.8 } else { RIGHT })
}

/// How many labels of the axis a chart of this width has room for.
pub fn tick_room(width: f64, theme: &Theme) -> usize {
    (width / theme.room(95.0)) as usize
}

/// Paints a picture on a canvas, where it has a size.
pub fn show(canvas: &HtmlCanvasElement, picture: &Picture) {
    if picture.width < 50 || picture.height < 20 {
        return;
    }
    // Setting the size also clears the canvas.
    canvas.set_width(picture.width);
    canvas.set_height(picture.height);
    let context = canvas.get_context("2d").ok().flatten();
    if let Some(context) = context.and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok()) {
        picture.paint(&context);
    }
}

/// Chart number `index` of `plot`, over that of a pinned run, in this size in CSS pixels; the last one
/// has the labels of the axis below it.
pub fn picture(
    size: (f64, f64),
    plot: &Plot,
    pinned: Option<&Plot>,
    index: usize,
    theme: &Theme,
) -> Picture {
    let mut picture = Picture::new(size.0, size.1, theme.dpr);
    if size.0 >= 50.0 && size.1 >= 20.0 {
        // What cannot be drawn leaves an empty chart; the numbers beside it stand.
        let _ = paint(&mut picture, size, plot, pinned, index, theme);
    }
    picture
}

fn paint(
    picture: &mut Picture,
    (width, height): (f64, f64),
    plot: &Plot,
    pinned: Option<&Plot>,
    index: usize,
    theme: &Theme,
) -> Painted<()> {
    let chart = &plot.charts[index];
    let behind = pinned.and_then(|plot| plot.charts.get(index));
    let labelled = index + 1 == plot.charts.len();
    let root = picture.pen().into_drawing_area();
    let (bottom, top) = chart.range(plot.axis);
    let (lowest, highest) = behind.map_or((bottom, top), |chart| chart.range(plot.axis));
    let (bottom, top) = (bottom.min(lowest), top.max(highest));
    let below = theme.px(if labelled { theme.room(BELOW) } else { 6.0 });
    let mut area = ChartBuilder::on(&root)
        .margin_top(theme.px(theme.room(ABOVE)))
        .margin_right(theme.px(right(width, theme)))
        .set_label_area_size(LabelAreaPosition::Left, theme.px(theme.room(LEFT)))
        .set_label_area_size(LabelAreaPosition::Bottom, below)
        .build_cartesian_2d(0.0..1.0, bottom..top)
        .map_err(|e| e.to_string())?;
    let hairline = theme.grid.stroke_width(theme.px(1.0) as u32);
    area.configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(hairline)
        .axis_style(hairline)
        .set_all_tick_mark_size(theme.px(4.0))
        .x_labels(0)
        .y_labels((height / 30.0).max(2.0) as usize)
        .y_label_style(theme.font(theme.muted))
        .y_label_formatter(&|value| {
            format!("{}{}", packet_core::units::grouped(*value), chart.unit)
        })
        .draw()
        .map_err(|e| e.to_string())?;

    for (x, text) in plot.axis.ticks(tick_room(width, theme)) {
        let x = plot.axis.fraction(x);
        area.draw_series(LineSeries::new([(x, bottom), (x, top)], hairline))
            .map_err(|e| e.to_string())?;
        if labelled {
            let (px, py) = area.backend_coord(&(x, 0.0));
            let style = theme.font(theme.muted).pos(Pos::new(HPos::Center, VPos::Top));
            root.draw(&Text::new(text, (px, py + theme.px(7.0)), style))
                .map_err(|e| e.to_string())?;
        }
    }
    for (i, place) in plot.places.iter().enumerate() {
        let x = plot.axis.fraction(place.value);
        if (0.0..=1.0).contains(&x) {
            dashes(&mut area, [(x, bottom), (x, top)], theme)?;
            if index == 0 {
                let (px, py) = area.backend_coord(&(x, top));
                // Near the right end are the lines' names.
                let edge = area.backend_coord(&(1.0, top)).0;
                let has_room = px + theme.px(4.0) + width_of(&place.label, theme) < edge;
                let (side, aside) = if has_room { (HPos::Left, 4.0) } else { (HPos::Right, -4.0) };
                let style = theme.font(theme.muted).pos(Pos::new(side, VPos::Top));
                // Each name a line lower, so that close places keep theirs apart.
                let at = (px + theme.px(aside), py + theme.px(i as f64 * (theme.font_px + 3.0)));
                clear(&root, &place.label, at, side, theme)?;
                root.draw(&Text::new(place.label.clone(), at, style)).map_err(|e| e.to_string())?;
            }
        }
    }
    let mut names = Vec::new();
    for Level { label, value } in &chart.levels {
        if *value <= top {
            dashes(&mut area, [(0.0, *value), (1.0, *value)], theme)?;
        }
        let above = if *value > top { "↑ " } else { "" };
        let at = area.backend_coord(&(1.0, value.min(top)));
        names.push((at, theme.muted, format!("{above}{label}")));
    }
    let pixels = f64::from(area.plotting_area().dim_in_pixel().0);
    // With two runs on one axis, the shorter one's lines end within it, and are named there.
    let mut names_within = Vec::new();
    let mut line = |area: &mut Area<'_, '_>, series: &Series, role, name: String| {
        let colour = theme.colour(role);
        stroke(area, series, plot.axis, pixels, top, colour, theme)?;
        let seen = series.points.partition_point(|p| plot.axis.fraction(p.0) <= 1.0);
        let gone = series.points.partition_point(|p| plot.axis.fraction(p.0) < 0.0);
        let is_out_of_sight = match series.stroke {
            Stroke::Marks(_) => gone == seen,
            // The line of a run that was over before.
            _ => pinned.is_some() && gone == series.points.len(),
        };
        if name.is_empty() || is_out_of_sight {
            return Painted::Ok(());
        }
        if let Some(last) = series.points[..seen].iter().rev().find(|p| p.1.is_finite()) {
            let end = plot.axis.fraction(last.0);
            let within = pinned.is_some() && seen == series.points.len() && end < 0.85;
            let x = if within { end } else { 1.0 };
            let at = area.backend_coord(&(x, last.1.clamp(bottom, top)));
            let names = if within { &mut names_within } else { &mut names };
            names.push((at, colour, name));
        }
        Painted::Ok(())
    };
    for (series, name) in behind.map_or_else(Vec::new, ghosts) {
        // Where a run is one place on the curve, the name stands there.
        let name = if plot.here.is_some() { String::new() } else { name };
        line(&mut area, &series, Role::Pinned, name)?;
    }
    for series in &chart.series {
        line(&mut area, series, series.role, series.label.to_owned())?;
    }
    if let (Some(behind), Some(here)) = (behind, pinned.and_then(|plot| plot.here)) {
        let values = behind.series.iter().filter_map(|s| s.at(here));
        let marks: Vec<_> = values.map(|y| (theme.colour(Role::Pinned), y)).collect();
        let x = plot.axis.fraction(here);
        for (colour, y) in &marks {
            names_within.push((area.backend_coord(&(x, *y)), *colour, "A".to_owned()));
        }
        mark_here(&mut area, x, marks, theme)?;
    }
    if let Some(here) = plot.here {
        let value = |s: &Series| Some((theme.colour(s.role), s.at(here)?));
        let marks = chart.series.iter().filter_map(value).collect();
        mark_here(&mut area, plot.axis.fraction(here), marks, theme)?;
    }
    let bottom = theme.px(height) - below;
    for name in &mut names_within {
        // Beside the end, not on the line that may go on there.
        name.0.1 -= theme.px(0.7 * theme.font_px);
    }
    write_names(&root, names_within, theme, bottom)?;
    write_names(&root, names, theme, bottom)
}

type Area<'a, 'p> = ChartContext<'a, Pen<'p>, Cartesian>;

/// The curves of a pinned run as they stand behind the current one's, with their names. Its thresholds
/// and marks are left out: what only limits or adorns other lines would make two runs too many to follow.
fn ghosts(chart: &Chart) -> Vec<(Series, String)> {
    let is_line = |s: &&Series| s.role != Role::Limit && !matches!(s.stroke, Stroke::Marks(_));
    let shown: Vec<_> = chart.series.iter().filter(is_line).collect();
    let ghost = |s: &&Series| {
        // Dots beside dashes: of one colour, two curves must differ in shape.
        let is_lesser = shown.len() > 1 && s.role != Role::Accent;
        let stroke = if is_lesser { Stroke::Dotted } else { Stroke::Dashed };
        let points = match s.stroke {
            Stroke::Step | Stroke::DashedStep => steps(&s.points),
            _ => s.points.clone(),
        };
        let name = if shown.len() == 1 { "A".to_owned() } else { format!("A {}", s.label) };
        (Series { stroke, points, ..(*s).clone() }, name)
    };
    shown.iter().map(ghost).collect()
}

fn dashes(area: &mut Area<'_, '_>, line: [(f64, f64); 2], theme: &Theme) -> Painted<()> {
    let style = theme.muted.stroke_width(theme.px(1.0) as u32);
    let (size, gap) = (theme.px(2.0), theme.px(3.0));
    area.draw_series(DashedLineSeries::new(line, size, gap, style)).map_err(|e| e.to_string())?;
    Ok(())
}

/// A ring on each curve where a run stands.
fn mark_here(
    area: &mut Area<'_, '_>,
    x: f64,
    marks: Vec<(RGBColor, f64)>,
    theme: &Theme,
) -> Painted<()> {
    let rings = marks.into_iter().map(|(colour, y)| {
        Circle::new((x, y), theme.px(5.0), colour.stroke_width(theme.px(2.5) as u32))
    });
    area.draw_series(rings).map_err(|e| e.to_string())?;
    Ok(())
}

fn stroke(
    area: &mut Area<'_, '_>,
    series: &Series,
    axis: Axis,
    pixels: f64,
    top: f64,
    colour: RGBColor,
    theme: &Theme,
) -> Painted<()> {
    if let Stroke::Marks(mark) = series.stroke {
        return marks(area, &series.points, mark, axis, colour, theme);
    }
    let style = colour.stroke_width(theme.px(2.0).max(1) as u32);
    let holds = matches!(series.stroke, Stroke::Step | Stroke::DashedStep);
    // What is above the top (an infinite threshold) breaks the line.
    for run in series.points.split(|p| !p.1.is_finite() || p.1 > top) {
        let run: Vec<_> = run.iter().map(|p| (axis.fraction(p.0), p.1)).collect();
        let run = in_sight(run, holds);
        let thinned = thin(&run, pixels);
        match series.stroke {
            Stroke::Step => area.draw_series(LineSeries::new(steps(&thinned), style)).map(drop),
            Stroke::DashedStep => {
                let (size, gap) = (theme.px(6.0), theme.px(4.0));
                area.draw_series(DashedLineSeries::new(steps(&thinned), size, gap, style)).map(drop)
            }
            Stroke::Marks(_) => Ok(()),
            Stroke::Dashed | Stroke::Dotted => {
                let size = if series.stroke == Stroke::Dashed { 6.0 } else { 2.0 };
                let (size, gap) = (theme.px(size), theme.px(4.0));
                area.draw_series(DashedLineSeries::new(thinned, size, gap, style)).map(drop)
            }
            Stroke::Line => area.draw_series(LineSeries::new(thinned, style)).map(drop),
            Stroke::Area => {
                let fill = colour.mix(0.18);
                area.draw_series(AreaSeries::new(thinned, 0.0, fill).border_style(style)).map(drop)
            }
        }
        .map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The part of a curve between 0 and 1; `holds` where it holds each value until the next.
fn in_sight(points: Vec<(f64, f64)>, holds: bool) -> Vec<(f64, f64)> {
    let first = points.partition_point(|p| p.0 < 0.0);
    let end = points.partition_point(|p| p.0 <= 1.0);
    if first == 0 && end == points.len() {
        return points;
    }
    let edge = |x: f64, after: usize| -> Option<(f64, f64)> {
        let a = points.get(after.checked_sub(1)?)?;
        match points.get(after) {
            _ if holds => Some((x, a.1)),
            Some(b) => Some((x, a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0))),
            None => None,
        }
    };
    let left = edge(0.0, first).filter(|_| first < points.len() || holds);
    let right = edge(1.0, end).filter(|_| end < points.len());
    left.into_iter().chain(points[first..end].iter().copied()).chain(right).collect()
}

/// A mark for each point in sight; marks that touch each other in a pixel column are one longer stroke.
fn marks(
    area: &mut Area<'_, '_>,
    points: &[(f64, f64)],
    mark: Mark,
    axis: Axis,
    colour: RGBColor,
    theme: &Theme,
) -> Painted<()> {
    let first = points.partition_point(|p| axis.fraction(p.0) < 0.0);
    let end = points.partition_point(|p| axis.fraction(p.0) <= 1.0);
    let least = theme.px(4.0);
    // Column, upper end and lower end, in device pixels.
    let mut strokes: Vec<(i32, i32, i32)> = Vec::new();
    for (x, y) in &points[first..end] {
        let x = axis.fraction(*x);
        let (column, low) = area.backend_coord(&(x, y - 1.0));
        let high = area.backend_coord(&(x, *y)).1.min(low - least);
        match strokes.last_mut() {
            Some(last) if last.0 == column && high <= last.2 && low >= last.1 => {
                *last = (column, last.1.min(high), last.2.max(low));
            }
            _ => strokes.push((column, high, low)),
        }
    }
    let root = area.plotting_area().strip_coord_spec();
    let origin = root.get_base_pixel();
    let style = colour.stroke_width(theme.px(2.0).max(1) as u32);
    let (mut last_letter, mut last_cross) = (None, None);
    let free = |last: Option<(i32, i32)>, (x, y): (i32, i32), apart: f64| {
        let apart = theme.px(apart);
        last.is_none_or(|(lx, ly)| (lx - x).abs() > apart || (ly - y).abs() > apart)
    };
    for (x, high, low) in strokes {
        let (x, high, low) = (x - origin.0, high - origin.1, low - origin.1);
        let line = |a, b| root.draw(&PathElement::new([a, b], style)).map_err(|e| e.to_string());
        let letter = match mark {
            Mark::Cross => {
                let (r, y) = (theme.px(3.5), (high + low) / 2);
                if !free(last_cross, (x, y), 5.0) {
                    continue;
                }
                last_cross = Some((x, y));
                line((x - r, y - r), (x + r, y + r))?;
                line((x - r, y + r), (x + r, y - r))?;
                continue;
            }
            Mark::Tick => None,
            Mark::Again => Some("R"),
            Mark::Probe => Some("P"),
        };
        line((x, high), (x, low))?;
        if let (Some(letter), true) = (letter, free(last_letter, (x, high), theme.font_px)) {
            last_letter = Some((x, high));
            let style = theme.font(colour).pos(Pos::new(HPos::Left, VPos::Center));
            let at = (x + theme.px(3.0), high - theme.px(5.0));
            root.draw(&Text::new(letter, at, style)).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

fn width_of(text: &str, theme: &Theme) -> i32 {
    theme.px(LETTER * theme.font_px * text.chars().count() as f64)
}

/// Dims what lies where a text is to stand, `at` its upper corner on this side: a line that runs through
/// it shows, and no more.
fn clear(
    root: &DrawingArea<Pen<'_>, Shift>,
    text: &str,
    (x, y): (i32, i32),
    side: HPos,
    theme: &Theme,
) -> Painted<()> {
    let width = width_of(text, theme);
    let left = if matches!(side, HPos::Right) { x - width } else { x };
    let place = [(left, y), (left + width, y + theme.px(theme.font_px + 2.0))];
    let ground = theme.paper.mix(0.7).filled();
    root.draw(&Rectangle::new(place, ground)).map_err(|e| e.to_string().into())
}

/// Names at the lines' ends, moved apart where they would overlap.
fn write_names(
    root: &DrawingArea<Pen<'_>, Shift>,
    mut names: Vec<((i32, i32), RGBColor, String)>,
    theme: &Theme,
    bottom: i32,
) -> Painted<()> {
    let line = theme.px(theme.font_px + 2.0);
    // Few enough to be put in order one by one; the library's sort would be the largest part of this file.
    for i in 1..names.len() {
        let at = names[..i].partition_point(|name| name.0.1 <= names[i].0.1);
        names[at..=i].rotate_right(1);
    }
    let mut next = theme.px(ABOVE);
    for name in &mut names {
        name.0.1 = name.0.1.max(next);
        next = name.0.1 + line;
    }
    let mut limit = bottom;
    for name in names.iter_mut().rev() {
        name.0.1 = name.0.1.min(limit);
        limit = name.0.1 - line;
    }
    let edge = root.dim_in_pixel().0 as i32;
    for ((x, y), colour, text) in names {
        let x = (x + theme.px(6.0)).min(edge - width_of(&text, theme));
        clear(root, &text, (x, y - line / 2), HPos::Left, theme)?;
        let style = theme.font(colour).pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(text, (x, y), style)).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// At most four points a pixel column: the first, the lowest, the highest, the last.
fn thin(points: &[(f64, f64)], pixels: f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(points.len().min(4096));
    let column = |p: &(f64, f64)| (p.0 * pixels) as i64;
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let place = |better: fn(f64, f64) -> bool| {
            let found =
                |best: usize, i: usize| if better(group[i].1, group[best].1) { i } else { best };
            (0..group.len()).fold(0, found)
        };
        let (low, high) = (place(|a, b| a < b), place(|a, b| a > b));
        // In the order in which they stand, each once.
        let mut last = None;
        for i in [0, low.min(high), low.max(high), group.len() - 1] {
            if last.replace(i) != Some(i) {
                kept.push(group[i]);
            }
        }
    }
    kept
}

/// The corners of a line that holds each value until the next.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(2 * points.len());
    for pair in points.windows(2) {
        corners.extend([pair[0], (pair[1].0, pair[0].1)]);
    }
    corners.extend(points.last());
    corners
}

/// The element as a canvas.
pub fn canvas_in(parent: &Element) -> HtmlCanvasElement {
    dom::append(parent, "canvas", "").unchecked_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_extremes_of_each_column() {
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i), f64::from(i % 100))).collect();
        let thinned = thin(&points, 0.01);
        assert_eq!(thinned.len(), 20);
        assert_eq!(thinned[0], (0.0, 0.0));
        assert_eq!(thinned[1], (99.0, 99.0));
    }

    #[test]
    fn a_curve_is_cut_at_the_edges_of_what_is_shown() {
        let points = vec![(-0.5, 1.0), (0.5, 3.0), (1.5, 7.0)];
        assert_eq!(in_sight(points.clone(), true), [(0.0, 1.0), (0.5, 3.0), (1.0, 3.0)]);
        assert_eq!(in_sight(points, false), [(0.0, 2.0), (0.5, 3.0), (1.0, 5.0)]);
        assert_eq!(in_sight(vec![(-2.0, 4.0), (-1.0, 5.0)], true), [(0.0, 5.0)]);
        assert_eq!(in_sight(vec![(1.5, 7.0)], true), []);
        let whole = vec![(0.0, 1.0), (1.0, 2.0)];
        assert_eq!(in_sight(whole.clone(), true), whole);
    }

    #[test]
    fn steps_hold_each_value() {
        assert_eq!(steps(&[(0.0, 1.0), (5.0, 2.0)]), [(0.0, 1.0), (5.0, 1.0), (5.0, 2.0)]);
    }

    #[test]
    fn colours_are_read_from_the_stylesheet() {
        assert_eq!(parse_colour("#0072b2"), RGBColor(0, 0x72, 0xb2));
        assert_eq!(parse_colour("papayawhip"), RGBColor(128, 128, 128));
    }
}
