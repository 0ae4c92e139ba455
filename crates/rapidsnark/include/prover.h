/* rapidsnark's Groth16 prover on BN254 (github.com/iden3/rapidsnark), with Bucketwheel's prover.
 *
 * The functions, codes and types are rapidsnark's. All functions may be called from any number of threads at once. The
 * library has its own threads, one for each CPU that the process may use, or RAYON_NUM_THREADS of them. They start with
 * the first call. A process that forks afterwards does not have them, and its calls fail.
 *
 * Sizes are in bytes. A call that fails writes its message to error_msg, cut to the buffer's size, with a NUL;
 * error_msg may be NULL. Only calls that return PROVER_OK write to output buffers. Other pointers must not be NULL:
 * NULL is an error.
 */
#ifndef RAPIDSNARK_PROVER_H
#define RAPIDSNARK_PROVER_H

#include <limits.h>

/* The type of sizes: `unsigned long`, as in the header of go-rapidsnark 0.0.14. rapidsnark's own header is newer;
 * programs for it define RAPIDSNARK_UNSIGNED_LONG_LONG. The library is the same for both headers. */
#ifdef RAPIDSNARK_UNSIGNED_LONG_LONG
#if ULONG_MAX != ULLONG_MAX
#error "sizes are unsigned long, which is shorter than unsigned long long on this system"
#endif
#define RAPIDSNARK_SIZE unsigned long long
#else
#define RAPIDSNARK_SIZE unsigned long
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Results of the functions. */
#define PROVER_OK                     0x0
#define PROVER_ERROR                  0x1 /* error_msg has the reason */
#define PROVER_ERROR_SHORT_BUFFER     0x2 /* proof_size and public_size have the required sizes */
#define PROVER_INVALID_WITNESS_LENGTH 0x3 /* the witness belongs to another circuit than the key */

/* Returns the size of a buffer for the public signals of a key: 82 bytes for each signal and 4 more, enough for the
 * longest text and its NUL. Without public signals, the text is "null" and the provers need one byte more. Reads only
 * the key's header. */
int
groth16_public_size_for_zkey_buf(
    const void      *zkey_buffer,
    RAPIDSNARK_SIZE  zkey_size,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* Returns the same size for a key in a file. */
int
groth16_public_size_for_zkey_file(
    const char      *zkey_fname,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* Returns the size of a buffer for a proof: 810, enough for the longest text and its NUL. */
void
groth16_proof_size(
    RAPIDSNARK_SIZE *proof_size);

/* Loads a key without copying it: zkey_buffer must stay unchanged until the prover is destroyed. */
int
groth16_prover_create(
    void            **prover_object,
    const void       *zkey_buffer,
    RAPIDSNARK_SIZE   zkey_size,
    char             *error_msg,
    RAPIDSNARK_SIZE   error_msg_maxsize);

/* Loads a key from a file. The prover maps the file, so nobody may shorten it until the prover is destroyed. */
int
groth16_prover_create_zkey_file(
    void            **prover_object,
    const char       *zkey_file_path,
    char             *error_msg,
    RAPIDSNARK_SIZE   error_msg_maxsize);

/* Makes a proof. Before the call, proof_size and public_size have the sizes of the buffers. With PROVER_OK, they have
 * the lengths of the texts without their NULs; the texts are JSON in rapidsnark's form. With PROVER_ERROR_SHORT_BUFFER,
 * they have the required sizes. A buffer is too small if it lacks room for the longest texts.
 *
 * The proof is verified before it is returned: a witness that does not satisfy the circuit is PROVER_ERROR. */
int
groth16_prover_prove(
    void            *prover_object,
    const void      *wtns_buffer,
    RAPIDSNARK_SIZE  wtns_size,
    char            *proof_buffer,
    RAPIDSNARK_SIZE *proof_size,
    char            *public_buffer,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* Frees a prover that no other thread uses. NULL is allowed. */
void
groth16_prover_destroy(
    void *prover_object);

/* Calls groth16_prover_create, groth16_prover_prove and groth16_prover_destroy. */
int
groth16_prover(
    const void      *zkey_buffer,
    RAPIDSNARK_SIZE  zkey_size,
    const void      *wtns_buffer,
    RAPIDSNARK_SIZE  wtns_size,
    char            *proof_buffer,
    RAPIDSNARK_SIZE *proof_size,
    char            *public_buffer,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* Calls groth16_prover_create_zkey_file, groth16_prover_prove and groth16_prover_destroy. */
int
groth16_prover_zkey_file(
    const char      *zkey_file_path,
    const void      *wtns_buffer,
    RAPIDSNARK_SIZE  wtns_size,
    char            *proof_buffer,
    RAPIDSNARK_SIZE *proof_size,
    char            *public_buffer,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#undef RAPIDSNARK_SIZE

#endif
