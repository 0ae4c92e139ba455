//! A loaded circuit: a proving key with its witness calculator and its verifier, whose curve is known at run time. The command,
//! the server and the libraries for C, Python, Node and WebAssembly share it, and so does rapidsnark's library.
//!
//! ```
//! use bucketwheel_circuit::{Access, Loaded, Source};
//! use bucketwheel_groth16::{ProveOptions, TextClaim};
//!
//! # let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254"));
//! let loaded = Loaded::new(Source::open(&folder.join("power.zkey"), Access::Map)?)?;
//! let witness = loaded.values(&std::fs::read(folder.join("power.wtns"))?)?;
//! let proven = loaded.prove(&witness, ProveOptions::new())?;
//! let (public, proof) = (proven.public_text(), proven.proof_text());
//! let claim = TextClaim { public: public.as_bytes(), proof: proof.as_bytes() };
//! assert!(loaded.circuit().verify(&[claim])?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Source`]: the place of bytes, and changes of a file in use.
//! - [`Loaded`]: a key, its circuit and its witness calculator in one value. [`Circuit`] is object-safe. It is compiled
//!   here for each curve, not in its users. Another protocol is another implementation of [`Circuit`], and a line in
//!   `loaded.rs`.
//! - [`Error`], with the responsible input ([`Fault`]).
//! - [`check_fork`]: an error if this process lacks its threads.
//! - [`verifying_key_text`]: verifying keys of arkworks' Groth16, as snarkjs' JSON.
//! - [`GnarkVerifier`]: gnark's verifying keys, proofs and public witnesses.
//! - [`setup`]: keys for development and imported circuits, for curves that are known at run time.
//!
//! # Where changes go
//! - A protocol: its line of `protocols!` in `circuit.rs`, a file with its `Circuit`, `open` in `loaded.rs`, and its errors in
//!   `error.rs`.
//! - An operation on circuits: `Circuit` in `circuit.rs`, and its code in `groth16.rs`.
//! - The treatment of files that change: `source.rs`.
//! - Files of gnark: `gnark/`; verifying keys of arkworks: `arkworks.rs`; keys for development and imports: `setup.rs`.
//! - An error, and the input that it blames: `error.rs`.

#![warn(missing_docs)]
// A build without any curve, or without checks, does not call all functions.
#![cfg_attr(not(all(any(feature = "bn254", feature = "bls12-381"), feature = "checks")), allow(unused))]
#![deny(unsafe_code)]

mod arkworks;
mod circuit;
mod error;
mod fork;
mod gnark;
mod groth16;
mod loaded;
pub mod setup;
#[allow(unsafe_code)]
mod source;

pub use arkworks::{read_arkworks_key, verifying_key_text};
pub use circuit::{Circuit, Counts, Info, KeyPoints, Protocol, Proven, Sums};
pub use error::{Error, Fault};
pub use fork::{check as check_fork, Forked};
pub use gnark::GnarkVerifier;
pub use loaded::Loaded;
pub use source::{Access, Source};
