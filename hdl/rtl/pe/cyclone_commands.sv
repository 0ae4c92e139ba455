// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's commands (4.4): 64 bits each, eight in a beat, one a cycle, in the form of the authors' host (SetDigit).
//
//   bits 1..0: 3, a digit is present; from bit 14 on: the digit in two's complement of DIGIT bits; no other bit is read
//
// Absent digits of a beat come after the present digits. last_i is high with the last beat of a window, which may
// be empty.
//
// Contract: beats follow AXI-Stream. A digit is taken in a cycle with valid_o and ready_i; last_o marks the last digit
// of its window. Then finish_o is high until finished_i, and the digits of the next window follow.
module cyclone_commands #(
    parameter int DEPTH = 16,
    parameter int DIGIT = 16
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [511:0] data_i,
    input  logic         last_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [ 31:0] digit_o,
    output logic         last_o,
    output logic         finish_o,
    input  logic         finished_i
);
  if (DIGIT < 1 || DIGIT > 31) begin : g_invalid
    $error("cyclone_commands: DIGIT is from 1 to 31");
  end

  logic [511:0] beat;
  logic beat_valid, beat_last, drop, next, unused_full;
  logic [$clog2(DEPTH+1)-1:0] unused_count;
  fifo #(.WIDTH(513), .DEPTH(DEPTH)) u_beats (
      .clk_i, .rst_i, .valid_i, .ready_o, .data_i({last_i, data_i}),
      .valid_o(beat_valid), .ready_i(drop), .data_o({beat_last, beat}),
      .count_o(unused_count), .almost_full_o(unused_full)
  );

  // The number of the command in its beat; 8 after the last command.
  logic [3:0] index;
  logic [9:0] there;
  logic [63:0] command;
  always_comb begin
    there = '0;
    for (int i = 0; i < 8; i++) there[i] = beat[64*i+:2] == 2'd3;
  end
  assign command = beat[{index[2:0], 6'b0}+:64];
  assign digit_o = {{(32 - DIGIT) {command[13+DIGIT]}}, command[14+:DIGIT]};
  assign valid_o = beat_valid && there[index];
  assign next = there[index+4'd1];
  assign last_o = beat_last && !next;
  assign finish_o = beat_valid && beat_last && !there[index];
  assign drop = beat_last ? finish_o && finished_i : !there[index] || (ready_i && !next);
  always_ff @(posedge clk_i) begin
    if (beat_valid && drop) index <= '0;
    else if (valid_o && ready_i) index <= index + 1'b1;
    if (rst_i) index <= '0;
  end

  unread u_unread (.d_i(^command));
endmodule
