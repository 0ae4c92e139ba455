//! The sums of a stream: over one group, or over two groups with the same scalars.

use std::ops::Range;

use ark_ec::short_weierstrass::Projective;
use ark_ff::Zero;

#[cfg(feature = "inspection")]
use crate::bases::inspect;
use crate::bases::points::Points;
use crate::bases::Check;
use crate::control::Control;
use crate::curve::combine::combine;
use crate::curve::{coefficients, coordinate_bytes, Curve, Words};
use crate::digits::sort::Arranged;
use crate::digits::table::Table;
use crate::engine::accumulator::{Accumulator, Opening};
use crate::engine::adder::AdderKind;
use crate::engine::buckets::Shape;
use crate::engine::infinities::Infinities;
use crate::engine::points::Source;
use crate::engine::strategy::Strategy;
use crate::plan::bucket_bytes;
use crate::provider::{Abilities, Cpu, Provider};
use crate::windows::Windows;
use crate::{Backend, Error, PairError};

/// Parameters of the sums.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub windows: Windows,
    pub strategy: Strategy,
    pub block: usize,
    pub windows_at_a_time: usize,
    pub threads: usize,
}

/// Sums over one group or two.
pub(super) trait Sums: Sized {
    /// Number of groups.
    const GROUPS: usize;

    /// The points of each group.
    type Points<'p>: Copy;
    /// The sum of each group.
    type Sum: Copy;
    /// Error of an update. For two groups, it says which group has wrong points.
    type Error: From<Error>;
    /// The type of the device that computes.
    type Provider<'p>: Copy;

    /// Returns the provider's abilities. Costs are the costs of the dearer group, which usually is the second.
    fn abilities(provider: Self::Provider<'_>) -> Result<Abilities, Error>;

    fn open(terms: Terms, provider: Self::Provider<'_>) -> Result<Self, Error>;

    /// Returns the bytes of a point in the layout, and of a bucket.
    fn bytes(strategy: Strategy) -> (usize, usize);

    /// Returns true if all points of the curves are in the prime-order subgroups.
    fn cofactors_are_one() -> bool;

    /// Returns an error unless this adder adds the points of these curves.
    fn check_adder(adder: AdderKind, in_subgroup: bool) -> Result<(), Error>;

    /// Returns the number of points.
    ///
    /// # Errors
    /// [`Error::Length`] unless there is a scalar for each point.
    fn count(points: Self::Points<'_>, scalars: usize) -> Result<usize, Error>;

    /// Checks the points on the CPU.
    fn verify(
        points: Self::Points<'_>,
        check: Check,
        cpu: Cpu,
        control: &Control<'_>,
    ) -> Result<(), Self::Error>;

    /// Appends points to the block. Returns which points are to be left out, as offsets into the range.
    fn load(
        &mut self,
        points: Self::Points<'_>,
        range: &Range<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<u32>, Error>;

    /// Adds the points of the block in the windows from `first` on.
    fn accumulate(&mut self, points: &Arranged<'_>, first: usize, control: &Control<'_>)
        -> Result<(), Error>;

    /// Empties the block.
    fn empty(&mut self);

    /// Adds the buckets' sums to the totals.
    fn collect(&mut self, windows: Windows, control: &Control<'_>) -> Result<(), Error>;

    /// Returns the totals.
    fn total(&self) -> Self::Sum;

    /// Adds a sum to the totals.
    fn add(&mut self, sum: Self::Sum);
}

/// The sum over one group.
pub(super) struct One<C: Curve> {
    accumulator: Box<dyn Accumulator<Words<C>>>,
    /// The instruction set, for the last steps of a sum.
    backend: Backend,
    /// True if points at infinity in the block are not left out.
    infinity: bool,
    /// The sum of all points before the points in the buckets.
    total: Projective<C>,
}

impl<C: Curve> One<C> {
    fn load_points(
        &mut self,
        points: Points<'_, C>,
        range: &Range<usize>,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        self.accumulator.load(Source {
            len: range.len(),
            // The coordinates have been checked.
            point: &|offset| points.coordinates(range.start + offset).unwrap_or_default(),
            curve: coefficients::<C>(),
            factor: points.factor(),
            beta: None,
            table: Table::none(range.len()),
            edwards: false,
            control,
        })
    }
}

impl<C: Curve> Sums for One<C> {
    const GROUPS: usize = 1;

    type Points<'p> = Points<'p, C>;
    type Sum = Projective<C>;
    type Provider<'p> = &'p dyn Provider<C::BaseField>;
    type Error = Error;

    fn abilities(provider: Self::Provider<'_>) -> Result<Abilities, Error> {
        provider.abilities()
    }

    fn open(terms: Terms, provider: Self::Provider<'_>) -> Result<Self, Error> {
        let Terms { windows, strategy, block, windows_at_a_time, threads } = terms;
        let shape = Shape { window_count: windows.count(), per_window: windows.buckets() };
        let curve = coefficients::<C>();
        let opening = Opening { curve, shape, strategy, block, windows_at_a_time, threads };
        let accumulator = provider.engine()?.accumulator(opening)?;
        let backend = provider.abilities()?.backend;
        Ok(One { accumulator, backend, infinity: false, total: Projective::zero() })
    }

    fn bytes(strategy: Strategy) -> (usize, usize) {
        let point = (2 + strategy.adder.own_coordinates()) * coordinate_bytes::<C::BaseField>();
        (point, bucket_bytes::<C>(strategy))
    }

    fn cofactors_are_one() -> bool {
        C::cofactor_is_one()
    }

    fn check_adder(adder: AdderKind, in_subgroup: bool) -> Result<(), Error> {
        adder.check::<C>(in_subgroup)
    }

    fn count(points: Points<'_, C>, scalars: usize) -> Result<usize, Error> {
        match points.len() {
            points if points == scalars => Ok(points),
            points => Err(Error::Length { points, scalars }),
        }
    }

    fn verify(points: Points<'_, C>, check: Check, cpu: Cpu, control: &Control<'_>) -> Result<(), Error> {
        points.check(control)?;
        #[cfg(feature = "inspection")]
        inspect(points.len(), &|index| points.point(index), check, &cpu, control)?;
        Ok(())
    }

    fn load(
        &mut self,
        points: Points<'_, C>,
        range: &Range<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<u32>, Error> {
        self.load_points(points, range, control)?;
        Ok(points.infinities(range, control))
    }

    fn accumulate(
        &mut self,
        points: &Arranged<'_>,
        first: usize,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        self.accumulator.accumulate(points, first, Infinities::possible_if(self.infinity), control)
    }

    fn empty(&mut self) {
        self.infinity = false;
        self.accumulator.empty();
    }

    fn collect(&mut self, windows: Windows, control: &Control<'_>) -> Result<(), Error> {
        self.total += combine::<C>(&[self.accumulator.collect(control)?], windows, self.backend);
        Ok(())
    }

    fn total(&self) -> Projective<C> {
        self.total
    }

    fn add(&mut self, sum: Projective<C>) {
        self.total += sum;
    }
}

/// The sums over two groups.
pub(super) struct Both<C: Curve, D: Curve>(One<C>, One<D>);

impl<C: Curve, D: Curve> Sums for Both<C, D> {
    const GROUPS: usize = 2;

    type Points<'p> = (Points<'p, C>, Points<'p, D>);
    type Sum = (Projective<C>, Projective<D>);
    type Error = PairError;

    /// The device is always the CPU: another provider's groups may want points in different orders.
    type Provider<'p> = Cpu;

    fn abilities(cpu: Cpu) -> Result<Abilities, Error> {
        let costs = One::<D>::abilities(&cpu)?.costs;
        Ok(Abilities { costs, ..One::<C>::abilities(&cpu)? })
    }

    fn open(terms: Terms, cpu: Cpu) -> Result<Self, Error> {
        Ok(Both(One::open(terms, &cpu)?, One::open(terms, &cpu)?))
    }

    fn bytes(strategy: Strategy) -> (usize, usize) {
        let (one, other) = (One::<C>::bytes(strategy), One::<D>::bytes(strategy));
        (one.0 + other.0, one.1 + other.1)
    }

    fn cofactors_are_one() -> bool {
        C::cofactor_is_one() && D::cofactor_is_one()
    }

    fn check_adder(adder: AdderKind, in_subgroup: bool) -> Result<(), Error> {
        One::<C>::check_adder(adder, in_subgroup)?;
        One::<D>::check_adder(adder, in_subgroup)
    }

    fn count(points: Self::Points<'_>, scalars: usize) -> Result<usize, Error> {
        One::<C>::count(points.0, scalars)?;
        One::<D>::count(points.1, scalars)
    }

    fn verify(
        points: Self::Points<'_>,
        check: Check,
        cpu: Cpu,
        control: &Control<'_>,
    ) -> Result<(), PairError> {
        One::<C>::verify(points.0, check, cpu, control).map_err(PairError::of(0))?;
        One::<D>::verify(points.1, check, cpu, control).map_err(PairError::of(1))
    }

    fn load(
        &mut self,
        points: Self::Points<'_>,
        range: &Range<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<u32>, Error> {
        let Both(one, other) = self;
        let infinities = (one.load(points.0, range, control)?, other.load(points.1, range, control)?);
        // If only one of the two points is infinity, its adder has to look for infinity.
        let is_common = |offset: &u32| infinities.1.binary_search(offset).is_ok();
        let common: Vec<u32> = infinities.0.iter().copied().filter(is_common).collect();
        one.infinity |= infinities.0.len() > common.len();
        other.infinity |= infinities.1.len() > common.len();
        Ok(common)
    }

    fn accumulate(
        &mut self,
        points: &Arranged<'_>,
        first: usize,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        self.0.accumulate(points, first, control)?;
        self.1.accumulate(points, first, control)
    }

    fn empty(&mut self) {
        self.0.empty();
        self.1.empty();
    }

    fn collect(&mut self, windows: Windows, control: &Control<'_>) -> Result<(), Error> {
        self.0.collect(windows, control)?;
        self.1.collect(windows, control)
    }

    fn total(&self) -> Self::Sum {
        (self.0.total, self.1.total)
    }

    fn add(&mut self, sum: Self::Sum) {
        self.0.add(sum.0);
        self.1.add(sum.1);
    }
}
