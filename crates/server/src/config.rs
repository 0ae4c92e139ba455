//! The circuits to load: the keys of a folder, or the list of a TOML file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::{bounded, Error};

/// Longest name of a circuit.
const MAX_NAME: usize = 64;

/// Most bytes of a list of circuits.
const MAX_LIST: u64 = 1 << 20;

/// A circuit to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the circuit, which addresses contain.
    pub name: String,
    /// The key, a .zkey file.
    pub key: PathBuf,
    /// The witness calculator, circom's WebAssembly.
    pub witness: Option<PathBuf>,
    /// The names of the circuit's signals, a .sym file.
    pub symbols: Option<PathBuf>,
    /// The list that names the files, and the line of each name.
    listed: Option<(PathBuf, [usize; 3])>,
}

impl Source {
    /// Returns an error of the key, with its line of the list if there is one.
    pub(crate) fn at_key(&self, source: Error) -> Error {
        self.at(0, source)
    }

    /// Returns an error of the witness calculator, with its line of the list if there is one.
    pub(crate) fn at_witness(&self, source: Error) -> Error {
        self.at(1, source)
    }

    /// Returns an error of the signals' names, with its line of the list if there is one.
    pub(crate) fn at_symbols(&self, source: Error) -> Error {
        self.at(2, source)
    }

    fn at(&self, file: usize, source: Error) -> Error {
        match &self.listed {
            Some((path, lines)) => {
                Error::At { path: path.clone(), line: lines[file], source: Box::new(source) }
            }
            None => source,
        }
    }
}

/// Returns the circuits of a folder, `NAME.zkey` or `NAME/circuit.zkey`, each with the `.wasm` beside it if there is
/// one; or the circuits of a TOML file. They are in the order of their names.
///
/// # Errors
/// For files that cannot be read, for names that addresses cannot contain, and if there are no circuits.
pub fn sources(path: &Path) -> Result<Vec<Source>, Error> {
    let sources = match path.is_dir() {
        true => of_folder(path)?,
        false => of_list(path)?,
    };
    match sources.is_empty() {
        true => Err(Error::NoCircuits { path: path.into() }),
        false => Ok(sources),
    }
}

fn of_folder(folder: &Path) -> Result<Vec<Source>, Error> {
    let read = |source| Error::Read { path: folder.into(), expected: "a folder with keys", source };
    let mut circuits = BTreeMap::<String, Source>::new();
    for entry in fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        let key = match path.is_dir() {
            true => path.join("circuit.zkey"),
            false => path.clone(),
        };
        if !key.is_file() || key.extension().is_none_or(|extension| extension != "zkey") {
            continue;
        }
        // A file's ending is not part of the name, but a folder's name may contain a dot.
        let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
        let name = checked(name.unwrap_or_default().to_string_lossy().into_owned(), &key)?;
        let witness = Some(key.with_extension("wasm")).filter(|witness| witness.is_file());
        if let Some(first) = circuits.get(&name) {
            return Err(Error::Twice { name, first: first.key.clone(), second: key });
        }
        circuits.insert(name.clone(), Source { name, key, witness, symbols: None, listed: None });
    }
    Ok(circuits.into_values().collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    circuits: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: Spanned<PathBuf>,
    witness: Option<Spanned<PathBuf>>,
    symbols: Option<Spanned<PathBuf>>,
}

fn of_list(path: &Path) -> Result<Vec<Source>, Error> {
    let expected = "a folder with keys, or a TOML that lists circuits";
    let read = bounded::text(path, MAX_LIST);
    let (text, _) = read.map_err(|source| Error::Read { path: path.into(), expected, source })?;
    let line = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
    let list: List = toml::from_str(&text).map_err(|error| Error::Config {
        path: path.into(),
        line: line(error.span().map_or(0, |span| span.start)),
        reason: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    // Paths in the list are relative to the list's folder.
    let folder = path.parent().unwrap_or(Path::new(""));
    let source = |(name, Entry { key, witness, symbols }): (String, Entry)| {
        let line_of = |file: &Spanned<PathBuf>| line(file.span().start);
        let lines = [line_of(&key), witness.as_ref().map_or(0, line_of), symbols.as_ref().map_or(0, line_of)];
        Ok(Source {
            name: checked(name, path)?,
            key: folder.join(key.into_inner()),
            witness: witness.map(|witness| folder.join(witness.into_inner())),
            symbols: symbols.map(|symbols| folder.join(symbols.into_inner())),
            listed: Some((path.into(), lines)),
        })
    };
    list.circuits.into_iter().map(source).collect()
}

/// Returns a name, if addresses and metrics can contain it without escapes.
fn checked(name: String, path: &Path) -> Result<String, Error> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match !name.is_empty() && name.len() <= MAX_NAME && !name.starts_with('.') && name.bytes().all(good) {
        true => Ok(name),
        false => Err(Error::Name { path: path.into(), name }),
    }
}
