//! Bytes of a file or of the caller, and the treatment of files that change while they are in use.
//!
//! A mapped file costs no memory of its own, but later changes reach it. If another process cuts the file short, the
//! system ends this process with SIGBUS as soon as a missing page is read (`cp new.zkey loaded.zkey` does that). If
//! another process overwrites the file, proofs do not hold. A copy ([`Access::Copy`]) is safe, and so is a replacement
//! by renaming, as all programs of this project write files. [`Source::check_unchanged`] notices a changed file, unless
//! the process has ended.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bucketwheel_groth16::file::Holder;
use memmap2::Mmap;
#[cfg(unix)]
use memmap2::{Advice, UncheckedAdvice};

/// A way to get at the bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// The file is mapped: pages are read as they are needed, and shared with other processes.
    #[default]
    Map,
    /// The file is copied into memory, so that later changes of the file do not matter.
    Copy,
}

/// The bytes of a key, a witness or another file.
///
/// ```
/// use bucketwheel_circuit::{Access, Source};
///
/// let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
/// let file = Source::open(path, Access::Map)?;
/// file.will_need(&file[..10]);
/// assert_eq!((file.path(), file.check_unchanged()), (Some(path), Ok(())));
/// let bytes = Source::of(file.to_vec());
/// assert!(bytes.path().is_none() && bytes[..] == file[..]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Source {
    bytes: Bytes,
    file: Option<Origin>,
}

enum Bytes {
    Mapped(Mmap),
    Held(Box<dyn AsRef<[u8]> + Send + Sync>),
}

/// An open file, with its properties when it was opened.
struct Origin {
    path: PathBuf,
    file: File,
    stamp: Stamp,
}

/// File properties that change when a file is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Stamp { len: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Source {
    /// Opens a file. The [example](Self) uses it.
    ///
    /// # Errors
    /// The system's errors; of the kind `InvalidInput` if this is no regular file, `Interrupted` if the file changes
    /// while it is copied, `OutOfMemory` if there is no memory for a copy.
    pub fn open(path: &Path, access: Access) -> io::Result<Self> {
        // The test comes before opening, because opening a pipe would wait for its writer.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        let bytes = match access {
            Access::Map => {
                // SAFETY: `Mmap::map` asks that nobody changes the file while it is mapped, which nobody can promise. A
                // change does no harm for another reason. The bytes are only read, and only as integers, of which any
                // value is valid. So a change shows as other numbers, and a file that gets shorter ends this process
                // (SIGBUS) and harms no memory. All values that are read from bytes are checked before their use, or
                // harm no memory if they are wrong.
                Bytes::Mapped(unsafe { Mmap::map(&file) }?)
            }
            Access::Copy => Bytes::Held(Box::new(copy(&file, stamp)?)),
        };
        Ok(Source { bytes, file: Some(Origin { path: path.into(), file, stamp }) })
    }

    /// Takes bytes of the caller: a `Vec`, a `&'static [u8]`, or any other owner of bytes that stay as they are.
    /// The [example](Self) uses it.
    pub fn of(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Source { bytes: Bytes::Held(Box::new(bytes)), file: None }
    }

    /// Returns the path of the file, if the bytes are a file's. The [example](Self) uses it.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| &*file.path)
    }

    /// Checks that nobody has written to a mapped file since it was opened, by its length and its time of modification.
    /// A file that was removed, or replaced by renaming, is still there unchanged, and passes. Bytes in memory pass,
    /// too. The [example](Self) uses it.
    ///
    /// # Errors
    /// The path of a file that was changed.
    pub fn check_unchanged(&self) -> Result<(), &Path> {
        match (&self.bytes, &self.file) {
            (Bytes::Mapped(_), Some(Origin { path, file, stamp })) => {
                match file.metadata().is_ok_and(|metadata| Stamp::of(&metadata) == *stamp) {
                    true => Ok(()),
                    false => Err(path),
                }
            }
            _ => Ok(()),
        }
    }

    /// Asks the system to read a part of a mapped file, which will be needed soon. The [example](Self) uses it.
    pub fn will_need(&self, part: &[u8]) {
        let Some((map, offset)) = self.mapped(part) else { return };
        // The call is advice: without it, pages are read when they are touched.
        #[cfg(unix)]
        let _ = map.advise_range(Advice::WillNeed, offset, part.len());
    }

    /// Returns the mapping, and the offset of a part that lies in it.
    fn mapped(&self, part: &[u8]) -> Option<(&Mmap, usize)> {
        let Bytes::Mapped(map) = &self.bytes else { return None };
        let offset = (part.as_ptr() as usize).wrapping_sub(map.as_ptr() as usize);
        let is_inside = offset.checked_add(part.len()).is_some_and(|end| end <= map.len());
        is_inside.then_some((map, offset))
    }
}

impl Holder for Source {
    fn release(&self, part: &[u8]) {
        let Some((map, offset)) = self.mapped(part) else { return };
        // SAFETY: the mapping is of a file and read-only, so pages that the system takes away come back from the file with the
        // same bytes, when they are read again.
        #[cfg(unix)]
        let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, part.len()) };
    }
}

/// Returns the bytes of a file.
fn copy(mut file: &File, stamp: Stamp) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let len = usize::try_from(stamp.len).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // The room has one byte more, to find the end of the file without growing.
    bytes.try_reserve_exact(len.saturating_add(1)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.read_to_end(&mut bytes)?;
    match bytes.len() == len && Stamp::of(&file.metadata()?) == stamp {
        true => Ok(bytes),
        false => Err(io::Error::new(io::ErrorKind::Interrupted, "it has changed while it was read")),
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => (**bytes).as_ref(),
        }
    }
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("bytes", &self.len()).field("path", &self.path()).finish()
    }
}
