// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums in segments equal sums in one chain, for any operands and carries.
module formal_sums (
    input logic       clk_i,
    input logic [6:0] a_i,
    input logic [6:0] b_i,
    input logic       carry_i
);
  logic [6:0] a_1, b_1, sum, expected;
  logic carry;
  logic [1:0] age;
  initial age = '0;
  wide_add #(.WIDTH(7), .SEGMENT(3)) u_sum (.clk_i, .a_i, .b_i, .carry_i, .s_o(sum));
  wide_carry #(.WIDTH(7), .SEGMENT(3)) u_carry (.clk_i, .a_i, .b_i, .carry_o(carry));

  // The carry into a sum comes a cycle after its operands.
  always @(posedge clk_i) begin
    a_1 <= a_i;
    b_1 <= b_i;
    expected <= a_1 + b_1 + 7'(carry_i);
    if (age < 2) age <= age + 1'b1;
  end
  always @* begin
    if (age >= 1) assert (carry == (8'(a_1) + 8'(b_1) >= 128));
    if (age >= 2) assert (sum == expected);
  end
endmodule
