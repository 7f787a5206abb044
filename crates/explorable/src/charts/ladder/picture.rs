//! The picture of a ladder as lines, areas and words, in CSS pixels from the plot's upper left corner.

use super::thin::{Group, Scale, clip_line, clip_polygon};
use super::{Class, Flight, LINK, Ladder};
use crate::charts::chart::{Axis, Role};
use packet_core::units::grouped;

/// The cosine and the sine of 15 degrees.
const COS: f64 = 0.965_925_826_289_068_3;
const SIN: f64 = 0.258_819_045_102_520_8;
/// A band is filled in slices this wide, each as dense as its packets.
const SLICE: f64 = 4.0;
/// A band of this many packets gets its number even where that is wider than the band.
const WORTH_A_NUMBER: usize = 10;
/// About what a letter needs beside its neighbour.
const LETTER: f64 = 6.5;
const LINE: f64 = 14.0;
/// Dots closer than this are one.
const DOT_GAP: f64 = 7.0;
/// Where more than this are on their way, the dots of data and ACKs stand beside each other.
const CROWD: usize = 40;

/// A colour by its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Text that must be read over lines.
    Ink,
    /// Lanes and other help.
    Muted,
    /// Gridlines.
    Grid,
    /// One of the charts' colours.
    Of(Role),
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub tone: Tone,
    /// Its width.
    pub width: f64,
    /// Lengths of dash and gap; none where it is solid.
    pub dash: &'static [f64],
}

/// Where a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// In the middle.
    Middle,
    /// The text ends there.
    End,
}

/// A piece of the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A line through points.
    Line(Pen, Vec<(f64, f64)>),
    /// A filled polygon: colour, opacity, corners.
    Area(Tone, f64, Vec<(f64, f64)>),
    /// A packet where it is now; an ACK is hollow.
    Dot(Tone, (f64, f64), bool),
    /// Words.
    Text(Tone, (f64, f64), Anchor, String),
}

/// The whole picture, and how much of it is aggregated.
pub struct Picture {
    /// From back to front.
    pub pieces: Vec<Piece>,
    /// Packets in sight, and those of them within bands.
    pub packets: (usize, usize),
    /// The same for ACKs.
    pub acks: (usize, usize),
}

impl Picture {
    /// The picture of `ladder` over the part of `axis` that is shown, on `width` times `height`
    /// pixels, with about so many gridlines.
    pub fn new(ladder: &Ladder, axis: Axis, ticks: usize, width: f64, height: f64) -> Picture {
        let scale = Scale { from: axis.at(0.0), to: axis.at(1.0), width };
        let mut painter = Painter { ladder, scale, height, pieces: Vec::new(), words: Vec::new() };
        painter.lanes(axis, ticks);
        let (mut packets, mut acks) = ((0, 0), (0, 0));
        let mut present = Vec::new();
        for (list, sum) in [(&ladder.acks, &mut acks), (&ladder.flights, &mut packets)] {
            for (class, group) in Class::ALL.into_iter().zip(Group::all(list, scale)) {
                let (lines, banded) = group.count();
                *sum = (sum.0 + lines + banded, sum.1 + banded);
                if lines + banded > 0 {
                    present.push(class);
                }
                let at = |i: usize| &list[group.members[i] as usize];
                for part in &group.parts {
                    match part.len() {
                        1 => painter.line(at(part.start)),
                        _ => painter.band(&part.clone().map(at).collect::<Vec<_>>()),
                    }
                }
            }
        }
        painter.legend(&present);
        let Painter { mut pieces, words, .. } = painter;
        pieces.extend(words);
        Picture { pieces, packets, acks }
    }

    /// How much of the picture is aggregated, in words.
    pub fn caption(&self) -> String {
        let part = |(all, banded): (usize, usize), noun: &str| {
            format!("{} of {} {noun}", grouped(banded as f64), grouped(all as f64))
        };
        if self.packets.0 == 0 && self.acks.0 == 0 {
            return "Nothing is on its way".to_owned();
        }
        if self.packets.1 == 0 && self.acks.1 == 0 {
            return "A line for each packet and each ACK".to_owned();
        }
        let packets = part(self.packets, "packets");
        format!("{packets} and {} shown as bands", part(self.acks, "ACKs"))
    }
}

/// What moves with the cursor: what is on its way at a moment, and the packet a reader points at. The
/// other arguments are as above.
pub fn moment(
    ladder: &Ladder,
    axis: Axis,
    at: Option<f64>,
    picked: Option<usize>,
    width: f64,
    height: f64,
) -> Vec<Piece> {
    let scale = Scale { from: axis.at(0.0), to: axis.at(1.0), width };
    let mut painter = Painter { ladder, scale, height, pieces: Vec::new(), words: Vec::new() };
    if let Some(f) = picked.and_then(|i| ladder.flights.get(i)) {
        let thick = Pen { width: 3.5, dash: &[], ..pen(f.class) };
        painter.stroke(thick, &painter.way(f));
    }
    let Some(at) = at.filter(|at| (scale.from..=scale.to).contains(at)) else {
        return painter.pieces;
    };
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
            painter.pieces.push(Piece::Dot(pen(f.class).tone, (x, y), !is_ack));
        }
    }
    painter.pieces
}

/// How the way from the link to the receiver, or back, is drawn.
fn pen(class: Class) -> Pen {
    let (role, width, dash): (_, _, &'static [f64]) = match class {
        Class::Data => (Role::Accent, 1.0, &[]),
        Class::Ack => (Role::Second, 0.8, &[]),
        Class::Again => (Role::Loss, 1.5, &[7.0, 3.0]),
        Class::Probe => (Role::Limit, 1.8, &[2.0, 3.0]),
        Class::Dropped | Class::Lost => (Role::Loss, 1.2, &[]),
    };
    Pen { tone: Tone::Of(role), width, dash }
}

struct Painter<'a> {
    ladder: &'a Ladder,
    scale: Scale,
    height: f64,
    pieces: Vec<Piece>,
    /// Words go on top of everything.
    words: Vec<Piece>,
}

impl Painter<'_> {
    fn way(&self, f: &Flight) -> [(f64, f64); 4] {
        self.ladder.way(f).map(|(t, y)| (self.scale.x(t), y * self.height))
    }

    fn stroke(&mut self, pen: Pen, points: &[(f64, f64)]) {
        for leg in points.windows(2) {
            if leg[0] == leg[1] {
                continue;
            }
            match (clip_line(leg[0], leg[1], self.scale.width), self.pieces.last_mut()) {
                (Some([a, b]), Some(Piece::Line(last, line)))
                    if *last == pen && line.last() == Some(&a) =>
                {
                    line.push(b);
                }
                (Some([a, b]), _) => self.pieces.push(Piece::Line(pen, vec![a, b])),
                (None, _) => {}
            }
        }
    }

    fn fill(&mut self, tone: Tone, alpha: f64, corners: &[(f64, f64)]) {
        let corners = clip_polygon(corners, self.scale.width);
        if corners.len() > 2 {
            self.pieces.push(Piece::Area(tone, alpha, corners));
        }
    }

    /// Writes where there is room for it.
    fn write(&mut self, tone: Tone, at: (f64, f64), text: String) {
        let half = LETTER * text.chars().count() as f64 / 2.0;
        if at.0 - half < 0.0 || at.0 + half > self.scale.width {
            return;
        }
        let free = self.words.iter().all(|word| match word {
            Piece::Text(_, other, _, words) => {
                let apart = half + LETTER * words.chars().count() as f64 / 2.0 + 2.0;
                (other.0 - at.0).abs() > apart || (other.1 - at.1).abs() > LINE
            }
            _ => true,
        });
        if free {
            self.words.push(Piece::Text(tone, at, Anchor::Middle, text));
        }
    }

    fn lanes(&mut self, axis: Axis, ticks: usize) {
        let (width, height) = (self.scale.width, self.height);
        let grid = Pen { tone: Tone::Grid, width: 1.0, dash: &[] };
        for (t, _) in axis.ticks(ticks) {
            let x = self.scale.x(t);
            self.stroke(grid, &[(x, 0.0), (x, height)]);
        }
        let lane = Pen { tone: Tone::Muted, width: 1.0, dash: &[] };
        for (y, name) in [(0.0, "sender"), (LINK / 2.0, "queue"), (LINK, "link"), (1.0, "receiver")]
        {
            let at = (-4.0, y * height);
            self.pieces.push(Piece::Text(Tone::Muted, at, Anchor::End, name.to_owned()));
            if name != "queue" {
                self.stroke(lane, &[(0.0, y * height), (width, y * height)]);
            }
        }
    }

    fn line(&mut self, f: &Flight) {
        let (pen, way) = (pen(f.class), self.way(f));
        if f.class == Class::Ack {
            return self.stroke(pen, &way);
        }
        if f.class.is_loss() {
            self.stroke(pen, &way);
            return self.cross(way[3], f.class == Class::Lost);
        }
        self.stroke(pen, &way[..2]);
        let waiting = Pen { tone: Tone::Of(Role::Queue), width: 1.2, dash: &[] };
        self.stroke(waiting, &way[1..3]);
        self.stroke(pen, &way[2..]);
        let letter = match f.class {
            Class::Again => "R",
            Class::Probe => "P",
            _ => return,
        };
        let at = (way[2].0 + 0.12 * (way[3].0 - way[2].0) + 7.0, (LINK + 0.09) * self.height);
        self.write(pen.tone, at, letter.to_owned());
    }

    /// A cross; in a ring where it stands for a loss on purpose.
    fn cross(&mut self, (x, y): (f64, f64), ring: bool) {
        let pen = Pen { tone: Tone::Of(Role::Loss), width: 2.0, dash: &[] };
        let r = 4.0;
        self.stroke(pen, &[(x - r, y - r), (x + r, y + r)]);
        self.stroke(pen, &[(x - r, y + r), (x + r, y - r)]);
        if ring {
            // Each corner is the one before, turned: the library's sine would be larger than this file.
            let turn = |(a, b): &(f64, f64)| Some((a * COS - b * SIN, a * SIN + b * COS));
            let corners = std::iter::successors(Some((8.0, 0.0)), turn).take(25);
            let ring: Vec<_> = corners.map(|(a, b)| (x + a, y + b)).collect();
            self.stroke(Pen { width: 1.5, ..pen }, &ring);
        }
    }

    /// Losses close to each other: a bar as long as they took, and their number.
    fn losses(&mut self, members: &[&Flight]) {
        let (first, last) = (self.way(members[0]), self.way(members[members.len() - 1]));
        let top = members.iter().map(|f| self.way(f)[3].1).fold(self.height, f64::min);
        let tone = Tone::Of(Role::Loss);
        let (from, to) = (first[3].0, last[3].0);
        self.fill(tone, 0.25, &[(from, 0.0), (to, 0.0), (to, top), (from, top)]);
        self.fill(
            tone,
            0.8,
            &[(from, top - 2.0), (to, top - 2.0), (to, top + 2.0), (from, top + 2.0)],
        );
        self.cross((from, top), members[0].class == Class::Lost);
        self.cross((to, top), false);
        let middle = ((from.max(0.0) + to.min(self.scale.width)) / 2.0, top + LINE);
        let number = grouped(members.len() as f64);
        self.write(tone, middle, format!("{number} lost"));
    }

    /// Packets too close to be told apart: filled the darker the more there are, with their number.
    fn band(&mut self, members: &[&Flight]) {
        if members[0].class.is_loss() {
            return self.losses(members);
        }
        let pen = pen(members[0].class);
        let last = members.len() - 1;
        // Neighbouring slices of one density are one piece, without seams.
        let mut edges = vec![self.way(members[0])];
        let mut shade = None;
        let mut from = 0;
        while from < last {
            let a = self.way(members[from]);
            let wide = |i: &usize| self.scale.x(members[*i].left) - a[2].0 >= SLICE;
            let to = (from + 1..=last).find(wide).unwrap_or(last);
            let b = self.way(members[to]);
            let density = (to - from) as f64 / (b[2].0 - a[2].0).max(0.5);
            let now = Some((density.min(4.0) * 3.0).ceil() as u32);
            if shade != now {
                self.slices(pen, shade, &edges);
                edges = vec![a];
                shade = now;
            }
            edges.push(b);
            from = to;
        }
        self.slices(pen, shade, &edges);
        // The edges stay sharp, and dashed where the class is; packets that travel together are one line,
        // the thicker the more there are.
        let together = (self.scale.x(members[last].left) - self.scale.x(members[0].left)) < 1.0;
        let more = if together { 0.4 * (members.len() as f64).log2().min(5.0) } else { 0.0 };
        let pen = Pen { width: pen.width + more, ..pen };
        for edge in [members[0], members[last]] {
            self.stroke(pen, &self.way(edge)[2..]);
        }
        self.number(members);
    }

    /// Fills between neighbouring ways; `shade` is the density in twelve steps.
    fn slices(&mut self, pen: Pen, shade: Option<u32>, edges: &[[(f64, f64); 4]]) {
        let Some(shade) = shade else { return };
        let alpha = 0.1 + 0.04 * f64::from(shade);
        // An ACK begins at the receiver and does not wait.
        let waits = edges[0][1].1 < self.height;
        let upper = |corner: usize| edges.iter().map(move |way| way[corner]);
        let mut fill = |tone, alpha, from: usize, to: usize| {
            let corners: Vec<_> = upper(from).chain(upper(to).rev()).collect();
            self.fill(tone, alpha, &corners);
        };
        if waits {
            fill(pen.tone, 0.4 * alpha, 0, 1);
            fill(Tone::Of(Role::Queue), alpha, 1, 2);
        }
        fill(pen.tone, alpha, 2, 3);
    }

    fn number(&mut self, members: &[&Flight]) {
        let class = members[0].class;
        let part = match class {
            Class::Ack => 0.3,
            Class::Data => 0.5,
            _ => 0.2,
        };
        let at = |f: &Flight| {
            let way = self.way(f);
            (way[2].0 + part * (way[3].0 - way[2].0), way[2].1 + part * (way[3].1 - way[2].1))
        };
        let (from, to) = (at(members[0]).0.max(0.0), at(members[members.len() - 1]).0);
        let (to, y) = (to.min(self.scale.width), at(members[0]).1);
        let number = grouped(members.len() as f64);
        let (tone, text) = match class {
            Class::Again => (pen(class).tone, format!("R ×{number}")),
            Class::Probe => (pen(class).tone, format!("P ×{number}")),
            _ => (Tone::Ink, format!("×{number}")),
        };
        let has_room = to - from > LETTER * text.chars().count() as f64;
        if tone != Tone::Ink || has_room || members.len() >= WORTH_A_NUMBER {
            self.write(tone, ((from + to) / 2.0, y), text);
        }
    }

    /// Names right of the plot, each beside a piece of its line.
    fn legend(&mut self, present: &[Class]) {
        let queue = Pen { tone: Tone::Of(Role::Queue), width: 1.5, dash: &[] };
        let mut entries = Vec::new();
        let order =
            [Class::Data, Class::Ack, Class::Again, Class::Probe, Class::Dropped, Class::Lost];
        for class in order.iter().filter(|c| present.contains(c)) {
            let (name, cross) = match class {
                Class::Data => ("data", None),
                Class::Ack => ("ACK", None),
                Class::Again => ("R again", None),
                Class::Probe => ("P probe", None),
                Class::Dropped => ("dropped", Some(false)),
                Class::Lost => ("lost", Some(true)),
            };
            entries.push((pen(*class), name, cross));
        }
        if self.ladder.waits {
            entries.push((queue, "waiting", None));
        }
        let (left, width) = (self.scale.width + 10.0, self.scale.width);
        // The samples lie right of what is clipped.
        self.scale.width = f64::INFINITY;
        for (i, (pen, name, cross)) in entries.into_iter().enumerate() {
            let y = self.height * 0.3 + 18.0 * i as f64;
            match cross {
                Some(ring) => self.cross((left + 9.0, y), ring),
                None => {
                    let pen = Pen { width: pen.width.max(1.5), ..pen };
                    self.stroke(pen, &[(left, y), (left + 18.0, y)]);
                }
            }
            let text = Piece::Text(pen.tone, (left + 24.0, y), Anchor::Start, name.to_owned());
            self.pieces.push(text);
        }
        self.scale.width = width;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ladder, overflowing};
    use super::*;

    #[test]
    fn nothing_is_drawn_outside_the_plot() {
        let (_, ladder) = ladder(&overflowing());
        for axis in [Axis::Time { end: 700.0 }, Axis::Stretch { from: 300.0, to: 340.0 }] {
            let picture = Picture::new(&ladder, axis, 5, 500.0, 300.0);
            assert!(picture.packets.1 > 0 && picture.packets.0 >= picture.packets.1);
            // Only the legend is right of the plot.
            for piece in &picture.pieces {
                if let Piece::Area(_, _, corners) = piece {
                    assert!(corners.iter().all(|c| (-1e-6..=500.0 + 1e-6).contains(&c.0)));
                }
            }
        }
    }

    #[test]
    fn a_picture_stays_small_however_many_packets_there_are() {
        let (_, ladder) = ladder(&packet_core::Scenario {
            size: packet_core::units::Bytes::mb(64),
            hystart: false,
            ..packet_core::Scenario::default()
        });
        let picture = Picture::new(&ladder, Axis::Time { end: 8_000.0 }, 7, 700.0, 300.0);
        assert!(picture.pieces.len() < 2_000, "{}", picture.pieces.len());
        assert!(picture.caption().ends_with("ACKs shown as bands"), "{}", picture.caption());
    }
}
