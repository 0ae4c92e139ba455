//! Refusal of commands that would write over what they read, or twice into one file.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Checks that no output is an input or another output, by whatever names they are given.
///
/// # Errors
/// [`Error::SameFile`].
pub fn check_distinct(inputs: &[&Path], outputs: &[&Path]) -> Result<(), Error> {
    let known = |&path| Some(("input", path, Identity::of(path)?));
    let mut seen: Vec<(&'static str, &Path, Identity)> = inputs.iter().filter_map(known).collect();
    for &path in outputs {
        let Some(identity) = Identity::of(path) else { continue };
        if let Some(&(role, other, _)) = seen.iter().find(|(.., found)| *found == identity) {
            return Err(Error::SameFile { output: path.into(), role, other: other.into() });
        }
        seen.push(("output", path, identity));
    }
    Ok(())
}

/// Identity of the file that a path leads to, however it is spelled: of one that is there, or a free name in a folder.
#[derive(PartialEq, Eq)]
struct Identity {
    place: Place,
    name: Option<OsString>,
}

impl Identity {
    /// `None` for what may be named more than once, a pipe or a device, and where there is no folder to write into.
    fn of(path: &Path) -> Option<Self> {
        if let Ok(metadata) = path.metadata() {
            return match metadata.is_file() {
                true => Some(Identity { place: place(path, &metadata)?, name: None }),
                false => None,
            };
        }
        let path = without_links(path);
        let folder = folder(&path);
        Some(Identity {
            place: place(folder, &folder.metadata().ok()?)?,
            name: Some(path.file_name()?.into()),
        })
    }
}

/// The most links that a path may lead through, as the systems have it.
const MAX_LINKS: usize = 40;

/// Path of the file that symbolic links lead to, which need not be there.
fn without_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = path.read_link() else { break };
        path = folder(&path).join(target);
    }
    path
}

/// The folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The device and the number on it, which links share.
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
