// SPDX-License-Identifier: MIT OR Apache-2.0
// The first words of each packet of a stream, with the last of them marked: words of zeros that a gearbox found behind them are dropped.
//
// Contract: a packet has at least count_i words, and count_i is at least one and stays while packets pass. Words are taken and leave in
// the same cycle.
module packet_words #(
    parameter int WIDTH = 1,
    parameter int COUNT = 32
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [COUNT-1:0] count_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    input  logic             last_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic             last_o
);
  logic [COUNT-1:0] passed;
  logic behind;
  assign behind = passed == count_i;
  assign valid_o = valid_i && !behind;
  assign ready_o = ready_i || behind;
  assign data_o = data_i;
  assign last_o = passed == count_i - 1'b1;
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) passed <= last_i ? '0 : passed + COUNT'(!behind);
    if (rst_i) passed <= '0;
  end
endmodule
