//! The profile of this machine: where it lies, and its way into the engine.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bucketwheel::{Profile, ProfileError};

use crate::error::{own, Error};
use crate::files;
use crate::output::tell;

/// The environment variable that names another file, or `none`.
pub const PROFILE_VARIABLE: &str = "BUCKETWHEEL_PROFILE";

/// More bytes than a profile has: a line for every backend and field, and comments.
const MAX_BYTES: usize = 1 << 20;
const EXPECTED: &str = "a profile that `bucketwheel tune` wrote";

/// A file that is no profile of this machine.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; delete it, or measure again with `bucketwheel tune`", path.display())]
struct NoProfile {
    path: PathBuf,
    source: ProfileError,
}

/// Location of the profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The user wants none.
    Nowhere,
    /// The file that the user names.
    Named(PathBuf),
    /// A file in the user's cache, which there may be or not.
    Cache(PathBuf),
}

impl Place {
    /// By the environment. In the cache, every kind of CPU has a file of its own: homes are shared among machines.
    pub fn find() -> Self {
        match env::var_os(PROFILE_VARIABLE) {
            Some(name) if name == "none" => Place::Nowhere,
            Some(path) => Place::Named(path.into()),
            None => cache().map_or(Place::Nowhere, |cache| {
                Place::Cache(cache.join("bucketwheel").join(format!("{}.profile", file_name(&cpu()))))
            }),
        }
    }

    /// The file, if there may be one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Place::Nowhere => None,
            Place::Named(path) | Place::Cache(path) => Some(path),
        }
    }

    /// The profile that lies there; none if there is no such file in the cache.
    ///
    /// # Errors
    /// [`Error::Unreadable`], or for what is no profile.
    pub fn read(&self) -> Result<Option<Profile>, Error> {
        let Some(path) = self.path() else {
            return Ok(None);
        };
        let bytes = match files::read(path, MAX_BYTES, EXPECTED) {
            Ok(bytes) => bytes,
            Err(Error::Unreadable { source, .. })
                if source.kind() == io::ErrorKind::NotFound && matches!(self, Place::Cache(_)) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let text = String::from_utf8(bytes).map_err(|error| Error::Unreadable {
            path: path.into(),
            expected: EXPECTED,
            source: io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()),
        })?;
        let profile = text.parse().map_err(|source| own(NoProfile { path: path.into(), source }))?;
        Ok(Some(profile))
    }
}

/// Has the engine plan with the profile of this machine, if there is one. A broken one in the cache is a warning: it
/// costs some time and no result.
///
/// # Errors
/// If the user named a file that cannot be used.
pub fn install() -> Result<(), Error> {
    let place = Place::find();
    match place.read() {
        Ok(None) => {}
        // There is no other one: this is called once.
        Ok(Some(profile)) => drop(profile.install()),
        Err(error) if matches!(place, Place::Cache(_)) => {
            tell(format_args!("warning: {error}"));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// As the XDG base directory specification has it: paths that are not absolute do not count.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

/// The kind of CPU, where the operating system tells (Linux), else its architecture.
pub fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    name.unwrap_or(env::consts::ARCH).to_owned()
}

/// A name's letters and digits, and one hyphen for whatever is between them.
pub fn file_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}
