//! "Check it on a real system": a scenario as commands, with the figures that the model expects.
//!
//! The commands are for three Linux hosts, or three network namespaces of one: a client, a server with
//! the response, and a router between them. Addresses and names of interfaces are examples.
//!
//! The router is needed: on the sender itself, `netem` tells TCP at once what it drops, which no
//! network does.

use crate::printed::UNSCALED_WINDOW;
use packet_core::assumptions::{Pacing, Preset, SlowStartExit};
use packet_core::decision::{Decision, ExitReason};
use packet_core::model::Model;
use packet_core::parameter::Invalid;
use packet_core::slow_start::scenario::Loss;
use packet_core::slow_start::{PARAMETERS, Response, SetUp};
use packet_core::trace::Fate;
use packet_core::units::{Bytes, MSS, Rate, Time, Unit, WIRE_BYTES, grouped};
use packet_core::{Run, Scenario, SlowStart, run};
use serde::Serialize;

/// Where a command is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The host between the two, which plays the path.
    Router,
    /// The host that sends the response.
    Server,
    /// The host that asks for it.
    Client,
}

impl Place {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Place::Router => "router",
            Place::Server => "server",
            Place::Client => "client",
        }
    }
}

/// A command, ready to copy, and what it should show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Command {
    /// Where to run it.
    pub place: Place,
    /// What it is for, in a few words.
    pub purpose: &'static str,
    /// The command; empty where no command does it.
    pub run: String,
    /// What to look for, with the figure that the model expects.
    pub look_for: String,
}

/// What the commands take for granted, and what to replace in them.
pub const BEFORE: &str = "Three Linux hosts, or three network namespaces of one: client, router, server. Replace the names of interfaces (eth0 faces the server, eth1 the client, on the two hosts eth0), 192.0.2.10 (the server), 192.0.2.1 and 198.51.100.1 (the router, as server and client see it). The router is needed: on the sender itself, netem tells TCP at once what it drops, which no network does.";

/// The gap that is shown where a scenario has none.
const EXAMPLE_GAP: Time = Time::secs(1);
/// The shortest gap, for a second request at once.
const NO_GAP: Time = Time::millis(1);
/// Upper limit of the send buffer on most hosts, in bytes (`net.ipv4.tcp_wmem`).
const USUAL_SEND_BUFFER: u64 = 4 << 20;
/// What a first window may be at most, as a SYN cannot scale, in segments.
const LARGEST_FIRST_WINDOW: u32 = (UNSCALED_WINDOW / MSS) as u32;
const URL: &str = "http://192.0.2.10:8000/response";

/// A scenario's run, and what it would be as Linux does it, where it was run otherwise.
struct Expected {
    own: Run,
    linux: Option<Run>,
}

impl Expected {
    fn of(scenario: &Scenario) -> Result<Expected, Invalid> {
        let own = run(scenario)?;
        let mut as_linux = scenario.clone();
        as_linux.set_model(Preset::Linux);
        // The commands put a pacing queue on the server or take it away, as the scenario has it.
        as_linux.assumptions.pacing = scenario.assumptions.pacing;
        let linux = (scenario.model != Preset::Linux).then(|| run(&as_linux)).transpose()?;
        Ok(Expected { own, linux })
    }

    /// A figure of both, or the one that they have in common.
    fn tell(&self, figure: impl Fn(&Run) -> String) -> String {
        let own = figure(&self.own);
        match self.linux.as_ref().map(figure) {
            Some(linux) if linux != own => format!("{own} (with the linux preset {linux})"),
            _ => own,
        }
    }
}

/// The commands that check a scenario on a real system, in the order to run them. Their figures are
/// those of [`reproducible`]'s scenario.
///
/// Runs the model some twelve times.
///
/// # Errors
/// [`Invalid`], naming the first field of the scenario that is out of range.
pub fn commands(scenario: &Scenario) -> Result<Vec<Command>, Invalid> {
    scenario.validate()?;
    let left_out = left_out(scenario);
    let scenario = &reproducible(scenario);
    let expected = Expected::of(scenario)?;
    let mut commands = Vec::from_iter(left_out);
    commands.extend([
        bottleneck(scenario),
        distance(scenario),
        offloads(),
        sysctls(scenario),
        hystart(scenario, &expected),
        pacing(scenario),
    ]);
    commands.extend(buffers(&expected.own));
    commands.extend([initial_window(scenario), receive_window(scenario), server(scenario)]);
    commands.extend(loss(&expected));
    commands.extend(spike(scenario));
    commands.extend([response(scenario, &expected), second_at_once(scenario)?]);
    commands.extend(second_after_gap(scenario)?);
    commands.extend([
        window(&expected),
        counters(&expected),
        one_stream(scenario)?,
        ten_streams(scenario)?,
    ]);
    commands.extend(ten_times_the_rate(scenario)?);
    commands.push(undo());
    Ok(commands)
}

fn command(place: Place, purpose: &'static str, run: String, look_for: String) -> Command {
    Command { place, purpose, run, look_for }
}

/// The scenario as far as the commands can play it: one connection to a server that answers at once. Its
/// handshake is TCP's alone, before what is timed; Linux sizes its receive window by itself.
fn reproducible(scenario: &Scenario) -> Scenario {
    Scenario {
        connections: 1,
        stagger: Time::ZERO,
        receive_window: None,
        set_up: SetUp::None,
        think: Time::ZERO,
        ..scenario.clone()
    }
}

/// Names the settings that [`reproducible`] changes, where there are any.
fn left_out(scenario: &Scenario) -> Option<Command> {
    let played = reproducible(scenario);
    let mut asked = scenario.clone();
    if asked.set_up == SetUp::Tcp {
        asked.set_up = SetUp::None;
    }
    let changed = PARAMETERS.iter().filter(|p| (p.get)(&asked) != (p.get)(&played));
    let names = changed.map(|p| format!("{} ({})", p.label, p.show((p.get)(&asked))));
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| {
        command(
            Place::Client,
            "what no command sets",
            String::new(),
            format!(
                "No command here sets {}: they are for one new TCP connection without that, and so are their figures.",
                listed(&names)
            ),
        )
    })
}

fn bottleneck(scenario: &Scenario) -> Command {
    let buffer = scenario.buffer_packets();
    let bdps = Unit::Ratio.figure(f64::from(buffer) / scenario.bdp_packets());
    command(
        Place::Router,
        "the bottleneck",
        format!(
            "sudo tc qdisc replace dev eth1 root netem rate {} limit {buffer}",
            tc(scenario.rate)
        ),
        format!(
            "`tc -s qdisc show dev eth1` counts what is dropped. At {} the queue holds {}, {bdps} bandwidth-delay products.",
            scenario.rate,
            Unit::Packets.show(buffer.into())
        ),
    )
}

/// All of the delay is on the ACKs' way, as netem's limit counts delayed packets as queued ones.
fn distance(scenario: &Scenario) -> Command {
    let room = (4.0 * scenario.bdp_packets()).ceil() as u64 + 1_000;
    command(
        Place::Router,
        "the distance",
        format!(
            "sudo tc qdisc replace dev eth0 root netem delay {}us limit {room}",
            (scenario.rtt.0 + 500) / 1_000
        ),
        format!(
            "`ping 192.0.2.10` from the client takes {}. The delay is on the way of the requests and ACKs only: netem's limit counts packets that are under way as if they were queued.",
            Unit::Time.show(scenario.rtt.0)
        ),
    )
}

fn undo() -> Command {
    command(
        Place::Router,
        "the path as it was",
        "for i in eth0 eth1; do sudo tc qdisc del dev $i root; done".to_owned(),
        "`ping` is quick again. What was set by sysctl, ethtool and ip route on the hosts lasts until the next boot.".to_owned(),
    )
}

fn offloads() -> Command {
    command(
        Place::Router,
        "packets of one segment",
        "for i in eth0 eth1; do sudo ethtool -K $i gro off gso off tso off; done".to_owned(),
        format!(
            "`tc -s qdisc show dev eth1`: bytes sent over packets sent is at most {} during a download. Merged packets would make the queue many times as long as its limit. Between namespaces of one host packets are never split: turn it off on the server's interface too.",
            grouped(WIRE_BYTES as f64)
        ),
    )
}

fn sysctls(scenario: &Scenario) -> Command {
    let (idle, probe) =
        (u8::from(scenario.slow_start_after_idle), if scenario.tail_loss_probe { 3 } else { 0 });
    command(
        Place::Server,
        "the sender's settings",
        format!(
            "sudo sysctl -w net.ipv4.tcp_congestion_control=cubic net.ipv4.tcp_slow_start_after_idle={idle} net.ipv4.tcp_early_retrans={probe} net.ipv4.tcp_no_metrics_save=1"
        ),
        "Each is printed as it is set; a namespace may refuse cubic where the host does not use it. tcp_early_retrans is the tail loss probe: 3 on, 0 off. Without the last, a connection would begin with what the host remembers of those before it.".to_owned(),
    )
}

fn hystart(scenario: &Scenario, expected: &Expected) -> Command {
    let exit = scenario.assumptions.slow_start_exit;
    let on = scenario.hystart && exit == SlowStartExit::HyStart;
    let other = if scenario.hystart && exit == SlowStartExit::HyStartPlusPlus {
        " Linux has no HyStart++, so there is nothing to check it with."
    } else {
        ""
    };
    command(
        Place::Server,
        "HyStart",
        format!("echo {} | sudo tee /sys/module/tcp_cubic/parameters/hystart", u8::from(on)),
        format!(
            "1 is on, 0 off, for the whole host and new connections. In the model {}.{other}",
            expected.tell(end_of_slow_start)
        ),
    )
}

fn end_of_slow_start(run: &Run) -> String {
    match run.slow_start_exit() {
        Some((reason, cwnd)) => {
            format!("slow start ends at cwnd {}, by {}", grouped(cwnd.round()), reason.name())
        }
        None => "slow start does not end before the response does".to_owned(),
    }
}

fn pacing(scenario: &Scenario) -> Command {
    let (queue, look_for) = match scenario.assumptions.pacing {
        Pacing::FqLike => (
            "fq",
            "CUBIC paces only where fq is the queue. sysctl net.ipv4.tcp_pacing_ss_ratio prints 200 and tcp_pacing_ca_ratio 120: two windows a round trip in slow start, 1.2 after it, as in the model.",
        ),
        Pacing::None => (
            "fq_codel",
            "The usual queue, with which CUBIC does not pace: what the window allows leaves at once, as in the model.",
        ),
    };
    command(
        Place::Server,
        "pacing",
        format!("sudo tc qdisc replace dev eth0 root {queue}"),
        look_for.to_owned(),
    )
}

/// Needed only where the window outgrows the usual buffers.
fn buffers(expected: &Run) -> Option<Command> {
    let window = (expected.peak_cwnd * MSS as f64) as u64;
    // Half of a buffer goes into bookkeeping.
    let needed = 2 * window;
    if needed <= USUAL_SEND_BUFFER {
        return None;
    }
    let most = needed.next_power_of_two();
    let run = format!(
        "sudo sysctl -w net.ipv4.tcp_wmem='4096 16384 {most}' net.ipv4.tcp_rmem='4096 131072 {most}'"
    );
    let look_for = format!(
        "On the client too. The window reaches {} in the model, too much for buffers of the usual 4 and 6 MB; ss would show sndbuf_limited or rwnd_limited.",
        Bytes(window)
    );
    Some(command(Place::Server, "buffers for the window", run, look_for))
}

/// Started together with the request.
fn spike(scenario: &Scenario) -> Option<Command> {
    let (at, spike) = (scenario.spike.at?, scenario.spike);
    let buffer = scenario.buffer_packets();
    // What is under way counts as queued.
    let room = buffer + (scenario.rate.bytes_in(spike.delay) / WIRE_BYTES as f64).ceil() as u32;
    let path = format!("sudo tc qdisc change dev eth1 root netem rate {}", tc(scenario.rate));
    Some(command(
        Place::Router,
        "the delay spike",
        format!(
            "sleep {}; {path} delay {}us limit {room}; sleep {}; {path} delay 0ms limit {buffer}",
            at.as_secs(),
            spike.delay.0 / 1_000,
            spike.length.as_secs()
        ),
        format!(
            "Start it with the request: from {at} on, packets take {} longer for {}. As it ends, no packet overtakes those still under way: netem with a rate keeps them in order, and so does the model.",
            Unit::Time.show(spike.delay.0),
            Unit::Time.show(spike.length.0)
        ),
    ))
}

fn initial_window(scenario: &Scenario) -> Command {
    let iw = scenario.initial_window;
    command(
        Place::Server,
        "the initial window",
        format!("sudo ip route change default via 192.0.2.1 dev eth0 initcwnd {iw}"),
        format!(
            "`ip route show` prints initcwnd {iw}; of a new connection, ss prints cwnd:{iw} until the first ACK of data. Lost at the next boot."
        ),
    )
}

fn receive_window(scenario: &Scenario) -> Command {
    let iw = scenario.initial_window;
    let fits = if iw <= LARGEST_FIRST_WINDOW {
        format!(
            "{iw} segments are {}, which a first window of up to {} bytes holds; Linux offers that much since 4.20 of itself.",
            Bytes(u64::from(iw) * MSS),
            grouped(UNSCALED_WINDOW as f64)
        )
    } else {
        format!(
            "A SYN cannot offer more than {} bytes, {LARGEST_FIRST_WINDOW} segments, whatever is set: the last {} of the first {iw} wait for the first ACK, which the model does not have.",
            grouped(UNSCALED_WINDOW as f64),
            iw - LARGEST_FIRST_WINDOW
        )
    };
    command(
        Place::Client,
        "the window offered for it",
        format!("sudo ip route change default via 198.51.100.1 dev eth0 initrwnd {}", iw.max(10)),
        format!("{fits} Set initrwnd wherever initcwnd is raised on the other side."),
    )
}

fn server(scenario: &Scenario) -> Command {
    command(
        Place::Server,
        "the response",
        format!(
            "head -c {} /dev/urandom > response && python3 -m http.server --protocol HTTP/1.1 8000",
            scenario.size.0
        ),
        format!(
            "{} in {}, and a header of some 200 bytes before them. Any server that keeps connections open will do; the option needs Python 3.11.",
            scenario.size,
            Unit::Segments.show(scenario.segments().into())
        ),
    )
}

/// How long the model waited before it sent a lost last packet again, and by what.
fn repair(expected: &Run) -> String {
    let repaired = expected.decisions.iter().find_map(|d| match d.what {
        Decision::ProbeSent { pto, .. } => Some(format!("a probe goes out after {pto}")),
        Decision::Timeout { rto, .. } => Some(format!("the timer runs out after {rto}")),
        Decision::FastRetransmit { cwnd_before, cwnd, .. } => Some(format!(
            "the packets behind it report it, and cwnd falls from {} to {}",
            grouped(cwnd_before.round()),
            grouped(cwnd.round())
        )),
        _ => None,
    });
    repaired.unwrap_or_else(|| "nothing has to be repaired".to_owned())
}

fn loss(expected: &Expected) -> Vec<Command> {
    // A firewall counts what passes, repairs of earlier losses included: as the kernel sends it.
    let packets = &expected.linux.as_ref().unwrap_or(&expected.own).packets;
    let lost = packets.iter().enumerate().filter(|(_, packet)| packet.fate == Fate::Lost);
    let numbers: Vec<_> = lost.map(|(index, _)| index).collect();
    if numbers.is_empty() {
        return Vec::new();
    }
    let cannot = command(
        Place::Router,
        "the loss",
        String::new(),
        "netem loses packets by chance; it cannot lose a certain packet of a response, such as the last. A firewall that counts packets can, as long as nothing else is sent.".to_owned(),
    );
    let names: Vec<_> = numbers.iter().map(|n| grouped(*n as f64 + 1.0)).collect();
    let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
    let count = command(
        Place::Router,
        "the loss, by counting",
        format!(
            "sudo nft 'table ip lose {{ chain forward {{ type filter hook forward priority 0; tcp sport 8000 meta length > 100 numgen inc mod 1000000 {{ {} }} counter drop; }}; }}'",
            numbers.join(", ")
        ),
        format!(
            "Of the packets with data since the rule was loaded, drops number {}; `sudo nft list table ip lose` counts it, `sudo nft delete table ip lose` ends it. Load it anew before each try. The response's header may shift the count by one. In the model {}.",
            listed(&names),
            expected.tell(repair)
        ),
    );
    vec![cannot, count]
}

/// `7`, `7 and 12`, `7, 12 and 40`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn curl(options: &str) -> String {
    format!("curl -s -w '%{{time_connect}} %{{time_starttransfer}} %{{time_total}}\\n' {options}")
}

/// What curl sees of a response: the model's begins at the sender, curl's with the request on its way.
fn at_client(expected: &Run, response: Response) -> Time {
    response.duration() + Time(expected.base_rtt.0 / 2)
}

fn response(scenario: &Scenario, expected: &Expected) -> Command {
    command(
        Place::Client,
        "the response time",
        curl(&format!("-o /dev/null {URL}")),
        format!(
            "The first time is the handshake, {}. The third less the first is {}: {} for the request's way, then a response of {}, of which the link needs {} to send.",
            Unit::Time.show(scenario.rtt.0),
            expected.tell(|run| at_client(run, run.first()).to_string()),
            Time(expected.own.base_rtt.0 / 2),
            expected.tell(|run| run.first().duration().to_string()),
            scenario.link_busy()
        ),
    )
}

/// The third time of the second line.
fn second_at_client(run: &Run) -> String {
    let second = run.responses.get(1);
    second.map_or_else(String::new, |response| at_client(run, *response).to_string())
}

fn second_at_once(scenario: &Scenario) -> Result<Command, Invalid> {
    let expected = Expected::of(&Scenario { idle: Some(NO_GAP), ..scenario.clone() })?;
    Ok(command(
        Place::Client,
        "a second request at once",
        curl(&format!("-o /dev/null {URL} -o /dev/null {URL}")),
        format!(
            "Two lines; the second has 0 for its first time, as the connection is open. Its third time is {}, against {} after the first handshake: what a window that has grown is worth.",
            expected.tell(second_at_client),
            expected.tell(|run| at_client(run, run.first()).to_string())
        ),
    ))
}

/// curl starts its transfers at a rate, not after a gap: the gap is what is left of each interval.
fn second_after_gap(scenario: &Scenario) -> Result<Option<Command>, Invalid> {
    let gap = scenario.idle.unwrap_or(EXAMPLE_GAP);
    // From the last data to the next request, the server sees a round trip of silence in any case.
    let Some(wait) = gap.0.checked_sub(scenario.rtt.0).filter(|wait| *wait > 0).map(Time) else {
        return Ok(None);
    };
    let expected = Expected::of(&Scenario { idle: Some(gap), ..scenario.clone() })?;
    let first = at_client(&expected.own, expected.own.first());
    let interval = scenario.rtt + first + wait;
    let per_hour = (Time::secs(3_600).0 / interval.0).max(1);
    let example = if scenario.idle.is_none() { "For example: " } else { "" };
    Ok(Some(command(
        Place::Client,
        "a second request after a gap",
        curl(&format!("--rate {per_hour}/h -o /dev/null {URL} -o /dev/null {URL}")),
        format!(
            "{example}{} transfers an hour (curl 7.84 or later) start {} apart, so that the server sees a silence of {}. The third time of the second line is {}; what that is more than without a gap is the price of tcp_slow_start_after_idle. In the model {}.",
            grouped(per_hour as f64),
            Unit::Time.show(interval.0),
            Unit::Time.show(gap.0),
            expected.tell(second_at_client),
            expected.tell(restart)
        ),
    )))
}

fn restart(run: &Run) -> String {
    let restart = run.decisions.iter().find_map(|d| match d.what {
        Decision::IdleRestart { rto, cwnd_before, cwnd, .. } => Some((rto, cwnd_before, cwnd)),
        _ => None,
    });
    match restart {
        Some((rto, before, after)) if after < before => format!(
            "the silence and an rto of {rto} take the window from {} to {}",
            grouped(before.round()),
            grouped(after.round())
        ),
        _ => "the silence takes nothing of the window".to_owned(),
    }
}

fn window(expected: &Expected) -> Command {
    let threshold = |run: &Run| match run.slow_start_exit() {
        Some((_, cwnd)) => {
            format!("ssthresh appears at cwnd {}, as slow start ends", grouped(cwnd.round()))
        }
        None => "no ssthresh appears, as slow start does not end".to_owned(),
    };
    let longest = |run: &Run| run.worst_rtt.map_or("not known".to_owned(), |rtt| rtt.to_string());
    command(
        Place::Server,
        "the window, while it lasts",
        "while sleep 0.02; do ss -tin 'sport = :8000'; done".to_owned(),
        format!(
            "cwnd grows to {}; {}; rto is {} at the end; rtt less minrtt is the queue, and the longest round trip is {}.",
            expected.tell(|run| grouped(run.peak_cwnd.round())),
            expected.tell(threshold),
            expected.tell(|run| run.rto.to_string()),
            expected.tell(longest)
        ),
    )
}

fn counters(expected: &Expected) -> Command {
    let hystart = |run: &Run| {
        let (test, cwnd) = match run.slow_start_exit() {
            Some((ExitReason::AckTrain { .. }, cwnd)) => ("Train", cwnd),
            Some((ExitReason::DelayIncrease { .. }, cwnd)) => ("Delay", cwnd),
            _ => return "none of HyStart's four counters changes".to_owned(),
        };
        format!(
            "TCPHystart{test}Detect goes up by 1 and TCPHystart{test}Cwnd by {}",
            grouped(cwnd.round())
        )
    };
    let timers = |key| expected.tell(|run| shown(run, key));
    command(
        Place::Server,
        "the counters, before and after",
        "nstat -az 'TcpExtTCPHystart*' TcpExtTCPLossProbes TcpExtTCPTimeouts".to_owned(),
        format!(
            "For one response on a new connection, {}; probes: {}, timeouts: {}. Cwnd over Detect is the average window at which HyStart ends slow start.",
            expected.tell(hystart),
            timers("tail_loss_probes"),
            timers("timeouts")
        ),
    )
}

/// The scenario without what iperf3 has no equal for.
fn plain(scenario: &Scenario) -> Scenario {
    Scenario { loss: Loss::None, idle: None, ..scenario.clone() }
}

fn achieved(size: Bytes, time: Time) -> Rate {
    Rate((size.0 as f64 * 8.0 / time.as_secs()).round() as u64)
}

fn iperf(scenario: &Scenario, streams: &str) -> String {
    format!("iperf3 -c 192.0.2.10 -R -l 8K -n {}{streams}", scenario.size.0)
}

fn one_stream(scenario: &Scenario) -> Result<Command, Invalid> {
    let expected = Expected::of(&plain(scenario))?;
    let time = expected.own.first().duration();
    Ok(command(
        Place::Client,
        "one stream",
        iperf(scenario, ""),
        format!(
            "Run `iperf3 -s` on the server. {} in {} make {} in the model, on a link of {}; look at the receiver's line. iperf3 counts whole blocks, here of 8 KB.",
            scenario.size,
            expected.tell(|run| run.first().duration().to_string()),
            achieved(scenario.size, time),
            scenario.rate
        ),
    ))
}

/// Ten windows that start together; the model has one connection, so it bounds them from below.
fn ten_streams(scenario: &Scenario) -> Result<Command, Invalid> {
    let size = Bytes((scenario.size.0 / 10).max(1_024));
    let alone = run(&Scenario { size, ..plain(scenario) })?.first().duration();
    let link = scenario.link_busy() + Time(scenario.rtt.0 / 2);
    let time = alone.max(link);
    Ok(command(
        Place::Client,
        "ten streams",
        iperf(scenario, " -P 10"),
        format!(
            "The same bytes in ten parts, and ten initial windows. In the model one part alone takes {alone}, and the link needs {link} for all with the way to the client: not less than {time} together, or at most {} in the SUM line. If that is no more than one stream gets, the link is the limit; if it is much more, the window was.",
            achieved(scenario.size, time)
        ),
    ))
}

/// The test that settles it; left out where the model has no such rate.
fn ten_times_the_rate(scenario: &Scenario) -> Result<Option<Command>, Invalid> {
    let faster = Scenario { rate: Rate(scenario.rate.0.saturating_mul(10)), ..plain(scenario) };
    if faster.validate().is_err() {
        return Ok(None);
    }
    let (before, after) = (Expected::of(&plain(scenario))?, Expected::of(&faster)?);
    let time = |expected: &Expected| expected.tell(|run| run.first().duration().to_string());
    Ok(Some(command(
        Place::Router,
        "ten times the rate",
        format!(
            "sudo tc qdisc change dev eth1 root netem rate {} limit {}",
            tc(faster.rate),
            faster.buffer_packets()
        ),
        format!(
            "Then curl once more: a response of {} instead of {} in the model. What a link of ten times the rate does not shorten is priced in round trips.",
            time(&after),
            time(&before)
        ),
    )))
}

/// A figure of the run for people.
fn shown(run: &Run, key: &str) -> String {
    SlowStart::quantity(key).map(|q| q.show(run)).unwrap_or_default()
}

/// A rate as tc reads it.
fn tc(rate: Rate) -> String {
    Unit::BitsPerSecond.exact(rate.0).to_ascii_lowercase().replace("bps", "bit")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scenario: &Scenario, purpose: &str) -> Command {
        let commands = commands(scenario).expect("in range");
        commands.into_iter().find(|c| c.purpose == purpose).expect("a command")
    }

    #[test]
    fn the_path_is_given_to_netem() {
        let scenario = Scenario::default();
        assert_eq!(
            of(&scenario, "the bottleneck").run,
            "sudo tc qdisc replace dev eth1 root netem rate 100mbit limit 1321"
        );
        assert_eq!(
            of(&scenario, "the distance").run,
            "sudo tc qdisc replace dev eth0 root netem delay 80000us limit 3643"
        );
    }

    #[test]
    fn rates_are_written_as_tc_reads_them() {
        assert_eq!(tc(Rate::gbps(10)), "10gbit");
        assert_eq!(tc(Rate(23_400_000)), "23400kbit");
        assert_eq!(tc(Rate(1_000_001)), "1000001bit");
    }

    #[test]
    fn the_expected_figures_are_those_of_the_model() {
        let scenario = Scenario { idle: Some(Time::millis(500)), ..Scenario::default() };
        let expected = run(&scenario).expect("in range");
        assert!(
            of(&scenario, "the response time").look_for.contains(&shown(&expected, "response_ms"))
        );
        let gap = of(&scenario, "a second request after a gap");
        // 233 ms in the article, and half a round trip for the request.
        assert!(gap.look_for.contains("the second line is 273 ms"), "{}", gap.look_for);
        assert!(gap.run.contains("--rate 3361/h"), "{}", gap.run);
        assert!(of(&scenario, "the window, while it lasts").look_for.contains("grows to 608"));
    }

    #[test]
    fn what_no_command_sets_changes_no_command_and_no_figure() {
        let plain = Scenario { size: Bytes::kb(45), ..Scenario::default() };
        let shared = Scenario {
            connections: 8,
            receive_window: Some(Bytes::kb(8)),
            set_up: SetUp::Tls13,
            think: Time::millis(50),
            ..plain.clone()
        };
        let commands_of = |scenario: &Scenario| commands(scenario).expect("in range");
        let told = commands_of(&shared);
        assert_eq!(
            told[0].look_for,
            "No command here sets Connections (8 connections), Receive window (8 KB), Connection set-up (TCP and TLS 1.3) and Server think time (50 ms): they are for one new TCP connection without that, and so are their figures."
        );
        assert_eq!(told[1..], commands_of(&plain));
        let after_handshake = Scenario { set_up: SetUp::Tcp, ..plain.clone() };
        assert_eq!(commands_of(&after_handshake), commands_of(&plain));
        let out_of_range = Scenario { connections: 17, ..plain };
        assert_eq!(commands(&out_of_range).expect_err("too many").field, "connections");
    }

    #[test]
    fn a_gap_shorter_than_a_round_trip_is_none() {
        let scenario = Scenario { idle: Some(Time::millis(80)), ..Scenario::default() };
        let commands = commands(&scenario).expect("in range");
        assert!(commands.iter().all(|c| c.purpose != "a second request after a gap"));
    }

    #[test]
    fn switches_become_the_kernels_numbers() {
        let off = Scenario {
            hystart: false,
            tail_loss_probe: false,
            slow_start_after_idle: false,
            ..Scenario::default()
        };
        let sysctls = of(&off, "the sender's settings").run;
        assert!(sysctls.contains("tcp_slow_start_after_idle=0"), "{sysctls}");
        assert!(sysctls.contains("tcp_early_retrans=0"), "{sysctls}");
        assert!(of(&off, "HyStart").run.starts_with("echo 0 "));
    }

    #[test]
    fn a_loss_on_purpose_is_nothing_netem_can_do() {
        let scenario =
            Scenario { size: Bytes::kb(14), loss: Loss::LastWindow, ..Scenario::default() };
        assert!(of(&scenario, "the loss").run.is_empty());
        let counted = of(&scenario, "the loss, by counting");
        assert!(counted.run.contains("mod 1000000 { 9 } "), "{}", counted.run);
        assert!(counted.look_for.contains("a probe goes out after"), "{}", counted.look_for);
        let several = Loss::None.toggled(7, 46).toggled(12, 46).toggled(40, 46);
        let scenario = Scenario { size: Bytes::kb(64), loss: several, ..Scenario::default() };
        let counted = of(&scenario, "the loss, by counting");
        // Two packets are sent again before the last of them.
        assert!(counted.run.contains("mod 1000000 { 6, 11, 41 } "), "{}", counted.run);
        assert!(counted.look_for.contains("number 7, 12 and 42;"), "{}", counted.look_for);
        let none = commands(&Scenario::default()).expect("in range");
        assert!(none.iter().all(|c| c.purpose != "the loss" && !c.run.is_empty()));
    }

    #[test]
    fn a_window_that_no_syn_can_offer_is_said_to_be_one() {
        let with = |iw| Scenario { initial_window: iw, ..Scenario::default() };
        assert!(of(&with(45), "the window offered for it").look_for.starts_with("45 segments are"));
        assert!(
            of(&with(46), "the window offered for it")
                .look_for
                .contains("the last 1 of the first 46")
        );
    }

    #[test]
    fn buffers_are_raised_only_for_a_large_window() {
        let has = |s: &Scenario| {
            commands(s).expect("in range").iter().any(|c| c.purpose == "buffers for the window")
        };
        assert!(!has(&Scenario::default()));
        let large = Scenario { size: Bytes::mb(64), rate: Rate::gbps(1), ..Scenario::default() };
        assert!(has(&large));
    }

    #[test]
    fn a_rate_beyond_the_model_is_left_out() {
        let fast = Scenario { rate: Rate::gbps(2), size: Bytes::kb(64), ..Scenario::default() };
        let commands = commands(&fast).expect("in range");
        assert!(commands.iter().all(|c| c.purpose != "ten times the rate"));
    }

    #[test]
    fn a_scenario_out_of_range_is_an_error() {
        let scenario = Scenario { rtt: Time::secs(1), ..Scenario::default() };
        assert_eq!(commands(&scenario).expect_err("too long").field, "rtt");
    }
}
