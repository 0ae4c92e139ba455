//! Sums over many groups of points at once, in lanes.

use std::fmt::{self, Debug};
use std::ops::Range;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;
use bucketwheel_lanes::Backend;

use crate::backend::default_backend_of;
use crate::control::Control;
use crate::curve::{coefficients, endomorphism, projective, to_coordinates, CoordinateField, Curve, Words};
use crate::digits::naf::naf;
use crate::digits::odd_windows::odd_windows;
use crate::digits::sort::{Arranged, Sorted};
use crate::digits::table::{Multiples, Table};
use crate::engine::buckets::Shape;
use crate::engine::chains::Chains;
use crate::engine::infinities::Infinities;
use crate::engine::points::{Accumulation, Prepared, Source};
use crate::engine::strategy::Strategy;
use crate::engine::Engine;
use crate::memory::{Array, Uninit};
use crate::scalars::{Fold, MagnitudeLayout, Magnitudes, Scalars, Split, PARTS};
use crate::schedule::Ref;
use crate::Error;

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
    engine: Box<dyn Engine<Words<C>>>,
    prepared: Box<dyn Prepared<Words<C>>>,
    backend: Backend,
    group_len: usize,
    table: Table,
    width: u32,
    split: Option<&'static Split>,
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
        let multiples = Multiples::Odd(1 << (width - 1));
        let table = Table { multiples, ..Table::none(points.len()) };
        if table.total() > Ref::MAX_INDEX {
            return Err(Error::TooManyPoints {
                points: points.len(),
                max: Ref::MAX_INDEX / multiples.count(),
            });
        }
        let engine = C::BaseField::engine(backend)?;
        let prepared = Control::in_pool(None, || {
            engine.prepare(Source {
                len: points.len(),
                point: &|index| to_coordinates(&points[index]),
                curve: coefficients::<C>(),
                control: &Control::new(None, None, None),
                factor: None,
                beta: None,
                table,
                edwards: false,
            })
        })?;
        Ok(Groups {
            engine,
            prepared,
            backend,
            group_len,
            table,
            width,
            split: endomorphism::<C>().map(|endomorphism| &endomorphism.split),
            infinite: points.iter().map(AffineRepr::is_zero).collect(),
        })
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
        self.table.total() * self.engine.point_bytes()
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
        let (len, fold) = (scalars.len(), Fold { in_subgroup: true, split: self.split });
        let (layout, parts) =
            (MagnitudeLayout::of::<C::ScalarField>(&fold), if self.split.is_some() { PARTS } else { 1 });
        let words = Uninit::new(parts * len * layout.words)?;
        // SAFETY: there is room for all parts of all scalars, and without an error all of them are written.
        let words = unsafe {
            let output = (&words.output(), 0, parts * len);
            fold.write(&Scalars::Field(scalars), 0..len, output, self.backend, control)?;
            words.written()
        };
        let magnitudes = Magnitudes::new(&words, parts * len, layout);
        let parts: Vec<_> = (0..parts).map(|part| magnitudes.split_at(part * len).1).collect();
        let mut sums = Vec::with_capacity(len / self.group_len);
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
        let count = range.len();
        // A carry of the highest bit takes one position more.
        let positions = parts[0].words() as u32 * u64::BITS + 1;
        let arranged: Vec<_> = parts
            .iter()
            .map(|magnitudes| self.arrange(magnitudes, positions, range.clone(), control))
            .collect::<Result<_, _>>()?;
        let work = Accumulation {
            parts: &arranged,
            shape: Shape { window_count: count * positions as usize, per_window: 1 },
            strategy: Strategy::default().resolve(),
            infinities: Infinities::Absent,
        };
        let by_position = self.prepared.bit_sums(work, control)?;
        let sums = self.engine.chains(&Chains {
            curve: coefficients::<C>(),
            count,
            positions,
            point: &|sum, position| {
                let point = by_position[sum * positions as usize + position as usize][0]?;
                (point != <[Words<C>; 2]>::default()).then_some(point)
            },
            control,
        });
        let sums = sums.expect("the CPU's engine has chains")?;
        Ok(sums.iter().map(projective::<C>).collect())
    }

    /// Returns the multiples of points for all digits of some sums, sorted by sum and position.
    fn arrange(
        &self,
        magnitudes: &Magnitudes<'_>,
        positions: u32,
        sums: Range<usize>,
        control: &Control<'_>,
    ) -> Result<Arranged<'static>, Error> {
        let each = control.map(sums.len(), |i| self.arrange_sum(magnitudes, positions, sums.start + i))?;
        let (mut points, mut starts) = (Vec::new(), vec![0]);
        for (of_sum, ends) in each {
            let start = points.len() as u32;
            points.extend(of_sum);
            starts.extend(ends.iter().map(|end| start + end));
        }
        let points = Array::from_fn(points.len(), |i| points[i])?;
        let starts = Array::from_fn(starts.len(), |i| starts[i])?;
        Ok(Arranged::Sorted(Sorted { points, starts }))
    }

    /// Returns the multiples of points for all digits of a sum, sorted by position, and the end of each position.
    fn arrange_sum(&self, magnitudes: &Magnitudes<'_>, positions: u32, sum: usize) -> (Vec<Ref>, Vec<u32>) {
        let group = sum % self.len();
        let mut entries: Vec<(u32, Ref)> = Vec::new();
        for place in 0..self.group_len {
            let (point, scalar) = (group * self.group_len + place, sum * self.group_len + place);
            if self.infinite[point] {
                continue;
            }
            let mut add = |position: u32, digit: i8| {
                let multiple = usize::from(digit.unsigned_abs() >> 1);
                entries.push((position, Ref::input(multiple * self.table.stride + point, digit < 0)));
            };
            if self.group_len < LEAST_SPARSE {
                odd_windows(magnitudes, scalar, self.width, positions, &mut add);
            } else {
                let digits = naf(magnitudes, scalar, self.width + 1);
                let digits = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
                digits.for_each(|(position, &digit)| add(position as u32, digit));
            }
        }
        let mut ends = vec![0; positions as usize];
        entries.iter().for_each(|&(position, _)| ends[position as usize] += 1);
        let mut end = 0;
        for count in &mut ends {
            (*count, end) = (end, end + *count);
        }
        let mut points = vec![Ref::positive(0); entries.len()];
        for (position, point) in entries {
            let next = &mut ends[position as usize];
            points[*next as usize] = point;
            *next += 1;
        }
        (points, ends)
    }
}
