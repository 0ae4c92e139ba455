//! Sums over fixed points in lanes, by tables of odd multiples: many small sums at once, and products of one point.

mod fixed_base;
mod odd_table;

use std::fmt::{self, Debug};
use std::ops::Range;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;
use bucketwheel_lanes::Backend;

use crate::backend::default_backend_of;
use crate::control::Control;
use crate::curve::{coefficients, projective, Curve, Words};
use crate::digits::naf::naf;
use crate::digits::odd_windows::odd_windows;
use crate::engine::chains::Chains;
use crate::scalars::Magnitudes;
use crate::schedule::Ref;
use crate::Error;

pub use fixed_base::FixedBase;
use odd_table::OddTable;

/// Fewest points of a group for sparse digits. They need fewer additions of points than windows, but a step of Horner's rule at
/// each bit.
const LEAST_SPARSE: usize = 8;

/// Sums that are made at a time. Their buckets stay in the cache.
const AT_A_TIME: usize = 256;

/// Points in groups of one size, prepared for one sum over each group: `sum_j scalars[g][j] points[g][j]` for all groups g at once.
///
/// Each point has a table of odd multiples. Scalars become odd digits, and sums are made in two steps: the engine's adder sums the
/// multiples of each group and bit, for all groups in the same batches; Horner's rule then joins the bits, with a group in
/// each lane. With groups of one point, these are independent products.
///
/// ```
/// use ark_bls12_381::{Fr, G1Affine, G1Projective};
/// use ark_ec::{AffineRepr, CurveGroup};
/// use bucketwheel::{Backend, Groups};
///
/// // Two groups of three points.
/// let points: Vec<G1Affine> = (1..7u64).map(|i| (G1Affine::generator() * Fr::from(i)).into_affine()).collect();
/// let groups = Groups::new(&points, 3, 4)?;
/// assert!(groups.len() == 2 && !groups.is_empty());
/// let sums = groups.sums(&[1u64, 1, 1, 10, 10, 10].map(Fr::from), None)?;
/// assert_eq!(sums, [6, 150u64].map(|sum| G1Affine::generator() * Fr::from(sum)));
/// let portable = Groups::with_backend(&points, 3, 4, Backend::Portable)?;
/// assert_eq!(portable.sums(&[1u64, 1, 1, 10, 10, 10].map(Fr::from), Some(1))?, sums);
/// println!("{} groups, {} bytes", groups.len(), groups.bytes());
/// # Ok::<(), bucketwheel::Error>(())
/// ```
pub struct Groups<C: Curve> {
    table: OddTable<C>,
    group_len: usize,
    /// True for a point at infinity.
    infinite: Vec<bool>,
}

impl<C: Curve> Debug for Groups<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Groups")
            .field("len", &self.len())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl<C: Curve> Groups<C> {
    /// Widths of tables.
    pub const WIDTHS: std::ops::RangeInclusive<u32> = 1..=7;

    /// Prepares points of the prime-order subgroup, `group_len` neighbours to a group, with `2^(width - 1)` odd multiples of each point.
    /// With one bit more, a sum has about 10 % fewer additions, and the table twice the size. The caller vouches for the points, as in
    /// [`Bases::new`](crate::Bases::new). The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], [`Error::UnknownBackend`], [`Error::UnsupportedBackend`], [`Error::OutOfMemory`].
    ///
    /// # Panics
    /// If the width is not one of [`WIDTHS`](Self::WIDTHS), or the number of points is no multiple of `group_len`.
    pub fn new(points: &[Affine<C>], group_len: usize, width: u32) -> Result<Self, Error> {
        Self::with_backend(points, group_len, width, default_backend_of::<C>()?)
    }

    /// Prepares points as [`new`](Self::new) does, for this instruction set. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn with_backend(
        points: &[Affine<C>],
        group_len: usize,
        width: u32,
        backend: Backend,
    ) -> Result<Self, Error> {
        assert!(Self::WIDTHS.contains(&width), "a width between 1 and 7");
        assert!(group_len > 0 && points.len().is_multiple_of(group_len), "whole groups");
        let table = OddTable::new(points, width, backend)?;
        Ok(Groups { table, group_len, infinite: points.iter().map(AffineRepr::is_zero).collect() })
    }

    /// Returns the number of groups. The [example](Self) uses it.
    pub fn len(&self) -> usize {
        self.infinite.len() / self.group_len
    }

    /// Returns true if there are no groups. The [example](Self) uses it.
    pub fn is_empty(&self) -> bool {
        self.infinite.is_empty()
    }

    /// Returns the bytes of the table. The [example](Self) uses it.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Returns the sum over each group, with a scalar for each point, on at most `threads` threads of the current rayon pool.
    /// If there are several scalars for each point, the first scalars of all points make the first sums, and so on: many sums over
    /// one group, if there is only one. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Length`] if the number of scalars is no multiple of the number of points; [`Error::OutOfMemory`].
    pub fn sums(
        &self,
        scalars: &[C::ScalarField],
        threads: Option<usize>,
    ) -> Result<Vec<Projective<C>>, Error> {
        let points = self.infinite.len();
        if scalars.len().checked_rem(points).unwrap_or(scalars.len()) != 0 {
            return Err(Error::Length { points, scalars: scalars.len() });
        }
        Control::in_pool(threads, || self.sums_here(scalars, &Control::new(threads, None, None)))
    }

    fn sums_here(
        &self,
        scalars: &[C::ScalarField],
        control: &Control<'_>,
    ) -> Result<Vec<Projective<C>>, Error> {
        let magnitudes = self.table.magnitudes(scalars, control)?;
        let parts: Vec<_> = magnitudes.parts().collect();
        let mut sums = Vec::with_capacity(scalars.len() / self.group_len);
        while sums.len() < sums.capacity() {
            let range = sums.len()..sums.capacity().min(sums.len() + AT_A_TIME);
            sums.extend(self.some_sums(&parts, range, control)?);
        }
        Ok(sums)
    }

    /// Returns the sums in a range, with the magnitudes of all parts of all scalars.
    fn some_sums(
        &self,
        parts: &[Magnitudes<'_>],
        range: Range<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Projective<C>>, Error> {
        let (count, positions) = (range.len(), parts[0].positions());
        let entries = |magnitudes: &Magnitudes<'_>, i| self.entries(magnitudes, positions, range.start + i);
        let by_position = self.table.sums(parts, count, positions as usize, entries, control)?;
        let sums = self.table.chains(&Chains {
            curve: coefficients::<C>(),
            count,
            positions,
            point: &|sum, position| {
                let point = by_position[sum * positions as usize + position as usize][0]?;
                (point != <[Words<C>; 2]>::default()).then_some(point)
            },
            control,
        })?;
        Ok(sums.iter().map(projective::<C>).collect())
    }

    /// Returns the multiples of points for all digits of a sum, with their positions.
    fn entries(&self, magnitudes: &Magnitudes<'_>, positions: u32, sum: usize) -> Vec<(u32, Ref)> {
        let group = sum % self.len();
        let mut entries = Vec::new();
        for place in 0..self.group_len {
            let (point, scalar) = (group * self.group_len + place, sum * self.group_len + place);
            if self.infinite[point] {
                continue;
            }
            let mut add =
                |position: u32, digit: i8| entries.push((position, self.table.multiple(point, digit)));
            if self.group_len < LEAST_SPARSE {
                odd_windows(magnitudes, scalar, self.table.width, positions, &mut add);
            } else {
                let digits = naf(magnitudes, scalar, self.table.width + 1);
                let digits = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
                digits.for_each(|(position, &digit)| add(position as u32, digit));
            }
        }
        entries
    }
}
