// SPDX-License-Identifier: MIT OR Apache-2.0
// Complete projective addition on y^2 = x^3 + b: twelve multipliers, fully pipelined (MSMAC 3.2.3; Renes, Costello,
// Batina, Algorithm 7). There is no exception on a curve of odd order: equal points, inverse points and the point at
// infinity (0 : Y : 0) need no special case.
//
// Coordinates are below PRIME, in the form that REDUCTION implies; B3 = 3 b is a small number, 9 for BN254.
//
// Contract: valid_o, tag_o and the sum in cycle t belong to the operands of cycle t - LATENCY, an addition a cycle.
// LATENCY is 2 MUL_LATENCY + 3 ADD_LATENCY. Of the last 3 ADD_LATENCY stages, the sums of coordinates take two, and the
// last sums take three. The stages between the multipliers take the remaining stages and need six, so ADD_LATENCY is at
// least 4.
`include "ports.svh"
module rcb_add #(
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::HYBRID,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int MUL_LATENCY = 39,
    parameter int ADD_LATENCY = 4,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 2 * MUL_LATENCY + 3 * ADD_LATENCY
) (
    `ADDER_PORTS(bn254_pkg::projective_t, bn254_pkg::projective_t, bn254_pkg::projective_t)
);
  localparam int WIDTH = bn254_pkg::WIDTH;
  localparam int WORD = bn254_pkg::WORD;
  localparam int B3 = bn254_pkg::B3;
  localparam logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME;
  localparam int BEFORE = 2, BEHIND = 3;
  localparam int BETWEEN = 3 * ADD_LATENCY - BEFORE - BEHIND;
  if (BETWEEN < 6) begin : g_short
    $error("rcb_add: ADD_LATENCY is at least 4");
  end

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(TAG_WIDTH)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  for (genvar i = 0; i < 12; i++) begin : g_mul
    logic [WIDTH:0] left, right;
    logic [WIDTH-1:0] product;
    mod_mul #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
        .LATENCY(MUL_LATENCY)
    ) u_mul (.clk_i, .a_i(left), .b_i(right), .p_o(product));
  end

  // Products of coordinates, and of sums of two coordinates.
  delay_line #(.WIDTH(6 * WIDTH + 6), .DEPTH(BEFORE)) u_coordinates (
      .clk_i,
      .d_i({1'b0, left_i.x, 1'b0, right_i.x, 1'b0, left_i.y, 1'b0, right_i.y, 1'b0, left_i.z, 1'b0, right_i.z}),
      .q_o({g_mul[0].left, g_mul[0].right, g_mul[1].left, g_mul[1].right, g_mul[2].left, g_mul[2].right})
  );
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_xy_1 (.clk_i, .a_i(left_i.x), .b_i(left_i.y), .s_o(g_mul[3].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_xy_2 (.clk_i, .a_i(right_i.x), .b_i(right_i.y), .s_o(g_mul[3].right));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_yz_1 (.clk_i, .a_i(left_i.y), .b_i(left_i.z), .s_o(g_mul[4].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_yz_2 (.clk_i, .a_i(right_i.y), .b_i(right_i.z), .s_o(g_mul[4].right));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_xz_1 (.clk_i, .a_i(left_i.x), .b_i(left_i.z), .s_o(g_mul[5].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BEFORE)) u_xz_2 (.clk_i, .a_i(right_i.x), .b_i(right_i.z), .s_o(g_mul[5].right));

  // xx, yy, zz, and the mixed products X1 Y2 + X2 Y1 and so on.
  logic [WIDTH-1:0] xx, yy, zz, xy, yz, xz;
  assign {xx, yy, zz} = {g_mul[0].product, g_mul[1].product, g_mul[2].product};
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BETWEEN)) u_xy (
      .clk_i, .a_i(g_mul[3].product), .b_i(xx), .c_i(yy), .s_o(xy));
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BETWEEN)) u_yz (
      .clk_i, .a_i(g_mul[4].product), .b_i(yy), .c_i(zz), .s_o(yz));
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME)) u_xz (
      .clk_i, .a_i(g_mul[5].product), .b_i(xx), .c_i(zz), .s_o(xz));

  // 3 xx, and B3 times zz and xz; the sum and difference of yy and B3 zz.
  logic [WIDTH-1:0] xx3, zz_b3, xz_b3, yy_late;
  logic [WIDTH:0] plus, minus;
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(3), .LATENCY(BETWEEN)) u_xx3 (.clk_i, .a_i(xx), .p_o(xx3));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(B3)) u_zz_b3 (.clk_i, .a_i(zz), .p_o(zz_b3));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(B3), .LATENCY(BETWEEN - 3)) u_xz_b3 (
      .clk_i, .a_i(xz), .p_o(xz_b3));
  delay_line #(.WIDTH(WIDTH), .DEPTH(3)) u_yy (.clk_i, .d_i(yy), .q_o(yy_late));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(BETWEEN - 3)) u_plus (.clk_i, .a_i(yy_late), .b_i(zz_b3), .s_o(plus));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BETWEEN - 3)) u_minus (
      .clk_i, .a_i(yy_late), .b_i(zz_b3), .s_o(minus));

  // X = xy m - yz xz',  Y = m p + 3 xx xz',  Z = yz p + 3 xx xy,  with p, m = yy + B3 zz, yy - B3 zz, xz' = B3 xz.
  assign {g_mul[6].left, g_mul[6].right} = {1'b0, xy, minus};
  assign {g_mul[7].left, g_mul[7].right} = {1'b0, yz, 1'b0, xz_b3};
  assign {g_mul[8].left, g_mul[8].right} = {minus, plus};
  assign {g_mul[9].left, g_mul[9].right} = {1'b0, xx3, 1'b0, xz_b3};
  assign {g_mul[10].left, g_mul[10].right} = {1'b0, yz, plus};
  assign {g_mul[11].left, g_mul[11].right} = {1'b0, xx3, 1'b0, xy};

  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BEHIND)) u_x (
      .clk_i, .a_i(g_mul[6].product), .b_i(g_mul[7].product), .s_o(sum_o.x));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BEHIND)) u_y (
      .clk_i, .a_i(g_mul[8].product), .b_i(g_mul[9].product), .s_o(sum_o.y));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(BEHIND)) u_z (
      .clk_i, .a_i(g_mul[10].product), .b_i(g_mul[11].product), .s_o(sum_o.z));
endmodule
