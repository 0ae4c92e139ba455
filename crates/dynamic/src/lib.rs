//! Groups that are known at run time, for libraries for other languages, servers and commands: object-safe traits
//! over the operations of `bucketwheel` and `bucketwheel-formats` for one type of curve at a time. Points, scalars
//! and sums are bytes, so that callers do not compile any of it again.
//!
//! ```
//! use bucketwheel::{BasesOptions, CurveId, GroupId, Msm};
//! use bucketwheel_dynamic::{AnyPoints, AnyScalars};
//!
//! let groups = bucketwheel_dynamic::groups(CurveId::Bn254, GroupId::G1)?;
//! let generator = [1u64, 0, 0, 0, 2, 0, 0, 0].map(u64::to_le_bytes);
//! let bases = groups.prepare(BasesOptions::new(), &[AnyPoints::integers(generator.as_flattened())])?;
//! let one = [1u64, 0, 0, 0].map(u64::to_le_bytes);
//! let (sums, _) = bases.run(Msm::new(), AnyScalars::integers(one.as_flattened()))?;
//! assert_eq!(sums[0].integers, generator.as_flattened());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`group`] and [`groups`] return a group or both groups of a curve. [`DynGroup`] has an example of plans, tables and
//!   streams.
//! - [`inputs`] makes points and scalars from a seed, and [`schedule`] counts the work of a scheduler, for commands and
//!   tests. [`schedule`] has an example of both.
//! - [`precompile`] has Ethereum's precompiles for sums on BLS12-381.
//! - [`mask()`] makes a second set of points, by which a cluster checks sums of other machines.
//!
//! # Where changes go
//! - An operation on groups: its trait in `interface.rs`, its code for one group in `one.rs`, for two in `both.rs`.
//! - Points, scalars and sums as bytes, and errors in them: `values.rs`.
//! - Points and scalars from a seed: `inputs.rs`; counts of a scheduler: `schedule.rs`.
//! - Ethereum's precompiles: `precompile.rs`.
//! - The second set of points, by which a cluster checks sums of other machines: `mask.rs`.
//! - A curve: nothing here. `crates/bucketwheel/src/curve/catalogue.rs` has all of them.

#![warn(missing_docs)]
#![forbid(unsafe_code)]
// A build without any curve does not call all functions.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381", feature = "bls12-377")), allow(unused))]

mod both;
pub mod inputs;
mod interface;
mod mask;
mod one;
#[cfg(feature = "bls12-381")]
pub mod precompile;
pub mod schedule;
mod values;

use bucketwheel::{match_curve, with_curve, CurveId, GroupId, MissingCurve};
use bucketwheel_formats::coder;

use both::Both;
pub use interface::{DynBases, DynGroup, DynGroups, DynStream, File, Place};
use mask::Mask;
pub use mask::{DynMask, MaskKey};
use one::One;
pub use values::{AnyPoints, AnyScalars, AnySum, GroupError};

/// Reason why there is no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGroup {
    /// This build lacks the curve.
    #[error(transparent)]
    Curve(#[from] MissingCurve),
    /// The curve does not have the group here.
    #[error("{curve} has no group {group}: expected {}", choice(.expected))]
    Group {
        /// The curve.
        curve: CurveId,
        /// Group that the caller asked for.
        group: GroupId,
        /// Groups to choose from.
        expected: &'static [GroupId],
    },
}

fn choice(groups: &[GroupId]) -> String {
    groups.iter().map(|group| group.name()).collect::<Vec<_>>().join(" or ")
}

/// Returns the group with this name, which must not be the pair.
///
/// The [example](crate::DynGroup) uses it.
///
/// # Errors
/// [`NoGroup`].
pub fn group(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroup>, NoGroup> {
    check_single(curve, group)?;
    let coder = coder(curve, group)?;
    Ok(with_curve!(curve, group, C => Box::new(One::<C>::new(group, coder)) as Box<dyn DynGroup>)?)
}

/// Returns the group with this name, or both groups for the pair.
///
/// The [example](crate) uses it.
///
/// # Errors
/// [`NoGroup`].
pub fn groups(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroups>, NoGroup> {
    check(curve, group, curve.groups())?;
    macro_rules! single {
        ($group:expr, $config:ty) => {
            One::<$config>::new($group, coder(curve, $group)?)
        };
    }
    macro_rules! one {
        ($config:ty) => {
            Box::new(single!(group, $config)) as Box<dyn DynGroups>
        };
    }
    macro_rules! both {
        ($g1:ty, $g2:ty) => {
            match group {
                GroupId::G1 => one!($g1),
                GroupId::G2 => one!($g2),
                GroupId::Pair => Box::new(Both(single!(GroupId::G1, $g1), single!(GroupId::G2, $g2))),
            }
        };
    }
    Ok(match_curve!(curve, one, both)?)
}

/// Returns the mask of a group's points by a secret factor other than 0, which makes their second points. It is not
/// part of [`DynGroup`], so programs without masks do not contain its code.
///
/// The [example](crate::DynMask) uses it.
///
/// # Errors
/// [`NoGroup`].
pub fn mask(curve: CurveId, group: GroupId, alpha: u128) -> Result<Box<dyn DynMask>, NoGroup> {
    check_single(curve, group)?;
    Ok(with_curve!(curve, group, C => Box::new(Mask::<C>::new(alpha)) as Box<dyn DynMask>)?)
}

/// Returns a group, twice: two sums with the same scalars, over two sets of its points.
///
/// The [example](crate::schedule) uses it.
///
/// # Errors
/// [`NoGroup`].
pub fn twice(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroups>, NoGroup> {
    check_single(curve, group)?;
    let coder = coder(curve, group)?;
    let twice = with_curve!(curve, group, C => {
        let one = One::<C>::new(group, coder);
        Box::new(Both(one, one)) as Box<dyn DynGroups>
    });
    Ok(twice?)
}

/// Checks that this is a group of the curve, which the pair is not.
fn check_single(curve: CurveId, group: GroupId) -> Result<(), NoGroup> {
    let pair = usize::from(curve.has_pairing());
    check(curve, group, &curve.groups()[..curve.groups().len() - pair])
}

fn check(curve: CurveId, group: GroupId, expected: &'static [GroupId]) -> Result<(), NoGroup> {
    match expected.contains(&group) {
        true => Ok(()),
        false => Err(NoGroup::Group { curve, group, expected }),
    }
}
