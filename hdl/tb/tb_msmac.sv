// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's processing element with all of its ports side by side: in_i = {control, araddr, wdata, awaddr, scalar, point}
// with control = {wstrb, rready, arvalid, bready, wvalid, awvalid, sum_ready, scalar_last, scalar_valid, point_last,
// point_valid}; out_o = {control, rdata, sum} with control = {rresp, rvalid, arready, bresp, bvalid, wready, awready,
// sum_last, sum_valid, scalar_ready, point_ready}. Both words are there in every cycle.
module tb_msmac #(
    parameter int WINDOW = 8,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    parameter int SEGMENTS = 1
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [895:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [831:0] out_o,
    output logic [ 31:0] latency_o
);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'd100;
  logic [31:0] control, araddr, wdata, awaddr, rdata, flags;
  logic [255:0] scalar;
  logic [511:0] point;
  logic [767:0] sum;
  logic unused_idle, unused_fault;
  assign {control, araddr, wdata, awaddr, scalar, point} = in_i;
  assign out_o = {flags, rdata, sum};
  assign flags[31:13] = '0;
  msmac_pe #(.WINDOW(WINDOW), .KIND(KIND), .THRESHOLD(THRESHOLD), .CONFLICTS(CONFLICTS), .SEGMENTS(SEGMENTS)) u_dut (
      .clk_i, .rst_i, .idle_o(unused_idle), .fault_o(unused_fault),
      .s_axis_point_tvalid(control[0]), .s_axis_point_tready(flags[0]), .s_axis_point_tdata(point),
      .s_axis_point_tlast(control[1]),
      .s_axis_scalar_tvalid(control[2]), .s_axis_scalar_tready(flags[1]), .s_axis_scalar_tdata(scalar),
      .s_axis_scalar_tlast(control[3]),
      .m_axis_sum_tvalid(flags[2]), .m_axis_sum_tready(control[4]), .m_axis_sum_tdata(sum), .m_axis_sum_tlast(flags[3]),
      .s_axi_awvalid(control[5]), .s_axi_awready(flags[4]), .s_axi_awaddr(awaddr[16:0]),
      .s_axi_wvalid(control[6]), .s_axi_wready(flags[5]), .s_axi_wdata(wdata), .s_axi_wstrb(control[13:10]),
      .s_axi_bvalid(flags[6]), .s_axi_bready(control[7]), .s_axi_bresp(flags[8:7]),
      .s_axi_arvalid(control[8]), .s_axi_arready(flags[9]), .s_axi_araddr(araddr[16:0]),
      .s_axi_rvalid(flags[10]), .s_axi_rready(control[9]), .s_axi_rdata(rdata), .s_axi_rresp(flags[12:11])
  );

  // The element's inputs and outputs keep to AXI. A host that resets forgets its requests.
  stream_check #(.WIDTH(513)) u_point_check (
      .clk_i, .rst_i(u_dut.rst), .valid_i(control[0]), .ready_i(flags[0]), .data_i({control[1], point}));
  stream_check #(.WIDTH(257)) u_scalar_check (
      .clk_i, .rst_i(u_dut.rst), .valid_i(control[2]), .ready_i(flags[1]), .data_i({control[3], scalar}));
  stream_check #(.WIDTH(769)) u_sum_check (
      .clk_i, .rst_i(u_dut.rst), .valid_i(flags[2]), .ready_i(control[4]), .data_i({flags[3], sum}));
  stream_check #(.WIDTH(2)) u_written_check (
      .clk_i, .rst_i, .valid_i(flags[6]), .ready_i(control[7]), .data_i(flags[8:7]));
  stream_check #(.WIDTH(34)) u_read_check (
      .clk_i, .rst_i, .valid_i(flags[10]), .ready_i(control[9]), .data_i({flags[12:11], rdata}));

  unread u_unread (.d_i(^{valid_i, ready_i, control[31:14], araddr[31:17], awaddr[31:17]}));
endmodule
