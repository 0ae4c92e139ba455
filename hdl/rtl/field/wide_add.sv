// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b + carry mod 2^WIDTH, with no carry chain longer than SEGMENT bits if there are two cycles: in the first one,
// each segment is added without and with a carry into it; in the second one, all segments' carries are known, and
// choose (carry-select).
//
// Contract: s_o in cycle t belongs to the operands of cycle t - LATENCY. If LATENCY is at least 2, carry_i belongs to
// the cycle after the operands' cycle. Otherwise carry_i belongs to the operands' cycle, and the sum is one chain of
// any width. WHOLE_SUMS, for simulation, makes the same sums in the same cycles by one addition, which is fast in
// simulators.
module wide_add #(
    parameter int WIDTH = 8,
    parameter int LATENCY = 2,
    parameter int SEGMENT = 64
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic             carry_i,
    output logic [WIDTH-1:0] s_o
);
  if (WIDTH < 1 || SEGMENT < 1) begin : g_invalid
    $error("wide_add: WIDTH and SEGMENT are at least 1");
  end

  if (LATENCY < 2) begin : g_whole
    // The sum has one more bit at its low end, which brings in the carry.
    logic [WIDTH:0] sum;
    assign sum = {a_i, carry_i} + {b_i, carry_i};
    delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY)) u_sum (.clk_i, .d_i(sum[WIDTH:1]), .q_o(s_o));

    unread u_unread (.d_i(sum[0]));
`ifdef WHOLE_SUMS
  end else begin : g_model
    logic [WIDTH-1:0] sum;
    always_ff @(posedge clk_i) sum <= a_i + b_i;
    delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY - 1)) u_sum (.clk_i, .d_i(sum + WIDTH'(carry_i)), .q_o(s_o));
  end
`else
  end else begin : g_segments
    localparam int SEGMENTS = (WIDTH + SEGMENT - 1) / SEGMENT;
    logic [SEGMENTS-1:0] generates, propagates;
    logic [SEGMENTS-1:0] carries;
    logic carry;
    logic [WIDTH-1:0] without, with_carry, chosen;
    for (genvar i = 0; i < SEGMENTS; i++) begin : g_segment
      localparam int LOW = i * SEGMENT;
      localparam int BITS = WIDTH - LOW < SEGMENT ? WIDTH - LOW : SEGMENT;
      // The sum has one more bit at its low end, which brings in the carry.
      logic [BITS:0] low;
      logic [BITS+1:0] high;
      assign low = {1'b0, a_i[LOW+:BITS]} + {1'b0, b_i[LOW+:BITS]};
      assign high = {1'b0, a_i[LOW+:BITS], 1'b1} + {1'b0, b_i[LOW+:BITS], 1'b1};
      always_ff @(posedge clk_i) begin
        {generates[i], without[LOW+:BITS]} <= low;
        {propagates[i], with_carry[LOW+:BITS]} <= high[BITS+1:1];
      end
      unread u_unread (.d_i(high[0]));
      assign chosen[LOW+:BITS] = carries[i] ? with_carry[LOW+:BITS] : without[LOW+:BITS];
    end
    always_comb begin
      carry = carry_i;
      for (int i = 0; i < SEGMENTS; i++) begin
        carries[i] = carry;
        carry = generates[i] || (propagates[i] && carry);
      end
    end
    delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY - 1)) u_sum (.clk_i, .d_i(chosen), .q_o(s_o));

    unread u_unread (.d_i(carry));
  end
`endif
endmodule
