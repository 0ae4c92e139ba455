//! What [`BasesOptions`] has to say of tables.

use bucketwheel_lanes::Backend;

use super::{magnitude_bits, Largest, Multiples, Table, TablePlan, Wanted};
use crate::bases::BasesOptions;
use crate::costs::Costs;
use crate::curve::{CoordinateField, Curve};
use crate::endomorphism::Split;
use crate::plan::Lengths;
use crate::schedule::Ref;
use crate::strategy::AdderKind;
use crate::Error;

impl BasesOptions<'_> {
    /// Keeps a table: up to this many copies of the points, times powers of two, so that an MSM has fewer and wider
    /// windows. Costs as much memory as there are copies, and a doubling for each bit between them; right for all
    /// points of the curve. 0 and 1 are no table. [`plan`](Self::plan) tells what comes of it.
    pub fn copies(self, copies: usize) -> Self {
        self.with_table(Wanted::Copies(copies, Multiples::One))
    }

    /// Keeps a table as [`copies`](Self::copies) does, and 2 and 3 times each copy, so that less than half as many buckets
    /// suffice for windows of the same width: the bucket-set construction of Luo, Fu and Gong (TCHES 2023). Takes three
    /// times as much memory.
    pub fn bucket_set(self, copies: usize) -> Self {
        self.with_table(Wanted::Copies(copies, Multiples::BucketSet))
    }

    /// Keeps the multiples of each point by the largest digits of windows of `window` bits, up to `k` of them and at most
    /// 1023, so that MSMs, whose windows are of as many bits by default, have as many buckets fewer in each: EdMSM's
    /// trade-off for little memory (section 4.2), which is (k + 1) times that of the points. [`copies`](Self::copies) save
    /// more with the same (docs/tables.md).
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn k_points(self, k: usize, window: u32) -> Result<Self, Error> {
        Ok(self.with_table(Wanted::Copies(1, Multiples::Largest(Largest::new(k, window)?))))
    }

    /// Keeps the table that makes an MSM of uniform scalars fastest, of those for which points and copies take at most
    /// so many bytes. The points themselves are kept whatever they take.
    pub fn memory(self, bytes: usize) -> Self {
        self.with_table(Wanted::Within(bytes))
    }

    /// What [`prepare`](Self::prepare) will make of `n` points, and what it is good for. Costs microseconds.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], [`Error::UnsupportedBackend`], [`Error::UnknownBackend`].
    pub fn plan<C: Curve>(self, n: usize) -> Result<TablePlan, Error> {
        let backend = self.backend_or_default::<C>()?;
        let in_subgroup = self.in_subgroup::<C>();
        let split = |options: Self| {
            let endomorphism = options.endomorphism_of::<C>(backend, n).filter(|_| in_subgroup);
            endomorphism.map(|endomorphism| &endomorphism.split)
        };
        let table = self.table::<C>(backend, n, in_subgroup, split(self))?;
        let lengths = |split| Lengths::uniform::<C::ScalarField>(n, split);
        let plain = lengths(split(self.with_table(Wanted::NONE)));
        let (bytes, costs) = (self.point_bytes::<C>(backend)?, Costs::of::<C>(backend));
        Ok(TablePlan::new(n, &table, bytes, &lengths(split(self)), &plain, &costs))
    }

    /// The bytes of a point in all of its forms.
    fn point_bytes<C: Curve>(&self, backend: Backend) -> Result<usize, Error> {
        let bytes = C::BaseField::point_bytes(backend)?;
        let adder = if self.edwards { AdderKind::Edwards } else { AdderKind::Auto };
        Ok(bytes / 2 * (2 + adder.own_coordinates()))
    }

    /// The table of `n` points.
    pub(crate) fn table<C: Curve>(
        self,
        backend: Backend,
        n: usize,
        in_subgroup: bool,
        split: Option<&Split>,
    ) -> Result<Table, Error> {
        let stride = n * if split.is_some() { 2 } else { 1 };
        let bits = magnitude_bits::<C::ScalarField>(in_subgroup, split);
        let (bytes, costs) = (self.point_bytes::<C>(backend)?, Costs::of::<C>(backend));
        let table = self.wanted.table::<C::ScalarField>(n, bits, stride, bytes, split, &costs);
        match table.total() <= Ref::MAX_INDEX {
            true => Ok(table),
            false => Err(Error::TooManyPoints { points: table.total(), max: Ref::MAX_INDEX }),
        }
    }
}
