//! Sums of more points than memory holds: `bw_stream_...`.

#![allow(non_camel_case_types)]

use bucketwheel::{CurveId, GroupId};
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars, AnySum, DynStream};
use self_cell::self_cell;

use crate::abi::*;
use crate::border::{self, Place};
use crate::error::Error;
use crate::layout::{self, Sums};
use crate::options::{self, Options};

/// A sum of more points than memory holds, of one group or both. One thread may use it at a time, whichever.
pub struct bw_stream(pub(crate) Open);

/// Starts a stream of about `points` points, 0 being any number: another one is slower, not wrong. `threads`, `memory`, `check`,
/// `backend`, `window`, `cancel` and `progress` of the options matter, for all that is done with the stream.
///
/// # Safety
/// - `options` is NULL or points to a struct of `options.size` bytes, which nobody changes or frees during the call; its `cancel` is
///   NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_new(
    curve: u32,
    group: u32,
    points: usize,
    options: *const bw_options,
    out: *mut Option<Box<bw_stream>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's, and `options` to `size` bytes and a handle or NULL.
        let (out, options) = unsafe { (Place::new(out, "out")?, Options::new(options)?) };
        out.give(bw_stream(Open::new(options::kind(curve, group)?, points, None, options)?));
        Ok(())
    })
}

/// Starts a stream that goes on from a checkpoint: `taken` points whose affine sum is known, from `bw_stream_len` and
/// `bw_stream_flush`. `sums` is one `bw_points` of one point, for a pair two.
///
/// # Safety
/// - `sums` is NULL or points to one `bw_points`, for a pair to two; `data` of each is NULL or points to `count` times `stride` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_resume(
    curve: u32,
    group: u32,
    points: usize,
    taken: usize,
    sums: *const bw_points,
    options: *const bw_options,
    out: *mut Option<Box<bw_stream>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's, and `options` to `size` bytes and a handle or NULL.
        let (out, options) = unsafe { (Place::new(out, "out")?, Options::new(options)?) };
        let (curve, group) = options::kind(curve, group)?;
        // SAFETY: `sums` points to a `bw_points` for each part of the group, and each `data` to `count` times `stride` bytes. The
        // slices end with this call.
        let sums = unsafe { layout::points(curve, group, sums) }?;
        if isize::try_from(taken).is_err() {
            return Err(Error::Taken(taken));
        }
        out.give(bw_stream(Open::new((curve, group), points, Some((taken, &sums)), options)?));
        Ok(())
    })
}

/// Adds points times scalars, at once or later; they are not needed any more. `points` is one `bw_points`, for a pair two. After an
/// error in them nothing is added, after BW_ERROR_CANCELLED or BW_ERROR_INTERNAL nothing more can be had of the stream.
///
/// # Safety
/// - `points` is NULL or points to one `bw_points`, for a pair to two; `data` of each is NULL or points to `count` times `stride` bytes.
/// - `scalars` is NULL or points to a `bw_scalars`, whose `data` is NULL or points to `count` times `stride` bytes.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_update(
    stream: Option<&mut bw_stream>,
    points: *const bw_points,
    scalars: *const bw_scalars,
) -> bw_status {
    border::work(|| {
        let stream = &mut border::given(stream, "stream")?.0;
        // SAFETY: `points` points to a `bw_points` for each part of the stream's group, `scalars` to one `bw_scalars`, and `data` of
        // each to `count` times `stride` bytes. The slices end with this call.
        let (points, scalars) = unsafe {
            let points = layout::points(stream.curve, stream.group, points)?;
            (points, layout::scalars(stream.curve, scalars)?)
        };
        stream.update(&points, scalars)
    })
}

/// Tells the sum of all that was added so far, of a pair both. More may be added then.
///
/// # Safety
/// - `sums` is NULL or points to a `bw_sums`, which nobody changes during the call.
/// - Its `data` is NULL or points to `size` bytes that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_flush(stream: Option<&mut bw_stream>, sums: *const bw_sums) -> bw_status {
    border::work(|| {
        let stream = &mut border::given(stream, "stream")?.0;
        // SAFETY: `sums` points to a `bw_sums`, which nobody changes, and its `data` to `size` bytes, which are the call's.
        let sums = unsafe { Sums::new(sums, stream.curve, stream.group, 1) }?;
        sums.write(&stream.flush()?)
    })
}

/// The number of points that a stream has taken, with the points of its checkpoint; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_stream_len(stream: Option<&bw_stream>) -> usize {
    stream.map_or(0, |stream| stream.0.len())
}

/// Frees a stream, which nobody may be using; NULL is fine.
#[no_mangle]
pub extern "C" fn bw_stream_free(stream: Option<Box<bw_stream>>) {
    border::free(stream);
}

type Inner<'a> = Box<dyn DynStream + 'a>;

self_cell! {
    struct OptionsAndStream {
        owner: Options,
        #[not_covariant]
        dependent: Inner,
    }
}

/// A stream.
pub struct Open {
    curve: CurveId,
    group: GroupId,
    stream: OptionsAndStream,
}

impl Open {
    /// A stream of about `points` points, which may have taken some whose sum is known.
    fn new(
        (curve, group): (CurveId, GroupId),
        points: usize,
        taken: Option<(usize, &[AnyPoints<'_>])>,
        options: Options,
    ) -> Result<Self, Error> {
        let stream = OptionsAndStream::try_new(options, |options| {
            let stream = groups(curve, group)?.start(options.msm(), options.stream(points))?;
            Ok::<_, Error>(match taken {
                None => stream,
                Some((len, sums)) => stream.resume(len, sums)?,
            })
        })?;
        Ok(Open { curve, group, stream })
    }

    /// Adds points times scalars.
    fn update(&mut self, points: &[AnyPoints<'_>], scalars: AnyScalars<'_>) -> Result<(), Error> {
        Ok(self.stream.with_dependent_mut(|_, stream| stream.update(points, scalars))?)
    }

    /// Returns the sums so far, in each group.
    fn flush(&mut self) -> Result<Vec<AnySum>, Error> {
        Ok(self.stream.with_dependent_mut(|_, stream| stream.flush())?)
    }

    /// The points taken so far.
    fn len(&self) -> usize {
        self.stream.with_dependent(|_, stream| stream.len())
    }
}
