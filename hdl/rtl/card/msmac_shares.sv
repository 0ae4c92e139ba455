// SPDX-License-Identifier: MIT OR Apache-2.0
// The numbers of points that the elements get, if points are dealt out in blocks of BLOCK points, the last block with the rest.
//
// Contract: a task begins in a cycle with start_i. points_i and elements_i, from 1 to PES, stay until its last share is taken. After a
// division, of one bit a cycle, the shares are offered, from element 0 on.
module msmac_shares #(
    parameter int PES = 4,
    parameter int BLOCK = 16,
    parameter int COUNT = 32,
    localparam int NUMBER = $clog2(PES + 1)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              start_i,
    input  logic [ COUNT-1:0] points_i,
    input  logic [NUMBER-1:0] elements_i,
    output logic              valid_o,
    input  logic              ready_i,
    output logic [NUMBER-1:0] number_o,
    output logic [ COUNT-1:0] size_o,
    output logic              last_o
);
  localparam int OFFSET = $clog2(BLOCK);
  localparam int BLOCKS = COUNT - OFFSET;
  localparam int STEPS = $clog2(BLOCKS + 1);
  if (BLOCK < 2 || BLOCK != 1 << OFFSET || OFFSET >= COUNT) begin : g_invalid
    $error("msmac_shares: BLOCK is a power of two from 2 on, with less than COUNT bits");
  end

  // Whole blocks divided by elements: bits of the dividend leave at the top, bits of the quotient come below.
  logic active, fits;
  logic [STEPS-1:0] steps;
  logic [BLOCKS-1:0] quotient;
  logic [NUMBER-1:0] remainder;
  logic [NUMBER:0] partial;
  assign partial = {remainder, quotient[BLOCKS-1]};
  assign fits = partial >= (NUMBER + 1)'(elements_i);
  assign valid_o = active && steps == 0;
  assign last_o = number_o == elements_i - 1'b1;
  // Whole blocks that remain go to the first elements, and the next element gets the rest.
  assign size_o = {
    quotient + BLOCKS'(number_o < remainder), number_o == remainder ? points_i[OFFSET-1:0] : OFFSET'(0)
  };

  always_ff @(posedge clk_i) begin
    if (steps != 0) begin
      steps <= steps - 1'b1;
      quotient <= {quotient[BLOCKS-2:0], fits};
      remainder <= NUMBER'(fits ? partial - (NUMBER + 1)'(elements_i) : partial);
    end
    if (valid_o && ready_i) begin
      number_o <= number_o + 1'b1;
      active <= !last_o;
    end
    if (start_i) begin
      active <= 1'b1;
      steps <= STEPS'(BLOCKS);
      quotient <= points_i[COUNT-1:OFFSET];
      remainder <= '0;
      number_o <= '0;
    end
    if (rst_i) begin
      active <= 1'b0;
      steps <= '0;
    end
  end
endmodule
