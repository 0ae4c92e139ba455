//! The libraries of others, by name.

use clap::ValueEnum;

/// A library of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PeerKind {
    Arkworks,
    Blst,
    #[value(name = "gnark-crypto")]
    GnarkCrypto,
    Halo2curves,
    Mcl,
}
