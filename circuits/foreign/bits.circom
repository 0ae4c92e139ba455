// main Bits(40) public
// input {"a": "1099511627775"}
template Bits(n) {
    signal PRIVATE input a;
    signal output out[n];
    var sum = 0;
    for (var i = 0; i < n; i++) {
        out[i] <-- (a >> i) & 1;
        out[i] * (out[i] - 1) === 0;
        sum += out[i] * 2 ** i;
    }
    sum === a;
}
