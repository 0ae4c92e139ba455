// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue with any writer and any reader; the properties are in fifo.svh.
module formal_fifo #(
    parameter int DEPTH = 5,
    parameter int HEADROOM = 2
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       valid_i,
    input logic [1:0] data_i,
    input logic       ready_i
);
  logic ready, valid, almost_full;
  logic [1:0] data;
  logic [$clog2(DEPTH+1)-1:0] count;
  initial assume (rst_i);
  fifo #(.WIDTH(2), .DEPTH(DEPTH), .HEADROOM(HEADROOM)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data), .count_o(count),
      .almost_full_o(almost_full)
  );
endmodule
