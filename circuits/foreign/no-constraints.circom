// main NoConstraints() public a
// input {"a": "3", "b": "5"}
template NoConstraints() {
    signal input a;
    signal PRIVATE input b;
}
