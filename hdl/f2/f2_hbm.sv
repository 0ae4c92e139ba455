// SPDX-License-Identifier: MIT OR Apache-2.0
// The kit's HBM with 32 ports. Its switch joins each port to all of its 16 GiB; port i is nearest to the 512 MiB from i x 512 MiB on.
//
// Contract: requests and responses belong to clk_i; ref_clk_i has 100 MHz. ready_o is high when both stacks are initialised, and belongs
// to no clock. A port that nobody uses has a request of zeros. The monitors are the shell's.
`define F2_HBM_PORT(I) \
      .AXI_``I``_ACLK(clk_i), .AXI_``I``_ARESET_N(rst_ni), .AXI_``I``_ARVALID(request_i[I].arvalid), \
      .AXI_``I``_ARREADY(response_o[I].arready), .AXI_``I``_ARADDR(request_i[I].araddr), .AXI_``I``_ARID(6'b0), \
      .AXI_``I``_ARLEN(request_i[I].arlen), .AXI_``I``_ARSIZE(request_i[I].arsize), \
      .AXI_``I``_ARBURST(request_i[I].arburst), .AXI_``I``_RVALID(response_o[I].rvalid), \
      .AXI_``I``_RREADY(request_i[I].rready), .AXI_``I``_RID(unused_rid[I]), .AXI_``I``_RDATA(response_o[I].rdata), \
      .AXI_``I``_RDATA_PARITY(unused_parity[I]), .AXI_``I``_RRESP(response_o[I].rresp), \
      .AXI_``I``_RLAST(response_o[I].rlast), .AXI_``I``_AWVALID(request_i[I].awvalid), \
      .AXI_``I``_AWREADY(response_o[I].awready), .AXI_``I``_AWADDR(request_i[I].awaddr), .AXI_``I``_AWID(6'b0), \
      .AXI_``I``_AWLEN(request_i[I].awlen), .AXI_``I``_AWSIZE(request_i[I].awsize), \
      .AXI_``I``_AWBURST(request_i[I].awburst), .AXI_``I``_WVALID(request_i[I].wvalid), \
      .AXI_``I``_WREADY(response_o[I].wready), .AXI_``I``_WDATA(request_i[I].wdata), .AXI_``I``_WDATA_PARITY(32'b0), \
      .AXI_``I``_WSTRB(request_i[I].wstrb), .AXI_``I``_WLAST(request_i[I].wlast), .AXI_``I``_BVALID(response_o[I].bvalid), \
      .AXI_``I``_BREADY(request_i[I].bready), .AXI_``I``_BID(unused_bid[I]), .AXI_``I``_BRESP(response_o[I].bresp),
`define F2_HBM_STACK(I) \
      .HBM_REF_CLK_``I``(ref_clk_i), .APB_``I``_PCLK(ref_clk_i), .APB_``I``_PRESET_N(ref_rst_ni), .APB_``I``_PSEL(1'b0), \
      .APB_``I``_PENABLE(1'b0), .APB_``I``_PWRITE(1'b0), .APB_``I``_PADDR(22'b0), .APB_``I``_PWDATA(32'b0), \
      .APB_``I``_PRDATA(unused_prdata[I]), .APB_``I``_PREADY(unused_pready[I]), .APB_``I``_PSLVERR(unused_pslverr[I]), \
      .MON_APB_``I``_PRESET_N(monitor_preset_ni[I]), .APB_``I``_PADDR_MON(monitor_paddr_o[I]), \
      .APB_``I``_PSEL_MON(monitor_psel_o[I]), .APB_``I``_PENABLE_MON(monitor_penable_o[I]), \
      .APB_``I``_PWRITE_MON(monitor_pwrite_o[I]), .APB_``I``_PWDATA_MON(monitor_pwdata_o[I]), \
      .APB_``I``_PREADY_MON(monitor_pready_o[I]), .APB_``I``_PRDATA_MON(monitor_prdata_o[I]), \
      .APB_``I``_PSLVERR_MON(monitor_pslverr_o[I]), .apb_complete_``I``(complete[I]), \
      .DRAM_``I``_STAT_CATTRIP(unused_cattrip[I]), .DRAM_``I``_STAT_TEMP(unused_temp[I])
module f2_hbm (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     ref_clk_i,
    input  logic                     ref_rst_ni,
    output logic                     ready_o,
    input  f2_pkg::request_t [31:0]  request_i,
    output f2_pkg::response_t [31:0] response_o,
    input  logic [1:0]               monitor_preset_ni,
    output logic [1:0][21:0]         monitor_paddr_o,
    output logic [1:0]               monitor_psel_o,
    output logic [1:0]               monitor_penable_o,
    output logic [1:0]               monitor_pwrite_o,
    output logic [1:0][31:0]         monitor_pwdata_o,
    output logic [1:0]               monitor_pready_o,
    output logic [1:0][31:0]         monitor_prdata_o,
    output logic [1:0]               monitor_pslverr_o
);
  logic [31:0][5:0] unused_rid, unused_bid;
  logic [31:0][31:0] unused_parity;
  logic [1:0][31:0] unused_prdata;
  logic [1:0][6:0] unused_temp;
  logic [1:0] complete, unused_pready, unused_pslverr, unused_cattrip;
  assign ready_o = &complete;
  cl_hbm u_hbm (
      `F2_HBM_PORT(00) `F2_HBM_PORT(01) `F2_HBM_PORT(02) `F2_HBM_PORT(03) `F2_HBM_PORT(04) `F2_HBM_PORT(05) `F2_HBM_PORT(06) `F2_HBM_PORT(07)
      `F2_HBM_PORT(08) `F2_HBM_PORT(09) `F2_HBM_PORT(10) `F2_HBM_PORT(11) `F2_HBM_PORT(12) `F2_HBM_PORT(13) `F2_HBM_PORT(14) `F2_HBM_PORT(15)
      `F2_HBM_PORT(16) `F2_HBM_PORT(17) `F2_HBM_PORT(18) `F2_HBM_PORT(19) `F2_HBM_PORT(20) `F2_HBM_PORT(21) `F2_HBM_PORT(22) `F2_HBM_PORT(23)
      `F2_HBM_PORT(24) `F2_HBM_PORT(25) `F2_HBM_PORT(26) `F2_HBM_PORT(27) `F2_HBM_PORT(28) `F2_HBM_PORT(29) `F2_HBM_PORT(30) `F2_HBM_PORT(31)
      `F2_HBM_STACK(0),
      `F2_HBM_STACK(1)
  );
endmodule
