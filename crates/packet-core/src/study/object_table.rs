//! What a larger window does for each object of a list, on a few paths.
//!
//! An object on a new connection begins with the initial window. One on a connection that has been used
//! begins with what slow start has made of it, a segment more for each one acknowledged, but no more
//! than the path holds; idle times between objects are left out.

use super::{Object, Outcome};
use crate::parameter::{Invalid, Parameter, Value};
use crate::slow_start::{PARAMETERS, Scenario};
use crate::units::{Bytes, Rate, Time};
use std::fmt::{self, Write};

/// A path to readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its round-trip time.
    pub rtt: Time,
    /// Its link rate.
    pub rate: Rate,
}

/// A near reader, one of the farthest twentieth, one of the farthest hundredth.
pub const DEFAULT_PATHS: [Path; 3] = [
    Path { rtt: Time::millis(32), rate: Rate::mbps(20) },
    Path { rtt: Time::millis(85), rate: Rate::mbps(20) },
    Path { rtt: Time::millis(140), rate: Rate::mbps(20) },
];

impl Path {
    /// Reads `85ms,20Mbps`.
    ///
    /// # Errors
    /// [`Invalid`], naming the round-trip time or the rate.
    pub fn parse(text: &str) -> Result<Path, Invalid> {
        let (rtt, rate) = text.split_once(',').ok_or_else(|| Invalid {
            field: "path",
            value: text.to_owned(),
            allowed: "a round-trip time and a rate, as in 85ms,20Mbps".to_owned(),
        })?;
        Ok(Path { rtt: Time(number("rtt", rtt)?), rate: Rate(number("rate", rate)?) })
    }

    fn of(self, scenario: &Scenario) -> Scenario {
        Scenario { rtt: self.rtt, rate: self.rate, ..scenario.clone() }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.rtt, self.rate)
    }
}

fn number(name: &'static str, text: &str) -> Result<u64, Invalid> {
    let is_it = |p: &&Parameter<Scenario>| p.name == name;
    match PARAMETERS.iter().find(is_it).map(|p| p.parse(text.trim())) {
        Some(Ok(Value::Number(n))) => Ok(n),
        Some(Err(error)) => Err(Invalid { field: "path", ..error }),
        _ => Err(Invalid { field: "path", value: text.to_owned(), allowed: name.to_owned() }),
    }
}

/// One object on one path, with the current and with the proposed window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The object, by its place in the list.
    pub object: usize,
    /// The path, by its place among the paths.
    pub path: usize,
    /// With the current window.
    pub current: Outcome,
    /// With the proposed one.
    pub proposed: Outcome,
    /// The initial window that would deliver it in one round trip, in segments.
    pub window_for_one: u32,
}

impl Row {
    /// Round trips of data that the proposed window saves; negative where it costs some.
    pub fn gained_round_trips(&self) -> i32 {
        self.current.round_trips as i32 - self.proposed.round_trips as i32
    }

    /// Milliseconds that it saves; negative where it costs some.
    pub fn saved_ms(&self) -> f64 {
        self.proposed.saves_ms(&self.current)
    }
}

/// All objects on one path, each fetched after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many objects there are.
    pub objects: u32,
    /// How many of them gain a round trip or more.
    pub gain: u32,
    /// The sum of the round trips of data, with the current and the proposed window.
    pub round_trips: [u32; 2],
    /// The sum of the times.
    pub time: [Time; 2],
    /// Packets that found the queue full.
    pub dropped: [u32; 2],
}

/// The size the model is run for: anything smaller than the at_least_1_kb one is a single segment as well.
fn at_least_1_kb(size: Bytes) -> Bytes {
    size.max(Bytes::kb(1))
}

/// A path, by its place; the first window; the segments.
type Case = (usize, u32, u32);

/// Objects by paths, worked out object by object.
#[derive(Clone, Debug)]
pub struct ObjectTable {
    scenario: Scenario,
    objects: Vec<Object>,
    paths: Vec<Path>,
    windows: [u32; 2],
    rows: Vec<Row>,
    /// What has been worked out, by path, first window and segments: many objects are alike.
    known: Vec<(Case, Outcome)>,
}

impl ObjectTable {
    /// These objects on these paths, with the current and the proposed window; everything else is as
    /// in the scenario, but for a single connection that has the link to itself. Nothing is worked out
    /// yet.
    ///
    /// # Errors
    /// [`Invalid`], naming the first parameter that is out of range.
    pub fn new(
        scenario: &Scenario,
        objects: Vec<Object>,
        paths: Vec<Path>,
        windows: [u32; 2],
    ) -> Result<ObjectTable, Invalid> {
        let size = objects.iter().map(|o| o.size).max().map_or(scenario.size, at_least_1_kb);
        for initial_window in windows {
            for path in &paths {
                Scenario { initial_window, size, ..path.of(scenario) }.validate()?;
            }
        }
        let scenario = Scenario { connections: 1, ..scenario.clone() };
        let (rows, known) = (Vec::new(), Vec::new());
        Ok(ObjectTable { scenario, objects, paths, windows, rows, known })
    }

    /// Works out the next `n` objects on all paths; returns their rows.
    pub fn step(&mut self, n: usize) -> &[Row] {
        let from = self.rows.len();
        let done = self.objects_done();
        for object in done..self.objects.len().min(done.saturating_add(n)) {
            for path in 0..self.paths.len() {
                let [current, proposed] = self.windows.map(|w| self.outcome(object, path, w));
                let Object { size, before, .. } = self.objects[object];
                let window_for_one = size.segments().saturating_sub(before).max(1);
                self.rows.push(Row { object, path, current, proposed, window_for_one });
            }
        }
        &self.rows[from..]
    }

    fn outcome(&mut self, object: usize, path: usize, window: u32) -> Outcome {
        let Object { size, before, .. } = self.objects[object];
        let scenario = self.paths[path].of(&self.scenario);
        let first = if before == 0 {
            window
        } else {
            window.saturating_add(before).min(scenario.bdp_packets() as u32).max(window)
        };
        let case = (path, first, size.segments());
        let place = self.known.binary_search_by_key(&case, |known| known.0);
        let place = place.unwrap_or_else(|place| {
            let size = at_least_1_kb(size);
            let outcome = Outcome::with_window(&Scenario { size, ..scenario }, first);
            self.known.insert(place, (case, outcome));
            place
        });
        Outcome { initial_window: window, ..self.known[place].1 }
    }

    fn objects_done(&self) -> usize {
        self.rows.len() / self.paths.len().max(1)
    }

    /// Whether every object has been worked out.
    pub fn is_done(&self) -> bool {
        self.paths.is_empty() || self.objects_done() == self.objects.len()
    }

    /// What has been worked out: object by object, path by path.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The objects.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The paths.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The current and the proposed window.
    pub fn windows(&self) -> [u32; 2] {
        self.windows
    }

    /// The sums of what has been worked out on one path.
    pub fn total(&self, path: usize) -> Total {
        let mut total = Total::default();
        for row in self.rows.iter().filter(|row| row.path == path) {
            total.objects += 1;
            total.gain += u32::from(row.gained_round_trips() > 0);
            for (i, outcome) in [row.current, row.proposed].iter().enumerate() {
                total.round_trips[i] += outcome.round_trips;
                total.time[i] += outcome.time;
                total.dropped[i] += outcome.dropped;
            }
        }
        total
    }

    /// What has been worked out as comma-separated values, with a header (RFC 4180).
    pub fn csv(&self) -> String {
        let mut csv = String::from(
            "host,name,bytes,reused_connection,rtt_ms,rate_bps,\
             current_window,proposed_window,current_round_trips,proposed_round_trips,\
             current_ms,proposed_ms,saved_ms,current_drops,proposed_drops,window_for_one_round_trip\n",
        );
        for row in &self.rows {
            let (object, path) = (&self.objects[row.object], &self.paths[row.path]);
            let (a, b) = (&row.current, &row.proposed);
            // Writing to a string cannot fail.
            let _ = writeln!(
                csv,
                "{},{},{},{},{},{},{},{},{},{},{:.3},{:.3},{:.3},{},{},{}",
                cell(&object.host),
                cell(&object.name),
                object.size.0,
                object.before > 0,
                path.rtt.as_millis(),
                path.rate.0,
                self.windows[0],
                self.windows[1],
                a.round_trips,
                b.round_trips,
                a.time.as_millis(),
                b.time.as_millis(),
                row.saved_ms(),
                a.dropped,
                b.dropped,
                row.window_for_one,
            );
        }
        csv
    }
}

/// A word as a cell: in quotes where it needs them, and never a formula to a spreadsheet.
fn cell(word: &str) -> String {
    let word =
        if word.starts_with(['=', '+', '-', '@']) { format!("'{word}") } else { word.to_owned() };
    if word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::super::Objects;
    use super::*;

    fn table(text: &str) -> ObjectTable {
        let objects = Objects::parse(text).objects;
        let start = Scenario::default();
        ObjectTable::new(&start, objects, DEFAULT_PATHS.to_vec(), [10, 32]).expect("allowed")
    }

    #[test]
    fn each_object_has_a_row_on_each_path() {
        let mut table = table("small, 14KB\npage, 68KB\ntiny, 300\n\"a, b\", 14KB");
        assert_eq!(table.step(1).len(), 3);
        assert_eq!(table.step(9).len(), 9);
        assert!(table.is_done());
        let round_trips = |i: usize| {
            let row = table.rows()[3 * i];
            (row.current.round_trips, row.proposed.round_trips, row.window_for_one)
        };
        assert_eq!([0, 1, 2].map(round_trips), [(1, 1, 10), (3, 2, 49), (1, 1, 1)]);
        let total = table.total(0);
        assert_eq!((total.objects, total.gain, total.round_trips), (4, 1, [6, 5]));
        let csv = table.csv();
        assert_eq!(csv.lines().count(), 13);
        assert!(csv.contains("\n,\"a, b\",14336,false,32,20000000,10,32,1,1,"), "{csv}");
    }

    #[test]
    fn a_used_connection_begins_with_a_larger_window() {
        let mut objects = Objects::parse("page, 68KB\nagain, 68KB").objects;
        objects[1].before = 49;
        let path = Path { rtt: Time::millis(85), rate: Rate::mbps(100) };
        let mut table =
            ObjectTable::new(&Scenario::default(), objects, vec![path], [10, 32]).expect("allowed");
        table.step(2);
        let (first, again) = (table.rows()[0], table.rows()[1]);
        assert_eq!((first.current.round_trips, again.current.round_trips), (3, 1));
        assert_eq!((again.gained_round_trips(), again.window_for_one), (0, 1));
    }

    #[test]
    fn an_object_that_is_too_large_is_refused() {
        let mut objects = Objects::parse("page, 68KB").objects;
        objects[0].size = Bytes(u64::MAX / 2);
        let paths = DEFAULT_PATHS.to_vec();
        let error = ObjectTable::new(&Scenario::default(), objects, paths, [10, 32]);
        assert_eq!(error.expect_err("too large").field, "size");
    }

    #[test]
    fn a_path_is_a_time_and_a_rate() {
        assert_eq!(Path::parse("32ms, 20Mbps"), Ok(DEFAULT_PATHS[0]));
        for (text, message) in [
            (
                "85ms",
                "path: '85ms' is not allowed; use a round-trip time and a rate, as in 85ms,20Mbps",
            ),
            ("85,20Mbps", "path: '85' is not allowed; use 1 ms to 300 ms"),
            ("85ms,20", "path: '20' is not allowed; use 1 Mbps to 10 Gbps"),
        ] {
            assert_eq!(Path::parse(text).map_err(|e| e.to_string()), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_cell_is_quoted_where_it_must_be() {
        assert_eq!(["a", "a,b", "=1"].map(cell), ["a", "\"a,b\"", "'=1"]);
    }
}
