pragma circom 2.0.0;

// y = x^5 + k x + 3, for a secret x and a public k; and bits of k's low part are not needed.
template Power() {
    signal input x;
    signal input k;
    signal output y;
    signal x2;
    signal x4;
    signal x5;
    x2 <== x * x;
    x4 <== x2 * x2;
    x5 <== x4 * x;
    y <== x5 + k * x + 3;
}

component main {public [k]} = Power();
