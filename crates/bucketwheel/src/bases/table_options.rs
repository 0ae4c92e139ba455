//! Options of tables in [`BasesOptions`].

use crate::bases::BasesOptions;
use crate::curve::endomorphism::Endomorphism;
use crate::curve::{endomorphism, Curve};
use crate::digits::largest::Largest;
use crate::digits::table::{Multiples, Table};
use crate::engine::adder::AdderKind;
use crate::plan::lengths::Lengths;
use crate::plan::table::{TablePlan, Tabled, Wanted};
use crate::provider::{Abilities, Provider};
use crate::schedule::Ref;
use crate::Error;

impl BasesOptions<'_> {
    /// Keeps a table: up to this many copies of the points, times powers of two. An MSM then has fewer and wider
    /// windows. Each copy costs as much memory as the points, and each point one doubling for each bit between copies.
    /// Tables are right for all points of the curve. 0 and 1 mean no table. [`plan`](Self::plan) returns the gain.
    ///
    /// If the points are in the prime-order subgroup of a curve with an endomorphism, scalars are halved too if this
    /// pays, without images of the points; [`endomorphism`](Self::endomorphism) overrides the choice. The
    /// [example](Self) uses it.
    #[cfg(feature = "tables")]
    pub fn copies(self, copies: usize) -> Self {
        self.with_table(Wanted::Copies(copies, Multiples::One))
    }

    /// Keeps a table as [`copies`](Self::copies) does, and 2 and 3 times each point of each copy. Windows of the same
    /// width then need less than half the buckets: the bucket-set construction of Luo, Fu and Gong (TCHES 2023). Takes
    /// three times the memory. The [example](Self) uses it.
    #[cfg(feature = "tables")]
    pub fn bucket_set(self, copies: usize) -> Self {
        self.with_table(Wanted::Copies(copies, Multiples::BucketSet))
    }

    /// Keeps the multiples of each point by the largest digits of windows of `window` bits, up to `k` of them and at
    /// most 1023. MSMs, whose windows are of `window` bits by default, then have k buckets fewer in each window. This
    /// is EdMSM's trade-off for little memory (section 4.2); it takes (k + 1) times the memory of the points.
    /// [`copies`](Self::copies) saves more time with the same memory (docs/tables.md). The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Window`].
    #[cfg(feature = "tables")]
    pub fn k_points(self, k: usize, window: u32) -> Result<Self, Error> {
        Ok(self.with_table(Wanted::Copies(1, Multiples::Largest(Largest::new(k, window)?))))
    }

    /// Keeps the table that makes an MSM of uniform scalars fastest, of all tables whose points and copies take at
    /// most `bytes`. The points themselves are kept in any case. The [example](Self) uses it.
    #[cfg(feature = "tables")]
    pub fn memory(self, bytes: usize) -> Self {
        self.with_table(Wanted::Within(bytes))
    }

    /// Returns the plan of the table that [`prepare`](Self::prepare) will make of `n` points: its memory and the
    /// additions of an MSM. Costs microseconds, or with [`memory`](Self::memory), which looks at all tables, a few
    /// milliseconds. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], [`Error::UnsupportedBackend`], [`Error::UnknownBackend`].
    pub fn plan<C: Curve>(self, n: usize) -> Result<TablePlan, Error> {
        self.plan_by::<C>(&self.cpu::<C>()?, n)
    }

    /// Returns the plan of [`plan`](Self::plan) for bases of this provider. See the
    /// [example](crate::provider::Provider).
    ///
    /// # Errors
    /// The errors of [`plan`](Self::plan), and the provider's errors.
    pub fn plan_by<C: Curve>(
        self,
        provider: &dyn Provider<C::BaseField>,
        n: usize,
    ) -> Result<TablePlan, Error> {
        let abilities = provider.abilities()?;
        let in_subgroup = self.in_subgroup::<C>();
        let points = self.tabled::<C>(&abilities, n, in_subgroup);
        let table = self.table::<C>(&abilities, &points)?;
        let plain = self.with_table(Wanted::NONE).tabled::<C>(&abilities, n, in_subgroup).images;
        let plain = Lengths::uniform::<C::ScalarField>(n, plain);
        let lengths = points.lengths::<C::ScalarField>(&table);
        Ok(TablePlan::new(n, &table, points.bytes, &lengths, &plain, &abilities.costs))
    }

    /// Returns the bytes of a point in all of its forms.
    fn point_bytes(&self, abilities: &Abilities) -> usize {
        let adder = if self.edwards { AdderKind::Edwards } else { AdderKind::Auto };
        abilities.point_bytes / 2 * (2 + adder.own_coordinates())
    }

    /// Returns the properties of `n` points that their table depends on.
    pub(crate) fn tabled<C: Curve>(
        self,
        abilities: &Abilities,
        n: usize,
        in_subgroup: bool,
    ) -> Tabled<'static> {
        let split = |endomorphism: &'static Endomorphism<_>| &endomorphism.split;
        let images = self.endomorphism_of::<C>(&abilities.costs, n).filter(|_| in_subgroup).map(split);
        let halves = endomorphism::<C>().filter(|_| in_subgroup && self.may_halve()).map(split);
        Tabled { n, in_subgroup, bytes: self.point_bytes(abilities), images, halves }
    }

    /// Returns the table of these points.
    pub(crate) fn table<C: Curve>(self, abilities: &Abilities, points: &Tabled<'_>) -> Result<Table, Error> {
        let table = self.wanted.table::<C::ScalarField>(points, &abilities.costs);
        match table.total() <= Ref::MAX_INDEX {
            true => Ok(table),
            false => Err(Error::TooManyPoints { points: table.total(), max: Ref::MAX_INDEX }),
        }
    }
}
