// main Checks() public
// input {"a": "7", "b": "8"}
template Checks() {
    signal PRIVATE input a;
    signal PRIVATE input b;
    signal output c;
    log(a);
    log(b);
    c <== a * b;
    b === a + 1;
}
