// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI's rule for senders, on a stream or on a channel of AXI4-Lite: a word stays, unchanged, until it is taken. A
// reset forgets it.
module stream_check #(
    parameter int WIDTH = 1
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             valid_i,
    input logic             ready_i,
    input logic [WIDTH-1:0] data_i
);
  logic waits;
  logic [WIDTH-1:0] data;
  always_ff @(posedge clk_i) begin
    waits <= valid_i && !ready_i && !rst_i;
    data <= data_i;
    if (waits && !rst_i && !valid_i) $error("%m: withdrawn before it was taken");
    if (waits && !rst_i && valid_i && data != data_i) $error("%m: changed before it was taken");
  end
endmodule
