// SPDX-License-Identifier: MIT OR Apache-2.0
// The ports of the kit's HBM, for lint alone.
`define PORT(I) \
    input  logic         AXI_``I``_ACLK, \
    input  logic         AXI_``I``_ARESET_N, \
    input  logic         AXI_``I``_ARVALID, \
    output logic         AXI_``I``_ARREADY, \
    input  logic [ 33:0] AXI_``I``_ARADDR, \
    input  logic [  5:0] AXI_``I``_ARID, \
    input  logic [  3:0] AXI_``I``_ARLEN, \
    input  logic [  2:0] AXI_``I``_ARSIZE, \
    input  logic [  1:0] AXI_``I``_ARBURST, \
    output logic         AXI_``I``_RVALID, \
    input  logic         AXI_``I``_RREADY, \
    output logic [  5:0] AXI_``I``_RID, \
    output logic [255:0] AXI_``I``_RDATA, \
    output logic [ 31:0] AXI_``I``_RDATA_PARITY, \
    output logic [  1:0] AXI_``I``_RRESP, \
    output logic         AXI_``I``_RLAST, \
    input  logic         AXI_``I``_AWVALID, \
    output logic         AXI_``I``_AWREADY, \
    input  logic [ 33:0] AXI_``I``_AWADDR, \
    input  logic [  5:0] AXI_``I``_AWID, \
    input  logic [  3:0] AXI_``I``_AWLEN, \
    input  logic [  2:0] AXI_``I``_AWSIZE, \
    input  logic [  1:0] AXI_``I``_AWBURST, \
    input  logic         AXI_``I``_WVALID, \
    output logic         AXI_``I``_WREADY, \
    input  logic [255:0] AXI_``I``_WDATA, \
    input  logic [ 31:0] AXI_``I``_WDATA_PARITY, \
    input  logic [ 31:0] AXI_``I``_WSTRB, \
    input  logic         AXI_``I``_WLAST, \
    output logic         AXI_``I``_BVALID, \
    input  logic         AXI_``I``_BREADY, \
    output logic [  5:0] AXI_``I``_BID, \
    output logic [  1:0] AXI_``I``_BRESP,
`define STACK(I) \
    input  logic         HBM_REF_CLK_``I``, \
    input  logic         APB_``I``_PCLK, \
    input  logic         APB_``I``_PRESET_N, \
    input  logic         APB_``I``_PSEL, \
    input  logic         APB_``I``_PENABLE, \
    input  logic         APB_``I``_PWRITE, \
    input  logic [ 21:0] APB_``I``_PADDR, \
    input  logic [ 31:0] APB_``I``_PWDATA, \
    output logic [ 31:0] APB_``I``_PRDATA, \
    output logic         APB_``I``_PREADY, \
    output logic         APB_``I``_PSLVERR, \
    input  logic         MON_APB_``I``_PRESET_N, \
    output logic [ 21:0] APB_``I``_PADDR_MON, \
    output logic         APB_``I``_PSEL_MON, \
    output logic         APB_``I``_PENABLE_MON, \
    output logic         APB_``I``_PWRITE_MON, \
    output logic [ 31:0] APB_``I``_PWDATA_MON, \
    output logic         APB_``I``_PREADY_MON, \
    output logic [ 31:0] APB_``I``_PRDATA_MON, \
    output logic         APB_``I``_PSLVERR_MON, \
    output logic         apb_complete_``I``, \
    output logic         DRAM_``I``_STAT_CATTRIP, \
    output logic [  6:0] DRAM_``I``_STAT_TEMP
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
module cl_hbm (
    `PORT(00) `PORT(01) `PORT(02) `PORT(03) `PORT(04) `PORT(05) `PORT(06) `PORT(07)
    `PORT(08) `PORT(09) `PORT(10) `PORT(11) `PORT(12) `PORT(13) `PORT(14) `PORT(15)
    `PORT(16) `PORT(17) `PORT(18) `PORT(19) `PORT(20) `PORT(21) `PORT(22) `PORT(23)
    `PORT(24) `PORT(25) `PORT(26) `PORT(27) `PORT(28) `PORT(29) `PORT(30) `PORT(31)
    `STACK(0),
    `STACK(1)
);
endmodule
