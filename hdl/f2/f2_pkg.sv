// SPDX-License-Identifier: MIT OR Apache-2.0
// A port of the VU47P's HBM as two structures: AXI3 with 256 bits and addresses of 16 GiB. No IDs, because a port has one master, whose
// answers keep their order.
package f2_pkg;
  typedef struct packed {
    logic arvalid;
    logic [33:0] araddr;
    logic [3:0] arlen;
    logic [2:0] arsize;
    logic [1:0] arburst;
    logic rready;
    logic awvalid;
    logic [33:0] awaddr;
    logic [3:0] awlen;
    logic [2:0] awsize;
    logic [1:0] awburst;
    logic wvalid;
    logic [255:0] wdata;
    logic [31:0] wstrb;
    logic wlast;
    logic bready;
  } request_t;

  typedef struct packed {
    logic arready;
    logic rvalid;
    logic [255:0] rdata;
    logic [1:0] rresp;
    logic rlast;
    logic awready;
    logic wready;
    logic bvalid;
    logic [1:0] bresp;
  } response_t;
endpackage
