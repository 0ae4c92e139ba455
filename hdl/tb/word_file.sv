// SPDX-License-Identifier: MIT OR Apache-2.0
// A file of words of WIDTH bits, a line each, behind a digit that is not 0; folder and name are hdl/vectors, or
// +vectors=FOLDER, and NAME.hex.
module word_file #(
    parameter string NAME = "",
    parameter int WIDTH = 1
) (
    input  int               line_i,
    output logic [      3:0] digit_o,
    output logic [WIDTH-1:0] word_o,
    output int               count_o
);
  localparam int LINES = 4096;
  localparam int DIGITS = (WIDTH + 3) / 4 * 4;
  logic [DIGITS+3:0] lines[LINES];
  string folder;
  initial begin
    if ($value$plusargs("vectors=%s", folder) == 0) folder = "hdl/vectors";
    for (int i = 0; i < LINES; i++) lines[i] = '0;
    $readmemh({folder, "/", NAME, ".hex"}, lines);
    count_o = 0;
    while (count_o < LINES && lines[count_o][DIGITS+:4] != 0) count_o = count_o + 1;
    if (count_o == 0) $fatal(1, "%s/%s.hex has no words", folder, NAME);
  end
  assign digit_o = lines[line_i][DIGITS+:4];
  assign word_o = lines[line_i][WIDTH-1:0];
endmodule
