//! The call of the engine, for all versions of arkworks.

use bucketwheel::{default_backend_of, Backend, BasesOptions, Check, FixedBase, Msm, Scalars};

use crate::prepared::{self, Point, ScalarField};
use crate::trust::check;

/// Number of points from which the engine computes a sum of integers of 32 or 64 bits (`msm_u32`, `msm_u64`); arkworks computes
/// shorter sums.
///
/// The engine computes sums of field elements and of integers as long as the order from one point on. docs/rust.md has the
/// measurement behind each limit.
pub const LEAST_SHORT: usize = 32;

/// Number of points from which the engine computes a sum of integers of 8 or 16 bits (`msm_u8`, `msm_u16`). Bytes have 255 buckets and
/// no doublings in arkworks, so the engine computes their sums with AVX-512 IFMA only.
const LEAST_SHORTEST: usize = 48;

/// Number of scalars from which the engine computes the products of one point (`batch_mul`); arkworks computes fewer products.
#[cfg(any(feature = "ark-0_5", feature = "ark-0_6"))]
const LEAST_PRODUCTS: usize = 16;

/// Returns the sum of points times scalars, computed on the current rayon pool. Both slices have the same length.
///
/// Returns `None` if the sum is arkworks' to compute: it has short scalars and too few points, a point is not on the curve, a scalar
/// is not below the order, or there are more points than the engine takes at once.
pub fn sum<P: Point, S: Copy + Default>(
    points: &[P],
    scalars: &[S],
    to_engine: impl for<'s> Fn(&'s [S]) -> Scalars<'s, ScalarField<P>>,
) -> Option<P::Group> {
    let to_sum = to_engine(scalars);
    let gains = match to_sum {
        Scalars::Bool(_) => false,
        Scalars::U8(_) => {
            points.len() >= LEAST_SHORTEST && default_backend_of::<P::Engine>() == Ok(Backend::Avx512Ifma)
        }
        Scalars::U16(_) => points.len() >= LEAST_SHORTEST,
        Scalars::U32(_) | Scalars::U64(_) => points.len() >= LEAST_SHORT,
        Scalars::Field(_) | Scalars::Integers(_) | Scalars::Raw(_) => true,
    };
    if !gains {
        return None;
    }
    let sum = if let Some(found) = prepared::find(points) {
        let padded = found.pad(scalars);
        Msm::new().run(found.bases::<P>(), padded.as_deref().map_or(to_sum, to_engine))
    } else {
        let bases = P::prepare(points, BasesOptions::new().check(check(Check::Curve))).ok()?;
        Msm::new().run(&bases, to_sum)
    };
    P::group(sum.ok()?)
}

/// Returns the products of a point by scalars, computed on the current rayon pool.
///
/// Returns `None` if the products are arkworks' to compute: there are fewer than [`LEAST_PRODUCTS`], or the point is not in the
/// prime-order subgroup.
#[cfg(any(feature = "ark-0_5", feature = "ark-0_6"))]
pub fn products<P: Point>(point: &P, scalars: &[ScalarField<P>]) -> Option<Vec<P>> {
    if scalars.len() < LEAST_PRODUCTS {
        return None;
    }
    let point = point.to_engine().ok()?;
    BasesOptions::new().check(check(Check::Subgroup)).verify(&[point]).ok()?;
    let base = FixedBase::new(&point, FixedBase::<P::Engine>::width_for(scalars.len())).ok()?;
    P::from_engine(base.products(scalars, None).ok()?)
}

/// Returns the same integer in the type of another version of arkworks.
#[cfg(any(feature = "ark-0_4", feature = "ark-0_5"))]
pub fn integer<C: bucketwheel::Curve>(
    integer: &impl AsRef<[u64]>,
) -> <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt {
    let mut words = <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt::default();
    words.as_mut().copy_from_slice(integer.as_ref());
    words
}
