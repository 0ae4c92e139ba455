// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_axi_memory for a master that only reads.
`include "ports.svh"
module tb_read_memory #(
    parameter int KIND = 1,
    parameter int PHASE = 255,
    parameter int PAUSES = 0,
    parameter int BEATS = 1 << 20
) (
    input logic clk_i,
    input logic rst_i,
    `AXI_READ_SLAVE(64, 512)
);
  logic unused_awready, unused_wready, unused_bvalid;
  logic [1:0] unused_bresp;
  tb_axi_memory #(.KIND(KIND), .PHASE(PHASE), .PAUSES(PAUSES), .BEATS(BEATS)) u_memory (
      .clk_i, .rst_i, `AXI_READ_CONNECT(s_axi, s_axi), .s_axi_awvalid(1'b0), .s_axi_awready(unused_awready),
      .s_axi_awaddr('0), .s_axi_awlen('0), .s_axi_awsize('0), .s_axi_awburst('0), .s_axi_awprot('0), .s_axi_awcache('0),
      .s_axi_wvalid(1'b0), .s_axi_wready(unused_wready), .s_axi_wdata('0), .s_axi_wstrb('0), .s_axi_wlast(1'b0),
      .s_axi_bvalid(unused_bvalid), .s_axi_bready(1'b1), .s_axi_bresp(unused_bresp)
  );
endmodule
