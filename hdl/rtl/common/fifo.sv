// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue of DEPTH entries in a ring; the oldest entry is visible at the output (first word falls through).
//
// Contract: an entry is taken in a cycle with valid_i and ready_o, and leaves in a cycle with valid_o and ready_i. If
// the queue is empty, an entry is visible in the cycle after it was taken. ready_o depends only on the state, so a full
// queue takes no entry even while it is read. almost_full_o is high if fewer than HEADROOM + 1 places are free: entries
// under way may still come, but the writer should send no others. With MUST_TAKE the writer cannot wait, and simulation
// reports a write to a full queue. Without MUST_TAKE, the writer must hold an entry until it is taken.
module fifo #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 2,
    parameter int HEADROOM = 0,
    parameter bit MUST_TAKE = 0,
    localparam int COUNT = $clog2(DEPTH + 1)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic [COUNT-1:0] count_o,
    output logic             almost_full_o
);
  if (DEPTH < 2 || HEADROOM < 0 || HEADROOM >= DEPTH) begin : g_invalid
    $error("fifo: DEPTH is at least 2, HEADROOM from 0 to DEPTH - 1");
  end

  localparam int POINTER = $clog2(DEPTH);
  logic [WIDTH-1:0] ring[DEPTH];
  logic [POINTER-1:0] head, tail;
  logic take, leave;

  function automatic logic [POINTER-1:0] next(input logic [POINTER-1:0] at);
    next = at == POINTER'(DEPTH - 1) ? '0 : at + 1'b1;
  endfunction

  assign ready_o = count_o != COUNT'(DEPTH);
  assign valid_o = count_o != 0;
  assign data_o = ring[head];
  assign almost_full_o = count_o >= COUNT'(DEPTH - HEADROOM);
  assign take = valid_i && ready_o;
  assign leave = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (take) begin
      ring[tail] <= data_i;
      tail <= next(tail);
    end
    if (leave) head <= next(head);
    count_o <= count_o + COUNT'(take) - COUNT'(leave);
    if (rst_i) begin
      head <= '0;
      tail <= '0;
      count_o <= '0;
    end
  end

`ifndef SYNTHESIS
  logic waiting;
  logic [WIDTH-1:0] offered;
  always_ff @(posedge clk_i) begin
    waiting <= valid_i && !ready_o && !rst_i;
    offered <= data_i;
    if (!rst_i) begin
      if (MUST_TAKE && valid_i && !ready_o) $error("fifo: written while full, an entry is lost");
      if (!MUST_TAKE && waiting && (!valid_i || data_i != offered)) $error("fifo: an entry changed while it waited");
      if (32'(count_o) > DEPTH) $error("fifo: more entries than places");
    end
  end
`endif
`ifdef FORMAL
`include "fifo.svh"
`endif
endmodule
