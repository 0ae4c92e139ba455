// SPDX-License-Identifier: MIT OR Apache-2.0
// The way of a master to its port of the HBM: from AXI4 with 512 bits in the shell's clock to AXI3 with 256 bits in the HBM's clock, by
// the kit's SmartConnect. Addresses from 16 GiB on wrap around.
`include "ports.svh"
module f2_port (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               hbm_clk_i,
    `AXI_READ_SLAVE(64, 512),
    `AXI_WRITE_SLAVE(64, 512),
    input  logic [       15:0] s_axi_arid,
    output logic [       15:0] s_axi_rid,
    input  logic [       15:0] s_axi_awid,
    output logic [       15:0] s_axi_bid,
    output f2_pkg::request_t   request_o,
    input  f2_pkg::response_t  response_i
);
  logic [63:0] araddr, awaddr;
  logic [3:0] unused_arcache, unused_awcache, unused_arqos, unused_awqos;
  logic [2:0] unused_arprot, unused_awprot;
  logic [1:0] unused_arlock, unused_awlock;
  assign request_o.araddr = araddr[33:0];
  assign request_o.awaddr = awaddr[33:0];
  cl_axi_sc_1x1_wrapper u_converter (
      .aclk_250(clk_i), .aresetn_250(rst_ni), .aclk_450(hbm_clk_i),
      .AXI4_arvalid(s_axi_arvalid), .AXI4_arready(s_axi_arready), .AXI4_arid(s_axi_arid), .AXI4_araddr(s_axi_araddr),
      .AXI4_arlen(s_axi_arlen), .AXI4_arsize(s_axi_arsize), .AXI4_arburst(s_axi_arburst), .AXI4_arlock(1'b0),
      .AXI4_arcache(s_axi_arcache), .AXI4_arprot(s_axi_arprot), .AXI4_arqos(4'b0), .AXI4_rvalid(s_axi_rvalid),
      .AXI4_rready(s_axi_rready), .AXI4_rid(s_axi_rid), .AXI4_rdata(s_axi_rdata), .AXI4_rresp(s_axi_rresp),
      .AXI4_rlast(s_axi_rlast), .AXI4_awvalid(s_axi_awvalid), .AXI4_awready(s_axi_awready), .AXI4_awid(s_axi_awid),
      .AXI4_awaddr(s_axi_awaddr), .AXI4_awlen(s_axi_awlen), .AXI4_awsize(s_axi_awsize), .AXI4_awburst(s_axi_awburst),
      .AXI4_awlock(1'b0), .AXI4_awcache(s_axi_awcache), .AXI4_awprot(s_axi_awprot), .AXI4_awqos(4'b0),
      .AXI4_wvalid(s_axi_wvalid), .AXI4_wready(s_axi_wready), .AXI4_wdata(s_axi_wdata), .AXI4_wstrb(s_axi_wstrb),
      .AXI4_wlast(s_axi_wlast), .AXI4_bvalid(s_axi_bvalid), .AXI4_bready(s_axi_bready), .AXI4_bid(s_axi_bid),
      .AXI4_bresp(s_axi_bresp),
      .AXI3_arvalid(request_o.arvalid), .AXI3_arready(response_i.arready), .AXI3_araddr(araddr),
      .AXI3_arlen(request_o.arlen), .AXI3_arsize(request_o.arsize), .AXI3_arburst(request_o.arburst),
      .AXI3_arlock(unused_arlock), .AXI3_arcache(unused_arcache), .AXI3_arprot(unused_arprot), .AXI3_arqos(unused_arqos),
      .AXI3_rvalid(response_i.rvalid), .AXI3_rready(request_o.rready), .AXI3_rdata(response_i.rdata),
      .AXI3_rresp(response_i.rresp), .AXI3_rlast(response_i.rlast), .AXI3_awvalid(request_o.awvalid),
      .AXI3_awready(response_i.awready), .AXI3_awaddr(awaddr), .AXI3_awlen(request_o.awlen),
      .AXI3_awsize(request_o.awsize), .AXI3_awburst(request_o.awburst), .AXI3_awlock(unused_awlock),
      .AXI3_awcache(unused_awcache), .AXI3_awprot(unused_awprot), .AXI3_awqos(unused_awqos),
      .AXI3_wvalid(request_o.wvalid), .AXI3_wready(response_i.wready), .AXI3_wdata(request_o.wdata),
      .AXI3_wstrb(request_o.wstrb), .AXI3_wlast(request_o.wlast), .AXI3_bvalid(response_i.bvalid),
      .AXI3_bready(request_o.bready), .AXI3_bresp(response_i.bresp)
  );

  unread u_unread (.d_i(^{araddr[63:34], awaddr[63:34]}));
endmodule
