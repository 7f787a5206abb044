//! The fields of an info line, by the names and in the forms that iproute2's `ss.c` prints.

use crate::socket::Info;
use crate::tokens::{count, milliseconds, pair, rate};
use packet_core::units::Time;

/// A field with a bearing on how a connection starts.
pub(crate) struct Field {
    /// Its name in `ss`.
    pub name: &'static str,
    /// The form of its value, for messages.
    pub form: &'static str,
    /// Reads the value; false where it is not of that form.
    pub read: fn(&mut Info, &str) -> bool,
}

/// Fields of the form `name:value`.
pub(crate) const FIELDS: &[Field] = &[
    field("wscale", "two shifts, a,b", |i, v| set(&mut i.window_scale, shifts(v))),
    field("rto", MS, |i, v| set(&mut i.rto, milliseconds(v))),
    field("backoff", COUNT, |i, v| set(&mut i.backoff, count(v))),
    field("rtt", "two times in milliseconds, a/b", |i, v| {
        set(&mut i.rtt, pair(v, '/', milliseconds))
    }),
    field("minrtt", MS, |i, v| set(&mut i.min_rtt, milliseconds(v))),
    field("ato", MS, |i, v| set(&mut i.ato, milliseconds(v))),
    field("mss", COUNT, |i, v| set(&mut i.mss, count(v))),
    field("pmtu", COUNT, |i, v| set(&mut i.pmtu, count(v))),
    field("cwnd", COUNT, |i, v| set(&mut i.cwnd, count(v))),
    field("ssthresh", COUNT, |i, v| set(&mut i.ssthresh, count(v))),
    field("bytes_sent", COUNT, |i, v| set(&mut i.bytes_sent, count(v))),
    field("bytes_retrans", COUNT, |i, v| set(&mut i.bytes_retrans, count(v))),
    field("bytes_acked", COUNT, |i, v| set(&mut i.bytes_acked, count(v))),
    field("bytes_received", COUNT, |i, v| set(&mut i.bytes_received, count(v))),
    field("lastsnd", MS, |i, v| set(&mut i.last_sent, milliseconds(v))),
    field("busy", "a time such as 8ms", |i, v| set(&mut i.busy, with_ms(v))),
    field("rwnd_limited", LIMITED, |i, v| set(&mut i.rwnd_limited, limited(v))),
    field("sndbuf_limited", LIMITED, |i, v| set(&mut i.sndbuf_limited, limited(v))),
    field("unacked", COUNT, |i, v| set(&mut i.unacked, count(v))),
    field("retrans", "two counts, a/b", |i, v| set(&mut i.retrans, pair(v, '/', count))),
    field("lost", COUNT, |i, v| set(&mut i.lost, count(v))),
    field("reordering", COUNT, |i, v| set(&mut i.reordering, count(v))),
    field("rcv_space", COUNT, |i, v| set(&mut i.rcv_space, count(v))),
    field("rcv_ssthresh", COUNT, |i, v| set(&mut i.rcv_ssthresh, count(v))),
    field("notsent", COUNT, |i, v| set(&mut i.not_sent, count(v))),
    field("snd_wnd", COUNT, |i, v| set(&mut i.snd_wnd, count(v))),
];

/// Fields of the form `name value`, all of them rates.
pub(crate) const RATES: &[Field] = &[
    field("send", RATE, |i, v| set(&mut i.send, rate(v))),
    field("delivery_rate", RATE, |i, v| set(&mut i.delivery_rate, rate(v))),
    // The rate, and its upper limit where there is one.
    field("pacing_rate", RATE, |i, v| {
        let (now, most) = v.split_once('/').unwrap_or((v, "0bps"));
        set(&mut i.pacing_rate, rate(most).and(rate(now)))
    }),
];

const MS: &str = "a time in milliseconds, without a unit";
const COUNT: &str = "a whole number";
const LIMITED: &str = "a time and a part, such as 8ms(12.5%)";
const RATE: &str = "a rate such as 23.4Mbps";

/// Congestion controls of Linux, and some that are common outside it.
pub(crate) const CONGESTION_CONTROLS: &[&str] = &[
    "cubic",
    "reno",
    "bbr",
    "bbr2",
    "bbr3",
    "bic",
    "brutal",
    "cdg",
    "dctcp",
    "highspeed",
    "htcp",
    "hybla",
    "illinois",
    "lp",
    "nv",
    "prague",
    "scalable",
    "vegas",
    "veno",
    "westwood",
    "yeah",
];

/// Names before a colon that `ss` prints and that say nothing about how a connection starts.
const ASIDE: &[&str] = &[
    "rcvmss",
    "advmss",
    "segs_out",
    "segs_in",
    "data_segs_out",
    "data_segs_in",
    "lastrcv",
    "lastack",
    "delivered",
    "delivered_ce",
    "sacked",
    "dsack_dups",
    "fackets",
    "reord_seen",
    "rcv_rtt",
    "rcv_ooopack",
    "rcv_wnd",
    "rehash",
    "total_rto",
    "total_rto_recoveries",
    "total_rto_time",
    "received_ce",
    "qack",
    "bbr",
    "dctcp",
    "timer",
    "users",
    "uid",
    "ino",
    "sk",
    "cgroup",
    "v6only",
    "opt",
    "tos",
    "tclass",
    "class_id",
    "fwmark",
    "skmem",
    "mem",
    "inet-sockopt",
    "md5keys",
    "ulp-mptcp",
    "flags",
    "token",
    "seq",
    "sfseq",
    "ssnoff",
    "maplen",
    "version",
    "cipher",
    "rxconf",
    "txconf",
    "zc_ro_tx",
    "no_pad_rx",
];

/// Words that stand alone.
const ASIDE_WORDS: &[&str] =
    &["ts", "sack", "ecn", "ecnseen", "accecn", "fastopen", "bidir", "<->", "<--", "-->", "---"];

/// Whether this is the name of a field without a bearing here.
pub(crate) fn is_aside(name: &str) -> bool {
    ASIDE.contains(&name)
}

/// Whether this is a lone word without a bearing here.
pub(crate) fn is_aside_word(word: &str) -> bool {
    ASIDE_WORDS.contains(&word) || word.starts_with("tcp-ulp-")
}

const fn field(name: &'static str, form: &'static str, read: fn(&mut Info, &str) -> bool) -> Field {
    Field { name, form, read }
}

/// Keeps the value, if it could be read.
fn set<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let read = value.is_some();
    if read {
        *slot = value;
    }
    read
}

/// RFC 7323 section 2.3 allows shifts up to 14.
fn shifts(text: &str) -> Option<(u64, u64)> {
    pair(text, ',', count).filter(|(a, b)| *a <= 14 && *b <= 14)
}

fn with_ms(text: &str) -> Option<Time> {
    milliseconds(text.strip_suffix("ms")?)
}

fn limited(text: &str) -> Option<(Time, f64)> {
    let (time, part) = text.strip_suffix("%)")?.split_once('(')?;
    Some((with_ms(time)?, crate::tokens::number(part)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::units::Rate;

    fn read(name: &str, value: &str) -> Option<Info> {
        let mut info = Info::default();
        let field = FIELDS.iter().chain(RATES).find(|f| f.name == name).expect("a field");
        (field.read)(&mut info, value).then_some(info)
    }

    #[test]
    fn values_are_read_in_the_form_of_their_field() {
        let info = read("rtt", "42.5/11.2").expect("read");
        assert_eq!(info.rtt, Some((Time::micros(42_500), Time::micros(11_200))));
        assert_eq!(read("wscale", "7,10").expect("read").window_scale, Some((7, 10)));
        let limited = read("rwnd_limited", "8ms(12.5%)").expect("read").rwnd_limited;
        assert_eq!(limited, Some((Time::millis(8), 12.5)));
        assert_eq!(read("retrans", "0/3").expect("read").retrans, Some((0, 3)));
        let paced = read("pacing_rate", "99.7Gbps/100Gbps").expect("read").pacing_rate;
        assert_eq!(paced, Some(Rate(99_700_000_000)));
    }

    #[test]
    fn a_value_of_another_form_is_refused() {
        for (name, value) in [
            ("rtt", "42.5"),
            ("rtt", "42.5/"),
            ("wscale", "7"),
            ("wscale", "15,7"),
            ("cwnd", "10.5"),
            ("busy", "8"),
            ("rwnd_limited", "8ms"),
            ("delivery_rate", "23.4"),
            ("pacing_rate", "1Mbps/"),
        ] {
            assert_eq!(read(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        let fields = FIELDS.iter().chain(RATES).map(|f| f.name);
        let mut names: Vec<_> = fields.chain(ASIDE.iter().copied()).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
