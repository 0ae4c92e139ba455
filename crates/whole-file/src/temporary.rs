//! Files without their final names. Each is locked while it is written. A file without a lock was left by a killed
//! process; the next output in the folder removes it.

use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::permissions::{self, Access};

const PREFIX: &str = ".bucketwheel-";
const SUFFIX: &str = ".tmp";
/// Number of random characters between these two parts.
const RANDOM: usize = 6;

/// Creates a file in this folder, with the permissions of the file that it will replace.
pub fn create(folder: &Path, target: Option<&Path>, access: Access) -> io::Result<NamedTempFile> {
    let old = target.and_then(|target| target.metadata().ok());
    let mode = permissions::mode(old.as_ref(), access);
    let mut builder = Builder::new();
    let file = builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM).make_in(folder, |path| {
        let file = open_new(path, mode)?;
        // On systems without locks, no other process can get a lock to remove it.
        let _ = file.lock();
        match is_removed(&file.metadata()?) {
            false => Ok(file),
            // Another output got the lock first and removed the file, so the call tries another name.
            true => Err(io::ErrorKind::AlreadyExists.into()),
        }
    })?;
    if let Some(old) = old {
        permissions::take_over(file.as_file(), &old, access)?;
    }
    remove_abandoned(folder, &file.as_file().metadata()?);
    Ok(file)
}

fn open_new(path: &Path, #[cfg_attr(not(unix), allow(unused))] mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    options.read(true).write(true).create_new(true).open(path)
}

/// Removes files in the folder that belong to the owner of `own` and that nobody writes. Files that cannot be removed
/// stay and do no harm.
fn remove_abandoned(folder: &Path, own: &Metadata) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(is_temporary) {
        let path = entry.path();
        if !entry.metadata().is_ok_and(|metadata| metadata.is_file() && is_same_owner(&metadata, own)) {
            continue;
        }
        let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            // Removes the file while it holds the lock, so that a process that has just made the file notices.
            let _ = fs::remove_file(&path);
        }
    }
}

/// Returns true if the name has the form of [`create`]'s names.
fn is_temporary(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(unix)]
fn is_removed(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) == 0
}

/// Returns false: open files cannot be removed here.
#[cfg(not(unix))]
fn is_removed(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn is_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}
