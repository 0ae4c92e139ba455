// SPDX-License-Identifier: MIT OR Apache-2.0
// The low half of a product by a three-way split with five products (MSMAC, 3.2.3).
//
// a0 b0, a1 b1 and (a0 + a1)(b0 + b1) are whole; of a0 b2 and a2 b0 the low half is enough. With LAYERS = 3, 256 bits
// take 3 * 9 + 2 * 8 = 43 leaves.
//
// Contract: p_o in cycle t is a_i * b_i mod 2^WIDTH of cycle t - LATENCY, with
// LATENCY = field_pkg::mul_latency(HYBRID, LAYERS). Short products are two layers deep, so LAYERS is at least 2.
module mul_hybrid_low #(
    parameter int WIDTH = 256,
    parameter int LAYERS = 3
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] p_o
);
  localparam int THIRD = (WIDTH + 2) / 3;
  localparam int TOP = WIDTH - 2 * THIRD;
  localparam int SUM = THIRD + 1;
  if (TOP < 1 || LAYERS < 2) begin : g_invalid
    $error("mul_hybrid_low: WIDTH is at least 3 and not 4, LAYERS at least 2");
  end

  logic [THIRD-1:0] a0, b0, a1, b1;
  logic [TOP-1:0] a2, b2;
  logic [SUM-1:0] a01, b01;
  always_ff @(posedge clk_i) begin
    {a2, a1, a0} <= a_i;
    {b2, b1, b0} <= b_i;
    a01 <= SUM'(a_i[THIRD-1:0]) + SUM'(a_i[2*THIRD-1:THIRD]);
    b01 <= SUM'(b_i[THIRD-1:0]) + SUM'(b_i[2*THIRD-1:THIRD]);
  end

  logic [2*THIRD-1:0] p00, p11;
  logic [2*SUM-1:0] s01;
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1)) u_00 (.clk_i, .a_i(a0), .b_i(b0), .p_o(p00));
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1)) u_01 (.clk_i, .a_i(a01), .b_i(b01), .p_o(s01));

  logic [TOP-1:0] p02, p20, d02, d20;
  mul_short #(.WIDTH(TOP)) u_02 (.clk_i, .a_i(a0[TOP-1:0]), .b_i(b2), .p_o(p02));
  mul_short #(.WIDTH(TOP)) u_20 (.clk_i, .a_i(a2), .b_i(b0[TOP-1:0]), .p_o(p20));
  delay_line #(.WIDTH(2 * TOP), .DEPTH(field_pkg::SPLIT_LATENCY * (LAYERS - 2))) u_align (
      .clk_i, .d_i({p02, p20}), .q_o({d02, d20}));

  logic [WIDTH-1:0] m0, m1;
  logic [TOP-1:0] m2;
  always_ff @(posedge clk_i) begin
    m0 <= WIDTH'(p00);
    m1 <= WIDTH'(s01) - WIDTH'(p00) - WIDTH'(p11);
    m2 <= p11[TOP-1:0] + d02 + d20;
    p_o <= m0 + (m1 << THIRD) + {m2, (2 * THIRD)'(0)};
  end
endmodule
