//! The object-safe traits of groups, bases and streams.

use std::io::{self, Seek, Write};

use bucketwheel::{
    AdderKind, Backend, BasesOptions, Check, Error, Form, GroupId, Msm, Plan, Profile, Report, Sample,
    StreamOptions, StreamPlan, TableHeader, TablePlan,
};
use bucketwheel_formats::{Codec, Failure};

use crate::values::{AnyPoints, AnyScalars, AnySum, GroupError};

/// One group of a curve.
///
/// ```
/// use std::io::Cursor;
///
/// use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm, StreamOptions, TableHeader};
/// use bucketwheel_dynamic::inputs::{collect, points, scalars, Distribution};
/// use bucketwheel_dynamic::{group, groups, AnyPoints, AnyScalars};
///
/// let (curve, id) = (CurveId::Bn254, GroupId::G1);
/// let (groups, group) = (groups(curve, id)?, group(curve, id)?);
/// assert_eq!((groups.scalar_bits(), groups.parts()[0].group()), (254, group.group()));
/// let control = Control::new(None, None, None);
/// let points = collect(1000, 64, &points(curve, id, 1)?, &control)?;
/// let scalars = collect(1000, 32, &scalars(curve, Distribution::Uniform, 2)?, &control)?;
/// let all = AnyPoints::integers(&points);
/// group.verify(BasesOptions::new(), all)?;
///
/// // Plans of a sum and of a table.
/// let plan = group.plan(Msm::new(), group.default_backend()?, 1000)?;
/// let table = group.table_plan(BasesOptions::new().copies(4), 1000)?;
/// assert!(table.additions < plan.additions);
///
/// // A table, written and loaded.
/// let bases = groups.prepare(BasesOptions::new().copies(4), &[all])?;
/// let mut file = Cursor::new(Vec::new());
/// bases.write_table(&mut file)?;
/// let file = file.into_inner();
/// assert!(group.is_of(&TableHeader::parse(&file)?));
/// let loaded = group.load(BasesOptions::new(), Box::new(file.clone()))?;
/// assert_eq!(groups.load_all(BasesOptions::new(), vec![Box::new(file)])?.len(), loaded.len());
/// assert_eq!((loaded.len(), loaded.backend()), (1000, bases.backend()));
/// let (sums, _) = loaded.run(Msm::new(), AnyScalars::integers(&scalars))?;
///
/// // The same sum by a stream of two parts; the second one resumes from a checkpoint.
/// let options = StreamOptions::new().points(1000);
/// let mut stream = groups.start(Msm::new(), options)?;
/// stream.update(&[AnyPoints::integers(&points[..64 * 400])], AnyScalars::integers(&scalars[..32 * 400]))?;
/// let half = stream.flush()?;
/// let mut stream = groups.start(Msm::new(), options)?.resume(400, &[AnyPoints::integers(&half[0].integers)])?;
/// stream.update(&[AnyPoints::integers(&points[64 * 400..])], AnyScalars::integers(&scalars[32 * 400..]))?;
/// assert_eq!((stream.len(), stream.flush()?[0].integers.as_slice()), (1000, sums[0].integers.as_slice()));
/// println!("{} bytes, {}", stream.plan().memory_bytes, stream.backend());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DynGroup: Send + Sync {
    /// Returns the identifier of the group. The [example](crate::DynGroup) uses it.
    fn group(&self) -> GroupId;

    /// Returns the 1 of the coordinates' field, in the same form as the coordinates of a sum ([`AnySum`]). It is the z
    /// of a point with affine x and y. See the [example](crate::DynGroup).
    fn one(&self, form: Form) -> Vec<u8>;

    /// Calls [`AdderKind::is_for`]. See the [example](crate::DynGroup).
    fn has_adder(&self, adder: AdderKind) -> bool;

    /// Calls [`default_backend_of`](bucketwheel::default_backend_of).
    /// The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`default_backend_of`](bucketwheel::default_backend_of).
    fn default_backend(&self) -> Result<Backend, Error>;

    /// Calls [`Msm::plan`]. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`Msm::plan`].
    fn plan(&self, msm: Msm<'_>, backend: Backend, n: usize) -> Result<Plan, Error>;

    /// Calls [`BasesOptions::plan`]. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::plan`].
    fn table_plan(&self, options: BasesOptions<'_>, n: usize) -> Result<TablePlan, Error>;

    /// Calls [`Deduplication::memory_bytes`](bucketwheel::Deduplication::memory_bytes).
    /// See the [example](crate::DynGroup).
    fn deduplication_bytes(&self, n: usize) -> usize;

    /// Fits costs to samples ([`Costs::fit`](bucketwheel::Costs::fit)) and sets them in a profile ([`Profile::set`]).
    /// See the [example](crate::DynGroup).
    fn fit(&self, profile: &mut Profile, backend: Backend, samples: &[Sample]);

    /// Calls [`BasesOptions::verify`]. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::verify`] and of [`Points::raw`](bucketwheel::Points::raw).
    fn verify(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<(), Error>;

    /// Calls [`TableHeader::is_of`]. The [example](crate::DynGroup) uses it.
    fn is_of(&self, header: &TableHeader) -> bool;

    /// Calls [`BasesOptions::load`]. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::load`].
    fn load(&self, options: BasesOptions<'_>, file: Box<dyn File>) -> Result<Box<dyn DynBases>, Error>;

    /// Returns the points of a file, in the form of [`Points::integers`](bucketwheel::Points::integers)
    /// ([`Coder::decode`](bucketwheel_formats::Coder::decode)). See the [example](crate::DynGroup).
    ///
    /// # Errors
    /// The errors of [`Coder::decode`](bucketwheel_formats::Coder::decode).
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure>;

    /// Returns the bytes of points for a file ([`Coder::encode`](bucketwheel_formats::Coder::encode)).
    /// See the [example](crate::DynGroup).
    ///
    /// # Errors
    /// The errors of [`Coder::encode`](bucketwheel_formats::Coder::encode) and of
    /// [`Points::integers`](bucketwheel::Points::integers).
    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure>;
}

/// Bytes that bases may keep: usually a mapped file.
pub trait File: AsRef<[u8]> + Send + Sync {}

impl<F: AsRef<[u8]> + Send + Sync> File for F {}

/// A place that a table is written to.
pub trait Place: Write + Seek {}

impl<W: Write + Seek> Place for W {}

/// One group, or both groups of a curve with a pairing. Both have sums with the same scalars.
pub trait DynGroups: Send + Sync {
    /// Returns the groups, one or two. The [example](crate::DynGroup) uses it.
    fn parts(&self) -> Vec<&dyn DynGroup>;

    /// Returns the bits of a scalar. The [example](crate::DynGroup) uses it.
    fn scalar_bits(&self) -> u32;

    /// Calls [`BasesOptions::prepare`] with the points of each group. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::prepare`] and of [`Points::raw`](bucketwheel::Points::raw).
    ///
    /// # Panics
    /// If points of a group are missing.
    fn prepare(
        &self,
        options: BasesOptions<'_>,
        points: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynBases>, GroupError>;

    /// Calls [`BasesOptions::load`] with the table of each group. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`BasesOptions::load`].
    ///
    /// # Panics
    /// If the table of a group is missing.
    fn load_all(
        &self,
        options: BasesOptions<'_>,
        tables: Vec<Box<dyn File>>,
    ) -> Result<Box<dyn DynBases>, GroupError>;

    /// Calls [`Msm::start`] and [`Msm::start_pair`]. The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`Msm::start`].
    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error>;
}

/// Prepared points of one group or both.
pub trait DynBases: Send + Sync {
    /// Returns the sum in each group, as [`Msm::run_reported`] and [`Msm::run_pair_reported`] do. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`Msm::run_reported`] and of [`Scalars::raw`](bucketwheel::Scalars::raw).
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error>;

    /// Calls [`Bases::len`](bucketwheel::Bases::len). The [example](crate::DynGroup) uses it.
    fn len(&self) -> usize;

    /// Returns true if there are no points. See the [example](crate::DynGroup).
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls [`Bases::backend`](bucketwheel::Bases::backend). For two groups, returns the first group's backend. The
    /// [example](crate::DynGroup) uses it.
    fn backend(&self) -> Backend;

    /// Calls [`Bases::write_table`](bucketwheel::Bases::write_table).
    /// The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`Bases::write_table`](bucketwheel::Bases::write_table); [`io::ErrorKind::Unsupported`] for two
    /// groups, each of which needs a table of its own.
    fn write_table(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// A stream of points of one group or both.
pub trait DynStream: Send {
    /// Calls [`Stream::update`](bucketwheel::Stream::update) and
    /// [`PairStream::update`](bucketwheel::PairStream::update). The [example](crate::DynGroup) uses
    /// it.
    ///
    /// # Errors
    /// The errors of [`Stream::update`](bucketwheel::Stream::update), of [`Points::raw`](bucketwheel::Points::raw) and
    /// of [`Scalars::raw`](bucketwheel::Scalars::raw).
    ///
    /// # Panics
    /// If points of a group are missing.
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError>;

    /// Calls [`Stream::flush`](bucketwheel::Stream::flush). The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// The errors of [`Stream::flush`](bucketwheel::Stream::flush).
    fn flush(&mut self) -> Result<Vec<AnySum>, GroupError>;

    /// Calls [`Stream::resume`](bucketwheel::Stream::resume), with the sums of each group.
    /// The [example](crate::DynGroup) uses it.
    ///
    /// # Errors
    /// [`Error::Records`], [`Error::CoordinateRange`], [`Error::NotOnCurve`] if the bytes are no sum, with its group.
    ///
    /// # Panics
    /// If the sum of a group is missing.
    fn resume<'a>(
        self: Box<Self>,
        len: usize,
        sums: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynStream + 'a>, GroupError>
    where
        Self: 'a;

    /// Calls [`Stream::plan`](bucketwheel::Stream::plan). The [example](crate::DynGroup) uses it.
    fn plan(&self) -> StreamPlan;

    /// Calls [`Stream::backend`](bucketwheel::Stream::backend). The [example](crate::DynGroup) uses it.
    fn backend(&self) -> Backend;

    /// Calls [`Stream::len`](bucketwheel::Stream::len). The [example](crate::DynGroup) uses it.
    fn len(&self) -> usize;

    /// Returns true if no point was taken yet. See the [example](crate::DynGroup).
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
