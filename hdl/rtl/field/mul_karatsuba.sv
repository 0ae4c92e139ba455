// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers by LAYERS two-way splits (Karatsuba): three products of half the width each.
//
//   a b = 2^(2h) a1 b1 + 2^h ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) + a0 b0
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY, with
// LATENCY = field_pkg::mul_latency(KARATSUBA, WIDEST, LAYERS, LEAF).
// WIDEST is the widest multiplier of the layer; all other multipliers of the layer have the same number of stages.
// There are 3^LAYERS leaves. The sums make them at most one bit wider per layer: from 384 bits, three layers end at 48
// to 51 bits (CycloneMSM), four layers at 24 to 27 bits (Gypsophila). No carry chain is longer than field_pkg::CHAIN
// bits.
module mul_karatsuba #(
    parameter int WIDTH = 48,
    parameter int LAYERS = 1,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int WIDEST = WIDTH
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  if (WIDTH < 2 || LAYERS < 0 || WIDEST < WIDTH) begin : g_invalid
    $error("mul_karatsuba: WIDTH is at least 2 in every layer and at most WIDEST, LAYERS at least 0");
  end

  if (LAYERS == 0) begin : g_leaf
    mul_leaf #(.WIDTH(WIDTH), .LATENCY(LEAF)) u_leaf (.clk_i, .a_i, .b_i, .p_o);
  end else begin : g_split
    localparam int LOW = (WIDTH + 1) / 2;
    localparam int HIGH = WIDTH - LOW;
    localparam int SUM = LOW + 1;
    localparam int BELOW = (WIDEST + 1) / 2 + 1;
    localparam int BEFORE = field_pkg::before_latency(WIDEST);
    localparam int AFTER = field_pkg::after_latency(WIDEST);

    logic [LOW-1:0] a0, b0;
    logic [HIGH-1:0] a1, b1;
    logic [SUM-1:0] as, bs;
    delay_line #(.WIDTH(2 * WIDTH), .DEPTH(BEFORE)) u_halves (.clk_i, .d_i({a_i, b_i}), .q_o({a1, a0, b1, b0}));
    lazy_add #(.WIDTH(LOW), .LATENCY(BEFORE)) u_as (
        .clk_i, .a_i(a_i[LOW-1:0]), .b_i(LOW'(a_i[WIDTH-1:LOW])), .s_o(as));
    lazy_add #(.WIDTH(LOW), .LATENCY(BEFORE)) u_bs (
        .clk_i, .a_i(b_i[LOW-1:0]), .b_i(LOW'(b_i[WIDTH-1:LOW])), .s_o(bs));

    logic [ 2*LOW-1:0] low;
    logic [2*HIGH-1:0] high;
    logic [ 2*SUM-1:0] both;
    mul_karatsuba #(.WIDTH(LOW), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(BELOW)) u_low (
        .clk_i, .a_i(a0), .b_i(b0), .p_o(low));
    mul_karatsuba #(.WIDTH(HIGH), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(BELOW)) u_high (
        .clk_i, .a_i(a1), .b_i(b1), .p_o(high));
    mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(BELOW)) u_both (
        .clk_i, .a_i(as), .b_i(bs), .p_o(both));

    // All bits except the lowest h: high and low side by side, and the terms between them, in which -x is the
    // complement of x plus 1.
    localparam int UPPER = 2 * WIDTH - LOW;
    logic [UPPER-1:0] all_low, all_high, sum, carries;
    assign all_low = UPPER'(low);
    assign all_high = UPPER'(high);
    carry_save_tree #(.WIDTH(UPPER), .TERMS(4)) u_two (
        .terms_i({~all_high, ~all_low, UPPER'(both), high, low[2*LOW-1:LOW]}), .sum_o(sum), .carries_o(carries));
    wide_add #(.WIDTH(UPPER), .LATENCY(AFTER)) u_upper (
        .clk_i, .a_i(sum), .b_i({carries[UPPER-1:1], 1'b1}), .carry_i(1'b1), .s_o(p_o[2*WIDTH-1:LOW]));
    delay_line #(.WIDTH(LOW), .DEPTH(AFTER)) u_lower (.clk_i, .d_i(low[LOW-1:0]), .q_o(p_o[LOW-1:0]));

    unread u_unread (.d_i(carries[0]));
  end
endmodule
