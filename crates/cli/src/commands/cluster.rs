//! `cluster`: sums over many machines, computed by the Python package (docs/cluster.md).

use std::io;
use std::process::Command;

use crate::args::ClusterArgs;
use crate::error::{own, Error};

/// The program that comes with the Python package.
const PROGRAM: &str = "bucketwheel-cluster";

/// The Python package is not installed.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot run {PROGRAM}: {0}; install the Python package in the active environment: \
     pip install \"./crates/python[cluster]\""
)]
struct NoCluster(io::Error);

/// Becomes the package's program.
///
/// # Errors
/// Always returns an error, because a successful call never returns.
pub fn run(args: &ClusterArgs) -> Result<(), Error> {
    Err(own(NoCluster(exec(Command::new(PROGRAM).args(&args.arguments)))))
}

#[cfg(unix)]
fn exec(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn exec(_: &mut Command) -> io::Error {
    io::ErrorKind::Unsupported.into()
}
