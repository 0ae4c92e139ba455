// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's element with its host and all streams as files (play): Pippenger's program for a sum, and the cycle model's
// counts.
`include "ports.svh"
module play_msmac;
  logic clk, rst, go, sums_done, done;
  int wrong_sums, wrong_registers;
  play #(.NAME("msmac")) u_play (.clk_o(clk), .rst_o(rst), .done_i(done), .wrong_i(wrong_sums + wrong_registers));
  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  host #(.NAME("msmac.host")) u_host (
      .clk_i(clk), .rst_i(rst), .axi_o(request), .axi_i(response), .go_o(go), .received_i(sums_done), .done_o(done),
      .wrong_o(wrong_registers));

  logic point_valid, point_ready, point_last, scalar_valid, scalar_ready, scalar_last, sum_valid, sum_last;
  logic [511:0] point;
  logic [255:0] scalar;
  logic [767:0] sum;
  logic unused_idle, unused_fault;
  stream_source #(.NAME("msmac.point"), .WIDTH(512)) u_points (
      .clk_i(clk), .go_i(go), .valid_o(point_valid), .ready_i(point_ready), .data_o(point), .last_o(point_last));
  stream_source #(.NAME("msmac.scalar"), .WIDTH(256)) u_scalars (
      .clk_i(clk), .go_i(go), .valid_o(scalar_valid), .ready_i(scalar_ready), .data_o(scalar), .last_o(scalar_last));
  msmac_pe #(.WINDOW(5), .KIND(field_pkg::BEHAVIOURAL), .THRESHOLD(64), .CONFLICTS(200)) u_dut (
      .clk_i(clk), .rst_i(rst), .idle_o(unused_idle), .fault_o(unused_fault),
      `AXIS_CONNECT(s_axis_point, point),
      `AXIS_CONNECT(s_axis_scalar, scalar),
      .m_axis_sum_tvalid(sum_valid), .m_axis_sum_tready(1'b1), .m_axis_sum_tdata(sum), .m_axis_sum_tlast(sum_last),
      `AXI_LITE_CONNECT(request, response, 17)
  );
  sum_sink #(.NAME("msmac.sum"), .BN254(1)) u_sums (
      .clk_i(clk), .valid_i(sum_valid), .x_i(sum[0+:256]), .y_i(sum[256+:256]), .z_i(sum[512+:256]), .t_i('0),
      .last_i(sum_last), .done_o(sums_done), .wrong_o(wrong_sums));
endmodule
