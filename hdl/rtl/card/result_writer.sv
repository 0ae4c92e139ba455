// SPDX-License-Identifier: MIT OR Apache-2.0
// The core's results on their way to memory, one behind the other: a block of BEATS beats for each.
//
// Contract: a task with results_i results begins in a cycle with start_i; the first is written to beat address_i. A result whose beats have
// not all come is not written. Beats come in core_clk_i. stop_i, done_o (a pulse for each result), busy_o, error_o and the bus are
// block_writer's. Resets are card_reader's.
`include "ports.svh"
module result_writer #(
    parameter int BEATS = 4,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         start_i,
    input  logic         stop_i,
    input  logic [ 31:0] results_i,
    input  logic [ 57:0] address_i,
    output logic         done_o,
    output logic         busy_o,
    output logic         error_o,
    input  logic         core_clk_i,
    input  logic         core_rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [511:0] data_i,
    `AXI_WRITE_MASTER(m_axi, 64, 512)
);
  logic beat_valid, beat_ready, place_valid, place_ready;
  logic [57:0] place;
  logic [511:0] beat;
  stream_crossing #(.WIDTH(512)) u_crossing (
      .write_clk_i(core_clk_i), .write_rst_i(core_rst_i), .valid_i, .ready_o, .data_i, .read_clk_i(clk_i),
      .read_rst_i(rst_i), .valid_o(beat_valid), .ready_i(beat_ready), .data_o(beat)
  );
  stretch_sequence #(.ADVANCE(1)) u_places (
      .clk_i, .rst_i, .start_i, .windows_i(results_i), .address_i, .beats_i(32'(BEATS)), .valid_o(place_valid),
      .ready_i(place_ready), .address_o(place)
  );
  block_writer #(.BLOCK(BEATS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_writer (
      .clk_i, .rst_i, .valid_i(beat_valid), .ready_o(beat_ready), .data_i(beat), .place_valid_i(place_valid),
      .place_ready_o(place_ready), .place_i(place), .stop_i, .done_o, .busy_o, .error_o, `AXI_WRITE_CONNECT(m_axi, m_axi)
  );
endmodule
