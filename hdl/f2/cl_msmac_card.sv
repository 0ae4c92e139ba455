// SPDX-License-Identifier: MIT OR Apache-2.0
// msmac_card on AWS F2, written by lists.py: the top module of the custom logic. OCL has the card's registers, and BAR4 the HBM.
`include "ports.svh"
module cl_msmac_card #(
    parameter int PES = 4,
    parameter int WINDOW = 13,
    parameter int KIND = 2,
    parameter int MUL_LATENCY = 40,
    parameter int LEAF = 3,
    parameter int PROGRAM = 64,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    parameter int SEGMENTS = 1,
    parameter int BLOCK = 16,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8
) (
`include "cl_ports.vh"
);
  localparam int BAR4 = 31;
  localparam logic [31:0] USED = 32'h81100001;
`include "f2_shell.svh"

  // 250 MHz, with the recipe B0.
  assign {core_clk, core_rst_n} = {clk_extra_b0, rst_b0_n};

  `AXI_READ_WIRES(host)
  `AXI_WRITE_WIRES(host)
  `F2_PORT(host, 0)
  `AXI_READ_WIRES(point)
  `F2_IDLE_WRITE(point)
  `F2_PORT(point, 20)
  `AXI_READ_WIRES(scalar)
  `F2_IDLE_WRITE(scalar)
  `F2_PORT(scalar, 24)
  msmac_card #(
      .PES(PES),
      .WINDOW(WINDOW),
      .KIND(KIND),
      .MUL_LATENCY(MUL_LATENCY),
      .LEAF(LEAF),
      .PROGRAM(PROGRAM),
      .THRESHOLD(THRESHOLD),
      .CONFLICTS(CONFLICTS),
      .SEGMENTS(SEGMENTS),
      .BLOCK(BLOCK),
      .BURST(BURST),
      .OUTSTANDING(OUTSTANDING)
  ) u_card (
      .clk_i(clk_main_a0),
      .core_clk_i(core_clk),
      .rst_i(rst),
      .s_axi_awvalid(ocl_cl_awvalid),
      .s_axi_awready(cl_ocl_awready),
      .s_axi_awaddr(ocl_cl_awaddr[12:0]),
      .s_axi_wvalid(ocl_cl_wvalid),
      .s_axi_wready(cl_ocl_wready),
      .s_axi_wdata(ocl_cl_wdata),
      .s_axi_wstrb(ocl_cl_wstrb),
      .s_axi_bvalid(cl_ocl_bvalid),
      .s_axi_bready(ocl_cl_bready),
      .s_axi_bresp(cl_ocl_bresp),
      .s_axi_arvalid(ocl_cl_arvalid),
      .s_axi_arready(cl_ocl_arready),
      .s_axi_araddr(ocl_cl_araddr[12:0]),
      .s_axi_rvalid(cl_ocl_rvalid),
      .s_axi_rready(ocl_cl_rready),
      .s_axi_rdata(cl_ocl_rdata),
      .s_axi_rresp(cl_ocl_rresp),
      .s_axi_awprot(3'b0),
      .s_axi_arprot(3'b0),
      `AXI_READ_CONNECT(m_axi_host, host),
      `AXI_WRITE_CONNECT(m_axi_host, host),
      `AXI_READ_CONNECT(m_axi_point, point),
      `AXI_READ_CONNECT(m_axi_scalar, scalar)
  );

  unread u_unread (.d_i(^{ocl_cl_awaddr[31:13], ocl_cl_araddr[31:13]}));
endmodule
