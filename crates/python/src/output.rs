//! Files that are written: they appear once they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process;

use crate::error::Error;

/// Writes a file beside its place and moves it there.
///
/// # Errors
/// [`Error::File`]; then nothing has changed.
pub fn write(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", process::id()));
    let part = PathBuf::from(name);
    let write = || {
        let mut file = BufWriter::new(File::create_new(&part)?);
        content(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|source| {
        // What is left of it helps nobody, and the error that counts is the first.
        fs::remove_file(&part).unwrap_or_default();
        Error::File { path: path.into(), source }
    })
}
