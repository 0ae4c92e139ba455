// SPDX-License-Identifier: MIT OR Apache-2.0
// The memory behind spill_fifo on a card: conflicts cross to the shell's clock in beats, a ring in memory keeps their blocks, and they
// come back.
//
// Contract: conflicts as spill_blocks' in core_clk_i; the ring as spill_ring's, emptied in a cycle with start_i. stop_i, busy_o, error_o
// and the bus are axi_read_master's and block_writer's. Resets are card_reader's.
`include "ports.svh"
module spill_memory #(
    parameter int CONFLICT = 1147,
    parameter int BLOCK_WORDS = 16,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic                start_i,
    input  logic                stop_i,
    input  logic [        57:0] address_i,
    input  logic [        31:0] blocks_i,
    output logic                busy_o,
    output logic                error_o,
    input  logic                core_clk_i,
    input  logic                core_rst_i,
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [CONFLICT-1:0] data_i,
    output logic                valid_o,
    input  logic                ready_i,
    output logic [CONFLICT-1:0] data_o,
    `AXI_READ_MASTER(m_axi, 64, 512),
    `AXI_WRITE_MASTER(m_axi, 64, 512)
);
  localparam int BLOCK_BEATS = BLOCK_WORDS * ((CONFLICT + 1 + 127) / 128) / 4;

  logic core_out_valid, core_out_ready, core_in_valid, core_in_ready, out_valid, out_ready, in_valid, in_ready, in_last;
  logic [511:0] core_out, core_in, out, in;
  spill_blocks #(.CONFLICT(CONFLICT), .WORDS(BLOCK_WORDS)) u_blocks (
      .clk_i(core_clk_i), .rst_i(core_rst_i), .valid_i, .ready_o, .data_i, .valid_o, .ready_i, .data_o,
      .beat_valid_o(core_out_valid), .beat_ready_i(core_out_ready), .beat_o(core_out), .beat_valid_i(core_in_valid),
      .beat_ready_o(core_in_ready), .beat_i(core_in)
  );
  stream_crossing #(.WIDTH(512)) u_out (
      .write_clk_i(core_clk_i), .write_rst_i(core_rst_i), .valid_i(core_out_valid), .ready_o(core_out_ready),
      .data_i(core_out), .read_clk_i(clk_i), .read_rst_i(rst_i), .valid_o(out_valid), .ready_i(out_ready), .data_o(out)
  );
  stream_crossing #(.WIDTH(512)) u_in (
      .write_clk_i(clk_i), .write_rst_i(rst_i), .valid_i(in_valid), .ready_o(in_ready), .data_i(in),
      .read_clk_i(core_clk_i), .read_rst_i(core_rst_i), .valid_o(core_in_valid), .ready_i(core_in_ready), .data_o(core_in)
  );

  logic write_valid, write_ready, written, read_valid, read_ready, write_busy, read_busy, write_error, read_error;
  logic [57:0] write_at, read_at;
  spill_ring #(.BLOCK(BLOCK_BEATS)) u_ring (
      .clk_i, .rst_i, .start_i, .address_i, .blocks_i, .write_valid_o(write_valid), .write_ready_i(write_ready),
      .write_o(write_at), .written_i(written), .read_valid_o(read_valid), .read_ready_i(read_ready), .read_o(read_at),
      .read_i(in_valid && in_ready && in_last)
  );
  block_writer #(.BLOCK(BLOCK_BEATS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_write (
      .clk_i, .rst_i, .valid_i(out_valid), .ready_o(out_ready), .data_i(out), .place_valid_i(write_valid),
      .place_ready_o(write_ready), .place_i(write_at), .stop_i, .done_o(written), .busy_o(write_busy),
      .error_o(write_error), `AXI_WRITE_CONNECT(m_axi, m_axi)
  );
  axi_read_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_read (
      .clk_i, .rst_i, .valid_i(read_valid), .ready_o(read_ready), .address_i(read_at), .beats_i(32'(BLOCK_BEATS)), .stop_i,
      .data_valid_o(in_valid), .data_ready_i(in_ready), .data_o(in), .data_last_o(in_last), .busy_o(read_busy),
      .error_o(read_error), `AXI_READ_CONNECT(m_axi, m_axi)
  );
  assign busy_o = write_busy || read_busy;
  assign error_o = write_error || read_error;
endmodule
