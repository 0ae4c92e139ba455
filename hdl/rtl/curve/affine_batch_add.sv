// SPDX-License-Identifier: MIT OR Apache-2.0
// Affine additions on y^2 = x^3 + b in batches that share an inversion: six products an addition.
//
//   d = x2 - x1,  n = y2 - y1                   three cycles
//   exceptions; the difference of the place     two cycles
//   1 / d                                       batch_chains, and the root of the batch outside
//   s = n / d,  x3 = s^2 - x1 - x2,  y3 = s (x1 - x3) - y1
//
// A batch is BATCH cycles. A pair has the place of its cycle, and a place without a pair has the difference 1. Exceptions are found
// before a pair enters its batch, so the product of a batch is never 0:
//
// - One point is infinity, or the points are opposite: the result is known. The place has the difference 1 and keeps the result.
// - The points are equal: the place has the difference 1 and n = x, so s^2 = x^2. When the place leaves, it takes the place of that
//   cycle, with d = 2 y and n = 3 x^2. No pair is taken in this cycle.
//
// Contract:
// - After a reset, the first cycle is place 0 of a batch; batches follow each other without a gap.
// - A pair is taken in a cycle with valid_i and ready_o. Its sum comes with valid_o, as its place leaves; so a pair's latency depends
//   on its place alone, and on the root's latency. Points are {y, x} in Montgomery form, and infinity is (0, 0).
// - The products of chains and their inverses are batch_chains' ports, in the same cycles for all adders that have been reset
//   together.
// - Events: placed_o, a place of an addition has entered its batch five cycles after its cycle; multiplied_o, behind the first turn;
//   squares_o, for the square of a doubling. last_o is high with the last place of each batch.
`include "ports.svh"
module affine_batch_add #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LATENCY = 39,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int FRAMES = 8,
    parameter int TAG_WIDTH = 1
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic [TAG_WIDTH-1:0] tag_i,
    input  logic [  2*WIDTH-1:0] left_i,
    input  logic [  2*WIDTH-1:0] right_i,
    output logic                 valid_o,
    output logic [TAG_WIDTH-1:0] tag_o,
    output logic [  2*WIDTH-1:0] sum_o,
    output logic                 product_valid_o,
    output logic [    WIDTH-1:0] product_o,
    input  logic                 inverse_valid_i,
    input  logic [    WIDTH-1:0] inverse_i,
    output logic                 placed_o,
    output logic                 multiplied_o,
    output logic                 squares_o,
    output logic                 last_o
);
  localparam int SUM_LATENCY = 3;
  localparam int FRONT = SUM_LATENCY + 2;
  localparam int PRODUCT = LATENCY + 1;
  localparam logic [field_pkg::WIDE-1:0] ONE = field_pkg::shifted(field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), WORD);
  typedef enum logic [1:0] {NONE, SUM, SQUARE, KNOWN} kind_e;

  // Cycle 0. A square that leaves goes before a pair.
  logic again, there_0;
  logic [WIDTH-1:0] square;
  logic [TAG_WIDTH-1:0] tag_0;
  logic [2*WIDTH-1:0] left_0, right_0;
  assign ready_o = !again;
  assign there_0 = again || valid_i;
  assign tag_0 = again ? tag_o : tag_i;
  assign left_0 = again ? sum_o : left_i;
  assign right_0 = again ? sum_o : right_i;

  // Cycle 3.
  logic [WIDTH-1:0] d_3, n_3, twice_3, triple_3;
  logic [2*WIDTH-1:0] left_3, right_3;
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_d (
      .clk_i, .a_i(right_0[0+:WIDTH]), .b_i(left_0[0+:WIDTH]), .s_o(d_3));
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_n (
      .clk_i, .a_i(right_0[WIDTH+:WIDTH]), .b_i(left_0[WIDTH+:WIDTH]), .s_o(n_3));
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_twice (
      .clk_i, .a_i(sum_o[WIDTH+:WIDTH]), .b_i(sum_o[WIDTH+:WIDTH]), .s_o(twice_3));
  mod_times #(.WIDTH(WIDTH), .PRIME(PRIME), .FACTOR(3), .LATENCY(SUM_LATENCY)) u_triple (
      .clk_i, .a_i(square), .p_o(triple_3));
  delay_line #(.WIDTH(4 * WIDTH), .DEPTH(SUM_LATENCY)) u_points (
      .clk_i, .d_i({right_0, left_0}), .q_o({right_3, left_3}));

  // Cycle 4: comparisons with 0.
  logic again_4, there_4, d_zero, n_zero, y_zero, left_zero, right_zero;
  logic [TAG_WIDTH-1:0] tag_4;
  logic [WIDTH-1:0] d_4, n_4;
  logic [2*WIDTH-1:0] left_4, right_4;
  tag_line #(.LATENCY(FRONT - 1), .TAG_WIDTH(TAG_WIDTH + 1)) u_there (
      .clk_i, .rst_i, .valid_i(there_0), .tag_i({again, tag_0}), .valid_o(there_4), .tag_o({again_4, tag_4}));
  logic again_3;
  delay_line #(.DEPTH(SUM_LATENCY)) u_again (.clk_i, .d_i(again), .q_o(again_3));
  always_ff @(posedge clk_i) begin
    d_zero <= d_3 == 0;
    n_zero <= n_3 == 0;
    y_zero <= left_3[WIDTH+:WIDTH] == 0;
    left_zero <= left_3 == 0;
    right_zero <= right_3 == 0;
    d_4 <= again_3 ? twice_3 : d_3;
    n_4 <= again_3 ? triple_3 : n_3;
    left_4 <= left_3;
    right_4 <= right_3;
  end

  // Cycle 5: the place.
  logic known, doubles;
  kind_e kind_5;
  logic [TAG_WIDTH-1:0] tag_5;
  logic [WIDTH-1:0] d_5, n_5, other_5;
  logic [2*WIDTH-1:0] point_5;
  assign known = left_zero || right_zero || (d_zero && (!n_zero || y_zero));
  assign doubles = !known && d_zero;
  always_ff @(posedge clk_i) begin
    tag_5 <= tag_4;
    kind_5 <= !there_4 || rst_i ? NONE : again_4 ? SUM : known ? KNOWN : doubles ? SQUARE : SUM;
    d_5 <= there_4 && (again_4 || !(known || doubles)) ? d_4 : ONE[WIDTH-1:0];
    n_5 <= !again_4 && doubles ? left_4[0+:WIDTH] : n_4;
    point_5 <= again_4 || !known ? left_4 : left_zero ? right_4 : right_zero ? left_4 : '0;
    // The square of a doubling comes out as it is.
    other_5 <= !again_4 && doubles ? '0 : right_4[0+:WIDTH];
  end

  // The batch's reset is as late as its differences.
  logic [FRONT-1:0] resets;
  logic [$clog2(BATCH)-1:0] place;
  always_ff @(posedge clk_i) begin
    resets <= rst_i ? '1 : FRONT'({resets, 1'b0});
    place <= resets[FRONT-1] ? '0 : place + 1'b1;
  end
  assign placed_o = kind_5 != NONE;
  assign squares_o = kind_5 == SQUARE;
  assign multiplied_o = placed_o && place >= ($clog2(BATCH))'(CHAINS);
  assign last_o = &place && !resets[FRONT-1];

  // Behind the batch, cycle by cycle.
  localparam int DATA = 2 + TAG_WIDTH + 4 * WIDTH;
  logic leaves;
  logic [1:0] kind_0b;
  logic [TAG_WIDTH-1:0] tag_0b;
  logic [WIDTH-1:0] inverse, n_0b, other_0b;
  logic [2*WIDTH-1:0] point_0b;
  batch_chains #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY), .BATCH(BATCH),
      .CHAINS(CHAINS), .FRAMES(FRAMES), .DATA_WIDTH(DATA)
  ) u_chains (
      .clk_i, .rst_i(resets[FRONT-1]), .d_i(d_5), .data_i({kind_5, tag_5, n_5, other_5, point_5}),
      .product_valid_o, .product_o, .inverse_valid_i, .inverse_i, .valid_o(leaves), .inverse_o(inverse),
      .data_o({kind_0b, tag_0b, n_0b, other_0b, point_0b})
  );

  // Three products, with a register for the operands of each.
  localparam int S = PRODUCT, S2 = S + PRODUCT, X = S2 + SUM_LATENCY, E = X + SUM_LATENCY, T = E + PRODUCT,
      Y = T + SUM_LATENCY;
  logic [WIDTH-1:0] n_1, inverse_1, slope, slope_1, slope_square, x_3, x_late, e, slope_e, e_1, slope_e_1, t, y_3;
  logic [WIDTH-1:0] other_s2, x_s2, x_x, x_y, y_t, y_y;
  always_ff @(posedge clk_i) begin
    n_1 <= n_0b;
    inverse_1 <= inverse;
    slope_1 <= slope;
    e_1 <= e;
    slope_e_1 <= slope_e;
  end
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_slope (.clk_i, .a_i({1'b0, n_1}), .b_i({1'b0, inverse_1}), .p_o(slope));
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_square (.clk_i, .a_i({1'b0, slope_1}), .b_i({1'b0, slope_1}), .p_o(slope_square));
  delay_line #(.WIDTH(2 * WIDTH), .DEPTH(S2)) u_xs (
      .clk_i, .d_i({other_0b, point_0b[0+:WIDTH]}), .q_o({other_s2, x_s2}));
  logic [1:0] kind_s2;
  delay_line #(.WIDTH(2), .DEPTH(S2)) u_kind_s2 (.clk_i, .d_i(kind_0b), .q_o(kind_s2));
  mod_sub_two #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_x (
      .clk_i, .a_i(slope_square), .b_i(kind_s2 == SQUARE ? '0 : x_s2), .c_i(other_s2), .s_o(x_3));
  delay_line #(.WIDTH(WIDTH), .DEPTH(X - S2)) u_x_x (.clk_i, .d_i(x_s2), .q_o(x_x));
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_e (.clk_i, .a_i(x_x), .b_i(x_3), .s_o(e));
  delay_line #(.WIDTH(WIDTH), .DEPTH(E - S)) u_slope_e (.clk_i, .d_i(slope), .q_o(slope_e));
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_t (.clk_i, .a_i({1'b0, e_1}), .b_i({1'b0, slope_e_1}), .p_o(t));
  delay_line #(.WIDTH(WIDTH), .DEPTH(T)) u_y_t (.clk_i, .d_i(point_0b[WIDTH+:WIDTH]), .q_o(y_t));
  mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(SUM_LATENCY)) u_y (.clk_i, .a_i(t), .b_i(y_t), .s_o(y_3));
  delay_line #(.WIDTH(WIDTH), .DEPTH(Y - X)) u_x_late (.clk_i, .d_i(x_3), .q_o(x_late));
  delay_line #(.WIDTH(WIDTH), .DEPTH(Y - X)) u_x_y (.clk_i, .d_i(x_x), .q_o(x_y));
  delay_line #(.WIDTH(WIDTH), .DEPTH(Y - T)) u_y_y (.clk_i, .d_i(y_t), .q_o(y_y));

  logic leaves_y;
  logic [1:0] kind_y;
  logic [TAG_WIDTH-1:0] tag_y;
  tag_line #(.LATENCY(Y), .TAG_WIDTH(2 + TAG_WIDTH)) u_leaves (
      .clk_i, .rst_i, .valid_i(leaves && kind_0b != NONE), .tag_i({kind_0b, tag_0b}), .valid_o(leaves_y),
      .tag_o({kind_y, tag_y}));
  always_ff @(posedge clk_i) begin
    valid_o <= !rst_i && leaves_y && kind_y != SQUARE;
    again <= !rst_i && leaves_y && kind_y == SQUARE;
    tag_o <= tag_y;
    sum_o <= kind_y == SUM ? {y_3, x_late} : {y_y, x_y};
    square <= x_late;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && d_5 == 0) $error("affine_batch_add: a batch has the difference 0");
`endif
endmodule
