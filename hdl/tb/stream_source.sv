// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends a file of words (word_file) as a stream, LOOPS times from its beginning; the digit before a word is 8, or 9 for
// the last word of a packet.
//
//   +pace=N     the number of cycles in a hundred with a word, by default 100
module stream_source #(
    parameter string NAME = "",
    parameter int WIDTH = 1,
    parameter int LOOPS = 1
) (
    input  logic             clk_i,
    input  logic             go_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic             last_o
);
  int pace, line, loops, count;
  logic [3:0] digit;
  word_file #(.NAME(NAME), .WIDTH(WIDTH)) u_words (
      .line_i(line), .digit_o(digit), .word_o(data_o), .count_o(count));
  assign last_o = digit[0];
  initial begin
    if ($value$plusargs("pace=%d", pace) == 0) pace = 100;
    line = 0;
    loops = 0;
    valid_o = 1'b0;
  end

  // A word stays until it is taken.
  logic taken, ends;
  assign taken = valid_o && ready_i;
  assign ends = loops == LOOPS || (taken && line == count - 1 && loops == LOOPS - 1);
  always @(posedge clk_i) begin
    if (taken) begin
      line <= line == count - 1 ? 0 : line + 1;
      if (line == count - 1) loops <= loops + 1;
    end
    if (!valid_o || ready_i) valid_o <= go_i && !ends && $urandom_range(99) < pace;
  end
endmodule
