// SPDX-License-Identifier: MIT OR Apache-2.0
// ping_pong with any writer and any reader. Words leave in order, each with its last_i, which the proof checks for one
// arbitrary marked word. A buffer is visible when it is full or ended, and a word is taken while one of the two buffers
// is neither.
module formal_ping_pong #(
    parameter int DEPTH = 3
) (
    input logic clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic mark_i,
    input logic last_i,
    input logic ready_i
);
  initial assume (rst_i);
  logic ready, valid, mark, last;
  ping_pong #(.WIDTH(1), .DEPTH(DEPTH)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i(mark_i), .last_i, .valid_o(valid), .ready_i, .data_o(mark),
      .last_o(last));

  // Numbers of words in the buffer that fills, and in the buffers to be read, the next buffer first.
  logic live, take, leave, ends, marked, pending, marked_last;
  logic [1:0] filling, first, second;
  logic [3:0] ahead;
  initial live = 1'b0;
  assign take = valid_i && ready;
  assign leave = valid && ready_i;
  assign ends = take && (last_i || filling == DEPTH - 1);
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    if (take) filling <= ends ? '0 : filling + 1'b1;
    if (leave && first == 1) begin
      first <= second != 0 ? second : ends ? filling + 1'b1 : '0;
      second <= second != 0 && ends ? filling + 1'b1 : '0;
    end else begin
      if (first == 0) first <= ends ? filling + 1'b1 : '0;
      else begin
        first <= first - 2'(leave);
        if (ends) second <= filling + 1'b1;
      end
    end
    if (take && mark_i) begin
      {marked, pending, marked_last} <= {2'b11, last_i};
      ahead <= 4'(filling) + 4'(first) + 4'(second) - 4'(leave);
    end else if (leave) begin
      ahead <= ahead - 1'b1;
      if (ahead == 0) pending <= 1'b0;
    end
    if (rst_i) {filling, first, second, marked, pending} <= '0;
  end
  always @* if (live && !rst_i) begin
    assume (!(marked && mark_i));
    assert (ready == (second == 0));
    assert (valid == (first != 0));
    if (valid) begin
      assert (mark == (pending && ahead == 0));
      if (mark) assert (last == marked_last);
    end
  end
endmodule
