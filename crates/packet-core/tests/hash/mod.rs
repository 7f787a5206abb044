//! One number for all that a run left behind.

use packet_core::Run;
use packet_core::trace::kind_str;
use packet_core::units::Time;

/// FNV-1a, 64 bits, which needs no crate and is the same everywhere.
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub fn number(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    fn time(&mut self, time: Option<Time>) {
        self.number(time.unwrap_or(Time::NEVER).0);
    }

    pub fn run(&mut self, run: &Run) {
        self.time(Some(run.base_rtt));
        self.time(Some(run.set_up));
        self.time(run.worst_rtt);
        self.time(Some(run.rto));
        self.number(run.acks.into());
        for c in &run.connections {
            for r in &c.responses {
                self.time(Some(r.requested));
                self.time(Some(r.finished));
                self.time(Some(r.acknowledged));
            }
            self.number(u64::from(c.sent) << 32 | u64::from(c.retransmissions));
            self.number(c.dropped.into());
            self.number(c.peak_cwnd.to_bits());
        }
        for s in &run.samples {
            self.time(Some(s.at));
            self.number(s.cwnd.to_bits());
            self.number(s.ssthresh.to_bits());
            self.number(u64::from(s.in_flight) << 32 | u64::from(s.queue));
        }
        for p in &run.packets {
            self.number(u64::from(p.connection) << 32 | u64::from(p.segment));
            self.bytes(kind_str(p.kind).as_bytes());
            self.bytes(format!("{:?}", p.fate).as_bytes());
            self.time(Some(p.sent));
            self.time(p.departed);
            self.time(p.delivered);
            self.time(p.acked);
        }
        for r in &run.replies {
            self.number(u64::from(r.connection) << 32 | u64::from(r.cumulative));
            self.time(Some(r.sent));
            self.time(Some(r.due));
        }
        for d in &run.decisions {
            self.time(Some(d.at));
            self.number(d.connection.map_or(u64::MAX, u64::from));
            // Not the sentence: its wording is free to change.
            self.bytes(format!("{:?}", d.what).as_bytes());
        }
    }
}
