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
//! BN254 and Grumpkin, BLS12-381, BLS12-377 by default; Pallas and Vesta, Jubjub and Bandersnatch, BW6-761, BLS24-315 by cargo
//! features; and any other [`Curve`] over their fields, in arkworks' types.
//!
//! # The way of an MSM
//! [`BasesOptions`] prepares points (checks, images under the endomorphism, tables) in the digits of a [`Backend`], the
//! fastest of this CPU by default. [`Msm`] turns [`Scalars`] into signed digits, sorts points by bucket, adds them in batches
//! that a [scheduler](schedule) makes and an [adder](AdderKind) adds, aggregates the buckets and sums the windows; all has
//! defaults that are right, and [`Msm::plan`] tells the window, the additions and the memory first. [`Stream`] is for more
//! points than memory, [`Msm::run_pair`] for G1 and G2 with the same scalars. The example `reference` is the algorithm in
//! sixty lines.
//!
//! # What it does not promise
//! Time depends on scalars and points: do not use it where an attacker who measures time must not learn the scalars.
//!
//! An application that is built without optimisation needs the engine with it:
//! `[profile.dev.package.bucketwheel] opt-level = 3`, and the same for `bucketwheel-lanes`.

#![warn(missing_docs)]
// Ways that no curve of this build takes.
#![cfg_attr(not(feature = "all-curves"), allow(dead_code, unused_imports, unused_macros))]

mod bases;
mod control;
mod curve;
mod digits;
mod engine;
mod error;
mod fork;
mod memory;
mod msm;
mod named;
mod plan;
mod raw;
pub mod schedule;
mod stream;
mod windows;

#[cfg(feature = "additions")]
pub use bases::additions::Additions;
pub use bases::duplicates::Deduplication;
pub use bases::header::TableHeader;
pub use bases::ordinates::ordinates;
pub use bases::points::{Points, RawPoints};
pub use bases::{Bases, BasesOptions, Check};
pub use bucketwheel_lanes::Backend;
#[doc(hidden)]
pub use control::Control;
pub use control::{Cancel, Progress};
#[cfg(feature = "bls24-315")]
pub use curve::bls24_315;
pub use curve::id::{config, CurveId, GroupId, MissingCurve};
pub use curve::{CoordinateField, Curve, Integer, MontgomeryWords, ScalarWords, TwistedEdwards};
pub use digits::{RawScalars, Scalars};
pub use engine::adder::AdderKind;
#[cfg(feature = "additions")]
pub use engine::additions::Summands;
pub use error::{Error, TableError, Unfit};
pub use fork::has_threads;
pub use memory::release_memory;
#[doc(hidden)]
pub use memory::{reserve_memory, Reserved, Zeroed};
pub use msm::{msm, Msm, PairSums, Report};
pub use named::UnknownName;
pub use plan::costs::{Costs, Sample};
pub use plan::profile::{Profile, ProfileError};
pub use plan::stream::StreamPlan;
pub use plan::table::TablePlan;
pub use plan::Plan;
pub use raw::{Form, Infinity, PointLayout};
pub use schedule::{SchedulerKind, ThreadsBy};
pub use stream::{PairStream, Stream, StreamOptions};
pub use windows::{MAX_WINDOW, MIN_WINDOW};

/// The environment variable that overrides the backend.
pub const BACKEND_VARIABLE: &str = "BUCKETWHEEL_BACKEND";

/// The backend of the environment, or the fastest of this CPU.
///
/// # Errors
/// [`Error::UnknownBackend`] or [`Error::UnsupportedBackend`] if the environment names one that does not exist or
/// that this CPU lacks.
pub fn default_backend() -> Result<Backend, Error> {
    default_among(&Backend::ALL)
}

/// The backend of the environment, or the fastest of this CPU that this curve has.
///
/// # Errors
/// As for [`default_backend`]; a backend of the environment that the curve lacks is an error where it is used.
pub fn default_backend_of<C: Curve>() -> Result<Backend, Error> {
    default_among(C::BaseField::backends())
}

/// The backend of the environment, or the fastest of these on this CPU.
fn default_among(backends: &[Backend]) -> Result<Backend, Error> {
    Ok(environment_backend()?.unwrap_or_else(|| Backend::fastest(backends)))
}

/// The backend of the environment, if it names one.
fn environment_backend() -> Result<Option<Backend>, Error> {
    let Some(name) = std::env::var_os(BACKEND_VARIABLE) else {
        return Ok(None);
    };
    // No backend's name has the character that stands for what is not Unicode.
    let name = name.to_string_lossy();
    let backend: Backend = name.parse().map_err(|_| Error::UnknownBackend(name.into_owned()))?;
    match backend.is_supported() {
        true => Ok(Some(backend)),
        false => Err(Error::UnsupportedBackend(backend)),
    }
}
