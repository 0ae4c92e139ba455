// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes a stream to memory in blocks of BLOCK beats. A block's stretch begins when all of its beats are there, so that each burst ends
// without the stream's sender.
//
// Contract: a beat is taken in a cycle with valid_i and ready_o. A block goes to the place that is offered, taken in a cycle with
// place_valid_i and place_ready_o: its first beat's number. While stop_i is high, no block begins. done_o, busy_o, error_o and the bus are
// axi_write_master's.
`include "ports.svh"
module block_writer #(
    parameter int BLOCK = 4,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8,
    parameter int ADDRESS = 64,
    parameter int DATA = 512,
    localparam int BYTES = $clog2(DATA / 8)
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [         DATA-1:0] data_i,
    input  logic                     place_valid_i,
    output logic                     place_ready_o,
    input  logic [ADDRESS-BYTES-1:0] place_i,
    input  logic                     stop_i,
    output logic                     done_o,
    output logic                     busy_o,
    output logic                     error_o,
    `AXI_WRITE_MASTER(m_axi, ADDRESS, DATA)
);
  if (BLOCK < 1 || BLOCK > 256) begin : g_invalid
    $error("block_writer: BLOCK is from 1 to 256");
  end

  // Room for the block that is written and for the block that comes.
  localparam int PLACES = 2 * BLOCK;
  localparam int COUNT = $clog2(PLACES + 1);
  logic whole, master_ready, begins, beat_valid, beat_ready, unused_full;
  logic [COUNT-1:0] unused_count, unclaimed;
  logic [DATA-1:0] beat;
  fifo #(.WIDTH(DATA), .DEPTH(PLACES)) u_store (
      .clk_i, .rst_i, .valid_i, .ready_o, .data_i, .valid_o(beat_valid), .ready_i(beat_ready), .data_o(beat),
      .count_o(unused_count), .almost_full_o(unused_full)
  );

  // Beats that belong to no stretch yet.
  assign whole = unclaimed >= COUNT'(BLOCK) && !stop_i;
  assign place_ready_o = whole && master_ready;
  assign begins = place_valid_i && place_ready_o;
  always_ff @(posedge clk_i) begin
    unclaimed <= unclaimed + COUNT'(valid_i && ready_o) - (begins ? COUNT'(BLOCK) : '0);
    if (rst_i) unclaimed <= '0;
  end

  axi_write_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(32), .ADDRESS(ADDRESS), .DATA(DATA)) u_master (
      .clk_i, .rst_i, .valid_i(place_valid_i && whole), .ready_o(master_ready), .address_i(place_i), .beats_i(32'(BLOCK)),
      .data_valid_i(beat_valid), .data_ready_o(beat_ready), .data_i(beat), .done_o, .busy_o, .error_o,
      `AXI_WRITE_CONNECT(m_axi, m_axi)
  );
endmodule
