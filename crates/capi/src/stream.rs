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

/// A sum of more points than memory holds, in one group or both. Any thread may use it, but only one at a time.
pub struct bw_stream(pub(crate) Open);

/// Starts a stream of about `points` points; 0 stands for any number. A wrong number makes the stream slower, not its
/// sum wrong. The options `threads`, `memory`, `check`, `backend`, `window`, `cancel` and `progress` matter, and apply
/// to all calls with the stream.
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
        // SAFETY: `out` points to a pointer that only this call uses, and `options` to `size` bytes and a handle or
        // NULL.
        let (out, options) = unsafe { (Place::new(out, "out")?, Options::new(options)?) };
        out.give(bw_stream(Open::new(options::kind(curve, group)?, points, None, options)?));
        Ok(())
    })
}

/// Starts a stream from a checkpoint: the number `taken` that `bw_stream_len` returned, and the affine sum that
/// `bw_stream_flush` wrote. `sums` is one `bw_points` with one point, or an array of two for a pair. Other arguments
/// are as for `bw_stream_new`.
///
/// # Safety
/// - `sums` is NULL or points to one `bw_points`, for a pair to two; `data` of each is NULL or points to `count` times `stride` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees the memory of `sums`, each `data` and `options` during the call.
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
        // SAFETY: `out` points to a pointer that only this call uses, and `options` to `size` bytes and a handle or
        // NULL.
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

/// Adds points times scalars, now or in a later call; the caller may free both afterwards. `points` is one `bw_points`,
/// or an array of two for a pair. If points or scalars have an error, the call adds nothing. After BW_ERROR_CANCELLED
/// or BW_ERROR_INTERNAL, the stream gives no more results.
///
/// # Safety
/// - `points` is NULL or points to one `bw_points`, for a pair to two; `data` of each is NULL or points to `count` times `stride` bytes.
/// - `scalars` is NULL or points to a `bw_scalars`, whose `data` is NULL or points to `count` times `stride` bytes.
/// - Nobody changes or frees the memory of `points`, `scalars` and each `data` during the call.
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

/// Writes the sum of everything added so far, for a pair both sums. The caller may add more afterwards.
///
/// # Safety
/// - `sums` is NULL or points to a `bw_sums`, which nobody changes during the call.
/// - Its `data` is NULL or points to `size` bytes that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_flush(stream: Option<&mut bw_stream>, sums: *const bw_sums) -> bw_status {
    border::work(|| {
        let stream = &mut border::given(stream, "stream")?.0;
        // SAFETY: `sums` points to a `bw_sums`, which nobody changes, and its `data` to `size` bytes that only this
        // call uses.
        let sums = unsafe { Sums::new(sums, stream.curve, stream.group, 1) }?;
        sums.write(&stream.flush()?)
    })
}

/// Returns the number of points that a stream has taken, the points of its checkpoint included; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_stream_len(stream: Option<&bw_stream>) -> usize {
    stream.map_or(0, |stream| stream.0.len())
}

/// Frees a stream that no other thread uses. NULL is allowed.
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
    /// Opens a stream of about `points` points, which may continue from a known sum of earlier points.
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

    /// Returns the number of points taken so far.
    fn len(&self) -> usize {
        self.stream.with_dependent(|_, stream| stream.len())
    }
}
