//! Refuses to overwrite a file that is read, or to write one file twice.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::place::{folder, without_links};

/// A file to write is also an input or another output.
#[derive(Debug, thiserror::Error)]
#[error(
    "the output {} is the same file as the {role} {}: expected a file for each, name them differently",
    output.display(),
    other.display()
)]
pub struct SameFile {
    /// The file to write.
    pub output: PathBuf,
    /// Role of the other file: input or output.
    pub role: &'static str,
    /// Path of the other file, as the caller gave it.
    pub other: PathBuf,
}

/// Checks that no output is an input or another output, under any name.
///
/// The [example](crate) uses it.
///
/// # Errors
/// [`SameFile`].
pub fn check_distinct(inputs: &[&Path], outputs: &[&Path]) -> Result<(), SameFile> {
    let known = |&path| Some(("input", path, Identity::of(path)?));
    let mut seen: Vec<(&'static str, &Path, Identity)> = inputs.iter().filter_map(known).collect();
    for &path in outputs {
        let Some(identity) = Identity::of(path) else { continue };
        if let Some(&(role, other, _)) = seen.iter().find(|(.., found)| *found == identity) {
            return Err(SameFile { output: path.into(), role, other: other.into() });
        }
        seen.push(("output", path, identity));
    }
    Ok(())
}

/// Identity of the file at the end of a path, however it is spelled: an existing file, or a free name in a folder.
#[derive(PartialEq, Eq)]
struct Identity {
    place: Place,
    name: Option<OsString>,
}

impl Identity {
    /// Returns `None` for a pipe or a device, which may be named more than once, and for a path without a folder.
    fn of(path: &Path) -> Option<Self> {
        if let Ok(metadata) = path.metadata() {
            return match metadata.is_file() {
                true => Some(Identity { place: place(path, &metadata)?, name: None }),
                false => None,
            };
        }
        let path = without_links(path).ok()?;
        let folder = folder(&path);
        Some(Identity {
            place: place(folder, &folder.metadata().ok()?)?,
            name: Some(path.file_name()?.into()),
        })
    }
}

/// The device and the inode number, which links share.
#[cfg(unix)]
type Place = (u64, u64);

#[cfg(unix)]
fn place(_: &Path, metadata: &Metadata) -> Option<Place> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// The path without links.
#[cfg(not(unix))]
type Place = std::path::PathBuf;

#[cfg(not(unix))]
fn place(path: &Path, _: &Metadata) -> Option<Place> {
    path.canonicalize().ok()
}
