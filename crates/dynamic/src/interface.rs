//! The object-safe traits of groups, bases and streams.

use std::io::{self, Seek, Write};

use bucketwheel::{
    AdderKind, Backend, BasesOptions, Check, Error, Form, GroupId, Msm, Plan, Profile, Report, Sample,
    StreamOptions, StreamPlan, TableHeader, TablePlan,
};
use bucketwheel_formats::{Codec, Failure};

use crate::values::{AnyPoints, AnyScalars, AnySum, GroupError};

/// One group of a curve.
pub trait DynGroup: Send + Sync {
    /// Returns the identifier of the group. The [example](crate#plans-tables-and-streams) uses it.
    fn group(&self) -> GroupId;

    /// Returns the 1 of the field that coordinates are in, as they are in the sum of a form ([`AnySum`]): z of a
    /// point whose x and y are affine. See the [example](crate#plans-tables-and-streams).
    fn one(&self, form: Form) -> Vec<u8>;

    /// Calls [`AdderKind::is_for`]. See the [example](crate#plans-tables-and-streams).
    fn has_adder(&self, adder: AdderKind) -> bool;

    /// Calls [`default_backend_of`](bucketwheel::default_backend_of).
    /// The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn default_backend(&self) -> Result<Backend, Error>;

    /// Calls [`Msm::plan`]. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn plan(&self, msm: Msm<'_>, backend: Backend, n: usize) -> Result<Plan, Error>;

    /// Calls [`BasesOptions::plan`]. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn table_plan(&self, options: BasesOptions<'_>, n: usize) -> Result<TablePlan, Error>;

    /// Calls [`Deduplication::memory_bytes`](bucketwheel::Deduplication::memory_bytes).
    /// See the [example](crate#plans-tables-and-streams).
    fn deduplication_bytes(&self, n: usize) -> usize;

    /// Fits costs to samples ([`Costs::fit`](bucketwheel::Costs::fit)) and sets them in a profile ([`Profile::set`]).
    /// See the [example](crate#plans-tables-and-streams).
    fn fit(&self, profile: &mut Profile, backend: Backend, samples: &[Sample]);

    /// Calls [`BasesOptions::verify`]. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there, and the errors of [`Points::raw`](bucketwheel::Points::raw).
    fn verify(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<(), Error>;

    /// Calls [`TableHeader::is_of`]. The [example](crate#plans-tables-and-streams) uses it.
    fn is_of(&self, header: &TableHeader) -> bool;

    /// Calls [`BasesOptions::load`]. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn load(&self, options: BasesOptions<'_>, file: Box<dyn File>) -> Result<Box<dyn DynBases>, Error>;

    /// Returns the points of a file, as [`Points::integers`](bucketwheel::Points::integers) has them
    /// ([`Coder::decode`](bucketwheel_formats::Coder::decode)). See the [example](crate#plans-tables-and-streams).
    ///
    /// # Errors
    /// As there.
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure>;

    /// Returns the bytes of points for a file ([`Coder::encode`](bucketwheel_formats::Coder::encode)).
    /// See the [example](crate#plans-tables-and-streams).
    ///
    /// # Errors
    /// As there, and the errors of [`Points::integers`](bucketwheel::Points::integers).
    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure>;
}

/// Bytes that bases may keep: usually a mapped file.
pub trait File: AsRef<[u8]> + Send + Sync {}

impl<F: AsRef<[u8]> + Send + Sync> File for F {}

/// A place that a table is written to.
pub trait Place: Write + Seek {}

impl<W: Write + Seek> Place for W {}

/// One group, or both of a curve with a pairing: groups that have sums with the same scalars.
pub trait DynGroups: Send + Sync {
    /// Returns the groups, one or two. The [example](crate#plans-tables-and-streams) uses it.
    fn parts(&self) -> Vec<&dyn DynGroup>;

    /// Returns the bits of a scalar. The [example](crate#plans-tables-and-streams) uses it.
    fn scalar_bits(&self) -> u32;

    /// Calls [`BasesOptions::prepare`] with the points of each group. The [example](crate) uses it.
    ///
    /// # Errors
    /// As there, and the errors of [`Points::raw`](bucketwheel::Points::raw).
    ///
    /// # Panics
    /// Unless there are points of each group.
    fn prepare(
        &self,
        options: BasesOptions<'_>,
        points: &[AnyPoints<'_>],
    ) -> Result<Box<dyn DynBases>, GroupError>;

    /// Calls [`BasesOptions::load`] with the table of each group. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// Unless there is a table of each group.
    fn load_all(
        &self,
        options: BasesOptions<'_>,
        tables: Vec<Box<dyn File>>,
    ) -> Result<Box<dyn DynBases>, GroupError>;

    /// Calls [`Msm::start`] and [`Msm::start_pair`]. The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn start<'a>(&self, msm: Msm<'a>, options: StreamOptions) -> Result<Box<dyn DynStream + 'a>, Error>;
}

/// Points of one group or both, prepared.
pub trait DynBases: Send + Sync {
    /// Returns the sum in each group, as [`Msm::run_reported`] and [`Msm::run_pair_reported`]. The [example](crate)
    /// uses it.
    ///
    /// # Errors
    /// As there, and the errors of [`Scalars::raw`](bucketwheel::Scalars::raw).
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error>;

    /// Calls [`Bases::len`](bucketwheel::Bases::len). The [example](crate#plans-tables-and-streams) uses it.
    fn len(&self) -> usize;

    /// Returns true if there are no points. See the [example](crate#plans-tables-and-streams).
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls [`Bases::backend`](bucketwheel::Bases::backend); of two groups, the first group's backend.
    /// The [example](crate#plans-tables-and-streams) uses it.
    fn backend(&self) -> Backend;

    /// Calls [`Bases::write_table`](bucketwheel::Bases::write_table).
    /// The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there; [`io::ErrorKind::Unsupported`] for two groups, of which each has a table of its own.
    fn write_table(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// A stream of points of one group or both.
pub trait DynStream: Send {
    /// Calls [`Stream::update`](bucketwheel::Stream::update) and
    /// [`PairStream::update`](bucketwheel::PairStream::update). The [example](crate#plans-tables-and-streams) uses
    /// it.
    ///
    /// # Errors
    /// As there, and the errors of [`Points::raw`](bucketwheel::Points::raw) and
    /// [`Scalars::raw`](bucketwheel::Scalars::raw).
    ///
    /// # Panics
    /// Unless there are points of each group.
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError>;

    /// Calls [`Stream::flush`](bucketwheel::Stream::flush). The [example](crate#plans-tables-and-streams) uses it.
    ///
    /// # Errors
    /// As there.
    fn flush(&mut self) -> Result<Vec<AnySum>, Error>;

    /// Calls [`Stream::resume`](bucketwheel::Stream::resume), with the sums of each group.
    /// The [example](crate#plans-tables-and-streams) uses it.
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

    /// Calls [`Stream::plan`](bucketwheel::Stream::plan). The [example](crate#plans-tables-and-streams) uses it.
    fn plan(&self) -> StreamPlan;

    /// Calls [`Stream::backend`](bucketwheel::Stream::backend). The [example](crate#plans-tables-and-streams) uses it.
    fn backend(&self) -> Backend;

    /// Calls [`Stream::len`](bucketwheel::Stream::len). The [example](crate#plans-tables-and-streams) uses it.
    fn len(&self) -> usize;

    /// Returns true if no point was taken yet. See the [example](crate#plans-tables-and-streams).
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
