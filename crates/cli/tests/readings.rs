//! `read-ss` and `commands` as a user runs them.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn slowstart(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slowstart"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // A program that reads no input may have closed it.
    let _ = child.stdin.take().expect("an input").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// What is printed by arguments, split at spaces, that are fine.
fn stdout(arguments: &str, input: &str) -> String {
    let output = slowstart(&arguments.split_whitespace().collect::<Vec<_>>(), input);
    assert!(output.status.success(), "{arguments}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one line on stderr that bad input gives.
fn complaint(arguments: &str, input: &str) -> String {
    let output = slowstart(&arguments.split_whitespace().collect::<Vec<_>>(), input);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments}: {output:?}");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.matches('\n').count(), 1, "one line: {text:?}");
    text.trim_end().strip_prefix("slowstart: ").expect("a prefix").to_owned()
}

fn sample(name: &str) -> String {
    format!("{}/../../tests/readings/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn sockets_are_explained_and_become_settings() {
    let text = stdout(&format!("read-ss {}", sample("ss-ti.txt")), "");
    for part in [
        "192.0.2.10:https to 198.51.100.7:51234 (line 2, ESTAB)\n",
        "  standing queue      196 ms\n",
        "  window ceiling      278 Mbps\n",
        "  idle                cold: 10 at the next write\n",
        "  of no bearing here: rcvmss, advmss",
        "\nSettings, from 192.0.2.10:https to 198.51.100.7:51234, of 2 sockets",
        "\n  slowstart run --rate 23400kbps --rtt 18ms\n",
        "\n    --buffer: Left alone: the queue that stands now is some 396 packets",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(!text.contains("Not read"), "{text}");
}

#[test]
fn the_settings_it_prints_are_options_of_run() {
    let text = stdout(&format!("read-ss {}", sample("ss-ti.txt")), "");
    let line = text.lines().find_map(|line| line.strip_prefix("  slowstart ")).expect("options");
    let run: Value =
        serde_json::from_str(&stdout(&format!("{line} --format json"), "")).expect("JSON");
    assert_eq!(run["scenario"]["rate_bps"], 23_400_000);
    assert_eq!(run["scenario"]["rtt_ms"], 18);
}

#[test]
fn the_input_is_read_like_a_file() {
    let file = sample("curl.txt");
    let text = std::fs::read_to_string(&file).expect("a sample");
    assert_eq!(stdout("read-ss -", &text), stdout(&format!("read-ss {file}"), ""));
    assert!(stdout("read-ss -", &text).contains("cost of the gap"));
}

#[test]
fn json_has_numbers_with_their_unit() {
    let text = stdout(&format!("read-ss {} --format json", sample("ss-ti.txt")), "");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    let readings = read["sockets"][0]["readings"].as_array().expect("readings");
    let queue = readings.iter().find(|r| r["field"] == "standing queue").expect("a queue");
    assert_eq!((&queue["number"], &queue["unit"]), (&Value::from(196.0), &Value::from("ms")));
    assert_eq!(queue["derived"], true);
    assert_eq!(read["settings"]["query"], "rate=23400kbps&rtt=18ms");
    assert_eq!(read["settings"]["changes"][1]["key"], "rtt");
    assert_eq!(read["hystart"], Value::Null);
}

#[test]
fn counters_are_held_against_the_path() {
    let text = stdout(&format!("read-ss {}", sample("nstat.txt")), "");
    assert!(text.contains("80 segments on average: 12% of the 661 packets"), "{text}");
    assert!(text.contains("of no bearing here: 2 other counters"), "{text}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let text = stdout(&format!("read-ss {}", sample("broken.txt")), "");
    assert!(text.contains("\nNot read\n  line 1: '$ ss -ti': "), "{text}");
    assert!(text.contains("  line 4: 'flux:7': not a field of ss known here\n"), "{text}");
}

#[test]
fn input_without_a_reading_is_refused_in_one_line() {
    assert!(complaint("read-ss -", "").starts_with("-: nothing to read: give the output of"));
    assert!(
        complaint("read-ss -", "hello\nthere\u{1b}\n").starts_with("-: none of 2 lines recognised")
    );
    assert!(complaint("read-ss no-such-file", "").starts_with("cannot read no-such-file: "));
    assert!(complaint("read-ss", "").contains("FILE"));
    assert_eq!(
        complaint("read-ss - --format csv", ""),
        "--format: 'csv' is not allowed; use text, json"
    );
}

#[test]
fn bytes_that_are_no_text_are_refused_not_fatal() {
    let output = Command::new(env!("CARGO_BIN_EXE_slowstart"))
        .args(["read-ss", env!("CARGO_BIN_EXE_slowstart")])
        .output()
        .expect("it starts");
    assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}", output.status);
}

#[test]
fn commands_are_a_script_with_the_figures_of_the_run() {
    let options = "--size 64KB --rtt 20ms --initial-window 46 --idle 1s";
    let text = stdout(&format!("commands {options}"), "");
    let run: Value =
        serde_json::from_str(&stdout(&format!("run {options} --format json"), "")).expect("JSON");
    for part in [
        "\n# router: the bottleneck\nsudo tc qdisc replace dev eth1 root netem rate 100mbit limit 330\n# ",
        "initcwnd 46\n",
        &format!("then a response of {:.0} ms", run["response_ms"].as_f64().expect("a time")),
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let programs = ["sudo", "echo", "for", "head", "curl", "while", "nstat", "iperf3"];
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        assert!(programs.iter().any(|it| line.split(' ').next() == Some(it)), "{line}");
    }
    let mut sh = Command::new("sh")
        .arg("-n")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    sh.stdin.take().expect("an input").write_all(text.as_bytes()).expect("it reads");
    let read = sh.wait_with_output().expect("it ends");
    assert!(read.status.success(), "{read:?}");
}

#[test]
fn what_no_command_sets_stands_first() {
    let text = stdout("commands --size 64KB --connections 8 --think 50ms", "");
    let first = "\n\n# client: what no command sets\n# No command here sets Connections (8 connections) and Server think time (50 ms): ";
    assert!(text.contains(first), "{text}");
}

#[test]
fn the_examples_in_the_help_work() {
    let help = stdout("read-ss -h", "");
    let pipes = help.lines().filter_map(|line| line.trim().split_once(" | slowstart "));
    let mut count = 0;
    for (program, options) in pipes {
        let file = if program.starts_with("ss") { "ss-ti.txt" } else { "nstat.txt" };
        let input = std::fs::read_to_string(sample(file)).expect("a sample");
        assert!(!stdout(options, &input).is_empty());
        count += 1;
    }
    assert_eq!(count, 2, "{help}");
}

#[test]
fn commands_are_data_too() {
    let text = stdout("commands --loss last-window --size 14KB --format json", "");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    let commands = read["commands"].as_array().expect("commands");
    assert_eq!(commands[0]["place"], "router");
    let loss = commands.iter().find(|c| c["purpose"] == "the loss").expect("a loss");
    assert_eq!(loss["run"], "");
    assert_eq!(
        complaint("commands --rtt 1s", ""),
        "--rtt: '1s' is not allowed; use 1 ms to 300 ms"
    );
}
