// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b + c + carries: three summands on one carry chain, with a LUT a bit (CycloneMSM, Figure 3). Both bits of carries
// count one. Combinational.
//
//   a + b + c + carries_i[0] + carries_i[1] = s + 2^WIDTH (carries_o[0] + carries_o[1])
module add_three #(
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    input  logic [      1:0] carries_i,
    output logic [WIDTH-1:0] s_o,
    output logic [      1:0] carries_o
);
  logic [1:0] above;
  assign {above, s_o} = (WIDTH + 2)'(a_i) + (WIDTH + 2)'(b_i) + (WIDTH + 2)'(c_i) + (WIDTH + 2)'(carries_i[0])
      + (WIDTH + 2)'(carries_i[1]);
  assign carries_o = {above[1], |above};
endmodule
