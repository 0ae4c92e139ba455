//! The files of circom and snarkjs: keys (`.zkey`), witnesses (`.wtns`), constraints (`.r1cs`), names (`.sym`), and
//! JSON. The feature `witness` adds circom's WebAssembly, which calculates witnesses.
//!
//! The binary formats share a container (`sections.rs`). Readers borrow the bytes of the whole file, which is usually
//! mapped, and check everything before they return, so their users need no checks. One check is separate because it
//! takes long: [`Zkey::check_points`] checks that points are on the curve and in their groups.
//!
//! ```
//! use bucketwheel_snarkjs::{zkey_curve, Bn254, CurveId, R1cs, Wtns, Zkey};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bn254");
//! let (key, witness) = (std::fs::read(format!("{folder}/power.zkey"))?, std::fs::read(format!("{folder}/power.wtns"))?);
//! let circuit = std::fs::read(format!("{folder}/power.r1cs"))?;
//! assert_eq!(zkey_curve(&key)?, CurveId::Bn254);
//! let (key, witness, circuit) = (Zkey::<Bn254>::parse(&key)?, Wtns::parse(&witness)?, R1cs::parse(&circuit)?);
//! assert_eq!((key.header.signals, circuit.header.wires), (witness.len(), witness.len()));
//! assert_eq!(key.header.public, circuit.header.public());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where changes go
//! - A format: its reader in a file here; `sections.rs` is the container of the binary ones.
//! - Writers: `zkey_writer.rs` and `r1cs_writer.rs`; JSON: `json.rs`, `json_point.rs`, `json_value.rs` and `proof.rs`.
//! - A check that every load of a key makes: `secrets.rs`; its other checks: `membership.rs`, `agreement.rs` and
//!   `circuit_check.rs`.
//! - A pairing curve: `curve.rs`. An error: `error.rs`; a fault of a key: `fault.rs`.
//! - Memory, time and cancellation of circom's WebAssembly: `witness/limits.rs`.
//! - Another interface of circom's WebAssembly: `witness/interface.rs`, and a file as `witness/circom2.rs`.

#![warn(missing_docs)]
// Code that is unused when no curve is enabled.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381")), allow(unused))]
#![forbid(unsafe_code)]

mod agreement;
mod circuit_check;
mod coefficients;
mod curve;
mod element;
mod error;
mod fault;
mod json;
mod json_point;
mod json_value;
mod kind;
mod membership;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod parallel;
mod points;
mod proof;
mod ptau;
mod r1cs;
mod r1cs_writer;
mod secrets;
mod sections;
mod sym;
mod warning;
#[cfg(feature = "witness")]
pub mod witness;
mod wtns;
mod zkey;
mod zkey_writer;

pub use bucketwheel::{CurveId, MissingCurve};
pub use coefficients::{Coefficient, Coefficients, Matrix};
#[cfg(feature = "bls12-377")]
pub use curve::Bls12_377;
#[cfg(feature = "bls12-381")]
pub use curve::Bls12_381;
#[cfg(feature = "bn254")]
pub use curve::Bn254;
#[cfg(feature = "bw6-761")]
pub use curve::Bw6_761;
pub use curve::{
    curve_named, curve_of_order, curve_of_prime, snarkjs_name, Group, PairingCurve, VerifyingCurve, CURVES,
    CURVE_NAMES,
};
pub use element::Montgomery;
pub use error::{Error, FileError};
pub use fault::KeyFault;
pub use json::{public_from_json, public_text, public_to_json, ProofJson, VerifyingKeyJson};
#[doc(hidden)]
pub use json_value::{Object, Value};
pub use kind::{Kind, Section};
pub use points::Points;
pub use proof::{Proof, VerifyingKey};
pub use ptau::Ptau;
pub use r1cs::{Constraint, Constraints, LinearCombination, R1cs, R1csHeader};
pub use r1cs_writer::{write_r1cs, R1csWriter, Terms};
pub use secrets::check_secrets;
pub use sections::sections;
pub use sym::{main_signals, symbols, symbols_beside, wire_names, Symbol};
pub use warning::FileWarning;
pub use wtns::{write_wtns, Wtns};
pub use zkey::{zkey_curve, zkey_protocol, Holder, Zkey, ZkeyHeader};
pub use zkey_writer::ZkeyWriter;
