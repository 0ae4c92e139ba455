// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue of DEPTH entries, a power of two, between two clocks. Gray codes of the pointers cross, each through two registers.
//
// Contract: as fifo's at either side: an entry is taken in a cycle of write_clk_i with valid_i and ready_o, and leaves in a cycle
// of read_clk_i with valid_o and ready_i. An entry is visible after two to three cycles of read_clk_i, and its place is free
// again after two to three cycles of write_clk_i. Both sides must be in reset at the same time, for three cycles of either clock.
// constraints/crossing.xdc bounds the ways between the clocks.
module clock_crossing #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 16
) (
    input  logic             write_clk_i,
    input  logic             write_rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    input  logic             read_clk_i,
    input  logic             read_rst_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  localparam int POINTER = $clog2(DEPTH);
  if (DEPTH < 4 || DEPTH != 1 << POINTER) begin : g_invalid
    $error("clock_crossing: DEPTH is a power of two, at least 4");
  end

  // A pointer has a bit more than a place's number, to tell a full queue from an empty one.
  logic [WIDTH-1:0] ring[DEPTH];
  logic [POINTER:0] tail, next_tail, tail_gray, head, next_head, head_gray;
  (* async_reg = "true" *) logic [POINTER:0] head_meta, head_seen, tail_meta, tail_seen;
  logic take, leave;

  // The queue is full if the pointers differ in their upper two bits alone.
  assign ready_o = tail_gray != (head_seen ^ {2'b11, (POINTER - 1)'(0)});
  assign take = valid_i && ready_o;
  assign next_tail = tail + (POINTER + 1)'(take);
  always_ff @(posedge write_clk_i) begin
    if (take) ring[tail[POINTER-1:0]] <= data_i;
    tail <= next_tail;
    tail_gray <= next_tail ^ next_tail >> 1;
    {head_seen, head_meta} <= {head_meta, head_gray};
    if (write_rst_i) {tail, tail_gray, head_seen, head_meta} <= '0;
  end

  assign valid_o = head_gray != tail_seen;
  assign leave = valid_o && ready_i;
  assign data_o = ring[head[POINTER-1:0]];
  assign next_head = head + (POINTER + 1)'(leave);
  always_ff @(posedge read_clk_i) begin
    head <= next_head;
    head_gray <= next_head ^ next_head >> 1;
    {tail_seen, tail_meta} <= {tail_meta, tail_gray};
    if (read_rst_i) {head, head_gray, tail_seen, tail_meta} <= '0;
  end

`ifdef FORMAL
`include "clock_crossing.svh"
`endif
endmodule
