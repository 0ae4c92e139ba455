//! Products of one point by many scalars.

use std::fmt::{self, Debug};

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use bucketwheel_lanes::Backend;

use super::odd_table::OddTable;
use crate::backend::default_backend_of;
use crate::control::Control;
use crate::curve::{from_coordinates, Curve};
use crate::digits::odd_windows::{odd_windows, window_count};
use crate::scalars::Magnitudes;
use crate::schedule::Ref;
use crate::Error;

/// Products that are made at a time. Their buckets stay in the cache.
const AT_A_TIME: usize = 1 << 12;

/// A point, prepared for products by many scalars.
///
/// The table has odd multiples of the point for each window of a scalar, so that a product is a sum of one multiple for each window,
/// and takes no doublings. The engine's adder makes the sums for many scalars in the same batches.
///
/// ```
/// use ark_bls12_381::{g1::Config, Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::FixedBase;
///
/// let base = FixedBase::new(&G1Affine::generator(), FixedBase::<Config>::width_for(2))?;
/// let products = base.products(&[2u64, 3].map(Fr::from), None)?;
/// assert_eq!(products[1], G1Affine::generator() * Fr::from(3));
/// # Ok::<(), bucketwheel::Error>(())
/// ```
pub struct FixedBase<C: Curve> {
    table: OddTable<C>,
    is_infinite: bool,
}

impl<C: Curve> Debug for FixedBase<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixedBase").field("bytes", &self.table.bytes()).finish_non_exhaustive()
    }
}

impl<C: Curve> FixedBase<C> {
    /// Widths of windows.
    pub const WIDTHS: std::ops::RangeInclusive<u32> = 1..=7;

    /// Returns the width for `count` products: wide windows take fewer additions for each product, and more time for the table.
    /// The [example](Self) uses it.
    pub fn width_for(count: usize) -> u32 {
        (count.max(1).ilog2() / 2).clamp(2, *Self::WIDTHS.end())
    }

    /// Prepares a point of the prime-order subgroup, with windows of `width` bits. The table takes less time than the products if the
    /// width is [for their number](Self::width_for). The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::UnknownBackend`], [`Error::UnsupportedBackend`], [`Error::OutOfMemory`].
    ///
    /// # Panics
    /// If the width is not one of [`WIDTHS`](Self::WIDTHS).
    pub fn new(point: &Affine<C>, width: u32) -> Result<Self, Error> {
        Self::with_backend(point, width, default_backend_of::<C>()?)
    }

    /// Prepares a point as [`new`](Self::new) does, for this instruction set. See the [example](Self).
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn with_backend(point: &Affine<C>, width: u32, backend: Backend) -> Result<Self, Error> {
        assert!(Self::WIDTHS.contains(&width), "a width between 1 and 7");
        let next =
            |multiple: &Projective<C>| Some((0..width).fold(*multiple, |multiple, _| multiple.double()));
        let bits = OddTable::<C>::positions();
        let windows = std::iter::successors(Some(point.into_group()), next).take(window_count(width, bits));
        let windows = Projective::normalize_batch(&windows.collect::<Vec<_>>());
        Ok(FixedBase { table: OddTable::new(&windows, width, backend)?, is_infinite: point.is_zero() })
    }

    /// Returns the products by all scalars, on at most `threads` threads of the current rayon pool. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn products(
        &self,
        scalars: &[C::ScalarField],
        threads: Option<usize>,
    ) -> Result<Vec<Affine<C>>, Error> {
        if self.is_infinite {
            return Ok(vec![Affine::identity(); scalars.len()]);
        }
        Control::in_pool(threads, || self.products_here(scalars, &Control::new(threads, None, None)))
    }

    fn products_here(
        &self,
        scalars: &[C::ScalarField],
        control: &Control<'_>,
    ) -> Result<Vec<Affine<C>>, Error> {
        let magnitudes = self.table.magnitudes(scalars, control)?;
        let parts: Vec<_> = magnitudes.parts().collect();
        let mut products = Vec::with_capacity(scalars.len());
        for first in (0..scalars.len()).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(scalars.len() - first);
            let entries = |magnitudes: &Magnitudes<'_>, i| self.entries(magnitudes, first + i);
            let sums = self.table.sums(&parts, count, 1, entries, control)?;
            products.extend(
                sums.iter().map(|sum| sum[0].map_or_else(Affine::identity, |sum| from_coordinates(&sum))),
            );
        }
        Ok(products)
    }

    /// Returns the multiples for all windows of a scalar's part.
    fn entries(&self, magnitudes: &Magnitudes<'_>, scalar: usize) -> Vec<(u32, Ref)> {
        let width = self.table.width;
        let mut entries = Vec::new();
        odd_windows(magnitudes, scalar, width, magnitudes.positions(), &mut |position, digit| {
            entries.push((0, self.table.multiple((position / width) as usize, digit)));
        });
        entries
    }
}
