// SPDX-License-Identifier: MIT OR Apache-2.0
// The upper half of a product by a four-way split with eight leaves instead of ten: mul_short, mirrored.
//
// The limbs' products x_i y_j count if i + j >= 3. With B = 2^(WIDTH / 4), a b = B^3 p + rest; the rest is left out,
// and is below 3 B^4.
//
// Contract: p_o in cycle t belongs to the operands of cycle t - LATENCY, with LATENCY = LEAF + field_pkg::SHORT_MORE.
module mul_short_high #(
    parameter int WIDTH = 88,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    localparam int LIMB = WIDTH / 4,
    localparam int OUT = 5 * LIMB
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [  OUT-1:0] p_o
);
  localparam int SUM = LIMB + 1;
  if (WIDTH % 4 != 0) begin : g_invalid
    $error("mul_short_high: WIDTH is a multiple of 4");
  end

  logic [LIMB-1:0] a0, a1, a2, a3, b0, b1, b2, b3;
  logic [SUM-1:0] a12, a13, a23, b12, b13, b23;
  always_ff @(posedge clk_i) begin
    {a3, a2, a1, a0} <= a_i;
    {b3, b2, b1, b0} <= b_i;
    a12 <= SUM'(a_i[1*LIMB+:LIMB]) + SUM'(a_i[2*LIMB+:LIMB]);
    a13 <= SUM'(a_i[1*LIMB+:LIMB]) + SUM'(a_i[3*LIMB+:LIMB]);
    a23 <= SUM'(a_i[2*LIMB+:LIMB]) + SUM'(a_i[3*LIMB+:LIMB]);
    b12 <= SUM'(b_i[1*LIMB+:LIMB]) + SUM'(b_i[2*LIMB+:LIMB]);
    b13 <= SUM'(b_i[1*LIMB+:LIMB]) + SUM'(b_i[3*LIMB+:LIMB]);
    b23 <= SUM'(b_i[2*LIMB+:LIMB]) + SUM'(b_i[3*LIMB+:LIMB]);
  end

  logic [2*LIMB-1:0] p11, p22, p33, p03, p30;
  logic [2*SUM-1:0] s12, s13, s23;
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_22 (.clk_i, .a_i(a2), .b_i(b2), .p_o(p22));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_33 (.clk_i, .a_i(a3), .b_i(b3), .p_o(p33));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_03 (.clk_i, .a_i(a0), .b_i(b3), .p_o(p03));
  mul_leaf #(.WIDTH(LIMB), .LATENCY(LEAF)) u_30 (.clk_i, .a_i(a3), .b_i(b0), .p_o(p30));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_12 (.clk_i, .a_i(a12), .b_i(b12), .p_o(s12));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_13 (.clk_i, .a_i(a13), .b_i(b13), .p_o(s13));
  mul_leaf #(.WIDTH(SUM), .LATENCY(LEAF)) u_23 (.clk_i, .a_i(a23), .b_i(b23), .p_o(s23));

  logic [2*SUM-1:0] m3, m4, m5, m6;
  always_ff @(posedge clk_i) begin
    m3 <= s12 - (2 * SUM)'(p11) - (2 * SUM)'(p22) + (2 * SUM)'(p03) + (2 * SUM)'(p30);
    m4 <= s13 - (2 * SUM)'(p11) - (2 * SUM)'(p33) + (2 * SUM)'(p22);
    m5 <= s23 - (2 * SUM)'(p22) - (2 * SUM)'(p33);
    m6 <= (2 * SUM)'(p33);
    p_o <= OUT'(m3) + (OUT'(m4) << LIMB) + (OUT'(m5) << (2 * LIMB)) + (OUT'(m6) << (3 * LIMB));
  end
endmodule
