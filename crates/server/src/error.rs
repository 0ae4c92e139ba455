//! Errors of a server's start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use bucketwheel_circuit::Error as CircuitError;

use crate::token::TOKEN_VARIABLE;

/// Reason why a server does not start: the fault, its place, and the expected value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or a folder that cannot be read.
    #[error("cannot read {}: {source}; expected {expected}", path.display())]
    Read {
        /// Its name.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// A list of circuits that is not understood.
    #[error("{}, line {line}: {reason}; expected [circuits.NAME] with key = \"FILE.zkey\" and, if there are any, witness = \"FILE.wasm\" and symbols = \"FILE.sym\"", path.display())]
    Config {
        /// The TOML.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Fault of the line.
        reason: String,
    },
    /// A file that a list of circuits names, about which there is another error.
    #[error("{}, line {line}: {source}", path.display())]
    At {
        /// The TOML.
        path: PathBuf,
        /// The line that names the file, from 1.
        line: usize,
        /// Fault of the file.
        source: Box<Error>,
    },
    /// A folder without keys.
    #[error("{} has no circuits: expected NAME.zkey or NAME/circuit.zkey, with a .wasm of the same name for inputs", path.display())]
    NoCircuits {
        /// The folder, or the TOML.
        path: PathBuf,
    },
    /// A circuit that no address can name.
    #[error("{}: the circuit's name is {name:?}: expected at most 64 letters, digits, -, _ and dots, the first no dot", path.display())]
    Name {
        /// The key, or the TOML.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// Two circuits of one name.
    #[error("{} and {} are keys of a circuit {name}: expected one, move the other", first.display(), second.display())]
    Twice {
        /// The name.
        name: String,
        /// A key.
        first: PathBuf,
        /// Another one.
        second: PathBuf,
    },
    /// A key or a witness calculator that cannot be used.
    #[error("{}: {source}", path.display())]
    Circuit {
        /// The file.
        path: PathBuf,
        /// Fault of the file.
        source: Box<CircuitError>,
    },
    /// A witness calculator of another circuit than the key's.
    #[error("{} calculates {found} values, but {} expects {expected}: was it made for another circuit?", path.display(), key.display())]
    OtherCircuit {
        /// The witness calculator.
        path: PathBuf,
        /// The key.
        key: PathBuf,
        /// Number of values that the calculator calculates.
        found: usize,
        /// Number of the key's signals.
        expected: usize,
    },
    /// A token that guards nothing.
    #[error("the token of {place} is not usable: expected one line of 16 to 4096 visible ASCII characters, without spaces")]
    Token {
        /// Its source: a file or the environment variable.
        place: String,
    },
    /// An address that others can reach, for all of them.
    #[error(
        "{address} can be reached from other machines: expected a token that guards it, by --token-file or \
         {TOKEN_VARIABLE}, or an address of this machine alone, as 127.0.0.1"
    )]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}: {source}; expected an address of this machine and a free port, or port 0 for any")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// No threads, or nothing to wait for connections with.
    #[error("cannot start the server's threads: {0}")]
    Start(String),
}
