/* rapidsnark's Groth16 verifier on BN254 (github.com/iden3/rapidsnark), with Bucketwheel's verifier. */
#ifndef RAPIDSNARK_VERIFIER_H
#define RAPIDSNARK_VERIFIER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Results of the function. */
#define VERIFIER_VALID_PROOF   0x0
#define VERIFIER_INVALID_PROOF 0x1
#define VERIFIER_ERROR         0x2 /* error_msg has the reason */

/* Returns VERIFIER_VALID_PROOF if the proof holds. The three are JSON as rapidsnark and snarkjs write it, each ended by a
 * NUL: proof, public signals, and verification_key.json. The message is as for the provers. Any number of threads may
 * call it at once. */
int
groth16_verify(
    const char    *proof,
    const char    *inputs,
    const char    *verification_key,
    char          *error_msg,
    unsigned long  error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
