//! The samples under `tests/readings` read as a reader expects, and no text at all makes a panic.

use packet_core::slow_start::SetUp;
use packet_core::slow_start::scenario::Loss;
use packet_core::units::{Bytes, Rate, Time};
use packet_core::{Scenario, run};
use proptest::prelude::*;
use readings::{Readings, Unreadable, commands, curl, read};

const SS_TI: &str = include_str!("../../../tests/readings/ss-ti.txt");
const SS_ONE_LINE: &str = include_str!("../../../tests/readings/ss-tinO.txt");
const SS_I: &str = include_str!("../../../tests/readings/ss-i.txt");
const INFO_LINES: &str = include_str!("../../../tests/readings/info-lines.txt");
const CURL: &str = include_str!("../../../tests/readings/curl.txt");
const NSTAT: &str = include_str!("../../../tests/readings/nstat.txt");
const NETSTAT: &str = include_str!("../../../tests/readings/netstat.txt");
const BROKEN: &str = include_str!("../../../tests/readings/broken.txt");
const ALL: [&str; 8] = [SS_TI, SS_ONE_LINE, SS_I, INFO_LINES, CURL, NSTAT, NETSTAT, BROKEN];

fn sample(text: &str) -> Readings {
    read(text).expect("something recognised")
}

/// The value of a socket's reading.
fn value(readings: &Readings, socket: usize, field: &str) -> String {
    let all = readings.sockets[socket].readings();
    let found = all.into_iter().find(|r| r.field == field);
    found.unwrap_or_else(|| panic!("no {field}")).value
}

#[test]
fn whole_output_leaves_nothing_unknown() {
    for text in [SS_TI, SS_ONE_LINE, INFO_LINES, CURL, NSTAT, NETSTAT] {
        let readings = sample(text);
        assert!(readings.unknown.is_empty(), "{:?}", readings.unknown);
    }
}

#[test]
fn a_bulk_transfer_shows_its_queue() {
    let readings = sample(SS_TI);
    assert_eq!(value(&readings, 0, "standing queue"), "196 ms");
    assert_eq!(value(&readings, 0, "phase"), "past slow start");
    assert_eq!(value(&readings, 0, "window over BDP"), "11.9 times");
    assert_eq!(value(&readings, 0, "retransmitted"), "0.4%");
}

#[test]
fn a_silent_connection_shows_that_it_is_cold() {
    let readings = sample(SS_TI);
    assert_eq!(value(&readings, 1, "phase"), "in slow start");
    assert_eq!(value(&readings, 1, "idle"), "cold: 10 at the next write");
    assert_eq!(value(&readings, 1, "doublings"), "3");
}

#[test]
fn a_window_without_scaling_shows_its_ceiling() {
    let readings = sample(SS_ONE_LINE);
    assert_eq!(readings.sockets.len(), 2);
    assert_eq!(value(&readings, 0, "ceiling without scaling"), "3.27 Mbps");
    assert_eq!(value(&readings, 0, "rwnd_limited"), "4.98 s");
    assert_eq!(readings.sockets[1].peer.as_deref(), Some("[2001:db8:1::7]:40102"));
}

#[test]
fn sockets_of_other_kinds_are_listed() {
    let readings = sample(SS_I);
    let reasons: Vec<_> = readings.unknown.iter().map(|u| (u.line, &*u.reason)).collect();
    assert_eq!(
        reasons,
        [(2, "a socket of kind u_str, not of TCP"), (3, "a socket of kind udp, not of TCP")]
    );
    assert_eq!(value(&readings, 0, "phase"), "listening");
    assert_eq!(value(&readings, 1, "phase"), "in slow start again");
    assert!(readings.settings().source.starts_with("192.0.2.10:80"));
}

#[test]
fn timing_lines_show_what_the_gap_cost() {
    let readings = sample(CURL);
    let compared: Vec<_> = curl::comparisons(&readings.timings);
    assert_eq!(compared[1].field, "cost of the gap");
    assert_eq!(compared[1].value, "+246.6 ms");
}

#[test]
fn counters_show_the_average_window() {
    let scenario = Scenario::default();
    for text in [NSTAT, NETSTAT] {
        let readings = sample(text).hystart.expect("counters").readings(&scenario);
        assert_eq!(readings[0].number, Some(80.0));
        assert_eq!(readings[1].number, Some(240.0));
    }
}

#[test]
fn broken_parts_are_listed_beside_what_was_read() {
    let readings = sample(BROKEN);
    let lines: Vec<_> = readings.unknown.iter().map(|u| (u.line, &*u.text)).collect();
    assert_eq!(
        lines,
        [
            (1, "$ ss -ti"),
            (4, "rtt:18.2"),
            (4, "cwnd:ten"),
            (4, "flux:7"),
            (4, "delivery_rate 23.4M"),
            (5, "0.5 0.1 0.6"),
            (6, "TcpExt: …"),
        ]
    );
    assert_eq!(readings.settings().query(), "rtt=18ms");
}

/// Everything that is computed of a text, to show that none of it panics and that the settings hold.
fn use_all(text: &str) -> Result<(), TestCaseError> {
    let readings = match read(text) {
        Ok(readings) => readings,
        Err(error) => {
            prop_assert!(!error.to_string().is_empty());
            prop_assert_eq!(error == Unreadable::Empty, text.trim().is_empty());
            return Ok(());
        }
    };
    let mut scenario = Scenario::default();
    readings.settings().apply(&mut scenario);
    prop_assert_eq!(scenario.validate(), Ok(()));
    for socket in &readings.sockets {
        for reading in socket.readings() {
            prop_assert!(!reading.value.is_empty() && !reading.meaning.is_empty());
            prop_assert!(reading.number.is_none_or(f64::is_finite), "{:?}", reading);
        }
        socket.settings().apply(&mut scenario);
    }
    readings.timings.iter().for_each(|timing| drop(timing.readings()));
    curl::comparisons(&readings.timings);
    readings.hystart.iter().for_each(|counters| drop(counters.readings(&scenario)));
    let lines = text.lines().count();
    prop_assert!(readings.unknown.iter().all(|u| (1..=lines).contains(&u.line)));
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*|[ -~\n\t]{0,400}") {
        use_all(&text)?;
    }

    #[test]
    fn any_words_of_ss_are_read_or_refused(
        tokens in prop::collection::vec(
            prop::sample::select(ALL.iter().flat_map(|t| t.split(' ')).collect::<Vec<_>>()),
            0..60,
        )
    ) {
        use_all(&tokens.join(" "))?;
    }

    #[test]
    fn a_sample_with_errors_is_read_or_refused(
        sample in prop::sample::select(&ALL[..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[0-9:/.,()a-z \n-]{0,4}"), 1..12),
    ) {
        let mut characters: Vec<char> = sample.chars().collect();
        for (at, with) in edits {
            let at = at.index(characters.len());
            characters.splice(at..=at, with.chars());
            if characters.is_empty() {
                break;
            }
        }
        use_all(&characters.into_iter().collect::<String>())?;
    }

    #[test]
    fn numbers_of_any_size_are_read(n in any::<u64>(), m in any::<u64>()) {
        use_all(&format!(
            "cubic wscale:{},{} rto:{n} rtt:{n}/{m} mss:{m} cwnd:{n} ssthresh:{m} bytes_sent:{n} \
             bytes_retrans:{m} bytes_acked:{m} lastsnd:{m} delivery_rate {m}bps unacked:{n} \
             minrtt:{m} snd_wnd:{n}\nTcpExtTCPHystartTrainDetect {n} 0.0\n\
             TcpExtTCPHystartTrainCwnd {m} 0.0\n{n}.0 {n}.5 {m}.5",
            n % 16,
            m % 16
        ))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_scenario_has_commands(
        size in 1_024_u64..4_000_000,
        rate in 1_000_000_u64..1_000_000_000,
        rtt in 1_000_000_u64..300_000_000,
        initial_window in 1_u32..=64,
        idle in prop::option::of(1_000_000_u64..5_000_000_000),
        loss in prop::sample::select(&[Loss::None, Loss::LastWindow, Loss::FortyPercent][..]),
        connections in 1_u32..=4,
        receive_window in prop::option::of(2_048_u64..1_000_000),
        set_up in prop::sample::select(SetUp::ALL),
        think in prop::option::of(1_000_000_u64..100_000_000),
    ) {
        let played = Scenario {
            size: Bytes(size),
            rate: Rate(rate),
            rtt: Time(rtt),
            initial_window,
            idle: idle.map(Time),
            loss,
            ..Scenario::default()
        };
        let scenario = Scenario {
            connections,
            receive_window: receive_window.map(Bytes),
            set_up,
            think: think.map_or(Time::ZERO, Time),
            ..played.clone()
        };
        let commands = commands(&scenario).expect("in range");
        prop_assert!(commands.iter().all(|c| !c.look_for.is_empty()));
        let response = run(&played).expect("in range").first().duration().to_string();
        let curl = commands.iter().find(|c| c.purpose == "the response time").expect("a command");
        prop_assert!(curl.look_for.contains(&response));
    }
}
