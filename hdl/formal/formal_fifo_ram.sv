// SPDX-License-Identifier: MIT OR Apache-2.0
// fifo_ram with any writer that has room and any reader. Entries leave in order, which the proof checks for one
// arbitrary marked entry; the count is right; an entry is visible at most two cycles after it was taken.
module formal_fifo_ram #(
    parameter int DEPTH = 3
) (
    input logic clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic mark_i,
    input logic ready_i
);
  initial assume (rst_i);
  logic valid, mark;
  logic [1:0] count;
  fifo_ram #(.WIDTH(1), .DEPTH(DEPTH)) u_dut (
      .clk_i, .rst_i, .valid_i, .data_i(mark_i), .valid_o(valid), .ready_i, .data_o(mark), .count_o(count));

  logic live, marked, pending, came;
  logic [2:0] inside, ahead;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    came <= valid_i && !rst_i;
    inside <= inside + 3'(valid_i) - 3'(valid && ready_i);
    if (valid_i && mark_i) begin
      {marked, pending} <= 2'b11;
      ahead <= inside - 3'(valid && ready_i);
    end else if (valid && ready_i) begin
      ahead <= ahead - 1'b1;
      if (ahead == 0) pending <= 1'b0;
    end
    if (rst_i) {marked, pending, inside} <= '0;
  end
  always @* if (live && !rst_i) begin
    assume (!(marked && mark_i));
    assume (!valid_i || inside != DEPTH);
    assert (count == inside);
    if (valid) assert (inside != 0 && mark == (pending && ahead == 0));
    // Words of the last cycle are not visible yet; all other words are.
    assert (valid == (inside > 3'(came)));
  end
endmodule
