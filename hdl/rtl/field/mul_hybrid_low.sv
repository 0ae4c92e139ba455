// SPDX-License-Identifier: MIT OR Apache-2.0
// The low half of a product by a three-way split with five products (MSMAC, 3.2.3).
//
// a0 b0, a1 b1 and (a0 + a1)(b0 + b1) are whole; of a0 b2 and a2 b0 the low half is enough. With LAYERS = 3, 256 bits
// take 3 * 9 + 2 * 8 = 43 leaves.
//
// Contract: p_o in cycle t is a_i * b_i mod 2^WIDTH of cycle t - LATENCY, with
// LATENCY = field_pkg::mul_latency(HYBRID, WIDTH, LAYERS, LEAF). Short products are two layers deep, so LAYERS is at least 2.
module mul_hybrid_low #(
    parameter int WIDTH = 256,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY
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
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_00 (.clk_i, .a_i(a0), .b_i(b0), .p_o(p00));
  mul_karatsuba #(.WIDTH(THIRD), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF)) u_01 (.clk_i, .a_i(a01), .b_i(b01), .p_o(s01));

  logic [TOP-1:0] p02, p20, d02, d20;
  mul_short #(.WIDTH(TOP), .LEAF(LEAF)) u_02 (.clk_i, .a_i(a0[TOP-1:0]), .b_i(b2), .p_o(p02));
  mul_short #(.WIDTH(TOP), .LEAF(LEAF)) u_20 (.clk_i, .a_i(a2), .b_i(b0[TOP-1:0]), .p_o(p20));
  delay_line #(
      .WIDTH(2 * TOP), .DEPTH(field_pkg::mul_latency(field_pkg::KARATSUBA, SUM, LAYERS - 1, LEAF) - LEAF - field_pkg::SHORT_MORE)
  ) u_align (.clk_i, .d_i({p02, p20}), .q_o({d02, d20}));

  // All but the lowest third, as in mul_hybrid: p00 / 2^third + (s01 - p00 - p11) + 2^third (p11 + p02 + p20).
  localparam int UPPER = WIDTH - THIRD;
  localparam logic [UPPER-1:0] CORRECTION = UPPER'(2);
  logic [UPPER-1:0] side_0, side_1, sum, carries, left, right;
  assign side_0 = UPPER'(p00);
  assign side_1 = UPPER'(p11);
  carry_save_tree #(.WIDTH(UPPER), .TERMS(7)) u_two (
      .terms_i({
        CORRECTION,
        {p11[TOP-1:0], p00[2*THIRD-1:THIRD]},
        UPPER'(s01),
        ~side_0,
        ~side_1,
        UPPER'(d02) << THIRD,
        UPPER'(d20) << THIRD
      }),
      .sum_o(sum), .carries_o(carries));
  always_ff @(posedge clk_i) {left, right} <= {sum, carries};
  wide_add #(.WIDTH(UPPER)) u_upper (.clk_i, .a_i(left), .b_i(right), .carry_i(1'b0), .s_o(p_o[WIDTH-1:THIRD]));
  delay_line #(.WIDTH(THIRD), .DEPTH(3)) u_lower (.clk_i, .d_i(p00[THIRD-1:0]), .q_o(p_o[THIRD-1:0]));

  unread u_unread (.d_i(^{p11, s01}));
endmodule
