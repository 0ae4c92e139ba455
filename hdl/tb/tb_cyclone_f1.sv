// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM for its authors' host, with the ports of every bench, and memory for its conflicts. Every cycle is valid.
//
//   in_i = {packet, index, flags, wdata, awaddr | araddr << 16}; bit 5 of the flags: a packet is valid
//   out_o = {flags, rdata}; bit 5 of the flags: it is taken
// The registers' bus has its wires as in tb_reclaimer.
`include "ports.svh"
module tb_cyclone_f1 #(
    parameter int SIZE = 10,
    parameter int DIGITS_QUEUE = 1024,
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int MEMORY = 1 << 10,
    parameter int MEMORY_LATENCY = 40,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [639:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [ 63:0] out_o,
    output logic [ 31:0] latency_o
);
  localparam int SPILL = (BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 8) / 8 * 8;
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'(LATENCY);

  logic [31:0] addresses, wdata, flags, index, rdata, answers;
  logic [511:0] packet;
  assign {packet, index, flags, wdata, addresses} = in_i;
  logic awready, wready, bvalid, arready, rvalid, packet_ready, reset, fault;
  logic [1:0] bresp, rresp;
  assign answers = {20'b0, rresp, bresp, 2'b0, packet_ready, rvalid, arready, bvalid, wready, awready};
  assign out_o = {answers, rdata};

  logic out_valid, out_ready, in_valid, in_ready;
  logic [SPILL-1:0] out, in;
  cyclone_f1 #(
      .SIZE(SIZE), .DIGITS_QUEUE(DIGITS_QUEUE), .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND),
      .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .CONTROL(CONTROL), .SEGMENT_WIDTH(SEGMENT_WIDTH)
  ) u_dut (
      .clk_i, .rst_i, .reset_o(reset), .fault_o(fault),
      .packet_valid_i(flags[5]), .packet_ready_o(packet_ready), .packet_index_i(index[28:0]), .packet_i(packet),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_spill, out),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_spill, in),
      .s_axi_awvalid(flags[0]), .s_axi_awready(awready), .s_axi_awaddr(addresses[7:0]),
      .s_axi_wvalid(flags[1]), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(flags[11:8]),
      .s_axi_bvalid(bvalid), .s_axi_bready(flags[2]), .s_axi_bresp(bresp),
      .s_axi_arvalid(flags[3]), .s_axi_arready(arready), .s_axi_araddr(addresses[23:16]),
      .s_axi_rvalid(rvalid), .s_axi_rready(flags[4]), .s_axi_rdata(rdata), .s_axi_rresp(rresp)
  );
  tb_memory #(.WIDTH(SPILL), .DEPTH(MEMORY), .LATENCY(MEMORY_LATENCY)) u_memory (
      .clk_i, .rst_i(rst_i || reset), .stall_write_i(1'b0), .stall_read_i(1'b0),
      .valid_i(out_valid), .ready_o(out_ready), .data_i(out),
      .valid_o(in_valid), .ready_i(in_ready), .data_o(in)
  );

  // The machine keeps to AXI, and no packet can make it count wrongly.
  stream_check #(.WIDTH(SPILL)) u_spill_check (
      .clk_i, .rst_i(reset), .valid_i(out_valid), .ready_i(out_ready), .data_i(out));
  stream_check #(.WIDTH(SPILL)) u_back_check (
      .clk_i, .rst_i(reset), .valid_i(in_valid), .ready_i(in_ready), .data_i(in));
  stream_check #(.WIDTH(2)) u_written_check (
      .clk_i, .rst_i, .valid_i(bvalid), .ready_i(flags[2]), .data_i(bresp));
  stream_check #(.WIDTH(34)) u_read_check (
      .clk_i, .rst_i, .valid_i(rvalid), .ready_i(flags[4]), .data_i({rresp, rdata}));
  stream_check #(.WIDTH(541)) u_packet_check (
      .clk_i, .rst_i, .valid_i(flags[5]), .ready_i(packet_ready), .data_i({index[28:0], packet}));
  always_ff @(posedge clk_i) if (fault && !rst_i) $error("%m: commands and points do not fit together");

  unread u_unread (.d_i(^{valid_i, ready_i, addresses, flags, index}));
endmodule
