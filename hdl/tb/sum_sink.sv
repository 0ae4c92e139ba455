// SPDX-License-Identifier: MIT OR Apache-2.0
// Compares a stream of points with a file of affine points, {y, x} in each line, in stream_source's form. A point has
// many representatives: x is right if X = x Z, and y is right if Y = y Z.
//
// Points of BN254 are projective, X, Y, Z, and zeros in the file are infinity. Points of BLS12-377 are extended, with T
// Z = X Y. MONTGOMERY: true if coordinates are in Montgomery form.
module sum_sink #(
    parameter string NAME = "",
    parameter bit BN254 = 0,
    parameter bit MONTGOMERY = 1,
    localparam int WORD = BN254 ? bn254_pkg::WORD : bls12_377_pkg::WORD
) (
    input  logic            clk_i,
    input  logic            valid_i,
    input  logic [WORD-1:0] x_i,
    input  logic [WORD-1:0] y_i,
    input  logic [WORD-1:0] z_i,
    input  logic [WORD-1:0] t_i,
    input  logic            last_i,
    output logic            done_o,
    output int              wrong_o
);
  localparam int WIDE = field_pkg::WIDE;
  localparam int WIDTH = BN254 ? bn254_pkg::WIDTH : bls12_377_pkg::WIDTH;
  localparam logic [WIDE-1:0] PRIME = BN254 ? WIDE'(bn254_pkg::PRIME) : WIDE'(bls12_377_pkg::PRIME);
  localparam logic [WIDE-1:0] FACTOR = MONTGOMERY
      ? field_pkg::negative_inverse(PRIME, WORD) : field_pkg::reciprocal(PRIME, 2 * WIDTH + 3);
  task automatic multiply(output logic [WIDE-1:0] product, input logic [WORD-1:0] a, input logic [WORD-1:0] b);
    if (MONTGOMERY) field_pkg::montgomery(product, WIDE'(a), WIDE'(b), PRIME, FACTOR, WORD);
    else field_pkg::barrett(product, WIDE'(a), WIDE'(b), PRIME, FACTOR, WIDTH);
  endtask

  int line, count;
  logic [3:0] digit;
  logic [WORD-1:0] x, y;
  word_file #(.NAME(NAME), .WIDTH(2 * WORD)) u_points (
      .line_i(line), .digit_o(digit), .word_o({y, x}), .count_o(count));
  initial begin
    line = 0;
    wrong_o = 0;
  end
  assign done_o = line >= count;

  logic [WIDE-1:0] xz, yz, xy, tz;
  logic right;
  always @(posedge clk_i) begin
    if (valid_i) begin
      multiply(xz, x, z_i);
      multiply(yz, y, z_i);
      multiply(xy, x_i, y_i);
      multiply(tz, t_i, z_i);
      if (BN254 && {y, x} == 0) right = x_i == 0 && y_i != 0 && z_i == 0;
      else right = z_i != 0 && xz == WIDE'(x_i) && yz == WIDE'(y_i) && (BN254 || xy == tz);
      line <= line + 1;
      if (done_o || !right || last_i !== digit[0]) begin
        $display("%s: sum %0d of %0d is (%h : %h : %h : %h), last %0d", NAME, line + 1, count, x_i, y_i, z_i, t_i, last_i);
        wrong_o <= wrong_o + 1;
      end
    end
  end
endmodule
