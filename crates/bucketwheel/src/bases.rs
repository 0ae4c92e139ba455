//! Points prepared once, used for many MSMs.

use std::any::TypeId;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::Field;
use bucketwheel_lanes::Backend;

use crate::curve::{coefficients, to_coordinates, CoordinateField, Curve};
use crate::endomorphism::Split;
use crate::layout::{Prepared, Source};
use crate::schedule::Ref;
use crate::Error;

/// An element of the curve's coordinate field outside the lanes.
type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// How points are prepared.
#[derive(Clone, Copy, Debug, Default)]
pub struct BasesOptions {
    backend: Option<Backend>,
    check: Check,
    endomorphism: Option<bool>,
}

/// What is checked of points before they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Nothing: the caller vouches that the points are on the curve and in the prime-order subgroup.
    #[default]
    None,
    /// The curve's equation. Points may lie outside of the subgroup, where scalars r - k and -k are not the same:
    /// MSMs do without such shortcuts, and are exact (but for the projective adder, whose formulas are complete
    /// in the subgroup only).
    Curve,
    /// The equation and the prime-order subgroup.
    Subgroup,
}

impl BasesOptions {
    /// The fastest backend of this CPU (or that of the environment variable `BUCKETWHEEL_BACKEND`), no checks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this instruction set.
    pub fn backend(self, backend: Backend) -> Self {
        BasesOptions { backend: Some(backend), ..self }
    }

    /// Checks the points.
    pub fn check(self, check: Check) -> Self {
        BasesOptions { check, ..self }
    }

    /// Whether to keep the points' images under the curve's endomorphism too, which halves the scalars and doubles
    /// the memory of the bases. By default up to 2^18 points (2^15 over Fp with AVX-512 IFMA); never after
    /// [`Check::Curve`], since it is wrong outside of the prime-order subgroup.
    pub fn endomorphism(self, endomorphism: bool) -> Self {
        BasesOptions { endomorphism: Some(endomorphism), ..self }
    }

    /// Prepares points.
    pub fn prepare<C: Curve>(self, points: &[Affine<C>]) -> Result<Bases<C>, Error> {
        Bases::prepare(points, self)
    }
}

/// Points prepared once, in the layout of one backend, for any number of MSMs.
///
/// Takes 128 bytes a point over Fp, 256 over Fp2 (the portable and ADX backends: the coordinates' words), and as much
/// again for the images ([`BasesOptions::endomorphism`]).
pub struct Bases<C: Curve> {
    pub(crate) prepared: Box<dyn Prepared<Words<C>>>,
    pub(crate) len: usize,
    /// The points at infinity, ascending.
    pub(crate) infinities: Vec<u32>,
    /// Whether the points are known, or said, to be in the prime-order subgroup.
    pub(crate) in_subgroup: bool,
    /// How scalars split over the points and their images, where there are any.
    pub(crate) split: Option<&'static Split>,
}

/// The number of points up to which fewer additions outweigh more memory: earlier where additions are cheap.
fn endomorphism_points<C: Curve>(backend: Backend) -> usize {
    let cheap =
        matches!(backend, Backend::Avx512Ifma | Backend::Model) && C::BaseField::extension_degree() == 1;
    if cheap {
        1 << 15
    } else {
        1 << 18
    }
}

impl<C: Curve> std::fmt::Debug for Bases<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bases({} points, {})", self.len, self.backend())
    }
}

impl<C: Curve> Bases<C> {
    /// Prepares points for the fastest backend, without checks.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], or an unsupported backend in the environment.
    pub fn new(points: &[Affine<C>]) -> Result<Self, Error> {
        Self::prepare(points, BasesOptions::new())
    }

    fn prepare(points: &[Affine<C>], options: BasesOptions) -> Result<Self, Error> {
        if points.len() > Ref::MAX_INDEX {
            return Err(Error::TooManyPoints { points: points.len(), max: Ref::MAX_INDEX });
        }
        check(points, options.check)?;
        let backend = match options.backend {
            Some(backend) => backend,
            None => crate::default_backend()?,
        };
        let in_subgroup = options.check != Check::Curve || C::cofactor_is_one();
        let worthwhile = options.endomorphism.unwrap_or(points.len() <= endomorphism_points::<C>(backend));
        let endomorphism = C::BaseField::endomorphism(TypeId::of::<C>())
            .filter(|_| in_subgroup && worthwhile && 2 * points.len() <= Ref::MAX_INDEX);
        let source = Source {
            len: points.len(),
            point: &|i| to_coordinates(&points[i]),
            curve: coefficients::<C>(),
            beta: endomorphism.map(|endomorphism| endomorphism.beta.to_words()),
        };
        let prepared = C::BaseField::prepare(backend, source).ok_or(Error::UnsupportedBackend(backend))?;
        let infinities = (0..points.len() as u32).filter(|&i| points[i as usize].is_zero()).collect();
        let split = endomorphism.map(|endomorphism| &endomorphism.split);
        Ok(Bases { prepared, len: points.len(), infinities, in_subgroup, split })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The instruction set that works on these points.
    pub fn backend(&self) -> Backend {
        self.prepared.backend()
    }
}

fn check<C: Curve>(points: &[Affine<C>], check: Check) -> Result<(), Error> {
    use rayon::prelude::*;
    let first = |valid: &(dyn Fn(&Affine<C>) -> bool + Sync)| {
        points.par_iter().position_first(|point| !point.is_zero() && !valid(point))
    };
    if check != Check::None {
        if let Some(index) = first(&|point| point.is_on_curve()) {
            return Err(Error::NotOnCurve { index });
        }
    }
    if check == Check::Subgroup {
        if let Some(index) = first(&|point| point.is_in_correct_subgroup_assuming_on_curve()) {
            return Err(Error::NotInSubgroup { index });
        }
    }
    Ok(())
}
