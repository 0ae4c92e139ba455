// SPDX-License-Identifier: MIT OR Apache-2.0
// Adds three summands to two with the same sum mod 2^WIDTH, with a full adder for each bit. Combinational, one level of
// LUTs.
module carry_save #(
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    output logic [WIDTH-1:0] sum_o,
    output logic [WIDTH-1:0] carries_o
);
  assign sum_o = a_i ^ b_i ^ c_i;
  assign carries_o = ((a_i & b_i) | (a_i & c_i) | (b_i & c_i)) << 1;
endmodule
