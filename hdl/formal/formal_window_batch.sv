// SPDX-License-Identifier: MIT OR Apache-2.0
// window_batch_scheduler with any points in two windows of two bits. No bucket of a window gets a point twice within
// WINDOW_CYCLES. A marked point comes to its bucket of each window whose digit is not zero, once, and before done_o.
module formal_window_batch #(
    parameter int WINDOW_CYCLES = 3
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       valid_i,
    input logic [1:0] negative_i,
    input logic [3:0] magnitudes_i,
    input logic       mark_i,
    input logic       finish_i
);
  initial assume (rst_i);
  logic ready, done, issue, discard, negate, mark, add;
  logic [0:0] window, bucket;
  logic [31:0] conflicts, high_water;
  window_batch_scheduler #(
      .WINDOWS(2), .WINDOW(2), .DATA_WIDTH(1), .WINDOW_CYCLES(WINDOW_CYCLES), .THRESHOLD(1), .QUEUE(4)
  ) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .negative_i, .magnitudes_i, .data_i(mark_i), .finish_i, .done_o(done),
      .issue_o(issue), .discard_o(discard), .window_o(window), .bucket_o(bucket), .negate_o(negate), .data_o(mark),
      .conflicts_o(conflicts), .high_water_o(high_water)
  );
  assign add = issue && !discard;

  (* anyconst *) logic [1:0] chosen;
  logic live, marked, waiting;
  logic [1:0] pending, offered_negative;
  logic [3:0] offered_magnitudes;
  logic offered_mark;
  initial live = 1'b0;
  int age;
  // Digits are at most two, in two buckets.
  always @* assume (magnitudes_i[1:0] != 3 && magnitudes_i[3:2] != 3);
  // A request stays until it is taken.
  always @* if (live && waiting) begin
    assume (valid_i && negative_i == offered_negative && magnitudes_i == offered_magnitudes && mark_i == offered_mark);
  end
  always @* if (live && marked) assume (!mark_i);
  // The point's additions begin in the first cycle of its batch, before the point is taken.
  logic [1:0] due;
  assign due = valid_i && mark_i && !waiting ? {magnitudes_i[3:2] != 0, magnitudes_i[1:0] != 0} : pending;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    if (rst_i) age <= WINDOW_CYCLES + 1;
    else if (add && {window, bucket} == chosen) age <= 1;
    else if (age <= WINDOW_CYCLES) age <= age + 1;
    waiting <= valid_i && !ready && !rst_i;
    {offered_negative, offered_magnitudes, offered_mark} <= {negative_i, magnitudes_i, mark_i};
    pending <= due & ~(2'(add && mark) << window);
    if (valid_i && ready && mark_i) marked <= 1'b1;
    if (rst_i) {marked, pending} <= '0;
  end
  always @* if (live && !rst_i) begin
    assert (age >= 1 && age <= WINDOW_CYCLES + 1);
    if (add && {window, bucket} == chosen) assert (age == WINDOW_CYCLES + 1);
`ifdef BOUNDED
    if (add && mark) assert (due[window]);
    if (done) assert (pending == 0);
`endif
  end
endmodule
