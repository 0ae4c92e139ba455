/* Bucketwheel's multi-scalar multiplication (MSM): sums of scalars times points of elliptic curves. docs/c.md has a program.
 *
 * Made from crates/capi by its test `header`; UPDATE_HEADER=1 writes it again.
 *
 * Errors. Functions return BW_OK or an error; bw_error_message() has its message for the same thread. After an error, nothing has
 * been written. No bytes of points, scalars, files, numbers and codes make a call crash: wrong ones are an error.
 *
 * Pointers are NULL if the comment allows it (otherwise NULL is an error), or they point to the object of the type or the comment,
 * at any address. Handles come from this library and are not freed yet. Nobody changes memory that a call reads before it returns.
 *
 * Threads. All functions may be called by any number of threads at once, also with the same bw_bases and bw_cancel; a bw_stream is
 * for one thread at a time. The library has its own threads, one for each CPU that the process may use, or RAYON_NUM_THREADS of them.
 * They start with the first call that needs them and do not survive a fork; after it, calls that need them are BW_ERROR_FORKED.
 *
 * Time depends on scalars and points. Do not use it if an attacker who measures time must not learn the scalars. */

#ifndef BUCKETWHEEL_H
#define BUCKETWHEEL_H

#include <stddef.h>
#include <stdint.h>

// Value of `bw_error_index` for errors without an index.
#define BW_NO_INDEX SIZE_MAX

// The number of this interface, which is in the shared library's name. `bw_abi_version` returns the library's
// number.
#define BW_ABI_VERSION 0

// The call has succeeded.
#define BW_OK 0

// A pointer is NULL that may not be.
#define BW_ERROR_NULL 1

// A code, a size or an option that there is not.
#define BW_ERROR_ARGUMENT 2

// A curve that is not known, or that this build lacks.
#define BW_ERROR_CURVE 3

// A group that the curve does not have.
#define BW_ERROR_GROUP 4

// The numbers of points and scalars differ, or are more than a call can have.
#define BW_ERROR_COUNT 5

// A stride that a point or scalar does not fit in.
#define BW_ERROR_STRIDE 6

// A buffer for sums that is too small.
#define BW_ERROR_BUFFER 7

// A point has a coordinate that is not below the field's modulus; `bw_error_index` says which point.
#define BW_ERROR_COORDINATE 8

// A point is not on the curve; `bw_error_index` says which.
#define BW_ERROR_NOT_ON_CURVE 9

// A point is not in the prime-order subgroup; `bw_error_index` says which.
#define BW_ERROR_NOT_IN_SUBGROUP 10

// A point is not as its format has points; `bw_error_index` says which.
#define BW_ERROR_ENCODING 11

// A scalar is not below the group's order; `bw_error_index` says which.
#define BW_ERROR_SCALAR 12

// The system has too little memory, or a stream is given too little.
#define BW_ERROR_MEMORY 13

// `bw_cancel_request` was called, or the stream broke off earlier.
#define BW_ERROR_CANCELLED 14

// A file cannot be read or written.
#define BW_ERROR_FILE 15

// Bytes that are no points or table of a format, or of another one than asked for.
#define BW_ERROR_FORMAT 16

// The CPU lacks an instruction set, or the environment variable BUCKETWHEEL_BACKEND has an unknown name.
#define BW_ERROR_BACKEND 17

// A text that is no verification key, no proof, or no public signals of it; `bw_error_index` says which proof.
#define BW_ERROR_PROOF 19

// A proving key that cannot be used, or has changed since it was loaded.
#define BW_ERROR_KEY 20

// A witness that is not one of the circuit, or inputs that have none.
#define BW_ERROR_WITNESS 21

// The process has forked since the library's first call that needs threads; they stayed with the other process.
#define BW_ERROR_FORKED 22

// A mistake of this library, which nothing else than this call has suffered from.
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

// Points over the prime field; the only group of curves without a pairing.
#define BW_GROUP_G1 1

// Points over the quadratic extension.
#define BW_GROUP_G2 2

// Both, with the same scalars: arguments that are points are two of them, G1 first, and a sum is one in G1, then one in G2.
#define BW_GROUP_PAIR 3

// Integers below the modulus, in little-endian words of 64 bits.
#define BW_FORM_CANONICAL 1

// The same times 2^(64 w) modulo it, with w words. blst, gnark-crypto, mcl, halo2curves and arkworks compute with
// this form.
#define BW_FORM_MONTGOMERY 2

// The point at infinity has zeros for x and y: blst, gnark-crypto, halo2curves.
#define BW_INFINITY_ZEROS 0

// Its byte at `infinity_offset` is not zero: a flag, as in C copies of arkworks' points.
#define BW_INFINITY_FLAG 1

// A third coordinate, at `infinity_offset`, is zero: mcl. Of other points it has to be 1, which is not looked at.
#define BW_INFINITY_ZERO_COORDINATE 2

// x and y; zeros for the point at infinity.
#define BW_AFFINE 1

// x, y and z, which is 1; zeros for the point at infinity. Homogeneous coordinates are the same.
#define BW_JACOBIAN 2

// Nothing is checked of points but that coordinates are below the modulus: the caller vouches that they are on the curve and
// in the prime-order subgroup.
#define BW_CHECK_NONE 0

// The curve's equation. Points may lie outside of the subgroup; sums are right for them too, and take longer.
#define BW_CHECK_CURVE 1

// The equation and the prime-order subgroup. May take longer than an MSM.
#define BW_CHECK_SUBGROUP 2

// The fastest of this CPU, or the backend that the environment variable BUCKETWHEEL_BACKEND names.
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

// Default: the choice that is right for the number of points.
#define BW_DEFAULT 0

#define BW_YES 1

#define BW_NO 2

// Any of the formats below: the format that the bytes name, or else the only one that they fit.
#define BW_FORMAT_DETECT 0

// Bucketwheel's points files, of one group or both.
#define BW_FORMAT_BUCKETWHEEL 1

// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points.
#define BW_FORMAT_ARKWORKS 2

#define BW_FORMAT_ARKWORKS_COMPRESSED 3

// Zcash's and IETF's encoding of BLS12-381, point after point.
#define BW_FORMAT_ZCASH 4

#define BW_FORMAT_ZCASH_COMPRESSED 5

// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`.
#define BW_FORMAT_GNARK 6

// The same compressed, its default.
#define BW_FORMAT_GNARK_COMPRESSED 7

// A section of snarkjs's powers of tau.
#define BW_FORMAT_PTAU 8

// A section of the text of Ethereum's KZG set-up.
#define BW_FORMAT_KZG 9

// Ethereum's precompiles, point after point.
#define BW_FORMAT_EIP2537 10

// A section of Ethereum's KZG set-up as JSON.
#define BW_FORMAT_KZG_JSON 11

// A whole KZG SRS of gnark-crypto, by `WriteRawTo`, `WriteTo` or `WriteDump`.
#define BW_FORMAT_GNARK_SRS 12

#define BW_FORMAT_GNARK_SRS_COMPRESSED 13

#define BW_FORMAT_GNARK_SRS_DUMP 14

// A challenge and a response of a ceremony for powers of tau.
#define BW_FORMAT_CHALLENGE 15

#define BW_FORMAT_RESPONSE 16

// Parameters of halo2's KZG commitments, with raw bytes or processed.
#define BW_FORMAT_HALO2 17

#define BW_FORMAT_HALO2_PROCESSED 18

// A proving or verifying key of Groth16 by arkworks.
#define BW_FORMAT_ARKWORKS_KEY 19

#define BW_FORMAT_ARKWORKS_KEY_COMPRESSED 20

// Output of `bw_bases_write_table`: points as they lie in memory, and their copies.
#define BW_FORMAT_TABLE 255

// The key is copied into memory: later changes of the file or the bytes do not matter.
#define BW_CIRCUIT_COPY 1

// The key's points are kept as proofs take them: faster proofs for more memory (`retained_bytes`).
#define BW_CIRCUIT_RETAIN 2

// Groth16, as snarkjs' keys number it.
#define BW_PROTOCOL_GROTH16 1

#define BW_SECTION_PTAU_TAU_G1 2

#define BW_SECTION_PTAU_TAU_G2 3

#define BW_SECTION_PTAU_ALPHA_TAU_G1 4

#define BW_SECTION_PTAU_BETA_TAU_G1 5

#define BW_SECTION_PTAU_BETA_G2 6

// Points of a key behind a response, and the generator in a gnark SRS.
#define BW_SECTION_KEY_G1 7

#define BW_SECTION_KEY_G2 8

#define BW_SECTION_KZG_G1_LAGRANGE 16

#define BW_SECTION_KZG_G2_MONOMIAL 17

#define BW_SECTION_KZG_G1_MONOMIAL 18

// Sections of keys of Groth16.
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

// Points of one group or both, prepared. Any number of threads may use it at once.
typedef struct bw_bases bw_bases;

// Bytes that a call has made.
typedef struct bw_buffer bw_buffer;

// Asks calls that are under way to stop.
typedef struct bw_cancel bw_cancel;

// A circuit, loaded with its proving key. Any number of threads may use it at once.
typedef struct bw_circuit bw_circuit;

// A sum of more points than memory holds, of one group or both. One thread may use it at a time, whichever.
typedef struct bw_stream bw_stream;

// Result of a call: BW_OK or an error, of which `bw_error_message` says more.
typedef int32_t bw_status;

// Affine points as they lie in memory: x at the start, then y, each of `bw_coordinate_bytes`; over the quadratic extension first
// the constant coefficient.
typedef struct bw_points {
  // `count` times `stride` bytes, at any address; NULL for no points.
  const void *data;
  size_t count;
  // The bytes from one point to the next. 0: the bytes of x, y and the mark of infinity.
  size_t stride;
  // BW_FORM_...
  uint32_t form;
  // BW_INFINITY_...
  uint32_t infinity;
  // Offset in a point of the mark of infinity, in bytes. Not looked at for BW_INFINITY_ZEROS.
  size_t infinity_offset;
} bw_points;

// Is told of `done` steps of an estimated `total`, which grows: additions, or of equal weight where points are prepared. Called
// by several threads at once, some thousand steps apart. May not throw, nor leave by longjmp.
typedef void (*bw_progress)(void *user, size_t done, size_t total);

// Options of the preparation of points and of sums. Zeros are the right choice: `bw_options options = {0}`, then its
// size. NULL is the same.
typedef struct bw_options {
  // `sizeof(bw_options)`: later versions of the library may have more of them.
  size_t size;
  // The most threads of the library's to use, 1 being the caller's alone; 0: all.
  size_t threads;
  // Copies of points to keep at most, times powers of two: a table, with which sums need fewer additions. 0 and 1: none.
  size_t copies;
  // For bases: keeps the table that makes sums fastest within this number of bytes; 0: none. For streams: the most bytes of
  // the whole stream; 0 is 2^30.
  size_t memory;
  // BW_CHECK_...
  uint32_t check;
  // BW_BACKEND_...
  uint32_t backend;
  // Images of the points under the curve's endomorphism, which halve scalars and double the memory of the points: BW_DEFAULT,
  // BW_YES to keep them, or BW_NO.
  uint32_t endomorphism;
  // The bits of a window at most; 0: the fastest.
  uint32_t window;
  // Handle that stops the call; NULL: none.
  const struct bw_cancel *cancel;
  // Callback that is told of progress; NULL: none.
  bw_progress progress;
  // First argument of `progress`.
  void *user;
} bw_options;

// Format, curve, group and section of points in bytes. Zeros: the properties that the bytes name, or fit.
typedef struct bw_source {
  // BW_FORMAT_...
  uint32_t format;
  // BW_CURVE_..., or 0.
  uint32_t curve;
  // BW_GROUP_..., or 0. One group of a points file of both is read alone.
  uint32_t group;
  // BW_SECTION_..., or 0.
  uint32_t section;
} bw_source;

// A table in memory: the bytes of a file of `bw_bases_write_table`.
typedef struct bw_table {
  // `size` bytes. At a multiple of 64, they are used where they are; elsewhere, they are copied.
  const void *data;
  size_t size;
} bw_table;

// Scalars as they lie in memory, each of `bw_scalar_bytes`.
typedef struct bw_scalars {
  // `count` times `stride` bytes, at any address; NULL for no scalars.
  const void *data;
  size_t count;
  // The bytes from one scalar to the next. 0: the bytes of a scalar.
  size_t stride;
  // BW_FORM_...
  uint32_t form;
} bw_scalars;

// Buffer that sums are written to, one after the other; of a pair, G1's before G2's. Calls that fail write nothing.
typedef struct bw_sums {
  // At any address.
  void *data;
  // The bytes that there are, at least `bw_sum_bytes` for each sum.
  size_t size;
  // BW_FORM_...
  uint32_t form;
  // BW_AFFINE or BW_JACOBIAN.
  uint32_t coordinates;
} bw_sums;

// Plan of a sum: its windows, additions and memory.
typedef struct bw_plan_result {
  // `sizeof(bw_plan_result)`, from the caller: later versions of the library may tell more.
  size_t size;
  // The bits of the widest window.
  uint32_t window;
  // The windows of the longest scalar; with copies, the windows from one copy to the next.
  uint32_t windows;
  // Copies of the points, themselves included.
  size_t copies;
  // Additions of points.
  size_t additions;
  // The most memory that a sum takes, beyond points and scalars.
  size_t memory_bytes;
  // The memory of the bases.
  size_t bases_bytes;
} bw_plan_result;

// A Groth16 proof and its public signals, texts as snarkjs and rapidsnark write them: a proof.json, and a public.json.
typedef struct bw_proof {
  const char *proof;
  size_t proof_size;
  const char *public_signals;
  size_t public_size;
} bw_proof;

// Properties of a circuit.
typedef struct bw_circuit_properties {
  // `sizeof(bw_circuit_properties)`, from the caller: later versions of the library may tell more.
  size_t size;
  // BW_CURVE_...
  uint32_t curve;
  // BW_PROTOCOL_...
  uint32_t protocol;
  // The length of a witness, the constant 1 included.
  size_t signals;
  // Number of public signals, the constant not included.
  size_t public_signals;
  // The size of the domain, a power of two.
  size_t domain_size;
  // Memory that BW_CIRCUIT_RETAIN takes at most.
  size_t retained_bytes;
} bw_circuit_properties;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, as "1.2.3".
const char *bw_version(void);

// The number of the library's interface: to be compared with BW_ABI_VERSION where the library is loaded by hand.
uint32_t bw_abi_version(void);

// Message of this thread's last error: the fault, and the expected value. Never NULL; stays until the thread's next
// error. Calls that succeed leave it as it is.
const char *bw_error_message(void);

// The index of the first point or scalar that the last error of this thread was about, or BW_NO_INDEX. With more than one wrong
// it is the first; of a pair, of which group the message says.
size_t bw_error_index(void);

// Frees the memory that earlier calls left for later ones.
void bw_release_memory(void);

// The bytes of a coordinate of a point in G1 or G2; 0 if the curve has no group of this number.
size_t bw_coordinate_bytes(uint32_t curve, uint32_t group);

// The bytes of a scalar; 0 if the curve is unknown.
size_t bw_scalar_bytes(uint32_t curve);

// The bytes of a sum in BW_AFFINE or BW_JACOBIAN coordinates, of a pair the bytes of both sums; 0 if there is none.
size_t bw_sum_bytes(uint32_t curve,
                    uint32_t group,
                    uint32_t coordinates);

// Makes a handle by which another thread stops calls that have it among their options. Freed by `bw_cancel_free`.
bw_status bw_cancel_new(struct bw_cancel **out);

// Asks all calls that have it to stop, for good: they return BW_ERROR_CANCELLED within milliseconds, unless they were done first.
bw_status bw_cancel_request(const struct bw_cancel *cancel);

// Frees a handle; NULL is fine. Calls that have begun with it, and streams, do not need it any more.
void bw_cancel_free(struct bw_cancel *cancel);

// Prepares points: `points` is one `bw_points`, for a pair two. They are read once and not needed any more. All
// options except `window` matter.
bw_status bw_bases_from_points(uint32_t curve,
                               uint32_t group,
                               const struct bw_points *points,
                               const struct bw_options *options,
                               struct bw_bases **out);

// Prepares the points of a file that is in memory. `source` has the known properties of the points; NULL is none.
// Options are as for `bw_bases_from_points`, but a table heeds only `backend`, `threads`, `cancel` and `progress`.
// Its points were checked when it was made, if at all: they are its maker's word.
bw_status bw_bases_from_bytes(const void *bytes,
                              size_t size,
                              const struct bw_source *source,
                              const struct bw_options *options,
                              struct bw_bases **out);

// Prepares the points of a file, as `bw_bases_from_bytes` does. A table is used where it is, in the file, which nobody may shorten
// before the handle is freed.
bw_status bw_bases_from_file(const char *path,
                             const struct bw_source *source,
                             const struct bw_options *options,
                             struct bw_bases **out);

// Prepares the points of tables that are in memory: `tables` is one `bw_table`, for a pair two. The call reads all points, to check
// their digest. The handle uses the tables where they are: nobody changes or frees their bytes before the handle is freed. Of the
// options, `backend`, `threads`, `cancel` and `progress` matter.
bw_status bw_bases_from_tables(uint32_t curve,
                               uint32_t group,
                               const struct bw_table *tables,
                               const struct bw_options *options,
                               struct bw_bases **out);

// Writes the points and their copies to a table, which this instruction set alone can read. The file appears whole, and keeps the
// permissions of a file that it replaces; a device or a pipe is written to. Not for pairs, each group of which has a table of its own.
bw_status bw_bases_write_table(const struct bw_bases *bases,
                               const char *path);

// The number of points, of a pair in each group; 0 for NULL.
size_t bw_bases_len(const struct bw_bases *bases);

// BW_CURVE_... of the points; 0 for NULL.
uint32_t bw_bases_curve(const struct bw_bases *bases);

// BW_GROUP_... of the points; 0 for NULL.
uint32_t bw_bases_group(const struct bw_bases *bases);

// BW_BACKEND_... that works on the points; 0 for NULL.
uint32_t bw_bases_backend(const struct bw_bases *bases);

// Frees bases, which nobody may be using; NULL is fine.
void bw_bases_free(struct bw_bases *bases);

// Computes the sum of each point times its scalar; over bases of a pair, the two sums, whose scalars are sorted once. `threads`,
// `window`, `cancel` and `progress` of the options matter.
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

// Starts a stream of about `points` points, 0 being any number: another one is slower, not wrong. `threads`, `memory`, `check`,
// `backend`, `window`, `cancel` and `progress` of the options matter, for all that is done with the stream.
bw_status bw_stream_new(uint32_t curve,
                        uint32_t group,
                        size_t points,
                        const struct bw_options *options,
                        struct bw_stream **out);

// Starts a stream that goes on from a checkpoint: `taken` points whose affine sum is known, from `bw_stream_len` and
// `bw_stream_flush`. `sums` is one `bw_points` of one point, for a pair two.
bw_status bw_stream_resume(uint32_t curve,
                           uint32_t group,
                           size_t points,
                           size_t taken,
                           const struct bw_points *sums,
                           const struct bw_options *options,
                           struct bw_stream **out);

// Adds points times scalars, at once or later; they are not needed any more. `points` is one `bw_points`, for a pair two. After an
// error in them nothing is added, after BW_ERROR_CANCELLED or BW_ERROR_INTERNAL nothing more can be had of the stream.
bw_status bw_stream_update(struct bw_stream *stream,
                           const struct bw_points *points,
                           const struct bw_scalars *scalars);

// Tells the sum of all that was added so far, of a pair both. More may be added then.
bw_status bw_stream_flush(struct bw_stream *stream, const struct bw_sums *sums);

// The number of points that a stream has taken, with the points of its checkpoint; 0 for NULL.
size_t bw_stream_len(const struct bw_stream *stream);

// Frees a stream, which nobody may be using; NULL is fine.
void bw_stream_free(struct bw_stream *stream);

// Returns the time and memory of a sum of `n` uniform scalars times points that are prepared with these options.
// Costs microseconds, or with `memory` among the options milliseconds. `memory_bytes` is a bound; with copies, a
// choice on the endomorphism or BW_CHECK_CURVE it is a generous one, and `window` and `additions` leave the option
// `window` out of account.
bw_status bw_plan(uint32_t curve,
                  uint32_t group,
                  size_t n,
                  const struct bw_options *options,
                  struct bw_plan_result *result);

// Tells the first of some Groth16 proofs of one circuit that does not hold, BW_NO_INDEX if all hold: one whose points are not in
// their groups does not. They are verified together, with random coefficients of 128 bits, on all threads of the library: that
// takes about a third of the time that one after the other take. `key` is the text of a verification_key.json, over BN254 or
// BLS12-381. No proofs are BW_ERROR_PROOF: a batch of none proves nothing.
bw_status bw_groth16_verify_many(const char *key,
                                 size_t key_size,
                                 const struct bw_proof *proofs,
                                 size_t count,
                                 size_t *first_bad);

// Loads a proving key, a .zkey of snarkjs, over BN254 or BLS12-381. `flags` are BW_CIRCUIT_... together. Without BW_CIRCUIT_COPY,
// the file is mapped: nobody may shorten it before the handle is freed; another change is an error of the next proof.
bw_status bw_circuit_from_file(const char *path,
                               uint32_t flags,
                               struct bw_circuit **out);

// Loads a proving key that is in memory. Without BW_CIRCUIT_COPY, the bytes stay in use until the handle is freed.
bw_status bw_circuit_from_bytes(const void *bytes,
                                size_t size,
                                uint32_t flags,
                                struct bw_circuit **out);

// Returns the properties of a circuit.
bw_status bw_circuit_info(const struct bw_circuit *circuit,
                          struct bw_circuit_properties *result);

// Makes the text of a circuit's verification_key.json.
bw_status bw_circuit_verification_key(const struct bw_circuit *circuit, struct bw_buffer **out);

// Proves that the caller knows a witness, the bytes of a .wtns file, and makes the texts of proof.json and public.json. The proof is
// verified first. `memory`, `cancel` and `progress` of the options matter; `memory` bounds all but the key, 0 being no bound.
bw_status bw_circuit_prove(const struct bw_circuit *circuit,
                           const void *witness,
                           size_t witness_size,
                           const struct bw_options *options,
                           struct bw_buffer **proof,
                           struct bw_buffer **public_signals);

// Tells the first of some proofs of a circuit that does not hold, as `bw_groth16_verify_many` does.
bw_status bw_circuit_verify(const struct bw_circuit *circuit,
                            const struct bw_proof *proofs,
                            size_t count,
                            size_t *first_bad);

// Calculates a witness, the bytes of a .wtns file, by a circuit's WebAssembly, made by circom, from inputs, the text
// of an input.json. `cancel` and `memory` of the options matter; `memory` bounds the circuit's memory, and 0 is 2
// GiB. BW_ERROR_ARGUMENT in a build without the feature `witness`.
bw_status bw_circuit_witness(const void *wasm,
                             size_t wasm_size,
                             const char *inputs,
                             size_t inputs_size,
                             const struct bw_options *options,
                             struct bw_buffer **out);

// Frees a circuit, which nobody may be using; NULL is fine.
void bw_circuit_free(struct bw_circuit *circuit);

// The bytes of a buffer, which are not changed and end with its handle. Texts have no NUL at their end. NULL for NULL.
const void *bw_buffer_data(const struct bw_buffer *buffer);

// Number of bytes of a buffer; 0 for NULL.
size_t bw_buffer_size(const struct bw_buffer *buffer);

// Frees a buffer; NULL is fine.
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
