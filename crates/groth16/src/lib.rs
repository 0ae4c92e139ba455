//! Groth16 proofs on circom and snarkjs keys, by the engine of `bucketwheel`.
//!
//! ```
//! use bucketwheel_groth16::file::{Wtns, Zkey};
//! use bucketwheel_groth16::{verify, Bn254, ProveOptions, Prover, ProvingKey};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
//! let key = std::fs::read(format!("{folder}/power.zkey"))?; // or a map of the file
//! let witness = std::fs::read(format!("{folder}/power.wtns"))?;
//! let prover = Prover::new(Zkey::<Bn254>::parse(&key)?)?;
//! let proven = prover.prove(&Wtns::parse(&witness)?.to_vec()?, ProveOptions::new())?;
//! assert!(verify(&prover.key().verifying_key()?, &proven.public, &proven.proof)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! docs/groth16.md has the formulas and the way of a proof through the modules; [`setup`] makes keys for development,
//! `witness` (a feature) runs circom's WebAssembly, and `arkworks` (a feature) proves with arkworks' keys and circuits.
//!
//! # Where changes go
//! - A stage of the prover: `prover/stages.rs`; its name and its time: `prover/trace.rs`.
//! - The scalars of the points H: `prover/quotient.rs`; the transforms behind it: `crates/transform`.
//! - A file of circom or snarkjs, its JSON included: `crates/snarkjs`, which is [`mod@file`] here.
//! - Many proofs at once: `verifier/many.rs`; the contract for Ethereum: `verifier/solidity.rs`; proofs as text, of a
//!   curve that only the key names: `verifier/text.rs`.
//! - Keys for development: `setup/`; circuits of jsnark: `jsnark/`; keys and circuits of arkworks: `arkworks.rs`.
//! - An error: `error.rs`.

#![warn(missing_docs)]
// A build without any curve does not call all functions.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381")), allow(unused))]
#![forbid(unsafe_code)]

#[cfg(feature = "arkworks")]
pub mod arkworks;
mod error;
pub mod jsnark;
mod prover;
mod satisfaction;
pub mod setup;
mod verifier;

pub use bucketwheel_snarkjs as file;
#[cfg(feature = "witness")]
pub use bucketwheel_snarkjs::witness;
#[cfg(feature = "bls12-377")]
pub use bucketwheel_snarkjs::Bls12_377;
#[cfg(feature = "bw6-761")]
pub use bucketwheel_snarkjs::Bw6_761;
pub use bucketwheel_snarkjs::{
    curve_named, snarkjs_name, with_pairing, CurveId, KeyFault, MissingCurve, PairingCurve, Proof,
    VerifyingCurve, VerifyingKey, CURVES, CURVE_NAMES,
};
use bucketwheel_snarkjs::{memory, parallel};
pub use bucketwheel_transform as ntt;
pub use error::{ClaimPart, Error, Signal, Unsatisfied};
pub use prover::{Convention, Counts, ProveOptions, Proven, Prover, ProvingKey, Span, Stage, Sums, Trace};
pub use satisfaction::{check_witness, check_witness_named};
pub use verifier::{solidity, verify, BadClaim, PreparedVerifyingKey, TextClaim, TextCurve, TextVerifier};

// The pairings of `with_pairing!`, which has the curves of that crate's features.
bucketwheel_snarkjs::__if_bls12_381! { { pub use bucketwheel_snarkjs::Bls12_381; } {} }
bucketwheel_snarkjs::__if_bn254! { { pub use bucketwheel_snarkjs::Bn254; } {} }
