// SPDX-License-Identifier: MIT OR Apache-2.0
// The common part of all cards on AWS F2, inside of the top module cl_CARD: clocks, the card's reset, the HBM, and the shell's ports that
// the card does not use. AWS's tools look for AWS_CLK_GEN and SH_DDR in the top module, so this is no module of its own.
//
// A card's file has BAR4, the number of the HBM's port for the host's copies, and USED, a bit for each port that has a master. It drives
// core_clk and core_rst_n.
`include "cl_id_defines.vh"

// A port that only reads, or only writes, has an idle half.
`define F2_IDLE_READ(NAME) \
  `AXI_READ_WIRES(NAME) \
  assign {NAME``_arvalid, NAME``_araddr, NAME``_arlen, NAME``_arsize, NAME``_arburst, NAME``_arprot, NAME``_arcache, \
          NAME``_rready} = '0; \
  unread u_``NAME``_unread (.d_i(^{NAME``_arready, NAME``_rvalid, NAME``_rdata, NAME``_rresp, NAME``_rlast}));
`define F2_IDLE_WRITE(NAME) \
  `AXI_WRITE_WIRES(NAME) \
  assign {NAME``_awvalid, NAME``_awaddr, NAME``_awlen, NAME``_awsize, NAME``_awburst, NAME``_awprot, NAME``_awcache, \
          NAME``_wvalid, NAME``_wdata, NAME``_wstrb, NAME``_wlast, NAME``_bready} = '0; \
  unread u_``NAME``_unread (.d_i(^{NAME``_awready, NAME``_wready, NAME``_bvalid, NAME``_bresp}));
// The card's port NAME at port I of the HBM.
`define F2_PORT(NAME, I) \
  logic [15:0] unused_``NAME``_rid, unused_``NAME``_bid; \
  f2_port u_``NAME`` ( \
      .clk_i(clk_main_a0), .rst_ni(!rst), .hbm_clk_i(hbm_clk), `AXI_READ_CONNECT(s_axi, NAME), \
      `AXI_WRITE_CONNECT(s_axi, NAME), .s_axi_arid(16'b0), .s_axi_rid(unused_``NAME``_rid), .s_axi_awid(16'b0), \
      .s_axi_bid(unused_``NAME``_bid), .request_o(hbm_request[I]), .response_i(hbm_response[I]) \
  );

  // The management of the image sets the frequencies and takes the resets back, at SDA (fpga-load-clkgen-recipe).
  logic core_clk, core_rst_n, hbm_clk, hbm_rst_n, ref_clk, ref_rst_n, main_rst_n;
  logic clk_extra_b0, clk_extra_c0, rst_b0_n, rst_c0_n;
  logic unused_clk_main, unused_clk_a1, unused_clk_a2, unused_clk_a3, unused_clk_b1, unused_clk_c1, unused_rst_a1_n,
      unused_rst_a2_n, unused_rst_a3_n, unused_rst_b1_n, unused_rst_c1_n;
  aws_clk_gen #(.CLK_GRP_A_EN(1), .CLK_GRP_B_EN(1), .CLK_GRP_C_EN(1), .CLK_HBM_EN(1)) AWS_CLK_GEN (
      .i_clk_main_a0(clk_main_a0), .i_rst_main_n(rst_main_n), .i_clk_hbm_ref(clk_hbm_ref),
      .s_axil_ctrl_awvalid(sda_cl_awvalid), .s_axil_ctrl_awready(cl_sda_awready), .s_axil_ctrl_awaddr(sda_cl_awaddr),
      .s_axil_ctrl_wvalid(sda_cl_wvalid), .s_axil_ctrl_wready(cl_sda_wready), .s_axil_ctrl_wdata(sda_cl_wdata),
      .s_axil_ctrl_wstrb(sda_cl_wstrb), .s_axil_ctrl_bvalid(cl_sda_bvalid), .s_axil_ctrl_bready(sda_cl_bready),
      .s_axil_ctrl_bresp(cl_sda_bresp), .s_axil_ctrl_arvalid(sda_cl_arvalid), .s_axil_ctrl_arready(cl_sda_arready),
      .s_axil_ctrl_araddr(sda_cl_araddr), .s_axil_ctrl_rvalid(cl_sda_rvalid), .s_axil_ctrl_rready(sda_cl_rready),
      .s_axil_ctrl_rdata(cl_sda_rdata), .s_axil_ctrl_rresp(cl_sda_rresp),
      .o_clk_hbm_ref(ref_clk), .o_clk_main_a0(unused_clk_main), .o_clk_extra_a1(unused_clk_a1),
      .o_clk_extra_a2(unused_clk_a2), .o_clk_extra_a3(unused_clk_a3), .o_clk_extra_b0(clk_extra_b0),
      .o_clk_extra_b1(unused_clk_b1), .o_clk_extra_c0(clk_extra_c0), .o_clk_extra_c1(unused_clk_c1),
      .o_clk_hbm_axi(hbm_clk), .o_cl_rst_hbm_axi_n(hbm_rst_n), .o_cl_rst_hbm_ref_n(ref_rst_n),
      .o_cl_rst_c1_n(unused_rst_c1_n), .o_cl_rst_c0_n(rst_c0_n), .o_cl_rst_b1_n(unused_rst_b1_n), .o_cl_rst_b0_n(rst_b0_n),
      .o_cl_rst_a3_n(unused_rst_a3_n), .o_cl_rst_a2_n(unused_rst_a2_n), .o_cl_rst_a1_n(unused_rst_a1_n),
      .o_cl_rst_main_n(main_rst_n)
  );

  // The core takes one of both clocks.
  unread u_clocks_unread (.d_i(^{clk_extra_b0, clk_extra_c0, rst_b0_n, rst_c0_n}));

  // The card and the ways to the HBM leave their reset when all clocks have left theirs, and the HBM is initialised.
  logic rst, hbm_ready;
  f2_reset #(.COUNT(4)) u_reset (
      .clk_i(clk_main_a0), .ready_i({hbm_ready, hbm_rst_n, core_rst_n, main_rst_n}), .rst_o(rst));

  f2_pkg::request_t [31:0] hbm_request;
  f2_pkg::response_t [31:0] hbm_response;
  f2_hbm u_hbm (
      .clk_i(hbm_clk), .rst_ni(hbm_rst_n), .ref_clk_i(ref_clk), .ref_rst_ni(ref_rst_n), .ready_o(hbm_ready),
      .request_i(hbm_request), .response_o(hbm_response), .monitor_preset_ni({hbm_apb_preset_n_1, hbm_apb_preset_n_0}),
      .monitor_paddr_o({hbm_apb_paddr_1, hbm_apb_paddr_0}), .monitor_psel_o({hbm_apb_psel_1, hbm_apb_psel_0}),
      .monitor_penable_o({hbm_apb_penable_1, hbm_apb_penable_0}), .monitor_pwrite_o({hbm_apb_pwrite_1, hbm_apb_pwrite_0}),
      .monitor_pwdata_o({hbm_apb_pwdata_1, hbm_apb_pwdata_0}), .monitor_pready_o({hbm_apb_pready_1, hbm_apb_pready_0}),
      .monitor_prdata_o({hbm_apb_prdata_1, hbm_apb_prdata_0}), .monitor_pslverr_o({hbm_apb_pslverr_1, hbm_apb_pslverr_0})
  );
  assign {hbm_apb_pprot_1, hbm_apb_pprot_0, hbm_apb_pstrb_1, hbm_apb_pstrb_0} = '0;

  for (genvar i = 0; i < 32; i++) begin : g_idle
    if (!USED[i]) begin : g_port
      assign hbm_request[i] = '0;
      unread u_unread (.d_i(^hbm_response[i]));
    end
  end

  // The host's copies: BAR4 of the instance is the memory, from its first byte on.
  f2_port u_bar4 (
      .clk_i(clk_main_a0), .rst_ni(!rst), .hbm_clk_i(hbm_clk), .s_axi_arvalid(sh_cl_dma_pcis_arvalid),
      .s_axi_arready(cl_sh_dma_pcis_arready), .s_axi_araddr(sh_cl_dma_pcis_araddr), .s_axi_arlen(sh_cl_dma_pcis_arlen),
      .s_axi_arsize(sh_cl_dma_pcis_arsize), .s_axi_arburst(sh_cl_dma_pcis_arburst), .s_axi_arprot(sh_cl_dma_pcis_arprot),
      .s_axi_arcache(sh_cl_dma_pcis_arcache), .s_axi_arid(sh_cl_dma_pcis_arid), .s_axi_rvalid(cl_sh_dma_pcis_rvalid),
      .s_axi_rready(sh_cl_dma_pcis_rready), .s_axi_rid(cl_sh_dma_pcis_rid), .s_axi_rdata(cl_sh_dma_pcis_rdata),
      .s_axi_rresp(cl_sh_dma_pcis_rresp), .s_axi_rlast(cl_sh_dma_pcis_rlast), .s_axi_awvalid(sh_cl_dma_pcis_awvalid),
      .s_axi_awready(cl_sh_dma_pcis_awready), .s_axi_awaddr(sh_cl_dma_pcis_awaddr), .s_axi_awlen(sh_cl_dma_pcis_awlen),
      .s_axi_awsize(sh_cl_dma_pcis_awsize), .s_axi_awburst(sh_cl_dma_pcis_awburst), .s_axi_awprot(sh_cl_dma_pcis_awprot),
      .s_axi_awcache(sh_cl_dma_pcis_awcache), .s_axi_awid(sh_cl_dma_pcis_awid), .s_axi_wvalid(sh_cl_dma_pcis_wvalid),
      .s_axi_wready(cl_sh_dma_pcis_wready), .s_axi_wdata(sh_cl_dma_pcis_wdata), .s_axi_wstrb(sh_cl_dma_pcis_wstrb),
      .s_axi_wlast(sh_cl_dma_pcis_wlast), .s_axi_bvalid(cl_sh_dma_pcis_bvalid), .s_axi_bready(sh_cl_dma_pcis_bready),
      .s_axi_bid(cl_sh_dma_pcis_bid), .s_axi_bresp(cl_sh_dma_pcis_bresp), .request_o(hbm_request[BAR4]),
      .response_i(hbm_response[BAR4])
  );
  assign cl_sh_dma_pcis_ruser = '0;
  assign {cl_sh_dma_wr_full, cl_sh_dma_rd_full} = '0;

  // The card keeps nothing of a PCIe function, so a reset of the function is done at once.
  always_ff @(posedge clk_main_a0) cl_sh_flr_done <= rst_main_n && sh_cl_flr_assert && !cl_sh_flr_done;

  assign {cl_sh_id1, cl_sh_id0} = {`CL_SH_ID1, `CL_SH_ID0};
  assign {cl_sh_status0, cl_sh_status1, cl_sh_status2} = '0;
  // Virtual LED 0: the card is out of its reset.
  assign cl_sh_status_vled = 16'(!rst);
  assign tdo = 1'b0;
  assign {PCIE_EP_TXP, PCIE_EP_TXN, PCIE_RP_TXP, PCIE_RP_TXN, PCIE_RP_PERSTN} = '0;
  // The kit ties off the DDR4's module, the bus to the host's memory, and the interrupts. The first file's reset has this name.
  logic rst_main_n_sync;
  assign rst_main_n_sync = rst_main_n;
`include "unused_ddr_template.inc"
`include "unused_pcim_template.inc"
`include "unused_apppf_irq_template.inc"
