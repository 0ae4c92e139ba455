// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.6;

include "@zk-email/circuits/lib/rsa.circom";

// RSA encryption of a secret message: ciphertext = message^65537 mod modulus. Numbers are k limbs of n bits, the
// least significant one first.
template RsaEncrypt(n, k) {
    signal input message[k];
    signal input modulus[k];
    signal output ciphertext[k];

    component below = BigLessThan(n, k);
    for (var i = 0; i < k; i++) {
        _ <== Num2Bits(n)(message[i]);
    }
    below.a <== message;
    below.b <== modulus;
    below.out === 1;
    ciphertext <== FpPow65537Mod(n, k)(message, modulus);
}

// The check of an RSA signature (PKCS #1, version 1.5) of a public SHA-256 digest under a public modulus.
template RsaVerify(n, k) {
    signal input digest[k];
    signal input modulus[k];
    signal input signature[k];

    component verifier = RSAVerifier65537(n, k);
    verifier.message <== digest;
    verifier.modulus <== modulus;
    verifier.signature <== signature;
}
