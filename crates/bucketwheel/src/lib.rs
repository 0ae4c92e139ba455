//! Multi-scalar multiplication (MSM), `Q = sum k_i P_i`, at the speed of the field kernels.
//!
//! ```
//! use ark_bn254::{Fr, G1Affine};
//! use ark_std::UniformRand;
//! use bucketwheel::{Bases, Msm};
//!
//! let mut rng = ark_std::test_rng();
//! let points: Vec<G1Affine> = (0..100).map(|_| G1Affine::rand(&mut rng)).collect();
//! let scalars: Vec<Fr> = (0..100).map(|_| Fr::rand(&mut rng)).collect();
//!
//! let bases = Bases::new(&points)?; // once
//! let sum = Msm::new().run(&bases, &scalars)?; // as often as you like
//! # let expected: ark_bn254::G1Projective = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
//! # assert_eq!(sum, expected);
//! # Ok::<(), bucketwheel::Error>(())
//! ```
//!
//! # Curves
//! BN254 and Grumpkin, BLS12-381, BLS12-377 by default; Pallas and Vesta, Jubjub and Bandersnatch, BW6-761, BLS24-315, Tweedledum
//! and Tweedledee, and the MNT curves of 298 and 753 bits by cargo features; and any other [`Curve`] over their fields, in arkworks' types.
//!
//! # The way of an MSM
//! [`BasesOptions`] prepares points (checks, images under the endomorphism, tables) in the digits of a [`Backend`], the
//! fastest of this CPU by default. [`Msm`] turns [`Scalars`] into signed digits, sorts points by bucket, adds them in batches
//! that a [scheduler](schedule) makes and an [adder](AdderKind) adds, aggregates the buckets and sums the windows. All
//! options have right defaults, and [`Msm::plan`] tells the window, the additions and the memory first. [`Stream`] is
//! for more points than memory, [`Msm::run_pair`] for G1 and G2 with the same scalars. The example `reference` is the
//! algorithm in sixty lines.
//!
//! # No promises
//! The time of an MSM depends on its scalars and points: do not use it where an attacker who measures time must not
//! learn the scalars.
//!
//! An application that is built without optimisation still needs the engine optimised:
//! `[profile.dev.package.bucketwheel] opt-level = 3`, and the same for `bucketwheel-lanes`.
//!
//! # Where changes go
//! - A scheduler: its file in `schedule/`, and a line each in `mod.rs` and `kind.rs` there.
//! - An adder: its file in `engine/adder/`, and a line each in `mod.rs`, `kind.rs` and `formula.rs` there.
//! - A curve with a name: its entry in `curve/catalogue.rs`, a line in `curve/field.rs` if more than its equation is
//!   known, and its constant for C in `crates/capi/src/abi.rs`. A new prime starts in
//!   `crates/lanes/generator/primes.rs`.
//! - The choice of the window, and its cost: `plan/`.
//! - Signed digits: `digits/recode.rs`; the split of scalars by the endomorphism: `scalars/split.rs`; the sort:
//!   `digits/sort.rs`.
//! - Buckets and their aggregation: `engine/buckets/`; sums of few points: `msm/few.rs`.
//! - Table files: `bases/file.rs` and `bases/header.rs`; streams: `stream/`; another device: [`provider`].
//! - An error: `error.rs`.

#![warn(missing_docs)]
// Some code is unused without some curve, without inspection, tables, or the other strategies.
#![cfg_attr(
    not(all(feature = "all-curves", feature = "inspection", feature = "strategies", feature = "tables")),
    allow(dead_code, unused_imports, unused_macros, unused_variables)
)]

mod backend;
mod bases;
mod clock;
mod control;
mod curve;
mod digits;
mod engine;
mod error;
#[cfg(feature = "groups")]
mod groups;
mod memory;
mod msm;
mod named;
mod plan;
pub mod provider;
mod raw;
mod scalars;
pub mod schedule;
mod stream;
mod vectorize;
mod windows;

pub use backend::{default_backend, default_backend_of, BACKEND_VARIABLE};
#[cfg(feature = "additions")]
pub use bases::additions::Additions;
pub use bases::duplicates::Deduplication;
pub use bases::header::TableHeader;
#[cfg(feature = "inspection")]
pub use bases::ordinates::ordinates;
pub use bases::points::{Points, RawPoints};
pub use bases::{Bases, BasesOptions, Check};
pub use bucketwheel_lanes::Backend;
#[doc(hidden)]
pub use clock::Moment;
#[doc(hidden)]
pub use control::Control;
pub use control::{Cancel, Progress};
#[cfg(feature = "bls24-315")]
pub use curve::bls24_315;
pub use curve::catalogue::{config, CurveId, MissingCurve};
pub use curve::group::GroupId;
#[cfg(feature = "tweedle")]
pub use curve::tweedle;
pub use curve::{CoordinateField, Curve, TwistedEdwards};
pub use engine::adder::AdderKind;
#[cfg(feature = "additions")]
pub use engine::additions::Summands;
pub use error::{Error, PairError, TableError, Unfit};
#[cfg(feature = "groups")]
pub use groups::{FixedBase, Groups};
pub use memory::release_memory;
#[doc(hidden)]
pub use memory::{reserve_memory, Reserved, Zeroed};
pub use msm::{msm, Msm, PairSums, Report};
pub use named::UnknownName;
pub use plan::costs::Costs;
pub use plan::fit::Sample;
pub use plan::profile::{Profile, ProfileError};
pub use plan::stream::StreamPlan;
pub use plan::table::TablePlan;
pub use plan::Plan;
pub use raw::{Form, Infinity, PointLayout};
pub use scalars::{Integer, MontgomeryWords, RawScalars, ScalarWords, Scalars};
pub use schedule::{SchedulerKind, ThreadsBy};
pub use stream::{PairStream, Stream, StreamOptions};
pub use windows::{MAX_WINDOW, MIN_WINDOW};
