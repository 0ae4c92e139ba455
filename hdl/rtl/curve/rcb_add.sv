// SPDX-License-Identifier: MIT OR Apache-2.0
// Complete projective addition on y^2 = x^3 + b: twelve multipliers, fully pipelined (MSMAC 3.2.3; Renes, Costello,
// Batina, Algorithm 7). There is no exception on a curve of odd order: equal points, inverse points and the point at
// infinity (0 : Y : 0) are as all others.
//
// Coordinates are below PRIME, in the form that REDUCTION has; B3 = 3 b is a small number, 9 for BN254.
//
// Contract: valid_o, tag_o and the sum in cycle t belong to the operands of cycle t - LATENCY, an addition a cycle.
// LATENCY is 2 MUL_LATENCY + 3 ADD_LATENCY.
module rcb_add #(
    parameter int WIDTH = bn254_pkg::WIDTH,
    parameter logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME,
    parameter int B3 = 9,
    parameter int WORD = bn254_pkg::WORD,
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::HYBRID,
    parameter int LAYERS = 3,
    parameter int MUL_LATENCY = 39,
    parameter int ADD_LATENCY = 4,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 2 * MUL_LATENCY + 3 * ADD_LATENCY
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
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
  // Sums of three elements are below 4 PRIME, B3 times a representative below 2^B3_BITS PRIME.
  localparam int B3_BITS = $clog2(B3);
  if (B3 < 2) begin : g_invalid
    $error("rcb_add: B3 is at least 2");
  end

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(TAG_WIDTH)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  for (genvar i = 0; i < 12; i++) begin : g_mul
    logic [WIDTH:0] left, right;
    logic [WIDTH-1:0] product;
    mod_mul #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS),
        .LATENCY(MUL_LATENCY)
    ) u_mul (.clk_i, .a_i(left), .b_i(right), .p_o(product));
  end

  // Products of coordinates, and of sums of two coordinates.
  delay_line #(.WIDTH(6 * WIDTH + 6), .DEPTH(ADD_LATENCY)) u_coordinates (
      .clk_i,
      .d_i({1'b0, x1_i, 1'b0, x2_i, 1'b0, y1_i, 1'b0, y2_i, 1'b0, z1_i, 1'b0, z2_i}),
      .q_o({g_mul[0].left, g_mul[0].right, g_mul[1].left, g_mul[1].right, g_mul[2].left, g_mul[2].right})
  );
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_xy_1 (.clk_i, .a_i(x1_i), .b_i(y1_i), .s_o(g_mul[3].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_xy_2 (.clk_i, .a_i(x2_i), .b_i(y2_i), .s_o(g_mul[3].right));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_yz_1 (.clk_i, .a_i(y1_i), .b_i(z1_i), .s_o(g_mul[4].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_yz_2 (.clk_i, .a_i(y2_i), .b_i(z2_i), .s_o(g_mul[4].right));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_xz_1 (.clk_i, .a_i(x1_i), .b_i(z1_i), .s_o(g_mul[5].left));
  lazy_add #(.WIDTH(WIDTH), .LATENCY(ADD_LATENCY)) u_xz_2 (.clk_i, .a_i(x2_i), .b_i(z2_i), .s_o(g_mul[5].right));

  // xx, yy, zz, and the mixed products X1 Y2 + X2 Y1 and so on.
  logic [WIDTH-1:0] xx, yy, zz;
  logic [WIDTH+1:0] xy_sum, yz_sum, xz_sum;
  logic [WIDTH-1:0] xy, yz, xz;
  assign {xx, yy, zz} = {g_mul[0].product, g_mul[1].product, g_mul[2].product};
  localparam logic [WIDTH+1:0] TWICE = (WIDTH + 2)'(PRIME) << 1;
  assign xy_sum = (WIDTH + 2)'(g_mul[3].product) + TWICE - (WIDTH + 2)'(xx) - (WIDTH + 2)'(yy);
  assign yz_sum = (WIDTH + 2)'(g_mul[4].product) + TWICE - (WIDTH + 2)'(yy) - (WIDTH + 2)'(zz);
  assign xz_sum = (WIDTH + 2)'(g_mul[5].product) + TWICE - (WIDTH + 2)'(xx) - (WIDTH + 2)'(zz);
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xy (.a_i(xy_sum), .r_o(xy));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_yz (.a_i(yz_sum), .r_o(yz));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xz (.a_i(xz_sum), .r_o(xz));

  // 3 xx, and B3 times zz and xz, of which the sum and difference with yy follow.
  logic [WIDTH-1:0] xx3, zz_b3;
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(2)) u_xx3 (
      .a_i((WIDTH + 2)'(xx) + ((WIDTH + 2)'(xx) << 1)), .r_o(xx3));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(B3_BITS)) u_zz_b3 (
      .a_i((WIDTH + B3_BITS)'(zz) * (WIDTH + B3_BITS)'(B3)), .r_o(zz_b3));
  logic [WIDTH-1:0] xx3_s, zz_b3_s, xz_b3_s, xz_s, xy_s, yz_s, yy_s;
  delay_line #(.WIDTH(6 * WIDTH), .DEPTH(ADD_LATENCY)) u_second (
      .clk_i, .d_i({xx3, zz_b3, xz, xy, yz, yy}), .q_o({xx3_s, zz_b3_s, xz_s, xy_s, yz_s, yy_s}));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .BITS(B3_BITS)) u_xz_b3 (
      .a_i((WIDTH + B3_BITS)'(xz_s) * (WIDTH + B3_BITS)'(B3)), .r_o(xz_b3_s));

  // X = xy m - yz xz',  Y = m p + 3 xx xz',  Z = yz p + 3 xx xy,  with p, m = yy + B3 zz, yy - B3 zz, xz' = B3 xz.
  logic [WIDTH:0] plus, minus;
  lazy_add #(.WIDTH(WIDTH), .LATENCY(0)) u_plus (.clk_i, .a_i(yy_s), .b_i(zz_b3_s), .s_o(plus));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(0)) u_minus (.clk_i, .a_i(yy_s), .b_i(zz_b3_s), .s_o(minus));
  assign {g_mul[6].left, g_mul[6].right} = {1'b0, xy_s, minus};
  assign {g_mul[7].left, g_mul[7].right} = {1'b0, yz_s, 1'b0, xz_b3_s};
  assign {g_mul[8].left, g_mul[8].right} = {minus, plus};
  assign {g_mul[9].left, g_mul[9].right} = {1'b0, xx3_s, 1'b0, xz_b3_s};
  assign {g_mul[10].left, g_mul[10].right} = {1'b0, yz_s, plus};
  assign {g_mul[11].left, g_mul[11].right} = {1'b0, xx3_s, 1'b0, xy_s};

  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_x (
      .clk_i, .a_i(g_mul[6].product), .b_i(g_mul[7].product), .s_o(x_o));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_y (
      .clk_i, .a_i(g_mul[8].product), .b_i(g_mul[9].product), .s_o(y_o));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(ADD_LATENCY)) u_z (
      .clk_i, .a_i(g_mul[10].product), .b_i(g_mul[11].product), .s_o(z_o));
endmodule
