//! Points prepared once, used for many MSMs.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel_lanes::{Backend, LaneField, Task};

use crate::buckets::{Buckets, Shape};
use crate::control::Control;
use crate::curve::{
    coefficients, to_coordinates, Adder, BatchAffine, CompleteProjective, CoordinateField, Curve,
    LanesVisitor, Point, Xyzz,
};
use crate::memory::Uninit;
use crate::schedule::Ref;
use crate::sort::Sorted;
use crate::strategy::{AdderKind, Strategy};
use crate::Error;

/// An element of the curve's coordinate field outside the lanes.
pub(crate) type Words<C> = <<C as ark_ec::CurveConfig>::BaseField as CoordinateField>::Words;

/// The sums of each window by bit ([`Buckets::aggregate`]).
pub(crate) type BitSums<C> = Vec<Vec<Option<[Words<C>; 2]>>>;

/// The points in some backend's layout.
pub(crate) trait Prepared<C: Curve>: Send + Sync {
    fn backend(&self) -> Backend;

    /// Accumulates the sorted points into buckets and aggregates these; `infinity` says whether the points may
    /// include the point at infinity.
    fn bit_sums(
        &self,
        sorted: &Sorted,
        shape: Shape,
        strategy: Strategy,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<BitSums<C>, Error>;
}

struct Layout<L: LaneField> {
    lanes: L,
    points: Uninit<Point<L::Elem>>,
}

impl<C: Curve, L: LaneField<Words = Words<C>>> Prepared<C> for Layout<L> {
    fn backend(&self) -> Backend {
        L::BACKEND
    }

    fn bit_sums(
        &self,
        sorted: &Sorted,
        shape: Shape,
        strategy: Strategy,
        infinity: bool,
        control: &Control<'_>,
    ) -> Result<BitSums<C>, Error> {
        let sums = match strategy.adder {
            AdderKind::Auto | AdderKind::Affine => {
                self.sums::<C, BatchAffine<L>>(sorted, shape, strategy, infinity, control)
            }
            AdderKind::Xyzz => self.sums::<C, Xyzz<L>>(sorted, shape, strategy, infinity, control),
            AdderKind::Projective => {
                self.sums::<C, CompleteProjective<L>>(sorted, shape, strategy, infinity, control)
            }
        };
        control.check()?;
        Ok(sums)
    }
}

impl<L: LaneField> Layout<L> {
    fn sums<C: Curve<BaseField: CoordinateField<Words = L::Words>>, A: Adder<L>>(
        &self,
        sorted: &Sorted,
        shape: Shape,
        strategy: Strategy,
        infinity: bool,
        control: &Control<'_>,
    ) -> BitSums<C> {
        let mut buckets =
            Buckets::<L, A>::new(self.lanes, coefficients::<C>(), strategy.scheduler, shape, infinity);
        // SAFETY: all points were written when the layout was made.
        buckets.accumulate(unsafe { self.points.as_slice() }, sorted, control);
        buckets.aggregate(control)
    }
}

/// Converts points into a backend's layout.
struct Prepare<'a, C: Curve> {
    points: &'a [Affine<C>],
}

impl<C: Curve> LanesVisitor<Words<C>> for Prepare<'_, C> {
    type Output = Box<dyn Prepared<C>>;

    fn visit<L: LaneField<Words = Words<C>>>(self, lanes: L) -> Self::Output {
        use rayon::prelude::*;
        let points = Uninit::<Point<L::Elem>>::new(self.points.len());
        let target = Target(points.as_mut_ptr());
        // Whole vectors a task.
        self.points.par_chunks(1024).enumerate().for_each(|(i, block)| {
            let target = target.at(i * 1024);
            lanes.vectorize(Encode::<C, L> { lanes, points: block, target });
        });
        Box::new(Layout { lanes, points })
    }
}

struct Target<E>(*mut Point<E>);

// SAFETY: tasks write disjoint parts.
unsafe impl<E> Sync for Target<E> {}

impl<E> Target<E> {
    fn at(&self, index: usize) -> *mut Point<E> {
        self.0.wrapping_add(index)
    }
}

struct Encode<'a, C: Curve, L: LaneField> {
    lanes: L,
    points: &'a [Affine<C>],
    /// Room for them.
    target: *mut Point<L::Elem>,
}

impl<C: Curve, L: LaneField<Words = Words<C>>> Task for Encode<'_, C, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (step, points) in self.points.chunks(L::LANES).enumerate() {
            let coordinates: [[Words<C>; 2]; bucketwheel_lanes::MAX_LANES] =
                std::array::from_fn(|lane| to_coordinates(&points[lane.min(points.len() - 1)]));
            for i in 0..2 {
                let v = self.lanes.encode(&coordinates.map(|point| point[i]));
                let targets = std::array::from_fn(|lane| {
                    // Lanes without a point repeat the last one.
                    let index = step * L::LANES + lane.min(points.len() - 1);
                    self.target.wrapping_add(index).cast::<L::Elem>().wrapping_add(i)
                });
                // SAFETY: the maker's room.
                unsafe { self.lanes.store(&v, &targets) };
            }
        }
    }
}

/// How points are prepared.
#[derive(Clone, Copy, Debug, Default)]
pub struct BasesOptions {
    backend: Option<Backend>,
    check: Check,
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

    /// Prepares points.
    pub fn prepare<C: Curve>(self, points: &[Affine<C>]) -> Result<Bases<C>, Error> {
        Bases::prepare(points, self)
    }
}

/// Points prepared once, in the layout of one backend, for any number of MSMs.
///
/// Takes 128 bytes a point over Fp, 256 over Fp2 (the portable and ADX backends: the coordinates' words).
pub struct Bases<C: Curve> {
    pub(crate) prepared: Box<dyn Prepared<C>>,
    pub(crate) len: usize,
    /// The points at infinity, ascending.
    pub(crate) infinities: Vec<u32>,
    /// Whether the points are known, or said, to be in the prime-order subgroup.
    pub(crate) in_subgroup: bool,
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
        let prepared = C::BaseField::visit(backend, Prepare { points })
            .map_err(|_| Error::UnsupportedBackend(backend))?;
        let infinities = (0..points.len() as u32).filter(|&i| points[i as usize].is_zero()).collect();
        let in_subgroup = options.check != Check::Curve || C::cofactor_is_one();
        Ok(Bases { prepared, len: points.len(), infinities, in_subgroup })
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
