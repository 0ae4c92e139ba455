// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue of DEPTH entries in a RAM, for queues that are too large for registers or distributed RAM.
//
// Contract: as fifo's, except that an entry in an empty queue is visible two cycles after it was taken, because the RAM
// is read a cycle ahead. The writer cannot wait: simulation reports a write to a full queue.
module fifo_ram #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 2,
    localparam int COUNT = $clog2(DEPTH + 1)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic [COUNT-1:0] count_o
);
  if (DEPTH < 2) begin : g_invalid
    $error("fifo_ram: DEPTH is at least 2");
  end

  localparam int POINTER = $clog2(DEPTH);
  logic [POINTER-1:0] head, next_head, tail;
  logic leave;

  function automatic logic [POINTER-1:0] next(input logic [POINTER-1:0] at);
    next = at == POINTER'(DEPTH - 1) ? '0 : at + 1'b1;
  endfunction

  assign leave = valid_o && ready_i;
  assign next_head = leave ? next(head) : head;
  ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_ring (
      .clk_i, .write_i(valid_i), .write_address_i(tail), .data_i, .read_i(1'b1), .read_address_i(next_head), .data_o);

  always_ff @(posedge clk_i) begin
    head <= next_head;
    if (valid_i) tail <= next(tail);
    count_o <= count_o + COUNT'(valid_i) - COUNT'(leave);
    // An entry is not read in the cycle in which it is taken.
    valid_o <= count_o > COUNT'(leave);
    if (rst_i) begin
      head <= '0;
      tail <= '0;
      count_o <= '0;
      valid_o <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_i && count_o == COUNT'(DEPTH)) $error("fifo_ram: written while full, an entry is lost");
  end
`endif
endmodule
