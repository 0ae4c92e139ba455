// SPDX-License-Identifier: MIT OR Apache-2.0
// Joins two streams to one. The senders take turns if words of both wait.
//
// Contract: a word is taken in the cycle in which the receiver takes it. valid_o does not depend on ready_i, and a word that is offered
// stays. A word waits for at most one word of the other sender.
module stream_merge #(
    parameter int WIDTH = 1
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic [        1:0] valid_i,
    output logic [        1:0] ready_o,
    input  logic [2*WIDTH-1:0] data_i,
    output logic               valid_o,
    input  logic               ready_i,
    output logic [  WIDTH-1:0] data_o
);
  // The sender of this cycle's word, and of the last one, which keeps its turn until its word is taken.
  logic sender, last_sender, waits;
  assign sender = waits ? last_sender : valid_i[!last_sender] ? !last_sender : last_sender;
  assign valid_o = valid_i != 0;
  assign data_o = sender ? data_i[WIDTH+:WIDTH] : data_i[0+:WIDTH];
  assign ready_o = {sender && ready_i, !sender && ready_i};
  always_ff @(posedge clk_i) begin
    waits <= valid_o && !ready_i;
    if (valid_o) last_sender <= sender;
    if (rst_i) {waits, last_sender} <= '0;
  end
endmodule
