//! The rules by which people size a window.

use super::scenario::Scenario;
use crate::parameter::words;
use crate::units::{Bytes, MSS, Rate, Time};

/// What one full segment occupies at the hop, in bytes: an IP packet, as the article counts it,
/// without the Ethernet header of [`crate::units::WIRE_BYTES`].
pub const PACKET_BYTES: u64 = MSS + 52;

words! {
    /// How the send window is chosen.
    #[derive(Default)]
    SizingRule {
        /// By hand.
        #[default]
        Manual: "manual", "by hand";
        /// The narrowest rate of the path x its minimum round-trip time.
        NarrowHopXMinRtt: "narrow-hop-x-min-rtt", "narrowest hop × minimum RTT";
        /// Twice that, as receive autotuning provisions.
        DoubleNarrowHopXMinRtt: "2x-narrow-hop-x-min-rtt", "2 × narrowest hop × minimum RTT";
        /// The rate of one's own link x an idle ping.
        MyLinkXIdlePing: "my-link-x-idle-ping", "my link rate × my idle ping";
        /// The throughput of a transfer x the round-trip time during that transfer.
        MeasuredThroughputXRtt: "measured-throughput-x-rtt", "measured throughput × RTT during the transfer";
    }
}

impl SizingRule {
    /// The window the rule asks for, where that follows from the path alone. Not limited to the range
    /// of a window set by hand.
    pub fn window(self, scenario: &Scenario) -> Option<Bytes> {
        match self {
            SizingRule::Manual | SizingRule::MeasuredThroughputXRtt => None,
            SizingRule::NarrowHopXMinRtt => Some(scenario.bdp()),
            SizingRule::DoubleNarrowHopXMinRtt => Some(Bytes(2 * scenario.bdp().0)),
            // The rate on the invoice counts headers too; the rule takes it as it stands.
            SizingRule::MyLinkXIdlePing => Some(product(scenario.link, scenario.rtt)),
        }
    }
}

/// Rate x time, rounded down to whole bytes.
pub(super) const fn product(rate: Rate, time: Time) -> Bytes {
    Bytes((rate.0 as u128 * time.0 as u128 / 8_000_000_000) as u64)
}

/// The payload that a path of this rate carries in this time, rounded down to whole bytes.
pub(super) const fn payload(rate: Rate, time: Time) -> Bytes {
    let bit_nanos = rate.0 as u128 * time.0 as u128;
    Bytes((bit_nanos * MSS as u128 / (PACKET_BYTES as u128 * 8_000_000_000)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_multiplies_what_its_name_says() {
        let scenario = Scenario::default();
        let asked = |rule: SizingRule| rule.window(&scenario).map(|w| w.0);
        assert_eq!(asked(SizingRule::Manual), None);
        assert_eq!(asked(SizingRule::NarrowHopXMinRtt), Some(965_333));
        assert_eq!(asked(SizingRule::DoubleNarrowHopXMinRtt), Some(1_930_666));
        assert_eq!(asked(SizingRule::MyLinkXIdlePing), Some(10_000_000));
        assert_eq!(asked(SizingRule::MeasuredThroughputXRtt), None, "it has to be run first");
    }
}
