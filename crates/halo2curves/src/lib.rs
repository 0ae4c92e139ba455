//! halo2curves' multi-scalar multiplications, computed by Bucketwheel.
//!
//! Each module has, for one version of halo2curves, its functions `msm_best`, `msm_parallel` and `msm_serial`, with the
//! same signatures. A prover imports them from here and changes no other line:
//!
//! ```
//! # #[cfg(feature = "halo2curves-0_10")] {
//! # use halo2curves_0_10 as halo2curves;
//! use bucketwheel_halo2curves::v0_10::msm_best; // in place of halo2curves::msm::msm_best
//! use halo2curves::bn256::{Fr, G1Affine, G1};
//! use halo2curves::ff::Field;
//! use halo2curves::group::{Curve, Group};
//! # use rand::{rngs::StdRng, SeedableRng};
//!
//! # let mut rng = StdRng::seed_from_u64(1);
//! let points: Vec<G1Affine> = (0..100).map(|_| G1::random(&mut rng).to_affine()).collect();
//! let scalars: Vec<Fr> = (0..100).map(|_| Fr::random(&mut rng)).collect();
//! let sum = msm_best(&scalars, &points);
//! # let expected: G1 = points.iter().zip(&scalars).map(|(point, scalar)| point * scalar).sum();
//! # assert_eq!(sum, expected);
//! # }
//! ```
//!
//! `msm_u64` takes integers, and is the only function that halo2curves lacks.
//!
//! | points | who computes the sum |
//! |---|---|
//! | BN254 G1 (`bn256`), Grumpkin, Pallas, Vesta | the engine, which reads points and scalars where they lie |
//! | other curves, or a point off its curve | halo2curves |
//!
//! Slices of different lengths behave as in halo2curves: `msm_best` and `msm_parallel` panic, `msm_serial` cuts the longer
//! slice. The four groups have prime order, so the engine's endomorphisms are right for each of their points.
//!
//! # Versions
//! [`v0_10`] (feature `halo2curves-0_10`, by default) and `v0_9` (`halo2curves-0_9`).
//!
//! # Where changes go
//! - A new version of halo2curves: a module and its feature in `Cargo.toml`.
//! - A curve: a line in `version.rs`.
//! - The sums that the engine computes: `sums.rs`.

#![warn(missing_docs)]
// A build without any version does not use all of this code.
#![cfg_attr(not(any(feature = "halo2curves-0_10", feature = "halo2curves-0_9")), allow(unused))]

mod sums;
mod version;

version::module! {
    #[cfg(feature = "halo2curves-0_10")]
    /// halo2curves 0.10.
    v0_10, halo2curves_0_10
}

version::module! {
    #[cfg(feature = "halo2curves-0_9")]
    /// halo2curves 0.9.
    v0_9, halo2curves_0_9
}
