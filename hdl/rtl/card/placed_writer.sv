// SPDX-License-Identifier: MIT OR Apache-2.0
// The core's results on their way to memory, in any order: each has its number, which says where its BEATS beats go.
//
// Contract: result i goes to the beats from address_i + BEATS i on, its lowest bits first, with zeros above them. Results come in core_clk_i.
// address_i stays until the last result is written. stop_i, done_o (a pulse for each result), busy_o, error_o and the bus are
// block_writer's. Resets are card_reader's.
`include "ports.svh"
module placed_writer #(
    parameter int WIDTH = 768,
    parameter int NUMBER = 20,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8,
    localparam int BEATS = (WIDTH + 511) / 512
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              stop_i,
    input  logic [      57:0] address_i,
    output logic              done_o,
    output logic              busy_o,
    output logic              error_o,
    input  logic              core_clk_i,
    input  logic              core_rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [NUMBER-1:0] number_i,
    input  logic [ WIDTH-1:0] data_i,
    `AXI_WRITE_MASTER(m_axi, 64, 512)
);
  localparam int INDEX = $clog2(BEATS + 1);
  logic valid, beat_ready, first_beat, last_beat, place_valid, place_ready, unused_room, unused_full;
  logic [NUMBER-1:0] number;
  logic [WIDTH-1:0] data;
  logic [BEATS*512-1:0] beats;
  logic [INDEX-1:0] beat;
  logic [57:0] place;
  logic [1:0] unused_count;
  stream_crossing #(.WIDTH(NUMBER + WIDTH)) u_crossing (
      .write_clk_i(core_clk_i), .write_rst_i(core_rst_i), .valid_i, .ready_o, .data_i({number_i, data_i}), .read_clk_i(clk_i),
      .read_rst_i(rst_i), .valid_o(valid), .ready_i(beat_ready && last_beat), .data_o({number, data})
  );
  assign beats = (BEATS * 512)'(data);
  assign first_beat = beat == 0;
  assign last_beat = beat == INDEX'(BEATS - 1);
  always_ff @(posedge clk_i) begin
    if (valid && beat_ready) beat <= last_beat ? '0 : beat + 1'b1;
    if (rst_i) beat <= '0;
  end

  // block_writer has room for the beats of two blocks.
  fifo #(.WIDTH(58), .DEPTH(2), .MUST_TAKE(1)) u_places (
      .clk_i, .rst_i, .valid_i(valid && beat_ready && first_beat), .ready_o(unused_room),
      .data_i(address_i + 58'(number) * 58'(BEATS)), .valid_o(place_valid), .ready_i(place_ready), .data_o(place),
      .count_o(unused_count), .almost_full_o(unused_full)
  );
  block_writer #(.BLOCK(BEATS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_writer (
      .clk_i, .rst_i, .valid_i(valid), .ready_o(beat_ready), .data_i(beats[512*beat+:512]), .place_valid_i(place_valid),
      .place_ready_o(place_ready), .place_i(place), .stop_i, .done_o, .busy_o, .error_o, `AXI_WRITE_CONNECT(m_axi, m_axi)
  );
endmodule
