// SPDX-License-Identifier: MIT OR Apache-2.0
// Port lists and groups of ports that several modules have, each written once. They are macros, because yosys 0.23 reads
// neither interfaces at a top module nor parameters that are types. For the second reason, points are vectors and not packed
// structures where the curve is a parameter, as in gypsophila_padd: a parameter would have to choose the type.
`ifndef BUCKETWHEEL_PORTS_SVH
`define BUCKETWHEEL_PORTS_SVH

// A modular multiplier over a prime of WIDTH bits: operands below two primes, a product below one.
`define MODULAR_PRODUCT_PORTS \
    input  logic             clk_i, \
    input  logic [  WIDTH:0] a_i, \
    input  logic [  WIDTH:0] b_i, \
    output logic [WIDTH-1:0] p_o

// A pipeline that adds a point of type RIGHT to one of type LEFT, with tags of TAG_WIDTH bits.
`define ADDER_PORTS(LEFT, RIGHT, SUM) \
    input  logic                 clk_i, \
    input  logic                 rst_i, \
    input  logic                 valid_i, \
    input  logic [TAG_WIDTH-1:0] tag_i, \
    input  LEFT                  left_i, \
    input  RIGHT                 right_i, \
    output logic                 valid_o, \
    output logic [TAG_WIDTH-1:0] tag_o, \
    output SUM                   sum_o

// An adder that makes its operands wait.
`define WAITING_ADDER_PORTS(POINT) \
    `ADDER_PORTS(POINT, POINT, POINT), \
    output logic                 ready_o

// A scheduler of points with their buckets (BUCKET_WIDTH, DATA_WIDTH), and its counters (COUNTER_WIDTH).
`define SCHEDULER_PORTS \
    input  logic                     clk_i, \
    input  logic                     rst_i, \
    input  logic                     valid_i, \
    output logic                     ready_o, \
    input  logic [ BUCKET_WIDTH-1:0] bucket_i, \
    input  logic [   DATA_WIDTH-1:0] data_i, \
    input  logic                     hold_i, \
    input  logic                     finish_i, \
    output logic                     done_o, \
    output logic                     issue_o, \
    output logic [ BUCKET_WIDTH-1:0] bucket_o, \
    output logic [   DATA_WIDTH-1:0] data_o, \
    output logic [COUNTER_WIDTH-1:0] conflicts_o, \
    output logic [COUNTER_WIDTH-1:0] high_water_o

// A queue's way through memory: entries of WIDTH bits there and back, in their order.
`define SPILL_PORTS(WIDTH) \
    output logic               spill_valid_o, \
    input  logic               spill_ready_i, \
    output logic [(WIDTH)-1:0] spill_data_o, \
    input  logic               spill_valid_i, \
    output logic               spill_ready_o, \
    input  logic [(WIDTH)-1:0] spill_data_i

// AXI4-Stream: a stream NAME of WIDTH bits that comes, one that leaves, and COUNT streams side by side that come. A stream
// without packets has no `last`.
`define AXIS_IN_WITHOUT_LAST(NAME, WIDTH) \
    input  logic               s_axis_``NAME``_tvalid, \
    output logic               s_axis_``NAME``_tready, \
    input  logic [(WIDTH)-1:0] s_axis_``NAME``_tdata
`define AXIS_IN(NAME, WIDTH) \
    `AXIS_IN_WITHOUT_LAST(NAME, WIDTH), \
    input  logic               s_axis_``NAME``_tlast
`define AXIS_OUT_WITHOUT_LAST(NAME, WIDTH) \
    output logic               m_axis_``NAME``_tvalid, \
    input  logic               m_axis_``NAME``_tready, \
    output logic [(WIDTH)-1:0] m_axis_``NAME``_tdata
`define AXIS_OUT(NAME, WIDTH) \
    `AXIS_OUT_WITHOUT_LAST(NAME, WIDTH), \
    output logic               m_axis_``NAME``_tlast
`define AXIS_IN_MANY(NAME, COUNT, WIDTH) \
    input  logic [        (COUNT)-1:0] s_axis_``NAME``_tvalid, \
    output logic [        (COUNT)-1:0] s_axis_``NAME``_tready, \
    input  logic [(COUNT)*(WIDTH)-1:0] s_axis_``NAME``_tdata, \
    input  logic [        (COUNT)-1:0] s_axis_``NAME``_tlast

// A machine's stream, PORT with its prefix, on wires NAME_valid, NAME_ready, NAME and NAME_last.
`define AXIS_CONNECT_WITHOUT_LAST(PORT, NAME) \
    .PORT``_tvalid(NAME``_valid), .PORT``_tready(NAME``_ready), .PORT``_tdata(NAME)
`define AXIS_CONNECT(PORT, NAME) \
    `AXIS_CONNECT_WITHOUT_LAST(PORT, NAME), .PORT``_tlast(NAME``_last)

// AXI4-Lite without protection bits, addresses of ADDRESS bits; the same as the structures `request` and `response` of
// axi_lite_pkg; and a machine's bus on such structures of a bench.
`define AXI_LITE_PORTS(ADDRESS) \
    input  logic                 s_axi_awvalid, \
    output logic                 s_axi_awready, \
    input  logic [(ADDRESS)-1:0] s_axi_awaddr, \
    input  logic                 s_axi_wvalid, \
    output logic                 s_axi_wready, \
    input  logic [         31:0] s_axi_wdata, \
    input  logic [          3:0] s_axi_wstrb, \
    output logic                 s_axi_bvalid, \
    input  logic                 s_axi_bready, \
    output logic [          1:0] s_axi_bresp, \
    input  logic                 s_axi_arvalid, \
    output logic                 s_axi_arready, \
    input  logic [(ADDRESS)-1:0] s_axi_araddr, \
    output logic                 s_axi_rvalid, \
    input  logic                 s_axi_rready, \
    output logic [         31:0] s_axi_rdata, \
    output logic [          1:0] s_axi_rresp
`define AXI_LITE_STRUCTURES \
  axi_lite_pkg::request_t request; \
  axi_lite_pkg::response_t response; \
  assign request = { \
    s_axi_awvalid, 32'(s_axi_awaddr), s_axi_wvalid, s_axi_wdata, s_axi_wstrb, s_axi_bready, s_axi_arvalid, \
    32'(s_axi_araddr), s_axi_rready \
  }; \
  assign { \
    s_axi_awready, s_axi_wready, s_axi_bvalid, s_axi_bresp, s_axi_arready, s_axi_rvalid, s_axi_rdata, s_axi_rresp \
  } = response;
`define AXI_LITE_CONNECT(REQUEST, RESPONSE, ADDRESS) \
    .s_axi_awvalid(REQUEST.awvalid), .s_axi_awready(RESPONSE.awready), .s_axi_awaddr(REQUEST.awaddr[(ADDRESS)-1:0]), \
    .s_axi_wvalid(REQUEST.wvalid), .s_axi_wready(RESPONSE.wready), .s_axi_wdata(REQUEST.wdata), \
    .s_axi_wstrb(REQUEST.wstrb), .s_axi_bvalid(RESPONSE.bvalid), .s_axi_bready(REQUEST.bready), \
    .s_axi_bresp(RESPONSE.bresp), .s_axi_arvalid(REQUEST.arvalid), .s_axi_arready(RESPONSE.arready), \
    .s_axi_araddr(REQUEST.araddr[(ADDRESS)-1:0]), .s_axi_rvalid(RESPONSE.rvalid), .s_axi_rready(REQUEST.rready), \
    .s_axi_rdata(RESPONSE.rdata), .s_axi_rresp(RESPONSE.rresp)

// AXI4 with addresses of ADDRESS bits, data of DATA bits and no IDs: the channels for reading, and the channels for writing, of
// a master (PORT_arvalid and so on) and of a slave; wires NAME_arvalid and so on, of 64 and 512 bits; and ports PORT_arvalid on these
// wires.
`define AXI_READ_MASTER(PORT, ADDRESS, DATA) \
    output logic                  PORT``_arvalid, \
    input  logic                  PORT``_arready, \
    output logic [ (ADDRESS)-1:0] PORT``_araddr, \
    output logic [           7:0] PORT``_arlen, \
    output logic [           2:0] PORT``_arsize, \
    output logic [           1:0] PORT``_arburst, \
    output logic [           2:0] PORT``_arprot, \
    output logic [           3:0] PORT``_arcache, \
    input  logic                  PORT``_rvalid, \
    output logic                  PORT``_rready, \
    input  logic [    (DATA)-1:0] PORT``_rdata, \
    input  logic [           1:0] PORT``_rresp, \
    input  logic                  PORT``_rlast
`define AXI_WRITE_MASTER(PORT, ADDRESS, DATA) \
    output logic                  PORT``_awvalid, \
    input  logic                  PORT``_awready, \
    output logic [ (ADDRESS)-1:0] PORT``_awaddr, \
    output logic [           7:0] PORT``_awlen, \
    output logic [           2:0] PORT``_awsize, \
    output logic [           1:0] PORT``_awburst, \
    output logic [           2:0] PORT``_awprot, \
    output logic [           3:0] PORT``_awcache, \
    output logic                  PORT``_wvalid, \
    input  logic                  PORT``_wready, \
    output logic [    (DATA)-1:0] PORT``_wdata, \
    output logic [  (DATA)/8-1:0] PORT``_wstrb, \
    output logic                  PORT``_wlast, \
    input  logic                  PORT``_bvalid, \
    output logic                  PORT``_bready, \
    input  logic [           1:0] PORT``_bresp
`define AXI_READ_SLAVE(ADDRESS, DATA) \
    input  logic                  s_axi_arvalid, \
    output logic                  s_axi_arready, \
    input  logic [ (ADDRESS)-1:0] s_axi_araddr, \
    input  logic [           7:0] s_axi_arlen, \
    input  logic [           2:0] s_axi_arsize, \
    input  logic [           1:0] s_axi_arburst, \
    input  logic [           2:0] s_axi_arprot, \
    input  logic [           3:0] s_axi_arcache, \
    output logic                  s_axi_rvalid, \
    input  logic                  s_axi_rready, \
    output logic [    (DATA)-1:0] s_axi_rdata, \
    output logic [           1:0] s_axi_rresp, \
    output logic                  s_axi_rlast
`define AXI_WRITE_SLAVE(ADDRESS, DATA) \
    input  logic                  s_axi_awvalid, \
    output logic                  s_axi_awready, \
    input  logic [ (ADDRESS)-1:0] s_axi_awaddr, \
    input  logic [           7:0] s_axi_awlen, \
    input  logic [           2:0] s_axi_awsize, \
    input  logic [           1:0] s_axi_awburst, \
    input  logic [           2:0] s_axi_awprot, \
    input  logic [           3:0] s_axi_awcache, \
    input  logic                  s_axi_wvalid, \
    output logic                  s_axi_wready, \
    input  logic [    (DATA)-1:0] s_axi_wdata, \
    input  logic [  (DATA)/8-1:0] s_axi_wstrb, \
    input  logic                  s_axi_wlast, \
    output logic                  s_axi_bvalid, \
    input  logic                  s_axi_bready, \
    output logic [           1:0] s_axi_bresp
`define AXI_READ_WIRES(NAME) \
  logic         NAME``_arvalid; \
  logic         NAME``_arready; \
  logic [ 63:0] NAME``_araddr; \
  logic [  7:0] NAME``_arlen; \
  logic [  2:0] NAME``_arsize; \
  logic [  1:0] NAME``_arburst; \
  logic [  2:0] NAME``_arprot; \
  logic [  3:0] NAME``_arcache; \
  logic         NAME``_rvalid; \
  logic         NAME``_rready; \
  logic [511:0] NAME``_rdata; \
  logic [  1:0] NAME``_rresp; \
  logic         NAME``_rlast;
`define AXI_WRITE_WIRES(NAME) \
  logic         NAME``_awvalid; \
  logic         NAME``_awready; \
  logic [ 63:0] NAME``_awaddr; \
  logic [  7:0] NAME``_awlen; \
  logic [  2:0] NAME``_awsize; \
  logic [  1:0] NAME``_awburst; \
  logic [  2:0] NAME``_awprot; \
  logic [  3:0] NAME``_awcache; \
  logic         NAME``_wvalid; \
  logic         NAME``_wready; \
  logic [511:0] NAME``_wdata; \
  logic [ 63:0] NAME``_wstrb; \
  logic         NAME``_wlast; \
  logic         NAME``_bvalid; \
  logic         NAME``_bready; \
  logic [  1:0] NAME``_bresp;
`define AXI_READ_CONNECT(PORT, NAME) \
    .PORT``_arvalid(NAME``_arvalid), .PORT``_arready(NAME``_arready), .PORT``_araddr(NAME``_araddr), \
    .PORT``_arlen(NAME``_arlen), .PORT``_arsize(NAME``_arsize), .PORT``_arburst(NAME``_arburst), \
    .PORT``_arprot(NAME``_arprot), .PORT``_arcache(NAME``_arcache), .PORT``_rvalid(NAME``_rvalid), \
    .PORT``_rready(NAME``_rready), .PORT``_rdata(NAME``_rdata), .PORT``_rresp(NAME``_rresp), .PORT``_rlast(NAME``_rlast)
`define AXI_WRITE_CONNECT(PORT, NAME) \
    .PORT``_awvalid(NAME``_awvalid), .PORT``_awready(NAME``_awready), .PORT``_awaddr(NAME``_awaddr), \
    .PORT``_awlen(NAME``_awlen), .PORT``_awsize(NAME``_awsize), .PORT``_awburst(NAME``_awburst), \
    .PORT``_awprot(NAME``_awprot), .PORT``_awcache(NAME``_awcache), .PORT``_wvalid(NAME``_wvalid), \
    .PORT``_wready(NAME``_wready), .PORT``_wdata(NAME``_wdata), .PORT``_wstrb(NAME``_wstrb), \
    .PORT``_wlast(NAME``_wlast), .PORT``_bvalid(NAME``_bvalid), .PORT``_bready(NAME``_bready), \
    .PORT``_bresp(NAME``_bresp)

`endif
