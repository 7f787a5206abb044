//! What is drawn of a ladder: single lines where they can be told apart, bands where they cannot.

use super::{Class, Flight};
use std::ops::Range;

/// Lines closer than this cannot be told apart, in CSS pixels.
const GAP: f64 = 2.0;
/// Packets that leave the link close together but were sent further apart than this stay lines.
const SENT_GAP: f64 = 12.0;
/// A lost packet's mark needs this much room.
const MARK: f64 = 7.0;

/// A stretch of time and the CSS pixels it is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The moment at the left edge, in milliseconds.
    pub from: f64,
    /// The moment at the right edge.
    pub to: f64,
    /// From edge to edge, in CSS pixels.
    pub width: f64,
}

impl Scale {
    /// Where a moment is, in CSS pixels from the left edge.
    pub fn x(self, t: f64) -> f64 {
        (t - self.from) / (self.to - self.from) * self.width
    }

    fn shows(self, f: &Flight) -> bool {
        f.sent <= self.to && f.arrived >= self.from
    }
}

/// The flights of one class that are in sight, and how they are drawn: each of `parts` is a line, or a
/// band where it has more than one.
#[derive(Default)]
pub struct Group {
    /// Their places in the list they come from, in its order.
    pub members: Vec<u32>,
    /// Parts of `members`; together, all of them.
    pub parts: Vec<Range<usize>>,
}

impl Group {
    /// The flights of each of [`Class::ALL`] among `flights`.
    pub fn all(flights: &[Flight], scale: Scale) -> [Group; Class::ALL.len()] {
        let mut groups: [Group; Class::ALL.len()] = Default::default();
        let px = scale.width / (scale.to - scale.from);
        for (i, f) in flights.iter().enumerate().filter(|(_, f)| scale.shows(f)) {
            let group = &mut groups[f.class as usize];
            let gap = if f.class.is_loss() { MARK } else { GAP };
            let is_close = group.members.last().is_some_and(|before| {
                let before = &flights[*before as usize];
                (f.left - before.left) * px < gap && (f.sent - before.sent) * px < gap.max(SENT_GAP)
            });
            let place = group.members.len();
            group.members.push(i as u32);
            match group.parts.last_mut() {
                Some(part) if is_close => part.end = place + 1,
                _ => group.parts.push(place..place + 1),
            }
        }
        groups
    }

    /// How many are drawn as lines of their own, and how many within bands.
    pub fn count(&self) -> (usize, usize) {
        let lines = self.parts.iter().filter(|p| p.len() == 1).count();
        (lines, self.members.len() - lines)
    }
}

/// The part of a line between two upright edges.
pub fn clip_line(a: (f64, f64), b: (f64, f64), width: f64) -> Option<[(f64, f64); 2]> {
    let (left, right) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    if right.0 < 0.0 || left.0 > width {
        return None;
    }
    let at = |x: f64| (x, left.1 + (right.1 - left.1) * (x - left.0) / (right.0 - left.0));
    let from = if left.0 < 0.0 { at(0.0) } else { left };
    let to = if right.0 > width { at(width) } else { right };
    Some(if a.0 <= b.0 { [from, to] } else { [to, from] })
}

/// The part of a polygon between two upright edges (Sutherland and Hodgman).
pub fn clip_polygon(corners: &[(f64, f64)], width: f64) -> Vec<(f64, f64)> {
    let mut corners = corners.to_vec();
    for (edge, inside) in [(0.0, 1.0), (width, -1.0)] {
        let is_in = |p: (f64, f64)| (p.0 - edge) * inside >= 0.0;
        let mut kept = Vec::with_capacity(corners.len() + 2);
        for (i, &b) in corners.iter().enumerate() {
            let a = corners[(i + corners.len() - 1) % corners.len()];
            if is_in(a) != is_in(b) {
                kept.push((edge, a.1 + (b.1 - a.1) * (edge - a.0) / (b.0 - a.0)));
            }
            if is_in(b) {
                kept.push(b);
            }
        }
        corners = kept;
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ladder, overflowing};
    use super::*;
    use packet_core::units::Bytes;
    use packet_core::{Scenario, run};

    fn groups(ladder: &super::super::Ladder, scale: Scale) -> Vec<(Class, Group)> {
        let both = [&ladder.acks, &ladder.flights].map(|list| Group::all(list, scale));
        let named = both.into_iter().flat_map(|groups| Class::ALL.into_iter().zip(groups));
        named.filter(|(_, group)| !group.members.is_empty()).collect()
    }

    #[test]
    fn drawn_and_aggregated_packets_are_all_packets() {
        let small = Scenario { size: Bytes::kb(14), ..Scenario::default() };
        let long = Scenario { size: Bytes::mb(16), hystart: false, ..Scenario::default() };
        for scenario in [small, Scenario::default(), overflowing(), long] {
            let (run, ladder) = ladder(&scenario);
            for width in [200.0, 700.0, 20_000.0] {
                let scale = Scale { from: 0.0, to: 20_000.0, width };
                let groups = groups(&ladder, scale);
                let mut drawn = 0;
                for (class, group) in &groups {
                    let (lines, banded) = group.count();
                    let covered: usize = group.parts.iter().map(|p| p.len()).sum();
                    assert_eq!(lines + banded, covered);
                    assert_eq!(covered, group.members.len());
                    if *class != Class::Ack {
                        drawn += covered;
                    }
                }
                assert_eq!(drawn, run.packets.len());
                assert_eq!(groups[0].1.members.len(), run.replies.len());
            }
        }
    }

    #[test]
    fn stretches_of_the_time_show_every_packet_at_least_once() {
        let (run, ladder) = ladder(&overflowing());
        let end = run.first().finished.as_millis();
        let mut seen = vec![false; run.packets.len()];
        for i in 0..40 {
            let part = |i: i32| end * f64::from(i) / 40.0;
            let scale = Scale { from: part(i), to: part(i + 1), width: 500.0 };
            for (class, group) in groups(&ladder, scale) {
                if class != Class::Ack {
                    group.members.iter().for_each(|m| seen[*m as usize] = true);
                }
            }
        }
        assert!(seen.iter().all(|s| *s));
    }

    #[test]
    fn ten_packets_are_ten_lines() {
        let small = Scenario { size: Bytes::kb(14), ..Scenario::default() };
        let run = run(&small).expect("an allowed scenario");
        let (_, ladder) = ladder(&small);
        let to = run.first().finished.as_millis();
        let groups = groups(&ladder, Scale { from: 0.0, to, width: 200.0 });
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[1].1.count(), (10, 0));
    }

    #[test]
    fn packets_that_leave_together_are_a_band_however_close_one_looks() {
        let (_, ladder) =
            ladder(&Scenario { rate: packet_core::units::Rate::gbps(10), ..Scenario::default() });
        let scale = Scale { from: 0.0, to: 531.0, width: 400_000.0 };
        let groups = groups(&ladder, scale);
        assert!(groups[1].1.parts.iter().any(|p| p.len() > 1), "a slot sends several at once");
    }

    #[test]
    fn clipping_keeps_what_is_between_the_edges() {
        assert_eq!(clip_line((-5.0, 0.0), (5.0, 10.0), 20.0), Some([(0.0, 5.0), (5.0, 10.0)]));
        assert_eq!(clip_line((25.0, 0.0), (15.0, 10.0), 20.0), Some([(20.0, 5.0), (15.0, 10.0)]));
        assert_eq!(clip_line((21.0, 0.0), (25.0, 10.0), 20.0), None);
        let square = [(-5.0, 0.0), (30.0, 0.0), (30.0, 1.0), (-5.0, 1.0)];
        let clipped = clip_polygon(&square, 20.0);
        assert_eq!(clipped.len(), 4);
        assert!(clipped.iter().all(|p| p.0 == 0.0 || p.0 == 20.0));
        assert!(clip_polygon(&[(30.0, 0.0), (40.0, 0.0), (35.0, 1.0)], 20.0).is_empty());
    }
}
