// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.0;

// An anonymous vote: a member of a group, whose secrets' hashes are the leaves of a Merkle tree, shows membership and
// a tag that is the same for two votes on one topic, and says nothing else. It needs no other circuits and is small:
// the proof of the demonstration. The hash function is MiMC's construction with constants of its own, which nobody
// has examined: do not use it for anything else.

// x -> (x + k + c_i)^5, as often as makes the degree exceed the field's size: 5^110 > 2^255.
template Permutation() {
    signal input k;
    signal input x;
    signal output out;

    var rounds = 110;
    signal square[rounds];
    signal fourth[rounds];
    signal state[rounds + 1];
    state[0] <== x;
    // Neither short nor with a structure that the rounds have.
    var constant = 3 ** 200;
    for (var i = 0; i < rounds; i++) {
        var sum = state[i] + k + constant;
        square[i] <== sum * sum;
        fourth[i] <== square[i] * square[i];
        state[i + 1] <== fourth[i] * sum;
        constant = constant * constant + i;
    }
    out <== state[rounds] + k;
}

// Miyaguchi and Preneel's compression function.
template Hash() {
    signal input left;
    signal input right;
    signal permuted <== Permutation()(left, right);
    signal output out <== permuted + left + right;
}

template Members(depth) {
    signal input topic;
    signal input secret;
    signal input index[depth];
    signal input siblings[depth];
    signal output root;
    signal output tag;

    signal nodes[depth + 1];
    signal left[depth];
    nodes[0] <== Hash()(secret, 0);
    for (var i = 0; i < depth; i++) {
        index[i] * (index[i] - 1) === 0;
        left[i] <== nodes[i] + index[i] * (siblings[i] - nodes[i]);
        nodes[i + 1] <== Hash()(left[i], nodes[i] + siblings[i] - left[i]);
    }
    root <== nodes[depth];
    tag <== Hash()(secret, topic);
}
