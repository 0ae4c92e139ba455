//! The files of circom and snarkjs: keys (`.zkey`), witnesses (`.wtns`), constraints (`.r1cs`), and JSON.
//!
//! The three binary formats share a container (`sections.rs`). Readers borrow the bytes of the whole file, which is
//! usually mapped, and check everything before they return: what they hand out needs no checks. Whether points lie
//! on the curve is the exception, since that takes long: [`Zkey::check_points`].

mod agreement;
mod circuit_check;
mod coefficients;
mod element;
mod error;
mod json;
mod json_point;
mod json_value;
mod membership;
mod points;
mod ptau;
mod r1cs;
mod r1cs_writer;
mod sections;
mod warning;
mod wtns;
mod zkey;
mod zkey_writer;

pub use coefficients::{Coefficient, Coefficients, Matrix};
pub use element::Montgomery;
pub use error::FileError;
pub use json::{public_from_json, public_to_json, ProofJson, VerifyingKeyJson};
pub(crate) use json_value::{Object, Value};
pub(crate) use points::check_point;
pub use points::Points;
pub use ptau::Ptau;
pub use r1cs::{Constraint, Constraints, LinearCombination, R1cs, R1csHeader};
pub use r1cs_writer::{write_r1cs, R1csWriter, Terms};
pub use sections::{Kind, Section};
pub use warning::FileWarning;
pub use wtns::{write_wtns, Wtns};
pub use zkey::{zkey_curve, Zkey, ZkeyHeader};
pub use zkey_writer::ZkeyWriter;
