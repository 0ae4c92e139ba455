// main NoOutputs() public product
// input {"a": "3", "b": "5", "product": "15"}
template NoOutputs() {
    signal PRIVATE input a;
    signal PRIVATE input b;
    signal input product;
    product === a * b;
}
