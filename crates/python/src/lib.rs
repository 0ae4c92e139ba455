//! Native part of the Python package `bucketwheel`: the module `_native`, with sums, streams and Groth16 proofs. Users
//! see `python/bucketwheel`, whose Python code calls it; docs/python.md describes both. maturin builds the package.
//!
//! # Where changes go
//! - A function or a class: its module, its export in `lib.rs`, its type in `python/bucketwheel/_native.pyi`, and the
//!   Python code that calls it.
//! - Sums and streams: `msm/`; proofs: `groth16.rs`; bytes that the caller hands over: `source.rs`.
//! - Sums over many machines: `python/bucketwheel/cluster`, with `mask.rs` and `cards.rs`.
//! - Work without the interpreter's lock, signals and progress: `work.rs`.
//! - Exceptions: `error.rs`, and `python/bucketwheel/errors.py`.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cards")]
mod cards;
mod error;
mod groth16;
mod header;
mod mask;
mod msm;
mod source;
mod whole_file;
mod work;

use pyo3::prelude::*;

#[pymodule(name = "_native")]
mod native {
    #[cfg(feature = "cards")]
    #[pymodule_export]
    use crate::cards::{card_times, designs, Cards};
    #[cfg(feature = "witness")]
    #[pymodule_export]
    use crate::groth16::witness;
    #[pymodule_export]
    use crate::groth16::{
        calldata, check_witness, export_solidity, key_sections, setup, verify, verify_many, Prover,
    };
    #[pymodule_export]
    use crate::header::layout;
    #[pymodule_export]
    use crate::mask::Mask;
    #[pymodule_export]
    use crate::msm::{
        check_curve, curves, decode, encode, generate, generate_points, generate_scalars, Bases, Stream,
    };
    #[pymodule_export]
    use crate::whole_file::write_file;

    /// The version of the crate.
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Python's name
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
