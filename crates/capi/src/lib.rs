//! `libbucketwheel`: multi-scalar multiplication for C.
//!
//! `include/bucketwheel.h`, made of `abi` and of the functions here, says what they promise; docs/faces.md has a program.
//! Everything unsafe is here, in `border`, and where codes and structures become Rust's: a call turns its pointers into slices
//! there, and its error into a code and a message. What is behind is safe.

#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
// The header says once, for all functions, what pointers promise, and has the names of codes for their documentation.
#![allow(clippy::missing_safety_doc)]

#[allow(missing_docs)]
mod abi;
mod bases;
mod blst;
mod border;
mod circuit;
mod error;
#[allow(missing_docs)]
mod handles;
mod options;
mod plan;
mod quotient;
mod stream;

use std::ffi::{c_char, c_void};

use bucketwheel::Cancel;
use bucketwheel_groth16::TextVerifier;

pub use abi::*;
use bases::{Prepared, SumLayout};
pub use blst::{bw_blst_p1s_mult_pippenger, bw_blst_p2s_mult_pippenger};
use border::Room;
pub use circuit::{
    bw_buffer_data, bw_buffer_free, bw_buffer_size, bw_circuit_free, bw_circuit_from_bytes,
    bw_circuit_from_file, bw_circuit_info, bw_circuit_prove, bw_circuit_verification_key, bw_circuit_verify,
    bw_circuit_witness,
};
pub use handles::{bw_bases, bw_stream};
use options::Options;
pub use quotient::{bw_quotient, BW_ORDER_BIT_REVERSED, BW_ORDER_NATURAL};
use stream::Open;

// What the header says of threads.
const _: () = {
    const fn any_thread<T: Send>() {}
    const fn many_threads<T: Send + Sync>() {}
    many_threads::<bw_bases>();
    many_threads::<bw_cancel>();
    many_threads::<bw_circuit>();
    any_thread::<bw_stream>();
};

/// The version of the library, as "1.2.3".
#[no_mangle]
pub extern "C" fn bw_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    VERSION.as_ptr().cast()
}

/// The number of the library's interface: to be compared with BW_ABI_VERSION where the library is loaded by hand.
#[no_mangle]
pub extern "C" fn bw_abi_version() -> u32 {
    BW_ABI_VERSION
}

/// Message of this thread's last error: what is wrong, what was expected. Never NULL; stays until the thread's next error. Calls
/// that succeed leave it as it is.
#[no_mangle]
pub extern "C" fn bw_error_message() -> *const c_char {
    border::message()
}

/// The index of the first point or scalar that the last error of this thread was about, or BW_NO_INDEX. With more than one wrong
/// it is the first; of a pair, of which group the message says.
#[no_mangle]
pub extern "C" fn bw_error_index() -> usize {
    border::index()
}

/// Frees the memory that earlier calls left for later ones.
#[no_mangle]
pub extern "C" fn bw_release_memory() {
    border::call(|| {
        bucketwheel::release_memory();
        Ok(())
    });
}

/// The bytes of a coordinate of a point in G1 or G2; 0 if there is no such group.
#[no_mangle]
pub extern "C" fn bw_coordinate_bytes(curve: u32, group: u32) -> usize {
    let kind = options::kind(curve, group).ok().filter(|&(_, group)| group.parts().len() == 1);
    kind.map_or(0, |(curve, group)| bases::coordinate_bytes(curve, group))
}

/// The bytes of a scalar; 0 if there is no such curve.
#[no_mangle]
pub extern "C" fn bw_scalar_bytes(curve: u32) -> usize {
    options::kind(curve, BW_GROUP_G1).map_or(0, |(curve, _)| curve.scalar_bytes())
}

/// The bytes of a sum in BW_AFFINE or BW_JACOBIAN coordinates, of a pair those of both sums; 0 if there is none such.
#[no_mangle]
pub extern "C" fn bw_sum_bytes(curve: u32, group: u32, coordinates: u32) -> usize {
    let kind = options::kind(curve, group).and_then(|kind| Ok((kind, options::is_jacobian(coordinates)?)));
    kind.map_or(0, |((curve, group), is_jacobian)| bases::sum_bytes(curve, group, is_jacobian))
}

/// Makes a handle by which another thread stops calls that have it among their options. Freed by `bw_cancel_free`.
#[no_mangle]
pub unsafe extern "C" fn bw_cancel_new(out: *mut *mut bw_cancel) -> bw_status {
    // SAFETY: what the header says of pointers, here and below.
    border::call(|| unsafe { border::create(out, || Ok(bw_cancel(Cancel::new()))) })
}

/// Asks all calls that have it to stop, for good: they return BW_ERROR_CANCELLED within milliseconds, unless they were done first.
#[no_mangle]
pub unsafe extern "C" fn bw_cancel_request(cancel: *const bw_cancel) -> bw_status {
    border::call(|| {
        unsafe { border::handle(cancel, "cancel") }?.0.cancel();
        Ok(())
    })
}

/// Frees a handle; NULL is fine. Calls that have begun with it, and streams, do not need it any more.
#[no_mangle]
pub unsafe extern "C" fn bw_cancel_free(cancel: *mut bw_cancel) {
    unsafe { border::free(cancel) };
}

/// Prepares points, of a pair two times as many: `points` is one `bw_points`, or two. They are read once and not needed any more.
/// All options but `window` matter.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_points(
    curve: u32,
    group: u32,
    points: *const bw_points,
    options: *const bw_options,
    out: *mut *mut bw_bases,
) -> bw_status {
    border::work(|| unsafe {
        border::create(out, || {
            let options = Options::new(options)?;
            let (curve, group) = options::kind(curve, group)?;
            let points = bases::points(curve, group, points)?;
            Ok(bw_bases(Prepared::new(curve, group, &points, &options)?))
        })
    })
}

/// Prepares the points of a file that is in memory. `source` is what is known of it; NULL is nothing. Options are as for
/// `bw_bases_from_points`; a table heeds `backend`, `threads`, `cancel` and `progress` alone, and was checked when it was made, if at
/// all: its points are its maker's word.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_bytes(
    bytes: *const c_void,
    size: usize,
    source: *const bw_source,
    options: *const bw_options,
    out: *mut *mut bw_bases,
) -> bw_status {
    border::work(|| unsafe {
        border::create(out, || {
            let (options, source) = (Options::new(options)?, read_source(source)?);
            let bytes = border::bytes(bytes, size, 1, "bytes")?;
            Ok(bw_bases(Prepared::of_bytes(bytes, source, &options)?))
        })
    })
}

/// Prepares the points of a file, as `bw_bases_from_bytes` does. A table is used where it is, in the file, which nobody may shorten
/// before the handle is freed.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_file(
    path: *const c_char,
    source: *const bw_source,
    options: *const bw_options,
    out: *mut *mut bw_bases,
) -> bw_status {
    border::work(|| unsafe {
        border::create(out, || {
            let (options, source) = (Options::new(options)?, read_source(source)?);
            Ok(bw_bases(Prepared::of_file(border::path(path)?, source, &options)?))
        })
    })
}

unsafe fn read_source(source: *const bw_source) -> Result<bw_source, error::Error> {
    match source.is_null() {
        true => Ok(bw_source::default()),
        false => unsafe { border::read(source, "source") },
    }
}

/// Writes the points and their copies to a table, which this instruction set alone can read. The file appears whole, and keeps the
/// permissions of a file that it replaces; a device or a pipe is written to. Not for pairs, each group of which has a table of its own.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_write_table(bases: *const bw_bases, path: *const c_char) -> bw_status {
    border::work(|| {
        let (bases, path) = unsafe { (border::handle(bases, "bases")?, border::path(path)?) };
        bases.0.write_table(path)
    })
}

/// The number of points, of a pair in each group; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_len(bases: *const bw_bases) -> usize {
    unsafe { bases.as_ref() }.map_or(0, |bases| bases.0.bases.len())
}

/// BW_CURVE_... of the points; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_curve(bases: *const bw_bases) -> u32 {
    unsafe { bases.as_ref() }.map_or(0, |bases| bases.0.curve.code().into())
}

/// BW_GROUP_... of the points; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_group(bases: *const bw_bases) -> u32 {
    unsafe { bases.as_ref() }.map_or(0, |bases| bases.0.group.code().into())
}

/// BW_BACKEND_... that works on the points; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_backend(bases: *const bw_bases) -> u32 {
    unsafe { bases.as_ref() }.map_or(0, |bases| options::backend_code(bases.0.bases.backend()))
}

/// Frees bases, which nobody may be using; NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_free(bases: *mut bw_bases) {
    unsafe { border::free(bases) };
}

/// Computes the sum of scalars[i] times point i; over bases of a pair, the two sums, whose scalars are sorted once. `threads`,
/// `window`, `cancel` and `progress` of the options matter.
#[no_mangle]
pub unsafe extern "C" fn bw_msm(
    bases: *const bw_bases,
    scalars: *const bw_scalars,
    options: *const bw_options,
    sums: *const bw_sums,
) -> bw_status {
    border::work(|| unsafe { msm(bases, scalars, None, options, sums) })
}

/// Computes `count` sums over the same bases, of as many `bw_scalars`.
#[no_mangle]
pub unsafe extern "C" fn bw_msm_many(
    bases: *const bw_bases,
    scalars: *const bw_scalars,
    count: usize,
    options: *const bw_options,
    sums: *const bw_sums,
) -> bw_status {
    border::work(|| unsafe { msm(bases, scalars, Some(count), options, sums) })
}

/// One sum, or a number of them.
unsafe fn msm(
    bases: *const bw_bases,
    scalars: *const bw_scalars,
    many: Option<usize>,
    options: *const bw_options,
    sums: *const bw_sums,
) -> Result<(), error::Error> {
    let (bases, options) = unsafe { (&border::handle(bases, "bases")?.0, Options::new(options)?) };
    let vectors = unsafe { border::read_all(scalars, many.unwrap_or(1), "scalars") }?;
    // Before the work.
    let out = unsafe { border::read(sums, "sums") }?;
    let layout = SumLayout::new(&out)?;
    let sum_bytes = bases::sum_bytes(bases.curve, bases.group, layout.is_jacobian);
    let room = unsafe { Room::new(out, vectors.len(), sum_bytes) }?;
    let mut bytes = Vec::new();
    for (vector, scalars) in vectors.iter().enumerate() {
        let sum =
            unsafe { bases::scalars(bases.curve, scalars) }.and_then(|scalars| bases.sum(scalars, &options));
        let sum = sum.map_err(|error| match many {
            None => error,
            Some(_) => error::Error::Vector { vector, source: error.into() },
        })?;
        bytes.extend(layout.bytes(bases.curve, &sum)?);
    }
    room.write(&bytes);
    Ok(())
}

/// Starts a stream of about `points` points, 0 being any number: another one is slower, not wrong. `threads`, `memory`, `check`,
/// `backend`, `window`, `cancel` and `progress` of the options matter, for all that is done with the stream.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_new(
    curve: u32,
    group: u32,
    points: usize,
    options: *const bw_options,
    out: *mut *mut bw_stream,
) -> bw_status {
    border::work(|| unsafe {
        border::create(out, || {
            let options = Options::new(options)?;
            Ok(bw_stream(Open::new(options::kind(curve, group)?, points, None, options)?))
        })
    })
}

/// Starts a stream that goes on from a checkpoint: `taken` points whose affine sum is known, what `bw_stream_len` and
/// `bw_stream_flush` have told. `sums` is one `bw_points` of one point, for a pair two.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_resume(
    curve: u32,
    group: u32,
    points: usize,
    taken: usize,
    sums: *const bw_points,
    options: *const bw_options,
    out: *mut *mut bw_stream,
) -> bw_status {
    border::work(|| unsafe {
        border::create(out, || {
            let options = Options::new(options)?;
            let (curve, group) = options::kind(curve, group)?;
            let sums = bases::points(curve, group, sums)?;
            if isize::try_from(taken).is_err() {
                return Err(error::Error::Taken(taken));
            }
            Ok(bw_stream(Open::new((curve, group), points, Some((taken, &sums)), options)?))
        })
    })
}

/// Adds points times scalars, at once or later; they are not needed any more. `points` is one `bw_points`, for a pair two. After an
/// error in them nothing is added, after BW_ERROR_CANCELLED or BW_ERROR_INTERNAL nothing more can be had of the stream.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_update(
    stream: *mut bw_stream,
    points: *const bw_points,
    scalars: *const bw_scalars,
) -> bw_status {
    border::work(|| {
        let stream = unsafe { &mut border::handle_mut(stream, "stream")?.0 };
        let points = unsafe { bases::points(stream.curve, stream.group, points) }?;
        let scalars = unsafe { border::read(scalars, "scalars") }?;
        let scalars = unsafe { bases::scalars(stream.curve, &scalars) }?;
        Ok(stream.with(|stream| stream.update(&points, scalars))?)
    })
}

/// Tells the sum of all that was added so far, of a pair both. More may be added then.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_flush(stream: *mut bw_stream, sums: *const bw_sums) -> bw_status {
    border::work(|| {
        let stream = unsafe { &mut border::handle_mut(stream, "stream")?.0 };
        let out = unsafe { border::read(sums, "sums") }?;
        let layout = SumLayout::new(&out)?;
        let sum_bytes = bases::sum_bytes(stream.curve, stream.group, layout.is_jacobian);
        let room = unsafe { Room::new(out, 1, sum_bytes) }?;
        let sum = stream.with(|stream| stream.flush())?;
        room.write(&layout.bytes(stream.curve, &sum)?);
        Ok(())
    })
}

/// The number of points that a stream has taken, those of its checkpoint included; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_len(stream: *const bw_stream) -> usize {
    unsafe { stream.as_ref() }.map_or(0, |stream| stream.0.len())
}

/// Frees a stream, which nobody may be using; NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn bw_stream_free(stream: *mut bw_stream) {
    unsafe { border::free(stream) };
}

/// Tells what a sum of `n` uniform scalars times points that are prepared with these options will take. Costs microseconds, or with
/// `memory` among the options milliseconds. `memory_bytes` is a bound; with copies, a choice on the endomorphism or BW_CHECK_CURVE
/// it is a generous one, and `window` and `additions` leave the option `window` out of account.
#[no_mangle]
pub unsafe extern "C" fn bw_plan(
    curve: u32,
    group: u32,
    n: usize,
    options: *const bw_options,
    result: *mut bw_plan_result,
) -> bw_status {
    border::work(|| unsafe {
        border::tell_plan(result, || {
            let options = Options::new(options)?;
            let (curve, group) = options::kind(curve, group)?;
            plan::plan(curve, group, n, &options)
        })
    })
}

/// Tells the first of some Groth16 proofs of one circuit that does not hold, BW_NO_INDEX if all hold: one whose points are not in
/// their groups does not. They are verified together, with random coefficients of 128 bits, on all threads of the library: that
/// takes about a third of the time that one after the other take. `key` is the text of a verification_key.json, over BN254 or
/// BLS12-381. No proofs are BW_ERROR_PROOF: a batch of none proves nothing.
#[no_mangle]
pub unsafe extern "C" fn bw_groth16_verify_many(
    key: *const c_char,
    key_size: usize,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| unsafe {
        border::tell(first_bad, "first_bad", || {
            let key = border::bytes(key.cast(), key_size, 1, "key")?;
            let claims = circuit::claims(proofs, count)?;
            let bad = TextVerifier::new(key)?.first_bad(&claims)?;
            Ok(bad.map_or(BW_NO_INDEX, |bad| bad.index))
        })
    })
}
