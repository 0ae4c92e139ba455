// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of an integer and a constant by the constant's non-adjacent form (CycloneMSM, Algorithm 2): one tree of
// adders for the digits 1, one for the digits -1, and a subtraction. A third of the digits are not zero.
//
// Contract: p_o in cycle t is a_i * CONSTANT mod 2^OUT_WIDTH of cycle t - LATENCY, with
// LATENCY = field_pkg::const_mul_latency(CONSTANT, OUT_WIDTH).
module const_mul #(
    parameter int WIDTH = 8,
    parameter int OUT_WIDTH = 16,
    parameter logic [field_pkg::WIDE-1:0] CONSTANT = field_pkg::WIDE'(7)
) (
    input  logic                 clk_i,
    input  logic [    WIDTH-1:0] a_i,
    output logic [OUT_WIDTH-1:0] p_o
);
  localparam int LEVELS = field_pkg::const_mul_latency(CONSTANT, OUT_WIDTH) - 1;
  logic [OUT_WIDTH-1:0] plus, minus;
  naf_sum #(
      .WIDTH(WIDTH), .OUT_WIDTH(OUT_WIDTH), .DIGITS(field_pkg::naf_plus(CONSTANT)), .LEVELS(LEVELS)
  ) u_plus (.clk_i, .a_i, .sum_o(plus));
  naf_sum #(
      .WIDTH(WIDTH), .OUT_WIDTH(OUT_WIDTH), .DIGITS(field_pkg::naf_minus(CONSTANT)), .LEVELS(LEVELS)
  ) u_minus (.clk_i, .a_i, .sum_o(minus));
  always_ff @(posedge clk_i) p_o <= plus - minus;
endmodule
