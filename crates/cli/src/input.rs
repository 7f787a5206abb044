//! What a subcommand reads: a file, or what is piped in.

use crate::Failure;
use packet_core::units::Bytes;
use std::io::{self, Read};

/// What is read at most.
const LARGEST: Bytes = Bytes::mb(256);

/// The text of a file, or of the input for `-`. What is no text in it is left to the reader to name.
pub fn text(file: &str) -> Result<String, Failure> {
    let bytes = read(file).map_err(|e| Failure::Usage(format!("cannot read {file}: {e}")))?;
    if bytes.len() as u64 > LARGEST.0 {
        return Err(Failure::Usage(format!("{file}: it is larger than {LARGEST}")));
    }
    let lossy = |e: std::string::FromUtf8Error| String::from_utf8_lossy(e.as_bytes()).into_owned();
    Ok(String::from_utf8(bytes).unwrap_or_else(lossy))
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    let source: Box<dyn Read> = match file {
        "-" => Box::new(io::stdin().lock()),
        _ => Box::new(std::fs::File::open(file)?),
    };
    let mut bytes = Vec::new();
    source.take(LARGEST.0 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
