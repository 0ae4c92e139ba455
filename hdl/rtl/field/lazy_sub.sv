// SPDX-License-Identifier: MIT OR Apache-2.0
// PRIME + a - b, not reduced: from 1 to 2 PRIME - 1 where a and b are below PRIME, which is what modular multipliers
// take.
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY.
module lazy_sub #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 1
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [  WIDTH:0] s_o
);
  logic [WIDTH:0] difference;
  assign difference = {1'b0, PRIME} + {1'b0, a_i} - {1'b0, b_i};
  delay_line #(.WIDTH(WIDTH + 1), .DEPTH(LATENCY)) u_difference (.clk_i, .d_i(difference), .q_o(s_o));
endmodule
