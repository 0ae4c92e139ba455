// SPDX-License-Identifier: MIT OR Apache-2.0
// Complete projective addition on y^2 = x^3 + b with one multiplier of half the width: apadd for Gypsophila's variant
// of 256 bits, BN254, which has no Edwards form. Inferred: the paper has this variant (4.1), but not its adder.
//
// The formula is rcb_add's. Its twelve modular multiplications start at least nine cycles apart (apadd_rounds):
//
//   rounds 0 to 5: the products of coordinates and of their sums    7 to 12: the products of the second half
//
// They take the same 17 rounds as apadd's.
//
// All products of the first half lack one factor 2^WORD, and all products of the second half lack the same power of
// this factor. So the sum is a representative of the right point, for coordinates in any form.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o; valid_o, tag_o and the sum come LATENCY cycles
// later, and until then ready_o is low. Coordinates are below PRIME.
`include "ports.svh"
module apadd_rcb #(
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 17 * 9 + 10
) (
    `WAITING_ADDER_PORTS(bn254_pkg::projective_t)
);
  localparam int WIDTH = bn254_pkg::WIDTH;
  localparam int WORD = bn254_pkg::WORD;
  localparam int B3 = bn254_pkg::B3;
  localparam logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME;
  logic there;
  logic [4:0] round;

  // The products of the first half: xx, yy, zz, and of the sums of two coordinates.
  bn254_pkg::projective_t first, second;
  logic [WIDTH-1:0] xx, yy, zz, sum_xy, sum_yz, sum_xz, product;
  logic [WIDTH:0] left, right;

  // Values made of the first products, as in rcb_add: the mixed products, 3 xx, and B3 times zz and xz. A mixed
  // product's value is ready for the factors of the round in which the product came. The other values take longer, and
  // are factors in later rounds.
  logic [WIDTH-1:0] xy, yz, xz, xx3, zz_b3, xz_b3;
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME)) u_xy (.clk_i, .a_i(sum_xy), .b_i(xx), .c_i(yy), .s_o(xy));
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME)) u_yz (.clk_i, .a_i(sum_yz), .b_i(yy), .c_i(zz), .s_o(yz));
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME)) u_xz (.clk_i, .a_i(sum_xz), .b_i(xx), .c_i(zz), .s_o(xz));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(3)) u_xx3 (.clk_i, .a_i(xx), .p_o(xx3));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(B3)) u_zz_b3 (.clk_i, .a_i(zz), .p_o(zz_b3));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(B3)) u_xz_b3 (.clk_i, .a_i(xz), .p_o(xz_b3));
  logic [WIDTH:0] plus, minus, xy_1, xy_2, yz_1, yz_2, xz_1, xz_2;
  lazy_add #(.WIDTH(WIDTH)) u_plus (.clk_i, .a_i(yy), .b_i(zz_b3), .s_o(plus));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_minus (.clk_i, .a_i(yy), .b_i(zz_b3), .s_o(minus));
  lazy_add #(.WIDTH(WIDTH)) u_xy_1 (.clk_i, .a_i(first.x), .b_i(first.y), .s_o(xy_1));
  lazy_add #(.WIDTH(WIDTH)) u_xy_2 (.clk_i, .a_i(second.x), .b_i(second.y), .s_o(xy_2));
  lazy_add #(.WIDTH(WIDTH)) u_yz_1 (.clk_i, .a_i(first.y), .b_i(first.z), .s_o(yz_1));
  lazy_add #(.WIDTH(WIDTH)) u_yz_2 (.clk_i, .a_i(second.y), .b_i(second.z), .s_o(yz_2));
  lazy_add #(.WIDTH(WIDTH)) u_xz_1 (.clk_i, .a_i(first.x), .b_i(first.z), .s_o(xz_1));
  lazy_add #(.WIDTH(WIDTH)) u_xz_2 (.clk_i, .a_i(second.x), .b_i(second.z), .s_o(xz_2));

  // The factors of the multiplication that starts at the end of a round.
  always_comb begin
    case (round)
      5'd0: {left, right} = {1'b0, first.z, 1'b0, second.z};
      5'd1: {left, right} = {1'b0, first.y, 1'b0, second.y};
      5'd2: {left, right} = {1'b0, first.x, 1'b0, second.x};
      5'd3: {left, right} = {xy_1, xy_2};
      5'd4: {left, right} = {xz_1, xz_2};
      5'd5: {left, right} = {yz_1, yz_2};
      5'd7: {left, right} = {minus, plus};
      5'd8: {left, right} = {1'b0, xy, minus};
      5'd9: {left, right} = {1'b0, xx3, 1'b0, xy};
      5'd10: {left, right} = {1'b0, xx3, 1'b0, xz_b3};
      5'd11: {left, right} = {1'b0, yz, plus};
      default: {left, right} = {1'b0, yz, 1'b0, xz_b3};
    endcase
  end
  apadd_rounds #(.WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LATENCY(LATENCY)) u_rounds (
      .clk_i, .rst_i, .valid_i, .ready_o, .round_o(round), .left_i(left), .right_i(right), .there_o(there),
      .product_o(product), .valid_o);

  // A product is ready five rounds after its multiplication started. The first summand of a coordinate waits in the
  // coordinate's register; the sum is ready three cycles after the second summand.
  logic [WIDTH-1:0] difference, total;
  logic [2:0] summed;
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_difference (
      .clk_i, .a_i(sum_o.x), .b_i(product), .s_o(difference));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME)) u_total (
      .clk_i, .a_i(round == 5'd15 ? sum_o.y : sum_o.z), .b_i(product), .s_o(total));
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      first <= left_i;
      second <= right_i;
      tag_o <= tag_i;
    end
    if (there) begin
      case (round)
        5'd5: zz <= product;
        5'd6: yy <= product;
        5'd7: xx <= product;
        5'd8: sum_xy <= product;
        5'd9: sum_xz <= product;
        5'd10: sum_yz <= product;
        5'd12: sum_o.y <= product;
        5'd13: sum_o.x <= product;
        5'd14: sum_o.z <= product;
        default: ;
      endcase
    end
    summed <= {summed[1:0], there};
    if (summed[2]) begin
      case (round)
        5'd15: sum_o.y <= total;
        5'd16: sum_o.z <= total;
        5'd17: sum_o.x <= difference;
        default: ;
      endcase
    end
  end
endmodule
