// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b mod PRIME, for a and b below PRIME.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY.
module mod_add #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 1
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] s_o
);
  logic [WIDTH:0] sum;
  logic [WIDTH-1:0] reduced;
  lazy_add #(.WIDTH(WIDTH), .LATENCY(0)) u_sum (.clk_i, .a_i, .b_i, .s_o(sum));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME)) u_reduce (.a_i(sum), .r_o(reduced));
  delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY)) u_delay (.clk_i, .d_i(reduced), .q_o(s_o));
endmodule
