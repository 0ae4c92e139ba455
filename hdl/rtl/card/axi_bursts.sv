// SPDX-License-Identifier: MIT OR Apache-2.0
// Cuts a stretch of memory into bursts of AXI4: at most BURST beats, none across a multiple of BURST beats. So no burst crosses
// 4 KiB if BURST beats are at most 4 KiB.
//
// Contract: a stretch is taken in a cycle with valid_i and ready_o, and has at least one beat. Addresses count beats. A burst
// stays until ready_i. begin_o is high in the cycle before a burst is offered first, with begin_len_o and begin_final_o, and only
// while may_begin_i is high. Lengths are one less than the number of beats, as in AXI4; final marks a stretch's last burst. In a cycle
// with stop_i, no burst begins, and the rest of a stretch is dropped, like a stretch that is taken; a burst that is offered stays.
module axi_bursts #(
    parameter int BURST = 16,
    parameter int COUNT = 32,
    parameter int ADDRESS = 58
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               valid_i,
    output logic               ready_o,
    input  logic [ADDRESS-1:0] address_i,
    input  logic [  COUNT-1:0] beats_i,
    input  logic               may_begin_i,
    input  logic               stop_i,
    output logic               begin_o,
    output logic [        7:0] begin_len_o,
    output logic               begin_final_o,
    output logic               valid_o,
    input  logic               ready_i,
    output logic [ADDRESS-1:0] address_o,
    output logic [        7:0] len_o
);
  localparam int OFFSET = $clog2(BURST);
  if (BURST < 2 || BURST > 256 || BURST != 1 << OFFSET || COUNT <= OFFSET + 1) begin : g_invalid
    $error("axi_bursts: BURST is a power of two from 2 to 256, and COUNT bits hold more than it");
  end

  logic [ADDRESS-1:0] next;
  logic [COUNT-1:0] left;
  logic [OFFSET:0] room, beats;
  logic fits;
  assign ready_o = left == 0;
  assign room = (OFFSET + 1)'(BURST) - (OFFSET + 1)'(next[OFFSET-1:0]);
  assign fits = left[COUNT-1:OFFSET+1] == 0 && left[OFFSET:0] <= room;
  assign beats = fits ? left[OFFSET:0] : room;
  assign begin_o = left != 0 && may_begin_i && !stop_i && (!valid_o || ready_i);
  assign begin_len_o = 8'(beats) - 8'd1;
  assign begin_final_o = fits;

  always_ff @(posedge clk_i) begin
    if (ready_i) valid_o <= 1'b0;
    if (begin_o) begin
      valid_o <= 1'b1;
      address_o <= next;
      len_o <= begin_len_o;
      next <= {next[ADDRESS-1:OFFSET] + 1'b1, OFFSET'(0)};
      left <= left - COUNT'(beats);
    end
    if (valid_i && ready_o) begin
      next <= address_i;
      left <= beats_i;
    end
    if (stop_i) left <= '0;
    if (rst_i) begin
      valid_o <= 1'b0;
      left <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_i && beats_i == 0) $error("axi_bursts: a stretch without beats");
  end
`endif
endmodule
