//! `libbucketwheel`: multi-scalar multiplication and Groth16 proofs for C.
//!
//! `include/bucketwheel.h` is generated from `abi` and from the `bw_` functions here and in the modules, and states
//! their contract; docs/c.md has a program. The type of a handle says who owns it: `Option<&T>` is shared,
//! `Option<&mut T>` is one thread's, and `Option<Box<T>>` is given or taken. Other pointers are raw. A function turns raw pointers
//! into slices, places and options at its start, in one `unsafe` block, with `border`, `layout` and `options`; the rest
//! is safe. `border` turns an error into a code and a message.
//!
//! # Where changes go
//! - A function: the module of its handle (`bases`, `stream`, `plan`, `circuit`) or of its subject (`quotient`), and
//!   its name in `pub use` here. The test `header` makes `include/bucketwheel.h`; `UPDATE_HEADER=1` writes it again.
//! - blst's own functions: `blst.rs` and `include/bucketwheel_blst.h`.
//! - A constant for a curve, a format or a backend: `abi.rs`; a backend also needs a line in `options.rs`. A change
//!   that breaks programs: `BW_ABI_VERSION` in `abi.rs`.
//! - Pointers and panics: `border.rs`; errors and their codes: `error.rs`; points and scalars in the caller's memory:
//!   `layout.rs`; circom's WebAssembly: `calculator.rs`.

#![warn(missing_docs)]
// A build without a pairing-friendly curve leaves some functions unused.
#![cfg_attr(not(any(feature = "bn254", feature = "bls12-381")), allow(unused))]

#[allow(missing_docs)]
mod abi;
mod blst;
mod border;
mod calculator;
mod error;
mod layout;
mod options;
mod prepared;

// The functions, one module after the other, in the order of the header.
mod bases;

mod stream;

mod plan;

mod circuit;

mod quotient;

use std::ffi::c_char;

use bucketwheel::Cancel;

pub use abi::*;
pub use bases::{
    bw_bases, bw_bases_backend, bw_bases_curve, bw_bases_free, bw_bases_from_bytes, bw_bases_from_file,
    bw_bases_from_points, bw_bases_from_tables, bw_bases_group, bw_bases_len, bw_bases_write_table, bw_msm,
    bw_msm_many,
};
pub use blst::{bw_blst_p1s_mult_pippenger, bw_blst_p2s_mult_pippenger};
use border::Place;
pub use circuit::{
    bw_buffer_data, bw_buffer_free, bw_buffer_size, bw_circuit_free, bw_circuit_from_bytes,
    bw_circuit_from_file, bw_circuit_info, bw_circuit_load_wasm, bw_circuit_prove, bw_circuit_prove_inputs,
    bw_circuit_verification_key, bw_circuit_verify, bw_circuit_witness, bw_groth16_verify_many,
};
pub use plan::bw_plan;
pub use quotient::{bw_quotient, BW_ORDER_BIT_REVERSED, BW_ORDER_NATURAL};
pub use stream::{
    bw_stream, bw_stream_flush, bw_stream_free, bw_stream_len, bw_stream_new, bw_stream_resume,
    bw_stream_update,
};

// The header promises that threads may share these types.
const _: () = {
    const fn any_thread<T: Send>() {}
    const fn many_threads<T: Send + Sync>() {}
    many_threads::<bw_bases>();
    many_threads::<bw_cancel>();
    many_threads::<bw_circuit>();
    any_thread::<bw_stream>();
};

/// Returns the version of the library, as "1.2.3".
#[no_mangle]
pub extern "C" fn bw_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    VERSION.as_ptr().cast()
}

/// Returns the number of the library's interface. A program that loads the library by hand compares it with
/// BW_ABI_VERSION.
#[no_mangle]
pub extern "C" fn bw_abi_version() -> u32 {
    BW_ABI_VERSION
}

/// Returns the message of this thread's last error: the fault, and the expected value. Never NULL; valid until the
/// thread's next error. Calls that succeed do not change it.
#[no_mangle]
pub extern "C" fn bw_error_message() -> *const c_char {
    border::message()
}

/// Returns the index of the first wrong point or scalar of this thread's last error, or BW_NO_INDEX. If the error is in
/// a group of a pair, the message names the group.
#[no_mangle]
pub extern "C" fn bw_error_index() -> usize {
    border::index()
}

/// Frees the memory that earlier calls kept for later calls.
#[no_mangle]
pub extern "C" fn bw_release_memory() {
    border::call(|| {
        bucketwheel::release_memory();
        Ok(())
    });
}

/// Returns the bytes of a coordinate of a point in G1 or G2; 0 if the curve has no group of this number.
#[no_mangle]
pub extern "C" fn bw_coordinate_bytes(curve: u32, group: u32) -> usize {
    let kind = options::kind(curve, group).ok().filter(|&(_, group)| group.parts().len() == 1);
    kind.map_or(0, |(curve, group)| layout::coordinate_bytes(curve, group))
}

/// Returns the bytes of a scalar; 0 if the curve is unknown.
#[no_mangle]
pub extern "C" fn bw_scalar_bytes(curve: u32) -> usize {
    options::kind(curve, BW_GROUP_G1).map_or(0, |(curve, _)| curve.scalar_bytes())
}

/// Returns the bytes of a sum in BW_AFFINE or BW_JACOBIAN coordinates, for a pair the bytes of both sums; 0 if a code
/// is unknown.
#[no_mangle]
pub extern "C" fn bw_sum_bytes(curve: u32, group: u32, coordinates: u32) -> usize {
    let kind = options::kind(curve, group).and_then(|kind| Ok((kind, options::coordinates(coordinates)?)));
    kind.map_or(0, |((curve, group), coordinates)| layout::sum_bytes(curve, group, coordinates))
}

/// Makes a handle with which another thread can stop calls that name it in their options. `bw_cancel_free` frees it.
///
/// # Safety
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_cancel_new(out: *mut Option<Box<bw_cancel>>) -> bw_status {
    border::call(|| {
        // SAFETY: `out` points to a pointer that only this call uses.
        unsafe { Place::new(out, "out") }?.give(bw_cancel(Cancel::new()));
        Ok(())
    })
}

/// Asks all calls with this handle to stop, for good: they return BW_ERROR_CANCELLED within milliseconds, unless they
/// finish first.
#[no_mangle]
pub extern "C" fn bw_cancel_request(cancel: Option<&bw_cancel>) -> bw_status {
    border::call(|| {
        border::given(cancel, "cancel")?.0.cancel();
        Ok(())
    })
}

/// Frees a handle. NULL is allowed. Calls that started with the handle, and streams, no longer need it.
#[no_mangle]
pub extern "C" fn bw_cancel_free(cancel: Option<Box<bw_cancel>>) {
    border::free(cancel);
}
