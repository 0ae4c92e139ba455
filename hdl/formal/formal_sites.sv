// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of three summands in cells of UltraScale+ are the sums, for any operands and carries.
module formal_sites (
    input logic [4:0] a_i,
    input logic [4:0] b_i,
    input logic [4:0] c_i,
    input logic [1:0] carry_i
);
  logic [4:0] sum, carries, total;
  logic [1:0] carry;
  carry_save #(.WIDTH(5)) u_two (.a_i, .b_i, .c_i, .sum_o(sum), .carries_o(carries));
  add_three #(.WIDTH(5)) u_one (.a_i, .b_i, .c_i, .carry_i, .s_o(total), .carry_o(carry));

  always @* begin
    assert (sum == (a_i ^ b_i ^ c_i));
    assert (carries == 5'(((a_i & b_i) | (a_i & c_i) | (b_i & c_i)) << 1));
    if (carry_i < 3) assert (32 * 8'(carry) + 8'(total) == 8'(a_i) + 8'(b_i) + 8'(c_i) + 8'(carry_i));
  end
endmodule
