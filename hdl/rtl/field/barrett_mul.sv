// SPDX-License-Identifier: MIT OR Apache-2.0
// a b mod PRIME by Barrett's reduction: one product, and two by constants, which take adders only (Gypsophila 3.2).
//
//   t = a b,  q = floor(floor(t / 2^(n-2)) floor(2^(2n+3) / PRIME) / 2^(n+5)),  p = t - q PRIME
//
// for n = WIDTH bits of PRIME. As t < 2^(2n+2), each of the two inner roundings costs less than half of PRIME, and the
// outer rounding costs less than PRIME, so t - q PRIME < 2 PRIME.
//
// Contract: p_o in cycle t belongs to the operands of cycle t - LATENCY and is below PRIME. Operands are below 2 PRIME.
// LATENCY is at least the number of stages below. Additional stages are registers at the end; no tool moves them into a
// carry chain. KIND BEHAVIOURAL is the same function for simulation, computed when operands change, because most cycles
// of the pipeline only wait.
`include "ports.svh"
module barrett_mul #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 4,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 39
) (
    `MODULAR_PRODUCT_PORTS
);
  localparam int LONG = 2 * WIDTH + 2;
  if (!PRIME[WIDTH-1]) begin : g_invalid
    $error("barrett_mul: WIDTH is the number of PRIME's bits");
  end

  localparam int TOP = WIDTH + 4;
  localparam int QUOTIENT = WIDTH + 2;  // the bits of the quotient that count modulo 2^(WIDTH + 2)
  localparam int ESTIMATE = WIDTH + 5 + QUOTIENT;
  localparam logic [field_pkg::WIDE-1:0] RECIPROCAL = field_pkg::reciprocal(
      field_pkg::WIDE'(PRIME), 2 * WIDTH + 3
  );

  if (KIND == field_pkg::BEHAVIOURAL) begin : g_behavioural
`ifdef SYNTHESIS
    $error("barrett_mul: BEHAVIOURAL is for simulation");
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
        field_pkg::barrett(
            computed, field_pkg::WIDE'(a_i), field_pkg::WIDE'(b_i), field_pkg::WIDE'(PRIME), RECIPROCAL, WIDTH);
        product <= computed[WIDTH-1:0];
      end
    end
    unread u_unread (.d_i(^computed[field_pkg::WIDE-1:WIDTH]));
    delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY - 1)) u_delay (.clk_i, .d_i(product), .q_o(p_o));
`endif
  end else begin : g_pipeline
    localparam int PRODUCT = field_pkg::mul_latency(KIND, WIDTH + 1, LAYERS, LEAF);
    localparam int FIRST = field_pkg::const_mul_latency(RECIPROCAL, ESTIMATE);
    localparam int SECOND = field_pkg::const_mul_latency(field_pkg::WIDE'(PRIME), QUOTIENT);
    localparam int STAGES = PRODUCT + FIRST + SECOND + 3;
    if (LATENCY < STAGES) begin : g_short
      $error("barrett_mul: LATENCY is too short for these layers");
    end

    logic [LONG-1:0] t;
    logic [ESTIMATE-1:0] estimate;

    logic [QUOTIENT-1:0] multiple, low;
    mul_int #(.WIDTH(WIDTH + 1), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF)) u_t (.clk_i, .a_i, .b_i, .p_o(t));
    const_mul #(.WIDTH(TOP), .OUT_WIDTH(ESTIMATE), .CONSTANT(RECIPROCAL)) u_estimate (
        .clk_i, .a_i(t[LONG-1:WIDTH-2]), .p_o(estimate));
    const_mul #(.WIDTH(QUOTIENT), .OUT_WIDTH(QUOTIENT), .CONSTANT(field_pkg::WIDE'(PRIME))) u_multiple (
        .clk_i, .a_i(estimate[WIDTH+5+:QUOTIENT]), .p_o(multiple));
    delay_line #(.WIDTH(QUOTIENT), .DEPTH(FIRST + SECOND)) u_low (.clk_i, .d_i(t[QUOTIENT-1:0]), .q_o(low));

    // The remainder of t is below 2 PRIME.
    mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(3 + LATENCY - STAGES)) u_reduce (
        .clk_i, .a_i(low), .b_i(~multiple), .carry_i(1'b1), .r_o(p_o));

    unread u_unread (.d_i(^estimate[WIDTH+4:0]));
  end
endmodule
