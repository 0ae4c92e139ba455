//! What an MSM runs over, as a type: one group, or both with the same scalars.

use std::marker::PhantomData;

use ark_ec::short_weierstrass::Affine;
use ark_ff::{Field, PrimeField};
use bucketwheel::{
    default_backend_of, AdderKind, Backend, Bases, BasesOptions, Curve, CurveId, Error as EngineError,
    GroupId, Msm, Report, ScalarWords, Scalars,
};

use crate::error::Error;
use crate::inputs::{collect, Walk};
use crate::output::{Point, Sum};

/// One group ([`One`]) or both ([`Both`]).
pub trait Domain: Sized {
    /// The scalars' field.
    type Scalar: ScalarWords;
    /// Points in memory.
    type Points: Send + Sync;
    /// Points in the engine.
    type Bases: Send + Sync;

    /// The bytes of a point in memory; of both groups, of one in each.
    fn point_bytes() -> usize;

    /// The first `count` points of the sequence that `seed` determines.
    ///
    /// # Errors
    /// [`EngineError::OutOfMemory`].
    fn walk(seed: u64, count: usize) -> Result<Self::Points, EngineError>;

    /// Hands the points to the engine, the first `count` of them.
    ///
    /// # Errors
    /// The engine's, and the group.
    fn prepare(
        points: &Self::Points,
        count: usize,
        options: BasesOptions<'_>,
    ) -> Result<Self::Bases, (GroupId, EngineError)>;

    /// The instruction set that is taken unless another one is asked for.
    ///
    /// # Errors
    /// If the environment asks for one that cannot be had.
    fn default_backend() -> Result<Backend, EngineError>;

    /// Whether this adder is for the curve, of each group.
    fn has_adder(adder: AdderKind) -> bool;

    /// The instruction set that works on these points.
    fn backend(bases: &Self::Bases) -> Backend;

    /// The MSM, and how it was computed.
    ///
    /// # Errors
    /// The engine's.
    fn run(
        msm: Msm<'_>,
        bases: &Self::Bases,
        scalars: &[Integers<Self>],
    ) -> Result<(Sum, Report), EngineError>;

    /// Calls `visitor` with each group, in the order of the points file.
    ///
    /// # Errors
    /// The visitor's.
    fn for_each_group(visitor: &mut impl GroupVisitor) -> Result<(), Error>;
}

/// The scalars of a domain as integers.
pub type Integers<D> = <<D as Domain>::Scalar as PrimeField>::BigInt;

/// Code that is generic over a group.
pub trait GroupVisitor {
    /// Visits one group.
    ///
    /// # Errors
    /// The visitor's own.
    fn visit<C: Curve>(&mut self, group: GroupId) -> Result<(), Error>;
}

/// The group of the curve `C`.
pub struct One<C>(PhantomData<C>);

/// The groups of `C` and `D`, which share the scalars.
pub struct Both<C, D>(PhantomData<(C, D)>);

/// The group of a curve's type.
pub fn group_of<C: Curve>() -> GroupId {
    match C::BaseField::extension_degree() {
        1 => GroupId::G1,
        _ => GroupId::G2,
    }
}

impl<C: Curve> Domain for One<C> {
    type Scalar = C::ScalarField;
    type Points = Vec<Affine<C>>;
    type Bases = Bases<C>;

    fn point_bytes() -> usize {
        size_of::<Affine<C>>()
    }

    fn walk(seed: u64, count: usize) -> Result<Self::Points, EngineError> {
        let walk = Walk::new(group_of::<C>(), seed);
        collect(count, |index| walk.block(index))
    }

    fn prepare(
        points: &Self::Points,
        count: usize,
        options: BasesOptions<'_>,
    ) -> Result<Self::Bases, (GroupId, EngineError)> {
        options.prepare(&points[..count]).map_err(|error| (group_of::<C>(), error))
    }

    fn default_backend() -> Result<Backend, EngineError> {
        default_backend_of::<C>()
    }

    fn has_adder(adder: AdderKind) -> bool {
        adder.is_for::<C>()
    }

    fn backend(bases: &Self::Bases) -> Backend {
        bases.backend()
    }

    fn run(
        msm: Msm<'_>,
        bases: &Self::Bases,
        scalars: &[Integers<Self>],
    ) -> Result<(Sum, Report), EngineError> {
        let (sum, report) = msm.run_reported(bases, Scalars::Integers(scalars))?;
        Ok((Sum::One(Point::new(sum)), report))
    }

    fn for_each_group(visitor: &mut impl GroupVisitor) -> Result<(), Error> {
        visitor.visit::<C>(group_of::<C>())
    }
}

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> Domain for Both<C, D> {
    type Scalar = C::ScalarField;
    type Points = (Vec<Affine<C>>, Vec<Affine<D>>);
    type Bases = (Bases<C>, Bases<D>);

    fn point_bytes() -> usize {
        One::<C>::point_bytes() + One::<D>::point_bytes()
    }

    fn walk(seed: u64, count: usize) -> Result<Self::Points, EngineError> {
        Ok((One::<C>::walk(seed, count)?, One::<D>::walk(seed, count)?))
    }

    fn prepare(
        points: &Self::Points,
        count: usize,
        options: BasesOptions<'_>,
    ) -> Result<Self::Bases, (GroupId, EngineError)> {
        Ok((One::<C>::prepare(&points.0, count, options)?, One::<D>::prepare(&points.1, count, options)?))
    }

    fn default_backend() -> Result<Backend, EngineError> {
        default_backend_of::<C>()
    }

    fn has_adder(adder: AdderKind) -> bool {
        adder.is_for::<C>() && adder.is_for::<D>()
    }

    fn backend(bases: &Self::Bases) -> Backend {
        bases.0.backend()
    }

    fn run(
        msm: Msm<'_>,
        bases: &Self::Bases,
        scalars: &[Integers<Self>],
    ) -> Result<(Sum, Report), EngineError> {
        let ((g1, g2), report) = msm.run_pair_reported((&bases.0, &bases.1), Scalars::Integers(scalars))?;
        Ok((Sum::Both { g1: Point::new(g1), g2: Point::new(g2) }, report))
    }

    fn for_each_group(visitor: &mut impl GroupVisitor) -> Result<(), Error> {
        One::<C>::for_each_group(visitor)?;
        One::<D>::for_each_group(visitor)
    }
}

/// An error unless the curve has the group.
///
/// # Errors
/// [`Error::NoGroup`].
pub fn check_group(curve: CurveId, group: GroupId) -> Result<(), Error> {
    match curve.groups().contains(&group) {
        true => Ok(()),
        false => Err(Error::NoGroup { curve, group }),
    }
}

/// Evaluates an expression with `$domain` bound to the type for a curve and group known at run time, in a function that
/// returns an error if the curve does not have the group.
#[macro_export]
macro_rules! with_domain {
    ($curve:expr, $group:expr, $domain:ident => $body:expr) => {{
        $crate::domain::check_group($curve, $group)?;
        macro_rules! one {
            ($config:ty) => {{
                type $domain = $crate::domain::One<$config>;
                $body
            }};
        }
        macro_rules! both {
            ($g1:ty, $g2:ty) => {
                match $group {
                    bucketwheel::GroupId::G1 => one!($g1),
                    bucketwheel::GroupId::G2 => one!($g2),
                    bucketwheel::GroupId::Pair => {
                        type $domain = $crate::domain::Both<$g1, $g2>;
                        $body
                    }
                }
            };
        }
        bucketwheel::match_curve!($curve, one, both)?
    }};
}
