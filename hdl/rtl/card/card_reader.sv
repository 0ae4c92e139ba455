// SPDX-License-Identifier: MIT OR Apache-2.0
// A stream of the core from memory: for each window a packet of words_i words of WIDTH bits, which lie in memory without gaps. With
// ADVANCE, windows lie one behind the other; otherwise each window reads the same words.
//
// Contract: a task begins in a cycle with start_i; words_i is there a cycle before and stays until the task ends. A task without words has
// no packets. WIDTH is at most DATA. last_o marks a packet's last word. stop_i, busy_o, error_o and the bus are
// axi_read_master's. rst_i and core_rst_i are clock_crossing's: both at the same time, and only if nothing is outstanding.
`include "ports.svh"
module card_reader #(
    parameter int WIDTH = 512,
    parameter bit ADVANCE = 0,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8,
    parameter int ADDRESS = 64,
    parameter int DATA = 512,
    localparam int BYTES = $clog2(DATA / 8)
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     start_i,
    input  logic                     stop_i,
    input  logic [             31:0] windows_i,
    input  logic [             31:0] words_i,
    input  logic [ADDRESS-BYTES-1:0] address_i,
    output logic                     busy_o,
    output logic                     error_o,
    input  logic                     core_clk_i,
    input  logic                     core_rst_i,
    output logic                     valid_o,
    input  logic                     ready_i,
    output logic [        WIDTH-1:0] data_o,
    output logic                     last_o,
    `AXI_READ_MASTER(m_axi, ADDRESS, DATA)
);
  if (WIDTH > DATA) begin : g_invalid
    $error("card_reader: WIDTH is at most DATA");
  end

  // Beats of a packet. There are never more beats than words.
  localparam int BITS = 32 + $clog2(DATA + 1);
  localparam int ABOVE = DATA - 1;
  logic [31:0] beats;
  always_ff @(posedge clk_i) beats <= 32'((BITS'(words_i) * BITS'(WIDTH) + BITS'(ABOVE)) >> $clog2(DATA));

  logic stretch_valid, stretch_ready, beat_valid, beat_ready, beat_last, word_valid, word_ready, word_last;
  logic [ADDRESS-BYTES-1:0] place;
  logic [DATA-1:0] beat;
  logic [WIDTH-1:0] word;
  stretch_sequence #(.ADVANCE(ADVANCE), .ADDRESS(ADDRESS - BYTES)) u_sequence (
      .clk_i, .rst_i, .start_i, .windows_i, .address_i, .beats_i(beats), .valid_o(stretch_valid), .ready_i(stretch_ready),
      .address_o(place)
  );
  axi_read_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .ADDRESS(ADDRESS), .DATA(DATA)) u_master (
      .clk_i, .rst_i, .valid_i(stretch_valid), .ready_o(stretch_ready), .address_i(place), .beats_i(beats), .stop_i,
      .data_valid_o(beat_valid), .data_ready_i(beat_ready), .data_o(beat), .data_last_o(beat_last), .busy_o, .error_o,
      `AXI_READ_CONNECT(m_axi, m_axi)
  );
  if (WIDTH == DATA) begin : g_beats
    assign {word_valid, word, word_last} = {beat_valid, beat, beat_last};
    assign beat_ready = word_ready;
  end else begin : g_words
    logic any_valid, any_ready, any_last;
    logic [WIDTH-1:0] any;
    gearbox #(.IN(DATA), .OUT(WIDTH), .PAD(0)) u_unpack (
        .clk_i, .rst_i, .valid_i(beat_valid), .ready_o(beat_ready), .data_i(beat), .last_i(beat_last),
        .valid_o(any_valid), .ready_i(any_ready), .data_o(any), .last_o(any_last)
    );
    packet_words #(.WIDTH(WIDTH)) u_words (
        .clk_i, .rst_i, .count_i(words_i), .valid_i(any_valid), .ready_o(any_ready), .data_i(any), .last_i(any_last),
        .valid_o(word_valid), .ready_i(word_ready), .data_o(word), .last_o(word_last)
    );
  end
  stream_crossing #(.WIDTH(WIDTH + 1)) u_crossing (
      .write_clk_i(clk_i), .write_rst_i(rst_i), .valid_i(word_valid), .ready_o(word_ready), .data_i({word_last, word}),
      .read_clk_i(core_clk_i), .read_rst_i(core_rst_i), .valid_o, .ready_i, .data_o({last_o, data_o})
  );
endmodule
