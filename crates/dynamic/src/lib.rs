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
//! # Inputs and counts from a seed
//! Commands and tests make points and scalars from a seed ([`inputs`]), and count the work of a scheduler ([`schedule`]).
//!
//! ```
//! use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm, SchedulerKind};
//! use bucketwheel_dynamic::inputs::{collect, points, scalars, Distribution};
//! use bucketwheel_dynamic::{schedule::Schedule, twice, AnyPoints, AnyScalars};
//!
//! let (curve, group) = (CurveId::Bn254, GroupId::G1);
//! let control = Control::new(None, None, None);
//! let points = collect(1000, 64, &points(curve, group, 1)?, &control)?;
//! let scalars = collect(1000, 32, &scalars(curve, Distribution::Small, 2)?, &control)?;
//!
//! // Two sums over the same group, with the same scalars.
//! let points = AnyPoints::integers(&points);
//! let bases = twice(curve, group)?.prepare(BasesOptions::new(), &[points, points])?;
//! let (sums, _) = bases.run(Msm::new(), AnyScalars::integers(&scalars))?;
//! assert!(!sums[0].is_infinity() && sums[0].integers == sums[1].integers);
//!
//! let schedule = Schedule {
//!     scheduler: SchedulerKind::Greedy,
//!     buckets: 512,
//!     distinct: 512,
//!     points: 10_000,
//!     batch: 64,
//!     pipeline: false,
//!     lanes: 8,
//!     seed: 3,
//! };
//! let counts = schedule.count(&control)?;
//! assert!(counts.mean_batch() <= 64.0 && counts.lane_utilisation(8) > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Plans, tables and streams
//! ```
//! use std::io::Cursor;
//!
//! use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm, StreamOptions, TableHeader};
//! use bucketwheel_dynamic::inputs::{collect, points, scalars, Distribution};
//! use bucketwheel_dynamic::{group, groups, AnyPoints, AnyScalars};
//!
//! let (curve, id) = (CurveId::Bn254, GroupId::G1);
//! let (groups, group) = (groups(curve, id)?, group(curve, id)?);
//! assert_eq!((groups.scalar_bits(), groups.parts()[0].group()), (254, group.group()));
//! let control = Control::new(None, None, None);
//! let points = collect(1000, 64, &points(curve, id, 1)?, &control)?;
//! let scalars = collect(1000, 32, &scalars(curve, Distribution::Uniform, 2)?, &control)?;
//! let all = AnyPoints::integers(&points);
//! group.verify(BasesOptions::new(), all)?;
//!
//! // Plans of a sum and of a table.
//! let plan = group.plan(Msm::new(), group.default_backend()?, 1000)?;
//! let table = group.table_plan(BasesOptions::new().copies(4), 1000)?;
//! assert!(table.additions < plan.additions);
//!
//! // A table, written and loaded.
//! let bases = groups.prepare(BasesOptions::new().copies(4), &[all])?;
//! let mut file = Cursor::new(Vec::new());
//! bases.write_table(&mut file)?;
//! let file = file.into_inner();
//! assert!(group.is_of(&TableHeader::parse(&file)?));
//! let loaded = group.load(BasesOptions::new(), Box::new(file.clone()))?;
//! assert_eq!(groups.load_all(BasesOptions::new(), vec![Box::new(file)])?.len(), loaded.len());
//! assert_eq!((loaded.len(), loaded.backend()), (1000, bases.backend()));
//! let (sums, _) = loaded.run(Msm::new(), AnyScalars::integers(&scalars))?;
//!
//! // The same sum by a stream of two parts; the second one resumes from a checkpoint.
//! let options = StreamOptions::new().points(1000);
//! let mut stream = groups.start(Msm::new(), options)?;
//! stream.update(&[AnyPoints::integers(&points[..64 * 400])], AnyScalars::integers(&scalars[..32 * 400]))?;
//! let half = stream.flush()?;
//! let mut stream = groups.start(Msm::new(), options)?.resume(400, &[AnyPoints::integers(&half[0].integers)])?;
//! stream.update(&[AnyPoints::integers(&points[64 * 400..])], AnyScalars::integers(&scalars[32 * 400..]))?;
//! assert_eq!((stream.len(), stream.flush()?[0].integers.as_slice()), (1000, sums[0].integers.as_slice()));
//! println!("{} bytes, {}", stream.plan().memory_bytes, stream.backend());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where changes go
//! - An operation on groups: its trait in `interface.rs`, its code for one group in `one.rs`, for two in `both.rs`.
//! - Points, scalars and sums as bytes, and errors in them: `values.rs`.
//! - Points and scalars from a seed: `inputs.rs`; counts of a scheduler: `schedule.rs`.
//! - The second set of points, by which a cluster checks sums of other machines: `mask.rs`.
//! - A curve: nothing here. `crates/bucketwheel/src/curve/catalogue.rs` has all of them.

#![warn(missing_docs)]
#![forbid(unsafe_code)]
// A build without any curve does not call everything.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381", feature = "bls12-377")), allow(unused))]

mod both;
pub mod inputs;
mod interface;
mod mask;
mod one;
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

/// The error of groups that cannot be had.
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
        /// Group that was asked for.
        group: GroupId,
        /// Groups to choose from.
        expected: &'static [GroupId],
    },
}

fn choice(groups: &[GroupId]) -> String {
    groups.iter().map(|group| group.name()).collect::<Vec<_>>().join(" or ")
}

/// Returns the group of these names, which is not the pair.
///
/// The [example](crate#plans-tables-and-streams) uses it.
///
/// # Errors
/// [`NoGroup`].
pub fn group(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroup>, NoGroup> {
    check_single(curve, group)?;
    let coder = coder(curve, group)?;
    Ok(with_curve!(curve, group, C => Box::new(One::<C>::new(group, coder)) as Box<dyn DynGroup>)?)
}

/// Returns the group of these names, or both.
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

/// Returns the mask of a group's points by a secret factor other than 0, which makes their second points. Not of
/// [`DynGroup`], so that programs without masks do without their code.
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
/// The [example](crate#inputs-and-counts-from-a-seed) uses it.
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

/// Checks that it is a group of the curve, which the pair is not.
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
