// SPDX-License-Identifier: MIT OR Apache-2.0
// The stretches of memory that a task reads or writes, one for each window: the same stretch again, or with ADVANCE stretches one behind
// the other.
//
// Contract: in a cycle with start_i, windows_i stretches of beats_i beats begin, the first at address_i, in beats. They are offered
// until ready_i, one after the other. beats_i stays until the task ends. A task without beats has no stretches.
module stretch_sequence #(
    parameter bit ADVANCE = 0,
    parameter int COUNT = 32,
    parameter int ADDRESS = 58
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               start_i,
    input  logic [  COUNT-1:0] windows_i,
    input  logic [ADDRESS-1:0] address_i,
    input  logic [  COUNT-1:0] beats_i,
    output logic               valid_o,
    input  logic               ready_i,
    output logic [ADDRESS-1:0] address_o
);
  logic [COUNT-1:0] left;
  assign valid_o = left != 0;
  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) begin
      left <= left - 1'b1;
      if (ADVANCE) address_o <= address_o + ADDRESS'(beats_i);
    end
    if (start_i) begin
      left <= beats_i == 0 ? '0 : windows_i;
      address_o <= address_i;
    end
    if (rst_i) left <= '0;
  end
endmodule
