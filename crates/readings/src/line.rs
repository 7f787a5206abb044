//! One line of `ss`: an address line, an info line, or both.

use crate::field::{self, Field};

/// The columns before the info: state, queues, addresses.
#[derive(Debug, PartialEq)]
pub(crate) struct Address<'a> {
    /// What kind of socket it is, where that column is printed.
    pub netid: Option<&'a str>,
    /// The state, where that column is printed.
    pub state: Option<&'a str>,
    pub local: &'a str,
    pub peer: &'a str,
}

/// The values of the Netid column.
const NETIDS: &[&str] = &[
    "tcp", "mptcp", "udp", "raw", "icmp6", "sctp", "dccp", "u_str", "u_dgr", "u_seq", "nl",
    "p_raw", "p_dgr", "v_str", "v_dgr", "ti_st", "ti_dg", "ti_rd", "ti_sq", "xdp", "???",
];

/// The values of the State column.
const STATES: &[&str] = &[
    "ESTAB",
    "SYN-SENT",
    "SYN-RECV",
    "FIN-WAIT-1",
    "FIN-WAIT-2",
    "TIME-WAIT",
    "UNCONN",
    "CLOSE-WAIT",
    "LAST-ACK",
    "LISTEN",
    "CLOSING",
    "UNKNOWN",
];

/// Whether this is the line of column titles.
pub(crate) fn is_heading(tokens: &[&str]) -> bool {
    matches!(tokens, ["State" | "Netid" | "Recv-Q", rest @ ..] if rest.contains(&"Send-Q"))
}

/// Reads the address columns; gives them and the tokens after them.
pub(crate) fn address<'a, 'b>(tokens: &'b [&'a str]) -> Option<(Address<'a>, &'b [&'a str])> {
    let (netid, tokens) = column(tokens, NETIDS);
    // With a state filter, `ss` leaves that column out.
    let (state, tokens) = column(tokens, STATES);
    match tokens {
        [received, sent, local, peer, rest @ ..]
            if is_queue(received) && is_queue(sent) && is_address(local) && is_address(peer) =>
        {
            Some((Address { netid, state, local, peer }, rest))
        }
        // Sockets that are not of the internet family have a space for the colon.
        [received, sent, local, ..]
            if netid.is_some_and(|n| n != "tcp") && is_queue(received) && is_queue(sent) =>
        {
            Some((Address { netid, state, local, peer: "" }, &[]))
        }
        _ => None,
    }
}

fn column<'a, 'b>(tokens: &'b [&'a str], words: &[&str]) -> (Option<&'a str>, &'b [&'a str]) {
    match tokens {
        [first, rest @ ..] if words.contains(first) => (Some(first), rest),
        _ => (None, tokens),
    }
}

fn is_queue(token: &str) -> bool {
    crate::tokens::count(token).is_some()
}

/// `192.0.2.10:443`, `[2001:db8::7]:https`, `192.0.2.10%eth0:443`, `*:*`.
fn is_address(token: &str) -> bool {
    let parts = token.rsplit_once(':');
    parts.is_some_and(|(host, port)| {
        let bracketed = host.starts_with('[') && host.contains(']');
        let port_ok = !port.is_empty() && !port.contains(['/', '(', ',', '.']);
        port_ok
            && !host.is_empty()
            && !host.contains(['(', '"', '='])
            && (bracketed || host == "*" || host.contains(['.', ':', '%']))
    })
}

/// A part of an info line.
pub(crate) enum Item<'a> {
    /// A field and the text of its value.
    Field { field: &'static Field, value: &'a str, text: String },
    /// The name of a congestion control.
    CongestionControl(&'static str),
    /// The word `app_limited`.
    AppLimited,
    /// A field without a bearing here, by its name.
    Aside(&'a str),
    /// None of these.
    Unknown(&'a str),
}

/// Takes the tokens of an info line apart.
pub(crate) fn items<'a>(tokens: &[&'a str]) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut tokens = tokens.iter().copied().peekable();
    while let Some(token) = tokens.next() {
        let rate = field::RATES.iter().find(|f| f.name == token);
        if let (Some(field), Some(value)) = (rate, tokens.peek().copied())
            // Where the value is none, the name is still one, but `send` is an English word too.
            && (value.ends_with("bps")
                || token != "send" && value.starts_with(|c: char| c.is_ascii_digit()))
        {
            tokens.next();
            items.push(Item::Field { field, value, text: format!("{token} {value}") });
            continue;
        }
        let item = item(token);
        if matches!(item, Item::Aside(_)) && token.ends_with(':') {
            // The details of TLS are printed as `version: 1.3`.
            tokens.next_if(|next| !next.contains(':'));
        }
        items.push(item);
    }
    items
}

fn item(token: &str) -> Item<'_> {
    if let Some((name, value)) = token.split_once(':') {
        let field = field::FIELDS.iter().find(|f| f.name == name);
        return match field {
            Some(field) => Item::Field { field, value, text: token.to_owned() },
            None if field::is_aside(name) => Item::Aside(name),
            None => Item::Unknown(token),
        };
    }
    if let Some(name) = field::CONGESTION_CONTROLS.iter().find(|name| **name == token) {
        Item::CongestionControl(name)
    } else if token == "app_limited" {
        Item::AppLimited
    } else if field::is_aside_word(token) {
        Item::Aside(token)
    } else {
        Item::Unknown(token)
    }
}

/// Whether these are the parts of an info line: one is a field, or all are known.
pub(crate) fn is_info(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| matches!(item, Item::Field { .. }))
        || items.iter().all(|item| !matches!(item, Item::Unknown(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::split;

    fn addresses(line: &str) -> Option<(Option<&str>, &str, &str, usize)> {
        let tokens = split(line);
        address(&tokens).map(|(a, rest)| (a.state, a.local, a.peer, rest.len()))
    }

    #[test]
    fn every_form_of_the_address_columns_is_read() {
        let (a, b) = ("192.0.2.10:443", "198.51.100.7:51234");
        for (line, state, more) in [
            (format!("ESTAB 0 0 {a} {b}"), Some("ESTAB"), 0),
            (format!("tcp   ESTAB 0 8688 {a} {b}"), Some("ESTAB"), 0),
            (format!("0 0 {a} {b}"), None, 0),
            (format!("ESTAB 0 0 {a} {b} users:((\"nginx\",pid=7,fd=4))"), Some("ESTAB"), 1),
            (format!("ESTAB 0 0 {a} {b} cubic wscale:7,7"), Some("ESTAB"), 2),
        ] {
            assert_eq!(addresses(&line), Some((state, a, b, more)), "{line}");
        }
        let six = "ESTAB 0 0 [2001:db8::7]:https [2001:db8::8]:51234";
        assert_eq!(addresses(six).map(|a| a.1), Some("[2001:db8::7]:https"));
        assert!(addresses("LISTEN 0 511 *:80 *:*").is_some());
        assert!(addresses("LISTEN 0 511 127.0.0.1%lo:domain 0.0.0.0:*").is_some());
    }

    #[test]
    fn sockets_of_other_kinds_are_told_apart() {
        let tokens = split("u_str ESTAB 0 0 * 176015 * 176014");
        let (address, _) = address(&tokens).expect("columns");
        assert_eq!(address.netid, Some("u_str"));
    }

    #[test]
    fn a_line_of_figures_is_no_address() {
        for line in ["cubic wscale:7,7 rto:204", "10 20 rtt:1/2 mss:1448", "0 0", "", "a b c d"] {
            assert_eq!(addresses(line), None, "{line}");
        }
    }

    #[test]
    fn prose_is_no_info_line() {
        for line in ["send help", "the cubic root", "time: noon"] {
            assert!(!is_info(&items(&split(line))), "{line}");
        }
        for line in ["cwnd:10 strange", "ts sack cubic", "dsack_dups:1"] {
            assert!(is_info(&items(&split(line))), "{line}");
        }
    }

    #[test]
    fn the_details_of_tls_are_set_aside_with_their_values() {
        let line = "tcp-ulp-tls version: 1.3 cipher: aes-gcm-128 rxconf: sw txconf: sw";
        let tokens = split(line);
        let items = items(&tokens);
        assert_eq!(items.len(), 5);
        assert!(items.iter().all(|item| matches!(item, Item::Aside(_))));
    }
}
