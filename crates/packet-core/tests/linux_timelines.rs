//! What a Linux kernel did, row by row: the sender of the `linux` preset on virtual time, without a path.
//!
//! `tests/linux-timelines/README.md` says what the rows mean.

use packet_core::assumptions::{Assumptions, HyStartRounds, TimerGranularity};
use packet_core::sender::{Ack, Sender, Settings, Transmission};
use packet_core::units::Time;
use std::collections::VecDeque;
use std::path::Path;

/// The handshake's round trip in these timelines.
const HANDSHAKE: Time = Time::millis(100);

/// The sender, and what it has sent that no row has asked for yet.
struct Timeline {
    sender: Sender,
    sent: VecDeque<Transmission>,
}

impl Timeline {
    fn new() -> Timeline {
        Timeline {
            sender: Sender::new(Settings {
                receive_window: None,
                initial_window: 10,
                base_rtt: HANDSHAKE,
                slot: Time::nanos(1),
                hystart: true,
                tail_loss_probe: true,
                slow_start_after_idle: false,
                assumptions: Assumptions {
                    // Rows state when something must leave, not on which tick it did.
                    timer_granularity: TimerGranularity::Exact,
                    // They are those of a kernel older than that of `tests/figures/kernel.csv`: in
                    // `cubic-bulk-166` slow start ends a round later than it does there.
                    hystart_rounds: HyStartRounds::LargeWindow,
                    ..Assumptions::LINUX
                },
            }),
            sent: VecDeque::new(),
        }
    }

    fn transmit(&mut self, now: Time) {
        while let Some(transmission) = self.sender.transmit(now) {
            self.sent.push_back(transmission);
        }
    }

    /// Runs every timer up to and including `now`.
    fn advance(&mut self, now: Time) {
        loop {
            let at = self.sender.wake_at();
            if at > now {
                break;
            }
            self.sender.on_timer(at);
            self.transmit(at);
        }
    }

    /// Checks or plays one row; says what is wrong with it.
    fn row(&mut self, now: Time, event: &str, a: &str, b: &str) -> Result<(), String> {
        let number = |text: &str| text.parse::<u32>().map_err(|e| format!("'{text}': {e}"));
        match event {
            "write" => {
                self.sender.write(now, number(a)?, None);
                self.transmit(now);
            }
            "ack" => {
                let (first, past) = b.split_once('-').unwrap_or(("0", "0"));
                let sacked = (number(first)?, number(past)?);
                let ack = Ack { cumulative: number(a)?, sacked, echo: None };
                self.sender.on_acks(now, [ack]);
                self.transmit(now);
            }
            "send" => {
                let first = number(a)?;
                let past = if b.is_empty() { first + 1 } else { number(b)? };
                for segment in first..past {
                    let sent = self.sent.pop_front().map(|t| t.segment);
                    if sent != Some(segment) {
                        return Err(format!("segment {segment} should leave, not {sent:?}"));
                    }
                }
            }
            "cwnd_is" | "ssthresh_is" => {
                let value =
                    if event == "cwnd_is" { self.sender.cwnd() } else { self.sender.ssthresh() };
                let expected = if a == "infinite" { f64::INFINITY } else { f64::from(number(a)?) };
                if value != expected {
                    return Err(format!("{event} {value}"));
                }
            }
            _ => return Err("an unknown event".to_owned()),
        }
        Ok(())
    }
}

/// Plays a file; returns its rows that do not hold.
fn play(csv: &str) -> Vec<String> {
    let mut timeline = Timeline::new();
    let sends = csv.contains(",send,");
    let mut wrong = Vec::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let &[seconds, event, a, b] = cells.as_slice() else {
            wrong.push(format!("{line}: not four cells"));
            continue;
        };
        let seconds: f64 = seconds.parse().expect("a time");
        let now = Time::micros((seconds * 1e6).round() as u64);
        timeline.advance(now);
        if let Err(error) = timeline.row(now, event, a, b) {
            wrong.push(format!("{line}: {error}"));
        }
        if !sends {
            timeline.sent.clear();
        }
    }
    wrong
}

#[test]
fn every_row_of_every_timeline_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/linux-timelines");
    let mut files = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_some_and(|e| e == "csv") {
            let csv = std::fs::read_to_string(&path).expect("a readable file");
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            wrong.extend(play(&csv).into_iter().map(|row| format!("{name}: {row}")));
            files += 1;
        }
    }
    assert_eq!(files, 8);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
