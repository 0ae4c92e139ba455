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

`endif
