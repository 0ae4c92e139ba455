//! The end of a path: a file to replace, or a stream to write to.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Destination of an output.
#[derive(Debug)]
pub enum Place {
    /// A file by its path without links; it need not exist.
    File(PathBuf),
    /// A device, a pipe, a socket or an open descriptor, opened for writing.
    Stream(File),
}

impl Place {
    /// Finds the end of a path.
    ///
    /// # Errors
    /// For a directory, an empty name, a loop of links, or a stream that cannot be opened.
    pub fn find(path: &Path) -> io::Result<Self> {
        // Looks at descriptors first, because a descriptor may be a socket, which cannot be opened by name.
        let end = without_links(path)?;
        if descriptor::is_one(&end) {
            return descriptor::open(&end).map(Place::Stream);
        }
        match path.metadata() {
            // This includes a directory, which the system refuses to open.
            Ok(metadata) if !metadata.is_file() => return open_stream(path, &metadata).map(Place::Stream),
            _ => {}
        }
        // The path is `folder/` or `..`, and the folder does not exist.
        if end.file_name().is_none() || ends_with_separator(&end) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
        }
        Ok(Place::File(end))
    }
}

/// Returns the folder of a path.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Largest number of links in a path, as on Linux.
const MAX_LINKS: usize = 40;

/// Returns the path of the file at the end of symbolic links. The file need not exist. The search ends at a link to
/// an open descriptor, because the descriptor is more than the name that opened it.
///
/// # Errors
/// If the links form a circle.
pub fn without_links(link: &Path) -> io::Result<PathBuf> {
    let mut path = link.to_owned();
    for _ in 0..MAX_LINKS {
        if descriptor::is_one(&path) {
            return Ok(path);
        }
        let Ok(target) = path.read_link() else { return Ok(path) };
        path = folder(&path).join(target);
    }
    let too_many = || io::Error::other("too many levels of symbolic links");
    Err(link.metadata().err().unwrap_or_else(too_many))
}

fn ends_with_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(byte.into()))
}

fn open_stream(
    path: &Path,
    #[cfg_attr(not(unix), allow(unused))] metadata: &std::fs::Metadata,
) -> io::Result<File> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type()) {
        let socket = std::os::unix::net::UnixStream::connect(path)?;
        return Ok(File::from(std::os::fd::OwnedFd::from(socket)));
    }
    OpenOptions::new().write(true).open(path)
}

/// Names of this process' open descriptors: `/dev/fd/1`, `/proc/self/fd/1`.
#[cfg(unix)]
mod descriptor {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsFd;
    use std::path::Path;

    use super::folder;

    /// Returns true if the path names a descriptor, open or not.
    pub fn is_one(path: &Path) -> bool {
        number(path).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            && folder(path).canonicalize().is_ok_and(|folder| {
                // On Linux, a link to `/proc/self/fd`.
                Path::new("/dev/fd").canonicalize().is_ok_and(|descriptors| descriptors == folder)
            })
    }

    /// Opens a descriptor for writing. Standard output and standard error are shared, so the output begins at their
    /// current end. Other descriptors are opened again, for appending.
    pub fn open(path: &Path) -> io::Result<File> {
        match number(path) {
            Some("1") => io::stdout().as_fd().try_clone_to_owned().map(File::from),
            Some("2") => io::stderr().as_fd().try_clone_to_owned().map(File::from),
            _ => OpenOptions::new().append(true).open(path),
        }
    }

    fn number(path: &Path) -> Option<&str> {
        path.file_name()?.to_str()
    }
}

#[cfg(not(unix))]
mod descriptor {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn is_one(_: &Path) -> bool {
        false
    }

    pub fn open(path: &Path) -> io::Result<File> {
        File::create(path)
    }
}
