// SPDX-License-Identifier: MIT OR Apache-2.0
// Compares a stream with a file of words in stream_source's form; done_o when all words have come. LAST: true if the
// stream marks the last word of its packet.
//
//   +ready=N     the number of cycles in a hundred in which a word is taken, by default 100
module stream_sink #(
    parameter string NAME = "",
    parameter int WIDTH = 1,
    parameter bit LAST = 1
) (
    input  logic             clk_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    input  logic             last_i,
    output logic             done_o,
    output int               wrong_o
);
  int pace, line, count;
  logic [3:0] digit;
  logic [WIDTH-1:0] word;
  word_file #(.NAME(NAME), .WIDTH(WIDTH)) u_words (.line_i(line), .digit_o(digit), .word_o(word), .count_o(count));
  initial begin
    if ($value$plusargs("ready=%d", pace) == 0) pace = 100;
    line = 0;
    wrong_o = 0;
    ready_o = 1'b0;
  end
  assign done_o = line >= count;
  always @(posedge clk_i) begin
    ready_o <= $urandom_range(99) < pace;
    if (valid_i && ready_o) begin
      line <= line + 1;
      if (done_o || data_i !== word || (LAST && last_i !== digit[0])) begin
        $display("%s: word %0d of %0d is %h, last %0d", NAME, line + 1, count, data_i, last_i);
        wrong_o <= wrong_o + 1;
      end
    end
  end
endmodule
