//! Prepared points, and sums over them: `bw_bases_...`, `bw_msm`, `bw_msm_many`.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_void};

use bucketwheel_dynamic::File as Bytes;

use crate::abi::*;
use crate::border::{self, Place};
use crate::error::Error;
use crate::layout::{self, Sums};
use crate::options::{self, Options};
use crate::prepared::Prepared;

/// Prepared points of one group or both. Any number of threads may use them at once.
pub struct bw_bases(pub(crate) Prepared);

/// Prepares points. `points` is one `bw_points`, or an array of two for a pair. The call reads the points once; the
/// caller may free them afterwards. All options except `window` matter.
///
/// # Safety
/// - `points` is NULL or points to one `bw_points`, for a pair to two; `data` of each is NULL or points to `count` times `stride` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees the memory of `points`, of each `data` and of `options` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_points(
    curve: u32,
    group: u32,
    points: *const bw_points,
    options: *const bw_options,
    out: *mut Option<Box<bw_bases>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that only this call uses, and `options` to `size` bytes and a handle or
        // NULL.
        let (out, options) = unsafe { (Place::new(out, "out")?, Options::new(options)?) };
        let (curve, group) = options::kind(curve, group)?;
        // SAFETY: `points` points to a `bw_points` for each part of the group, and each `data` to `count` times `stride` bytes. The
        // slices end with this call.
        let points = unsafe { layout::points(curve, group, points) }?;
        out.give(bw_bases(Prepared::new(curve, group, &points, &options)?));
        Ok(())
    })
}

/// Prepares the points of a file in memory. `source` names the known properties of the points; NULL names none. Options
/// are as for `bw_bases_from_points`, but a table heeds only `backend`, `threads`, `cancel` and `progress`. The points
/// of a table were checked, if at all, when the table was made: the call trusts the table's maker.
///
/// # Safety
/// - `bytes` is NULL or points to `size` bytes.
/// - `source` is NULL or points to a `bw_source`.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees the memory of `bytes`, `source` and `options` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_bytes(
    bytes: *const c_void,
    size: usize,
    source: *const bw_source,
    options: *const bw_options,
    out: *mut Option<Box<bw_bases>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that only this call uses, `options` to `size` bytes and a handle or NULL,
        // `source` to a `bw_source`, and `bytes` to `size` bytes, whose slice ends with this call.
        let (out, options, source, bytes) = unsafe {
            let (out, options) = (Place::new(out, "out")?, Options::new(options)?);
            (out, options, read_source(source)?, border::bytes(bytes, size, 1, "bytes")?)
        };
        out.give(bw_bases(Prepared::of_bytes(bytes, source, &options)?));
        Ok(())
    })
}

/// Prepares the points of a file, as `bw_bases_from_bytes` does. The handle maps a table's file and uses it in place,
/// so nobody may shorten the file before the handle is freed.
///
/// # Safety
/// - `path` is NULL or points to a name that ends with a NUL.
/// - `source` is NULL or points to a `bw_source`.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees the memory of `path`, `source` and `options` during the call.
/// - Nobody shortens a table's file before the handle is freed.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_file(
    path: *const c_char,
    source: *const bw_source,
    options: *const bw_options,
    out: *mut Option<Box<bw_bases>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that only this call uses, `options` to `size` bytes and a handle or NULL,
        // `source` to a `bw_source`, and `path` to a name that ends with a NUL, which is used within this call.
        let (out, options, source, path) = unsafe {
            let (out, options) = (Place::new(out, "out")?, Options::new(options)?);
            (out, options, read_source(source)?, border::path(path)?)
        };
        out.give(bw_bases(Prepared::of_file(path, source, &options)?));
        Ok(())
    })
}

/// Prepares the points of tables in memory. `tables` is one `bw_table`, or an array of two for a pair. The call reads
/// all points, to check their digest. The handle uses the tables in place: nobody may change or free their bytes before
/// the handle is freed. The options `backend`, `threads`, `cancel` and `progress` matter.
///
/// # Safety
/// - `tables` is NULL or points to one `bw_table`, for a pair to two; `data` of each is NULL or points to `size` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees `tables` and `options` during the call, or the bytes of a table before the handle is
///   freed.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_from_tables(
    curve: u32,
    group: u32,
    tables: *const bw_table,
    options: *const bw_options,
    out: *mut Option<Box<bw_bases>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that only this call uses, and `options` to `size` bytes and a handle or
        // NULL.
        let (out, options) = unsafe { (Place::new(out, "out")?, Options::new(options)?) };
        let (curve, group) = options::kind(curve, group)?;
        // SAFETY: `tables` points to a `bw_table` for each part of the group.
        let tables = unsafe { border::read_all(tables, group.parts().len(), "tables") }?;
        let lend = |table: &bw_table| {
            // SAFETY: `data` points to `size` bytes. The handle uses them until it is freed, and nobody changes or
            // frees the bytes before.
            let bytes: &'static [u8] = unsafe { border::bytes(table.data, table.size, 1, "tables.data") }?;
            Ok(Box::new(bytes) as Box<dyn Bytes>)
        };
        let tables = tables.iter().map(lend).collect::<Result<_, Error>>()?;
        out.give(bw_bases(Prepared::of_tables(curve, group, tables, &options)?));
        Ok(())
    })
}

/// Reads the known properties of bytes; NULL stands for no known property.
///
/// # Safety
/// - `source` is NULL or points to a [`bw_source`], at any address, which nobody changes during the call.
unsafe fn read_source(source: *const bw_source) -> Result<bw_source, Error> {
    match source.is_null() {
        true => Ok(bw_source::default()),
        // SAFETY: the pointer is not NULL, so it points to a `bw_source`, which nobody changes.
        false => unsafe { border::read(source, "source") },
    }
}

/// Writes the points and their copies to a table that only this instruction set can read. The file appears whole, and
/// keeps the permissions of a file that it replaces; a device or a pipe is written to. A pair is an error: write a
/// table for each group.
///
/// # Safety
/// - `path` is NULL or points to a name that ends with a NUL, which nobody changes or frees during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_bases_write_table(bases: Option<&bw_bases>, path: *const c_char) -> bw_status {
    border::work(|| {
        let bases = border::given(bases, "bases")?;
        // SAFETY: `path` points to a name that ends with a NUL, which is used within this call.
        let path = unsafe { border::path(path) }?;
        bases.0.write_table(path)
    })
}

/// Returns the number of points, for a pair the number in each group; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_bases_len(bases: Option<&bw_bases>) -> usize {
    bases.map_or(0, |bases| bases.0.bases.len())
}

/// Returns the BW_CURVE_... of the points; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_bases_curve(bases: Option<&bw_bases>) -> u32 {
    bases.map_or(0, |bases| bases.0.curve.code().into())
}

/// Returns the BW_GROUP_... of the points; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_bases_group(bases: Option<&bw_bases>) -> u32 {
    bases.map_or(0, |bases| bases.0.group.code().into())
}

/// Returns the BW_BACKEND_... that computes with the points; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_bases_backend(bases: Option<&bw_bases>) -> u32 {
    bases.map_or(0, |bases| options::backend_code(bases.0.bases.backend()))
}

/// Frees bases that no other thread uses. NULL is allowed.
#[no_mangle]
pub extern "C" fn bw_bases_free(bases: Option<Box<bw_bases>>) {
    border::free(bases);
}

/// Computes the sum of each point times its scalar. Over bases of a pair, computes both sums and sorts the scalars
/// once. The options `threads`, `window`, `cancel` and `progress` matter.
///
/// # Safety
/// - `scalars` is NULL or points to a `bw_scalars`, whose `data` is NULL or points to `count` times `stride` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `sums` is NULL or points to a `bw_sums`, whose `data` is NULL or points to `size` bytes that nobody else uses during the call.
/// - Nobody changes or frees the memory of `scalars`, its `data`, `options` and `sums` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_msm(
    bases: Option<&bw_bases>,
    scalars: *const bw_scalars,
    options: *const bw_options,
    sums: *const bw_sums,
) -> bw_status {
    border::work(|| {
        let bases = &border::given(bases, "bases")?.0;
        // SAFETY: `options` points to `size` bytes and a handle or NULL, `scalars` to one `bw_scalars` and its `count`
        // times `stride` bytes, whose slice ends with this call, and `sums` to a `bw_sums` and its `size` bytes, which
        // only this call uses.
        let (options, scalars, sums) = unsafe {
            let (options, scalars) = (Options::new(options)?, layout::scalars(bases.curve, scalars)?);
            (options, scalars, Sums::new(sums, bases.curve, bases.group, 1)?)
        };
        sums.write(&bases.sum(scalars, &options)?)
    })
}

/// Computes `count` sums over the same bases; `scalars` is an array of `count` `bw_scalars`.
///
/// # Safety
/// - `scalars` is NULL or points to `count` of `bw_scalars`; `data` of each is NULL or points to its `count` times `stride` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `sums` is NULL or points to a `bw_sums`, whose `data` is NULL or points to `size` bytes that nobody else uses during the call.
/// - Nobody changes or frees the memory of `scalars`, each `data`, `options` and `sums` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_msm_many(
    bases: Option<&bw_bases>,
    scalars: *const bw_scalars,
    count: usize,
    options: *const bw_options,
    sums: *const bw_sums,
) -> bw_status {
    border::work(|| {
        let bases = &border::given(bases, "bases")?.0;
        // SAFETY: `options` points to `size` bytes and a handle or NULL, `scalars` to `count` of `bw_scalars` and the
        // bytes of each, whose slices end with this call, and `sums` to a `bw_sums` and its `size` bytes, which only
        // this call uses.
        let (options, vectors, sums) = unsafe {
            let (options, vectors) = (Options::new(options)?, layout::vectors(bases.curve, scalars, count)?);
            (options, vectors, Sums::new(sums, bases.curve, bases.group, count)?)
        };
        let mut found = Vec::new();
        for (vector, scalars) in vectors.into_iter().enumerate() {
            let sum = scalars.and_then(|scalars| bases.sum(scalars, &options));
            found.extend(sum.map_err(|error| Error::Vector { vector, source: error.into() })?);
        }
        sums.write(&found)
    })
}
