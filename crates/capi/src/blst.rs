//! The multi-scalar multiplications of blst, with blst's arguments: `include/bucketwheel_blst.h`.

use std::ffi::c_void;

use bucketwheel::{Error as EngineError, Form, Infinity, PointLayout};
use bucketwheel_circuit::check_fork;
use bucketwheel_dynamic::{AnyPoints, AnyScalars};

use crate::abi::*;
use crate::border::{self, Room};
use crate::error::Error;
use crate::layout::{coordinate_bytes, sum_bytes, SumLayout};
use crate::options::{self, Coordinates, Options};
use crate::prepared::Prepared;

/// A scalar of BLS12-381, little-endian words.
type Words = [u64; 4];

/// Most bits of a scalar: more than any program needs, and few enough that the number of bytes cannot overflow.
pub(crate) const MAX_BITS: usize = 1 << 16;

/// The order of the groups of BLS12-381.
const ORDER: Words =
    [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];

/// Computes a sum of points of G1.
///
/// # Safety
/// - `ret` is NULL or points to a `blst_p1` that nobody else uses during the call.
/// - `points` and `scalars` are NULL or point to pointers, up to `npoints` or to a NULL, to `blst_p1_affine` and to scalars of `nbits`
///   bits in whole bytes. The last pointer before a NULL points to all the rest, one after the other.
/// - Nobody changes or frees these pointers, points and scalars during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_blst_p1s_mult_pippenger(
    ret: *mut c_void,
    points: *const *const c_void,
    npoints: usize,
    scalars: *const *const c_void,
    nbits: usize,
    _scratch: *mut c_void,
) -> bw_status {
    // SAFETY: `ret` is NULL or has the bytes of a sum in G1, which only this call uses. `points` and `scalars` point to
    // pointers to records, as `sum` demands.
    unsafe { sum(BW_GROUP_G1, ret, (points, npoints), (scalars, nbits)) }
}

/// Computes a sum of points of G2.
///
/// # Safety
/// - `ret` is NULL or points to a `blst_p2` that nobody else uses during the call.
/// - `points` and `scalars` are NULL or point to pointers, up to `npoints` or to a NULL, to `blst_p2_affine` and to scalars of `nbits`
///   bits in whole bytes. The last pointer before a NULL points to all the rest, one after the other.
/// - Nobody changes or frees these pointers, points and scalars during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_blst_p2s_mult_pippenger(
    ret: *mut c_void,
    points: *const *const c_void,
    npoints: usize,
    scalars: *const *const c_void,
    nbits: usize,
    _scratch: *mut c_void,
) -> bw_status {
    // SAFETY: `ret` is NULL or has the bytes of a sum in G2, which only this call uses. `points` and `scalars` point to
    // pointers to records, as `sum` demands.
    unsafe { sum(BW_GROUP_G2, ret, (points, npoints), (scalars, nbits)) }
}

/// Writes the sum of points in a group.
///
/// # Safety
/// - `ret` is NULL or points to the bytes of a Jacobian sum, which nobody else uses during the call.
/// - `points` and `scalars` keep the contract of [`Gathered::new`], with `count` affine points and `count` scalars of `bits` bits.
unsafe fn sum(
    group: u32,
    ret: *mut c_void,
    (points, count): (*const *const c_void, usize),
    (scalars, bits): (*const *const c_void, usize),
) -> bw_status {
    border::call(|| {
        let (curve, group) = options::kind(BW_CURVE_BLS12_381, group)?;
        let size = sum_bytes(curve, group, Coordinates::Jacobian);
        let (form, coordinates) = (BW_FORM_MONTGOMERY, BW_JACOBIAN);
        let out = bw_sums { data: ret, size, form, coordinates };
        // SAFETY: `ret` is NULL or has the `size` bytes of a Jacobian sum, which nobody else uses during the call.
        let room = unsafe { Room::new(out, 1, size) }?;
        let compute = || {
            check_fork()?;
            if bits > MAX_BITS {
                return Err(Error::Bits(bits));
            }
            let stride = 2 * coordinate_bytes(curve, group);
            // SAFETY: there are `count` points of `stride` bytes and `count` scalars of `bits` bits, behind pointers as blst has them.
            // Their slices end with this call.
            let (points, scalars) = unsafe {
                let points = Gathered::new(points, count, stride, "points")?;
                (points, Gathered::new(scalars, count, bits.div_ceil(8), "scalars")?)
            };
            let integers = reduced(scalars.bytes(), count, bits)?;
            let layout = PointLayout { stride, form: Form::Montgomery, infinity: Infinity::Zeros };
            let options = Options::default();
            let bases = Prepared::new(curve, group, &[AnyPoints::raw(points.bytes(), layout)], &options)?;
            let sums = bases.sum(AnyScalars::integers(&integers), &options)?;
            SumLayout::new(&out)?.bytes(curve, &sums)
        };
        match border::caught(compute) {
            Ok(bytes) => {
                room.write(&bytes);
                Ok(())
            }
            Err(error) => {
                // Callers were written for a function without errors, so these bytes must not pass for a point.
                room.write(&vec![0xff; size]);
                Err(error)
            }
        }
    })
}

/// Records that lie one after the other, in place or as a copy.
enum Gathered<'a> {
    There(&'a [u8]),
    Copied(Vec<u8>),
}

impl<'a> Gathered<'a> {
    /// Returns `count` records of `size` bytes each, in blst's form: a pointer to each record, up to a null pointer.
    /// The last pointer before the null one points to all remaining records, one after the other.
    ///
    /// # Safety
    /// - `pointers` is NULL or points to `count` pointers, at any address, or to fewer and a null one.
    /// - Each is NULL or points to `size` initialised bytes; the last one before a null one to the bytes of all other
    ///   records, too.
    /// - Nobody changes or frees pointers and bytes as long as the result is used.
    unsafe fn new(
        pointers: *const *const c_void,
        count: usize,
        size: usize,
        what: &'static str,
    ) -> Result<Self, Error> {
        if count == 0 {
            return Ok(Gathered::There(&[]));
        }
        // SAFETY: `index` is below `count`, and no pointer before it was null, so entry `index` exists; nobody changes
        // it.
        let pointer = |index: usize| unsafe { border::read(pointers.wrapping_add(index), what) };
        let first = pointer(0)?;
        let alone = count == 1 || pointer(1)?.is_null();
        if alone {
            // SAFETY: the first pointer is also the last one, so it points to all `count` records.
            return Ok(Gathered::There(unsafe { border::bytes(first, count, size, what) }?));
        }
        let mut copied = Vec::new();
        let total = count.saturating_mul(size);
        copied.try_reserve_exact(total).map_err(|_| EngineError::OutOfMemory { bytes: total })?;
        let mut index = 0;
        while index < count {
            let at = pointer(index)?;
            let rest = if index + 1 < count && pointer(index + 1)?.is_null() { count - index } else { 1 };
            // SAFETY: `at` points to one record, or to all `rest` remaining records if the next pointer is null.
            copied.extend_from_slice(unsafe { border::bytes(at, rest, size, what) }?);
            index += rest;
        }
        Ok(Gathered::Copied(copied))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Gathered::There(bytes) => bytes,
            Gathered::Copied(bytes) => bytes,
        }
    }
}

/// Scalars of `bits` bits modulo the order, as bytes of four words each.
fn reduced(bytes: &[u8], count: usize, bits: usize) -> Result<Vec<u8>, Error> {
    let total = count.saturating_mul(size_of::<Words>());
    let mut reduced = Vec::new();
    reduced.try_reserve_exact(total).map_err(|_| EngineError::OutOfMemory { bytes: total })?;
    if bits == 0 {
        reduced.resize(total, 0);
        return Ok(reduced);
    }
    for scalar in bytes.chunks_exact(bits.div_ceil(8)) {
        // Bits beyond the last bit of the scalar are ignored.
        let byte = |index: usize| scalar[index] & (0xff >> (8 * (index + 1)).saturating_sub(bits));
        let mut words = Words::default();
        if bits <= 8 * size_of::<Words>() {
            (0..scalar.len()).for_each(|i| words[i / 8] |= u64::from(byte(i)) << (8 * (i % 8)));
            while !is_reduced(&words) {
                subtract_order(&mut words);
            }
        } else {
            // Bit by bit, from the highest.
            for bit in (0..8 * scalar.len()).rev() {
                double_and_add(&mut words, byte(bit / 8) >> (bit % 8) & 1);
            }
        }
        reduced.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    Ok(reduced)
}

fn is_reduced(words: &Words) -> bool {
    words.iter().rev().lt(ORDER.iter().rev())
}

/// Subtracts the order from words that are not below it.
fn subtract_order(words: &mut Words) {
    let mut borrow = false;
    for (word, order) in words.iter_mut().zip(ORDER) {
        let (less, first) = word.overflowing_sub(order);
        let (less, second) = less.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (less, first || second);
    }
}

/// Returns twice the words plus a bit. The words are below the order, which has 255 bits.
fn double_and_add(words: &mut Words, bit: u8) {
    let mut carry = u64::from(bit);
    for word in words.iter_mut() {
        (*word, carry) = (*word << 1 | carry, *word >> 63);
    }
    if !is_reduced(words) {
        subtract_order(words);
    }
}
