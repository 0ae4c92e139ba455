// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue that continues in memory (CycloneMSM 4.4): DEPTH entries on chip at either end, and all other entries in
// memory.
//
//   tail -> head, or, once the head is full, tail -> memory -> head, until all of the memory's entries are back
//
// Contract: as fifo's, with entries in order, taken in a cycle with valid_i and ready_o, except that an entry is
// visible in the second cycle after it was taken at the earliest. The memory takes the entry at spill_valid_o when
// spill_ready_i is high, keeps the order, and returns entries with spill_valid_i and spill_ready_o. The memory must
// accept every offered entry after some time, so it needs a place for each entry of the queue. count_o counts all
// entries, on chip and in memory. almost_full_o is for the end that takes entries, as fifo's.
`include "ports.svh"
module spill_fifo #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 16,
    parameter int COUNT = 32,
    parameter int HEADROOM = 0
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
    output logic             almost_full_o,
    `SPILL_PORTS(WIDTH)
);
  logic tail_valid, tail_leaves, head_ready, direct, offered, returns;
  logic [COUNT-1:0] in_memory;

  // An entry for the memory stays offered, even when the head has room again.
  assign spill_valid_o = tail_valid && (offered || in_memory != 0 || !head_ready);
  assign direct = tail_valid && !spill_valid_o;
  assign tail_leaves = direct || (spill_valid_o && spill_ready_i);
  assign spill_ready_o = head_ready && in_memory != 0;
  assign returns = spill_valid_i && spill_ready_o;

  logic unused_head_full;
  logic [$clog2(DEPTH+1)-1:0] unused_tail_count, unused_head_count;
  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .HEADROOM(HEADROOM)) u_tail (
      .clk_i, .rst_i, .valid_i, .ready_o, .data_i, .valid_o(tail_valid), .ready_i(tail_leaves),
      .data_o(spill_data_o), .count_o(unused_tail_count), .almost_full_o
  );
  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .MUST_TAKE(1)) u_head (
      .clk_i, .rst_i, .valid_i(direct || returns), .ready_o(head_ready),
      .data_i(direct ? spill_data_o : spill_data_i), .valid_o, .ready_i, .data_o,
      .count_o(unused_head_count), .almost_full_o(unused_head_full)
  );

  always_ff @(posedge clk_i) begin
    offered <= spill_valid_o && !spill_ready_i;
    in_memory <= in_memory + COUNT'(spill_valid_o && spill_ready_i) - COUNT'(returns);
    count_o <= count_o + COUNT'(valid_i && ready_o) - COUNT'(valid_o && ready_i);
    if (rst_i) begin
      offered <= 1'b0;
      in_memory <= '0;
      count_o <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && spill_valid_i && in_memory == 0) $error("spill_fifo: the memory gives back what it does not have");
  end
`endif
endmodule
