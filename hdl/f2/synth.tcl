# SPDX-License-Identifier: MIT OR Apache-2.0
# Synthesises a card for AWS F2, called by the scripts of AWS's kit, which set the variables. Not run in Vivado.

source ${HDK_SHELL_DIR}/build/scripts/synth_cl_header.tcl

set channel [open ${CL_DIR}/design/sources.txt]
set sources [split [string trim [read $channel]] \n]
close $channel
read_verilog -sv [lmap source $sources {string cat ${src_post_enc_dir}/ $source}]
set headers [glob ${src_post_enc_dir}/*.svh ${src_post_enc_dir}/*.vh]
read_verilog -sv $headers
set_property file_type {Verilog Header} [get_files $headers]

# The kit's HBM, the MMCMs of AWS_CLK_GEN with their bus, and the SmartConnect from AXI4 to AXI3.
foreach name {cl_hbm clk_mmcm_a clk_mmcm_b clk_mmcm_c clk_mmcm_hbm cl_clk_axil_xbar cl_axi_register_slice_light cl_axi_clock_converter_light} {
  read_ip ${HDK_IP_SRC_DIR}/${name}/${name}.xci
}
add_files ${HDK_BD_SRC_DIR}/cl_axi_sc_1x1/cl_axi_sc_1x1.bd
read_verilog ${HDK_BD_GEN_DIR}/cl_axi_sc_1x1/hdl/cl_axi_sc_1x1_wrapper.v

read_xdc [list ${constraints_dir}/cl_synth_user.xdc ${constraints_dir}/cl_timing_user.xdc]
set_property PROCESSING_ORDER LATE [get_files {cl_synth_user.xdc cl_timing_user.xdc}]
# A script with loops, for the ways between the clocks.
read_xdc -unmanaged ${constraints_dir}/crossing.xdc
set_property PROCESSING_ORDER LATE [get_files crossing.xdc]

update_compile_order -fileset sources_1
synth_design -mode out_of_context -top ${CL} -verilog_define XSDB_SLV_DIS -part ${DEVICE_TYPE} -keep_equivalent_registers

source ${HDK_SHELL_DIR}/build/scripts/synth_cl_footer.tcl
