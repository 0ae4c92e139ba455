// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.0;

// x <- x^2 + c, n times.
template Steps(n) {
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

// A chain of n multiplications: n constraints and, from a random start on, values as long as the field. The workload of
// libsnark's profile. It is made of parts, since circom's time for a template is quadratic in its size.
template Chain(n) {
    signal input start;
    signal input c;
    signal output end;

    var part = 1024;
    var parts = n \ part;
    signal between[parts + 1];
    between[0] <== start;
    for (var i = 0; i < parts; i++) {
        between[i + 1] <== Steps(part)(between[i], c);
    }
    end <== Steps(n % part)(between[parts], c);
}
