// SPDX-License-Identifier: MIT OR Apache-2.0
// A representative below PRIME of an integer below 2^BITS * PRIME, by BITS conditional subtractions. Combinational.
module mod_reduce #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int BITS = 1
) (
    input  logic [WIDTH+BITS-1:0] a_i,
    output logic [     WIDTH-1:0] r_o
);
  localparam int WIDER = WIDTH + BITS;
  logic [WIDER-1:0] rest;
  always_comb begin
    rest = a_i;
    for (int i = BITS - 1; i >= 0; i--) begin
      if (rest >= WIDER'(PRIME) << i) rest = rest - (WIDER'(PRIME) << i);
    end
  end
  assign r_o = rest[WIDTH-1:0];

  logic unused;
  assign unused = ^rest[WIDER-1:WIDTH];
endmodule
