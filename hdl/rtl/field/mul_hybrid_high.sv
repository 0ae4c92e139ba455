// SPDX-License-Identifier: MIT OR Apache-2.0
// The upper half of a product by a three-way split with five products, the mirror of mul_hybrid_low (MSMAC 3.2.3:
// "similar optimization can be applied to the third"). The result is less than the product, by an amount that
// Montgomery's reduction does not need.
//
// The low limbs have LOW bits, the upper limb four more. a1 b1, a2 b2 and (a1 + a2)(b1 + b2) are whole; of a0 b2 and a2
// b0 the upper half is enough; a0 b0, a0 b1 and a1 b0 are left out. With LAYERS = 3, 256 bits take 3 * 9 + 2 * 8 = 43
// leaves.
//
// Contract: 0 <= a b - p < 2^WIDTH for p_o in cycle t and the operands of cycle t - LATENCY, with
// LATENCY = field_pkg::mul_latency(HYBRID, WIDTH, LAYERS, LEAF).
// The part that is left out is below 2^(3 LOW) (2 + 2 * 3) + 2^(2 LOW), and 3 LOW
// is WIDTH - 4.
module mul_hybrid_high #(
    parameter int WIDTH = 256,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  localparam int LOW = (WIDTH - 4) / 3;
  localparam int TOP = LOW + 4;
  localparam int SUM = TOP + 1;
  localparam int LIMB = TOP / 4;
  localparam int SHORT = 5 * LIMB;
  localparam int ALL = 2 * WIDTH;
  localparam int INNER = field_pkg::mul_latency(field_pkg::KARATSUBA, SUM, LAYERS - 1, LEAF);
  if (3 * LOW + 4 != WIDTH || 4 * LIMB != TOP || LAYERS < 2 || INNER + 4 != field_pkg::mul_latency(
          field_pkg::HYBRID, WIDTH, LAYERS, LEAF)) begin : g_invalid
    $error("mul_hybrid_high: WIDTH is 4 more than a multiple of 12, LAYERS at least 2");
  end

  logic [LOW-1:0] a0, b0, a1, b1;
  logic [TOP-1:0] a2, b2;
  logic [SUM-1:0] a12, b12;
  always_ff @(posedge clk_i) begin
    {a2, a1, a0} <= a_i;
    {b2, b1, b0} <= b_i;
    a12 <= SUM'(a_i[2*LOW-1:LOW]) + SUM'(a_i[WIDTH-1:2*LOW]);
    b12 <= SUM'(b_i[2*LOW-1:LOW]) + SUM'(b_i[WIDTH-1:2*LOW]);
  end

  logic [2*LOW-1:0] p11;
  logic [2*TOP-1:0] p22;
  logic [2*SUM-1:0] s12;
  mul_karatsuba #(.WIDTH(LOW), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_11 (.clk_i, .a_i(a1), .b_i(b1), .p_o(p11));
  mul_karatsuba #(.WIDTH(TOP), .LAYERS(LAYERS - 1), .LEAF(LEAF), .WIDEST(SUM)) u_22 (.clk_i, .a_i(a2), .b_i(b2), .p_o(p22));
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1), .LEAF(LEAF)) u_12 (.clk_i, .a_i(a12), .b_i(b12), .p_o(s12));

  // The lowest limb is as high as possible, so that the omitted part is smallest.
  logic [SHORT-1:0] p02, p20, d02, d20;
  mul_short_high #(.WIDTH(TOP), .LEAF(LEAF)) u_02 (.clk_i, .a_i({a0, 4'b0}), .b_i(b2), .p_o(p02));
  mul_short_high #(.WIDTH(TOP), .LEAF(LEAF)) u_20 (.clk_i, .a_i(a2), .b_i({b0, 4'b0}), .p_o(p20));
  delay_line #(.WIDTH(2 * SHORT), .DEPTH(INNER - LEAF - field_pkg::SHORT_MORE)) u_align (
      .clk_i, .d_i({p02, p20}), .q_o({d02, d20}));

  // All bits from the lowest limb of short products on; their middle begins LIMB bits higher. They are both products of
  // one side, and s12 - p11 - p22, in which -x is the complement of x plus 1.
  localparam int BELOW = 3 * LOW - LIMB;
  localparam int UPPER = ALL - BELOW;
  localparam logic [UPPER-1:0] CORRECTION = UPPER'(2);
  logic [UPPER-1:0] side_1, side_2, sum, carries, left, right;
  assign side_1 = UPPER'(p11) << LIMB;
  assign side_2 = UPPER'(p22) << LIMB;
  carry_save_tree #(.WIDTH(UPPER), .TERMS(7)) u_two (
      .terms_i({
        CORRECTION,
        UPPER'({p22, p11[2*LOW-1:0]} >> (BELOW - 2 * LOW)),
        UPPER'(s12) << LIMB,
        ~side_1,
        ~side_2,
        UPPER'(d02),
        UPPER'(d20)
      }),
      .sum_o(sum), .carries_o(carries));
  always_ff @(posedge clk_i) {left, right} <= {sum, carries};
  wide_add #(.WIDTH(UPPER)) u_upper (.clk_i, .a_i(left), .b_i(right), .carry_i(1'b0), .s_o(p_o[ALL-1:BELOW]));
  delay_line #(.WIDTH(BELOW), .DEPTH(3)) u_lower (
      .clk_i, .d_i({p11[BELOW-2*LOW-1:0], {2 * LOW{1'b0}}}), .q_o(p_o[BELOW-1:0]));
endmodule
