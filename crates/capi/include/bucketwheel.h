/* Bucketwheel's multi-scalar multiplication (MSM): sums of scalars times points of elliptic curves. docs/c.md has a program.
 *
 * The test `header` generates this file from crates/capi; UPDATE_HEADER=1 writes it again.
 *
 * Errors. Functions return BW_OK or an error; bw_error_message() returns its message on the same thread. A call that fails has
 * written nothing. Wrong points, scalars, files, numbers or codes are an error, and never make a call crash.
 *
 * Pointers. A pointer may be NULL only if the comment allows it; otherwise NULL is an error. Other pointers point to the object
 * that their type or the comment names, at any address. Handles come from this library and are not freed yet. Nobody changes
 * memory that a call reads before the call returns.
 *
 * Threads. Any number of threads may call all functions at once, also with the same bw_bases and bw_cancel. Only one thread at
 * a time may use a bw_stream. The library has its own threads, one for each CPU that the process may use, or RAYON_NUM_THREADS
 * threads. They start with the first call that needs them and do not survive a fork; after a fork, a call that needs the threads
 * returns BW_ERROR_FORKED.
 *
 * Time depends on scalars and points. Do not use this library if an attacker who measures time must not learn the scalars. */

#ifndef BUCKETWHEEL_H
#define BUCKETWHEEL_H

#include <stddef.h>
#include <stdint.h>

// Value of `bw_error_index` for an error without an index.
#define BW_NO_INDEX SIZE_MAX

// Zero bytes for the option `memory`, where 0 stands for the default. A proof takes little memory, without a bound: proofs with
// large keys take 1.1 to 1.2 times as long, proofs with small keys up to 1.8 times. Bases have no table. A stream is an error that
// names the least number of bytes.
#define BW_MEMORY_LEAST SIZE_MAX

// Number of this interface, part of the shared library's name. `bw_abi_version` returns the number of the loaded
// library.
#define BW_ABI_VERSION 0

// The call succeeded.
#define BW_OK 0

// A pointer is NULL that must not be NULL.
#define BW_ERROR_NULL 1

// Unknown code, invalid size or invalid option.
#define BW_ERROR_ARGUMENT 2

// Unknown curve, or a curve that this build lacks.
#define BW_ERROR_CURVE 3

// The curve does not have this group.
#define BW_ERROR_GROUP 4

// The numbers of points and scalars differ, or exceed the most that a call takes.
#define BW_ERROR_COUNT 5

// The stride is smaller than a point or a scalar.
#define BW_ERROR_STRIDE 6

// The buffer for sums is too small.
#define BW_ERROR_BUFFER 7

// A coordinate of a point is not below the field's modulus; `bw_error_index` returns the point's index.
#define BW_ERROR_COORDINATE 8

// A point is not on the curve; `bw_error_index` returns its index.
#define BW_ERROR_NOT_ON_CURVE 9

// A point is not in the prime-order subgroup; `bw_error_index` returns its index.
#define BW_ERROR_NOT_IN_SUBGROUP 10

// The bytes of a point are not an encoding in its format; `bw_error_index` returns the point's index.
#define BW_ERROR_ENCODING 11

// A scalar is not below the group's order; `bw_error_index` returns its index.
#define BW_ERROR_SCALAR 12

// The system has too little memory, or the option `memory` is too small.
#define BW_ERROR_MEMORY 13

// `bw_cancel_request` was called, or an earlier call of the stream broke off.
#define BW_ERROR_CANCELLED 14

// A file cannot be read or written.
#define BW_ERROR_FILE 15

// The bytes are not points or a table of any known format, or are in another format than the caller named.
#define BW_ERROR_FORMAT 16

// The CPU lacks an instruction set, or the environment variable BUCKETWHEEL_BACKEND has an unknown name.
#define BW_ERROR_BACKEND 17

// A text is not a verification key, not a proof, or does not hold the proof's public signals; `bw_error_index` returns
// the proof's index.
#define BW_ERROR_PROOF 19

// The proving key cannot be used, or has changed since it was loaded.
#define BW_ERROR_KEY 20

// The witness or the WebAssembly is not one of this circuit, or the inputs have no witness.
#define BW_ERROR_WITNESS 21

// The process forked after the library had started its threads; the threads stayed with the parent process.
#define BW_ERROR_FORKED 22

// Internal error. Only this call failed; other handles remain usable.
#define BW_ERROR_INTERNAL 18



#define BW_CURVE_BLS12_381 1

#define BW_CURVE_BLS12_377 2

#define BW_CURVE_BN254 3

#define BW_CURVE_PALLAS 4

#define BW_CURVE_VESTA 5

#define BW_CURVE_GRUMPKIN 6

#define BW_CURVE_JUBJUB 7

#define BW_CURVE_BANDERSNATCH 8

#define BW_CURVE_BLS24_315 9

#define BW_CURVE_BW6_761 10

#define BW_CURVE_TWEEDLEDUM 11

#define BW_CURVE_TWEEDLEDEE 12

#define BW_CURVE_MNT4_298 13

#define BW_CURVE_MNT6_298 14

#define BW_CURVE_MNT4_753 15

#define BW_CURVE_MNT6_753 16

#define BW_CURVE_BW6_761_G2 17

#define BW_CURVE_BLS24_315_G2 18

// Points over the prime field; the only group of a curve that has one group here.
#define BW_GROUP_G1 1

// Points over the quadratic extension.
#define BW_GROUP_G2 2

// Both groups, with the same scalars. An argument for points is then an array of two descriptions, G1 first; a sum is
// a sum in G1, followed by a sum in G2.
#define BW_GROUP_PAIR 3

// Field elements are integers below the modulus, in little-endian words of 64 bits.
#define BW_FORM_CANONICAL 1

// Field elements are in Montgomery form: an element x of w words is stored as x times 2^(64 w) modulo the modulus.
// blst, gnark-crypto, mcl, halo2curves and arkworks compute with this form.
#define BW_FORM_MONTGOMERY 2

// The point at infinity has x and y zero: blst, gnark-crypto, halo2curves.
#define BW_INFINITY_ZEROS 0

// The point at infinity has a nonzero byte at `infinity_offset`: a flag, as in C copies of arkworks' points.
#define BW_INFINITY_FLAG 1

// The point at infinity has a third coordinate, at `infinity_offset`, that is zero: mcl. All other points must have 1
// there; the library does not check this.
#define BW_INFINITY_ZERO_COORDINATE 2

// Sums have the coordinates x and y; the point at infinity has zeros.
#define BW_AFFINE 1

// Sums have the coordinates x, y and z. z is 1, so these are homogeneous coordinates, too; the point at infinity has
// zeros.
#define BW_JACOBIAN 2

// Checks only that coordinates are below the modulus. The caller vouches that all points are on the curve and in the
// prime-order subgroup.
#define BW_CHECK_NONE 0

// Checks the curve's equation. Points may lie outside of the subgroup; sums of these points are right, but take
// longer.
#define BW_CHECK_CURVE 1

// Checks the curve's equation and the prime-order subgroup. This check may take longer than an MSM.
#define BW_CHECK_SUBGROUP 2

// The fastest backend of this CPU, or the backend that the environment variable BUCKETWHEEL_BACKEND names.
#define BW_BACKEND_DEFAULT 0

// 64-bit words, any CPU.
#define BW_BACKEND_PORTABLE 1

// BMI2 and ADX.
#define BW_BACKEND_ADX 2

// 64-bit Arm.
#define BW_BACKEND_AARCH64 3

#define BW_BACKEND_AVX2 4

// AVX-512 with IFMA.
#define BW_BACKEND_AVX512IFMA 5

// Default: the library chooses by the number of points.
#define BW_DEFAULT 0

#define BW_YES 1

#define BW_NO 2

// Any of the formats below: the format that the bytes name, or else the only format that the bytes fit.
#define BW_FORMAT_DETECT 0

// Bucketwheel's points files, of one group or both.
#define BW_FORMAT_BUCKETWHEEL 1

// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points.
#define BW_FORMAT_ARKWORKS 2

#define BW_FORMAT_ARKWORKS_COMPRESSED 3

// The encoding of BLS12-381 by Zcash and the IETF, point after point.
#define BW_FORMAT_ZCASH 4

#define BW_FORMAT_ZCASH_COMPRESSED 5

// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`.
#define BW_FORMAT_GNARK 6

// Output of gnark-crypto's `Encoder` for a slice of points, compressed, which is the `Encoder`'s default.
#define BW_FORMAT_GNARK_COMPRESSED 7

// A section of snarkjs's powers of tau.
#define BW_FORMAT_PTAU 8

// A section of the text of Ethereum's KZG set-up.
#define BW_FORMAT_KZG 9

// The encoding of Ethereum's precompiles, point after point.
#define BW_FORMAT_EIP2537 10

// A section of the JSON of Ethereum's KZG set-up.
#define BW_FORMAT_KZG_JSON 11

// A whole KZG SRS of gnark-crypto, written by `WriteRawTo`, `WriteTo` or `WriteDump`.
#define BW_FORMAT_GNARK_SRS 12

#define BW_FORMAT_GNARK_SRS_COMPRESSED 13

#define BW_FORMAT_GNARK_SRS_DUMP 14

// A challenge and a response of a powers-of-tau ceremony.
#define BW_FORMAT_CHALLENGE 15

#define BW_FORMAT_RESPONSE 16

// Parameters of halo2's KZG commitments, with raw or processed bytes.
#define BW_FORMAT_HALO2 17

#define BW_FORMAT_HALO2_PROCESSED 18

// A Groth16 proving or verifying key of arkworks.
#define BW_FORMAT_ARKWORKS_KEY 19

#define BW_FORMAT_ARKWORKS_KEY_COMPRESSED 20

// Output of `bw_bases_write_table`: points in the layout of memory, and their copies.
#define BW_FORMAT_TABLE 255

// The key is copied into memory, so later changes of the file or the bytes have no effect.
#define BW_CIRCUIT_COPY 1

// The key's points stay in memory in the form that proofs use: proofs are faster, for more memory (`retained_bytes`).
#define BW_CIRCUIT_RETAIN 2

// Groth16, by its number in snarkjs' keys.
#define BW_PROTOCOL_GROTH16 1

#define BW_SECTION_PTAU_TAU_G1 2

#define BW_SECTION_PTAU_TAU_G2 3

#define BW_SECTION_PTAU_ALPHA_TAU_G1 4

#define BW_SECTION_PTAU_BETA_TAU_G1 5

#define BW_SECTION_PTAU_BETA_G2 6

// Points of the key behind a response, and the generator in a gnark SRS.
#define BW_SECTION_KEY_G1 7

#define BW_SECTION_KEY_G2 8

#define BW_SECTION_KZG_G1_LAGRANGE 16

#define BW_SECTION_KZG_G2_MONOMIAL 17

#define BW_SECTION_KZG_G1_MONOMIAL 18

// Sections of Groth16 keys.
#define BW_SECTION_KEY_ALPHA_G1 32

#define BW_SECTION_KEY_BETA_GAMMA_DELTA_G2 33

#define BW_SECTION_KEY_GAMMA_ABC_G1 34

#define BW_SECTION_KEY_BETA_DELTA_G1 35

#define BW_SECTION_KEY_A_QUERY 36

#define BW_SECTION_KEY_B_G1_QUERY 37

#define BW_SECTION_KEY_B_G2_QUERY 38

#define BW_SECTION_KEY_H_QUERY 39

#define BW_SECTION_KEY_L_QUERY 40



// Index `i` has the coefficient of `X^i`.
#define BW_ORDER_NATURAL 1

// Index `i` has the coefficient of `X^j`, j being i with its `log_size` bits in reverse: gnark's keys.
#define BW_ORDER_BIT_REVERSED 2

// Prepared points of one group or both. Any number of threads may use them at once.
typedef struct bw_bases bw_bases;

// Bytes that a call has made.
typedef struct bw_buffer bw_buffer;

// Handle that asks running calls to stop.
typedef struct bw_cancel bw_cancel;

// A circuit, loaded with its proving key. Any number of threads may use it at once, except during
// `bw_circuit_load_wasm`.
typedef struct bw_circuit bw_circuit;

// A sum of more points than memory holds, in one group or both. Any thread may use it, but only one at a time.
typedef struct bw_stream bw_stream;

// Result of a call: BW_OK or an error code. `bw_error_message` returns the details.
typedef int32_t bw_status;

// Affine points in memory: x at the start, then y, each of `bw_coordinate_bytes`. A coordinate over an extension starts
// with its constant coefficient. BW_CURVE_BLS24_315_G2 has the coefficients of 1, u, v and u v (u^2 = 13, v^2 = u).
typedef struct bw_points {
  // `count` times `stride` bytes, at any address. NULL if there are no points.
  const void *data;
  size_t count;
  // Bytes from one point to the next. 0 stands for the bytes of x, y and the mark of infinity.
  size_t stride;
  // BW_FORM_...
  uint32_t form;
  // BW_INFINITY_...
  uint32_t infinity;
  // Offset of the mark of infinity within a point, in bytes. BW_INFINITY_ZEROS ignores it.
  size_t infinity_offset;
} bw_points;

// Callback for progress: `done` steps of an estimated `total`, which grows. A step is an addition, or work of equal
// weight while points are prepared. Several threads call it at once, after some thousand steps each. It must not
// throw, nor leave by longjmp.
typedef void (*bw_progress)(void *user, size_t done, size_t total);

// Options for preparing points and for sums. Zeros are the right choice: write `bw_options options = {0}`, then set
// its size. NULL stands for these defaults.
typedef struct bw_options {
  // `sizeof(bw_options)`: later versions of the library may have more options.
  size_t size;
  // Most threads of the library that a call uses; 1 stands for the caller's thread alone, 0 for all threads.
  size_t threads;
  // Most copies of the points to keep, each multiplied by a power of two: a table, with which sums need fewer
  // additions. 0 and 1: no table.
  size_t copies;
  // For bases, a number of bytes: the library keeps the table that makes sums fastest within it; 0: no table. For
  // streams, the most bytes of the whole stream; 0 stands for 2^30. For proofs, the most bytes that a proof takes beside
  // its key; 0: no bound, and BW_MEMORY_LEAST: a proof in little memory.
  size_t memory;
  // BW_CHECK_...
  uint32_t check;
  // BW_BACKEND_...
  uint32_t backend;
  // Images of the points under the curve's endomorphism, which halve the length of scalars and double the memory of
  // the points: BW_DEFAULT, BW_YES to keep the images, or BW_NO.
  uint32_t endomorphism;
  // Most bits of a window; 0: the fastest width.
  uint32_t window;
  // Handle that stops the call; NULL: no handle.
  const struct bw_cancel *cancel;
  // Callback for progress; NULL: no callback.
  bw_progress progress;
  // First argument of `progress`.
  void *user;
} bw_options;

// Format, curve, group and section of points in bytes. A zero leaves the property to the bytes, which name it or fit
// only one.
typedef struct bw_source {
  // BW_FORMAT_...
  uint32_t format;
  // BW_CURVE_..., or 0.
  uint32_t curve;
  // BW_GROUP_..., or 0. Of a points file with both groups, a named group is read alone.
  uint32_t group;
  // BW_SECTION_..., or 0.
  uint32_t section;
} bw_source;

// A table in memory: the bytes of a file that `bw_bases_write_table` wrote.
typedef struct bw_table {
  // `size` bytes. The library uses bytes at a multiple of 64 in place, and copies bytes at other addresses.
  const void *data;
  size_t size;
} bw_table;

// Scalars in memory, each of `bw_scalar_bytes`.
typedef struct bw_scalars {
  // `count` times `stride` bytes, at any address. NULL if there are no scalars.
  const void *data;
  size_t count;
  // Bytes from one scalar to the next. 0 stands for the bytes of a scalar.
  size_t stride;
  // BW_FORM_...
  uint32_t form;
} bw_scalars;

// Buffer for sums, which a call writes one after the other; the sum of a pair in G1 comes before its sum in G2. A call
// that fails writes nothing.
typedef struct bw_sums {
  // Start of the buffer, at any address.
  void *data;
  // Size of the buffer in bytes, at least `bw_sum_bytes` for each sum.
  size_t size;
  // BW_FORM_...
  uint32_t form;
  // BW_AFFINE or BW_JACOBIAN.
  uint32_t coordinates;
} bw_sums;

// Plan of a sum: its windows, additions and memory.
typedef struct bw_plan_result {
  // `sizeof(bw_plan_result)`, set by the caller: later versions of the library may report more.
  size_t size;
  // Bits of the widest window.
  uint32_t window;
  // Number of windows of the longest scalar; with copies, the windows from one copy to the next.
  uint32_t windows;
  // Number of copies of the points, the points themselves included.
  size_t copies;
  // Number of point additions.
  size_t additions;
  // Most bytes of memory that a sum takes beside points and scalars.
  size_t memory_bytes;
  // Bytes of memory of the bases.
  size_t bases_bytes;
} bw_plan_result;

// A Groth16 proof and its public signals: the texts of a proof.json and a public.json, as snarkjs and rapidsnark write
// them.
typedef struct bw_proof {
  const char *proof;
  size_t proof_size;
  const char *public_signals;
  size_t public_size;
} bw_proof;

// Properties of a circuit that the library reports.
typedef struct bw_circuit_properties {
  // `sizeof(bw_circuit_properties)`, set by the caller: later versions of the library may report more.
  size_t size;
  // BW_CURVE_...
  uint32_t curve;
  // BW_PROTOCOL_...
  uint32_t protocol;
  // Length of a witness, the constant 1 included.
  size_t signals;
  // Number of public signals, the constant 1 not included.
  size_t public_signals;
  // Size of the domain, a power of two.
  size_t domain_size;
  // Most bytes of memory that BW_CIRCUIT_RETAIN takes.
  size_t retained_bytes;
} bw_circuit_properties;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library, as "1.2.3".
const char *bw_version(void);

// Returns the number of the library's interface. A program that loads the library by hand compares it with
// BW_ABI_VERSION.
uint32_t bw_abi_version(void);

// Returns the message of this thread's last error: the fault, and the expected value. Never NULL; valid until the
// thread's next error. Calls that succeed do not change it.
const char *bw_error_message(void);

// Returns the index of the first wrong point or scalar of this thread's last error, or BW_NO_INDEX. If the error is in
// a group of a pair, the message names the group.
size_t bw_error_index(void);

// Frees the memory that earlier calls kept for later calls.
void bw_release_memory(void);

// Returns the bytes of a coordinate of a point in G1 or G2; 0 if the curve has no group of this number.
size_t bw_coordinate_bytes(uint32_t curve,
                           uint32_t group);

// Returns the bytes of a scalar; 0 if the curve is unknown.
size_t bw_scalar_bytes(uint32_t curve);

// Returns the bytes of a sum in BW_AFFINE or BW_JACOBIAN coordinates, for a pair the bytes of both sums; 0 if a code
// is unknown.
size_t bw_sum_bytes(uint32_t curve,
                    uint32_t group,
                    uint32_t coordinates);

// Makes a handle with which another thread can stop calls that name it in their options. `bw_cancel_free` frees it.
bw_status bw_cancel_new(struct bw_cancel **out);

// Asks all calls with this handle to stop, for good: they return BW_ERROR_CANCELLED within milliseconds, unless they
// finish first.
bw_status bw_cancel_request(const struct bw_cancel *cancel);

// Frees a handle. NULL is allowed. Calls that started with the handle, and streams, no longer need it.
void bw_cancel_free(struct bw_cancel *cancel);

// Prepares points. `points` is one `bw_points`, or an array of two for a pair. The call reads the points once; the
// caller may free them afterwards. All options except `window` matter.
bw_status bw_bases_from_points(uint32_t curve,
                               uint32_t group,
                               const struct bw_points *points,
                               const struct bw_options *options,
                               struct bw_bases **out);

// Prepares the points of a file in memory. `source` names the known properties of the points; NULL names none. Options
// are as for `bw_bases_from_points`, but a table heeds only `backend`, `threads`, `cancel` and `progress`. The points
// of a table were checked, if at all, when the table was made: the call trusts the table's maker.
bw_status bw_bases_from_bytes(const void *bytes,
                              size_t size,
                              const struct bw_source *source,
                              const struct bw_options *options,
                              struct bw_bases **out);

// Prepares the points of a file, as `bw_bases_from_bytes` does. The handle maps a table's file and uses it in place,
// so nobody may shorten the file before the handle is freed.
bw_status bw_bases_from_file(const char *path,
                             const struct bw_source *source,
                             const struct bw_options *options,
                             struct bw_bases **out);

// Prepares the points of tables in memory. `tables` is one `bw_table`, or an array of two for a pair. The call reads
// all points, to check their digest. The handle uses the tables in place: nobody may change or free their bytes before
// the handle is freed. The options `backend`, `threads`, `cancel` and `progress` matter.
bw_status bw_bases_from_tables(uint32_t curve,
                               uint32_t group,
                               const struct bw_table *tables,
                               const struct bw_options *options,
                               struct bw_bases **out);

// Writes the points and their copies to a table that only this instruction set can read. The file appears whole, and
// keeps the permissions of a file that it replaces; a device or a pipe is written to. A pair is an error: write a
// table for each group.
bw_status bw_bases_write_table(const struct bw_bases *bases,
                               const char *path);

// Returns the number of points, for a pair the number in each group; 0 for NULL.
size_t bw_bases_len(const struct bw_bases *bases);

// Returns the BW_CURVE_... of the points; 0 for NULL.
uint32_t bw_bases_curve(const struct bw_bases *bases);

// Returns the BW_GROUP_... of the points; 0 for NULL.
uint32_t bw_bases_group(const struct bw_bases *bases);

// Returns the BW_BACKEND_... that computes with the points; 0 for NULL.
uint32_t bw_bases_backend(const struct bw_bases *bases);

// Frees bases that no other thread uses. NULL is allowed.
void bw_bases_free(struct bw_bases *bases);

// Computes the sum of each point times its scalar. Over bases of a pair, computes both sums and sorts the scalars
// once. The options `threads`, `window`, `cancel` and `progress` matter.
bw_status bw_msm(const struct bw_bases *bases,
                 const struct bw_scalars *scalars,
                 const struct bw_options *options,
                 const struct bw_sums *sums);

// Computes `count` sums over the same bases; `scalars` is an array of `count` `bw_scalars`.
bw_status bw_msm_many(const struct bw_bases *bases,
                      const struct bw_scalars *scalars,
                      size_t count,
                      const struct bw_options *options,
                      const struct bw_sums *sums);

// Starts a stream of about `points` points; 0 stands for any number. A wrong number makes the stream slower, not its
// sum wrong. The options `threads`, `memory`, `check`, `backend`, `window`, `cancel` and `progress` matter, and apply
// to all calls with the stream.
bw_status bw_stream_new(uint32_t curve,
                        uint32_t group,
                        size_t points,
                        const struct bw_options *options,
                        struct bw_stream **out);

// Starts a stream from a checkpoint: the number `taken` that `bw_stream_len` returned, and the affine sum that
// `bw_stream_flush` wrote. `sums` is one `bw_points` with one point, or an array of two for a pair. Other arguments
// are as for `bw_stream_new`.
bw_status bw_stream_resume(uint32_t curve,
                           uint32_t group,
                           size_t points,
                           size_t taken,
                           const struct bw_points *sums,
                           const struct bw_options *options,
                           struct bw_stream **out);

// Adds points times scalars, now or in a later call; the caller may free both afterwards. `points` is one `bw_points`,
// or an array of two for a pair. If points or scalars have an error, the call adds nothing. After BW_ERROR_CANCELLED
// or BW_ERROR_INTERNAL, the stream gives no more results.
bw_status bw_stream_update(struct bw_stream *stream,
                           const struct bw_points *points,
                           const struct bw_scalars *scalars);

// Writes the sum of everything added so far, for a pair both sums. The caller may add more afterwards.
bw_status bw_stream_flush(struct bw_stream *stream,
                          const struct bw_sums *sums);

// Returns the number of points that a stream has taken, the points of its checkpoint included; 0 for NULL.
size_t bw_stream_len(const struct bw_stream *stream);

// Frees a stream that no other thread uses. NULL is allowed.
void bw_stream_free(struct bw_stream *stream);

// Returns the time and memory of a sum of `n` uniform scalars times points that are prepared with these options. The
// call takes microseconds, or milliseconds if the options set `memory`. `memory_bytes` is an upper bound. It is a
// generous bound with copies, with a choice of the endomorphism or with BW_CHECK_CURVE; then `window` and `additions`
// ignore the option `window`.
bw_status bw_plan(uint32_t curve,
                  uint32_t group,
                  size_t n,
                  const struct bw_options *options,
                  struct bw_plan_result *result);

// Verifies Groth16 proofs of one circuit. Reports the index of the first proof that does not hold, or BW_NO_INDEX if
// all proofs hold. A proof whose points are not in their groups does not hold. The proofs are verified together, with
// random coefficients of 128 bits, on all threads of the library: this takes about a third of the time of separate
// verifications. `key` is the text of a verification_key.json, over BN254 or BLS12-381. A `count` of 0 is
// BW_ERROR_PROOF: an empty batch proves nothing.
bw_status bw_groth16_verify_many(const char *key,
                                 size_t key_size,
                                 const struct bw_proof *proofs,
                                 size_t count,
                                 size_t *first_bad);

// Loads a proving key, a .zkey of snarkjs, over BN254 or BLS12-381. `flags` is a sum of BW_CIRCUIT_... Without
// BW_CIRCUIT_COPY, the file is mapped: nobody may shorten it before the handle is freed. If the file changes
// otherwise, the next proof reports an error.
bw_status bw_circuit_from_file(const char *path,
                               uint32_t flags,
                               struct bw_circuit **out);

// Loads a proving key from memory. Without BW_CIRCUIT_COPY, the handle uses the bytes until it is freed.
bw_status bw_circuit_from_bytes(const void *bytes,
                                size_t size,
                                uint32_t flags,
                                struct bw_circuit **out);

// Returns the properties of a circuit.
bw_status bw_circuit_info(const struct bw_circuit *circuit,
                          struct bw_circuit_properties *result);

// Returns the text of a circuit's verification_key.json.
bw_status bw_circuit_verification_key(const struct bw_circuit *circuit, struct bw_buffer **out);

// Proves that the caller knows a witness, the bytes of a .wtns file. Returns the texts of proof.json and public.json,
// after verifying the proof. The options `memory`, `cancel` and `progress` matter; `memory` bounds all memory except
// the key's, and 0 sets no bound.
bw_status bw_circuit_prove(const struct bw_circuit *circuit,
                           const void *witness,
                           size_t witness_size,
                           const struct bw_options *options,
                           struct bw_buffer **proof,
                           struct bw_buffer **public_signals);

// Compiles a circuit's WebAssembly, which circom made, for `bw_circuit_prove_inputs`. No other thread may use the
// circuit during the call. The options `cancel` and `memory` matter as they do for `bw_circuit_witness`.
// BW_ERROR_ARGUMENT in a build without the feature `witness`.
bw_status bw_circuit_load_wasm(struct bw_circuit *circuit,
                               const void *wasm,
                               size_t wasm_size,
                               const struct bw_options *options);

// Proves that the caller knows inputs of a circuit: `bw_circuit_witness` and `bw_circuit_prove` in one call. `inputs` is
// the text of an input.json. `bw_circuit_load_wasm` must have compiled the circuit's WebAssembly; otherwise, and in a
// build without the feature `witness`, the call is BW_ERROR_ARGUMENT. The options `memory`, `cancel` and `progress`
// matter; `memory` bounds the circuit's memory and then the prover's.
bw_status bw_circuit_prove_inputs(const struct bw_circuit *circuit,
                                  const char *inputs,
                                  size_t inputs_size,
                                  const struct bw_options *options,
                                  struct bw_buffer **proof,
                                  struct bw_buffer **public_signals);

// Verifies proofs of a circuit. Reports the first proof that does not hold, as `bw_groth16_verify_many` does.
bw_status bw_circuit_verify(const struct bw_circuit *circuit,
                            const struct bw_proof *proofs,
                            size_t count,
                            size_t *first_bad);

// Calculates a witness, the bytes of a .wtns file. `wasm` is the circuit's WebAssembly, which circom compiled;
// `inputs` is the text of an input.json. The options `cancel` and `memory` matter; `memory` bounds the circuit's
// memory, and 0 stands for 2 GiB. BW_ERROR_ARGUMENT in a build without the feature `witness`.
bw_status bw_circuit_witness(const void *wasm,
                             size_t wasm_size,
                             const char *inputs,
                             size_t inputs_size,
                             const struct bw_options *options,
                             struct bw_buffer **out);

// Frees a circuit that no other thread uses. NULL is allowed.
void bw_circuit_free(struct bw_circuit *circuit);

// Returns the bytes of a buffer, which stay unchanged until its handle is freed. Texts do not end with a NUL. NULL for
// NULL.
const void *bw_buffer_data(const struct bw_buffer *buffer);

// Returns the number of bytes of a buffer; 0 for NULL.
size_t bw_buffer_size(const struct bw_buffer *buffer);

// Frees a buffer. NULL is allowed.
void bw_buffer_free(struct bw_buffer *buffer);

// Computes the coefficients of the quotient `h = (A B - C) / (X^n - 1)`. A and B are the polynomials of degree below
// `n = 2^log_size` that take the values `a` and `b` on the powers of a root of unity; values that are missing are 0. C takes the
// products of these values. The coefficients, n elements in Montgomery form, are written to `out`, a buffer of `size` bytes, in
// the order BW_ORDER_...; the highest one is 0. `root` is one scalar, the root of unity of order n; NULL is the root of arkworks.
// `threads` and `cancel` of the options matter. The curves are BN254, BLS12-381, BLS12-377 and BW6-761.
bw_status bw_quotient(uint32_t curve,
                      uint32_t log_size,
                      const struct bw_scalars *a,
                      const struct bw_scalars *b,
                      const struct bw_scalars *root,
                      uint32_t order,
                      const struct bw_options *options,
                      void *out,
                      size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BUCKETWHEEL_H */
