// SPDX-License-Identifier: MIT OR Apache-2.0
// a - b - c mod PRIME, for operands below PRIME: 2 PRIME + a - b - c, reduced.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY. Three cycles are enough for short carries
// (mod_reduce).
module mod_sub_two #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 3
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    output logic [WIDTH-1:0] s_o
);
  // -b - c is the sum of both complements and 2; the carry adds 1 of this 2.
  localparam int WIDER = WIDTH + 3;
  logic [WIDER-1:0] sum_3, carries_3, sum, carries;
  carry_save #(.WIDTH(WIDER)) u_three (
      .a_i({3'b000, a_i}), .b_i(~{3'b000, b_i}), .c_i(~{3'b000, c_i}), .sum_o(sum_3), .carries_o(carries_3));
  carry_save #(.WIDTH(WIDER)) u_two (
      .a_i(sum_3), .b_i(carries_3), .c_i({2'b00, PRIME, 1'b1}), .sum_o(sum), .carries_o(carries));
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .MULTIPLES(3), .LATENCY(LATENCY)) u_reduce (
      .clk_i, .a_i(sum), .b_i(carries), .carry_i(1'b1), .r_o(s_o));
endmodule
