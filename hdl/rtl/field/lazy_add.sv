// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b, not reduced: below 2 PRIME if a and b are below PRIME. Modular multipliers take this range.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY. Two cycles are enough for short carries
// (wide_add).
module lazy_add #(
    parameter int WIDTH = 8,
    parameter int LATENCY = 2
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [  WIDTH:0] s_o
);
  wide_add #(.WIDTH(WIDTH + 1), .LATENCY(LATENCY)) u_sum (
      .clk_i, .a_i({1'b0, a_i}), .b_i({1'b0, b_i}), .carry_i(1'b0), .s_o);
endmodule
