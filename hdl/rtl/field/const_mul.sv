// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of an integer and a constant by the constant's non-adjacent form (CycloneMSM, Algorithm 2): one tree of
// adders for the digits 1, one tree for the digits -1, and a subtraction. A third of the digits are not zero. Each
// segment of field_pkg::SEGMENT bits is computed a cycle after the segment below it, so no carry chain is longer than a
// segment.
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
  localparam int SEGMENTS = (OUT_WIDTH + field_pkg::SEGMENT - 1) / field_pkg::SEGMENT;
  localparam int LEVELS = field_pkg::const_mul_latency(CONSTANT, OUT_WIDTH) - SEGMENTS;
  logic [OUT_WIDTH-1:0] plus, minus;
  naf_sum #(
      .WIDTH(WIDTH), .OUT_WIDTH(OUT_WIDTH), .DIGITS(field_pkg::naf_plus(CONSTANT)), .LEVELS(LEVELS)
  ) u_plus (.clk_i, .a_i, .sum_o(plus));
  naf_sum #(
      .WIDTH(WIDTH), .OUT_WIDTH(OUT_WIDTH), .DIGITS(field_pkg::naf_minus(CONSTANT)), .LEVELS(LEVELS)
  ) u_minus (.clk_i, .a_i, .sum_o(minus));

  // -x is the complement of x plus 1; the 1 is the lowest segment's carry. The lower segments wait for the highest
  // segment.
  for (genvar segment = 0; segment < SEGMENTS; segment++) begin : g_segment
    localparam int LOW = segment * field_pkg::SEGMENT;
    localparam int BITS = OUT_WIDTH - LOW < field_pkg::SEGMENT ? OUT_WIDTH - LOW : field_pkg::SEGMENT;
    logic below, above;
    logic [BITS-1:0] difference;
    // The sum has one more bit at its low end, which brings in the carry.
    logic [BITS+1:0] sum;
    if (segment == 0) begin : g_lowest
      assign below = 1'b1;
    end else begin : g_carried
      assign below = g_segment[segment-1].above;
    end
    assign sum = {1'b0, plus[LOW+:BITS], below} + {1'b0, ~minus[LOW+:BITS], below};
    always_ff @(posedge clk_i) {above, difference} <= sum[BITS+1:1];
    delay_line #(.WIDTH(BITS), .DEPTH(SEGMENTS - 1 - segment)) u_wait (
        .clk_i, .d_i(difference), .q_o(p_o[LOW+:BITS]));
    unread u_unread (.d_i(sum[0] ^ (segment == SEGMENTS - 1 && above)));
  end
endmodule
