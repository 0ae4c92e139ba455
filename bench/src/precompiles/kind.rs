//! The libraries whose precompiles this program serves, by name.

use clap::ValueEnum;

/// A library that answers in a process of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Served {
    Bucketwheel,
    Blst,
}
