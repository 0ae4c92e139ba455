//! Short files that the server reads as a whole.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Reads a text of at most `most` bytes. The limit also ends the reading of an endless device.
///
/// # Errors
/// The system's error, and an error for a longer text.
pub fn text(path: &Path, most: u64) -> Result<(String, Metadata), Error> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    if file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(Error::new(ErrorKind::InvalidData, format!("it has more than {most} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))?;
    Ok((text, metadata))
}
