// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.5;

include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/mimcsponge.circom";
include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/switcher.circom";

template PoseidonPair() {
    signal input in[2];
    signal output out <== Poseidon(2)(in);
}

template MimcPair() {
    signal input in[2];
    signal output out;
    component sponge = MiMCSponge(2, 220, 1);
    sponge.ins <== in;
    sponge.k <== 0;
    out <== sponge.outs[0];
}

// Membership in a Merkle tree: the root above a secret leaf at a secret place. mimc chooses the hash function: MiMC in
// a sponge where it is 1, Poseidon where it is 0.
template Membership(depth, mimc) {
    signal input leaf;
    signal input index;
    signal input siblings[depth];
    signal output root;

    signal bits[depth] <== Num2Bits(depth)(index);
    signal nodes[depth + 1];
    nodes[0] <== leaf;
    for (var i = 0; i < depth; i++) {
        var pair[2];
        (pair[0], pair[1]) = Switcher()(bits[i], nodes[i], siblings[i]);
        if (mimc) {
            nodes[i + 1] <== MimcPair()(pair);
        } else {
            nodes[i + 1] <== PoseidonPair()(pair);
        }
    }
    root <== nodes[depth];
}
