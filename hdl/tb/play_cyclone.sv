// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM with its host, its memories and all streams as files (play): a whole sum, window by window, and the
// cycle model's counts. Its pipeline is short, so that a window fits a screen.
`include "ports.svh"
module play_cyclone;
  localparam int BUCKET_WIDTH = 3;
  localparam int WINDOWS = 253 / (BUCKET_WIDTH + 1) + 1;
  localparam int SPILL = (BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 8) / 8 * 8;
  logic clk, rst, reset, unused_fault, go, sums_done, done;
  int wrong_sums, wrong_registers;
  play #(.NAME("cyclone")) u_play (
      .clk_o(clk), .rst_o(rst), .done_i(done), .wrong_i(wrong_sums + wrong_registers));
  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  host #(.NAME("cyclone.host")) u_host (
      .clk_i(clk), .rst_i(rst), .axi_o(request), .axi_i(response), .go_o(go), .received_i(sums_done), .done_o(done),
      .wrong_o(wrong_registers));

  logic command_valid, command_ready, command_last, x_valid, x_ready, x_last, y_valid, y_ready, y_last, u_valid, u_ready,
      u_last;
  logic [511:0] command, x, y, u;
  stream_source #(.NAME("cyclone.command"), .WIDTH(512)) u_commands (
      .clk_i(clk), .go_i(go), .valid_o(command_valid), .ready_i(command_ready), .data_o(command), .last_o(command_last));
  stream_source #(.NAME("cyclone.x"), .WIDTH(512), .LOOPS(WINDOWS)) u_x (
      .clk_i(clk), .go_i(go), .valid_o(x_valid), .ready_i(x_ready), .data_o(x), .last_o(x_last));
  stream_source #(.NAME("cyclone.y"), .WIDTH(512), .LOOPS(WINDOWS)) u_y (
      .clk_i(clk), .go_i(go), .valid_o(y_valid), .ready_i(y_ready), .data_o(y), .last_o(y_last));
  stream_source #(.NAME("cyclone.u"), .WIDTH(512), .LOOPS(WINDOWS)) u_u (
      .clk_i(clk), .go_i(go), .valid_o(u_valid), .ready_i(u_ready), .data_o(u), .last_o(u_last));

  logic out_valid, out_ready, in_valid, in_ready, result_valid, result_last;
  logic [SPILL-1:0] out, in;
  logic [511:0] result;
  cyclone_top #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(8), .KIND(field_pkg::BEHAVIOURAL), .MUL_LATENCY(5), .LATENCY(15), .CONTROL(5)
  ) u_dut (
      .clk_i(clk), .rst_i(rst), .reset_o(reset), .fault_o(unused_fault),
      `AXIS_CONNECT(s_axis_command, command),
      `AXIS_CONNECT(s_axis_x, x),
      `AXIS_CONNECT(s_axis_y, y),
      `AXIS_CONNECT(s_axis_u, u),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_spill, out),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_spill, in),
      .m_axis_result_tvalid(result_valid), .m_axis_result_tready(1'b1), .m_axis_result_tdata(result),
      .m_axis_result_tlast(result_last),
      `AXI_LITE_CONNECT(request, response, 8)
  );
  tb_memory #(.WIDTH(SPILL), .DEPTH(1 << 12), .LATENCY(10)) u_memory (
      .clk_i(clk), .rst_i(rst || reset), .stall_write_i(1'b0), .stall_read_i(1'b0),
      .valid_i(out_valid), .ready_o(out_ready), .data_i(out),
      .valid_o(in_valid), .ready_i(in_ready), .data_o(in)
  );

  // A sum's four beats, X, Y and Z before the current beat. The file's last line is the last window's.
  int window;
  initial window = 1;
  logic [3*384-1:0] beats;
  always @(posedge clk) begin
    if (result_valid) beats <= {result[383:0], beats[3*384-1:384]};
    if (result_valid && result_last) window <= window + 1;
  end
  sum_sink #(.NAME("cyclone.sum")) u_sums (
      .clk_i(clk), .valid_i(result_valid && result_last), .x_i(beats[0+:384]), .y_i(beats[384+:384]),
      .z_i(beats[768+:384]), .t_i(result[383:0]), .last_i(window == WINDOWS), .done_o(sums_done), .wrong_o(wrong_sums));
endmodule
