//! What `msm` does over one group, and over both.

use std::ops::Range;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::CurveGroup;
use ark_ff::Field;
use bucketwheel::{
    AdderKind, Backend, BasesOptions, Cancel, Check, CoordinateField, Curve, Deduplication,
    Error as EngineError, GroupId, Msm, PairStream, PairSums, Points, Scalars, Stream, StreamOptions,
    StreamPlan,
};

use super::input::Input;
use crate::args::msm::MsmArgs;
use crate::domain::{group_of, Both, Domain, Integers, One};
use crate::error::Error;
use crate::format::{decode_points, encode_points};
use crate::output::{Point, Sum};

/// Points of one group on their way into a stream.
pub enum Part<'f, C: Curve> {
    /// As they are in the file.
    Integers(&'f [u8]),
    /// Decoded.
    Affine(Vec<Affine<C>>),
}

impl<'f, C: Curve> Part<'f, C> {
    fn read(input: &'f Input<'_>, body: usize, range: &Range<usize>) -> Result<Self, Error> {
        match input.is_ours() {
            true => Ok(Part::Integers(input.bytes(body, range))),
            false => input.decode(body, range).map(Part::Affine),
        }
    }

    fn points(&self) -> Points<'_, C> {
        match self {
            Part::Integers(bytes) => Points::Integers(bytes),
            Part::Affine(points) => Points::Affine(points),
        }
    }

    /// Whether something is wrong with these points.
    fn is_bad(&self, check: Check) -> bool {
        let verify = |points: &[Affine<C>]| BasesOptions::new().check(check).verify(points).is_err();
        match self {
            Part::Integers(bytes) => {
                !decode_points(group_of::<C>(), bytes).is_ok_and(|points| !verify(&points))
            }
            Part::Affine(points) => verify(points),
        }
    }
}

/// What one group and both have in common.
pub trait Groups: Domain {
    /// The engine's stream.
    type Stream<'a>: Send;
    /// Points of each group.
    type Parts<'f>: Send + Sync;
    /// The sum in each group.
    type Sums: Copy + Send;

    /// The points of a file.
    ///
    /// # Errors
    /// For the first one that does not decode, or if cancelled.
    fn read(input: &Input<'_>, cancel: &Cancel) -> Result<Self::Points, Error>;

    /// What an MSM takes beyond the files if all is in memory: points, decoded and in the lanes, what [`Msm::plan`]
    /// says, and what finds equal points.
    ///
    /// # Errors
    /// The engine's.
    fn memory_bytes(args: &MsmArgs, backend: Backend, count: usize) -> Result<usize, EngineError>;

    /// Starts a stream.
    ///
    /// # Errors
    /// The engine's.
    fn start<'a>(msm: Msm<'a>, options: StreamOptions) -> Result<Self::Stream<'a>, EngineError>;

    /// What the stream will do, and on which instruction set.
    fn plan(stream: &Self::Stream<'_>) -> (StreamPlan, Backend);

    /// Takes points whose sums are known.
    fn resume<'a>(stream: Self::Stream<'a>, len: usize, sums: Self::Sums) -> Self::Stream<'a>;

    /// Some points of the file.
    ///
    /// # Errors
    /// For the first one that does not decode.
    fn parts<'f>(input: &'f Input<'_>, range: &Range<usize>) -> Result<Self::Parts<'f>, Error>;

    /// Adds points to the stream.
    ///
    /// # Errors
    /// The engine's, and the group.
    fn update(
        stream: &mut Self::Stream<'_>,
        parts: &Self::Parts<'_>,
        scalars: &[Integers<Self>],
        check: Check,
    ) -> Result<(), (GroupId, EngineError)>;

    /// The sums so far.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`].
    fn flush(stream: &mut Self::Stream<'_>) -> Result<Self::Sums, EngineError>;

    /// The sums as they are shown.
    fn sum(sums: Self::Sums) -> Sum;

    /// The sums in the bytes of a points file, one group after the other.
    ///
    /// # Errors
    /// [`EngineError::OutOfMemory`].
    fn encode(sums: Self::Sums) -> Result<Vec<u8>, EngineError>;

    /// The sums in these bytes; none if these are other bytes.
    fn decode(bytes: &[u8]) -> Option<Self::Sums>;
}

impl<C: Curve> Groups for One<C> {
    type Stream<'a> = Stream<'a, C>;
    type Parts<'f> = Part<'f, C>;
    type Sums = Projective<C>;

    fn read(input: &Input<'_>, cancel: &Cancel) -> Result<Self::Points, Error> {
        input.all(0, cancel)
    }

    fn memory_bytes(args: &MsmArgs, backend: Backend, count: usize) -> Result<usize, EngineError> {
        let equal = if args.deduplicate { Deduplication::memory_bytes::<C>(count) } else { 0 };
        Ok(count * (size_of::<Affine<C>>() + layout_bytes::<C>(args.engine.adder))
            + args.msm().plan::<C>(backend, count)?.memory_bytes
            + equal)
    }

    fn start<'a>(msm: Msm<'a>, options: StreamOptions) -> Result<Self::Stream<'a>, EngineError> {
        msm.start(options)
    }

    fn plan(stream: &Self::Stream<'_>) -> (StreamPlan, Backend) {
        (stream.plan(), stream.backend())
    }

    fn resume<'a>(stream: Self::Stream<'a>, len: usize, sums: Self::Sums) -> Self::Stream<'a> {
        stream.resume(len, sums)
    }

    fn parts<'f>(input: &'f Input<'_>, range: &Range<usize>) -> Result<Self::Parts<'f>, Error> {
        Part::read(input, 0, range)
    }

    fn update(
        stream: &mut Self::Stream<'_>,
        parts: &Self::Parts<'_>,
        scalars: &[Integers<Self>],
        _check: Check,
    ) -> Result<(), (GroupId, EngineError)> {
        stream.update(parts.points(), Scalars::Integers(scalars)).map_err(|error| (group_of::<C>(), error))
    }

    fn flush(stream: &mut Self::Stream<'_>) -> Result<Self::Sums, EngineError> {
        stream.flush()
    }

    fn sum(sums: Self::Sums) -> Sum {
        Sum::One(Point::new(sums))
    }

    fn encode(sums: Self::Sums) -> Result<Vec<u8>, EngineError> {
        let mut bytes = Vec::new();
        encode_points(&[sums.into_affine()], &mut bytes)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8]) -> Option<Self::Sums> {
        let points: Vec<Affine<C>> = decode_points(group_of::<C>(), bytes).ok()?;
        let [point] = points[..] else { return None };
        point.is_on_curve().then(|| point.into())
    }
}

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> Groups for Both<C, D> {
    type Stream<'a> = PairStream<'a, C, D>;
    type Parts<'f> = (Part<'f, C>, Part<'f, D>);
    type Sums = PairSums<C, D>;

    fn read(input: &Input<'_>, cancel: &Cancel) -> Result<Self::Points, Error> {
        Ok((input.all(0, cancel)?, input.all(1, cancel)?))
    }

    fn memory_bytes(args: &MsmArgs, backend: Backend, count: usize) -> Result<usize, EngineError> {
        Ok(One::<C>::memory_bytes(args, backend, count)? + One::<D>::memory_bytes(args, backend, count)?)
    }

    fn start<'a>(msm: Msm<'a>, options: StreamOptions) -> Result<Self::Stream<'a>, EngineError> {
        msm.start_pair(options)
    }

    fn plan(stream: &Self::Stream<'_>) -> (StreamPlan, Backend) {
        (stream.plan(), stream.backend())
    }

    fn resume<'a>(stream: Self::Stream<'a>, len: usize, sums: Self::Sums) -> Self::Stream<'a> {
        stream.resume(len, sums)
    }

    fn parts<'f>(input: &'f Input<'_>, range: &Range<usize>) -> Result<Self::Parts<'f>, Error> {
        Ok((Part::read(input, 0, range)?, Part::read(input, 1, range)?))
    }

    fn update(
        stream: &mut Self::Stream<'_>,
        parts: &Self::Parts<'_>,
        scalars: &[Integers<Self>],
        check: Check,
    ) -> Result<(), (GroupId, EngineError)> {
        stream.update((parts.0.points(), parts.1.points()), Scalars::Integers(scalars)).map_err(|error| {
            // The engine looks at the first group first.
            let group = if parts.0.is_bad(check) { group_of::<C>() } else { group_of::<D>() };
            (group, error)
        })
    }

    fn flush(stream: &mut Self::Stream<'_>) -> Result<Self::Sums, EngineError> {
        stream.flush()
    }

    fn sum(sums: Self::Sums) -> Sum {
        Sum::Both { g1: Point::new(sums.0), g2: Point::new(sums.1) }
    }

    fn encode(sums: Self::Sums) -> Result<Vec<u8>, EngineError> {
        Ok([One::<C>::encode(sums.0)?, One::<D>::encode(sums.1)?].concat())
    }

    fn decode(bytes: &[u8]) -> Option<Self::Sums> {
        let (first, second) = bytes.split_at_checked(bytes.len() / 3)?;
        Some((One::<C>::decode(first)?, One::<D>::decode(second)?))
    }
}

/// The bytes of a point in the lanes, at most, in all forms that the adder asks for.
fn layout_bytes<C: Curve>(adder: AdderKind) -> usize {
    let degree = C::BaseField::extension_degree() as usize;
    let words = size_of::<<C::BaseField as CoordinateField>::Words>() / degree;
    (2 + adder.own_coordinates()) * degree * words.next_multiple_of(64)
}
