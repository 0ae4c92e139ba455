// SPDX-License-Identifier: MIT OR Apache-2.0
// a b / 2^WORD mod PRIME with one multiplier of half the width, which nine products share: three for each product of
// Montgomery's reduction (montgomery_mul). Gypsophila's aPADD is built on a multiplier of half the width (3.3); the
// paper does not say how aPADD uses it.
//
//   slots 0 to 2: a b by Karatsuba    3 to 5: the low half of t (-1 / PRIME)    6 to 8: m PRIME by Karatsuba
//
// The multiplier has nine stages, and there are nine slots. So a product comes out in the slot in which its factors
// went in, and a multiplication starts every nine cycles. Sums take two cycles each (wide_add). The halves that the
// next product begins with need no sum, and the other halves come just before their slots.
//
// Contract: slot_i counts 0 to 8 and again. Operands are taken in slot 8, below 2 PRIME, which takes
// 4 PRIME <= 2^WORD. p_o has the result, below PRIME, in the cycle LATENCY later, which is a slot 4. KIND is KARATSUBA, or
// BEHAVIOURAL for the model, which has the same results in these cycles.
module montgomery_mul_shared #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 380,
    parameter int KIND = field_pkg::KARATSUBA,
    localparam int LATENCY = 41
) (
    input  logic             clk_i,
    input  logic [      3:0] slot_i,
    input  logic [  WIDTH:0] a_i,
    input  logic [  WIDTH:0] b_i,
    output logic [WIDTH-1:0] p_o
);
  localparam int HALF = WORD / 2;
  localparam int SUM = HALF + 1;
  localparam int LAYERS = 2;
  localparam int STAGES = field_pkg::mul_latency(field_pkg::KARATSUBA, SUM, LAYERS, field_pkg::LEAF_LATENCY);
  localparam logic [field_pkg::WIDE-1:0] INVERSE = field_pkg::negative_inverse(field_pkg::WIDE'(PRIME), WORD);
  localparam logic [WORD-1:0] MODULUS = WORD'(PRIME);
  if (WORD % 2 != 0 || WORD < WIDTH + 2 || STAGES > 9 || LATENCY != 41)
  begin : g_invalid
    $error("montgomery_mul_shared: WORD is even and 4 PRIME at most 2^WORD; the multiplier has at most nine stages");
  end

  if (KIND == field_pkg::BEHAVIOURAL) begin : g_behavioural
`ifdef SYNTHESIS
    $error("montgomery_mul_shared: BEHAVIOURAL is for simulation");
`else
    // A product is under way for four times nine cycles and 8 more; in slots other than 4 the content has no meaning.
    logic [4:0][WIDTH-1:0] products;
    logic [field_pkg::WIDE-1:0] computed;
    always_ff @(posedge clk_i) begin
      if (slot_i == 4'd8) begin
        field_pkg::montgomery(
            computed, field_pkg::WIDE'(a_i), field_pkg::WIDE'(b_i), field_pkg::WIDE'(PRIME), INVERSE, WORD);
        products <= {products[3:0], computed[WIDTH-1:0]};
      end
    end
    assign p_o = slot_i == 4'd4 ? products[4] : ~products[4];
    unread u_unread (.d_i(^{computed[field_pkg::WIDE-1:WIDTH], MODULUS, 32'(SUM), 32'(HALF)}));
`endif
  end else if (KIND == field_pkg::KARATSUBA) begin : g_shared
    // The three products' operands, in halves, and the sums of the halves.
    logic [WORD-1:0] a, b, t;
    logic [HALF-1:0] m_low;
    logic [SUM+2:0] m_high;
    logic [SUM-1:0] a_sum, b_sum, m_sum;
    logic [SUM-1:0] left, right;
    logic [2*SUM-1:0] product;
    lazy_add #(.WIDTH(HALF)) u_a (.clk_i, .a_i(a[HALF-1:0]), .b_i(a[WORD-1:HALF]), .s_o(a_sum));
    lazy_add #(.WIDTH(HALF)) u_b (.clk_i, .a_i(b[HALF-1:0]), .b_i(b[WORD-1:HALF]), .s_o(b_sum));
    always_comb begin
      case (slot_i)
        4'd0: {left, right} = {SUM'(a[HALF-1:0]), SUM'(b[HALF-1:0])};
        4'd1: {left, right} = {SUM'(a[WORD-1:HALF]), SUM'(b[WORD-1:HALF])};
        4'd2: {left, right} = {a_sum, b_sum};
        4'd3: {left, right} = {SUM'(t[HALF-1:0]), SUM'(INVERSE[HALF-1:0])};
        4'd4: {left, right} = {SUM'(t[HALF-1:0]), SUM'(INVERSE[WORD-1:HALF])};
        4'd5: {left, right} = {SUM'(t[WORD-1:HALF]), SUM'(INVERSE[HALF-1:0])};
        4'd6: {left, right} = {SUM'(m_low), SUM'(MODULUS[HALF-1:0])};
        4'd7: {left, right} = {SUM'(m_high[HALF-1:0]), SUM'(MODULUS[WORD-1:HALF])};
        default: {left, right} = {m_sum, SUM'(MODULUS[HALF-1:0]) + SUM'(MODULUS[WORD-1:HALF])};
      endcase
    end
    logic [2*SUM-1:0] early;
    mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS)) u_half (.clk_i, .a_i(left), .b_i(right), .p_o(early));
    delay_line #(.WIDTH(2 * SUM), .DEPTH(9 - STAGES)) u_nine (.clk_i, .d_i(early), .q_o(product));

    // The first two products wait for the third product, in slots 2, 5 and 8. Karatsuba's sum without its lowest half:
    // high and low side by side, and product - low - high, which is the sum of the product, both complements and 2.
    localparam int UPPER = 2 * WORD - HALF;
    logic [WORD-1:0] low, high;
    logic [UPPER-1:0] sum_3, carries_3, sum_4, carries_4, upper;
    logic [UPPER-1:0] third, not_low, not_high;
    assign third = {{(UPPER - 2 * SUM) {1'b0}}, product};
    assign not_low = {{(UPPER - WORD) {1'b1}}, ~low};
    assign not_high = {{(UPPER - WORD) {1'b1}}, ~high};
    carry_save #(.WIDTH(UPPER)) u_three (
        .a_i({high, low[WORD-1:HALF]}), .b_i(third), .c_i(not_low), .sum_o(sum_3), .carries_o(carries_3));
    carry_save #(.WIDTH(UPPER)) u_four (
        .a_i(sum_3), .b_i({carries_3[UPPER-1:1], 1'b1}), .c_i(not_high), .sum_o(sum_4), .carries_o(carries_4));
    wide_add #(.WIDTH(UPPER)) u_upper (.clk_i, .a_i(sum_4), .b_i(carries_4), .carry_i(1'b1), .s_o(upper));

    // The low half of m is ready. The upper half is a sum whose carries do not count. The sum of both halves contains
    // these carries, so they are subtracted: two bits, of which the lower bit is enough.
    logic [SUM+2:0] m_sum_3, m_carries_3, m_sum_4, m_carries_4, m_all;
    carry_save #(.WIDTH(SUM + 3)) u_m_high (
        .a_i({4'b0, low[WORD-1:HALF]}), .b_i({4'b0, high[HALF-1:0]}), .c_i({4'b0, product[HALF-1:0]}),
        .sum_o(m_sum_3), .carries_o(m_carries_3));
    carry_save #(.WIDTH(SUM + 3)) u_m_all (
        .a_i(m_sum_3), .b_i(m_carries_3), .c_i({4'b0, low[HALF-1:0]}), .sum_o(m_sum_4), .carries_o(m_carries_4));
    wide_add #(.WIDTH(SUM + 3)) u_high_half (
        .clk_i, .a_i(m_sum_3), .b_i(m_carries_3), .carry_i(1'b0), .s_o(m_high));
    wide_add #(.WIDTH(SUM + 3)) u_halves (.clk_i, .a_i(m_sum_4), .b_i(m_carries_4), .carry_i(1'b0), .s_o(m_all));

    logic carry;
    logic [WIDTH:0] above, t_high;
    delay_line #(.WIDTH(WIDTH + 1), .DEPTH(23)) u_high (.clk_i, .d_i(above), .q_o(t_high));
    delay_line #(.DEPTH(24)) u_carry (.clk_i, .d_i(|t), .q_o(carry));
    mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME)) u_reduce (
        .clk_i, .a_i({1'b0, t_high}), .b_i({1'b0, upper[HALF+:WIDTH+1]}), .carry_i(carry), .r_o(p_o));
    always_ff @(posedge clk_i) begin
      m_sum <= {m_all[HALF] ^ m_high[HALF], m_all[HALF-1:0]};
      case (slot_i)
        4'd0, 4'd3, 4'd6: low <= product[WORD-1:0];
        4'd1, 4'd4, 4'd7: high <= product[WORD-1:0];
        4'd2: t[HALF-1:0] <= low[HALF-1:0];
        4'd5: m_low <= low[HALF-1:0];
        default: begin
          a <= WORD'(a_i);
          b <= WORD'(b_i);
        end
      endcase
      if (slot_i == 4'd4) begin
        t[WORD-1:HALF] <= upper[HALF-1:0];
        above <= upper[HALF+:WIDTH+1];
      end
    end

    unread u_unread (.d_i(^{carries_3[0], upper[UPPER-1:HALF+WIDTH+1], m_all[SUM+2:SUM], m_high[SUM+2:SUM]}));
  end else begin : g_no_kind
    $error("montgomery_mul_shared: KIND is KARATSUBA or BEHAVIOURAL");
  end
endmodule
