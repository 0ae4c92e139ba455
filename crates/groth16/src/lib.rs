//! Groth16 proofs on circom and snarkjs keys, by the engine of `bucketwheel`.

#![warn(missing_docs)]

mod error;

pub use error::Error;
