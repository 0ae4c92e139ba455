// SPDX-License-Identifier: MIT OR Apache-2.0
// Tags beside the data of a pipeline: a valid bit, and the owner.
//
// Contract: valid_o and tag_o in cycle t are valid_i and tag_i of cycle t - LATENCY. After a cycle with rst_i, no
// earlier input comes out: valid_o is low until a new input has passed. LATENCY is at least 1. SPREAD is as in
// delay_line.
module tag_line #(
    parameter int LATENCY = 1,
    parameter int TAG_WIDTH = 1,
    parameter bit SPREAD = 0
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    input  logic [TAG_WIDTH-1:0] tag_i,
    output logic                 valid_o,
    output logic [TAG_WIDTH-1:0] tag_o
);
  if (LATENCY < 1) begin : g_invalid
    $error("tag_line: LATENCY is at least 1");
  end

  logic [LATENCY-1:0] valid;
  always_ff @(posedge clk_i) valid <= rst_i ? '0 : LATENCY'({valid, valid_i});
  assign valid_o = valid[LATENCY-1];

  delay_line #(.WIDTH(TAG_WIDTH), .DEPTH(LATENCY), .SPREAD(SPREAD)) u_tag (.clk_i, .d_i(tag_i), .q_o(tag_o));
endmodule
