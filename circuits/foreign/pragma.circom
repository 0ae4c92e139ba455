// main Pragma() public
// input {"a": "3", "b": "11"}
// pragma custom_templates
template Pragma() {
    signal input a;
    signal input b;
    signal output c;
    c <== a * b;
}
