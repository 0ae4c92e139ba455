// main Arrays(2, 3) public w
// input {"v": [["1", "2", "3"], ["4", "-5", "6"]], "w": ["7", "8"], "a": "9"}
template Dot(n) {
    signal input x[n];
    signal input y;
    signal output out[n];
    for (var i = 0; i < n; i++) { out[i] <== x[i] * y; }
}
template Arrays(m, n) {
    signal PRIVATE input v[m][n];
    signal input w[m];
    signal PRIVATE input a;
    signal output c[m][n];
    component dots[m];
    for (var i = 0; i < m; i++) {
        dots[i] = Dot(n);
        dots[i].y <== w[i];
        for (var j = 0; j < n; j++) { dots[i].x[j] <== v[i][j]; }
        for (var j = 0; j < n; j++) { c[i][j] <== dots[i].out[j] * a; }
    }
}
