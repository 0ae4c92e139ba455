//! One group: its bases and streams.

use std::io;
use std::marker::PhantomData;

use ark_ec::short_weierstrass::Projective;
use ark_ff::{Field, PrimeField};
use bucketwheel::{
    default_backend_of, AdderKind, Backend, Bases, BasesOptions, Check, Costs, Curve, Deduplication, Error,
    Form, GroupId, Msm, Plan, Profile, Report, Sample, Stream, StreamOptions, StreamPlan, TableHeader,
    TablePlan,
};
use bucketwheel_formats::{Codec, Coder, Failure};

use crate::interface::{DynBases, DynGroup, DynGroups, DynStream, File, Place};
use crate::values::{montgomery, AnyPoints, AnyScalars, AnySum, GroupError};

/// One group.
pub(crate) struct One<C> {
    pub group: GroupId,
    coder: &'static dyn Coder,
    config: PhantomData<fn(C)>,
}

impl<C> One<C> {
    pub fn new(group: GroupId, coder: &'static dyn Coder) -> Self {
        One { group, coder, config: PhantomData }
    }
}

impl<C> Clone for One<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for One<C> {}

impl<C: Curve> One<C> {
    pub fn error(&self) -> impl FnOnce(Error) -> GroupError {
        let group = self.group;
        move |error| GroupError { group, error }
    }

    pub fn prepare_one(
        &self,
        options: BasesOptions<'_>,
        points: AnyPoints<'_>,
    ) -> Result<Bases<C>, GroupError> {
        points.of::<C>().and_then(|points| options.prepare(points)).map_err(self.error())
    }

    pub fn load_one(&self, options: BasesOptions<'_>, table: Box<dyn File>) -> Result<Bases<C>, Error> {
        options.load::<C>(Kept(table))
    }

    /// Reads a sum that was written.
    pub fn read(&self, sum: AnyPoints<'_>) -> Result<Projective<C>, Error> {
        let points = sum.of::<C>()?;
        if points.len() != 1 {
            return Err(Error::Length { points: points.len(), scalars: 1 });
        }
        let point = points.get(0).ok_or(Error::CoordinateRange { index: 0 })?;
        match point.is_on_curve() {
            true => Ok(point.into()),
            false => Err(Error::NotOnCurve { index: 0 }),
        }
    }
}

impl<C: Curve> DynGroup for One<C> {
    fn group(&self) -> GroupId {
        self.group
    }

    fn one(&self, form: Form) -> Vec<u8> {
        let one = montgomery(&C::BaseField::ONE);
        match form {
            Form::Montgomery => one,
            // The constant coefficient comes first.
            Form::Canonical => (0..one.len()).map(|byte| u8::from(byte == 0)).collect(),
        }
    }

    fn has_adder(&self, adder: AdderKind) -> bool {
        adder.is_for::<C>()
    }

    fn default_backend(&self) -> Result<Backend, Error> {
        default_backend_of::<C>()
    }

    fn plan(&self, msm: Msm<'_>, backend: Backend, n: usize) -> Result<Plan, Error> {
        msm.plan::<C>(backend, n)
    }

    fn table_plan(&self, options: BasesOptions<'_>, n: usize) -> Result<TablePlan, Error> {
        options.plan::<C>(n)
    }

    fn deduplication_bytes(&self, n: usize) -> usize {
        Deduplication::memory_bytes::<C>(n)
    }

    fn fit(&self, profile: &mut Profile, backend: Backend, samples: &[Sample]) {
        profile.set::<C>(backend, Costs::fit::<C>(samples));
    }

    fn verify(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<(), Error> {
        options.verify(points.of::<C>()?)
    }

    fn is_of(&self, header: &TableHeader) -> bool {
        header.is_of::<C>()
    }

    fn load(&self, options: BasesOptions<'_>, file: Box<dyn File>) -> Result<Box<dyn DynBases>, Error> {
        Ok(Box::new(OneBases(self.group, self.load_one(options, file)?)))
    }

    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure> {
        self.coder.decode(codec, bytes, check)
    }

    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure> {
        self.coder.encode(codec, points)
    }
}

/// A file, as a type with a size.
struct Kept(Box<dyn File>);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl<C: Curve> DynGroups for One<C> {
    fn parts(&self) -> Vec<&dyn DynGroup> {
        vec![self]
    }

    fn scalar_bits(&self) -> u32 {
        C::ScalarField::MODULUS_BIT_SIZE
    }

    fn prepare(
        &self,
        options: BasesOptions<'_>,
        points: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynBases>, GroupError> {
        Ok(Box::new(OneBases(self.group, self.prepare_one(options, points[0])?)))
    }

    fn load_all(
        &self,
        options: BasesOptions<'_>,
        tables: Vec<Box<dyn File>>,
    ) -> Result<Box<dyn DynBases>, GroupError> {
        let table = tables.into_iter().next().expect("a table of the group");
        self.load(options, table).map_err(self.error())
    }

    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error> {
        Ok(Box::new(OneStream(*self, msm.start::<C>(options)?)))
    }
}

struct OneBases<C: Curve>(GroupId, Bases<C>);

impl<C: Curve> DynBases for OneBases<C> {
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error> {
        let (sum, report) = msm.run_reported(&self.1, scalars.of::<C::ScalarField>()?)?;
        Ok((vec![AnySum::new(self.0, sum)?], report))
    }

    fn len(&self) -> usize {
        self.1.len()
    }

    fn backend(&self) -> Backend {
        self.1.backend()
    }

    fn write_table(&self, mut out: &mut dyn Place) -> io::Result<()> {
        self.1.write_table(&mut out)
    }
}

struct OneStream<'s, C: Curve>(One<C>, Stream<'s, C>);

impl<C: Curve> DynStream for OneStream<'_, C> {
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError> {
        let mut add = || self.1.update(points[0].of::<C>()?, scalars.of::<C::ScalarField>()?);
        add().map_err(self.0.error())
    }

    fn flush(&mut self) -> Result<Vec<AnySum>, GroupError> {
        let sum = self.1.flush().and_then(|sum| AnySum::new(self.0.group, sum));
        Ok(vec![sum.map_err(self.0.error())?])
    }

    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, GroupError>
    where
        Self: 'a,
    {
        let sum = self.0.read(sums[0]).map_err(self.0.error())?;
        Ok(Box::new(OneStream(self.0, self.1.resume(len, sum))))
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
