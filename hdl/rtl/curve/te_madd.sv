// SPDX-License-Identifier: MIT OR Apache-2.0
// Mixed addition on a twisted Edwards curve with a = -1: seven multipliers, fully pipelined (CycloneMSM 4.3, Figures 4
// and 5; Hisil, Wong, Carter, Dawson, 4.2).
//
//   A = (Y1 - X1)(y2 - x2)   B = (Y1 + X1)(y2 + x2)   C = T1 u2   D = 2 Z1
//   E = B - A   F = D - C   G = D + C   H = B + A
//   X = E F   Y = G H   Z = F G   T = E H
//
// left_i = (X1 : Y1 : Z1 : T1) is extended projective, right_i = (x2, y2, u2) extended affine with u2 = k x2 y2 and k =
// 2 d. All coordinates, also the sum's, are below PRIME, in the form that REDUCTION implies. The law is unified: in the
// subgroup of odd order, equal points, inverse points and the neutral element need no special case.
//
// Contract: valid_o, tag_o and the sum in cycle t belong to the operands of cycle t - LATENCY, an addition a cycle.
// LATENCY is at least 2 MUL_LATENCY; the other stages are for additions, before the first multipliers and before the
// second multipliers. The paper has 96 and 39 stages at 250 MHz, and 65 at 125 MHz.
//
// The multiplier of C can also be used alone: in a cycle with mul_i it multiplies mul_a_i by mul_b_i, and mul_p_o has
// the product after MUL_LATENCY cycles. No addition may reach the multiplier in this cycle; an addition reaches it
// ADD_LATENCY cycles after it came.
`include "ports.svh"
module te_madd #(
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int TAG_WIDTH = 1,
    localparam int ADD_LATENCY = (LATENCY - 2 * MUL_LATENCY) / 2
) (
    `ADDER_PORTS(bls12_377_pkg::extended_t, bls12_377_pkg::affine_t, bls12_377_pkg::extended_t),
    input  logic                            mul_i,
    input  logic [bls12_377_pkg::WIDTH-1:0] mul_a_i,
    input  logic [bls12_377_pkg::WIDTH-1:0] mul_b_i,
    output logic [bls12_377_pkg::WIDTH-1:0] mul_p_o
);
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  localparam int WORD = bls12_377_pkg::WORD;
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam int SECOND_LATENCY = LATENCY - 2 * MUL_LATENCY - ADD_LATENCY;
  if (LATENCY < 2 * MUL_LATENCY) begin : g_short
    $error("te_madd: LATENCY is at least two multipliers'");
  end

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(TAG_WIDTH)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  // Sums of the operands, and two products of them.
  logic [WIDTH:0] y1_minus_x1, y2_minus_x2, y1_plus_x1, y2_plus_x2;
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_minus_1 (
      .clk_i, .a_i(left_i.y), .b_i(left_i.x), .s_o(y1_minus_x1));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_minus_2 (
      .clk_i, .a_i(right_i.y), .b_i(right_i.x), .s_o(y2_minus_x2));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_plus_1 (.clk_i, .a_i(left_i.y), .b_i(left_i.x), .s_o(y1_plus_x1));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_plus_2 (.clk_i, .a_i(right_i.y), .b_i(right_i.x), .s_o(y2_plus_x2));

  logic [WIDTH-1:0] a, b, c, d;
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_a (.clk_i, .a_i(y1_minus_x1), .b_i(y2_minus_x2), .p_o(a));
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_b (.clk_i, .a_i(y1_plus_x1), .b_i(y2_plus_x2), .p_o(b));

  // The third product, of operands that wait for the sums, or of mul_a_i and mul_b_i.
  logic [WIDTH-1:0] t1, u2;
  delay_line #(.WIDTH(2 * WIDTH), .DEPTH(ADD_LATENCY)) u_wait (.clk_i, .d_i({left_i.t, right_i.u}), .q_o({t1, u2}));
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_c (.clk_i, .a_i({1'b0, mul_i ? mul_a_i : t1}), .b_i({1'b0, mul_i ? mul_b_i : u2}), .p_o(c));
  assign mul_p_o = c;

  // The only sum that is reduced, so that F and G are below 2 PRIME.
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY + MUL_LATENCY)) u_d (
      .clk_i, .a_i(left_i.z), .b_i(left_i.z), .s_o(d));

  logic [WIDTH:0] e, f, g, h;
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SECOND_LATENCY)) u_e (.clk_i, .a_i(b), .b_i(a), .s_o(e));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SECOND_LATENCY)) u_f (.clk_i, .a_i(d), .b_i(c), .s_o(f));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(SECOND_LATENCY)) u_g (.clk_i, .a_i(d), .b_i(c), .s_o(g));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(SECOND_LATENCY)) u_h (.clk_i, .a_i(b), .b_i(a), .s_o(h));

  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_x (.clk_i, .a_i(e), .b_i(f), .p_o(sum_o.x));
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_y (.clk_i, .a_i(g), .b_i(h), .p_o(sum_o.y));
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_z (.clk_i, .a_i(f), .b_i(g), .p_o(sum_o.z));
  mod_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
      .LATENCY(MUL_LATENCY)
  ) u_t (.clk_i, .a_i(e), .b_i(h), .p_o(sum_o.t));

`ifndef SYNTHESIS
  // True if an addition is at the multiplier that mul_i takes.
  logic there;
  if (ADD_LATENCY == 0) begin : g_at_once
    assign there = valid_i;
  end else begin : g_later
    logic unused_tag;
    tag_line #(.LATENCY(ADD_LATENCY)) u_there (
        .clk_i, .rst_i, .valid_i, .tag_i(1'b0), .valid_o(there), .tag_o(unused_tag));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_i && mul_i && there) $error("te_madd: a multiplier is asked for two products at once");
  end
`endif
endmodule
