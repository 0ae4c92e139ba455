//! The provers, by name.

use clap::ValueEnum;

/// A prover. All except gnark use the same key and witness, in one process for each proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prover {
    /// Ours
    Bucketwheel,
    /// Our command without the compiler of WebAssembly, in little memory (`prove --memory 0`)
    Little,
    /// With the same key in arkworks' form
    Arkworks,
    /// Only for the workloads chain-K, in gnark's form and with gnark's own key
    Gnark,
    /// Only for BN254
    Rapidsnark,
    Snarkjs,
    /// A program in Go with go-rapidsnark, which has rapidsnark's library
    GoRapidsnark,
    /// The same program, linked with our library in place of rapidsnark's
    Relinked,
}

impl Prover {
    /// Factor by which ours must be faster.
    pub fn required(self) -> Option<f64> {
        match self {
            Self::Bucketwheel | Self::Little | Self::Relinked => None,
            Self::Arkworks => Some(3.0),
            Self::Gnark | Self::Rapidsnark | Self::GoRapidsnark => Some(2.0),
            Self::Snarkjs => Some(5.0),
        }
    }
}
