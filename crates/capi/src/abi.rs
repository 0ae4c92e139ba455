//! The constants and types of the header. Codes are integers, not Rust enums, because a caller may pass any number.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_void};

use bucketwheel::Cancel;
use bucketwheel_circuit::Loaded;

/// Number of this interface, part of the shared library's name. `bw_abi_version` returns the number of the loaded
/// library.
pub const BW_ABI_VERSION: u32 = 0;

/// Result of a call: BW_OK or an error code. `bw_error_message` returns the details.
pub type bw_status = i32;

/// The call succeeded.
pub const BW_OK: i32 = 0;
/// A pointer is NULL that must not be NULL.
pub const BW_ERROR_NULL: i32 = 1;
/// Unknown code, invalid size or invalid option.
pub const BW_ERROR_ARGUMENT: i32 = 2;
/// Unknown curve, or a curve that this build lacks.
pub const BW_ERROR_CURVE: i32 = 3;
/// The curve does not have this group.
pub const BW_ERROR_GROUP: i32 = 4;
/// The numbers of points and scalars differ, or exceed the most that a call takes.
pub const BW_ERROR_COUNT: i32 = 5;
/// The stride is smaller than a point or a scalar.
pub const BW_ERROR_STRIDE: i32 = 6;
/// The buffer for sums is too small.
pub const BW_ERROR_BUFFER: i32 = 7;
/// A coordinate of a point is not below the field's modulus; `bw_error_index` returns the point's index.
pub const BW_ERROR_COORDINATE: i32 = 8;
/// A point is not on the curve; `bw_error_index` returns its index.
pub const BW_ERROR_NOT_ON_CURVE: i32 = 9;
/// A point is not in the prime-order subgroup; `bw_error_index` returns its index.
pub const BW_ERROR_NOT_IN_SUBGROUP: i32 = 10;
/// The bytes of a point are not an encoding in its format; `bw_error_index` returns the point's index.
pub const BW_ERROR_ENCODING: i32 = 11;
/// A scalar is not below the group's order; `bw_error_index` returns its index.
pub const BW_ERROR_SCALAR: i32 = 12;
/// The system has too little memory, or the option `memory` is too small.
pub const BW_ERROR_MEMORY: i32 = 13;
/// `bw_cancel_request` was called, or an earlier call of the stream broke off.
pub const BW_ERROR_CANCELLED: i32 = 14;
/// A file cannot be read or written.
pub const BW_ERROR_FILE: i32 = 15;
/// The bytes are not points or a table of any known format, or are in another format than the caller named.
pub const BW_ERROR_FORMAT: i32 = 16;
/// The CPU lacks an instruction set, or the environment variable BUCKETWHEEL_BACKEND has an unknown name.
pub const BW_ERROR_BACKEND: i32 = 17;
/// A text is not a verification key, not a proof, or does not hold the proof's public signals; `bw_error_index` returns
/// the proof's index.
pub const BW_ERROR_PROOF: i32 = 19;
/// The proving key cannot be used, or has changed since it was loaded.
pub const BW_ERROR_KEY: i32 = 20;
/// The witness or the WebAssembly is not one of this circuit, or the inputs have no witness.
pub const BW_ERROR_WITNESS: i32 = 21;
/// The process forked after the library had started its threads; the threads stayed with the parent process.
pub const BW_ERROR_FORKED: i32 = 22;
/// Internal error. Only this call failed; other handles remain usable.
pub const BW_ERROR_INTERNAL: i32 = 18;

/// Value of `bw_error_index` for an error without an index.
pub const BW_NO_INDEX: usize = usize::MAX;

// The numbers of the curves are `bucketwheel::CurveId`'s; a test checks them. cbindgen reads only literals.
pub const BW_CURVE_BLS12_381: u32 = 1;
pub const BW_CURVE_BLS12_377: u32 = 2;
pub const BW_CURVE_BN254: u32 = 3;
pub const BW_CURVE_PALLAS: u32 = 4;
pub const BW_CURVE_VESTA: u32 = 5;
pub const BW_CURVE_GRUMPKIN: u32 = 6;
pub const BW_CURVE_JUBJUB: u32 = 7;
pub const BW_CURVE_BANDERSNATCH: u32 = 8;
pub const BW_CURVE_BLS24_315: u32 = 9;
pub const BW_CURVE_BW6_761: u32 = 10;
pub const BW_CURVE_TWEEDLEDUM: u32 = 11;
pub const BW_CURVE_TWEEDLEDEE: u32 = 12;
pub const BW_CURVE_MNT4_298: u32 = 13;
pub const BW_CURVE_MNT6_298: u32 = 14;
pub const BW_CURVE_MNT4_753: u32 = 15;
pub const BW_CURVE_MNT6_753: u32 = 16;
pub const BW_CURVE_BW6_761_G2: u32 = 17;
pub const BW_CURVE_BLS24_315_G2: u32 = 18;

/// Points over the prime field; the only group of a curve that has one group here.
pub const BW_GROUP_G1: u32 = 1;
/// Points over the quadratic extension.
pub const BW_GROUP_G2: u32 = 2;
/// Both groups, with the same scalars. An argument for points is then an array of two descriptions, G1 first; a sum is
/// a sum in G1, followed by a sum in G2.
pub const BW_GROUP_PAIR: u32 = 3;

/// Field elements are integers below the modulus, in little-endian words of 64 bits.
pub const BW_FORM_CANONICAL: u32 = 1;
/// Field elements are in Montgomery form: an element x of w words is stored as x times 2^(64 w) modulo the modulus.
/// blst, gnark-crypto, mcl, halo2curves and arkworks compute with this form.
pub const BW_FORM_MONTGOMERY: u32 = 2;

/// The point at infinity has x and y zero: blst, gnark-crypto, halo2curves.
pub const BW_INFINITY_ZEROS: u32 = 0;
/// The point at infinity has a nonzero byte at `infinity_offset`: a flag, as in C copies of arkworks' points.
pub const BW_INFINITY_FLAG: u32 = 1;
/// The point at infinity has a third coordinate, at `infinity_offset`, that is zero: mcl. All other points must have 1
/// there; the library does not check this.
pub const BW_INFINITY_ZERO_COORDINATE: u32 = 2;

/// Sums have the coordinates x and y; the point at infinity has zeros.
pub const BW_AFFINE: u32 = 1;
/// Sums have the coordinates x, y and z. z is 1, so these are homogeneous coordinates, too; the point at infinity has
/// zeros.
pub const BW_JACOBIAN: u32 = 2;

/// Checks only that coordinates are below the modulus. The caller vouches that all points are on the curve and in the
/// prime-order subgroup.
pub const BW_CHECK_NONE: u32 = 0;
/// Checks the curve's equation. Points may lie outside of the subgroup; sums of these points are right, but take
/// longer.
pub const BW_CHECK_CURVE: u32 = 1;
/// Checks the curve's equation and the prime-order subgroup. This check may take longer than an MSM.
pub const BW_CHECK_SUBGROUP: u32 = 2;

/// The fastest backend of this CPU, or the backend that the environment variable BUCKETWHEEL_BACKEND names.
pub const BW_BACKEND_DEFAULT: u32 = 0;
/// 64-bit words, any CPU.
pub const BW_BACKEND_PORTABLE: u32 = 1;
/// BMI2 and ADX.
pub const BW_BACKEND_ADX: u32 = 2;
/// 64-bit Arm.
pub const BW_BACKEND_AARCH64: u32 = 3;
pub const BW_BACKEND_AVX2: u32 = 4;
/// AVX-512 with IFMA.
pub const BW_BACKEND_AVX512IFMA: u32 = 5;

/// Default: the library chooses by the number of points.
pub const BW_DEFAULT: u32 = 0;
pub const BW_YES: u32 = 1;
pub const BW_NO: u32 = 2;

/// Any of the formats below: the format that the bytes name, or else the only format that the bytes fit.
pub const BW_FORMAT_DETECT: u32 = 0;
/// Bucketwheel's points files, of one group or both.
pub const BW_FORMAT_BUCKETWHEEL: u32 = 1;
/// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points.
pub const BW_FORMAT_ARKWORKS: u32 = 2;
pub const BW_FORMAT_ARKWORKS_COMPRESSED: u32 = 3;
/// The encoding of BLS12-381 by Zcash and the IETF, point after point.
pub const BW_FORMAT_ZCASH: u32 = 4;
pub const BW_FORMAT_ZCASH_COMPRESSED: u32 = 5;
/// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`.
pub const BW_FORMAT_GNARK: u32 = 6;
/// Output of gnark-crypto's `Encoder` for a slice of points, compressed, which is the `Encoder`'s default.
pub const BW_FORMAT_GNARK_COMPRESSED: u32 = 7;
/// A section of snarkjs's powers of tau.
pub const BW_FORMAT_PTAU: u32 = 8;
/// A section of the text of Ethereum's KZG set-up.
pub const BW_FORMAT_KZG: u32 = 9;
/// The encoding of Ethereum's precompiles, point after point.
pub const BW_FORMAT_EIP2537: u32 = 10;
/// A section of the JSON of Ethereum's KZG set-up.
pub const BW_FORMAT_KZG_JSON: u32 = 11;
/// A whole KZG SRS of gnark-crypto, written by `WriteRawTo`, `WriteTo` or `WriteDump`.
pub const BW_FORMAT_GNARK_SRS: u32 = 12;
pub const BW_FORMAT_GNARK_SRS_COMPRESSED: u32 = 13;
pub const BW_FORMAT_GNARK_SRS_DUMP: u32 = 14;
/// A challenge and a response of a powers-of-tau ceremony.
pub const BW_FORMAT_CHALLENGE: u32 = 15;
pub const BW_FORMAT_RESPONSE: u32 = 16;
/// Parameters of halo2's KZG commitments, with raw or processed bytes.
pub const BW_FORMAT_HALO2: u32 = 17;
pub const BW_FORMAT_HALO2_PROCESSED: u32 = 18;
/// A Groth16 proving or verifying key of arkworks.
pub const BW_FORMAT_ARKWORKS_KEY: u32 = 19;
pub const BW_FORMAT_ARKWORKS_KEY_COMPRESSED: u32 = 20;
/// Output of `bw_bases_write_table`: points in the layout of memory, and their copies.
pub const BW_FORMAT_TABLE: u32 = 255;

/// The key is copied into memory, so later changes of the file or the bytes have no effect.
pub const BW_CIRCUIT_COPY: u32 = 1;
/// The key's points stay in memory in the form that proofs use: proofs are faster, for more memory (`retained_bytes`).
pub const BW_CIRCUIT_RETAIN: u32 = 2;

/// Groth16, by its number in snarkjs' keys.
pub const BW_PROTOCOL_GROTH16: u32 = 1;

pub const BW_SECTION_PTAU_TAU_G1: u32 = 2;
pub const BW_SECTION_PTAU_TAU_G2: u32 = 3;
pub const BW_SECTION_PTAU_ALPHA_TAU_G1: u32 = 4;
pub const BW_SECTION_PTAU_BETA_TAU_G1: u32 = 5;
pub const BW_SECTION_PTAU_BETA_G2: u32 = 6;
/// Points of the key behind a response, and the generator in a gnark SRS.
pub const BW_SECTION_KEY_G1: u32 = 7;
pub const BW_SECTION_KEY_G2: u32 = 8;
pub const BW_SECTION_KZG_G1_LAGRANGE: u32 = 16;
pub const BW_SECTION_KZG_G2_MONOMIAL: u32 = 17;
pub const BW_SECTION_KZG_G1_MONOMIAL: u32 = 18;
/// Sections of Groth16 keys.
pub const BW_SECTION_KEY_ALPHA_G1: u32 = 32;
pub const BW_SECTION_KEY_BETA_GAMMA_DELTA_G2: u32 = 33;
pub const BW_SECTION_KEY_GAMMA_ABC_G1: u32 = 34;
pub const BW_SECTION_KEY_BETA_DELTA_G1: u32 = 35;
pub const BW_SECTION_KEY_A_QUERY: u32 = 36;
pub const BW_SECTION_KEY_B_G1_QUERY: u32 = 37;
pub const BW_SECTION_KEY_B_G2_QUERY: u32 = 38;
pub const BW_SECTION_KEY_H_QUERY: u32 = 39;
pub const BW_SECTION_KEY_L_QUERY: u32 = 40;

/// Affine points in memory: x at the start, then y, each of `bw_coordinate_bytes`. A coordinate over an extension starts
/// with its constant coefficient. BW_CURVE_BLS24_315_G2 has the coefficients of 1, u, v and u v (u^2 = 13, v^2 = u).
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_points {
    /// `count` times `stride` bytes, at any address. NULL if there are no points.
    pub data: *const c_void,
    pub count: usize,
    /// Bytes from one point to the next. 0 stands for the bytes of x, y and the mark of infinity.
    pub stride: usize,
    /// BW_FORM_...
    pub form: u32,
    /// BW_INFINITY_...
    pub infinity: u32,
    /// Offset of the mark of infinity within a point, in bytes. BW_INFINITY_ZEROS ignores it.
    pub infinity_offset: usize,
}

/// Scalars in memory, each of `bw_scalar_bytes`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_scalars {
    /// `count` times `stride` bytes, at any address. NULL if there are no scalars.
    pub data: *const c_void,
    pub count: usize,
    /// Bytes from one scalar to the next. 0 stands for the bytes of a scalar.
    pub stride: usize,
    /// BW_FORM_...
    pub form: u32,
}

/// Buffer for sums, which a call writes one after the other; the sum of a pair in G1 comes before its sum in G2. A call
/// that fails writes nothing.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_sums {
    /// Start of the buffer, at any address.
    pub data: *mut c_void,
    /// Size of the buffer in bytes, at least `bw_sum_bytes` for each sum.
    pub size: usize,
    /// BW_FORM_...
    pub form: u32,
    /// BW_AFFINE or BW_JACOBIAN.
    pub coordinates: u32,
}

/// A Groth16 proof and its public signals: the texts of a proof.json and a public.json, as snarkjs and rapidsnark write
/// them.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_proof {
    pub proof: *const c_char,
    pub proof_size: usize,
    pub public_signals: *const c_char,
    pub public_size: usize,
}

/// Format, curve, group and section of points in bytes. A zero leaves the property to the bytes, which name it or fit
/// only one.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct bw_source {
    /// BW_FORMAT_...
    pub format: u32,
    /// BW_CURVE_..., or 0.
    pub curve: u32,
    /// BW_GROUP_..., or 0. Of a points file with both groups, a named group is read alone.
    pub group: u32,
    /// BW_SECTION_..., or 0.
    pub section: u32,
}

/// A table in memory: the bytes of a file that `bw_bases_write_table` wrote.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_table {
    /// `size` bytes. The library uses bytes at a multiple of 64 in place, and copies bytes at other addresses.
    pub data: *const c_void,
    pub size: usize,
}

/// A circuit, loaded with its proving key. Any number of threads may use it at once, except during
/// `bw_circuit_load_wasm`.
pub struct bw_circuit(pub(crate) Loaded);

/// Bytes that a call has made.
pub struct bw_buffer(pub(crate) Vec<u8>);

/// Properties of a circuit that the library reports.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct bw_circuit_properties {
    /// `sizeof(bw_circuit_properties)`, set by the caller: later versions of the library may report more.
    pub size: usize,
    /// BW_CURVE_...
    pub curve: u32,
    /// BW_PROTOCOL_...
    pub protocol: u32,
    /// Length of a witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, the constant 1 not included.
    pub public_signals: usize,
    /// Size of the domain, a power of two.
    pub domain_size: usize,
    /// Most bytes of memory that BW_CIRCUIT_RETAIN takes.
    pub retained_bytes: usize,
}

/// Handle that asks running calls to stop.
pub struct bw_cancel(pub(crate) Cancel);

/// Callback for progress: `done` steps of an estimated `total`, which grows. A step is an addition, or work of equal
/// weight while points are prepared. Several threads call it at once, after some thousand steps each. It must not
/// throw, nor leave by longjmp.
pub type bw_progress = Option<unsafe extern "C-unwind" fn(user: *mut c_void, done: usize, total: usize)>;

/// Zero bytes for the option `memory`, where 0 stands for the default. A proof takes little memory, without a bound: proofs
/// with large keys take 1.1 to 1.2 times as long, proofs with small keys up to 1.8 times. Bases have no table. A stream
/// is an error that names the least number of bytes.
pub const BW_MEMORY_LEAST: usize = usize::MAX;

/// Options for preparing points and for sums. Zeros are the right choice: write `bw_options options = {0}`, then set
/// its size. NULL stands for these defaults.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_options {
    /// `sizeof(bw_options)`: later versions of the library may have more options.
    pub size: usize,
    /// Most threads of the library that a call uses; 1 stands for the caller's thread alone, 0 for all threads.
    pub threads: usize,
    /// Most copies of the points to keep, each multiplied by a power of two: a table, with which sums need fewer
    /// additions. 0 and 1: no table.
    pub copies: usize,
    /// For bases, a number of bytes: the library keeps the table that makes sums fastest within it; 0: no table. For
    /// streams, the most bytes of the whole stream; 0 stands for 2^30. For proofs, the most bytes that a proof takes beside
    /// its key; 0: no bound, and BW_MEMORY_LEAST: a proof in little memory.
    pub memory: usize,
    /// BW_CHECK_...
    pub check: u32,
    /// BW_BACKEND_...
    pub backend: u32,
    /// Images of the points under the curve's endomorphism, which halve the length of scalars and double the memory of
    /// the points: BW_DEFAULT, BW_YES to keep the images, or BW_NO.
    pub endomorphism: u32,
    /// Most bits of a window; 0: the fastest width.
    pub window: u32,
    /// Handle that stops the call; NULL: no handle.
    pub cancel: *const bw_cancel,
    /// Callback for progress; NULL: no callback.
    pub progress: bw_progress,
    /// First argument of `progress`.
    pub user: *mut c_void,
}

/// Plan of a sum: its windows, additions and memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct bw_plan_result {
    /// `sizeof(bw_plan_result)`, set by the caller: later versions of the library may report more.
    pub size: usize,
    /// Bits of the widest window.
    pub window: u32,
    /// Number of windows of the longest scalar; with copies, the windows from one copy to the next.
    pub windows: u32,
    /// Number of copies of the points, the points themselves included.
    pub copies: usize,
    /// Number of point additions.
    pub additions: usize,
    /// Most bytes of memory that a sum takes beside points and scalars.
    pub memory_bytes: usize,
    /// Bytes of memory of the bases.
    pub bases_bytes: usize,
}
