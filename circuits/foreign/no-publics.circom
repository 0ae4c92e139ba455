// main NoPublics() public
// input {"a": "3", "b": "5", "product": "15"}
template NoPublics() {
    signal PRIVATE input a;
    signal PRIVATE input b;
    signal PRIVATE input product;
    product === a * b;
}
