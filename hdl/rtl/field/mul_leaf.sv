// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers, as wide as a few DSPs: the leaf of every multiplier, and what resource counts count.
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY. Three stages, as a DSP has them.
module mul_leaf #(
    parameter int WIDTH = 8,
    localparam int LATENCY = field_pkg::LEAF_LATENCY
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  logic [WIDTH-1:0] a, b;
  (* use_dsp = "yes" *) logic [2*WIDTH-1:0] p;
  always_ff @(posedge clk_i) begin
    a   <= a_i;
    b   <= b_i;
    p   <= a * b;
    p_o <= p;
  end

  if (LATENCY != 3) begin : g_invalid
    $error("mul_leaf: three stages are written here");
  end
endmodule
