// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b + c + carry: three summands on one carry chain, with a LUT a bit (CycloneMSM, Figure 3). A carry is at most 2. Combinational.
//
//   a + b + c + carry_i = s + 2^WIDTH carry_o
module add_three #(
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    input  logic [      1:0] carry_i,
    output logic [WIDTH-1:0] s_o,
    output logic [      1:0] carry_o
);
  assign {carry_o, s_o} = (WIDTH + 2)'(a_i) + (WIDTH + 2)'(b_i) + (WIDTH + 2)'(c_i) + (WIDTH + 2)'(carry_i);
endmodule
