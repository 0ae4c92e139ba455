// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's output: a queue of sums, in which a batch reserves its places before it begins, because the adder cannot
// wait.
//
// Contract: reserve_i, in a cycle with size_i <= space_o, reserves size_i places. Sums come with valid_i, at most as
// many as places were reserved, and leave as a stream. empty_o says that all reserved sums have left.
module msmac_output #(
    parameter int WIDTH = 1,
    parameter int QUEUE = 20,
    localparam int COUNT = $clog2(QUEUE + 1)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             reserve_i,
    input  logic [     11:0] size_i,
    output logic [     11:0] space_o,
    output logic             empty_o,
    input  logic             valid_i,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  if (QUEUE > 4095) begin : g_invalid
    $error("msmac_output: QUEUE is at most 4095");
  end

  logic ready, almost_full;
  logic [COUNT-1:0] count;
  fifo #(.WIDTH(WIDTH), .DEPTH(QUEUE), .MUST_TAKE(1)) u_queue (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .valid_o, .ready_i, .data_o,
      .count_o(count), .almost_full_o(almost_full));

  assign empty_o = space_o == 12'(QUEUE);
  always_ff @(posedge clk_i) begin
    space_o <= space_o - (reserve_i ? size_i : 12'b0) + 12'(valid_o && ready_i);
    if (rst_i) space_o <= 12'(QUEUE);
  end

  unread u_unread (.d_i(^{ready, almost_full, count}));
endmodule
