//! The other libraries, by name.

use clap::ValueEnum;

/// Another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PeerKind {
    Arkworks,
    Blst,
    #[value(name = "gnark-crypto")]
    GnarkCrypto,
    Halo2curves,
    Mcl,
}
