//! The data of the demonstration's commitment.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files;
use crate::output::visible;
use crate::trusted_setup::{self, POINTS};

/// Bytes of data in a field element: any 31 bytes are below the order.
const ELEMENT_BYTES: usize = 31;
/// Number of bytes of an integer for the engine.
const SCALAR_BYTES: usize = 32;
/// Largest number of bytes of one commitment.
const MAX_BYTES: usize = POINTS * ELEMENT_BYTES;

/// Data to commit to.
pub struct Blob {
    bytes: Vec<u8>,
    path: Option<PathBuf>,
}

impl Blob {
    /// Returns the file's bytes. Without a file, it returns the beginning of the setup's own text.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit.
    pub fn load(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else {
            let mut bytes = trusted_setup::text();
            bytes.truncate(MAX_BYTES);
            return Ok(Blob { bytes, path: None });
        };
        let bytes =
            files::read(path, MAX_BYTES, "a file to commit to, no longer than one commitment covers")?;
        Ok(Blob { bytes, path: Some(path.into()) })
    }

    /// Returns a description of the data: its length and its file.
    pub fn description(&self) -> String {
        let name = self.path.as_ref().map(|path| visible(path.display()));
        let name = name.unwrap_or("the beginning of the trusted setup's own file".into());
        format!("{} bytes, {name}", self.bytes.len())
    }

    /// Returns the data as field elements, little-endian integers: 31 bytes each, the most significant first, and
    /// zeros to the end.
    pub fn scalars(&self) -> Vec<u8> {
        let mut scalars = vec![0; POINTS * SCALAR_BYTES];
        let elements = self.bytes.chunks(ELEMENT_BYTES);
        for (scalar, element) in scalars.chunks_exact_mut(SCALAR_BYTES).zip(elements) {
            // Zeros fill up the last element.
            scalar[..ELEMENT_BYTES].iter_mut().rev().zip(element).for_each(|(to, &byte)| *to = byte);
        }
        scalars
    }
}
