// SPDX-License-Identifier: MIT OR Apache-2.0
// spill_fifo with any writer, any reader and any memory that keeps the order: entries leave in the order in which they
// came. One arbitrary entry is marked; it leaves after the entries that were there before it.
module formal_spill #(
    parameter int DEPTH = 2
) (
    input logic clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic mark_i,
    input logic ready_i,
    input logic memory_takes_i,
    input logic memory_gives_i
);
  initial assume (rst_i);
  logic ready, valid, mark, spill_valid, spill_ready, spilled, back, taken, given, returned, held, almost_full;
  logic [7:0] count;
  logic [2:0] in_memory;
  spill_fifo #(.WIDTH(1), .DEPTH(DEPTH), .COUNT(8)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i(mark_i), .valid_o(valid), .ready_i, .data_o(mark),
      .count_o(count), .spill_valid_o(spill_valid), .spill_ready_i(taken && memory_takes_i), .spill_data_o(spilled),
      .spill_valid_i(given), .spill_ready_o(spill_ready), .spill_data_i(back)
  );
  assign given = returned && (held || memory_gives_i);
  always @(posedge clk_i) held <= !rst_i && given && !spill_ready;
  fifo #(.WIDTH(1), .DEPTH(5)) u_memory (
      .clk_i, .rst_i, .valid_i(spill_valid && memory_takes_i), .ready_o(taken), .data_i(spilled),
      .valid_o(returned), .ready_i(given && spill_ready), .data_o(back), .count_o(in_memory),
      .almost_full_o(almost_full)
  );

  logic live, marked, pending, offered;
  logic [7:0] ahead;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    offered <= !rst_i && spill_valid && !(taken && memory_takes_i);
    if (valid_i && ready && mark_i) begin
      {marked, pending} <= 2'b11;
      ahead <= count - 8'(valid && ready_i);
    end else if (valid && ready_i) begin
      ahead <= ahead - 1'b1;
      if (ahead == 0) pending <= 1'b0;
    end
    if (rst_i) {marked, pending} <= 2'b00;
  end
  always @* if (live && marked) assume (!mark_i);
  always @* if (live && !rst_i) begin
    // The entry that is read is the marked entry exactly if no other entry is ahead of it.
    if (valid) assert (mark == (pending && ahead == 0));
    if (pending) assert (ahead < count);
    // A request to the memory stays until it is taken.
    if (offered) assert (spill_valid);
  end
endmodule
