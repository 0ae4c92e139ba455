//! Groth16 proofs on circom and snarkjs keys, by the engine of `bucketwheel`.

#![warn(missing_docs)]

mod curve;
mod error;
pub mod file;
pub mod ntt;

pub use curve::{Bls12_381, Bn254, CurveId, PairingCurve};
pub use error::Error;
