//! Odd multiples of points in lanes, and sums of them in many buckets.

use ark_ec::short_weierstrass::Affine;
use bucketwheel_lanes::Backend;

use crate::control::Control;
use crate::curve::{coefficients, endomorphism, to_coordinates, CoordinateField, Curve, Words};
use crate::digits::sort::{Arranged, Sorted};
use crate::digits::table::{Multiples, Table};
use crate::engine::buckets::{BitSums, Shape};
use crate::engine::chains::Chains;
use crate::engine::infinities::Infinities;
use crate::engine::points::{Accumulation, Prepared, Source};
use crate::engine::strategy::Strategy;
use crate::engine::Engine;
use crate::memory::{Array, Uninit};
use crate::scalars::{Fold, MagnitudeLayout, Magnitudes, Scalars, Split, PARTS};
use crate::schedule::Ref;
use crate::Error;

/// The points 1, 3, 5 and so on times each of some points of the prime-order subgroup.
pub(super) struct OddTable<C: Curve> {
    engine: Box<dyn Engine<Words<C>>>,
    prepared: Box<dyn Prepared<Words<C>>>,
    backend: Backend,
    table: Table,
    /// Digits are below `2^width`.
    pub width: u32,
    split: Option<&'static Split>,
}

/// Magnitudes of all parts of scalars.
pub(super) struct Parts {
    words: Array<u64>,
    layout: MagnitudeLayout,
    count: usize,
}

impl Parts {
    /// Returns the magnitudes of each part.
    pub fn parts(&self) -> impl Iterator<Item = Magnitudes<'_>> {
        let len = self.words.len() / self.layout.words;
        let all = Magnitudes::new(&self.words, len, self.layout);
        (0..self.count).map(move |part| all.split_at(part * (len / self.count)).1)
    }
}

impl<C: Curve> OddTable<C> {
    /// Makes the table.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], [`Error::UnknownBackend`], [`Error::UnsupportedBackend`], [`Error::OutOfMemory`].
    pub fn new(points: &[Affine<C>], width: u32, backend: Backend) -> Result<Self, Error> {
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
        let split = endomorphism::<C>().map(|endomorphism| &endomorphism.split);
        Ok(OddTable { engine, prepared, backend, table, width, split })
    }

    /// Returns the number of positions of the digits of a part of a scalar.
    pub fn positions() -> u32 {
        let split = endomorphism::<C>().map(|endomorphism| &endomorphism.split);
        MagnitudeLayout::of::<C::ScalarField>(&Fold { in_subgroup: true, split }).positions()
    }

    /// Returns the bytes of the table.
    pub fn bytes(&self) -> usize {
        self.table.total() * self.engine.point_bytes()
    }

    /// Returns the multiple of a point by an odd digit.
    pub fn multiple(&self, point: usize, digit: i8) -> Ref {
        Ref::input(usize::from(digit.unsigned_abs() >> 1) * self.table.stride + point, digit < 0)
    }

    /// Returns the magnitudes of scalars, in parts if the curve has an endomorphism.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn magnitudes(&self, scalars: &[C::ScalarField], control: &Control<'_>) -> Result<Parts, Error> {
        let (len, fold) = (scalars.len(), Fold { in_subgroup: true, split: self.split });
        let (layout, count) =
            (MagnitudeLayout::of::<C::ScalarField>(&fold), if self.split.is_some() { PARTS } else { 1 });
        let words = Uninit::new(count * len * layout.words)?;
        // SAFETY: there is room for all parts of all scalars, and without an error all of them are written.
        let words = unsafe {
            let output = (&words.output(), 0, count * len);
            fold.write(&Scalars::Field(scalars), 0..len, output, self.backend, control)?;
            words.written()
        };
        Ok(Parts { words, layout, count })
    }

    /// Returns `count` times `positions` sums: at `positions i + p`, the sum of the multiples that `entries` has for the magnitudes of
    /// each part, `i` and position p. Multiples of second parts count for their images.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn sums(
        &self,
        parts: &[Magnitudes<'_>],
        count: usize,
        positions: usize,
        entries: impl Fn(&Magnitudes<'_>, usize) -> Vec<(u32, Ref)> + Sync,
        control: &Control<'_>,
    ) -> Result<BitSums<Words<C>>, Error> {
        let arrange = |magnitudes| {
            let each = control.map(count, |i| by_position(&entries(magnitudes, i), positions))?;
            let (mut points, mut starts) = (Vec::new(), vec![0]);
            for (of_one, ends) in each {
                let start = points.len() as u32;
                points.extend(of_one);
                starts.extend(ends.iter().map(|end| start + end));
            }
            let points = Array::from_fn(points.len(), |i| points[i])?;
            let starts = Array::from_fn(starts.len(), |i| starts[i])?;
            Ok(Arranged::Sorted(Sorted { points, starts }))
        };
        let arranged: Vec<_> = parts.iter().map(arrange).collect::<Result<_, Error>>()?;
        let work = Accumulation {
            parts: &arranged,
            shape: Shape { window_count: count * positions, per_window: 1 },
            strategy: Strategy::default().resolve(),
            infinities: Infinities::Absent,
        };
        self.prepared.bit_sums(work, control)
    }

    /// Returns sums by Horner's rule.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn chains(&self, chains: &Chains<'_, Words<C>>) -> Result<Vec<[Words<C>; 3]>, Error> {
        self.engine.chains(chains).expect("the CPU's engine has chains")
    }
}

/// Returns points sorted by their positions, and the end of each position.
fn by_position(entries: &[(u32, Ref)], positions: usize) -> (Vec<Ref>, Vec<u32>) {
    let mut ends = vec![0; positions];
    entries.iter().for_each(|&(position, _)| ends[position as usize] += 1);
    let mut end = 0;
    for count in &mut ends {
        (*count, end) = (end, end + *count);
    }
    let mut points = vec![Ref::positive(0); entries.len()];
    for &(position, point) in entries {
        let next = &mut ends[position as usize];
        points[*next as usize] = point;
        *next += 1;
    }
    (points, ends)
}
