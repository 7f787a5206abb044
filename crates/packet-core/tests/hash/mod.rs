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
        for r in &run.responses {
            self.time(Some(r.requested));
            self.time(Some(r.finished));
        }
        self.number(run.peak_cwnd.to_bits());
        self.time(run.worst_rtt);
        self.time(Some(run.rto));
        for s in &run.samples {
            self.time(Some(s.at));
            self.number(s.cwnd.to_bits());
            self.number(s.ssthresh.to_bits());
            self.number(u64::from(s.in_flight) << 32 | u64::from(s.queue));
        }
        for p in &run.packets {
            self.number(p.segment.into());
            self.bytes(kind_str(p.kind).as_bytes());
            self.bytes(format!("{:?}", p.fate).as_bytes());
            self.time(Some(p.sent));
            self.time(p.departed);
            self.time(p.delivered);
            self.time(p.acked);
        }
        for d in &run.decisions {
            // Not the sentence: its wording is free to change.
            self.time(Some(d.at));
        }
    }
}
