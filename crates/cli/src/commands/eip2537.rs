//! `eip2537`: Ethereum's precompiles for sums on BLS12-381, by EIP-2537.

use std::io::Write;
use std::path::Path;

use bucketwheel_dynamic::precompile::{self, CallError};

use crate::args::formats::Eip2537Args;
use crate::error::{own, Error};
use crate::files;
use crate::output::hexadecimal;
use crate::runtime::Context;

/// Largest number of bytes of an input in hexadecimal: 2^16 pairs in G2, which cost more gas than any block has, and
/// some white space.
const MAX_TEXT: usize = ((2 * 288) << 16) + (1 << 10);
const EXPECTED: &str = "the hexadecimal digits of at most 2^16 pairs";

/// A text that is not hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A character is not a hexadecimal digit.
    #[error(
        "digit {index} of the input is {found:?}: expected hexadecimal digits, white space at the ends only"
    )]
    Digit {
        /// Place of the first wrong character, without 0x.
        index: usize,
        /// The wrong character.
        found: char,
    },
    /// The input ends within a byte.
    #[error("{digits} hexadecimal digits: expected an even number")]
    Odd {
        /// Number of digits.
        digits: usize,
    },
}

/// Reads the input, runs the precompile, prints the output.
///
/// # Errors
/// For unreadable input, or input that the precompile refuses.
pub fn run(args: &Eip2537Args, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let text = match &args.file {
        Some(path) => files::read(path, MAX_TEXT, EXPECTED)?,
        None => files::read_from(std::io::stdin().lock(), Path::new("standard input"), MAX_TEXT, EXPECTED)?,
    };
    let input = unhex(&text).map_err(own)?;
    let result = precompile::call(args.operation.precompile(), &input, context.cancel);
    let output = result.map_err(|error| match error {
        CallError::Engine(error) => error.into(),
        refused => own(refused),
    })?;
    writeln!(out, "0x{}", hexadecimal(&output))?;
    Ok(())
}

/// Returns the bytes of hexadecimal digits, with or without 0x.
///
/// # Errors
/// [`InputError::Digit`], [`InputError::Odd`].
pub fn unhex(text: &[u8]) -> Result<Vec<u8>, InputError> {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    if let Some(index) = digits.iter().position(|digit| !digit.is_ascii_hexdigit()) {
        return Err(InputError::Digit { index, found: char::from(digits[index]) });
    }
    hex::decode(digits).map_err(|_| InputError::Odd { digits: digits.len() })
}
