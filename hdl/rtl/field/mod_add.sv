// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b mod PRIME, for a and b below PRIME.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY. Three cycles are enough for short carries
// (mod_reduce).
module mod_add #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 3
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] s_o
);
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(LATENCY)) u_reduce (
      .clk_i, .a_i({2'b00, a_i}), .b_i({2'b00, b_i}), .carry_i(1'b0), .r_o(s_o));
endmodule
