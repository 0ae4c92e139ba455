//! Points that are prepared once, for the sums of a scope.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::mem::size_of;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use ark_ec_0_6::short_weierstrass::{Affine, Projective};
use ark_ec_0_6::CurveConfig;
use bucketwheel::{Bases, BasesOptions, Check, Curve, Error};

use crate::trust;

/// A point whose sums the engine computes: `Affine` of each module. No `Copy` type has interior mutability, so a shared borrow of
/// points keeps them as they are.
pub trait Point: Copy + Sync + 'static {
    /// The engine's configuration of the same curve.
    #[doc(hidden)]
    type Engine: Curve;

    /// The points of the group, which sums are.
    #[doc(hidden)]
    type Group;

    /// Returns the same point for the engine, or an error if the engine cannot represent the point.
    #[doc(hidden)]
    fn to_engine(&self) -> Result<Affine<Self::Engine>, Error>;

    /// Prepares points for the engine's sums.
    #[doc(hidden)]
    fn prepare(points: &[Self], options: BasesOptions) -> Result<Bases<Self::Engine>, Error>;

    /// Returns the engine's point as a point of the group; `None` if the curve's form cannot represent the point.
    #[doc(hidden)]
    fn group(point: Projective<Self::Engine>) -> Option<Self::Group>;

    /// Returns the engine's points; `None` if the curve's form lacks any of them.
    #[doc(hidden)]
    fn from_engine(points: Vec<Affine<Self::Engine>>) -> Option<Vec<Self>>;
}

/// The scalar field of a point's group, in the engine's version of arkworks.
pub(crate) type ScalarField<P> = <<P as Point>::Engine as CurveConfig>::ScalarField;

/// Slices of points that the engine prepares once, for many sums.
///
/// By default, each sum prepares its points. Within [`scope`](Self::scope), a sum over a prepared slice leaves this out. The sums
/// are also faster in groups with a cofactor, because preparation checks once that all points are in the prime-order subgroup.
/// If a point lies outside of it, sums are exact and slower.
///
/// Nothing else changes: sums within and outside of a scope are equal. The borrow `'a` is the proof. A sum uses prepared points only
/// if its slice lies within a prepared slice, by address and type. The points there are the prepared points, because nobody can
/// change, move or free them while `self` borrows them.
///
/// Prepared points take as much memory as [`Bases`]: 128 to 512 bytes for a point of BN254 or BLS12-381.
/// The check of the subgroup takes most of the preparation; [`trust_points`](crate::trust_points) leaves it out.
///
/// ```
/// use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
/// use bucketwheel_ark::{v0_6::Bn254, Prepared};
/// # use ark_ec_0_6::pairing::Pairing;
/// # use ark_ff_0_6::UniformRand;
/// # type Fr = <Bn254 as Pairing>::ScalarField;
/// # type G1 = <Bn254 as Pairing>::G1;
/// # let mut rng = ark_std_0_6::test_rng();
/// # let points: Vec<_> = (0..100).map(|_| G1::rand(&mut rng).into_affine()).collect();
/// # let scalars: Vec<_> = (0..100).map(|_| Fr::rand(&mut rng)).collect();
///
/// let prepared = Prepared::new().points(&points)?;
/// let sum = prepared.scope(|| G1::msm_unchecked(&points, &scalars)); // or many proofs
/// assert_eq!(sum, G1::msm_unchecked(&points, &scalars));
/// # Ok::<(), bucketwheel::Error>(())
/// ```
#[derive(Default)]
pub struct Prepared<'a> {
    slices: Vec<Arc<Slice>>,
    borrow: PhantomData<&'a ()>,
}

/// A prepared slice of points.
struct Slice {
    /// Type of the points.
    points: TypeId,
    /// Address of the first point.
    start: usize,
    /// Number of points.
    len: usize,
    /// The engine's `Bases` of these points.
    bases: Box<dyn Any + Send + Sync>,
}

/// Slices of all scopes that are active, on any thread.
static ACTIVE: RwLock<Vec<Arc<Slice>>> = RwLock::new(Vec::new());
/// Number of slices in `ACTIVE`, so that sums without a scope need no lock.
///
/// `Relaxed` suffices: a thread that works for a scope learns about it by other means, and reads the number that was stored before.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A sum uses prepared points if their slice is at most this many times as long; the other points get the scalar 0.
///
/// Of 2^16 points, half take 0.88x to 1.01x the time of a sum that prepares its points, and a quarter up to 1.06x (the example `prepared`).
const MOST_TIMES: usize = 2;

impl<'a> Prepared<'a> {
    /// Returns a set without points. The [example](Self) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Prepares these points, too, on the current rayon pool. The [example](Self) uses it.
    ///
    /// Any part of the slice counts as prepared if it is half of the slice or more.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::prepare`], except [`Error::NotInSubgroup`].
    pub fn points<P: Point>(mut self, points: &'a [P]) -> Result<Self, Error> {
        let prepare = |check| P::prepare(points, BasesOptions::new().check(check));
        let bases = match prepare(trust::check(Check::Subgroup)) {
            Err(Error::NotInSubgroup { .. }) => prepare(Check::Curve),
            bases => bases,
        }?;
        self.slices.push(Arc::new(Slice {
            points: TypeId::of::<P>(),
            start: points.as_ptr() as usize,
            len: points.len(),
            bases: Box::new(bases),
        }));
        Ok(self)
    }

    /// Calls `run`, whose sums over the prepared slices, on any thread, use the prepared points. The [example](Self) uses it.
    ///
    /// Scopes may be nested. Sums of other threads use the prepared points, too, while the scope lasts.
    pub fn scope<T>(&self, run: impl FnOnce() -> T) -> T {
        let _active = Active::new(&self.slices);
        run()
    }
}

/// The slices of one scope, which `ACTIVE` has as long as this value lives.
struct Active<'a>(&'a [Arc<Slice>]);

impl<'a> Active<'a> {
    fn new(slices: &'a [Arc<Slice>]) -> Self {
        ACTIVE.write().unwrap_or_else(PoisonError::into_inner).extend_from_slice(slices);
        COUNT.fetch_add(slices.len(), Ordering::Relaxed);
        Active(slices)
    }
}

impl Drop for Active<'_> {
    fn drop(&mut self) {
        COUNT.fetch_sub(self.0.len(), Ordering::Relaxed);
        let mut active = ACTIVE.write().unwrap_or_else(PoisonError::into_inner);
        for slice in self.0 {
            // Another scope may have the same slice, and keeps its own entry.
            let last = active.iter().rposition(|other| Arc::ptr_eq(other, slice));
            active.swap_remove(last.expect("the entry of this scope"));
        }
    }
}

/// Points of a sum that a scope has prepared.
pub(crate) struct Found {
    slice: Arc<Slice>,
    /// Index of the sum's first point in the slice.
    first: usize,
}

impl Found {
    /// Returns the prepared points.
    pub fn bases<P: Point>(&self) -> &Bases<P::Engine> {
        self.slice.bases.downcast_ref().expect("bases of points of this type")
    }

    /// Returns a scalar for each prepared point: the sum's scalars, and zeros; `None` if the sum is over all points.
    pub fn pad<S: Copy + Default>(&self, scalars: &[S]) -> Option<Vec<S>> {
        (scalars.len() != self.slice.len).then(|| {
            let mut padded = vec![S::default(); self.slice.len];
            padded[self.first..][..scalars.len()].copy_from_slice(scalars);
            padded
        })
    }
}

/// Returns the prepared points of a sum, of the shortest slice if several slices have them.
pub(crate) fn find<P: Point>(points: &[P]) -> Option<Found> {
    if COUNT.load(Ordering::Relaxed) == 0 || points.is_empty() {
        return None;
    }
    let start = points.as_ptr() as usize;
    let active = ACTIVE.read().unwrap_or_else(PoisonError::into_inner);
    let found = active.iter().filter_map(|slice| {
        // Both slices are aligned, hence the difference of their addresses is a number of points if they overlap.
        let first = start.checked_sub(slice.start)? / size_of::<P>();
        let is_part =
            slice.points == TypeId::of::<P>() && first < slice.len && points.len() <= slice.len - first;
        (is_part && slice.len <= points.len() * MOST_TIMES).then(|| Found { slice: slice.clone(), first })
    });
    found.min_by_key(|found| found.slice.len)
}

#[cfg(all(test, feature = "ark-0_6"))]
mod tests {
    use std::panic::{catch_unwind, AssertUnwindSafe};
    use std::thread;

    use ark_ec_0_6::CurveGroup;
    use ark_std_0_6::UniformRand;
    use bytemuck::TransparentWrapper;

    use super::*;
    use crate::v0_6;

    type Config = ark_bls12_381_0_6::g1::Config;

    /// arkworks' own points, which lie where wrapped points lie.
    impl Point for Affine<Config> {
        type Engine = Config;
        type Group = Projective<Config>;

        fn to_engine(&self) -> Result<Self, Error> {
            Ok(*self)
        }

        fn prepare(points: &[Self], options: BasesOptions) -> Result<Bases<Config>, Error> {
            options.prepare(points)
        }

        fn group(point: Projective<Config>) -> Option<Projective<Config>> {
            Some(point)
        }

        fn from_engine(points: Vec<Self>) -> Option<Vec<Self>> {
            Some(points)
        }
    }

    fn points() -> Vec<v0_6::Affine<Config>> {
        let rng = &mut ark_std_0_6::test_rng();
        (0..80).map(|_| v0_6::Projective::rand(rng).into_affine()).collect()
    }

    /// Returns the length of the prepared slice that a sum over these points uses, and the index of the sum's first point.
    fn found<P: Point>(points: &[P]) -> Option<(usize, usize)> {
        find(points).map(|found| (found.slice.len, found.first))
    }

    #[test]
    fn only_parts_of_prepared_slices_are_found() {
        let (points, equal) = (points(), points());
        let prepared = Prepared::new().points(&points).unwrap();
        assert_eq!(found(&points), None);
        prepared.scope(|| {
            assert_eq!(found(&points), Some((80, 0)));
            assert_eq!(found(&points[1..]), Some((80, 1)));
            assert_eq!(found(&points[..40]), Some((80, 0)));
            assert_eq!(found(&points[40..]), Some((80, 40)));
            // Less than half of the slice; no points; another type; another address.
            assert_eq!(found(&points[..39]), None);
            assert_eq!(found(&points[..0]), None);
            assert_eq!(found(v0_6::Affine::peel_slice(&points)), None);
            assert_eq!(found(&equal), None);
        });
        assert_eq!(found(&points), None);
    }

    #[test]
    fn a_slice_that_only_overlaps_is_not_found() {
        let points = points();
        let prepared = Prepared::new().points(&points[10..70]).unwrap();
        prepared.scope(|| {
            assert_eq!(found(&points[10..70]), Some((60, 0)));
            assert_eq!(found(&points[9..70]), None);
            assert_eq!(found(&points[10..71]), None);
            assert_eq!(found(&points[70..]), None);
        });
    }

    #[test]
    fn scopes_nest() {
        let points = points();
        let outer = Prepared::new().points(&points).unwrap();
        let inner = Prepared::new().points(&points[..40]).unwrap().points(&points).unwrap();
        outer.scope(|| {
            inner.scope(|| {
                // The shortest slice that has the points.
                assert_eq!(found(&points[..40]), Some((40, 0)));
                outer.scope(|| assert_eq!(found(&points[1..41]), Some((80, 1))));
                assert_eq!(found(&points), Some((80, 0)));
            });
            assert_eq!(found(&points[..40]), Some((80, 0)));
        });
        assert_eq!(found(&points), None);
    }

    #[test]
    fn a_panic_ends_the_scope() {
        let points = points();
        let prepared = Prepared::new().points(&points).unwrap();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            prepared.scope(|| {
                assert_eq!(found(&points), Some((80, 0)));
                panic!("the closure's panic");
            })
        }));
        assert!(caught.is_err());
        assert_eq!(found(&points), None);
        prepared.scope(|| assert_eq!(found(&points), Some((80, 0))));
    }

    #[test]
    fn all_threads_find_the_points() {
        let points = points();
        let prepared = Prepared::new().points(&points).unwrap();
        let on_thread = || thread::scope(|scope| scope.spawn(|| found(&points)).join().unwrap());
        assert_eq!(prepared.scope(on_thread), Some((80, 0)));
        assert_eq!(on_thread(), None);
        // Scopes of many threads over the same points.
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    (0..100).for_each(|_| prepared.scope(|| assert_eq!(found(&points), Some((80, 0)))))
                });
            }
        });
        assert_eq!(found(&points), None);
    }

    #[test]
    fn a_point_off_the_curve_is_an_error_and_a_point_outside_of_the_subgroup_is_none() {
        let mut points = points();
        let outside = (1u64..).filter_map(|x| Affine::get_point_from_x_unchecked(x.into(), false));
        points[3].0 =
            outside.into_iter().find(|point| !point.is_in_correct_subgroup_assuming_on_curve()).unwrap();
        assert!(Prepared::new().points(&points).is_ok());
        let x = points[5].0.x;
        points[4].0.y += x;
        assert_eq!(Prepared::new().points(&points).err(), Some(Error::NotOnCurve { index: 4 }));
    }
}
