//! The writer.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::permissions::Access;
use crate::place::{folder, Place};
use crate::{temporary, WriteError};

/// An output under a temporary name until [`finish`](Self::finish); without it, the file is deleted.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    place: Place,
    temporary: TempPath,
    file: BufWriter<File>,
}

/// Wait at the end of an output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// The system writes to the device when it likes.
    Never,
    /// Bytes and name are on the device at the end.
    ForDevice,
}

impl Output {
    /// Begins a file. An old file keeps its permissions; a new file has the permissions of the user's mask.
    ///
    /// Opening a pipe waits for its reader. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the path is a directory, or if its directory is missing or not writable.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        Self::begin(path, Access::Kept).map_err(error_at(path))
    }

    /// Begins a file that only its owner may read, whatever permissions an old file has. The [example](crate) uses it.
    ///
    /// # Errors
    /// As for [`create`](Self::create).
    pub fn create_private(path: &Path) -> Result<Self, WriteError> {
        Self::begin(path, Access::Private).map_err(error_at(path))
    }

    fn begin(path: &Path, access: Access) -> io::Result<Self> {
        let place = Place::find(path)?;
        let temporary = match &place {
            Place::File(target) => temporary::create(folder(target), Some(target), access),
            // A stream's bytes are private.
            Place::Stream(_) => temporary::create(&std::env::temp_dir(), None, Access::Private),
        }?;
        // Written through the file itself, because errors of file and path together name the temporary file.
        let (file, temporary) = temporary.into_parts();
        Ok(Output { path: path.into(), place, temporary, file: BufWriter::new(file) })
    }

    /// Writes a file durably: the bytes that `content` writes, which may go back and fill gaps. Returns its result.
    /// The [example](crate) uses it.
    ///
    /// # Errors
    /// As for [`create`](Self::create) and [`finish`](Self::finish).
    pub fn write_durably<R>(
        path: &Path,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<R>,
    ) -> Result<R, WriteError> {
        let mut output = Self::create(path)?;
        let result = output.stream(content)?;
        output.finish_durably()?;
        Ok(result)
    }

    /// Begins a file and writes these bytes, without finishing it. The [example](crate) uses it.
    ///
    /// # Errors
    /// As for [`create`](Self::create) and [`write`](Self::write).
    pub fn with(path: &Path, bytes: &[u8]) -> Result<Self, WriteError> {
        let mut output = Self::create(path)?;
        output.write(bytes)?;
        Ok(output)
    }

    /// Appends bytes. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the device is full, for example.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.file.write_all(bytes).map_err(error_at(&self.path))
    }

    /// Appends the bytes that `content` writes. It may go back and fill gaps. Returns its result.
    /// The [example](crate) uses it.
    ///
    /// # Errors
    /// If the device is full, for example.
    pub fn stream<R>(
        &mut self,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<R>,
    ) -> Result<R, WriteError> {
        content(&mut self.file).map_err(error_at(&self.path))
    }

    /// Returns the temporary path, for another program that writes the file. The [example](crate) uses it.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name; gives a stream its bytes. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the directory does not allow the rename.
    pub fn finish(self) -> Result<(), WriteError> {
        self.end(Wait::Never)
    }

    /// Gives the file its name once its bytes are on the device, and waits until the name is there too.
    /// The [example](crate) uses it.
    ///
    /// # Errors
    /// As for [`finish`](Self::finish).
    pub fn finish_durably(self) -> Result<(), WriteError> {
        self.end(Wait::ForDevice)
    }

    fn end(self, wait: Wait) -> Result<(), WriteError> {
        let Output { path, place, temporary, file } = self;
        let end = || {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            match place {
                Place::File(target) => {
                    if wait == Wait::ForDevice {
                        file.sync_all()?;
                    }
                    temporary.persist(&target).map_err(|error| error.error)?;
                    // Keeps the lock until the file has its name, because another output would remove an unlocked
                    // temporary file.
                    drop(file);
                    if wait == Wait::ForDevice {
                        sync_folder(folder(&target));
                    }
                }
                Place::Stream(mut stream) => {
                    file.rewind()?;
                    io::copy(&mut file, &mut stream)?;
                }
            }
            Ok(())
        };
        end().map_err(error_at(&path))
    }
}

/// Waits until the names in a folder are on the device. The bytes are there already. If the system cannot do this, a
/// power failure may bring the old file back, but never a part of a file.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn error_at(path: &Path) -> impl Fn(io::Error) -> WriteError + '_ {
    |source| WriteError { path: path.into(), source }
}
