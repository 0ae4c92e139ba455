// SPDX-License-Identifier: MIT OR Apache-2.0
// PRIME + a - b, not reduced: from 1 to 2 PRIME - 1 if a and b are below PRIME. Modular multipliers take this range.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY. Two cycles are enough for short carries
// (wide_add).
module lazy_sub #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 2
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [  WIDTH:0] s_o
);
  // -b is the complement and 1; three summands are two.
  logic [WIDTH:0] sum, carries;
  carry_save #(.WIDTH(WIDTH + 1)) u_two (
      .a_i({1'b0, a_i}), .b_i(~{1'b0, b_i}), .c_i({1'b0, PRIME}), .sum_o(sum), .carries_o(carries));
  wide_add #(.WIDTH(WIDTH + 1), .LATENCY(LATENCY)) u_sum (
      .clk_i, .a_i(sum), .b_i(carries), .carry_i(1'b1), .s_o);
endmodule
