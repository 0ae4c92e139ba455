//! The constants and types of the header. Codes are integers, never Rust's enums: any number may come.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_void};

use bucketwheel::Cancel;
use bucketwheel_circuit::Loaded;

/// The number of this interface, which is in the shared library's name. `bw_abi_version` returns the library's
/// number.
pub const BW_ABI_VERSION: u32 = 0;

/// Result of a call: BW_OK or an error, of which `bw_error_message` says more.
pub type bw_status = i32;

/// The call has succeeded.
pub const BW_OK: i32 = 0;
/// A pointer is NULL that may not be.
pub const BW_ERROR_NULL: i32 = 1;
/// A code, a size or an option that there is not.
pub const BW_ERROR_ARGUMENT: i32 = 2;
/// A curve that is not known, or that this build lacks.
pub const BW_ERROR_CURVE: i32 = 3;
/// A group that the curve does not have.
pub const BW_ERROR_GROUP: i32 = 4;
/// The numbers of points and scalars differ, or are more than a call can have.
pub const BW_ERROR_COUNT: i32 = 5;
/// A stride that a point or scalar does not fit in.
pub const BW_ERROR_STRIDE: i32 = 6;
/// A buffer for sums that is too small.
pub const BW_ERROR_BUFFER: i32 = 7;
/// A point has a coordinate that is not below the field's modulus; `bw_error_index` says which point.
pub const BW_ERROR_COORDINATE: i32 = 8;
/// A point is not on the curve; `bw_error_index` says which.
pub const BW_ERROR_NOT_ON_CURVE: i32 = 9;
/// A point is not in the prime-order subgroup; `bw_error_index` says which.
pub const BW_ERROR_NOT_IN_SUBGROUP: i32 = 10;
/// A point is not as its format has points; `bw_error_index` says which.
pub const BW_ERROR_ENCODING: i32 = 11;
/// A scalar is not below the group's order; `bw_error_index` says which.
pub const BW_ERROR_SCALAR: i32 = 12;
/// The system has too little memory, or a stream is given too little.
pub const BW_ERROR_MEMORY: i32 = 13;
/// `bw_cancel_request` was called, or the stream broke off earlier.
pub const BW_ERROR_CANCELLED: i32 = 14;
/// A file cannot be read or written.
pub const BW_ERROR_FILE: i32 = 15;
/// Bytes that are no points or table of a format, or of another one than asked for.
pub const BW_ERROR_FORMAT: i32 = 16;
/// The CPU lacks an instruction set, or the environment variable BUCKETWHEEL_BACKEND has an unknown name.
pub const BW_ERROR_BACKEND: i32 = 17;
/// A text that is no verification key, no proof, or no public signals of it; `bw_error_index` says which proof.
pub const BW_ERROR_PROOF: i32 = 19;
/// A proving key that cannot be used, or has changed since it was loaded.
pub const BW_ERROR_KEY: i32 = 20;
/// A witness that is not one of the circuit, or inputs that have none.
pub const BW_ERROR_WITNESS: i32 = 21;
/// The process has forked since the library's first call that needs threads; they stayed with the other process.
pub const BW_ERROR_FORKED: i32 = 22;
/// A mistake of this library, which nothing else than this call has suffered from.
pub const BW_ERROR_INTERNAL: i32 = 18;

/// Value of `bw_error_index` for errors without an index.
pub const BW_NO_INDEX: usize = usize::MAX;

// The curves' numbers are `bucketwheel::CurveId`'s, as a test checks. cbindgen reads only literals.
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

/// Points over the prime field; the only group of curves without a pairing.
pub const BW_GROUP_G1: u32 = 1;
/// Points over the quadratic extension.
pub const BW_GROUP_G2: u32 = 2;
/// Both, with the same scalars: arguments that are points are two of them, G1 first, and a sum is one in G1, then one in G2.
pub const BW_GROUP_PAIR: u32 = 3;

/// Integers below the modulus, in little-endian words of 64 bits.
pub const BW_FORM_CANONICAL: u32 = 1;
/// The same times 2^(64 w) modulo it, with w words. blst, gnark-crypto, mcl, halo2curves and arkworks compute with
/// this form.
pub const BW_FORM_MONTGOMERY: u32 = 2;

/// The point at infinity has zeros for x and y: blst, gnark-crypto, halo2curves.
pub const BW_INFINITY_ZEROS: u32 = 0;
/// Its byte at `infinity_offset` is not zero: a flag, as in C copies of arkworks' points.
pub const BW_INFINITY_FLAG: u32 = 1;
/// A third coordinate, at `infinity_offset`, is zero: mcl. Of other points it has to be 1, which is not looked at.
pub const BW_INFINITY_ZERO_COORDINATE: u32 = 2;

/// x and y; zeros for the point at infinity.
pub const BW_AFFINE: u32 = 1;
/// x, y and z, which is 1; zeros for the point at infinity. Homogeneous coordinates are the same.
pub const BW_JACOBIAN: u32 = 2;

/// Nothing is checked of points but that coordinates are below the modulus: the caller vouches that they are on the curve and
/// in the prime-order subgroup.
pub const BW_CHECK_NONE: u32 = 0;
/// The curve's equation. Points may lie outside of the subgroup; sums are right for them too, and take longer.
pub const BW_CHECK_CURVE: u32 = 1;
/// The equation and the prime-order subgroup. May take longer than an MSM.
pub const BW_CHECK_SUBGROUP: u32 = 2;

/// The fastest of this CPU, or the backend that the environment variable BUCKETWHEEL_BACKEND names.
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

/// Default: the choice that is right for the number of points.
pub const BW_DEFAULT: u32 = 0;
pub const BW_YES: u32 = 1;
pub const BW_NO: u32 = 2;

/// Any of the formats below: the format that the bytes name, or else the only one that they fit.
pub const BW_FORMAT_DETECT: u32 = 0;
/// Bucketwheel's points files, of one group or both.
pub const BW_FORMAT_BUCKETWHEEL: u32 = 1;
/// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points.
pub const BW_FORMAT_ARKWORKS: u32 = 2;
pub const BW_FORMAT_ARKWORKS_COMPRESSED: u32 = 3;
/// Zcash's and IETF's encoding of BLS12-381, point after point.
pub const BW_FORMAT_ZCASH: u32 = 4;
pub const BW_FORMAT_ZCASH_COMPRESSED: u32 = 5;
/// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`.
pub const BW_FORMAT_GNARK: u32 = 6;
/// The same compressed, its default.
pub const BW_FORMAT_GNARK_COMPRESSED: u32 = 7;
/// A section of snarkjs's powers of tau.
pub const BW_FORMAT_PTAU: u32 = 8;
/// A section of the text of Ethereum's KZG set-up.
pub const BW_FORMAT_KZG: u32 = 9;
/// Ethereum's precompiles, point after point.
pub const BW_FORMAT_EIP2537: u32 = 10;
/// A section of Ethereum's KZG set-up as JSON.
pub const BW_FORMAT_KZG_JSON: u32 = 11;
/// A whole KZG SRS of gnark-crypto, by `WriteRawTo`, `WriteTo` or `WriteDump`.
pub const BW_FORMAT_GNARK_SRS: u32 = 12;
pub const BW_FORMAT_GNARK_SRS_COMPRESSED: u32 = 13;
pub const BW_FORMAT_GNARK_SRS_DUMP: u32 = 14;
/// A challenge and a response of a ceremony for powers of tau.
pub const BW_FORMAT_CHALLENGE: u32 = 15;
pub const BW_FORMAT_RESPONSE: u32 = 16;
/// Parameters of halo2's KZG commitments, with raw bytes or processed.
pub const BW_FORMAT_HALO2: u32 = 17;
pub const BW_FORMAT_HALO2_PROCESSED: u32 = 18;
/// A proving or verifying key of Groth16 by arkworks.
pub const BW_FORMAT_ARKWORKS_KEY: u32 = 19;
pub const BW_FORMAT_ARKWORKS_KEY_COMPRESSED: u32 = 20;
/// Output of `bw_bases_write_table`: points as they lie in memory, and their copies.
pub const BW_FORMAT_TABLE: u32 = 255;

/// The key is copied into memory: later changes of the file or the bytes do not matter.
pub const BW_CIRCUIT_COPY: u32 = 1;
/// The key's points are kept as proofs take them: faster proofs for more memory (`retained_bytes`).
pub const BW_CIRCUIT_RETAIN: u32 = 2;

/// Groth16, as snarkjs' keys number it.
pub const BW_PROTOCOL_GROTH16: u32 = 1;

pub const BW_SECTION_PTAU_TAU_G1: u32 = 2;
pub const BW_SECTION_PTAU_TAU_G2: u32 = 3;
pub const BW_SECTION_PTAU_ALPHA_TAU_G1: u32 = 4;
pub const BW_SECTION_PTAU_BETA_TAU_G1: u32 = 5;
pub const BW_SECTION_PTAU_BETA_G2: u32 = 6;
/// Points of a key behind a response, and the generator in a gnark SRS.
pub const BW_SECTION_KEY_G1: u32 = 7;
pub const BW_SECTION_KEY_G2: u32 = 8;
pub const BW_SECTION_KZG_G1_LAGRANGE: u32 = 16;
pub const BW_SECTION_KZG_G2_MONOMIAL: u32 = 17;
pub const BW_SECTION_KZG_G1_MONOMIAL: u32 = 18;
/// Sections of keys of Groth16.
pub const BW_SECTION_KEY_ALPHA_G1: u32 = 32;
pub const BW_SECTION_KEY_BETA_GAMMA_DELTA_G2: u32 = 33;
pub const BW_SECTION_KEY_GAMMA_ABC_G1: u32 = 34;
pub const BW_SECTION_KEY_BETA_DELTA_G1: u32 = 35;
pub const BW_SECTION_KEY_A_QUERY: u32 = 36;
pub const BW_SECTION_KEY_B_G1_QUERY: u32 = 37;
pub const BW_SECTION_KEY_B_G2_QUERY: u32 = 38;
pub const BW_SECTION_KEY_H_QUERY: u32 = 39;
pub const BW_SECTION_KEY_L_QUERY: u32 = 40;

/// Affine points as they lie in memory: x at the start, then y, each of `bw_coordinate_bytes`; over the quadratic extension first
/// the constant coefficient.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_points {
    /// `count` times `stride` bytes, at any address; NULL for no points.
    pub data: *const c_void,
    pub count: usize,
    /// The bytes from one point to the next. 0: the bytes of x, y and the mark of infinity.
    pub stride: usize,
    /// BW_FORM_...
    pub form: u32,
    /// BW_INFINITY_...
    pub infinity: u32,
    /// Offset in a point of the mark of infinity, in bytes. Not looked at for BW_INFINITY_ZEROS.
    pub infinity_offset: usize,
}

/// Scalars as they lie in memory, each of `bw_scalar_bytes`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_scalars {
    /// `count` times `stride` bytes, at any address; NULL for no scalars.
    pub data: *const c_void,
    pub count: usize,
    /// The bytes from one scalar to the next. 0: the bytes of a scalar.
    pub stride: usize,
    /// BW_FORM_...
    pub form: u32,
}

/// Buffer that sums are written to, one after the other; of a pair, G1's before G2's. Calls that fail write nothing.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_sums {
    /// At any address.
    pub data: *mut c_void,
    /// The bytes that there are, at least `bw_sum_bytes` for each sum.
    pub size: usize,
    /// BW_FORM_...
    pub form: u32,
    /// BW_AFFINE or BW_JACOBIAN.
    pub coordinates: u32,
}

/// A Groth16 proof and its public signals, texts as snarkjs and rapidsnark write them: a proof.json, and a public.json.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_proof {
    pub proof: *const c_char,
    pub proof_size: usize,
    pub public_signals: *const c_char,
    pub public_size: usize,
}

/// Format, curve, group and section of points in bytes. Zeros: the properties that the bytes name, or fit.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct bw_source {
    /// BW_FORMAT_...
    pub format: u32,
    /// BW_CURVE_..., or 0.
    pub curve: u32,
    /// BW_GROUP_..., or 0. One group of a points file of both is read alone.
    pub group: u32,
    /// BW_SECTION_..., or 0.
    pub section: u32,
}

/// A table in memory: the bytes of a file of `bw_bases_write_table`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_table {
    /// `size` bytes. At a multiple of 64, they are used where they are; elsewhere, they are copied.
    pub data: *const c_void,
    pub size: usize,
}

/// A circuit, loaded with its proving key. Any number of threads may use it at once.
pub struct bw_circuit(pub(crate) Loaded);

/// Bytes that a call has made.
pub struct bw_buffer(pub(crate) Vec<u8>);

/// Properties of a circuit.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct bw_circuit_properties {
    /// `sizeof(bw_circuit_properties)`, from the caller: later versions of the library may tell more.
    pub size: usize,
    /// BW_CURVE_...
    pub curve: u32,
    /// BW_PROTOCOL_...
    pub protocol: u32,
    /// The length of a witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, the constant not included.
    pub public_signals: usize,
    /// The size of the domain, a power of two.
    pub domain_size: usize,
    /// Memory that BW_CIRCUIT_RETAIN takes at most.
    pub retained_bytes: usize,
}

/// Asks calls that are under way to stop.
pub struct bw_cancel(pub(crate) Cancel);

/// Is told of `done` steps of an estimated `total`, which grows: additions, or of equal weight where points are prepared. Called
/// by several threads at once, some thousand steps apart. May not throw, nor leave by longjmp.
pub type bw_progress = Option<unsafe extern "C-unwind" fn(user: *mut c_void, done: usize, total: usize)>;

/// Options of the preparation of points and of sums. Zeros are the right choice: `bw_options options = {0}`, then its
/// size. NULL is the same.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct bw_options {
    /// `sizeof(bw_options)`: later versions of the library may have more of them.
    pub size: usize,
    /// The most threads of the library's to use, 1 being the caller's alone; 0: all.
    pub threads: usize,
    /// Copies of points to keep at most, times powers of two: a table, with which sums need fewer additions. 0 and 1: none.
    pub copies: usize,
    /// For bases: keeps the table that makes sums fastest within this number of bytes; 0: none. For streams: the most bytes of
    /// the whole stream; 0 is 2^30.
    pub memory: usize,
    /// BW_CHECK_...
    pub check: u32,
    /// BW_BACKEND_...
    pub backend: u32,
    /// Images of the points under the curve's endomorphism, which halve scalars and double the memory of the points: BW_DEFAULT,
    /// BW_YES to keep them, or BW_NO.
    pub endomorphism: u32,
    /// The bits of a window at most; 0: the fastest.
    pub window: u32,
    /// Handle that stops the call; NULL: none.
    pub cancel: *const bw_cancel,
    /// Callback that is told of progress; NULL: none.
    pub progress: bw_progress,
    /// First argument of `progress`.
    pub user: *mut c_void,
}

/// Plan of a sum: its windows, additions and memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct bw_plan_result {
    /// `sizeof(bw_plan_result)`, from the caller: later versions of the library may tell more.
    pub size: usize,
    /// The bits of the widest window.
    pub window: u32,
    /// The windows of the longest scalar; with copies, the windows from one copy to the next.
    pub windows: u32,
    /// Copies of the points, themselves included.
    pub copies: usize,
    /// Additions of points.
    pub additions: usize,
    /// The most memory that a sum takes, beyond points and scalars.
    pub memory_bytes: usize,
    /// The memory of the bases.
    pub bases_bytes: usize,
}
