// SPDX-License-Identifier: MIT OR Apache-2.0
// PCIe's IDs of the image, from the kit's range for examples: device and vendor, subsystem and its vendor. The kit's scripts read them here.
`define CL_SH_ID0 32'hF010_1D0F
`define CL_SH_ID1 32'h1D51_FEDC
