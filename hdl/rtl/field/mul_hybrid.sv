// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers by a three-way split with six products, then LAYERS - 1 two-way splits (MSMAC, 3.2.3).
//
// With LAYERS = 3, 256 bits take 6 * 3 * 3 = 54 leaves of 21 to 24 bits, which fill a DSP of 27 x 24.
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY, with LATENCY = field_pkg::mul_latency(HYBRID, WIDTH, LAYERS, LEAF).
module mul_hybrid #(
    parameter int WIDTH = 256,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  localparam int THIRD = (WIDTH + 2) / 3;
  localparam int TOP = WIDTH - 2 * THIRD;
  localparam int SUM = THIRD + 1;
  localparam int ALL = 2 * WIDTH;
  if (TOP < 1 || LAYERS < 1) begin : g_invalid
    $error("mul_hybrid: WIDTH is at least 3 and not 4, LAYERS at least 1");
  end

  logic [THIRD-1:0] a0, b0, a1, b1;
  logic [TOP-1:0] a2, b2;
  logic [SUM-1:0] a01, b01, a02, b02, a12, b12;
  always_ff @(posedge clk_i) begin
    {a2, a1, a0} <= a_i;
    {b2, b1, b0} <= b_i;
    a01 <= SUM'(a_i[THIRD-1:0]) + SUM'(a_i[2*THIRD-1:THIRD]);
    b01 <= SUM'(b_i[THIRD-1:0]) + SUM'(b_i[2*THIRD-1:THIRD]);
    a02 <= SUM'(a_i[THIRD-1:0]) + SUM'(a_i[WIDTH-1:2*THIRD]);
    b02 <= SUM'(b_i[THIRD-1:0]) + SUM'(b_i[WIDTH-1:2*THIRD]);
    a12 <= SUM'(a_i[2*THIRD-1:THIRD]) + SUM'(a_i[WIDTH-1:2*THIRD]);
    b12 <= SUM'(b_i[2*THIRD-1:THIRD]) + SUM'(b_i[WIDTH-1:2*THIRD]);
  end

  logic [2*THIRD-1:0] p00, p11;
  logic [2*TOP-1:0] p22;
  logic [2*SUM-1:0] s01, s02, s12;
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_00 (.clk_i, .a_i(a0), .b_i(b0), .p_o(p00));
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_karatsuba #(.WIDTH(TOP), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_22 (.clk_i, .a_i(a2), .b_i(b2), .p_o(p22));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF)) u_01 (.clk_i, .a_i(a01), .b_i(b01), .p_o(s01));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF)) u_02 (.clk_i, .a_i(a02), .b_i(b02), .p_o(s02));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF)) u_12 (.clk_i, .a_i(a12), .b_i(b12), .p_o(s12));

  // All bits except the lowest third of the product, divided by 2^third:
  //
  //   p00 / 2^third + (s01 - p00 - p11) + 2^third (s02 - p00 - p22 + p11) + 2^(2 third) (s12 - p11 - p22) + 2^(3 third) p22
  //
  // Products that do not overlap are one summand. -x of n bits is its complement minus 2^n - 1; the constants of all
  // negative terms are one summand.
  localparam int UPPER = ALL - THIRD;
  localparam logic [UPPER-1:0] ONES = UPPER'({2 * THIRD{1'b1}});
  localparam logic [UPPER-1:0] TOP_ONES = UPPER'({2 * TOP{1'b1}});
  localparam logic [UPPER-1:0] CORRECTION = -(2 * ONES) - ((ONES + TOP_ONES) << THIRD) - ((ONES + TOP_ONES) << (2 * THIRD));
  logic [UPPER-1:0] sum, carries, left, right;
  carry_save_tree #(.WIDTH(UPPER), .TERMS(9)) u_two (
      .terms_i({
        CORRECTION,
        UPPER'(p00[2*THIRD-1:THIRD]) | (UPPER'(s01[2*SUM-1:2*THIRD]) << (2 * THIRD)) | (UPPER'(p22) << (3 * THIRD)),
        UPPER'({s12, s01[2*THIRD-1:0]}),
        UPPER'(s02) << THIRD,
        UPPER'(p11) << THIRD,
        UPPER'({~p00}) << THIRD,
        UPPER'({~p22}) << THIRD,
        UPPER'({~p11, ~p00}),
        UPPER'({~p22, ~p11})
      }),
      .sum_o(sum), .carries_o(carries));
  always_ff @(posedge clk_i) {left, right} <= {sum, carries};
  wide_add #(.WIDTH(UPPER)) u_upper (.clk_i, .a_i(left), .b_i(right), .carry_i(1'b0), .s_o(p_o[ALL-1:THIRD]));
  delay_line #(.WIDTH(THIRD), .DEPTH(3)) u_lower (.clk_i, .d_i(p00[THIRD-1:0]), .q_o(p_o[THIRD-1:0]));
endmodule
