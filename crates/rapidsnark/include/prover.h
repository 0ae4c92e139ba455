/* rapidsnark's Groth16 prover on BN254 (github.com/iden3/rapidsnark), with Bucketwheel's prover.
 *
 * The functions, codes and types are rapidsnark's. All functions may be called from any number of threads at once. The
 * library has its own threads, one for each CPU that the process may use, or RAYON_NUM_THREADS of them. They start with
 * the first call. A process that forks afterwards does not have them, and its calls fail.
 *
 * Sizes are in bytes. If a call fails, error_msg gets as much of a message as fits, with a NUL; it may be NULL. Only calls
 * that return PROVER_OK write to output buffers. A pointer that is NULL and must not be is an error.
 */
#ifndef RAPIDSNARK_PROVER_H
#define RAPIDSNARK_PROVER_H

#include <limits.h>

/* The type of sizes: `unsigned long`, as in the header of go-rapidsnark 0.0.14. Programs that were written for rapidsnark's
 * own, newer header define RAPIDSNARK_UNSIGNED_LONG_LONG; the library is the same. */
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

/* What the functions return. */
#define PROVER_OK                     0x0
#define PROVER_ERROR                  0x1 /* error_msg says what */
#define PROVER_ERROR_SHORT_BUFFER     0x2 /* proof_size and public_size say what there should be */
#define PROVER_INVALID_WITNESS_LENGTH 0x3 /* the witness is not of the key's circuit */

/* Tells the size of a buffer for the public signals of a key, 82 for each and 4: enough for the longest, NUL included.
 * For no public signals, whose text is "null", the provers ask for one byte more. Reads the key's header alone. */
int
groth16_public_size_for_zkey_buf(
    const void      *zkey_buffer,
    RAPIDSNARK_SIZE  zkey_size,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* The same for a key in a file. */
int
groth16_public_size_for_zkey_file(
    const char      *zkey_fname,
    RAPIDSNARK_SIZE *public_size,
    char            *error_msg,
    RAPIDSNARK_SIZE  error_msg_maxsize);

/* Tells the size of a buffer for a proof: 810, enough for the longest, NUL included. */
void
groth16_proof_size(
    RAPIDSNARK_SIZE *proof_size);

/* Loads a key. It is not copied: zkey_buffer has to stay as it is until the prover is destroyed. */
int
groth16_prover_create(
    void            **prover_object,
    const void       *zkey_buffer,
    RAPIDSNARK_SIZE   zkey_size,
    char             *error_msg,
    RAPIDSNARK_SIZE   error_msg_maxsize);

/* Loads a key from a file, which the prover keeps mapped: nobody may shorten it until the prover is destroyed. */
int
groth16_prover_create_zkey_file(
    void            **prover_object,
    const char       *zkey_file_path,
    char             *error_msg,
    RAPIDSNARK_SIZE   error_msg_maxsize);

/* Proves. proof_size and public_size say how large the buffers are. With PROVER_OK they say how long the texts are, JSON as
 * rapidsnark writes it, without the NUL that ends them. With PROVER_ERROR_SHORT_BUFFER, which a buffer gets that does not
 * have room for the longest texts, they say how large both have to be.
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

/* Frees a prover, which nobody may be using; NULL is fine. */
void
groth16_prover_destroy(
    void *prover_object);

/* groth16_prover_create, groth16_prover_prove and groth16_prover_destroy. */
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

/* groth16_prover_create_zkey_file, groth16_prover_prove and groth16_prover_destroy. */
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
