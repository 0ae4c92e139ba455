// main Unused() public
// input {"a": "3", "b": "11", "u": "5", "v": ["1", "2", "3", "4"]}
template Unused() {
    signal PRIVATE input a;
    signal PRIVATE input b;
    signal PRIVATE input u;
    signal PRIVATE input v[4];
    signal output c;
    c <== a * b;
}
