// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads stretches of memory through AXI4: beats of DATA bits in their order.
//
// Contract: a stretch is taken in a cycle with valid_i and ready_o: its first beat's number, and the number of its beats, at
// least one. Further stretches may follow before its data are there. At most OUTSTANDING bursts of at most BURST beats wait
// for data, and none crosses 4 KiB (axi_bursts). Beats stay until data_ready_i; data_last_o marks a stretch's last beat. The
// bus waits while beats wait. error_o is high for a cycle after a beat whose response is an error, or whose `last` is at another
// place than its burst's end. All outputs to the bus are registers. A reset may come only if nothing is outstanding (busy_o). While
// stop_i is high, the master drains: no further burst begins, stretches are dropped, and beats that still come are dropped, too. So
// busy_o falls when the memory has answered all bursts that had begun.
`include "ports.svh"
module axi_read_master #(
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
    input  logic                     stop_i,
    output logic                     data_valid_o,
    input  logic                     data_ready_i,
    output logic [         DATA-1:0] data_o,
    output logic                     data_last_o,
    output logic                     busy_o,
    output logic                     error_o,
    `AXI_READ_MASTER(m_axi, ADDRESS, DATA)
);
  if (DATA < 16 || DATA > 1024 || DATA != 8 << BYTES || BURST > 4096 >> BYTES) begin : g_invalid
    $error("axi_read_master: DATA is a power of two from 16 to 1024, and a burst has at most 4 KiB");
  end

  localparam int OPEN = $clog2(OUTSTANDING + 1);
  logic may_begin, begins, begin_final, open, final_burst, takes, last;
  logic [7:0] begin_len, len, beat;
  logic [OPEN-1:0] open_count;
  axi_bursts #(.BURST(BURST), .COUNT(COUNT), .ADDRESS(ADDRESS - BYTES)) u_bursts (
      .clk_i, .rst_i, .valid_i, .ready_o, .address_i, .beats_i, .may_begin_i(may_begin), .stop_i,
      .begin_o(begins), .begin_len_o(begin_len), .begin_final_o(begin_final), .valid_o(m_axi_arvalid), .ready_i(m_axi_arready),
      .address_o(m_axi_araddr[ADDRESS-1:BYTES]), .len_o(m_axi_arlen)
  );
  assign m_axi_araddr[BYTES-1:0] = '0;
  // Whole beats, incrementing; data, not privileged, secure; normal memory that may be modified on the way.
  assign m_axi_arsize = 3'(BYTES);
  assign m_axi_arburst = 2'b01;
  assign m_axi_arprot = 3'b000;
  assign m_axi_arcache = 4'b0011;

  // Bursts without all of their data, the oldest first.
  logic unused_open_full;
  fifo #(.WIDTH(9), .DEPTH(OUTSTANDING)) u_open (
      .clk_i, .rst_i, .valid_i(begins), .ready_o(may_begin), .data_i({begin_final, begin_len}), .valid_o(open),
      .ready_i(takes && last), .data_o({final_burst, len}), .count_o(open_count), .almost_full_o(unused_open_full)
  );
  assign takes = m_axi_rvalid && m_axi_rready;
  assign last = beat == len;
  logic there, unused_data_full;
  assign busy_o = !ready_o || open_count != 0 || there;
  assign data_valid_o = there && !stop_i;

  logic [1:0] unused_data_count;
  fifo #(.WIDTH(DATA + 1), .DEPTH(2)) u_data (
      .clk_i, .rst_i, .valid_i(m_axi_rvalid), .ready_o(m_axi_rready), .data_i({last && final_burst, m_axi_rdata}),
      .valid_o(there), .ready_i(data_ready_i || stop_i), .data_o({data_last_o, data_o}), .count_o(unused_data_count),
      .almost_full_o(unused_data_full)
  );

  always_ff @(posedge clk_i) begin
    if (takes) beat <= last ? '0 : beat + 1'b1;
    error_o <= takes && (m_axi_rresp[1] || m_axi_rlast != last);
    if (rst_i) begin
      beat <= '0;
      error_o <= 1'b0;
    end
  end

  unread u_unread (.d_i(m_axi_rresp[0]));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && takes && !open) $error("axi_read_master: a beat that no burst asked for");
  end
`else
  unread u_open_unread (.d_i(open));
`endif
endmodule
