// main Product() public
// input {"a": "3", "b": "11"}
template Product() {
    signal input a;
    signal input b;
    signal output c;
    c <== a * b;
}
