// main Public() public b
// input {"a": "-1", "b": "0x10"}
template Public() {
    signal PRIVATE input a;
    signal input b;
    signal output c;
    signal output d;
    c <== a * a;
    d <== a * b;
}
