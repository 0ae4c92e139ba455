//! The profile of this machine: its file, and its installation in the engine.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bucketwheel::{Profile, ProfileError};

use crate::error::{own, Error};
use crate::files;
use crate::output::warn;

/// The environment variable that names another file, or `none`.
pub const PROFILE_VARIABLE: &str = "BUCKETWHEEL_PROFILE";

/// Number of bytes that no profile reaches: a profile has a line for every backend and field, and comments.
const MAX_BYTES: usize = 1 << 20;
const EXPECTED: &str = "a profile that `bucketwheel tune` wrote";

/// The file is not a profile of this machine.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; delete it, or measure again with `bucketwheel tune`", path.display())]
struct NoProfile {
    path: PathBuf,
    source: ProfileError,
}

/// Location of the profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The user wants no profile.
    Nowhere,
    /// The file that the user names.
    Named(PathBuf),
    /// A file in the user's cache, which may not exist.
    Cache(PathBuf),
}

impl Place {
    /// Returns the location by the environment. In the cache, every kind of CPU has its own file, because machines
    /// share home folders.
    pub fn find() -> Self {
        match env::var_os(PROFILE_VARIABLE) {
            Some(name) if name == "none" => Place::Nowhere,
            Some(path) => Place::Named(path.into()),
            None => cache().map_or(Place::Nowhere, |cache| {
                Place::Cache(cache.join("bucketwheel").join(format!("{}.profile", file_name(&cpu()))))
            }),
        }
    }

    /// Returns the file, if one may exist.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Place::Nowhere => None,
            Place::Named(path) | Place::Cache(path) => Some(path),
        }
    }

    /// Returns the profile of the file; `None` if the cache has no file.
    ///
    /// # Errors
    /// [`Error::Unreadable`], or the error of a file that is not a profile.
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

/// Installs the profile of this machine in the engine, if it exists. A broken profile in the cache is a warning: it
/// costs time, but no result.
///
/// # Errors
/// If the user named a file that cannot be used.
pub fn install() -> Result<(), Error> {
    let place = Place::find();
    match place.read() {
        Ok(None) => {}
        // No other profile is installed, because the process calls this function once.
        Ok(Some(profile)) => drop(profile.install()),
        Err(error) if matches!(place, Place::Cache(_)) => {
            warn(error);
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Follows the XDG base directory specification: relative paths do not count.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

/// Returns the kind of CPU, if the operating system reports it (Linux), otherwise its architecture. The vendor's name alone
/// may stand for several generations, so family and model are part of it.
pub fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    kind(&text).unwrap_or_else(|| env::consts::ARCH.to_owned())
}

/// Returns the name, the family and the model of the first CPU in a file in the form of `/proc/cpuinfo`.
pub fn kind(cpuinfo: &str) -> Option<String> {
    let fields = || cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let field = |name| fields().find_map(|(key, value)| (key.trim() == name).then(|| value.trim()));
    let numbers = [("cpu family", "family"), ("model", "model")];
    let numbers = numbers.into_iter().filter_map(|(key, name)| Some(format!(", {name} {}", field(key)?)));
    Some(field("model name")?.to_owned() + &numbers.collect::<String>())
}

/// Returns a name's letters and digits, with one hyphen for everything between them.
pub fn file_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}
