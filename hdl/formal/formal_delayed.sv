// SPDX-License-Identifier: MIT OR Apache-2.0
// delayed_scheduler with any input. One arbitrary bucket is not issued twice within WINDOW cycles. One arbitrary marked
// point is issued once, and before done_o. No point is issued two cycles after a cycle with hold_i. The other
// properties are in delayed_scheduler.svh.
module formal_delayed #(
    parameter int WINDOW = 3,
    parameter int QUEUE = 4,
    parameter bit SPILL = 0
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       valid_i,
    input logic [1:0] bucket_i,
    input logic       mark_i,
    input logic       hold_i,
    input logic       finish_i,
    input logic       memory_takes_i,
    input logic       memory_gives_i
);
  initial assume (rst_i);
  logic ready, done, issue, mark, spill_valid, spill_ready, taken, given, returned;
  logic [1:0] bucket;
  logic [2:0] spilled, back;
  logic [31:0] conflicts, passes, high_water;
  delayed_scheduler #(
      .BUCKET_WIDTH(2), .DATA_WIDTH(1), .WINDOW(WINDOW), .QUEUE(QUEUE), .SPILL(SPILL)
  ) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .bucket_i, .data_i(mark_i), .hold_i, .finish_i, .done_o(done),
      .issue_o(issue), .bucket_o(bucket), .data_o(mark),
      .spill_valid_o(spill_valid), .spill_ready_i(taken && memory_takes_i), .spill_data_o(spilled),
      .spill_valid_i(given), .spill_ready_o(spill_ready), .spill_data_i(back),
      .conflicts_o(conflicts), .passes_o(passes), .high_water_o(high_water)
  );
  if (SPILL) begin : g_memory
    logic almost_full, held;
    logic [3:0] count;
    assign given = returned && (held || memory_gives_i);
    always @(posedge clk_i) held <= !rst_i && given && !spill_ready;
    fifo #(.WIDTH(3), .DEPTH(8)) u_memory (
        .clk_i, .rst_i, .valid_i(spill_valid && memory_takes_i), .ready_o(taken), .data_i(spilled),
        .valid_o(returned), .ready_i(given && spill_ready), .data_o(back), .count_o(count),
        .almost_full_o(almost_full)
    );
  end else begin : g_chip
    assign {taken, given, returned, back} = '0;
  end

  (* anyconst *) logic [1:0] chosen;
  logic live, marked, pending;
  logic [1:0] held;
  initial live = 1'b0;
  int age;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    held <= {held[0], !rst_i && hold_i};
    if (rst_i) age <= WINDOW + 1;
    else if (issue && bucket == chosen) age <= 1;
    else if (age <= WINDOW) age <= age + 1;
    if (valid_i && ready && mark_i) {marked, pending} <= 2'b11;
    if (issue && mark) pending <= 1'b0;
    if (rst_i) {marked, pending} <= 2'b00;
  end
  // Only one point is marked.
  always @* if (live && marked) assume (!mark_i);
  always @* if (live && !rst_i) begin
    assert (age >= 1 && age <= WINDOW + 1);
    if (held[1]) assert (!issue);
    if (issue && bucket == chosen) assert (age == WINDOW + 1);
`ifdef BOUNDED
    if (issue && mark) assert (pending || (valid_i && ready && mark_i));
    if (done) assert (!pending);
`endif
  end
endmodule
