// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.0;

// AES-128 (FIPS 197) on bits. A byte is 8 bits, the least significant one first. A sum over GF(2) is an integer sum
// of bits less twice a small number, so that it costs the bits of the latter, however many terms it has.

// The parity of a sum of bits that is at most max.
template Parity(max) {
    signal input sum;
    signal output out;

    var half = 0;
    for (var length = 1; length <= max \ 2; length *= 2) {
        half++;
    }
    signal bits[half];
    var twice = 0;
    var weight = 2;
    for (var i = 0; i < half; i++) {
        bits[i] <-- (sum >> (i + 1)) & 1;
        bits[i] * (bits[i] - 1) === 0;
        twice += bits[i] * weight;
        weight += weight;
    }
    out <== sum - twice;
    out * (out - 1) === 0;
}

// The byte of these bits. (A power of two would cost a whole exponentiation when the witness is calculated.)
function value(bits) {
    var byte = 0;
    for (var k = 7; k >= 0; k--) {
        byte += byte + bits[k];
    }
    return byte;
}

// Bytes are elements of GF(2^8) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1).
function times(a, b) {
    var product = 0;
    for (var i = 0; i < 8; i++) {
        if ((b >> i) & 1) {
            product = product ^ a;
        }
        a = a * 2;
        if (a >= 256) {
            a = a ^ 0x11b;
        }
    }
    return product;
}

// a^254.
function inverse(a) {
    var power = 1;
    var square = a;
    for (var i = 1; i < 8; i++) {
        square = times(square, square);
        power = times(power, square);
    }
    return power;
}

template SubByte() {
    signal input in[8];
    signal output out[8];

    var byte = value(in);
    var hint = inverse(byte);
    signal inv[8];
    signal products[8][8];
    for (var i = 0; i < 8; i++) {
        inv[i] <-- (hint >> i) & 1;
        inv[i] * (inv[i] - 1) === 0;
    }
    var invByte = value(inv);

    // in * inv is 1, or both are 0. Of the product, coefficient d has so many terms:
    var coefficients[15];
    var counts[15];
    for (var i = 0; i < 8; i++) {
        for (var j = 0; j < 8; j++) {
            products[i][j] <== in[i] * inv[j];
            coefficients[i + j] += products[i][j];
            counts[i + j]++;
        }
    }
    var sums[8];
    var terms[8];
    var image = 1;
    for (var d = 0; d < 15; d++) {
        for (var k = 0; k < 8; k++) {
            var bit = (image >> k) & 1;
            sums[k] += bit * coefficients[d];
            terms[k] += bit * counts[d];
        }
        image = times(image, 2);
    }
    signal one <== Parity(terms[0])(sums[0]);
    for (var k = 1; k < 8; k++) {
        var zero = Parity(terms[k])(sums[k]);
        zero === 0;
    }
    byte * (1 - one) === 0;
    invByte * (1 - one) === 0;

    for (var k = 0; k < 8; k++) {
        var sum = (0x63 >> k) & 1;
        for (var shift = 4; shift < 9; shift++) {
            sum += inv[(k + shift) % 8];
        }
        out[k] <== Parity(6)(sum);
    }
}

// MixColumns of one column.
template MixColumn() {
    signal input in[4][8];
    signal output out[4][8];

    for (var row = 0; row < 4; row++) {
        var next = (row + 1) % 4;
        for (var k = 0; k < 8; k++) {
            // Twice the byte and three times the next one, and the other two: a byte doubled is shifted, and its
            // highest bit reduced.
            var high = (0x1b >> k) & 1;
            var sum = in[next][k] + in[(row + 2) % 4][k] + in[(row + 3) % 4][k] + high * (in[row][7] + in[next][7]);
            if (k > 0) {
                sum += in[row][k - 1] + in[next][k - 1];
            }
            out[row][k] <== Parity(3 + 2 * high + 2 * (k > 0))(sum);
        }
    }
}

template Xor() {
    signal input a;
    signal input b;
    signal output out <== a + b - 2 * a * b;
}

template KeySchedule() {
    signal input key[16][8];
    signal output keys[11][16][8];

    keys[0] <== key;
    signal substituted[10][4][8];
    var image = 1;
    for (var round = 1; round <= 10; round++) {
        for (var row = 0; row < 4; row++) {
            substituted[round - 1][row] <== SubByte()(keys[round - 1][12 + (row + 1) % 4]);
            for (var k = 0; k < 8; k++) {
                var constant = 0;
                if (row == 0) {
                    constant = (image >> k) & 1;
                }
                // A constant costs nothing: the other bit or the bit itself.
                var bit = substituted[round - 1][row][k];
                bit = constant + (1 - 2 * constant) * bit;
                keys[round][row][k] <== Xor()(keys[round - 1][row][k], bit);
                for (var column = 1; column < 4; column++) {
                    keys[round][4 * column + row][k] <==
                        Xor()(keys[round - 1][4 * column + row][k], keys[round][4 * (column - 1) + row][k]);
                }
            }
        }
        image = times(image, 2);
    }
}

template EncryptBlock() {
    signal input keys[11][16][8];
    signal input in[16][8];
    signal output out[16][8];

    signal state[11][16][8];
    signal substituted[10][16][8];
    signal mixed[9][4][4][8];
    for (var i = 0; i < 16; i++) {
        for (var k = 0; k < 8; k++) {
            state[0][i][k] <== Xor()(in[i][k], keys[0][i][k]);
        }
    }
    for (var round = 1; round <= 10; round++) {
        for (var i = 0; i < 16; i++) {
            substituted[round - 1][i] <== SubByte()(state[round - 1][i]);
        }
        for (var column = 0; column < 4; column++) {
            // ShiftRows: the byte in a row comes from as many columns further right.
            if (round < 10) {
                mixed[round - 1][column] <== MixColumn()([
                    substituted[round - 1][4 * column],
                    substituted[round - 1][4 * ((column + 1) % 4) + 1],
                    substituted[round - 1][4 * ((column + 2) % 4) + 2],
                    substituted[round - 1][4 * ((column + 3) % 4) + 3]
                ]);
            }
            for (var row = 0; row < 4; row++) {
                for (var k = 0; k < 8; k++) {
                    var bit;
                    if (round < 10) {
                        bit = mixed[round - 1][column][row][k];
                    } else {
                        bit = substituted[round - 1][4 * ((column + row) % 4) + row][k];
                    }
                    state[round][4 * column + row][k] <== Xor()(bit, keys[round][4 * column + row][k]);
                }
            }
        }
    }
    out <== state[10];
}

template ToBits() {
    signal input in;
    signal output out[8];

    for (var k = 0; k < 8; k++) {
        out[k] <-- (in >> k) & 1;
        out[k] * (out[k] - 1) === 0;
    }
    var byte = value(out);
    byte === in;
}

// Blocks encrypted under one secret key (ECB), bytes in and out.
template Aes128(blocks) {
    signal input key[16];
    signal input plaintext[blocks][16];
    signal output ciphertext[blocks][16];

    signal keyBits[16][8];
    for (var i = 0; i < 16; i++) {
        keyBits[i] <== ToBits()(key[i]);
    }
    signal keys[11][16][8] <== KeySchedule()(keyBits);

    signal bits[blocks][16][8];
    signal encrypted[blocks][16][8];
    for (var block = 0; block < blocks; block++) {
        for (var i = 0; i < 16; i++) {
            bits[block][i] <== ToBits()(plaintext[block][i]);
        }
        encrypted[block] <== EncryptBlock()(keys, bits[block]);
        for (var i = 0; i < 16; i++) {
            var byte = value(encrypted[block][i]);
            ciphertext[block][i] <== byte;
        }
    }
}
