//! Errors of a server's start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use bucketwheel_circuit::Error as CircuitError;

/// The environment variable that may hold the token.
pub const TOKEN_VARIABLE: &str = "BUCKETWHEEL_TOKEN";

/// Reason why a server does not start: the fault, its place, and the expected value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}; expected {expected}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// Name of the expected content.
        expected: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// A list of circuits cannot be parsed.
    #[error("{}, line {line}: {reason}; expected [circuits.NAME] with key = \"FILE.zkey\" and, if there are any, witness = \"FILE.wasm\" and symbols = \"FILE.sym\"", path.display())]
    Config {
        /// The TOML file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Fault of the line.
        reason: String,
    },
    /// A file that a list of circuits names has an error.
    #[error("{}, line {line}: {source}", path.display())]
    At {
        /// The TOML file.
        path: PathBuf,
        /// The line that names the file, from 1.
        line: usize,
        /// Fault of the file.
        source: Box<Error>,
    },
    /// The folder or list has no keys.
    #[error("{} has no circuits: expected NAME.zkey or NAME/circuit.zkey, with a .wasm of the same name for inputs", path.display())]
    NoCircuits {
        /// The folder, or the TOML file.
        path: PathBuf,
    },
    /// No address can contain the name of a circuit.
    #[error("{}: the circuit's name is {name:?}: expected at most 64 letters, digits, -, _ and dots, and no dot at the start", path.display())]
    Name {
        /// The key, or the TOML file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// Two circuits have the same name.
    #[error("{} and {} are keys of a circuit {name}: expected one key; move the other", first.display(), second.display())]
    Twice {
        /// The name.
        name: String,
        /// One key with the name.
        first: PathBuf,
        /// The other key with the name.
        second: PathBuf,
    },
    /// A key or a witness calculator cannot be used.
    #[error("{}: {source}", path.display())]
    Circuit {
        /// The file.
        path: PathBuf,
        /// Fault of the file.
        source: Box<CircuitError>,
    },
    /// The token cannot protect the server.
    #[error("the token of {place} is not usable: expected one line of 16 to 4096 visible ASCII characters, without spaces")]
    Token {
        /// Source of the token: a file or the environment variable.
        place: String,
    },
    /// Other machines can reach the address, and no token protects it.
    #[error(
        "{address} can be reached from other machines: expected a token that guards it, by --token-file or \
         {TOKEN_VARIABLE}, or an address of this machine alone, as 127.0.0.1"
    )]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}: {source}; expected an address of this machine and a free port, or port 0 for any")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// The threads or the event loop cannot start.
    #[error("cannot start the server's threads: {0}")]
    Start(String),
}
