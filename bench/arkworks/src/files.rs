//! Keys are made once: files beside the executable.

use std::fs;

use anyhow::{Context, Result};

/// Returns the content of a file, which is made if it does not exist.
pub fn get_or_make(name: &str, make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    let path = std::env::current_exe()?.with_file_name("keys").join(name);
    if let Ok(content) = fs::read(&path) {
        return Ok(content);
    }
    let content = make()?;
    let folder = path.parent().context("a folder of the executable")?;
    fs::create_dir_all(folder)?;
    // Whole, even if the program is stopped meanwhile.
    let partial = path.with_extension(std::process::id().to_string());
    fs::write(&partial, &content)
        .and_then(|()| fs::rename(&partial, &path))
        .with_context(|| path.display().to_string())?;
    Ok(content)
}
