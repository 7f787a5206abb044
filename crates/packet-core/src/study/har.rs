//! Objects from a browser's recording, an HTTP archive (HAR 1.2).
//!
//! Reading its JSON needs a crate that would weigh on the page, which has a reader of its own at hand:
//! it makes each entry an [`Entry`] and calls [`from_entries`]. The command line uses the `har` feature.

use super::objects::{Object, Objects, size};

/// What is read of an entry of `log.entries`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// `request.url`.
    pub url: String,
    /// What [`body_bytes`] makes of its sizes.
    pub body_bytes: Option<u64>,
    /// `connection`, where present: entries with the same one shared a connection.
    pub connection: Option<String>,
}

/// The bytes of a body on its way: `response.bodySize`, where that is known and not -1, else
/// `response.content.size` less `response.content.compression`.
pub fn body_bytes(body_size: i64, content_size: i64, compression: i64) -> Option<u64> {
    let content = content_size.saturating_sub(compression);
    let known = if body_size >= 0 { body_size } else { content };
    u64::try_from(known).ok().filter(|bytes| body_size >= 0 || *bytes > 0)
}

/// The objects of a recording, in its order. An object on a connection that another one has used before
/// remembers how many segments that was; one without a connection is taken to have had a new one.
pub fn from_entries(entries: impl IntoIterator<Item = Entry>) -> Objects {
    let mut list = Objects::default();
    // Connections are numbered anew for each host by some browsers.
    let mut used: Vec<(String, String, u32)> = Vec::new();
    for (entry, number) in entries.into_iter().zip(1..) {
        let (host, name) = place(&entry.url);
        let bytes = entry.body_bytes.ok_or_else(|| "the size of its body is not known".to_owned());
        let read = bytes.and_then(size).map(|size| {
            let mut before = 0;
            if let Some(id) = entry.connection.filter(|id| !id.is_empty()) {
                let same = used.iter().position(|(h, i, _)| h == host && *i == id);
                let place = same.unwrap_or(used.len());
                if same.is_none() {
                    used.push((host.to_owned(), id, 0));
                }
                before = used[place].2;
                used[place].2 += size.segments();
            }
            Object { name: name.to_owned(), host: host.to_owned(), size, before }
        });
        list.add(number, read.map_err(|reason| format!("{}: {reason}", entry.url)));
    }
    list
}

/// The host of a URL, and its path without the query.
fn place(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    match rest.find('/') {
        Some(slash) => rest.split_at(slash),
        None => (rest, "/"),
    }
}

/// Reads a HAR file. What an entry lacks, or has of another kind, is taken as not known.
///
/// # Errors
/// A sentence, where it is none.
#[cfg(feature = "har")]
pub fn parse(text: &str) -> Result<Objects, String> {
    use serde_json::Value;

    let whole: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("not an HTTP archive: {error}"))?;
    let entries = whole.pointer("/log/entries").and_then(Value::as_array);
    let entries = entries.ok_or("not an HTTP archive: there is no list log.entries")?;
    Ok(from_entries(entries.iter().map(|entry| {
        let number = |path: &str| entry.pointer(path).and_then(Value::as_f64);
        let text = |path: &str| entry.pointer(path).and_then(Value::as_str).map(str::to_owned);
        let body_size = number("/response/bodySize").unwrap_or(-1.0);
        let size = number("/response/content/size").unwrap_or_default();
        let compression = number("/response/content/compression").unwrap_or_default();
        Entry {
            url: text("/request/url").unwrap_or_default(),
            body_bytes: body_bytes(body_size as i64, size as i64, compression as i64),
            connection: text("/connection"),
        }
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str, bytes: u64, connection: &str) -> Entry {
        let connection = Some(connection.to_owned()).filter(|c| !c.is_empty());
        Entry { url: url.to_owned(), body_bytes: Some(bytes), connection }
    }

    #[test]
    fn objects_on_one_connection_follow_each_other() {
        let list = from_entries([
            entry("https://a.example/", 68 * 1024, "443"),
            entry("https://a.example/app.js?v=3", 1_448, "443"),
            entry("https://b.example/x.png", 1_449, "443"),
            entry("https://a.example/late.css", 100, "443"),
            entry("https://a.example/other", 100, ""),
        ]);
        let read: Vec<_> = list.objects.iter().map(|o| (&*o.host, &*o.name, o.before)).collect();
        let expected = [
            ("a.example", "/", 0),
            ("a.example", "/app.js", 49),
            ("b.example", "/x.png", 0),
            ("a.example", "/late.css", 50),
            ("a.example", "/other", 0),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn an_entry_without_a_body_is_named() {
        let list = from_entries([
            entry("https://a.example/cached", 0, ""),
            Entry { url: "https://a.example".to_owned(), ..Entry::default() },
        ]);
        assert_eq!(list.bad[0].reason, "https://a.example/cached: nothing to send: 0 bytes");
        assert_eq!(list.bad[1].reason, "https://a.example: the size of its body is not known");
        assert_eq!(list.bad[1].line, 2);
    }

    #[cfg(feature = "har")]
    #[test]
    fn a_file_is_read_for_its_bodies_and_connections() {
        let text = r#"{"log": {"version": "1.2", "entries": [
            {"request": {"url": "https://a.example/"}, "connection": "7",
             "response": {"status": 200, "bodySize": 14480, "content": {"size": 50000}}},
            {"request": {"url": "https://a.example/b"}, "connection": "7",
             "response": {"bodySize": -1, "content": {"size": 3000, "compression": 1000}}},
            {"request": {"url": "https://a.example/c"},
             "response": {"bodySize": -1, "content": {"size": 0}}}]}}"#;
        let list = parse(text).expect("an archive");
        let read: Vec<_> = list.objects.iter().map(|o| (o.size.0, o.before)).collect();
        assert_eq!(read, [(14_480, 0), (2_000, 10)]);
        assert_eq!(list.bad.len(), 1);
        let error = parse("{}").expect_err("no archive");
        assert_eq!(error, "not an HTTP archive: there is no list log.entries");
        assert!(parse("{").expect_err("no JSON").starts_with("not an HTTP archive: EOF"));
    }

    #[cfg(feature = "har")]
    #[test]
    fn one_bad_entry_spoils_no_other() {
        let text = r#"{"log": {"entries": [
            {"request": {"url": "https://a.example/a"},
             "response": {"bodySize": null, "content": {"size": 3000}}},
            {"request": {"url": "https://a.example/b"}, "connection": 7,
             "response": {"bodySize": 100.0}},
            {"request": {"url": "https://a.example/c"}, "response": {"bodySize": "many"}},
            {"request": {"url": "https://a.example/d"}, "response": null},
            "nothing"]}}"#;
        let list = parse(text).expect("an archive");
        let read: Vec<_> = list.objects.iter().map(|o| (&*o.name, o.size.0)).collect();
        assert_eq!(read, [("/a", 3_000), ("/b", 100)]);
        assert_eq!(list.bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [3, 4, 5]);
    }
}
