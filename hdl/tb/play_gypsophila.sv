// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila with one element, its host and all streams as files (play): a whole sum, and the cycle model's counts.
`include "ports.svh"
module play_gypsophila;
  localparam int WINDOW = 4;
  localparam int WINDOWS = 253 / WINDOW + 1;
  logic clk, rst, go, sums_done, done;
  int wrong_sums, wrong_registers;
  play #(.NAME("gypsophila")) u_play (.clk_o(clk), .rst_o(rst), .done_i(done), .wrong_i(wrong_sums + wrong_registers));
  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  host #(.NAME("gypsophila.host")) u_host (
      .clk_i(clk), .rst_i(rst), .axi_o(request), .axi_i(response), .go_o(go), .received_i(sums_done), .done_o(done),
      .wrong_o(wrong_registers));

  logic point_valid, point_ready, point_last, index_valid, index_ready, index_last, sum_valid, sum_last, unused_fault;
  logic [3*384-1:0] point;
  logic [7:0] index;
  logic [4*384-1:0] sum;
  stream_source #(.NAME("gypsophila.point"), .WIDTH(3 * 384), .LOOPS(WINDOWS)) u_points (
      .clk_i(clk), .go_i(go), .valid_o(point_valid), .ready_i(point_ready), .data_o(point), .last_o(point_last));
  stream_source #(.NAME("gypsophila.index"), .WIDTH(8)) u_indexes (
      .clk_i(clk), .go_i(go), .valid_o(index_valid), .ready_i(index_ready), .data_o(index), .last_o(index_last));
  gypsophila_top #(
      .WINDOW(WINDOW), .PAIRS(16), .COLLISIONS(16), .POINTS(8), .INDEXES(16), .KIND(field_pkg::BEHAVIOURAL)
  ) u_dut (
      .clk_i(clk), .rst_i(rst), .fault_o(unused_fault),
      `AXIS_CONNECT(s_axis_point, point),
      `AXIS_CONNECT(s_axis_index, index),
      .m_axis_sum_tvalid(sum_valid), .m_axis_sum_tready(1'b1), .m_axis_sum_tdata(sum), .m_axis_sum_tlast(sum_last),
      `AXI_LITE_CONNECT(request, response, 12)
  );
  sum_sink #(.NAME("gypsophila.sum"), .MONTGOMERY(0)) u_sums (
      .clk_i(clk), .valid_i(sum_valid), .x_i(sum[0+:384]), .y_i(sum[384+:384]), .z_i(sum[768+:384]),
      .t_i(sum[1152+:384]), .last_i(sum_last), .done_o(sums_done), .wrong_o(wrong_sums));
endmodule
