//! Groups that are known at run time, for faces to other languages, servers and commands: object-safe traits over what
//! `bucketwheel` and `bucketwheel-formats` have for one type of curve at a time. Points, scalars and sums are bytes, so that nothing here is compiled again by
//! those who call it.
//!
//! ```
//! use bucketwheel::{BasesOptions, CurveId, GroupId, Msm};
//! use bucketwheel_dynamic::{AnyPoints, AnyScalars};
//!
//! let groups = bucketwheel_dynamic::groups(CurveId::Bn254, GroupId::G1)?;
//! let generator = [1u64, 0, 0, 0, 2, 0, 0, 0].map(u64::to_le_bytes);
//! let bases = groups.prepare(BasesOptions::new(), &[AnyPoints::integers(generator.as_flattened())])?;
//! let one = [1u64, 0, 0, 0].map(u64::to_le_bytes);
//! let (sums, _) = bases.run(Msm::new(), AnyScalars::integers(one.as_flattened()))?;
//! assert_eq!(sums[0].integers, generator.as_flattened());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]
#![forbid(unsafe_code)]
// What a build without any curve does not call.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381", feature = "bls12-377")), allow(unused))]

pub mod inputs;
mod mask;
pub mod schedule;

use std::io::{self, Seek, Write};
use std::marker::PhantomData;

use ark_ec::short_weierstrass::Projective;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, PrimeField};
use bucketwheel::{
    default_backend_of, match_curve, with_curve, AdderKind, Backend, Bases, BasesOptions, Check,
    CoordinateField, Costs, Curve, CurveId, Deduplication, Error, Form, GroupId, MissingCurve, Msm,
    PairStream, PairSums, Plan, PointLayout, Points, Profile, Report, Sample, ScalarWords, Scalars, Stream,
    StreamOptions, StreamPlan, TableHeader, TablePlan,
};
use bucketwheel_formats::{coder, encode_points, Codec, Coder, Failure};

use mask::Mask;
pub use mask::{DynMask, MaskKey};

/// The error of groups that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGroup {
    /// This build lacks the curve.
    #[error(transparent)]
    Curve(#[from] MissingCurve),
    /// The curve has no such group here.
    #[error("{curve} has no group {group}: expected {}", choice(.expected))]
    Group {
        /// The curve.
        curve: CurveId,
        /// Group that was asked for.
        group: GroupId,
        /// Groups to choose from.
        expected: &'static [GroupId],
    },
}

fn choice(groups: &[GroupId]) -> String {
    groups.iter().map(|group| group.name()).collect::<Vec<_>>().join(" or ")
}

/// An error in the points of a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{group}: {error}")]
pub struct GroupError {
    /// The group.
    pub group: GroupId,
    /// Error in its points.
    pub error: Error,
}

/// Points of one group as bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnyPoints<'a> {
    bytes: &'a [u8],
    layout: Option<PointLayout>,
}

impl<'a> AnyPoints<'a> {
    /// As [`Points::integers`].
    pub fn integers(bytes: &'a [u8]) -> Self {
        AnyPoints { bytes, layout: None }
    }

    /// As [`Points::raw`].
    pub fn raw(bytes: &'a [u8], layout: PointLayout) -> Self {
        AnyPoints { bytes, layout: Some(layout) }
    }

    fn of<C: Curve>(self) -> Result<Points<'a, C>, Error> {
        match self.layout {
            None => Points::integers(self.bytes),
            Some(layout) => Points::raw(self.bytes, layout),
        }
    }
}

/// Scalars as bytes.
#[derive(Clone, Copy, Debug)]
pub struct AnyScalars<'a> {
    bytes: &'a [u8],
    layout: Option<(usize, Form)>,
}

impl<'a> AnyScalars<'a> {
    /// Integers below the order, in little-endian words, one after the other.
    pub fn integers(bytes: &'a [u8]) -> Self {
        AnyScalars { bytes, layout: None }
    }

    /// As [`Scalars::raw`].
    pub fn raw(bytes: &'a [u8], stride: usize, form: Form) -> Self {
        AnyScalars { bytes, layout: Some((stride, form)) }
    }

    fn of<F: ScalarWords>(self) -> Result<Scalars<'a, F>, Error> {
        let (stride, form) = self.layout.unwrap_or((size_of::<F::BigInt>(), Form::Canonical));
        Scalars::raw(self.bytes, stride, form)
    }
}

/// The sum in one group, in affine coordinates; zeros for the point at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnySum {
    /// The group.
    pub group: GroupId,
    /// x and y as [`Points::integers`] has them.
    pub integers: Vec<u8>,
    /// The same in Montgomery form.
    pub montgomery: Vec<u8>,
}

impl AnySum {
    fn new<C: Curve>(group: GroupId, sum: Projective<C>) -> Result<Self, Error> {
        let sum = sum.into_affine();
        let mut integers = Vec::new();
        encode_points(&[sum], &mut integers)?;
        let zero = Default::default();
        let (x, y) = sum.xy().unwrap_or((zero, zero));
        let montgomery = [x, y].iter().flat_map(montgomery).collect();
        Ok(AnySum { group, integers, montgomery })
    }

    /// Returns true if the sum is the point at infinity.
    pub fn is_infinity(&self) -> bool {
        self.integers.iter().all(|&byte| byte == 0)
    }
}

/// The bytes of a coordinate in Montgomery form.
fn montgomery<F: CoordinateField>(coordinate: &F) -> Vec<u8> {
    F::as_words(&coordinate.to_words()).iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// One group of a curve.
pub trait DynGroup: Send + Sync {
    /// Identifier of the group.
    fn group(&self) -> GroupId;

    /// The 1 of the field that coordinates are in, as they are in the sum of a form ([`AnySum`]): z of a point whose x and y are
    /// affine.
    fn one(&self, form: Form) -> Vec<u8>;

    /// As [`AdderKind::is_for`].
    fn has_adder(&self, adder: AdderKind) -> bool;

    /// As [`default_backend_of`].
    ///
    /// # Errors
    /// As there.
    fn default_backend(&self) -> Result<Backend, Error>;

    /// As [`Msm::plan`].
    ///
    /// # Errors
    /// As there.
    fn plan(&self, msm: Msm<'_>, backend: Backend, n: usize) -> Result<Plan, Error>;

    /// As [`BasesOptions::plan`].
    ///
    /// # Errors
    /// As there.
    fn table_plan(&self, options: BasesOptions<'_>, n: usize) -> Result<TablePlan, Error>;

    /// As [`Deduplication::memory_bytes`].
    fn deduplication_bytes(&self, n: usize) -> usize;

    /// Fits costs to samples ([`Costs::fit`]) and sets them in a profile ([`Profile::set`]).
    fn fit(&self, profile: &mut Profile, backend: Backend, samples: &[Sample]);

    /// As [`BasesOptions::verify`].
    ///
    /// # Errors
    /// As there, and those of [`Points::raw`].
    fn verify(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<(), Error>;

    /// As [`TableHeader::is_of`].
    fn is_of(&self, header: &TableHeader) -> bool;

    /// As [`BasesOptions::load`].
    ///
    /// # Errors
    /// As there.
    fn load(&self, options: BasesOptions<'_>, file: Box<dyn File>) -> Result<Box<dyn DynBases>, Error>;

    /// The points of a file, as [`Points::integers`] has them ([`Coder::decode`]).
    ///
    /// # Errors
    /// As there.
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure>;

    /// The bytes of points for a file ([`Coder::encode`]).
    ///
    /// # Errors
    /// As there; those of [`Points::integers`].
    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure>;
}

/// Bytes that bases may keep: usually a mapped file.
pub trait File: AsRef<[u8]> + Send + Sync {}

impl<F: AsRef<[u8]> + Send + Sync> File for F {}

/// A place that a table is written to.
pub trait Place: Write + Seek {}

impl<W: Write + Seek> Place for W {}

/// One group, or both of a curve with a pairing: what has sums with the same scalars.
pub trait DynGroups: Send + Sync {
    /// The groups, one or two.
    fn parts(&self) -> Vec<&dyn DynGroup>;

    /// The bits of a scalar.
    fn scalar_bits(&self) -> u32;

    /// As [`BasesOptions::prepare`], of the points of each group.
    ///
    /// # Errors
    /// As there, and those of [`Points::raw`].
    ///
    /// # Panics
    /// Unless there are points of each group.
    fn prepare(
        &self,
        options: BasesOptions<'_>,
        points: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynBases>, GroupError>;

    /// As [`Msm::start`] and [`Msm::start_pair`].
    ///
    /// # Errors
    /// As there.
    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error>;
}

/// Points of one group or both, prepared.
pub trait DynBases: Send + Sync {
    /// The sum in each group, as [`Msm::run_reported`] and [`Msm::run_pair_reported`].
    ///
    /// # Errors
    /// As there, and those of [`Scalars::raw`].
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error>;

    /// As [`Bases::len`].
    fn len(&self) -> usize;

    /// Returns true if there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Bases::backend`]; of two groups, that of the first.
    fn backend(&self) -> Backend;

    /// As [`Bases::write_table`].
    ///
    /// # Errors
    /// As there; [`io::ErrorKind::Unsupported`] for two groups, of which each has a table of its own.
    fn write_table(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// A stream of points of one group or both.
pub trait DynStream: Send {
    /// As [`Stream::update`] and [`PairStream::update`].
    ///
    /// # Errors
    /// As there, and those of [`Points::raw`] and [`Scalars::raw`].
    ///
    /// # Panics
    /// Unless there are points of each group.
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError>;

    /// As [`Stream::flush`].
    ///
    /// # Errors
    /// As there.
    fn flush(&mut self) -> Result<Vec<AnySum>, Error>;

    /// As [`Stream::resume`], with the sums of each group.
    ///
    /// # Errors
    /// [`Error::Records`], [`Error::CoordinateRange`], [`Error::NotOnCurve`] for bytes that are no sum.
    ///
    /// # Panics
    /// Unless there is a sum of each group.
    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, Error>
    where
        Self: 'a;

    /// As [`Stream::plan`].
    fn plan(&self) -> StreamPlan;

    /// As [`Stream::backend`].
    fn backend(&self) -> Backend;

    /// As [`Stream::len`].
    fn len(&self) -> usize;

    /// Returns true if no point was taken yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The group of these names, which is not the pair.
///
/// # Errors
/// [`NoGroup`].
pub fn group(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroup>, NoGroup> {
    check_single(curve, group)?;
    let coder = coder(curve, group)?;
    Ok(with_curve!(curve, group, C => Box::new(One::<C>::new(group, coder)) as Box<dyn DynGroup>)?)
}

/// The group of these names, or both.
///
/// # Errors
/// [`NoGroup`].
pub fn groups(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroups>, NoGroup> {
    check(curve, group, curve.groups())?;
    macro_rules! single {
        ($group:expr, $config:ty) => {
            One::<$config>::new($group, coder(curve, $group)?)
        };
    }
    macro_rules! one {
        ($config:ty) => {
            Box::new(single!(group, $config)) as Box<dyn DynGroups>
        };
    }
    macro_rules! both {
        ($g1:ty, $g2:ty) => {
            match group {
                GroupId::G1 => one!($g1),
                GroupId::G2 => one!($g2),
                GroupId::Pair => Box::new(Both(single!(GroupId::G1, $g1), single!(GroupId::G2, $g2))),
            }
        };
    }
    Ok(match_curve!(curve, one, both)?)
}

/// The mask of a group's points by a secret factor other than 0, which makes their second points. Not of [`DynGroup`], so that
/// programs without masks do without their code.
///
/// # Errors
/// [`NoGroup`].
pub fn mask(curve: CurveId, group: GroupId, alpha: u128) -> Result<Box<dyn DynMask>, NoGroup> {
    check_single(curve, group)?;
    Ok(with_curve!(curve, group, C => Box::new(Mask::<C>::new(alpha)) as Box<dyn DynMask>)?)
}

/// A group, twice: what has two sums with the same scalars, of two sets of its points.
///
/// # Errors
/// [`NoGroup`].
pub fn twice(curve: CurveId, group: GroupId) -> Result<Box<dyn DynGroups>, NoGroup> {
    check_single(curve, group)?;
    let coder = coder(curve, group)?;
    let twice = with_curve!(curve, group, C => {
        let one = One::<C>::new(group, coder);
        Box::new(Both(one, one)) as Box<dyn DynGroups>
    });
    Ok(twice?)
}

/// Checks that it is a group of the curve, which the pair is not.
fn check_single(curve: CurveId, group: GroupId) -> Result<(), NoGroup> {
    let pair = usize::from(curve.has_pairing());
    check(curve, group, &curve.groups()[..curve.groups().len() - pair])
}

fn check(curve: CurveId, group: GroupId, expected: &'static [GroupId]) -> Result<(), NoGroup> {
    match expected.contains(&group) {
        true => Ok(()),
        false => Err(NoGroup::Group { curve, group, expected }),
    }
}

/// One group.
struct One<C> {
    group: GroupId,
    coder: &'static dyn Coder,
    config: PhantomData<fn(C)>,
}

impl<C> One<C> {
    fn new(group: GroupId, coder: &'static dyn Coder) -> Self {
        One { group, coder, config: PhantomData }
    }
}

impl<C> Clone for One<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for One<C> {}

/// Both groups.
struct Both<C, D>(One<C>, One<D>);

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

impl<C: Curve> One<C> {
    fn error(&self) -> impl FnOnce(Error) -> GroupError {
        let group = self.group;
        move |error| GroupError { group, error }
    }

    fn prepare_one(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<Bases<C>, GroupError> {
        points.of::<C>().and_then(|points| options.prepare(points)).map_err(self.error())
    }

    /// A sum that was written.
    fn read(&self, sum: AnyPoints<'_>) -> Result<Projective<C>, Error> {
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
            // The constant coefficient is the first.
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
        Ok(Box::new(OneBases(self.group, options.load::<C>(Kept(file))?)))
    }

    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure> {
        self.coder.decode(codec, bytes, check)
    }

    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure> {
        self.coder.encode(codec, points)
    }
}

/// A file, for those that ask for a type with a size.
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

    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error> {
        Ok(Box::new(OneStream(*self, msm.start::<C>(options)?)))
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

    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error> {
        Ok(Box::new(BothStream(*self, msm.start_pair::<C, D>(options)?)))
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
            "points of two groups make no table file: expected one group",
        ))
    }
}

struct OneStream<'s, C: Curve>(One<C>, Stream<'s, C>);

impl<C: Curve> DynStream for OneStream<'_, C> {
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError> {
        let mut add = || self.1.update(points[0].of::<C>()?, scalars.of::<C::ScalarField>()?);
        add().map_err(self.0.error())
    }

    fn flush(&mut self) -> Result<Vec<AnySum>, Error> {
        Ok(vec![AnySum::new(self.0.group, self.1.flush()?)?])
    }

    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, Error>
    where
        Self: 'a,
    {
        let sum = self.0.read(sums[0])?;
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

struct BothStream<'s, C: Curve, D: Curve<ScalarField = C::ScalarField>>(Both<C, D>, PairStream<'s, C, D>);

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> DynStream for BothStream<'_, C, D> {
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError> {
        let Both(one, other) = &self.0;
        let first = points[0].of::<C>().map_err(one.error())?;
        let second = points[1].of::<D>().map_err(other.error())?;
        let mut add = || self.1.update((first, second), scalars.of::<C::ScalarField>()?);
        add().map_err(|error| {
            let check = match error {
                Error::CoordinateRange { .. } => Check::None,
                Error::NotOnCurve { .. } => Check::Curve,
                Error::NotInSubgroup { .. } => Check::Subgroup,
                _ => return GroupError { group: GroupId::Pair, error },
            };
            // The first group was looked at first.
            let is_first = BasesOptions::new().check(check).verify(first).is_err();
            GroupError { group: if is_first { one.group } else { other.group }, error }
        })
    }

    fn flush(&mut self) -> Result<Vec<AnySum>, Error> {
        self.0.sums(self.1.flush()?)
    }

    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, Error>
    where
        Self: 'a,
    {
        let Both(first, second) = &self.0;
        let sums = (first.read(sums[0])?, second.read(sums[1])?);
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
