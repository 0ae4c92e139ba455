// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.0;

include "circomlib/circuits/sha256/sha256.circom";
include "circomlib/circuits/bitify.circom";

// The SHA-256 digest of a secret message of that many bytes, as two halves of 128 bits.
template Sha256Bytes(bytes) {
    signal input message[bytes];
    signal output digest[2];

    component sha = Sha256(8 * bytes);
    for (var i = 0; i < bytes; i++) {
        var bits[8] = Num2Bits(8)(message[i]);
        for (var j = 0; j < 8; j++) {
            sha.in[8 * i + j] <== bits[7 - j];
        }
    }
    for (var half = 0; half < 2; half++) {
        var sum = 0;
        for (var j = 0; j < 128; j++) {
            sum = 2 * sum + sha.out[128 * half + j];
        }
        digest[half] <== sum;
    }
}
