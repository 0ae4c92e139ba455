// SPDX-License-Identifier: MIT OR Apache-2.0
// A file of vectors at a pipeline: a line a cycle, and the results that come LATENCY cycles later.
//
// A line has the operands, then the result; the number of digits of each follows from its bits, IN + OUT bits in total.
module vector_file #(
    parameter string NAME = "",
    parameter int IN = 1,
    parameter int OUT = 1,
    parameter int LATENCY = 1
) (
    input  logic           clk_i,
    input  int             cycle_i,
    output logic [ IN-1:0] operands_o,
    input  logic [OUT-1:0] result_i,
    output int             wrong_o
);
  localparam int COUNT = 64;
  logic [IN+OUT-1:0] lines[COUNT];
  string folder;
  initial begin
    if ($value$plusargs("vectors=%s", folder) == 0) folder = "hdl/vectors";
    $readmemh({folder, "/", NAME, ".hex"}, lines);
  end

  int line;
  assign line = cycle_i - LATENCY;
  assign operands_o = lines[cycle_i < COUNT ? cycle_i : 0][IN+OUT-1:OUT];
  initial wrong_o = 0;
  always @(posedge clk_i) begin
    if (line >= 0 && line < COUNT && result_i !== lines[line][OUT-1:0]) begin
      $display("%s: line %0d gives %h", NAME, line + 1, result_i);
      wrong_o <= wrong_o + 1;
    end
  end
endmodule
