// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers by a three-way split with six products, then LAYERS - 1 two-way ones (MSMAC, 3.2.3).
//
// With LAYERS = 3, 256 bits take 6 * 3 * 3 = 54 leaves of 21 to 24 bits, which fill a DSP of 27 x 24.
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY, with LATENCY = field_pkg::mul_latency(HYBRID, LAYERS).
module mul_hybrid #(
    parameter int WIDTH = 256,
    parameter int LAYERS = 3
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
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1)) u_00 (.clk_i, .a_i(a0), .b_i(b0), .p_o(p00));
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_karatsuba #(.WIDTH(TOP), .LAYERS(LAYERS - 1)) u_22 (.clk_i, .a_i(a2), .b_i(b2), .p_o(p22));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1)) u_01 (.clk_i, .a_i(a01), .b_i(b01), .p_o(s01));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1)) u_02 (.clk_i, .a_i(a02), .b_i(b02), .p_o(s02));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1)) u_12 (.clk_i, .a_i(a12), .b_i(b12), .p_o(s12));

  logic [2*SUM-1:0] m1, m2, m3;
  logic [2*THIRD-1:0] m0;
  logic [2*TOP-1:0] m4;
  always_ff @(posedge clk_i) begin
    m0 <= p00;
    m1 <= s01 - (2 * SUM)'(p00) - (2 * SUM)'(p11);
    m2 <= s02 - (2 * SUM)'(p00) - (2 * SUM)'(p22) + (2 * SUM)'(p11);
    m3 <= s12 - (2 * SUM)'(p11) - (2 * SUM)'(p22);
    m4 <= p22;
    p_o <= ALL'(m0) + (ALL'(m1) << THIRD) + (ALL'(m2) << (2 * THIRD)) + (ALL'(m3) << (3 * THIRD))
        + (ALL'(m4) << (4 * THIRD));
  end
endmodule
