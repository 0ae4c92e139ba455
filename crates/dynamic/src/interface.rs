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
    /// Identifier of the group.
    fn group(&self) -> GroupId;

    /// The 1 of the field that coordinates are in, as they are in the sum of a form ([`AnySum`]): z of a point whose x and y are
    /// affine.
    fn one(&self, form: Form) -> Vec<u8>;

    /// As [`AdderKind::is_for`].
    fn has_adder(&self, adder: AdderKind) -> bool;

    /// As [`default_backend_of`](bucketwheel::default_backend_of).
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

    /// As [`Deduplication::memory_bytes`](bucketwheel::Deduplication::memory_bytes).
    fn deduplication_bytes(&self, n: usize) -> usize;

    /// Fits costs to samples ([`Costs::fit`](bucketwheel::Costs::fit)) and sets them in a profile ([`Profile::set`]).
    fn fit(&self, profile: &mut Profile, backend: Backend, samples: &[Sample]);

    /// As [`BasesOptions::verify`].
    ///
    /// # Errors
    /// As there, and the errors of [`Points::raw`](bucketwheel::Points::raw).
    fn verify(&self, options: BasesOptions<'_>, points: AnyPoints<'_>) -> Result<(), Error>;

    /// As [`TableHeader::is_of`].
    fn is_of(&self, header: &TableHeader) -> bool;

    /// As [`BasesOptions::load`].
    ///
    /// # Errors
    /// As there.
    fn load(&self, options: BasesOptions<'_>, file: Box<dyn File>) -> Result<Box<dyn DynBases>, Error>;

    /// The points of a file, as [`Points::integers`](bucketwheel::Points::integers) has them ([`Coder::decode`](bucketwheel_formats::Coder::decode)).
    ///
    /// # Errors
    /// As there.
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure>;

    /// The bytes of points for a file ([`Coder::encode`](bucketwheel_formats::Coder::encode)).
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
    /// The groups, one or two.
    fn parts(&self) -> Vec<&dyn DynGroup>;

    /// The bits of a scalar.
    fn scalar_bits(&self) -> u32;

    /// As [`BasesOptions::prepare`], of the points of each group.
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
    /// As there, and the errors of [`Scalars::raw`](bucketwheel::Scalars::raw).
    fn run(&self, msm: Msm<'_>, scalars: AnyScalars<'_>) -> Result<(Vec<AnySum>, Report), Error>;

    /// As [`Bases::len`](bucketwheel::Bases::len).
    fn len(&self) -> usize;

    /// Returns true if there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Bases::backend`](bucketwheel::Bases::backend); of two groups, the first group's backend.
    fn backend(&self) -> Backend;

    /// As [`Bases::write_table`](bucketwheel::Bases::write_table).
    ///
    /// # Errors
    /// As there; [`io::ErrorKind::Unsupported`] for two groups, of which each has a table of its own.
    fn write_table(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// A stream of points of one group or both.
pub trait DynStream: Send {
    /// As [`Stream::update`](bucketwheel::Stream::update) and [`PairStream::update`](bucketwheel::PairStream::update).
    ///
    /// # Errors
    /// As there, and the errors of [`Points::raw`](bucketwheel::Points::raw) and
    /// [`Scalars::raw`](bucketwheel::Scalars::raw).
    ///
    /// # Panics
    /// Unless there are points of each group.
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), GroupError>;

    /// As [`Stream::flush`](bucketwheel::Stream::flush).
    ///
    /// # Errors
    /// As there.
    fn flush(&mut self) -> Result<Vec<AnySum>, Error>;

    /// As [`Stream::resume`](bucketwheel::Stream::resume), with the sums of each group.
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

    /// As [`Stream::plan`](bucketwheel::Stream::plan).
    fn plan(&self) -> StreamPlan;

    /// As [`Stream::backend`](bucketwheel::Stream::backend).
    fn backend(&self) -> Backend;

    /// As [`Stream::len`](bucketwheel::Stream::len).
    fn len(&self) -> usize;

    /// Returns true if no point was taken yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
