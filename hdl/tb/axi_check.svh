// SPDX-License-Identifier: MIT OR Apache-2.0
// The channels NAME of a bus at axi_check.
`ifndef BUCKETWHEEL_AXI_CHECK_SVH
`define BUCKETWHEEL_AXI_CHECK_SVH
`define AXI_CHECK_READ(NAME) \
    .arvalid_i(NAME``_arvalid), .arready_i(NAME``_arready), .araddr_i(NAME``_araddr), .arlen_i(NAME``_arlen), \
    .rends_i(NAME``_rvalid && NAME``_rready && NAME``_rlast)
`define AXI_CHECK_WRITE(NAME) \
    .awvalid_i(NAME``_awvalid), .awready_i(NAME``_awready), .awaddr_i(NAME``_awaddr), .awlen_i(NAME``_awlen), \
    .wvalid_i(NAME``_wvalid), .wready_i(NAME``_wready), .w_i({NAME``_wlast, NAME``_wdata}), \
    .bends_i(NAME``_bvalid && NAME``_bready)
`define AXI_CHECK_NO_WRITE \
    .awvalid_i(1'b0), .awready_i(1'b0), .awaddr_i('0), .awlen_i('0), .wvalid_i(1'b0), .wready_i(1'b0), .w_i('0), .bends_i(1'b0)
`endif
