// SPDX-License-Identifier: MIT OR Apache-2.0
// (a + b + carry) mod PRIME, for a sum mod 2^WIDER that is below MULTIPLES * PRIME. The block subtracts each multiple
// of PRIME side by side, and chooses the least result that is not negative.
//
// Contract: r_o in cycle t belongs to the operands of cycle t - LATENCY. Three cycles are enough for short carries
// (wide_add): two for the sums, and one for the choice. Then carry_i belongs to the cycle after the operands' cycle;
// with fewer cycles, carry_i belongs to the operands' cycle.
module mod_reduce #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int MULTIPLES = 2,
    parameter int LATENCY = 3,
    localparam int WIDER = WIDTH + $clog2(MULTIPLES) + 1
) (
    input  logic             clk_i,
    input  logic [WIDER-1:0] a_i,
    input  logic [WIDER-1:0] b_i,
    input  logic             carry_i,
    output logic [WIDTH-1:0] r_o
);
  if (MULTIPLES < 2 || !PRIME[WIDTH-1]) begin : g_invalid
    $error("mod_reduce: MULTIPLES is at least 2, and WIDTH the number of PRIME's bits");
  end

  // Marks the results that are not negative, and the least of them.
  logic [MULTIPLES:0] enough;
  logic [MULTIPLES*WIDTH-1:0] results;
  logic [WIDTH-1:0] least;
  for (genvar k = 0; k < MULTIPLES; k++) begin : g_multiple
    localparam logic [WIDER-1:0] NEGATIVE = WIDER'(0) - WIDER'(k) * WIDER'(PRIME);
    logic [WIDER-1:0] sum, carries, result;
    carry_save #(.WIDTH(WIDER)) u_two (.a_i, .b_i, .c_i(NEGATIVE), .sum_o(sum), .carries_o(carries));
    wide_add #(.WIDTH(WIDER), .LATENCY(LATENCY < 3 ? 0 : 2)) u_result (
        .clk_i, .a_i(sum), .b_i(carries), .carry_i, .s_o(result));
    assign enough[k] = !result[WIDER-1];
    assign results[k*WIDTH+:WIDTH] = result[WIDTH-1:0];

    unread u_unread (.d_i(^result[WIDER-2:WIDTH]));
  end
  assign enough[MULTIPLES] = 1'b0;
  always_comb begin
    least = '0;
    for (int k = 0; k < MULTIPLES; k++)
      least = least | (results[k*WIDTH+:WIDTH] & {WIDTH{enough[k] && !enough[k+1]}});
  end
  delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY < 3 ? LATENCY : LATENCY - 2)) u_least (.clk_i, .d_i(least), .q_o(r_o));
endmodule
