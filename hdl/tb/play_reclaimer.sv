// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer on BN254 with three adders, its host and all streams as files (play): a whole sum, and the cycle model's counts. A
// short multiplier keeps the run short.
`include "ports.svh"
module play_reclaimer;
  localparam int ADDERS = 3;
  localparam int WINDOW = 11;
  localparam int PASSES = (254 / WINDOW + 1 + ADDERS - 1) / ADDERS;
  localparam int WORD = bn254_pkg::WORD;
  logic clk, rst, go, parts_done, done;
  int wrong_parts, wrong_registers;
  play #(.NAME("reclaimer")) u_play (.clk_o(clk), .rst_o(rst), .done_i(done), .wrong_i(wrong_parts + wrong_registers));
  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  host #(.NAME("reclaimer.host")) u_host (
      .clk_i(clk), .rst_i(rst), .axi_o(request), .axi_i(response), .go_o(go), .received_i(parts_done), .done_o(done),
      .wrong_o(wrong_registers));

  logic point_valid, point_ready, point_last, part_valid, part_ready, part_last, unused_fault;
  logic [256+2*WORD-1:0] point;
  logic [2*WORD-1:0] part;
  stream_source #(.NAME("reclaimer.point"), .WIDTH(256 + 2 * WORD), .LOOPS(PASSES)) u_points (
      .clk_i(clk), .go_i(go), .valid_o(point_valid), .ready_i(point_ready), .data_o(point), .last_o(point_last));
  reclaimer_top #(
      .CURVE(reclaimer_pkg::BN254), .ADDERS(ADDERS), .WINDOW(WINDOW), .CHAINS(8), .MUL_LATENCY(7),
      .KIND(field_pkg::BEHAVIOURAL)
  ) u_dut (
      .clk_i(clk), .rst_i(rst), .fault_o(unused_fault),
      `AXIS_CONNECT(s_axis_point, point),
      `AXIS_CONNECT(m_axis_part, part),
      `AXI_LITE_CONNECT(request, response, 12)
  );
  stream_sink #(.NAME("reclaimer.part"), .WIDTH(2 * WORD)) u_parts (
      .clk_i(clk), .valid_i(part_valid), .ready_o(part_ready), .data_i(part), .last_i(part_last), .done_o(parts_done),
      .wrong_o(wrong_parts));
endmodule
