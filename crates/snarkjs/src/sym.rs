//! Names of a circuit's signals, `.sym`: one line of text for each signal of the circuit's source.
//!
//! ```text
//! label,wire,component,name
//! 1,1,5,main.sum
//! 2,-1,5,main.v[0]
//! ```
//!
//! The wire is the signal's place in witnesses, or -1 if the compiler has removed it. The signals of the main
//! component come first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::FileError;

/// Largest length of a signal's name, in bytes.
const MAX_NAME: usize = 1 << 10;

/// Largest number of names of inputs and other signals of the main component that are kept.
const MAX_NAMES: usize = 1 << 16;

/// Returns the `.sym` file of a circuit if it exists at circom's place: beside the circuit, or above the folder
/// `NAME_js` of the circuit's WebAssembly.
///
/// The [example](crate::Symbol) uses it.
pub fn symbols_beside(circuit: &Path) -> Option<PathBuf> {
    let beside = circuit.with_extension("sym");
    let above = || {
        let folder = circuit.parent()?;
        let name = folder.file_name()?.to_str()?.strip_suffix("_js")?;
        Some(folder.parent()?.join(format!("{name}.sym")))
    };
    [Some(beside), above()].into_iter().flatten().find(|path| path.is_file())
}

/// A signal of a circuit's source.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use bucketwheel_snarkjs::{main_signals, symbols, symbols_beside, wire_names};
///
/// // Label, wire (-1 is none), component, name.
/// let file = b"1,1,0,main.y\n2,2,0,main.x[0]\n3,-1,0,main.x[1]\n";
/// let wires: Vec<_> = symbols(file).map(|symbol| symbol.map(|symbol| symbol.wire)).collect::<Result<_, _>>()?;
/// assert_eq!(wires, [Some(1), Some(2), None]);
/// assert_eq!(main_signals(file)?["x"], 2);
/// assert_eq!(wire_names(file, &BTreeSet::from([2]))?[&2], "main.x[0]");
/// assert_eq!(symbols_beside("nowhere/circuit.r1cs".as_ref()), None);
/// # Ok::<(), bucketwheel_snarkjs::FileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The signal's number in the source, before simplification.
    pub label: u64,
    /// The index into witnesses, unless the compiler has removed the signal.
    pub wire: Option<u32>,
    /// Number of the component that the signal belongs to.
    pub component: u64,
    /// The name, for example `main.sub.v[3]`.
    pub name: &'a str,
}

/// Reads the signals of a `.sym` file, line by line. The first error ends the lines.
///
/// The [example](crate::Symbol) uses it.
pub fn symbols(file: &[u8]) -> impl Iterator<Item = Result<Symbol<'_>, FileError>> {
    let lines = file.split(|&byte| byte == b'\n').enumerate();
    let symbols = lines.filter_map(|(index, line)| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        (!line.is_empty()).then(|| symbol(line).ok_or(FileError::Symbol { line: index + 1 }))
    });
    let mut has_failed = false;
    symbols.take_while(move |symbol| !std::mem::replace(&mut has_failed, symbol.is_err()))
}

fn symbol(line: &[u8]) -> Option<Symbol<'_>> {
    let mut parts = std::str::from_utf8(line).ok()?.splitn(4, ',');
    let label = number(parts.next()?)?;
    let wire = match parts.next()? {
        "-1" => None,
        wire => Some(u32::try_from(number(wire)?).ok()?),
    };
    let (component, name) = (number(parts.next()?)?, parts.next()?);
    let is_name = !name.is_empty() && name.len() <= MAX_NAME && !name.contains(char::is_control);
    is_name.then_some(Symbol { label, wire, component, name })
}

/// Returns a decimal number without a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Reads the names of the main component's signals, without `main.`, and the number of values of each. An array has
/// one name for all its elements.
///
/// # Errors
/// [`FileError::Symbol`] for a line that names no signal.
pub fn main_signals(file: &[u8]) -> Result<BTreeMap<String, usize>, FileError> {
    let mut main = None;
    let mut signals = BTreeMap::<String, usize>::new();
    for symbol in symbols(file) {
        let symbol = symbol?;
        if *main.get_or_insert(symbol.component) != symbol.component {
            break;
        }
        let Some(name) = symbol.name.strip_prefix("main.") else { continue };
        let name = array(name);
        if let Some(values) = signals.get_mut(name) {
            *values += 1;
        } else if signals.len() < MAX_NAMES {
            signals.insert(name.into(), 1);
        } else {
            break;
        }
    }
    Ok(signals)
}

/// Returns the name of the array of an element: the name without the indices at its end.
fn array(name: &str) -> &str {
    let mut name = name;
    while let Some((array, index)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        name = array;
    }
    name
}

/// Reads the names of some wires. If a wire has several names, it takes the shortest: the signal nearest to the main
/// component.
///
/// # Errors
/// [`FileError::Symbol`] for a line that names no signal.
pub fn wire_names(file: &[u8], wires: &BTreeSet<u32>) -> Result<BTreeMap<u32, String>, FileError> {
    let mut names = BTreeMap::<u32, String>::new();
    for symbol in symbols(file) {
        let Symbol { wire, name, .. } = symbol?;
        let Some(wire) = wire.filter(|wire| wires.contains(wire)) else { continue };
        match names.get(&wire) {
            Some(known) if known.len() <= name.len() => {}
            _ => drop(names.insert(wire, name.into())),
        }
    }
    Ok(names)
}
