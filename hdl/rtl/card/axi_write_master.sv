// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes stretches of memory through AXI4: beats of DATA bits in their order.
//
// Contract: a stretch is taken in a cycle with valid_i and ready_o: its first beat's number, and the number of its beats, at
// least one. Further stretches may follow before its data are written. Its data come behind it or in the same cycle; a beat is
// taken in a cycle with data_valid_i and data_ready_o. At most OUTSTANDING bursts of at most BURST beats wait for their
// response, and none crosses 4 KiB (axi_bursts). done_o is high for a cycle when a stretch has all of its responses, and
// error_o for a cycle after a response that is an error. All outputs to the bus are registers. A reset may come only if nothing
// is outstanding (busy_o).
`include "ports.svh"
module axi_write_master #(
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8,
    parameter int COUNT = 32,
    parameter int ADDRESS = 64,
    parameter int DATA = 512,
    localparam int BYTES = $clog2(DATA / 8)
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ADDRESS-BYTES-1:0] address_i,
    input  logic [        COUNT-1:0] beats_i,
    input  logic                     data_valid_i,
    output logic                     data_ready_o,
    input  logic [         DATA-1:0] data_i,
    output logic                     done_o,
    output logic                     busy_o,
    output logic                     error_o,
    `AXI_WRITE_MASTER(m_axi, ADDRESS, DATA)
);
  if (DATA < 16 || DATA > 1024 || DATA != 8 << BYTES || BURST > 4096 >> BYTES) begin : g_invalid
    $error("axi_write_master: DATA is a power of two from 16 to 1024, and a burst has at most 4 KiB");
  end

  localparam int OPEN = $clog2(OUTSTANDING + 1);
  logic may_begin, begins, begin_final, unsent, room, sends, last, open, final_burst;
  logic [7:0] begin_len, len, beat;
  logic [OPEN-1:0] open_count;
  axi_bursts #(.BURST(BURST), .COUNT(COUNT), .ADDRESS(ADDRESS - BYTES)) u_bursts (
      .clk_i, .rst_i, .valid_i, .ready_o, .address_i, .beats_i, .may_begin_i(may_begin), .stop_i(1'b0),
      .begin_o(begins), .begin_len_o(begin_len), .begin_final_o(begin_final), .valid_o(m_axi_awvalid), .ready_i(m_axi_awready),
      .address_o(m_axi_awaddr[ADDRESS-1:BYTES]), .len_o(m_axi_awlen)
  );
  assign m_axi_awaddr[BYTES-1:0] = '0;
  // The same kind of access as in axi_read_master.
  assign m_axi_awsize = 3'(BYTES);
  assign m_axi_awburst = 2'b01;
  assign m_axi_awprot = 3'b000;
  assign m_axi_awcache = 4'b0011;

  // Bursts without a response, and of these the bursts with beats that are not sent. The first queue has room for all entries
  // of the second one.
  logic unused_open_full, unused_unsent_ready, unused_unsent_full;
  logic [OPEN-1:0] unused_unsent_count;
  fifo #(.WIDTH(1), .DEPTH(OUTSTANDING)) u_open (
      .clk_i, .rst_i, .valid_i(begins), .ready_o(may_begin), .data_i(begin_final), .valid_o(open),
      .ready_i(m_axi_bvalid && m_axi_bready), .data_o(final_burst), .count_o(open_count),
      .almost_full_o(unused_open_full)
  );
  fifo #(.WIDTH(8), .DEPTH(OUTSTANDING), .MUST_TAKE(1)) u_unsent (
      .clk_i, .rst_i, .valid_i(begins), .ready_o(unused_unsent_ready), .data_i(begin_len), .valid_o(unsent),
      .ready_i(sends && last), .data_o(len), .count_o(unused_unsent_count), .almost_full_o(unused_unsent_full)
  );
  assign sends = data_valid_i && unsent && room;
  assign data_ready_o = unsent && room;
  assign last = beat == len;
  assign busy_o = !ready_o || open_count != 0;

  logic unused_data_full;
  logic [1:0] unused_data_count;
  fifo #(.WIDTH(DATA + 1), .DEPTH(2)) u_data (
      .clk_i, .rst_i, .valid_i(data_valid_i && unsent), .ready_o(room), .data_i({last, data_i}),
      .valid_o(m_axi_wvalid), .ready_i(m_axi_wready), .data_o({m_axi_wlast, m_axi_wdata}),
      .count_o(unused_data_count), .almost_full_o(unused_data_full)
  );
  assign m_axi_wstrb = '1;

  always_ff @(posedge clk_i) begin
    // A response is never kept waiting.
    m_axi_bready <= 1'b1;
    if (sends) beat <= last ? '0 : beat + 1'b1;
    done_o <= m_axi_bvalid && m_axi_bready && final_burst;
    error_o <= m_axi_bvalid && m_axi_bready && m_axi_bresp[1];
    if (rst_i) begin
      m_axi_bready <= 1'b0;
      beat <= '0;
      {done_o, error_o} <= '0;
    end
  end

  unread u_unread (.d_i(m_axi_bresp[0]));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && m_axi_bvalid && m_axi_bready && !open) $error("axi_write_master: a response to no burst");
  end
`else
  unread u_open_unread (.d_i(open));
`endif
endmodule
