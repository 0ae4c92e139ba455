//! Groth16 proofs on circom and snarkjs keys, by the engine of `bucketwheel`.

#![warn(missing_docs)]

#[cfg(feature = "arkworks")]
pub mod arkworks;
mod curve;
mod error;
pub mod file;
pub mod jsnark;
pub mod ntt;
mod prover;
mod satisfaction;
pub mod setup;
mod verifier;
pub mod witness;

pub use curve::{Bls12_381, Bn254, CurveId, PairingCurve};
pub use error::Error;
pub use prover::{Convention, Counts, ProveOptions, Proven, Prover, ProvingKey, Span, Stage, Trace};
pub use satisfaction::{check_witness, Unsatisfied};
pub use verifier::{verify, PreparedVerifyingKey, Proof, VerifyingKey};
