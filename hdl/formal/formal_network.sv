// SPDX-License-Identifier: MIT OR Apache-2.0
// Two stations of a network with any card and any elements. A packet comes once to its station, or to both, and to no other, in the order
// of the packets for the station. Words of each element reach the card once, in their order. A packet carries its number among the packets
// of station 0 and of station 1, and a word its station and its number. If all receivers take at once, nothing stays in the network for long.
module formal_network (
    input logic       clk_i,
    input logic       rst_i,
    input logic       packet_valid_i,
    input logic [1:0] to_i,
    input logic [1:0] element_ready_i,
    input logic [1:0] word_valid_i,
    input logic       card_ready_i
);
  localparam int PATIENCE = 6;
  initial assume (rst_i);
  logic packet_ready, further_valid, further_ready, nowhere_valid, up_valid, up_ready, nothing_ready, card_valid;
  logic [1:0] further_to, nowhere_to, element_valid, word_ready;
  logic [5:0] packet, further, nowhere;
  logic [11:0] element;
  logic [3:0] up, card;
  logic [7:0] word;
  network_station #(.STATIONS(2), .NUMBER(0), .DOWN(6), .UP(4)) u_first (
      .clk_i, .rst_i, .down_valid_i(packet_valid_i), .down_ready_o(packet_ready), .down_to_i(to_i), .down_i(packet),
      .down_valid_o(further_valid), .down_ready_i(further_ready), .down_to_o(further_to), .down_o(further),
      .element_valid_o(element_valid[0]), .element_ready_i(element_ready_i[0]), .element_o(element[5:0]),
      .own_valid_i(word_valid_i[0]), .own_ready_o(word_ready[0]), .own_i(word[3:0]), .up_valid_i(up_valid),
      .up_ready_o(up_ready), .up_i(up), .up_valid_o(card_valid), .up_ready_i(card_ready_i), .up_o(card)
  );
  network_station #(.STATIONS(2), .NUMBER(1), .DOWN(6), .UP(4)) u_second (
      .clk_i, .rst_i, .down_valid_i(further_valid), .down_ready_o(further_ready), .down_to_i(further_to), .down_i(further),
      .down_valid_o(nowhere_valid), .down_ready_i(1'b0), .down_to_o(nowhere_to), .down_o(nowhere),
      .element_valid_o(element_valid[1]), .element_ready_i(element_ready_i[1]), .element_o(element[11:6]),
      .own_valid_i(word_valid_i[1]), .own_ready_o(word_ready[1]), .own_i(word[7:4]), .up_valid_i(1'b0),
      .up_ready_o(nothing_ready), .up_i(4'd0), .up_valid_o(up_valid), .up_ready_i(up_ready), .up_o(up)
  );

  // Packets and words that each element has been sent, has got, has offered, and that the card has got from it.
  logic live, waited;
  logic [1:0] waited_to, word_waited;
  logic [2:0] sent[2], got[2], offered[2], arrived[2], idle[2], quiet[2];
  initial live = 1'b0;
  assign packet = {sent[1], sent[0]};
  assign word = {1'b1, offered[1], 1'b0, offered[0]};
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waited <= packet_valid_i && !packet_ready && !rst_i;
    waited_to <= to_i;
    word_waited <= rst_i ? '0 : word_valid_i & ~word_ready;
    for (int i = 0; i < 2; i++) begin
      sent[i] <= sent[i] + 3'(packet_valid_i && packet_ready && (to_i == i || to_i == 2));
      got[i] <= got[i] + 3'(element_valid[i] && element_ready_i[i]);
      offered[i] <= offered[i] + 3'(word_valid_i[i] && word_ready[i]);
      arrived[i] <= arrived[i] + 3'(card_valid && card_ready_i && card[3] == i);
      // Cycles in which a packet for this element, or its word, is under way, and everybody takes.
      idle[i] <= sent[i] == got[i] || element_ready_i != 2'b11 || element_valid[i] ? '0 : idle[i] + 1'b1;
      quiet[i] <= offered[i] == arrived[i] || !card_ready_i || (card_valid && card[3] == i) ? '0 : quiet[i] + 1'b1;
      if (rst_i) {sent[i], got[i], offered[i], arrived[i], idle[i], quiet[i]} <= '0;
    end
  end
  always @* begin
    assume (to_i != 3);
    if (live) assume (!rst_i);
    if (waited) assume (packet_valid_i && to_i == waited_to);
    for (int i = 0; i < 2; i++) if (word_waited[i]) assume (word_valid_i[i]);
  end
  always @* if (live && !rst_i) begin
    assert (!nowhere_valid);
    for (int i = 0; i < 2; i++) begin
      if (element_valid[i]) assert (sent[i] != got[i] && element[6*i+3*i+:3] == got[i]);
      if (card_valid && card[3] == i) assert (offered[i] != arrived[i] && card[2:0] == arrived[i]);
      assert (idle[i] < PATIENCE && quiet[i] < PATIENCE);
    end
  end
endmodule
