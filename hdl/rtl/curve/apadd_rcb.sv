// SPDX-License-Identifier: MIT OR Apache-2.0
// Complete projective addition on y^2 = x^3 + b with one multiplier of half the width: apadd for Gypsophila's variant
// of 256 bits, BN254, which has no Edwards form. Inferred: the paper has this variant (4.1), but not its adder.
//
// The formula is rcb_add's. Its twelve modular multiplications start nine cycles apart where they can, as
// apadd_rounds has it:
//
//   rounds 0 to 5: the products of coordinates and of their sums    7 to 12: those of the second half
//
// which are the 17 rounds that apadd takes.
//
// All products of the first half lack one factor 2^WORD, and all those of the second half lack the same power of it. So
// the sum is a representative of the right point, whatever form the coordinates have.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o; valid_o, tag_o and the sum come LATENCY cycles
// later, and until then ready_o is low. Coordinates are below PRIME.
module apadd_rcb #(
    parameter int WIDTH = bn254_pkg::WIDTH,
    parameter logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME,
    parameter int B3 = 9,
    parameter int WORD = bn254_pkg::WORD,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 17 * 9 + 4
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic [TAG_WIDTH-1:0] tag_i,
    input  logic [    WIDTH-1:0] x1_i,
    input  logic [    WIDTH-1:0] y1_i,
    input  logic [    WIDTH-1:0] z1_i,
    input  logic [    WIDTH-1:0] x2_i,
    input  logic [    WIDTH-1:0] y2_i,
    input  logic [    WIDTH-1:0] z2_i,
    output logic                 valid_o,
    output logic [TAG_WIDTH-1:0] tag_o,
    output logic [    WIDTH-1:0] x_o,
    output logic [    WIDTH-1:0] y_o,
    output logic [    WIDTH-1:0] z_o
);
  localparam int B3_BITS = $clog2(B3);
  if (B3 < 2) begin : g_invalid
    $error("apadd_rcb: B3 is at least 2");
  end
  logic there;
  logic [4:0] round;

  // The products of the first half: xx, yy, zz, and of the sums of two coordinates.
  logic [WIDTH-1:0] x1, y1, z1, x2, y2, z2, xx, yy, zz, sum_xy, sum_yz, sum_xz, product;
  logic [WIDTH:0] left, right;

  // What follows from them, as in rcb_add: the mixed products, 3 xx, and B3 times zz and xz.
  localparam logic [WIDTH+1:0] TWICE = (WIDTH + 2)'(PRIME) << 1;
  logic [WIDTH-1:0] xy, yz, xz, xx3, zz_b3, xz_b3;
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xy (
      .a_i((WIDTH + 2)'(sum_xy) + TWICE - (WIDTH + 2)'(xx) - (WIDTH + 2)'(yy)), .r_o(xy));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_yz (
      .a_i((WIDTH + 2)'(sum_yz) + TWICE - (WIDTH + 2)'(yy) - (WIDTH + 2)'(zz)), .r_o(yz));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xz (
      .a_i((WIDTH + 2)'(sum_xz) + TWICE - (WIDTH + 2)'(xx) - (WIDTH + 2)'(zz)), .r_o(xz));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xx3 (
      .a_i((WIDTH + 2)'(xx) + ((WIDTH + 2)'(xx) << 1)), .r_o(xx3));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(B3_BITS)) u_zz_b3 (
      .a_i((WIDTH + B3_BITS)'(zz) * (WIDTH + B3_BITS)'(B3)), .r_o(zz_b3));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(B3_BITS)) u_xz_b3 (
      .a_i((WIDTH + B3_BITS)'(xz) * (WIDTH + B3_BITS)'(B3)), .r_o(xz_b3));
  logic [WIDTH:0] plus, minus;
  lazy_add #(.WIDTH(WIDTH), .LATENCY(0)) u_plus (.clk_i, .a_i(yy), .b_i(zz_b3), .s_o(plus));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(0)) u_minus (.clk_i, .a_i(yy), .b_i(zz_b3), .s_o(minus));

  // The factors of the multiplication that starts at the end of a round.
  always_comb begin
    case (round)
      5'd0: {left, right} = {1'b0, x1, 1'b0, x2};
      5'd1: {left, right} = {1'b0, y1, 1'b0, y2};
      5'd2: {left, right} = {1'b0, z1, 1'b0, z2};
      5'd3: {left, right} = {(WIDTH + 1)'(x1) + (WIDTH + 1)'(y1), (WIDTH + 1)'(x2) + (WIDTH + 1)'(y2)};
      5'd4: {left, right} = {(WIDTH + 1)'(y1) + (WIDTH + 1)'(z1), (WIDTH + 1)'(y2) + (WIDTH + 1)'(z2)};
      5'd5: {left, right} = {(WIDTH + 1)'(x1) + (WIDTH + 1)'(z1), (WIDTH + 1)'(x2) + (WIDTH + 1)'(z2)};
      5'd7: {left, right} = {minus, plus};
      5'd8: {left, right} = {1'b0, xy, minus};
      5'd9: {left, right} = {1'b0, xx3, 1'b0, xy};
      5'd10: {left, right} = {1'b0, xx3, 1'b0, xz_b3};
      5'd11: {left, right} = {1'b0, yz, plus};
      default: {left, right} = {1'b0, yz, 1'b0, xz_b3};
    endcase
  end
  apadd_rounds #(.WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .LATENCY(LATENCY)) u_rounds (
      .clk_i, .rst_i, .valid_i, .ready_o, .round_o(round), .left_i(left), .right_i(right), .there_o(there),
      .product_o(product), .valid_o);

  // A product is there five rounds after it started. The first summand of a coordinate waits in the coordinate's register.
  logic [WIDTH-1:0] difference, total;
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(0)) u_difference (
      .clk_i, .a_i(x_o), .b_i(product), .s_o(difference));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(0)) u_total (
      .clk_i, .a_i(round == 5'd15 ? y_o : z_o), .b_i(product), .s_o(total));
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      {x1, y1, z1, x2, y2, z2} <= {x1_i, y1_i, z1_i, x2_i, y2_i, z2_i};
      tag_o <= tag_i;
    end
    if (there) begin
      case (round)
        5'd5: xx <= product;
        5'd6: yy <= product;
        5'd7: zz <= product;
        5'd8: sum_xy <= product;
        5'd9: sum_yz <= product;
        5'd10: sum_xz <= product;
        5'd12: y_o <= product;
        5'd13: x_o <= product;
        5'd14: z_o <= product;
        5'd15: y_o <= total;
        5'd16: z_o <= total;
        5'd17: x_o <= difference;
        default: ;
      endcase
    end
  end
endmodule
