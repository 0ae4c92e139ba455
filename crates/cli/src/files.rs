//! Input files are mapped, output files appear whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memmap2::{Advice, Mmap};
use tempfile::NamedTempFile;

use crate::error::Error;
use crate::format::Kind;

/// Maps an input file.
///
/// # Errors
/// If it cannot be opened or mapped, or is no regular file.
pub fn map(path: &Path, kind: Kind) -> Result<Mmap, Error> {
    let read = |source| Error::Read { path: path.into(), kind, source };
    map_regular(path).map_err(read)?.ok_or_else(|| Error::NotAFile { path: path.into(), kind })
}

/// Maps an input file of another program; `expected` says which, with its article.
///
/// # Errors
/// [`Error::Unreadable`] if it cannot be opened or mapped, or is no regular file.
pub fn map_as(path: &Path, expected: &'static str) -> Result<Mmap, Error> {
    let not_regular = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
    let map = map_regular(path).and_then(|map| map.ok_or_else(not_regular));
    map.map_err(|source| Error::Unreadable { path: path.into(), expected, source })
}

/// Maps a file; none if it is no regular file.
fn map_regular(path: &Path) -> io::Result<Option<Mmap>> {
    // Asked before opening: opening a pipe would wait for its writer.
    if !path.metadata()?.is_file() {
        return Ok(None);
    }
    let file = File::open(path)?;
    // SAFETY: the one thing to fear is another process that changes the file meanwhile: this shows as other
    // numbers, which harm no memory, or ends this process if the file gets shorter.
    unsafe { Mmap::map(&file) }.map(Some)
}

/// Asks the system to read a part of a mapped file, which will be needed soon.
pub fn will_need(map: &Mmap, part: &[u8]) {
    let offset = (part.as_ptr() as usize).wrapping_sub(map.as_ptr() as usize);
    if offset.checked_add(part.len()).is_some_and(|end| end <= map.len()) {
        // Advice: without it, pages are read when they are touched.
        let _ = map.advise_range(Advice::WillNeed, offset, part.len());
    }
}

/// Sees to it that no file is given for two outputs.
///
/// # Errors
/// [`Error::SameOutput`].
pub fn check_distinct<'a>(outputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Error> {
    let mut seen = Vec::new();
    for path in outputs {
        if seen.contains(&path) {
            return Err(Error::SameOutput(path.clone()));
        }
        seen.push(path);
    }
    Ok(())
}

/// An output file under a temporary name in its directory until [`finish`](Self::finish), deleted without it.
pub struct Output {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Output {
    /// Creates the file.
    ///
    /// # Errors
    /// If the directory is not writable, or if there is something else than a file under this name.
    pub fn create(path: &Path) -> Result<Self, Error> {
        // As any new file has them; the user's mask applies.
        Self::with_mode(path, 0o666)
    }

    /// Creates a file that only its owner may read.
    ///
    /// # Errors
    /// As for [`create`](Self::create).
    pub fn create_private(path: &Path) -> Result<Self, Error> {
        Self::with_mode(path, 0o600)
    }

    /// Creates the file with these permissions, where the system has them.
    fn with_mode(path: &Path, #[cfg_attr(not(unix), allow(unused))] mode: u32) -> Result<Self, Error> {
        // A rename would replace a device as readily as a file.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(Error::NotReplaceable(path.into()));
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bucketwheel-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        match builder.tempfile_in(directory.unwrap_or(Path::new("."))) {
            Ok(file) => Ok(Output { path: path.into(), file: BufWriter::new(file) }),
            Err(source) => Err(Error::Write { path: path.into(), source }),
        }
    }

    /// A file of these bytes, which has yet to get its name.
    ///
    /// # Errors
    /// As for [`create`](Self::create) and [`write`](Self::write).
    pub fn with(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let mut output = Self::create(path)?;
        output.write(bytes)?;
        Ok(output)
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If the device is full, for example.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|source| self.error(source))
    }

    /// Appends what `content` writes, which may also go back and fill in what it has left out.
    ///
    /// # Errors
    /// If the device is full, for example.
    pub fn stream(
        &mut self,
        content: impl FnOnce(&mut BufWriter<NamedTempFile>) -> io::Result<()>,
    ) -> Result<(), Error> {
        content(&mut self.file).map_err(|source| self.error(source))
    }

    /// Where the file is until then, for what writes by itself.
    pub fn temporary_path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the directory does not allow it.
    pub fn finish(mut self) -> Result<(), Error> {
        self.file.flush().map_err(|source| self.error(source))?;
        let Output { path, file } = self;
        let persisted = match file.into_inner() {
            Ok(file) => file.persist(&path).map(drop).map_err(|error| error.error),
            Err(error) => Err(error.into_error()),
        };
        persisted.map_err(|source| Error::Write { path, source })
    }

    /// Gives the file its name once its bytes are on the device.
    ///
    /// # Errors
    /// As for [`finish`](Self::finish).
    pub fn finish_durably(mut self) -> Result<(), Error> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().as_file().sync_all());
        synced.map_err(|source| self.error(source))?;
        self.finish()
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }
}
