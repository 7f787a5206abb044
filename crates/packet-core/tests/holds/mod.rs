//! What is true of every run.

use packet_core::Run;
use packet_core::assumptions::TrailingAcks;
use packet_core::slow_start::Connection;
use packet_core::trace::Fate;
use packet_core::units::Time;

/// Every response arrives in full, its last segment when the response ends.
fn delivers_each_response(run: &Run) {
    let segments = run.scenario.segments() as usize;
    let size = run.scenario.size.0 as usize;
    assert!((size..size + 1_448).contains(&(segments * 1_448)));
    let responses = 1 + usize::from(run.scenario.idle.is_some());
    assert_eq!(run.connections.len(), run.scenario.connections as usize);
    for (i, connection) in run.connections.iter().enumerate() {
        assert_eq!(connection.responses.len(), responses);
        let mut arrivals: Vec<Option<Time>> = vec![None; segments * responses];
        for packet in run.packets.iter().filter(|p| usize::from(p.connection) == i) {
            let arrival = &mut arrivals[packet.segment as usize];
            *arrival = [*arrival, packet.delivered].into_iter().flatten().min();
        }
        for (response, arrivals) in connection.responses.iter().zip(arrivals.chunks(segments)) {
            let last = arrivals.iter().map(|at| at.expect("every segment arrives")).max();
            assert_eq!(last, Some(response.finished));
            let least = run.scenario.think.times(2) + run.base_rtt;
            assert!(response.duration().times(2) >= least, "half a round trip at least");
            let back = response.acknowledged - response.finished;
            assert!(back.times(2) + Time(1) >= run.base_rtt, "and half a round trip back");
        }
    }
}

/// What is counted for each connection adds up to what is counted for all.
fn connections_add_up(run: &Run) {
    let sum = |count: fn(&Connection) -> u32| run.connections.iter().map(count).sum::<u32>();
    assert_eq!(sum(|c| c.sent) as usize, run.packets.len());
    assert_eq!(sum(|c| c.dropped) as usize, run.count(Fate::QueueDrop));
    assert_eq!(sum(|c| c.retransmissions), run.retransmissions());
    assert!(run.slowest_response() >= run.first().duration());
    let several = run.scenario.connections > 1;
    assert!(run.decisions.iter().all(|d| d.connection.is_some() == several));
}

/// sent = delivered + dropped + lost + in flight, and each packet's times fit its fate.
fn accounts_for_every_packet(run: &Run) {
    let fates = [Fate::Delivered, Fate::QueueDrop, Fate::Lost, Fate::InFlight];
    let counted: usize = fates.iter().map(|fate| run.count(*fate)).sum();
    assert_eq!(run.packets.len(), counted);
    let segments = run.scenario.segments();
    let doomed = run.scenario.loss.numbers(segments);
    let doomed = doomed.as_slice().iter().filter(|n| u32::from(**n) <= segments).count();
    assert_eq!(run.count(Fate::Lost), doomed);
    for packet in &run.packets {
        let arrived = packet.fate == Fate::Delivered;
        let dropped = matches!(packet.fate, Fate::QueueDrop | Fate::Lost);
        assert_eq!(packet.departed.is_none(), dropped, "{packet:?}");
        assert_eq!(packet.delivered.is_some(), arrived, "{packet:?}");
        assert!(packet.acked.is_none() || arrived, "{packet:?}");
    }
}

/// Time never runs backwards, in any list nor on a packet's way.
fn time_runs_forwards(run: &Run) {
    assert!(run.samples.is_sorted_by(|a, b| a.at < b.at), "one sample a moment");
    assert!(run.packets.is_sorted_by_key(|p| p.sent));
    assert!(run.decisions.is_sorted_by_key(|d| d.at));
    for packet in &run.packets {
        let way = [Some(packet.sent), packet.departed, packet.delivered, packet.acked];
        assert!(way.into_iter().flatten().is_sorted(), "{packet:?}");
    }
    // First in, first out.
    assert!(run.packets.iter().filter_map(|p| p.departed).is_sorted());
    // Where trailing ACKs count the run goes on until they have come.
    if run.scenario.assumptions.trailing_acks == TrailingAcks::Discarded {
        let ends = run.connections.iter().filter_map(|c| c.responses.last());
        let end = ends.map(|r| r.finished).max().expect("a response");
        assert!(run.samples.iter().all(|s| s.at <= end));
        assert!(run.decisions.iter().all(|d| d.at <= end));
    }
}

/// The queue stays within its buffer, the window within reason.
fn state_stays_in_bounds(run: &Run) {
    let buffer = run.scenario.buffer_packets();
    let responses = run.responses().len() as u32;
    assert!(run.packets.iter().all(|p| u32::from(p.connection) < run.scenario.connections));
    for sample in &run.samples {
        assert!(sample.queue <= buffer, "{sample:?}");
        assert!(sample.cwnd.is_finite() && sample.cwnd >= 1.0, "{sample:?}");
        assert!(sample.ssthresh >= 1.0, "{sample:?}");
        assert!(sample.in_flight <= run.scenario.segments() * responses, "{sample:?}");
    }
    assert!(run.connections.iter().all(|c| c.peak_cwnd.is_finite() && c.peak_cwnd >= 1.0));
    assert!(run.rto >= Time::millis(200));
}

/// No link sends faster than its rate, from any packet to any later one.
fn the_link_keeps_its_rate(run: &Run) {
    let departures: Vec<_> = run.packets.iter().filter_map(|p| p.departed).collect();
    if let (Some(first), Some(last)) = (departures.first(), departures.last()) {
        let between = run.scenario.rate.time_to_send(1_514 * (departures.len() as u64 - 1));
        let slot = Time(run.base_rtt.0 / 80);
        // What is done in one slot may have begun at its start and ended at its end.
        assert!(*last - *first + slot >= between, "{between} for {} packets", departures.len());
    }
}

/// All of that.
pub fn holds(run: &Run) {
    delivers_each_response(run);
    connections_add_up(run);
    accounts_for_every_packet(run);
    time_runs_forwards(run);
    state_stays_in_bounds(run);
    the_link_keeps_its_rate(run);
    for quantity in packet_core::slow_start::QUANTITIES {
        let number = (quantity.value)(run).number();
        assert!(number.is_none_or(|n| n.is_finite() && n >= 0.0), "{}", quantity.key);
        assert!(!quantity.show(run).is_empty());
    }
}
