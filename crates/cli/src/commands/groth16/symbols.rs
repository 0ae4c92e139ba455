//! The names of a circuit's signals, if they are known.

use std::path::Path;

use bucketwheel_circuit::Source;
use bucketwheel_groth16::file::{symbols, symbols_beside};

use super::in_file;
use crate::error::Error;
use crate::files;

/// Returns the `.sym` file of the user, or the readable file beside the circuit, if any.
///
/// # Errors
/// For a file of the user that is not a `.sym` file.
pub fn map_symbols(sym: Option<&Path>, circuit: &Path) -> Result<Option<Source>, Error> {
    let map = |path: &Path| files::map_as(path, "a .sym file, the names of a circuit's signals");
    let Some(path) = sym else {
        return Ok(symbols_beside(circuit).and_then(|path| map(&path).ok()));
    };
    let file = map(path)?;
    symbols(&file).try_for_each(|symbol| symbol.map(drop)).map_err(in_file(path))?;
    Ok(Some(file))
}
