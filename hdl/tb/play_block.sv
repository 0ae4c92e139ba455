// SPDX-License-Identifier: MIT OR Apache-2.0
// A block that can wait, with words and results as files: BLOCK.in.hex, BLOCK.out.hex (play, stream_source,
// stream_sink). For schedulers, the words are operations of tb_schedule, and the results are the buckets' points at the
// end.
module play_block #(
    parameter string BLOCK = "fifo"
);
  localparam bit FIFO = BLOCK == "fifo";
  localparam int IN = FIFO ? 96 : 128;
  localparam int OUT = FIFO ? 64 : 65;
  logic clk, rst, done;
  int wrong;
  play #(.NAME(BLOCK)) u_play (.clk_o(clk), .rst_o(rst), .done_i(done), .wrong_i(wrong));

  logic in_valid, in_ready, out_valid, out_ready, unused_last;
  logic [IN-1:0] in;
  logic [OUT-1:0] out;
  stream_source #(.NAME({BLOCK, ".in"}), .WIDTH(IN)) u_source (
      .clk_i(clk), .go_i(!rst), .valid_o(in_valid), .ready_i(in_ready), .data_o(in), .last_o(unused_last));
  stream_sink #(.NAME({BLOCK, ".out"}), .WIDTH(OUT), .LAST(0)) u_sink (
      .clk_i(clk), .valid_i(out_valid), .ready_o(out_ready), .data_i(out), .last_i(1'b0), .done_o(done), .wrong_o(wrong));

  logic [31:0] unused_latency;
  if (FIFO) begin : g_fifo
    logic [127:0] all;
    assign out = all[63:0];
    tb_common #(.BLOCK(BLOCK)) u_bench (
        .clk_i(clk), .rst_i(rst), .valid_i(in_valid), .ready_o(in_ready), .in_i(in), .valid_o(out_valid),
        .ready_i(out_ready), .out_o(all), .latency_o(unused_latency));
  end else begin : g_scheduler
    // The content of an empty bucket is ignored. Answers do not wait, so the adder takes pairs at any time.
    logic [191:0] all;
    assign out = all[64] ? all[64:0] : '0;
    tb_schedule #(.BLOCK(BLOCK)) u_bench (
        .clk_i(clk), .rst_i(rst), .valid_i(in_valid), .ready_o(in_ready), .in_i(in), .valid_o(out_valid),
        .ready_i(out_ready), .out_o(all), .latency_o(unused_latency));
  end
endmodule
