//! Files: mapped, and written so that a reader never sees half of one.

use anyhow::{Context, Result};
use bucketwheel_circuit::{Access, Source};
use std::fs;
use std::path::Path;

/// Replaces `path` in one step, and creates its folder if necessary.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let temporary = path.with_added_extension(format!("tmp{}", std::process::id()));
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&temporary, content))
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Maps a file.
pub fn map(path: &Path) -> Result<Source> {
    Source::open(path, Access::Map).with_context(|| path.display().to_string())
}
