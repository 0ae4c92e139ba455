// SPDX-License-Identifier: MIT OR Apache-2.0
// Gives each word of a stream to several receivers. Each receiver takes the word in its own time.
//
// Contract: a word goes once to each receiver that wanted_i names, and to no other; without a receiver, it is dropped. It is taken in the
// cycle in which the last receiver takes it. wanted_i stays while a word waits. valid_o does not depend on ready_i. If all receivers take
// at once, then a word passes in each cycle.
module stream_fork #(
    parameter int RECEIVERS = 2
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic [RECEIVERS-1:0] wanted_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    output logic [RECEIVERS-1:0] valid_o,
    input  logic [RECEIVERS-1:0] ready_i
);
  // Receivers that have the word.
  logic [RECEIVERS-1:0] given;
  assign valid_o = valid_i ? wanted_i & ~given : '0;
  assign ready_o = (wanted_i & ~given & ~ready_i) == 0;
  always_ff @(posedge clk_i) given <= rst_i || !valid_i || ready_o ? '0 : given | (valid_o & ready_i);
endmodule
