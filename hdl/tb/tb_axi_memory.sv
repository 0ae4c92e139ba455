// SPDX-License-Identifier: MIT OR Apache-2.0
// A card's memory: a slave of AXI4 with 512 bits of data and one ID, in C++ (axi_memory.h). KIND is a place in memory_kinds.h.
// Addresses from BEATS beats on answer DECERR. A reset empties the port; the data stay. PHASE and PAUSES are the model's
// (crates/hardware/src/memory).
`include "ports.svh"
module tb_axi_memory #(
    parameter int KIND = 1,
    parameter int CORE_KHZ = 250_000,
    parameter int PHASE = 255,
    parameter int PAUSES = 0,
    parameter int BEATS = 1 << 20
) (
    input logic clk_i,
    input logic rst_i,
    `AXI_READ_SLAVE(64, 512),
    `AXI_WRITE_SLAVE(64, 512)
);
  import "DPI-C" function chandle axi_memory_open(
      input int kind, input int core_khz, input int phase, input int pauses, input int beats);
  import "DPI-C" function void axi_memory_close(input chandle handle);
  import "DPI-C" function void axi_memory_reset(input chandle handle);
  import "DPI-C" function bit axi_memory_cycle(
      input chandle handle, input bit [287:0] request, input bit [511:0] data, inout bit [9:0] flags,
      inout bit [511:0] read);

  chandle memory;
  logic [287:0] request;
  assign request = {
    s_axi_wstrb, 19'b0, s_axi_awburst, s_axi_awsize, s_axi_awlen, s_axi_awaddr, 19'b0, s_axi_arburst, s_axi_arsize,
    s_axi_arlen, s_axi_araddr, 26'b0, s_axi_bready, s_axi_rready, s_axi_wlast, s_axi_wvalid, s_axi_awvalid, s_axi_arvalid
  };
  initial memory = axi_memory_open(KIND, CORE_KHZ, PHASE, PAUSES, BEATS);
  final axi_memory_close(memory);
  always_ff @(posedge clk_i) begin
    automatic bit [9:0] flags = '0;
    automatic bit [511:0] read = '0;
    if (rst_i) begin
      axi_memory_reset(memory);
    end else if (!axi_memory_cycle(memory, request, s_axi_wdata, flags, read)) begin
      $error("tb_axi_memory: a burst leaves its 4 KiB, has other beats than announced, or does not increment");
    end
    {s_axi_bresp, s_axi_rresp, s_axi_bvalid, s_axi_rlast, s_axi_rvalid, s_axi_wready, s_axi_awready, s_axi_arready}
        <= flags;
    s_axi_rdata <= read;
  end

  unread u_unread (.d_i(^{s_axi_arprot, s_axi_arcache, s_axi_awprot, s_axi_awcache}));
endmodule
