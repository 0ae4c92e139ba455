//! Input files are mapped or read up to a limit; output files appear whole or not at all (`bucketwheel-whole-file`). The path `-`
//! is standard input, which is read into memory, or standard output, which gets the bytes once they are complete.

pub mod guard;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bucketwheel_circuit::{Access, Source};

pub use bucketwheel_whole_file::{check_distinct, Output};

use crate::error::Error;
use crate::format::Kind;
use crate::measure::half_of_memory;

/// Returns true for `-`, the path of standard input and standard output.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the path that an [`Output`] writes to: standard output for `-`.
pub fn destination(path: &Path) -> &Path {
    if is_stream(path) {
        Path::new("/dev/stdout")
    } else {
        path
    }
}

/// Reads all of standard input, up to half of the memory.
fn standard_input() -> io::Result<Source> {
    let (mut bytes, most) = (Vec::new(), half_of_memory());
    // Reads one byte beyond the limit, to notice a longer input.
    io::stdin().lock().take(most as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() <= most {
        true => Ok(Source::of(bytes)),
        false => {
            Err(io::Error::other(format!("standard input has more than {most} bytes, half of the memory")))
        }
    }
}

/// Maps an input file.
///
/// # Errors
/// If the file cannot be opened or mapped, or is not a regular file.
pub fn map(path: &Path, kind: Kind) -> Result<Source, Error> {
    let read = |source| Error::Read { path: path.into(), kind, source };
    map_regular(path).map_err(read)?.ok_or_else(|| Error::NotAFile { path: path.into(), kind })
}

/// Maps an input file of another program; `expected` says which, with its article.
///
/// # Errors
/// [`Error::Unreadable`] if the file cannot be opened or mapped, or is not a regular file.
pub fn map_as(path: &Path, expected: &'static str) -> Result<Source, Error> {
    open_as(path, expected, Access::Map)
}

/// Opens an input file of another program as `access` says.
///
/// # Errors
/// As for [`map_as`].
pub fn open_as(path: &Path, expected: &'static str, access: Access) -> Result<Source, Error> {
    let source = if is_stream(path) { standard_input() } else { Source::open(path, access) };
    source.map_err(|source| Error::Unreadable { path: path.into(), expected, source })
}

/// Maps an input file of another program that has at most `max` bytes.
///
/// # Errors
/// As for [`map_as`], and [`Error::TooLong`].
pub fn map_at_most(path: &Path, max: usize, expected: &'static str) -> Result<Source, Error> {
    let map = map_as(path, expected)?;
    check_length(path, map.len(), max, expected)?;
    Ok(map)
}

/// Reads a file, a pipe or a device that has at most `max` bytes; `expected` names its content, with an article.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::TooLong`].
pub fn read(path: &Path, max: usize, expected: &'static str) -> Result<Vec<u8>, Error> {
    if is_stream(path) {
        return read_from(io::stdin().lock(), path, max, expected);
    }
    let file =
        File::open(path).map_err(|source| Error::Unreadable { path: path.into(), expected, source })?;
    read_from(file, path, max, expected)
}

/// Reads an open file, which errors call `path`.
///
/// # Errors
/// As for [`read`].
pub fn read_from(
    input: impl Read,
    path: &Path,
    max: usize,
    expected: &'static str,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    // Reads one byte beyond the limit, to notice a longer file.
    let read = input.take(max as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|source| Error::Unreadable { path: path.into(), expected, source })?;
    check_length(path, bytes.len(), max, expected)?;
    Ok(bytes)
}

/// Checks that content has at most `max` bytes.
///
/// # Errors
/// [`Error::TooLong`].
pub fn check_length(path: &Path, bytes: usize, max: usize, expected: &'static str) -> Result<(), Error> {
    match bytes <= max {
        true => Ok(()),
        false => Err(Error::TooLong { path: path.into(), expected, max }),
    }
}

/// Maps a file, or reads standard input; `None` if the path is not a regular file.
fn map_regular(path: &Path) -> io::Result<Option<Source>> {
    if is_stream(path) {
        return standard_input().map(Some);
    }
    match path.metadata()?.is_file() {
        true => Source::open(path, Access::Map).map(Some),
        false => Ok(None),
    }
}
