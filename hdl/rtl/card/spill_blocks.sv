// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's conflicts in blocks for the memory and back: WORDS words of WORD bits, packed into beats of DATA bits without gaps. A
// word is a conflict with a bit above it that says that it is one.
//
// Contract: conflicts come and leave as at the ports of spill_fifo, beats go to the memory and come back in the same order. A block
// that is not full gets empty words when the core waits for a conflict (wanted) and all other blocks are back. So every conflict comes back
// when it is wanted, and at most one block in the memory has empty words.
module spill_blocks #(
    parameter int CONFLICT = 1147,
    parameter int WORDS = 16,
    parameter int DATA = 512,
    localparam int WORD = (CONFLICT + 1 + DATA / 4 - 1) / (DATA / 4) * (DATA / 4)
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [CONFLICT-1:0] data_i,
    output logic                valid_o,
    input  logic                ready_i,
    output logic [CONFLICT-1:0] data_o,
    output logic                beat_valid_o,
    input  logic                beat_ready_i,
    output logic [    DATA-1:0] beat_o,
    input  logic                beat_valid_i,
    output logic                beat_ready_o,
    input  logic [    DATA-1:0] beat_i
);
  localparam int INDEX = $clog2(WORDS);
  if (WORDS < 4 || WORDS != 1 << INDEX) begin : g_invalid
    $error("spill_blocks: WORDS is a power of two, at least 4, so that a block is whole beats");
  end

  logic wanted, fills, room, packs, unpacks, word_valid, word_ready, is_conflict, unused_packed_last, unused_last;
  logic [INDEX-1:0] packed_words, unpacked_words;
  // Blocks that have been packed and are not back; a memory of 2^32 words has fewer.
  logic [31:0] away;
  assign packs = (valid_i || fills) && room;
  assign unpacks = word_valid && word_ready;
  assign ready_o = room;
  always_ff @(posedge clk_i) begin
    wanted <= ready_i && !valid_o;
    fills <= packed_words != 0 && !(packs && &packed_words) && away == 0 && wanted;
    packed_words <= packed_words + INDEX'(packs);
    unpacked_words <= unpacked_words + INDEX'(unpacks);
    away <= away + 32'(packs && &packed_words) - 32'(unpacks && &unpacked_words);
    if (rst_i) begin
      {wanted, fills} <= '0;
      {packed_words, unpacked_words} <= '0;
      away <= '0;
    end
  end

  gearbox #(.IN(WORD), .OUT(DATA), .PAD(0)) u_pack (
      .clk_i, .rst_i, .valid_i(valid_i || fills), .ready_o(room), .data_i(valid_i ? {1'b1, (WORD - 1)'(data_i)} : WORD'(0)),
      .last_i(1'b0), .valid_o(beat_valid_o), .ready_i(beat_ready_i), .data_o(beat_o), .last_o(unused_packed_last)
  );
  logic [WORD-1:0] word;
  gearbox #(.IN(DATA), .OUT(WORD), .PAD(0)) u_unpack (
      .clk_i, .rst_i, .valid_i(beat_valid_i), .ready_o(beat_ready_o), .data_i(beat_i), .last_i(1'b0),
      .valid_o(word_valid), .ready_i(word_ready), .data_o(word), .last_o(unused_last)
  );
  assign is_conflict = word[WORD-1];
  assign word_ready = ready_i || !is_conflict;
  assign valid_o = word_valid && is_conflict;
  assign data_o = word[CONFLICT-1:0];

  unread u_unread (.d_i(^word[WORD-2:0]));
endmodule
