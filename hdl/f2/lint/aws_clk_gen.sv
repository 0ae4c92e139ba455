// SPDX-License-Identifier: MIT OR Apache-2.0
// The ports of the kit's generator of clocks, for lint alone.
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
module aws_clk_gen #(
    parameter CLK_GRP_A_EN = 1,
    parameter CLK_GRP_B_EN = 1,
    parameter CLK_GRP_C_EN = 1,
    parameter CLK_HBM_EN = 1
) (
    input  logic         i_clk_main_a0,
    input  logic         i_rst_main_n,
    input  logic         i_clk_hbm_ref,
    input  logic [ 31:0] s_axil_ctrl_awaddr,
    input  logic         s_axil_ctrl_awvalid,
    output logic         s_axil_ctrl_awready,
    input  logic [ 31:0] s_axil_ctrl_wdata,
    input  logic [  3:0] s_axil_ctrl_wstrb,
    input  logic         s_axil_ctrl_wvalid,
    output logic         s_axil_ctrl_wready,
    output logic [  1:0] s_axil_ctrl_bresp,
    output logic         s_axil_ctrl_bvalid,
    input  logic         s_axil_ctrl_bready,
    input  logic [ 31:0] s_axil_ctrl_araddr,
    input  logic         s_axil_ctrl_arvalid,
    output logic         s_axil_ctrl_arready,
    output logic [ 31:0] s_axil_ctrl_rdata,
    output logic [  1:0] s_axil_ctrl_rresp,
    output logic         s_axil_ctrl_rvalid,
    input  logic         s_axil_ctrl_rready,
    output logic         o_clk_hbm_ref,
    output logic         o_clk_main_a0,
    output logic         o_clk_extra_a1,
    output logic         o_clk_extra_a2,
    output logic         o_clk_extra_a3,
    output logic         o_clk_extra_b0,
    output logic         o_clk_extra_b1,
    output logic         o_clk_extra_c0,
    output logic         o_clk_extra_c1,
    output logic         o_clk_hbm_axi,
    output logic         o_cl_rst_hbm_axi_n,
    output logic         o_cl_rst_hbm_ref_n,
    output logic         o_cl_rst_c1_n,
    output logic         o_cl_rst_c0_n,
    output logic         o_cl_rst_b1_n,
    output logic         o_cl_rst_b0_n,
    output logic         o_cl_rst_a3_n,
    output logic         o_cl_rst_a2_n,
    output logic         o_cl_rst_a1_n,
    output logic         o_cl_rst_main_n
);
endmodule
