// SPDX-License-Identifier: MIT OR Apache-2.0
// Full addition on a twisted Edwards curve with a = -1: nine multipliers, fully pipelined (Gypsophila 3.2; Hisil, Wong,
// Carter, Dawson, 3.1).
//
//   A = (Y1 - X1)(Y2 - X2)   B = (Y1 + X1)(Y2 + X2)   C = k T1 T2   D = 2 Z1 Z2
//   E = B - A   F = D - C   G = D + C   H = B + A
//   X = E F   Y = G H   Z = F G   T = E H
//
// Both points and the sum are extended projective with coordinates below PRIME, in the form that REDUCTION implies. k =
// 2 d is not converted to this form. The law is unified, as te_madd's.
//
// Contract: valid_o, tag_o and the sum in cycle t belong to the operands of cycle t - LATENCY, an addition a cycle.
// LATENCY is 3 MUL_LATENCY + 2 ADD_LATENCY, because the product by k waits for T1 T2.
`include "ports.svh"
module te_add #(
    parameter int REDUCTION = field_pkg::BARRETT,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 4,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int MUL_LATENCY = 39,
    parameter int ADD_LATENCY = 3,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 3 * MUL_LATENCY + 2 * ADD_LATENCY
) (
    `ADDER_PORTS(bls12_377_pkg::extended_t, bls12_377_pkg::extended_t, bls12_377_pkg::extended_t)
);
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  localparam int WORD = bls12_377_pkg::WORD;
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam logic [field_pkg::WIDE-1:0] K_FORM = field_pkg::in_form(
      field_pkg::WIDE'(bls12_377_pkg::K), field_pkg::WIDE'(PRIME), WORD, REDUCTION
  );

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(TAG_WIDTH)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  // All factors, and all products, by the multiplier: A, B, T1 T2, C, Z1 Z2, X, Y, Z, T.
  localparam int A = 0, B = 1, TT = 2, C = 3, ZZ = 4, X = 5, Y = 6, Z = 7, T = 8;
  for (genvar i = 0; i < 9; i++) begin : g_mul
    logic [WIDTH:0] left, right;
    logic [WIDTH-1:0] product;
    mod_mul #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
        .LATENCY(MUL_LATENCY)
    ) u_mul (.clk_i, .a_i(left), .b_i(right), .p_o(product));
  end

  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_minus_1 (
      .clk_i, .a_i(left_i.y), .b_i(left_i.x), .s_o(g_mul[A].left));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_minus_2 (
      .clk_i, .a_i(right_i.y), .b_i(right_i.x), .s_o(g_mul[A].right));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_plus_1 (.clk_i, .a_i(left_i.y), .b_i(left_i.x), .s_o(g_mul[B].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_plus_2 (.clk_i, .a_i(right_i.y), .b_i(right_i.x), .s_o(g_mul[B].right));

  // T1 T2 and Z1 Z2 need no sums; T1 T2 is multiplied by k while the other factors wait.
  assign g_mul[TT].left = {1'b0, left_i.t};
  assign g_mul[TT].right = {1'b0, right_i.t};
  assign g_mul[C].left = {1'b0, g_mul[TT].product};
  assign g_mul[C].right = {1'b0, K_FORM[WIDTH-1:0]};
  assign g_mul[ZZ].left = {1'b0, left_i.z};
  assign g_mul[ZZ].right = {1'b0, right_i.z};

  logic [WIDTH-1:0] a, b, c, d;
  delay_line #(.WIDTH(2 * WIDTH), .DEPTH(MUL_LATENCY)) u_ab (
      .clk_i, .d_i({g_mul[A].product, g_mul[B].product}), .q_o({a, b}));
  delay_line #(.WIDTH(WIDTH), .DEPTH(ADD_LATENCY)) u_c (.clk_i, .d_i(g_mul[C].product), .q_o(c));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(MUL_LATENCY + ADD_LATENCY)) u_d (
      .clk_i, .a_i(g_mul[ZZ].product), .b_i(g_mul[ZZ].product), .s_o(d));

  logic [WIDTH:0] e, f, g, h;
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_e (.clk_i, .a_i(b), .b_i(a), .s_o(e));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_f (.clk_i, .a_i(d), .b_i(c), .s_o(f));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_g (.clk_i, .a_i(d), .b_i(c), .s_o(g));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_h (.clk_i, .a_i(b), .b_i(a), .s_o(h));
  assign {g_mul[X].left, g_mul[X].right} = {e, f};
  assign {g_mul[Y].left, g_mul[Y].right} = {g, h};
  assign {g_mul[Z].left, g_mul[Z].right} = {f, g};
  assign {g_mul[T].left, g_mul[T].right} = {e, h};
  assign {sum_o.x, sum_o.y, sum_o.z, sum_o.t} = {g_mul[X].product, g_mul[Y].product, g_mul[Z].product, g_mul[T].product};
endmodule
