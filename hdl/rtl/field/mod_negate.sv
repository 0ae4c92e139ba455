// SPDX-License-Identifier: MIT OR Apache-2.0
// -a mod PRIME if negative is high, otherwise a, for a below PRIME: the complement, 1 and PRIME, or two zeros, are
// added in segments (wide_add). A separate comparison finds zero, which stays zero.
//
// Contract: r_o in cycle t belongs to the operands of cycle t - LATENCY, which is at least 2. With 2, a gate follows
// the last register.
module mod_negate #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int LATENCY = 3
) (
    input  logic             clk_i,
    input  logic             negative_i,
    input  logic [WIDTH-1:0] a_i,
    output logic [WIDTH-1:0] r_o
);
  if (LATENCY < 2) begin : g_invalid
    $error("mod_negate: LATENCY is at least 2");
  end

  logic carry, zero;
  logic [WIDTH-1:0] sum;
  always_ff @(posedge clk_i) carry <= negative_i;
  wide_add #(.WIDTH(WIDTH)) u_sum (
      .clk_i, .a_i(negative_i ? ~a_i : a_i), .b_i(negative_i ? PRIME : '0), .carry_i(carry), .s_o(sum));
  delay_line #(.WIDTH(1), .DEPTH(2)) u_zero (.clk_i, .d_i(a_i == 0), .q_o(zero));
  delay_line #(.WIDTH(WIDTH), .DEPTH(LATENCY - 2)) u_result (.clk_i, .d_i(zero ? '0 : sum), .q_o(r_o));
endmodule
