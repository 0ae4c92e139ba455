// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI4-Lite's wires as two structures, a host's outputs and its inputs, and its answers. Addresses have 32 bits; a
// slave uses the low bits that it needs. Protection bits are left out.
package axi_lite_pkg;
  typedef enum logic [1:0] {OKAY = 2'b00, SLVERR = 2'b10} resp_e;

  typedef struct packed {
    logic        awvalid;
    logic [31:0] awaddr;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [31:0] araddr;
    logic        rready;
  } request_t;

  typedef struct packed {
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } response_t;
endpackage
