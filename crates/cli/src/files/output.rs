//! Output files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::distinct::folder;
use super::temporary;
use crate::error::Error;

/// An output file under a temporary name in its directory until [`finish`](Self::finish), deleted without it.
pub struct Output {
    path: PathBuf,
    temporary: TempPath,
    file: BufWriter<File>,
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
    fn with_mode(path: &Path, mode: u32) -> Result<Self, Error> {
        // A rename would replace a device as readily as a file.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(Error::NotReplaceable(path.into()));
        }
        let created = temporary::create(folder(path), mode);
        // Written through the file itself: errors of both together name the temporary.
        let (file, temporary) =
            created.map_err(|source| Error::Write { path: path.into(), source })?.into_parts();
        Ok(Output { path: path.into(), temporary, file: BufWriter::new(file) })
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

    /// Appends what `content` writes, which may also go back and fill in what it has left out; returns its result.
    ///
    /// # Errors
    /// If the device is full, for example.
    pub fn stream<R>(
        &mut self,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<R>,
    ) -> Result<R, Error> {
        content(&mut self.file).map_err(|source| self.error(source))
    }

    /// Temporary path of the file until then, for what writes by itself.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the directory does not allow it.
    pub fn finish(mut self) -> Result<(), Error> {
        self.file.flush().map_err(|source| self.error(source))?;
        // Closed, and so unlocked, when it has its name.
        let Output { path, temporary, file: _file } = self;
        temporary.persist(&path).map_err(|error| Error::Write { path, source: error.error })
    }

    /// Gives the file its name once its bytes are on the device.
    ///
    /// # Errors
    /// As for [`finish`](Self::finish).
    pub fn finish_durably(mut self) -> Result<(), Error> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|source| self.error(source))?;
        self.finish()
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }
}
