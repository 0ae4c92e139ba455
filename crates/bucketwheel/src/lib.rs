//! Multi-scalar multiplication (MSM), `Q = sum k_i P_i`, at the speed of the field kernels.

#![warn(missing_docs)]
// Ways that no curve of this build takes.
#![cfg_attr(not(feature = "all-curves"), allow(dead_code, unused_imports))]

mod accumulator;
#[cfg(feature = "additions")]
mod additions;
mod bases;
mod buckets;
mod control;
mod costs;
mod curve;
mod digits;
mod duplicates;
mod endomorphism;
mod engine;
mod error;
mod job;
mod layout;
mod membership;
mod memory;
mod msm;
mod ordinates;
mod plan;
mod profile;
mod roots;
pub mod schedule;
mod sort;
mod strategy;
mod stream;
mod table;

#[cfg(feature = "additions")]
pub use additions::{Additions, Summands};
pub use bases::{Bases, BasesOptions, Check};
pub use bucketwheel_lanes::Backend;
#[doc(hidden)]
pub use control::Control;
pub use control::{Cancel, Progress};
pub use costs::{Costs, Sample};
#[cfg(feature = "bls24-315")]
pub use curve::bls24_315;
pub use curve::{CoordinateField, Curve, Integer, ScalarWords, TwistedEdwards};
pub use digits::Scalars;
pub use duplicates::Deduplication;
pub use error::Error;
pub use memory::release_memory;
pub use msm::{msm, Msm, PairSums, Report};
pub use ordinates::ordinates;
pub use plan::{Plan, MAX_WINDOW, MIN_WINDOW};
pub use profile::{Profile, ProfileError};
pub use strategy::{AdderKind, SchedulerKind, ThreadsBy, Unfit, UnknownName};
pub use stream::{PairStream, Points, Stream, StreamOptions, StreamPlan};
pub use table::{TableError, TableHeader, TablePlan};

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
