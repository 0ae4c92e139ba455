// SPDX-License-Identifier: MIT OR Apache-2.0
// -a mod PRIME where negative, a itself otherwise, for a below PRIME: the complement, 1 and PRIME, or two zeros, are added.
//
// Contract: r_o in cycle t belongs to the operands of cycle t - 3: in the first cycle zero is found, which stays zero, in the
// others the sum is that of segments (wide_add).
module mod_negate #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251)
) (
    input  logic             clk_i,
    input  logic             negative_i,
    input  logic [WIDTH-1:0] a_i,
    output logic [WIDTH-1:0] r_o
);
  logic negate, carry;
  logic [WIDTH-1:0] a;
  always_ff @(posedge clk_i) begin
    negate <= negative_i && a_i != 0;
    carry <= negate;
    a <= a_i;
  end
  wide_add #(.WIDTH(WIDTH)) u_sum (
      .clk_i, .a_i(negate ? ~a : a), .b_i(negate ? PRIME : '0), .carry_i(carry), .s_o(r_o));
endmodule
