// SPDX-License-Identifier: MIT OR Apache-2.0
// a b / 2^WORD mod PRIME by Montgomery's reduction: three products. The middle product is by a constant, and only its
// low half is needed (CycloneMSM 4.1, MSMAC Algorithm 1).
//
//   t = a b,  m = t (-1 / PRIME) mod 2^WORD,  p = (t + m PRIME) / 2^WORD
//
// Contract: p_o in cycle t belongs to the operands of cycle t - LATENCY and is below PRIME. Operands are below 2 PRIME,
// which requires 4 PRIME <= 2^WORD. LATENCY is at least the number of stages below. Additional stages are registers at
// the end; no tool moves them into a carry chain.
//
// KIND BEHAVIOURAL is the same function for simulation, computed when operands change. KARATSUBA multiplies by the
// constant with adders (const_mul). HYBRID uses the low half of a multiplier for the constant, and the high half of a
// multiplier for PRIME, because the low half of t + m PRIME is known to be zero.
`include "ports.svh"
module montgomery_mul #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 39
) (
    `MODULAR_PRODUCT_PORTS
);
  localparam int LONG = 2 * WORD;
  localparam logic [field_pkg::WIDE-1:0] NEGATIVE_INVERSE = field_pkg::negative_inverse(
      field_pkg::WIDE'(PRIME), WORD
  );
  if (WORD < WIDTH + 2 || !PRIME[0]) begin : g_invalid
    $error("montgomery_mul: PRIME is odd, and 4 PRIME at most 2^WORD");
  end

  if (KIND == field_pkg::BEHAVIOURAL) begin : g_behavioural
`ifdef SYNTHESIS
    $error("montgomery_mul: BEHAVIOURAL is for simulation");
`else
    logic [WIDTH:0] a, b;
    logic [WIDTH-1:0] product;
    logic [field_pkg::WIDE-1:0] computed;
    initial begin
      a = '0;
      b = '0;
      product = '0;
    end
    always_ff @(posedge clk_i) begin
      a <= a_i;
      b <= b_i;
      if (a_i != a || b_i != b) begin
        field_pkg::montgomery(
            computed, field_pkg::WIDE'(a_i), field_pkg::WIDE'(b_i), field_pkg::WIDE'(PRIME), NEGATIVE_INVERSE, WORD);
        product <= computed[WIDTH-1:0];
      end
    end
    unread u_unread (.d_i(^computed[field_pkg::WIDE-1:WIDTH]));
    delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY - 1)) u_delay (.clk_i, .d_i(product), .q_o(p_o));
`endif
  end else begin : g_pipeline
    localparam int PRODUCT = field_pkg::mul_latency(KIND, WORD, LAYERS, LEAF);
    localparam int LOW = KIND == field_pkg::HYBRID ? PRODUCT : field_pkg::const_mul_latency(NEGATIVE_INVERSE, WORD);
    localparam int STAGES = 2 * PRODUCT + LOW + 3;
    if (LATENCY < STAGES) begin : g_short
      $error("montgomery_mul: LATENCY is too short for these layers");
    end

    // The result is below 2 PRIME, as two summands and a carry, which comes in the cycle after the summands.
    logic [WIDTH+1:0] left, right;
    logic carry;
    mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(3 + LATENCY - STAGES)) u_reduce (
        .clk_i, .a_i(left), .b_i(right), .carry_i(carry), .r_o(p_o));

    logic [LONG-1:0] t, product;
    logic [WORD-1:0] m;
    mul_int #(.WIDTH(WORD), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF)) u_t (
        .clk_i, .a_i(WORD'(a_i)), .b_i(WORD'(b_i)), .p_o(t));
    if (KIND == field_pkg::HYBRID) begin : g_halves
      mul_hybrid_low #(.WIDTH(WORD), .LAYERS(LAYERS), .LEAF(LEAF)) u_m (
          .clk_i, .a_i(t[WORD-1:0]), .b_i(NEGATIVE_INVERSE[WORD-1:0]), .p_o(m));
      mul_hybrid_high #(.WIDTH(WORD), .LAYERS(LAYERS), .LEAF(LEAF)) u_product (
          .clk_i, .a_i(m), .b_i(WORD'(PRIME)), .p_o(product));

      // The shortfall of the product is below 2^WORD and makes the low half of the sum zero. If t's low half is zero,
      // the product is zero, too. Otherwise (more) the upper half gets one for the shortfall, and the carry of the low
      // halves. If the low halves add up to zero, there is no shortfall, and only the carry is added. Two numbers add
      // up to zero exactly if their bits differ in all places above the lowest set bit, and in no other place.
      logic [LONG-1:0] late;
      logic more, rest, low_carry;
      delay_line #(.WIDTH(LONG), .DEPTH(LOW + PRODUCT)) u_late (.clk_i, .d_i(t), .q_o(late));
      delay_line #(.DEPTH(LOW + PRODUCT)) u_more (.clk_i, .d_i(|t[WORD-1:0]), .q_o(more));
      wide_carry #(.WIDTH(WORD)) u_low (
          .clk_i, .a_i(late[WORD-1:0]), .b_i(product[WORD-1:0]), .carry_o(low_carry));
      always_ff @(posedge clk_i)
        rest <= (late[WORD-1:0] ^ product[WORD-1:0]) != ((late[WORD-1:0] | product[WORD-1:0]) << 1);
      carry_save #(.WIDTH(WIDTH + 2)) u_rounded (
          .a_i({1'b0, late[WORD+:WIDTH+1]}), .b_i({1'b0, product[WORD+:WIDTH+1]}), .c_i((WIDTH + 2)'(more)),
          .sum_o(left), .carries_o(right));
      assign carry = low_carry && rest;

      unread u_unread (.d_i(^{late[LONG-1:WORD+WIDTH+1], product[LONG-1:WORD+WIDTH+1]}));
    end else begin : g_constant
      const_mul #(.WIDTH(WORD), .OUT_WIDTH(WORD), .CONSTANT(NEGATIVE_INVERSE)) u_m (
          .clk_i, .a_i(t[WORD-1:0]), .p_o(m));
      mul_int #(.WIDTH(WORD), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF)) u_product (
          .clk_i, .a_i(m), .b_i(WORD'(PRIME)), .p_o(product));

      // The low halves add up to zero, with a carry unless both are zero.
      logic [WIDTH:0] high;
      delay_line #(.WIDTH(WIDTH + 1), .DEPTH(LOW + PRODUCT)) u_high (.clk_i, .d_i(t[WORD+:WIDTH+1]), .q_o(high));
      delay_line #(.DEPTH(LOW + PRODUCT + 1)) u_carry (.clk_i, .d_i(|t[WORD-1:0]), .q_o(carry));
      assign left = {1'b0, high};
      assign right = {1'b0, product[WORD+:WIDTH+1]};

      unread u_unread (.d_i(^{t[LONG-1:WORD+WIDTH+1], product[LONG-1:WORD+WIDTH+1], product[WORD-1:0]}));
    end
  end
endmodule
