//! The call of the engine, for all versions of halo2curves.

use std::any::{Any, TypeId};

use ark_ec::short_weierstrass::{Affine, Projective};
use bucketwheel::{BasesOptions, Check, Curve, Form, Msm, Scalars};

/// An affine point of halo2curves on a curve of the engine.
pub trait Point: Copy + Sync + 'static {
    /// The engine's curve.
    type Curve: Curve;
    /// The scalar of halo2curves: its words in Montgomery form, and nothing else.
    type Scalar: 'static;
    /// The sum of halo2curves.
    type Sum: Copy + 'static;

    /// Returns the same point for the engine.
    fn point(&self) -> Affine<Self::Curve>;

    /// Returns the bytes of scalars.
    fn bytes(scalars: &[Self::Scalar]) -> &[u8];

    /// Returns the same point for halo2curves.
    fn sum(sum: Projective<Self::Curve>) -> Self::Sum;
}

/// Scalars of a sum.
#[derive(Clone, Copy)]
pub enum Coefficients<'a, S> {
    /// Field elements of halo2curves.
    Field(&'a [S]),
    /// Integers.
    U64(&'a [u64]),
}

/// Returns the sum of points times scalars, if `A` is `P`, on one thread or on the current rayon pool.
///
/// Returns `None` if the sum is halo2curves' to compute: `A` is another type, a point is not on the curve, or there are
/// more points than the engine takes at once. The numbers of scalars and of points are equal.
pub fn sum<A: 'static, S: 'static, R: Copy + 'static, P: Point>(
    scalars: Coefficients<'_, S>,
    points: &[A],
    threads: Threads,
) -> Option<R> {
    let points = same::<A, P>(points)?;
    let (mut bases, mut msm) = (BasesOptions::new().check(Check::Curve), Msm::new());
    if threads == Threads::One {
        (bases, msm) = (bases.threads(1), msm.threads(1));
    }
    let scalars = match scalars {
        Coefficients::Field(scalars) => {
            let bytes = P::bytes(same::<S, P::Scalar>(scalars)?);
            Scalars::raw(bytes, size_of::<P::Scalar>(), Form::Montgomery).ok()?
        }
        Coefficients::U64(scalars) => Scalars::U64(scalars),
    };
    let bases = bases.prepare_from(points.len(), |index| points[index].point()).ok()?;
    let sum = P::sum(msm.run(&bases, scalars).ok()?);
    (&sum as &dyn Any).downcast_ref().copied()
}

/// Threads of a sum.
#[derive(Clone, Copy, PartialEq)]
pub enum Threads {
    /// The calling thread.
    One,
    /// The current rayon pool.
    All,
}

/// Returns the slice itself, if both types are the same.
fn same<T: 'static, U: 'static>(slice: &[T]) -> Option<&[U]> {
    // SAFETY: the types are the same type, so it is a slice of U with the same length and lifetime.
    (TypeId::of::<T>() == TypeId::of::<U>()).then(|| unsafe { &*(slice as *const [T] as *const [U]) })
}
