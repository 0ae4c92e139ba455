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

/// When our points are prepared. Peers take points as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preparation {
    /// Before all sums, outside of the measured time.
    #[default]
    Once,
    /// In the measured time of each sum.
    EachSum,
}
