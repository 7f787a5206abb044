//! A list of objects, as people paste it: a line for each, with its name and its size.

use crate::slow_start::scenario::LARGEST;
use crate::units::{Bytes, Unit};

/// Something that is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// The host it comes from; empty where that is not known.
    pub host: String,
    /// Its size.
    pub size: Bytes,
    /// Segments fetched before on the same connection; none where the connection is new.
    pub before: u32,
}

/// A line, or an entry of a recording, that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, counted from 1.
    pub line: u32,
    /// What is wrong with it.
    pub reason: String,
}

/// What could be read, and what could not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// The objects, in the order of the list.
    pub objects: Vec<Object>,
    /// The lines that were left out.
    pub bad: Vec<BadLine>,
}

impl Objects {
    /// Reads lines of `name, bytes`. Sizes may be written as `14KB`; a name may stand in double quotes,
    /// doubled inside (RFC 4180). Empty lines, lines that begin with `#`, and a line of headings at the
    /// start are skipped.
    pub fn parse(text: &str) -> Objects {
        let mut list = Objects::default();
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let mut is_first = true;
        for (line, number) in lines.zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let is_heading = std::mem::take(&mut is_first) && is_heading(line);
            if !is_heading {
                list.add(number, object(line));
            }
        }
        list
    }

    /// Takes what one line gave.
    pub(super) fn add(&mut self, line: u32, read: Result<Object, String>) {
        match read {
            Ok(object) => self.objects.push(object),
            Err(reason) => self.bad.push(BadLine { line, reason }),
        }
    }
}

/// Whether the model can be run for an object of so many bytes.
pub(super) fn size(bytes: u64) -> Result<Bytes, String> {
    match Bytes(bytes) {
        Bytes(0) => Err("nothing to send: 0 bytes".to_owned()),
        size if size > LARGEST => Err(format!("{size} is more than {LARGEST}")),
        size => Ok(size),
    }
}

fn is_heading(line: &str) -> bool {
    let last = line.rsplit(',').next().unwrap_or_default().trim().trim_matches('"');
    matches!(last.to_ascii_lowercase().as_str(), "bytes" | "size")
}

fn object(line: &str) -> Result<Object, String> {
    let (name, bytes) = split(line)?;
    if name.is_empty() {
        return Err("there is no name before the comma".to_owned());
    }
    let text = bytes.trim();
    let text = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
    let bytes = Unit::Bytes.parse(text);
    let bytes = bytes.ok_or_else(|| format!("'{text}' is not a size such as 14336 or 14KB"))?;
    Ok(Object { name, host: String::new(), size: size(bytes)?, before: 0 })
}

/// The name and what stands behind its comma. Without quotes the last comma counts.
fn split(line: &str) -> Result<(String, &str), String> {
    let no_comma = || "there is no comma between name and bytes".to_owned();
    let Some(quoted) = line.strip_prefix('"') else {
        let (name, bytes) = line.rsplit_once(',').ok_or_else(no_comma)?;
        return Ok((name.trim().to_owned(), bytes));
    };
    let mut name = String::new();
    let mut rest = quoted;
    loop {
        let (part, after) = rest.split_once('"').ok_or("the quote is not closed")?;
        name += part;
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => {
                let bytes = after.trim_start().strip_prefix(',').ok_or_else(no_comma)?;
                return Ok((name, bytes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_names_and_sizes() {
        let text = "\u{feff}Name, Bytes\n# comment\n\nindex.html, 68KB\r\n\"a, \"\"b\"\"\" , 14336\n\
                    list, of, three, 1.5 MB\n\"q\",\"2000\"\n";
        let list = Objects::parse(text);
        assert_eq!(list.bad, []);
        let read: Vec<_> = list.objects.iter().map(|o| (o.name.as_str(), o.size.0)).collect();
        let expected = [
            ("index.html", 69_632),
            ("a, \"b\"", 14_336),
            ("list, of, three", 1_572_864),
            ("q", 2_000),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_bad_line_is_named_with_its_number_and_reason_and_the_rest_is_used() {
        let text = "good, 1KB\nno size\nbad, many\nempty, 0\nhuge, 65MB\n, 12\n\"open, 12\n\"x\" 12\nneg, -1\nlast, 300";
        let list = Objects::parse(text);
        assert_eq!(list.objects.len(), 2);
        let bad: Vec<_> = list.bad.iter().map(|b| (b.line, b.reason.as_str())).collect();
        let expected = [
            (2, "there is no comma between name and bytes"),
            (3, "'many' is not a size such as 14336 or 14KB"),
            (4, "nothing to send: 0 bytes"),
            (5, "65 MB is more than 64 MB"),
            (6, "there is no name before the comma"),
            (7, "the quote is not closed"),
            (8, "there is no comma between name and bytes"),
            (9, "'-1' is not a size such as 14336 or 14KB"),
        ];
        assert_eq!(bad, expected);
    }

    #[test]
    fn a_heading_counts_in_the_first_line_only() {
        assert_eq!(Objects::parse("file,size\nfile,size").bad.len(), 1);
        assert_eq!(Objects::parse(""), Objects::default());
    }
}
