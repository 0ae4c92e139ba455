// main Inverse() public
// input {"a": "4294967296", "b": "-2147483649"}
function power(x, n) {
    var product = 1;
    for (var i = 0; i < n; i++) { product = product * x; }
    return product;
}
template Inverse() {
    signal PRIVATE input a;
    signal PRIVATE input b;
    signal output c;
    signal d;
    d <-- b != 0 ? a / b : 0;
    d * b === a;
    c <-- power(d, 5) - power(d, 5) + d;
    c === d;
}
