//! The path: a bottleneck that serves at exactly its rate, and the way back for ACKs.

mod bottleneck;

pub use bottleneck::{Bottleneck, Full};
