//! arkworks' curves with Bucketwheel's sums: a prover changes one type and no other line.
//!
//! arkworks' provers are generic over a pairing or a curve. Each module here has, for one version of arkworks, points that
//! wrap arkworks' own ([`v0_6::Affine`], [`v0_6::Projective`]) and pairings over them ([`v0_6::Bn254`]). They delegate
//! everything to arkworks, except multi-scalar multiplication, which the engine computes. Wrapping is free: a wrapper has
//! the layout of the point inside, the same `CurveConfig`, and serializes to the same bytes.
//!
//! ```
//! use ark_ec_0_6::{CurveGroup, PrimeGroup, VariableBaseMSM};
//! use bucketwheel_ark::v0_6::{Bn254, Projective};
//! # use ark_ec_0_6::pairing::Pairing;
//! # use ark_ff_0_6::UniformRand;
//! # type Fr = <Bn254 as Pairing>::ScalarField;
//!
//! type G1 = <Bn254 as Pairing>::G1; // in place of ark_bn254::Bn254
//! # let mut rng = ark_std_0_6::test_rng();
//! let points: Vec<_> = (0..100).map(|_| G1::rand(&mut rng).into_affine()).collect();
//! let scalars: Vec<_> = (0..100).map(|_| Fr::rand(&mut rng)).collect();
//! let sum = G1::msm(&points, &scalars).unwrap();
//! # let expected: G1 = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
//! # assert_eq!(sum, expected);
//! ```
//!
//! | method | who computes it |
//! |---|---|
//! | `msm`, `msm_unchecked`, `msm_bigint`, `msm_chunks` | the engine |
//! | `msm_u32`, `msm_u64` (0.6) | the engine, from [`LEAST_SHORT`] points on |
//! | `msm_u16` (0.6) | the engine, from 48 points on |
//! | `msm_u8` (0.6) | the engine with AVX-512 IFMA, from 48 points on |
//! | `batch_mul` of 0.5 and 0.6, from 16 scalars on | the engine |
//! | everything else, also `msm_u1` | arkworks |
//!
//! Where arkworks computes, it is faster: a sum of bits is additions alone, and the engine must first convert the points.
//!
//! Slices of different lengths behave like arkworks' slices: `msm` returns the shorter length as its error; the other
//! methods cut the longer slice.
//!
//! # Points outside of the prime-order subgroup
//! arkworks' types promise points of the subgroup, but `new_unchecked` and unchecked deserialization can break the
//! promise. By default, sums are exact for points outside of the subgroup, too. [`trust_points`] lets the engine use
//! shortcuts that are right in the subgroup alone.
//!
//! # Points that are used again and again
//! Each sum prepares its points. [`Prepared`] prepares the points of a key once, for all sums within a scope.
//!
//! # Versions and curves
//! A module for each version, with a feature of the same number: [`v0_6`] (`ark-0_6`, by default), `v0_5` (`ark-0_5`),
//! `v0_4` (`ark-0_4`). Each module has
//!
//! - the pairings of BN254, BLS12-381, BLS12-377 and BW6-761, and their groups;
//! - the groups [`v0_6::Pallas`] and [`v0_6::Vesta`], and Grumpkin (`Projective<GrumpkinConfig>`; 0.4 lacks it);
//! - the groups [`v0_6::Jubjub`] and [`v0_6::Bandersnatch`] in twisted Edwards form, whose points are [`v0_6::edwards::Affine`]
//!   and [`v0_6::edwards::Projective`]. The first group of BLS12-377 has this form, too, and both curves have Weierstrass
//!   form.
//!
//! The Weierstrass points of 0.6 may be over any other curve of the engine. The features `groth16-0_6`, `groth16-0_5` and
//! `groth16-0_4` add [`v0_6::Convert`], which moves ark-groth16's keys and proofs from arkworks' types to ours and back.
//!
//! The engine sums twisted Edwards points in Weierstrass form, which has a point for each of them.
//!
//! # Where changes go
//! - A new version of arkworks: a module as `v0_6.rs`, and its feature in `Cargo.toml`.
//! - A curve: its crates in `Cargo.toml`; its configurations in `weierstrass!` or `edwards!` of `v0_5.rs` and `v0_4.rs`; its
//!   name in `curves!` or `groups!` of `newtypes.rs`; a twisted Edwards curve in `edwards_curves!` of `edwards.rs`.
//! - The sums that the engine computes, and from how many points: `sums.rs`.
//! - The way from older points to the engine's: `bridge.rs`; the wrappers of all versions: `newtypes.rs`; the map from
//!   twisted Edwards to Weierstrass form: `edwards.rs`.
//! - Keys and proofs of ark-groth16: `groth16.rs`; points that a scope prepares: `prepared.rs`.

#![warn(missing_docs)]
// A build without any version does not use all of this code.
#![cfg_attr(not(any(feature = "ark-0_4", feature = "ark-0_5", feature = "ark-0_6")), allow(unused))]
#![deny(unsafe_code)]

#[cfg(any(feature = "ark-0_4", feature = "ark-0_5"))]
mod bridge;
mod edwards;
#[cfg(any(feature = "groth16-0_4", feature = "groth16-0_5", feature = "groth16-0_6"))]
mod groth16;
mod newtypes;
mod prepared;
mod sums;
mod trust;
#[cfg(feature = "ark-0_4")]
pub mod v0_4;
#[cfg(feature = "ark-0_5")]
pub mod v0_5;
#[cfg(feature = "ark-0_6")]
pub mod v0_6;

pub use edwards::EdwardsCurve;
pub use prepared::{Point, Prepared};
pub use sums::LEAST_SHORT;
pub use trust::trust_points;
