// main NoInputs() public
// input {}
template NoInputs() {
    signal output c;
    signal s;
    s <-- 6;
    s * s === 36;
    c <== s + 1;
}
