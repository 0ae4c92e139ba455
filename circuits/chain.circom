// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.0;

// A chain of n multiplications, x <- x^2 + c: n constraints and, from a random start on, values as long as the field.
// The workload of libsnark's profile.
template Chain(n) {
    signal input start;
    signal input c;
    signal output end;

    signal x[n + 1];
    x[0] <== start;
    for (var i = 0; i < n; i++) {
        x[i + 1] <== x[i] * x[i] + c;
    }
    end <== x[n];
}
