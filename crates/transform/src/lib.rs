//! Number-theoretic transforms of scalar fields in SIMD lanes. They convert between the coefficients of a polynomial
//! and its values.
//!
//! ```
//! use bucketwheel::Backend;
//! use bucketwheel_transform::{Ntt, Transform};
//! use ark_bn254::Fr;
//!
//! let ntt = Ntt::<Fr>::new(4, Backend::detect())?;
//! let coefficients: Vec<Fr> = (0..16).map(Fr::from).collect();
//! let mut elements = coefficients.clone();
//! ntt.coset_forward(&mut elements)?; // values on the coset
//! ntt.coset_inverse(&mut elements)?;
//! assert_eq!(elements, coefficients);
//! # Ok::<(), bucketwheel_transform::Error>(())
//! ```
//!
//! # Domains
//! A domain has n = 2^log_size points, the powers `w^i` of a root of unity w of order n. Its coset has the points
//! `g w^i`. Coefficients and values are always in natural order.
//!
//! | field | largest domain | snarkjs' root, by default | arkworks' root |
//! |---|---|---|---|
//! | BN254's scalars | 2^28 | `5^((r - 1) / n)` | the same |
//! | BLS12-381's scalars | 2^32 | `5^((r - 1) / n)` | `7^((r - 1) / n)`, for [`Ntt::with_root`] |
//! | BLS12-377's scalars | 2^47 | `11^((r - 1) / n)` | `22^((r - 1) / n)` |
//! | BW6-761's scalars | 2^46 | `5^((r - 1) / n)` | `15^((r - 1) / n)` |
//!
//! snarkjs does not have the last two fields; their default root follows its rule, the least integer that is not a square.
//! By default, g is the root of order 2n, which makes the odd coset. The largest domain has no such root; there g is
//! the square of that integer.
//!
//! # Which type
//! - [`Ntt`]: one vector, forward or inverse, on the domain or on the coset. It takes two passes over memory,
//!   `n / 2 log2 n` butterflies, and three more products per element. Its scratch memory is a vector of n elements,
//!   of 40 bytes each with AVX2 and AVX-512, 32 otherwise; of BW6-761's scalars 56 (AVX2), 64 (AVX-512) and 48.
//! - [`Domain`]: the quotient of Groth16, six transforms in three passes.
//! - [`Naive`]: the definition, in quadratic time, as a reference. [`Transform`] is the trait of [`Ntt`] and [`Naive`].
//!
//! # The quotient
//! Given are the values of two polynomials A and B on a domain of n points, the powers of a root of unity w. Let C be
//! the polynomial of degree below n with the values A B there. The quotient is `A B - C` on the coset `g w^i`: in
//! snarkjs' keys, the scalars of the points H. It takes an inverse transform of A, B and C, a product with the powers
//! of g, a forward transform, and products point by point.
//!
//! The quotient's memory is three vectors of n elements, of the same sizes as above, including the inputs, and for each
//! thread four columns or one row of vectors (at 2^20 0.6 MB). C needs a vector of its own, because no value of A or B is
//! finished before the last pass. The example of [`Domain`] computes a quotient.
//!
//! # Where changes go
//! - A scalar field: a line in `field.rs`, and a feature in `Cargo.toml`.
//! - One vector in two passes: `natural.rs`; the quotient in three: `passes.rs`, with the indices and the cost.
//! - Butterflies in a cache, and their twiddles: `layers.rs`. Roots of unity and cosets: `field.rs`.
//! - Vectors of lanes that callers see as elements: `vector.rs`. An error: `error.rs`.

#![warn(missing_docs)]
// Code that is unused when no curve is enabled.
#![cfg_attr(
    not(any(feature = "bn254", feature = "bls12-381", feature = "bls12-377", feature = "bw6-761")),
    allow(unused)
)]
#![deny(unsafe_code)]
// A lane indexes several arrays at once.
#![allow(clippy::needless_range_loop)]

mod domain;
mod error;
mod field;
mod jobs;
#[allow(unsafe_code)]
mod layers;
mod naive;
#[allow(unsafe_code)]
mod natural;
mod ntt;
#[allow(unsafe_code)]
mod passes;
mod quotient;
mod transform;
#[allow(unsafe_code)]
mod vector;

pub use domain::{TransformOptions, Way};
pub use error::Error;
pub use field::TransformField;
pub use naive::Naive;
pub use ntt::Ntt;
pub use quotient::{Domain, Evaluations, Quotient};
pub use transform::Transform;
pub use vector::{Elements, Words};
