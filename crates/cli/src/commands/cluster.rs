//! `cluster`: sums over many machines, which are the Python package's (docs/cluster.md).

use std::io;
use std::process::Command;

use crate::args::ClusterArgs;
use crate::error::{own, Error};

/// The program that comes with the Python package.
const PROGRAM: &str = "bucketwheel-cluster";

/// Without the Python package.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot run {PROGRAM}: {0}; expected it on the PATH, it comes with the Python package: \
     pip install \"./crates/python[cluster]\", in the environment that is active"
)]
struct NoCluster(io::Error);

/// Becomes the package's program.
///
/// # Errors
/// Error where there is none.
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
