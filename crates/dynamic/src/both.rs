//! Two groups with the same scalars: their bases and streams.

use std::io;

use ark_ff::PrimeField;
use bucketwheel::{
    Backend, Bases, BasesOptions, Curve, Error, GroupId, Msm, PairError, PairStream, PairSums, Report,
    StreamOptions, StreamPlan,
};

use crate::interface::{DynBases, DynGroup, DynGroups, DynStream, File, Place};
use crate::one::One;
use crate::values::{AnyPoints, AnyScalars, AnySum, GroupError};

/// Both groups.
pub(crate) struct Both<C, D>(pub One<C>, pub One<D>);

impl<C, D> Clone for Both<C, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, D> Copy for Both<C, D> {}

impl<C: Curve, D: Curve> Both<C, D> {
    fn sums(&self, (first, second): PairSums<C, D>) -> Result<Vec<AnySum>, Error> {
        Ok(vec![AnySum::new(self.0.group, first)?, AnySum::new(self.1.group, second)?])
    }
}

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> DynGroups for Both<C, D> {
    fn parts(&self) -> Vec<&dyn DynGroup> {
        vec![&self.0, &self.1]
    }

    fn scalar_bits(&self) -> u32 {
        C::ScalarField::MODULUS_BIT_SIZE
    }

    fn prepare(
        &self,
        options: BasesOptions<'_>,
        points: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynBases>, GroupError> {
        let (first, second) =
            (self.0.prepare_one(options, points[0])?, self.1.prepare_one(options, points[1])?);
        Ok(Box::new(BothBases(*self, first, second)))
    }

    fn load_all(
        &self,
        options: BasesOptions<'_>,
        tables: Vec<Box<dyn File>>,
    ) -> Result<Box<dyn DynBases>, GroupError> {
        let mut tables = tables.into_iter();
        let mut next = || tables.next().expect("a table of each group");
        let first = self.0.load_one(options, next()).map_err(self.0.error())?;
        let second = self.1.load_one(options, next()).map_err(self.1.error())?;
        Ok(Box::new(BothBases(*self, first, second)))
    }

    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error> {
        Ok(Box::new(BothStream(*self, msm.start_pair::<C, D>(options)?)))
    }
}

struct BothBases<C: Curve, D: Curve>(Both<C, D>, Bases<C>, Bases<D>);

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> DynBases for BothBases<C, D> {
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error> {
        let scalars = scalars.of::<C::ScalarField>()?;
        let (sums, report) = msm.run_pair_reported((&self.1, &self.2), scalars)?;
        Ok((self.0.sums(sums)?, report))
    }

    fn len(&self) -> usize {
        self.1.len()
    }

    fn backend(&self) -> Backend {
        self.1.backend()
    }

    fn write_table(&self, _out: &mut dyn Place) -> io::Result<()> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "bases of two groups cannot be written as one table: expected one group",
        ))
    }
}

struct BothStream<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(Both<C, D>, PairStream<'s, C, D>);

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> DynStream for BothStream<'_, C, D> {
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError> {
        let Both(one, other) = &self.0;
        let first = points[0].of::<C>().map_err(one.error())?;
        let second = points[1].of::<D>().map_err(other.error())?;
        let scalars = scalars.of::<C::ScalarField>().map_err(PairError::from);
        scalars.and_then(|scalars| self.1.update((first, second), scalars)).map_err(|error| {
            let groups = [one.group, other.group];
            let group = error.group.map_or(GroupId::Pair, |index| groups[index]);
            GroupError { group, error: error.error }
        })
    }

    fn flush(&mut self) -> Result<Vec<AnySum>, GroupError> {
        let sums = self.1.flush().and_then(|sums| self.0.sums(sums));
        sums.map_err(|error| GroupError { group: GroupId::Pair, error })
    }

    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, GroupError>
    where
        Self: 'a,
    {
        let Both(first, second) = &self.0;
        let sums =
            (first.read(sums[0]).map_err(first.error())?, second.read(sums[1]).map_err(second.error())?);
        Ok(Box::new(BothStream(self.0, self.1.resume(len, sums))))
    }

    fn plan(&self) -> StreamPlan {
        self.1.plan()
    }

    fn backend(&self) -> Backend {
        self.1.backend()
    }

    fn len(&self) -> usize {
        self.1.len()
    }
}
