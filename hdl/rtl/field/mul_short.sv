// SPDX-License-Identifier: MIT OR Apache-2.0
// The low half of a product by a four-way split with eight leaves instead of ten.
//
// The limbs' products x_i y_j count if i + j < 4. Karatsuba's differences give the products of limbs 0 1, 0 2 and 1 2
// from three squares of sides and three sums; x0 y3 and x3 y0 stay (short products: Hanrot and Zimmermann, "A long note
// on Mulders' short product"). MSMAC says that two of the five products of its low half "can be further optimized" and
// counts 43 leaves. 3 * 9 + 2 * 8 is 43, so we assume that it means this split.
//
// Contract: p_o in cycle t is a_i * b_i mod 2^WIDTH of cycle t - LATENCY, with LATENCY = LEAF + field_pkg::SHORT_MORE.
module mul_short #(
    parameter int WIDTH = 84,
    parameter int LEAF = field_pkg::LEAF_LATENCY
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] p_o
);
  localparam int LIMB = (WIDTH + 3) / 4;
  localparam int TOP = WIDTH - 3 * LIMB;
  localparam int SUM = LIMB + 1;
  if (TOP < 1) begin : g_invalid
    $error("mul_short: WIDTH is 4 or at least 7, and not 9");
  end

  logic [LIMB-1:0] a0, a1, a2, a3, b0, b1, b2, b3;
  logic [SUM-1:0] a01, a02, a12, b01, b02, b12;
  always_ff @(posedge clk_i) begin
    {a3, a2, a1, a0} <= (4 * LIMB)'(a_i);
    {b3, b2, b1, b0} <= (4 * LIMB)'(b_i);
    a01 <= SUM'(a_i[0*LIMB+:LIMB]) + SUM'(a_i[1*LIMB+:LIMB]);
    a02 <= SUM'(a_i[0*LIMB+:LIMB]) + SUM'(a_i[2*LIMB+:LIMB]);
    a12 <= SUM'(a_i[1*LIMB+:LIMB]) + SUM'(a_i[2*LIMB+:LIMB]);
    b01 <= SUM'(b_i[0*LIMB+:LIMB]) + SUM'(b_i[1*LIMB+:LIMB]);
    b02 <= SUM'(b_i[0*LIMB+:LIMB]) + SUM'(b_i[2*LIMB+:LIMB]);
    b12 <= SUM'(b_i[1*LIMB+:LIMB]) + SUM'(b_i[2*LIMB+:LIMB]);
  end

  logic [2*LIMB-1:0] p00, p11, p22, p03, p30;
  logic [2*SUM-1:0] s01, s02, s12;
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_00 (.clk_i, .a_i(a0), .b_i(b0), .p_o(p00));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_22 (.clk_i, .a_i(a2), .b_i(b2), .p_o(p22));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_03 (.clk_i, .a_i(a0), .b_i(b3), .p_o(p03));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_30 (.clk_i, .a_i(a3), .b_i(b0), .p_o(p30));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_01 (.clk_i, .a_i(a01), .b_i(b01), .p_o(s01));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_02 (.clk_i, .a_i(a02), .b_i(b02), .p_o(s02));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_12 (.clk_i, .a_i(a12), .b_i(b12), .p_o(s12));

  logic [WIDTH-1:0] m0, m1, m2, m3;
  always_ff @(posedge clk_i) begin
    m0 <= WIDTH'(p00);
    m1 <= WIDTH'(s01) - WIDTH'(p00) - WIDTH'(p11);
    m2 <= WIDTH'(s02) - WIDTH'(p00) - WIDTH'(p22) + WIDTH'(p11);
    m3 <= WIDTH'(s12) - WIDTH'(p11) - WIDTH'(p22) + WIDTH'(p03) + WIDTH'(p30);
    p_o <= m0 + (m1 << LIMB) + (m2 << (2 * LIMB)) + (m3 << (3 * LIMB));
  end
endmodule
