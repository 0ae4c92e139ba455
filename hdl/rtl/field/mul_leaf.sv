// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers, as wide as a few DSPs: the leaf of every multiplier, and the unit of resource counts.
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY. One DSP has three stages: operands, product, sum. Each
// additional stage, up to seven, is a register behind the product, which tools move into a cascade of DSPs: 48 bits
// take six DSPs.
module mul_leaf #(
    parameter int WIDTH = 8,
    parameter int LATENCY = field_pkg::LEAF_LATENCY
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  if (LATENCY < 3 || LATENCY > 7) begin : g_invalid
    $error("mul_leaf: LATENCY is from 3 to 7");
  end

  logic [WIDTH-1:0] a, b;
  logic [2*WIDTH-1:0] sum;
  (* use_dsp = "yes" *) logic [2*WIDTH-1:0] p;
  always_ff @(posedge clk_i) begin
    a   <= a_i;
    b   <= b_i;
    p   <= a * b;
    sum <= p;
  end
  delay_line #(.WIDTH(2 * WIDTH), .DEPTH(LATENCY - 3), .SPREAD(1)) u_more (.clk_i, .d_i(sum), .q_o(p_o));
endmodule
