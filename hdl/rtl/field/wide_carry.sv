// SPDX-License-Identifier: MIT OR Apache-2.0
// The carry of a + b, high if the sum is at least 2^WIDTH, from the carries of segments, without a chain longer than
// SEGMENT bits.
//
// Contract: carry_o in cycle t + 1 belongs to the operands of cycle t.
module wide_carry #(
    parameter int WIDTH = 8,
    parameter int SEGMENT = 64
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic             carry_o
);
  if (WIDTH < 1 || SEGMENT < 1) begin : g_invalid
    $error("wide_carry: WIDTH and SEGMENT are at least 1");
  end

  // With a carry into it, a segment has a carry if its bits alone have a carry, or if all of its bits differ.
  localparam int SEGMENTS = (WIDTH + SEGMENT - 1) / SEGMENT;
  logic [SEGMENTS-1:0] generates, propagates;
  for (genvar i = 0; i < SEGMENTS; i++) begin : g_segment
    localparam int LOW = i * SEGMENT;
    localparam int BITS = WIDTH - LOW < SEGMENT ? WIDTH - LOW : SEGMENT;
    logic [BITS:0] sum;
    assign sum = {1'b0, a_i[LOW+:BITS]} + {1'b0, b_i[LOW+:BITS]};
    always_ff @(posedge clk_i) begin
      generates[i] <= sum[BITS];
      propagates[i] <= &(a_i[LOW+:BITS] ^ b_i[LOW+:BITS]);
    end
    unread u_unread (.d_i(^sum[BITS-1:0]));
  end
  always_comb begin
    carry_o = 1'b0;
    for (int i = 0; i < SEGMENTS; i++) carry_o = generates[i] || (propagates[i] && carry_o);
  end
endmodule
