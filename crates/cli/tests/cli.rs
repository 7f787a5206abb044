//! The program as a user runs it: what it prints, where, and with which exit code.

use packet_core::assumptions::Preset;
use packet_core::figures::kernel;
use packet_core::slow_start::assumptions;
use packet_core::{Model, SlowStart, figures};
use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn slowstart(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slowstart")).args(arguments).output().expect("it starts")
}

/// What is printed by arguments, split at spaces, that are fine.
fn stdout(arguments: &str) -> String {
    let output = slowstart(&arguments.split_whitespace().collect::<Vec<_>>());
    assert!(output.status.success(), "{arguments}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

/// The one line on stderr that bad arguments give.
fn complaint(arguments: &[&str]) -> String {
    let output = slowstart(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.matches('\n').count(), 1, "one line: {text:?}");
    assert!(text.ends_with('\n'), "{text:?}");
    let message = text.trim_end().strip_prefix("slowstart: ");
    message.unwrap_or_else(|| panic!("no prefix: {text:?}")).to_owned()
}

fn complaint_about(arguments: &str) -> String {
    complaint(&arguments.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn json_gives_the_figures_of_the_article() {
    let rows = figures::slow_start().expect("a readable file");
    let mut last = (None, Value::Null);
    for row in rows {
        if last.0.as_ref() != Some(&row.settings) {
            let options = row.settings.split('&').filter_map(|pair| pair.split_once('='));
            let options: String = options
                .map(|(key, value)| {
                    let parameter = SlowStart::parameter(key).expect("a parameter");
                    format!(" --{} {value}", parameter.name)
                })
                .collect();
            let run = json(&format!("run --format json{options}"));
            last = (Some(row.settings.clone()), run);
        }
        assert!(row.holds(), "{row:?}");
        assert_eq!(last.1[&row.quantity].as_f64(), row.model.number(), "{row:?}");
    }
}

#[test]
fn json_holds_every_figure_and_every_setting() {
    let run = json("run --size 14KB --rtt 1.5ms --loss last-window --hystart off --format json");
    for quantity in SlowStart::QUANTITIES {
        assert!(run.get(quantity.key).is_some(), "{}", quantity.key);
    }
    assert_eq!(run["model"], "article");
    assert_eq!(run["assumptions"], serde_json::json!({}));
    let expected = serde_json::json!({
        "size_bytes": 14_336,
        "rate_bps": 100_000_000,
        "rtt_ms": 1.5,
        "initial_window": 10,
        "hystart": false,
        "tail_loss_probe": true,
        "slow_start_after_idle": true,
        "loss": "last-window",
        "lose_segment": null,
        "idle_ms": null,
        "buffer": null,
        "spike_at_ms": null,
        "spike_length_ms": 100,
        "spike_delay_ms": 30,
        "buffer_bdp": null,
        "connections": 1,
        "stagger_ms": null,
        "receive_window_bytes": null,
        "setup": "none",
        "think_ms": null,
        "clock": "request-to-byte",
    });
    assert_eq!(run["scenario"], expected);
}

#[test]
fn what_there_is_none_of_is_null() {
    let run = json("run --size 14KB --format json");
    assert_eq!(run["worst_rtt_ms"], Value::Null);
    assert_eq!(run["second_response_ms"], Value::Null);
    assert_eq!(run["slow_start_exit_reason"], Value::Null);
    let run = json("run --size 16MB --format json");
    assert_eq!(run["slow_start_exit_reason"], "ack-train");
}

#[test]
fn the_ways_to_write_a_value_are_equal() {
    let base = stdout("run --size 1MB --rate 100Mbps --rtt 80ms --model article --format json");
    let others = [
        "run --format json",
        "run --size=1048576 --rate=100000000bps --rtt=0.08s --format=json",
        "run --size 1024KB --rate 0.1Gbps --rtt 80000us --hystart on --idle none --format json",
    ];
    for other in others {
        assert_eq!(stdout(other), base, "{other}");
    }
}

#[test]
fn text_shows_settings_figures_and_log() {
    let text = stdout("run --idle 500ms");
    for part in [
        "Settings\n  Model                        the simple model\n  Response size ",
        "Response size                1 MB\n",
        "\nFigures\n",
        "Response time                531 ms\n",
        "Second request               233 ms\n",
        "\nLog\n",
        "     531.000 ms  The last byte arrives: the response took 531 ms\n",
        "halved 2 times from 608 to 152",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn decisions_are_lines_in_time_order() {
    let text = stdout("run --size 16MB --hystart off --format decisions");
    let times: Vec<f64> = text
        .lines()
        .map(|line| line.split_once(" ms  ").expect("a time").0.trim().parse().expect("a number"))
        .collect();
    assert!(times.len() > 3 && times.is_sorted(), "{text}");
    assert!(text.starts_with("     0.000 ms  Request: 11,587 segments to send, cwnd 10\n"));
}

#[test]
fn the_trace_is_a_table_of_numbers() {
    let csv = stdout("run --size 16MB --format csv");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("time_ms,cwnd,ssthresh,in_flight,queue"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 5));
    let column = |i: usize| rows.iter().filter_map(move |row| row[i].parse::<f64>().ok());
    assert!(column(0).collect::<Vec<_>>().is_sorted());
    assert_eq!(column(1).count(), rows.len());
    let peak = json("run --size 16MB --format json")["peak_cwnd"].as_f64().expect("a number");
    assert!((column(1).fold(0.0, f64::max) - peak).abs() < 1.0);
    assert!(rows[0][2].is_empty(), "ssthresh begins infinite");
    assert!(rows.last().is_some_and(|row| !row[2].is_empty()), "and HyStart sets it");
}

#[test]
fn a_sweep_is_a_column_per_figure_and_hits_its_ends() {
    let csv = stdout("sweep --over rate --from 10Mbps --to 9.99Gbps --points 7 --rtt 20ms");
    let mut lines = csv.lines();
    let keys: Vec<_> = SlowStart::QUANTITIES.iter().map(|q| q.key).collect();
    assert_eq!(lines.next(), Some(format!("rate_bps,{}", keys.join(",")).as_str()));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!((rows[0][0], rows[6][0]), ("10000000", "9990000000"));
    let run = json("run --rate 10Mbps --rtt 20ms --format json");
    for (key, cell) in keys.iter().zip(&rows[0][1..]) {
        let expected = match &run[key] {
            Value::Null => String::new(),
            Value::String(word) => word.clone(),
            number => number.to_string(),
        };
        assert_eq!(*cell, expected, "{key}");
    }
}

#[test]
fn every_setting_that_is_a_number_can_be_swept() {
    for (over, from, to, ends) in [
        ("size", "14KB", "1MB", ["14336", "1048576"]),
        ("rate", "1Gbps", "1Mbps", ["1000000000", "1000000"]),
        ("rtt", "1ms", "299.5ms", ["1", "299.5"]),
        ("initial-window", "1", "64", ["1", "64"]),
        ("idle", "200ms", "2s", ["200", "2000"]),
        ("buffer", "1", "500", ["1", "500"]),
    ] {
        let csv = stdout(&format!(
            "sweep --over {over} --from {from} --to {to} --points 3 {}",
            if over == "size" { "" } else { "--size 64KB" }
        ));
        let first: Vec<_> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!((first.len(), [first[0], first[2]]), (3, ends), "{over}");
    }
}

#[test]
fn a_sweep_left_to_its_defaults_spans_the_first_setting() {
    for (command, first, last) in
        [("sweep --points 3", "1024", "67108864"), ("bdp-sweep --points 3", "65536", "16777216")]
    {
        let csv = stdout(command);
        let cells: Vec<_> = csv.lines().skip(1).filter_map(|l| l.split(',').next()).collect();
        assert_eq!((cells[0], cells[2]), (first, last), "{command}");
    }
}

#[test]
fn the_window_of_one_flow_is_a_subcommand_of_its_own() {
    let run = json("bdp --window 512KB --link 1Gbps --hop 100Mbps --rtt 80ms --format json");
    let goodput = run["goodput_mbps"].as_f64().expect("a number");
    assert!((goodput - 52.4).abs() < 0.1, "{goodput}");
    let log = stdout("bdp --rule measured-throughput-x-rtt --format decisions");
    assert!(log.contains("Little"), "{log}");
    let error = complaint_about("bdp --window 1KB");
    assert_eq!(error, "--window: '1KB' is not allowed; use 64 KB to 16 MB");
}

#[test]
fn a_sweep_in_json_is_an_array_of_runs() {
    let sweep = json("sweep --over idle --from 200ms --to 1s --points 2 --format json");
    let runs = sweep.as_array().expect("an array");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0], json("run --idle 200ms --format json"));
    assert_eq!(runs[1], json("run --idle 1s --format json"));
}

#[test]
fn figures_compares_every_row_and_sums_up() {
    let text = stdout("figures");
    let articles =
        [figures::slow_start(), figures::bdp()].map(|a| a.expect("a readable file").len());
    assert_eq!(text.matches("  ok  ").count(), articles.iter().sum::<usize>());
    for rows in articles {
        assert!(text.contains(&format!("\n{rows} of {rows} figures within their tolerance\n")));
    }
}

#[test]
fn assumptions_are_taken_one_by_one_on_top_of_a_preset() {
    let run = json("run --size 14KB --assume pacing=none --format json");
    assert_eq!(run["assumptions"], serde_json::json!({ "pacing": "none" }));
    let linux = json(
        "run --assume sender-clock=continuous --assume pacing=fq-like --model linux --format json",
    );
    assert_eq!(linux["model"], "linux");
    assert_eq!(linux["assumptions"], serde_json::json!({ "pacing": "fq-like" }));
    // The last of two for one assumption counts.
    let twice = "run --assume pacing=none --assume pacing=fq-like --format json";
    assert_eq!(json(twice)["assumptions"], serde_json::json!({}));
    let sweep = json(
        "sweep --over rtt --from 20ms --to 80ms --points 2 --assume rto=srtt-plus-200ms --format json",
    );
    assert_eq!(sweep[0]["assumptions"]["rto"], "srtt-plus-200ms");
    assert!(sweep[0]["rto_ms"].as_f64().is_some_and(|ms| ms >= 220.0), "{}", sweep[0]["rto_ms"]);
}

#[test]
fn every_assumption_takes_every_word_the_help_lists() {
    let help = stdout("run --help");
    for assumption in assumptions::all() {
        let p = assumption.parameter;
        let line = help.lines().find_map(|line| line.strip_prefix(&format!("  {}=", p.name)));
        let line = line.unwrap_or_else(|| panic!("{} is missing", p.name));
        for preset in Preset::ALL {
            let word = p.exact(assumption.preset(*preset));
            let listed = line.split("), ").flat_map(|part| part.split(", "));
            assert!(listed.into_iter().any(|part| part.starts_with(&word)), "{line}: {word}");
        }
        for word in p.allowed().split(", ") {
            assert!(line.contains(word), "{line}: {word}");
            stdout(&format!("run --size 14KB --assume {}={word}", p.name));
        }
        assert!(help.contains(p.help), "{}", p.name);
    }
}

#[test]
fn assumptions_lists_each_with_its_source_and_what_it_changes() {
    let text = stdout("assumptions --size 14KB");
    for assumption in assumptions::all() {
        let p = assumption.parameter;
        assert!(text.contains(&format!("{}\n  {}\n", p.name, p.help)), "{}", p.name);
        assert!(text.contains(&format!("  source     {}\n", assumption.source)), "{}", p.name);
    }
    assert!(text.contains("otherwise  none: as fast as the window allows: 79 ms → "), "{text}");
    let linux = stdout("assumptions --size 14KB --model linux --assume sender-clock=slots");
    assert!(linux.starts_with("sender-clock\n"), "{linux}");
    assert!(linux.contains("  here       slots\n"), "{linux}");
    let error = complaint_about("assumptions --format csv");
    assert_eq!(error, "--format: 'csv' is not allowed; use text, markdown");
}

/// `BLESS=1 cargo test -p slowstart --test cli` writes the table anew.
#[test]
fn the_table_in_the_document_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.md");
    let document = std::fs::read_to_string(path).expect("a readable file");
    let table = stdout("assumptions --format markdown");
    let (head, rest) = document.split_once("| Assumption |").expect("a table");
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let fresh = format!("{head}{table}{}", &rest[end..]);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &fresh).expect("a writable file");
        return;
    }
    assert_eq!(document, fresh, "docs/model.md is out of date");
}

#[test]
fn figures_of_the_linux_preset_stand_beside_a_kernel() {
    let text = stdout("figures --model linux");
    let rows = kernel::rows();
    let aimed = rows.iter().filter(|row| row.tolerance.is_some()).count();
    let listed = rows.iter().filter(|row| row.exception().is_some()).count();
    assert!(text.lines().count() > rows.len());
    assert_eq!(text.matches("  listed  ").count(), listed);
    let summary = format!(
        "\n{} of {aimed} figures within their aim, {listed} listed as exceptions, 0 out; {} have no aim\n",
        aimed - listed,
        rows.len() - aimed
    );
    assert!(text.contains(&summary), "{}", text.lines().last().unwrap_or_default());
    for row in rows.iter().filter_map(|row| row.exception()) {
        assert!(text.contains(row));
    }
    assert_eq!(stdout("figures"), stdout("figures --model article"));
}

#[test]
fn help_names_every_option_and_every_key() {
    for command in ["run", "sweep"] {
        let help = stdout(&format!("{command} --help"));
        for parameter in SlowStart::PARAMETERS {
            let option = format!("--{} <{}>", parameter.name, parameter.allowed());
            assert!(help.contains(&option) && help.contains(parameter.help), "{option}");
        }
        for quantity in SlowStart::QUANTITIES {
            let entry = format!("  {} ({})\n", quantity.key, quantity.unit.symbol());
            assert!(help.contains(&entry) && help.contains(quantity.help), "{entry}");
        }
        assert!(help.contains(&format!("Examples:\n  slowstart {command} --")));
    }
    for command in ["run", "sweep", "figures", "assumptions"] {
        assert!(stdout("--help").contains(&format!("\n  {command} ")));
    }
    assert!(stdout("--version").starts_with("slowstart "));
}

#[test]
fn the_examples_in_the_help_work() {
    let list = File::new("examples.txt", "page, 68KB\n");
    let har = r#"{"log": {"entries": [
        {"request": {"url": "https://a.example/"}, "response": {"bodySize": 69632}}]}}"#;
    let har = File::new("examples.har", har);
    for command in
        ["run", "sweep", "compare", "objects", "heat-map", "bdp", "bdp-sweep", "assumptions"]
    {
        let help = stdout(&format!("{command} -h"));
        let examples: Vec<_> =
            help.lines().filter_map(|line| line.strip_prefix("  slowstart ")).collect();
        assert!(!examples.is_empty(), "{command}");
        for example in examples {
            let example = example.replace("list.txt", list.path()).replace("page.har", har.path());
            assert!(!stdout(&example).is_empty());
        }
    }
}

#[test]
fn the_text_names_the_model_and_what_is_assumed_otherwise() {
    let options = "--size 14KB --model linux --assume pacing=fq-like";
    let text = stdout(&format!("run {options}"));
    let begin = "Settings\n  Model                        as Linux does it\n  Pacing                       spread over the round trip\n  Response size ";
    assert!(text.contains(begin), "{text}");
    let text = stdout(&format!("compare {options}"));
    let begin = "Model: as Linux does it\nPacing: spread over the round trip\n\nInitial window ";
    assert!(text.starts_with(begin), "{text}");
    assert!(!stdout("bdp").contains("  Model "));
}

#[test]
fn a_packet_that_is_not_there_to_lose_is_named() {
    let log = stdout("run --size 14KB --lose-segment 5,40000 --format decisions");
    assert!(log.contains("There is no segment 40,000 to lose: the response has 10 segments\n"));
    assert!(log.contains("Segment 5 is lost"), "{log}");
}

#[test]
fn a_value_that_is_not_allowed_is_named_with_its_option_and_range() {
    for parameter in SlowStart::PARAMETERS {
        for bad in ["", "-1", "nonsense", "1e99", "0", "99999999999999999999"] {
            if parameter.parse(bad).is_ok() {
                continue;
            }
            assert_eq!(
                complaint(&["run", &format!("--{}", parameter.name), bad]),
                format!(
                    "--{}: '{bad}' is not allowed; use {}",
                    parameter.name,
                    parameter.allowed()
                )
            );
        }
    }
    for (arguments, expected) in [
        ("run --size 65MB", "--size: '65MB' is not allowed; use 1 KB to 64 MB"),
        ("run --rtt 80", "--rtt: '80' is not allowed; use 1 ms to 300 ms"),
        ("run --model lunix", "--model: 'lunix' is not allowed; use article, linux"),
        (
            "run --assume sender-clock=late",
            "--assume: 'sender-clock=late' is not allowed; use sender-clock=slots, continuous",
        ),
        (
            "run --assume sender-clock",
            "--assume: 'sender-clock' is not allowed; use sender-clock=slots, continuous",
        ),
        ("figures --model bsd", "--model: 'bsd' is not allowed; use article, linux"),
        ("run --format xml", "--format: 'xml' is not allowed; use text, json, csv, decisions"),
        (
            "sweep --over loss --from 1 --to 2 --points 3",
            "--over: 'loss' is not allowed; use size, rate, rtt, initial-window, lose-segment, idle, buffer, spike-at, spike-length, spike-delay, buffer-bdp, connections, stagger, receive-window, think",
        ),
        (
            "sweep --over rate --from 1bps --to 1Gbps --points 3",
            "--from: '1bps' is not allowed; use 1 Mbps to 10 Gbps",
        ),
        (
            "sweep --over idle --from 1s --to none --points 3",
            "--to: 'none' is not allowed; use 1 ms to 60 s",
        ),
        (
            "sweep --over rtt --from 1ms --to 9ms --points 1",
            "--points: '1' is not allowed; use 2 to 10000",
        ),
        (
            "run --initial-window 10.5",
            "--initial-window: '10.5' is not allowed; use 1 segment to 64 segments",
        ),
        (
            "run --loss last-window --lose-segment 5",
            "--loss: 'last-window' is not allowed; use segment with the other options given",
        ),
        (
            "compare --loss segment --lose-segment none",
            "--loss: 'segment' is not allowed; use none with the other options given",
        ),
        (
            "sweep --over lose-segment --loss last-two",
            "--loss: 'last-two' is not allowed; use segment with the other options given",
        ),
        (
            "sweep --over rtt --from 1ms --to 9ms --points 3 --rtt 5ms",
            "--rtt: it is what varies; leave it out",
        ),
    ] {
        assert_eq!(complaint_about(arguments), expected);
    }
    assert_eq!(
        complaint(&["run", "--size", "1M\nB"]),
        "--size: '1M B' is not allowed; use 1 KB to 64 MB",
        "one line, whatever was typed"
    );
}

#[test]
fn what_is_unknown_or_missing_is_named() {
    for (arguments, expected) in [
        ("rum", "unrecognized subcommand 'rum'"),
        ("--size 1MB", "unexpected argument '--size'"),
        ("run --sise 1MB", "unexpected argument '--sise' found; tip: a similar argument exists"),
        (
            "run --assume x=1",
            "--assume: 'x=1' is not allowed; use NAME=VALUE with a NAME of sender-clock, ",
        ),
        ("bdp --assume sender-clock=slots", "unexpected argument '--assume'"),
        ("run --size", "a value is required for '--size <1 KB to 64 MB>'"),
        ("run --size 1MB --size 2MB", "'--size <1 KB to 64 MB>' cannot be used multiple times"),
        ("run more", "unexpected argument 'more'"),
        ("figures --rtt 20ms", "unexpected argument '--rtt'"),
        ("sweep --over size --from 1ms", "--from: '1ms' is not allowed; use 1 KB to 64 MB"),
    ] {
        let complaint = complaint_about(arguments);
        assert!(complaint.contains(expected), "{arguments}: {complaint}");
    }
}

#[test]
fn without_a_subcommand_there_is_help_and_exit_code_2() {
    let output = slowstart(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\nCommands:\n"));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in [
        &["run", "--size", "64MB", "--format", "csv"][..],
        &["sweep", "--over", "rtt", "--from", "1ms", "--to", "9ms", "--points", "300"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_slowstart"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn the_chosen_clock_comes_first_and_json_has_both() {
    let options = "--size 68KB --rtt 80ms --setup tls13 --think 20ms";
    let text = stdout(&format!("run {options} --clock syn-to-ack"));
    assert!(text.starts_with("489 ms from the SYN to the last byte acknowledged\n\nSettings\n"));
    let text = stdout(&format!("run {options}"));
    assert!(text.starts_with("249 ms from the request to the last byte received\n"), "{text}");
    let run = json(&format!("run {options} --clock syn-to-ack --format json"));
    assert_eq!([&run["response_ms"], &run["syn_to_last_ack_ms"]], [249, 489]);
    assert_eq!((&run["set_up_ms"], &run["data_round_trips"]), (&200.into(), &3.into()));
}

#[test]
fn several_connections_are_named_in_the_log() {
    let options = "run --connections 4 --stagger 10ms --receive-window 64KB --buffer 32";
    let log = stdout(&format!("{options} --size 30KB --format decisions"));
    let begins: Vec<_> = log.lines().filter(|line| line.contains("Request: ")).collect();
    assert_eq!(begins.len(), 4);
    assert!(begins[3].starts_with("    30.000 ms  Connection 4: Request: "), "{log}");
    let run = json(&format!("{options} --size 30KB --rate 5Mbps --format json"));
    assert!(run["slowest_response_ms"].as_f64() > run["response_ms"].as_f64());
}

#[test]
fn windows_are_compared_in_a_table_in_json_and_in_csv() {
    let options = "compare --initial-window 3,10,32 --size 64KB";
    let text = stdout(options);
    assert_eq!(text.lines().count(), 6);
    assert!(text.starts_with("Model: the simple model\n\nInitial window "), "{text}");
    let all = json(&format!("{options} --format json"));
    let windows = all["windows"].as_array().expect("an array");
    for (window, initial) in windows.iter().zip([3, 10, 32]) {
        let run = json(&format!("run --size 64KB --initial-window {initial} --format json"));
        for key in ["response_ms", "data_round_trips", "queue_drops", "retransmissions"] {
            assert_eq!(window[key], run[key], "{key} at {initial}");
        }
    }
    assert_eq!(all["scenario"]["size_bytes"], 65_536);
    assert!(all["scenario"].get("initial_window").is_none() && all.get("cost").is_none());
    let csv = stdout(&format!("{options} --format csv"));
    assert!(csv.starts_with("initial_window,time_ms,response_ms,") && csv.lines().count() == 4);
    let shared = "compare --connections 4 --size 45KB --rate 5Mbps --model linux";
    let cost = &json(&format!("{shared} --format json"))["cost"];
    assert_eq!(cost[1]["retransmission_rate_percent"], 0);
    assert!(cost[2]["retransmission_rate_percent"].as_f64() > Some(10.0), "{cost}");
    assert!(stdout(shared).contains("\n4 connections against a single one\n"));
    let csv = stdout(&format!("{shared} --format csv"));
    let rows: Vec<Vec<_>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = rows[0].iter().position(|key| *key == "alone_ms").expect("the cost");
    let alone: Vec<_> = rows[1..].iter().map(|row| row[column].parse::<f64>().ok()).collect();
    assert_eq!(alone, [0, 1, 2].map(|i: usize| cost[i]["alone_ms"].as_f64()));
}

/// The page's third panel opens with these settings; its browser tests have the same figures.
#[test]
fn the_comparison_is_that_of_the_page() {
    let options = "compare --size 45KB --rate 5Mbps --connections 4 --format json";
    let cost = &json(options)["cost"];
    let column = |key: &str| -> Vec<f64> {
        let windows = cost.as_array().expect("an array").iter();
        windows.map(|window| window[key].as_f64().expect("a number").round()).collect()
    };
    assert_eq!(column("alone_ms"), [320.0, 208.0, 117.0]);
    assert_eq!(column("alone_round_trips"), [4.0, 3.0, 1.0]);
    assert_eq!(column("slowest_response_ms"), [428.0, 350.0, 350.0]);
    assert_eq!(column("queue_drops"), [0.0, 0.0, 46.0]);
    assert_eq!(column("retransmission_rate_percent"), [0.0, 0.0, 26.0]);
}

#[test]
fn a_heat_map_is_a_row_for_each_path() {
    let csv = stdout("heat-map --size 64KB --points 4 --initial-window 10,46");
    let rows: Vec<_> = csv.lines().collect();
    assert_eq!(rows.len(), 17);
    assert!(rows[1].starts_with("1000000,5,") && rows[16].starts_with("1000000000,300,"));
    let cells = json("heat-map --size 64KB --points 4 --initial-window 10,46 --format json");
    assert_eq!(cells.as_array().map(Vec::len), Some(16));
    let run = json("run --size 64KB --rate 1Gbps --rtt 300ms --initial-window 46 --format json");
    assert_eq!(cells[15]["after_ms"], run["response_ms"]);
}

/// A file with these contents, gone with the value.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, text).expect("a writable file");
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("text")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn objects_are_gone_through_path_by_path_and_bad_lines_are_named() {
    let list = File::new("list.txt", "page, 68KB\nnothing\n\"a, b\", 14KB\nhuge, 1GB\n");
    let output = slowstart(&["objects", list.path(), "--path", "85ms,20Mbps", "--format", "csv"]);
    assert!(output.status.success());
    let err = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(
        lines,
        [
            "slowstart: line 2 is left out: there is no comma between name and bytes",
            "slowstart: line 4 is left out: '1GB' is not a size such as 14336 or 14KB",
        ]
    );
    let csv = String::from_utf8(output.stdout).expect("text");
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.contains("\n,page,69632,false,85,20000000,10,32,3,2,"), "{csv}");
    assert!(csv.contains("\n,\"a, b\",14336,"), "{csv}");

    let output = slowstart(&["objects", list.path(), "--model", "linux", "--format", "json"]);
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&all["model"], &all["scenario"]["think_ms"]), (&"linux".into(), &Value::Null));
    let output = slowstart(&["objects", list.path(), "--format", "json"]);
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rtts: Vec<_> =
        all["paths"].as_array().expect("paths").iter().map(|p| &p["rtt_ms"]).collect();
    assert_eq!(rtts, [32, 85, 140]);
    assert_eq!(
        (&all["paths"][0]["total"]["gain"], &all["left_out"][1]["line"]),
        (&1.into(), &4.into())
    );
    let text = slowstart(&["objects", list.path(), "--path", "85ms,20Mbps"]);
    let text = String::from_utf8(text.stdout).expect("text");
    let begin = "Model: the simple model\n\n85 ms, 20 Mbps\n\nobject ";
    assert!(text.starts_with(begin) && text.contains("1 of 2"), "{text}");
}

#[test]
fn an_archive_is_read_for_sizes_and_connections() {
    let entry = |path: &str, bytes: u32| {
        serde_json::json!({
            "request": { "url": format!("https://a.example/{path}") },
            "response": { "bodySize": bytes },
            "connection": "7",
        })
    };
    let har =
        serde_json::json!({ "log": { "entries": [entry("", 69_632), entry("b.css", 20_000)] } });
    let file = File::new("page.har", &har.to_string());
    let csv = stdout(&format!("objects {} --path 85ms,20Mbps --format csv", file.path()));
    assert!(csv.contains("\na.example,/b.css,20000,true,"), "{csv}");
    let broken = File::new("broken.har", "{\"log\": 1}");
    let error = complaint(&["objects", broken.path()]);
    assert!(error.contains("not an HTTP archive: there is no list log.entries"), "{error}");
}

#[test]
fn what_a_study_cannot_use_is_named() {
    let empty = File::new("empty.txt", "one\ntwo");
    let error = complaint(&["objects", empty.path()]);
    let expected = "there is no object in it: line 1: there is no comma between name and bytes";
    assert!(error.ends_with(expected), "{error}");
    assert!(complaint(&["objects", "no/such/file"]).starts_with("cannot read no/such/file: "));
    for (arguments, expected) in [
        (
            "compare --initial-window 10,65",
            "--initial-window: '10,65' is not allowed; use 1 to 16 of 1 segment to 64 segments, as in 3,10,32",
        ),
        (
            "heat-map --initial-window 10",
            "--initial-window: '10' is not allowed; use 2 of 1 segment to 64 segments, as in 10,32",
        ),
        ("heat-map --points 1", "--points: '1' is not allowed; use 2 to 200"),
        (
            "objects list --path 85ms",
            "--path: '85ms' is not allowed; use a round-trip time and a rate, as in 85ms,20Mbps",
        ),
        ("objects list --path 85ms,9Gb", "--path: '9Gb' is not allowed; use 1 Mbps to 10 Gbps"),
        (
            "run --connections 17",
            "--connections: '17' is not allowed; use 1 connection to 16 connections",
        ),
        ("run --setup quic", "--setup: 'quic' is not allowed; use none, tcp, tls13, tls12, 0rtt"),
        ("run --buffer-bdp 2000", "--buffer-bdp: '2000' is not allowed; use auto, or 1% to 1000%"),
    ] {
        assert_eq!(complaint_about(arguments), expected);
    }
    assert!(complaint_about("heat-map --rtt 20ms").contains("unexpected argument '--rtt'"));
}
