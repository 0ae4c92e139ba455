// SPDX-License-Identifier: MIT OR Apache-2.0
// a b / 2^WORD mod PRIME with one multiplier of half the width, which nine products share: three for each product of
// Montgomery's reduction (montgomery_mul). Gypsophila's aPADD is built on such a half (3.3); how it is used is not said
// there.
//
//   slots 0 to 2: a b by Karatsuba    3 to 5: the low half of t (-1 / PRIME)    6 to 8: m PRIME by Karatsuba
//
// The multiplier has nine stages, as many as there are slots. So what comes out of it in a slot was put in at the same
// slot, a product's sums are ready when the next one's slots begin, and a multiplication starts every nine cycles.
//
// Contract: slot_i counts 0 to 8 and again. Operands are taken in slot 8, below 2 PRIME, which takes
// 4 PRIME <= 2^WORD. p_o has the result, below PRIME, in the cycle LATENCY later, which is a slot 1, until the next one.
module montgomery_mul_shared #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 380,
    localparam int LATENCY = 38
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
  localparam logic [field_pkg::WIDE-1:0] INVERSE = field_pkg::negative_inverse(field_pkg::WIDE'(PRIME), WORD);
  localparam logic [WORD-1:0] MODULUS = WORD'(PRIME);
  if (WORD % 2 != 0 || WORD < WIDTH + 2 || field_pkg::mul_latency(field_pkg::KARATSUBA, LAYERS) != 9 || LATENCY != 38)
  begin : g_invalid
    $error("montgomery_mul_shared: WORD is even and 4 PRIME at most 2^WORD; the multiplier has nine stages");
  end

  // The three products' operands, in halves.
  logic [WORD-1:0] a, b, m;
  logic [2*WORD-1:0] t;
  logic [SUM-1:0] left, right;
  logic [2*SUM-1:0] product;
  always_comb begin
    case (slot_i)
      4'd0: {left, right} = {SUM'(a[HALF-1:0]), SUM'(b[HALF-1:0])};
      4'd1: {left, right} = {SUM'(a[WORD-1:HALF]), SUM'(b[WORD-1:HALF])};
      4'd2: {left, right} = {SUM'(a[HALF-1:0]) + SUM'(a[WORD-1:HALF]), SUM'(b[HALF-1:0]) + SUM'(b[WORD-1:HALF])};
      4'd3: {left, right} = {SUM'(t[HALF-1:0]), SUM'(INVERSE[HALF-1:0])};
      4'd4: {left, right} = {SUM'(t[HALF-1:0]), SUM'(INVERSE[WORD-1:HALF])};
      4'd5: {left, right} = {SUM'(t[WORD-1:HALF]), SUM'(INVERSE[HALF-1:0])};
      4'd6: {left, right} = {SUM'(m[HALF-1:0]), SUM'(MODULUS[HALF-1:0])};
      4'd7: {left, right} = {SUM'(m[WORD-1:HALF]), SUM'(MODULUS[WORD-1:HALF])};
      default: {left, right} = {
        SUM'(m[HALF-1:0]) + SUM'(m[WORD-1:HALF]), SUM'(MODULUS[HALF-1:0]) + SUM'(MODULUS[WORD-1:HALF])
      };
    endcase
  end
  mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS)) u_half (.clk_i, .a_i(left), .b_i(right), .p_o(product));

  // Their sums: the first two products wait for the third.
  logic [WORD-1:0] low, high;
  logic [2*SUM-1:0] middle;
  logic [2*WORD-1:0] whole;
  assign middle = product - (2 * SUM)'(low) - (2 * SUM)'(high);
  assign whole = {high, low} + ((2 * WORD)'(middle) << HALF);

  logic carry;
  logic [WIDTH:0] t_high, sum;
  logic [WIDTH-1:0] reduced;
  delay_line #(.WIDTH(WIDTH + 2), .DEPTH(23)) u_high (
      .clk_i, .d_i({|t[WORD-1:0], t[WORD+:WIDTH+1]}), .q_o({carry, t_high}));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME)) u_reduce (.a_i(sum), .r_o(reduced));
  always_ff @(posedge clk_i) begin
    case (slot_i)
      4'd0, 4'd3, 4'd6: low <= product[WORD-1:0];
      4'd1, 4'd4, 4'd7: high <= product[WORD-1:0];
      4'd2: t <= whole;
      4'd5: m <= low + ((high + product[WORD-1:0]) << HALF);
      default: begin
        sum <= t_high + whole[WORD+:WIDTH+1] + (WIDTH + 1)'(carry);
        a   <= WORD'(a_i);
        b   <= WORD'(b_i);
      end
    endcase
    if (slot_i == 0) p_o <= reduced;
  end

  logic unused;
  assign unused = ^{t[2*WORD-1:WORD+WIDTH+1]};
endmodule
