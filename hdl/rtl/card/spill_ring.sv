// SPDX-License-Identifier: MIT OR Apache-2.0
// The places of conflicts in memory: a ring of blocks of BLOCK beats, written and read in their order.
//
// Contract: in a cycle with start_i, a ring of blocks_i blocks from beat address_i on is empty. A place to write is offered while the
// ring has a free block; a place to read is offered once its block is written (written_i, a pulse for each). A block is free again when
// it has been read (read_i, a pulse for each).
module spill_ring #(
    parameter int BLOCK = 9,
    parameter int COUNT = 32,
    parameter int ADDRESS = 58
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               start_i,
    input  logic [ADDRESS-1:0] address_i,
    input  logic [  COUNT-1:0] blocks_i,
    output logic               write_valid_o,
    input  logic               write_ready_i,
    output logic [ADDRESS-1:0] write_o,
    input  logic               written_i,
    output logic               read_valid_o,
    input  logic               read_ready_i,
    output logic [ADDRESS-1:0] read_o,
    input  logic               read_i
);
  logic writes, reads;
  logic [COUNT-1:0] free, readable;
  assign write_valid_o = free != 0;
  assign read_valid_o = readable != 0;
  assign writes = write_valid_o && write_ready_i;
  assign reads = read_valid_o && read_ready_i;
  always_ff @(posedge clk_i) begin
    free <= free + COUNT'(read_i) - COUNT'(writes);
    readable <= readable + COUNT'(written_i) - COUNT'(reads);
    if (start_i) {free, readable} <= {blocks_i, COUNT'(0)};
    if (rst_i) {free, readable} <= '0;
  end

  // The next place of the writer and of the reader, and the blocks from there to the ring's end.
  for (genvar i = 0; i < 2; i++) begin : g_end
    logic [ADDRESS-1:0] place;
    logic [COUNT-1:0] ahead;
    logic restart;
    assign restart = start_i || ahead == 1;
    always_ff @(posedge clk_i) begin
      if (start_i || (i == 0 ? writes : reads)) begin
        place <= restart ? address_i : place + ADDRESS'(BLOCK);
        ahead <= restart ? blocks_i : ahead - 1'b1;
      end
    end
  end
  assign write_o = g_end[0].place;
  assign read_o = g_end[1].place;
endmodule
