//! Output files that appear whole or not at all: the one writer of the command and of the libraries for C and Python.
//!
//! - **Whole.** An [`Output`] has a random name in the folder of its file until it is complete. Then a rename gives it the
//!   file's name. Readers see the old file or the new one. Threads and processes may write the same file at the same time:
//!   the last one to finish wins.
//! - **Errors** name the file. They leave the old file as it was and remove the temporary file.
//! - **Kills** leave a temporary file that blocks nobody. The next output in the folder removes it.
//! - **Permissions** of a replaced file stay, and so do its owner and its group if the system allows it. A new file
//!   has the permissions of the user's mask. Access control lists and hard links are not kept.
//! - **Links** are followed: the file that a symbolic link leads to is replaced, and the link stays.
//! - **Devices, pipes, sockets and open descriptors** (`/dev/stdout`) are written to and are not replaced. They get all
//!   bytes
//!   at the end, once the bytes are complete.
//! - **Power failures.** [`Output::finish_durably`] puts the bytes on the device before the rename, and then the name.
//!   [`Output::finish`] leaves both to the system: after a power failure the file may be the old one, the new one, or empty.
//!   Files that are slow to make or that other programs rely on are finished durably: tables, proving keys and checkpoints.
//!
//! ```
//! use std::io::Write;
//!
//! use bucketwheel_whole_file::{check_distinct, Output};
//!
//! # let folder = std::env::temp_dir().join(format!("whole-file-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let (path, other) = (folder.join("proof.json"), folder.join("public.json"));
//! check_distinct(&[&other], &[&path])?;
//! assert!(check_distinct(&[&path], &[&path]).is_err());
//!
//! // Without `finish`, the file stays as it was.
//! let mut output = Output::create(&path)?;
//! output.write(b"{")?;
//! output.stream(|out| write!(out, "}}"))?;
//! assert!(output.temporary_path().exists() && !path.exists());
//! output.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"{}");
//!
//! // In one call; with power failures in mind; for the owner alone.
//! Output::write_durably(&path, |out| out.write_all(b"[]"))?;
//! Output::with(&path, b"[1]")?.finish_durably()?;
//! Output::create_private(&other)?.finish()?;
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where changes go
//! - The order of writing, renaming and syncing: `output.rs`.
//! - The names of temporary files, and the removal of abandoned ones: `temporary.rs`.
//! - The kinds of files that are replaced or written to: `place.rs`.
//! - Owner and permissions of a replaced file: `permissions.rs`.
//! - The check that an output is not an input: `distinct.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod distinct;
mod output;
mod permissions;
mod place;
mod temporary;

use std::io;
use std::path::PathBuf;

pub use distinct::{check_distinct, SameFile};
pub use output::Output;

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}; expected a path in a writable directory with space left", path.display())]
pub struct WriteError {
    /// The file as the caller named it.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}
