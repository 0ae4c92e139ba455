// main Linear() public a
// input {"a": "-3", "b": ["5", "21888242871839275222246405745257275088548364400416034343698204186575808495616"]}
template Linear() {
    signal input a;
    signal PRIVATE input b[2];
    signal output c;
    c <== 7 * a - b[0] + 2 * b[1] - 1;
}
