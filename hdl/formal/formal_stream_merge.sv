// SPDX-License-Identifier: MIT OR Apache-2.0
// stream_merge with any senders and any receiver. The receiver gets the word of the sender that is ready, as it is taken; a word that is
// offered stays; a word is offered whenever a sender has one; and a word waits for at most one word of the other sender.
module formal_stream_merge #(
    parameter int WIDTH = 3
) (
    input logic               clk_i,
    input logic               rst_i,
    input logic [        1:0] valid_i,
    input logic [2*WIDTH-1:0] data_i,
    input logic               ready_i
);
  initial assume (rst_i);
  logic valid;
  logic [1:0] ready;
  logic [WIDTH-1:0] data;
  stream_merge #(.WIDTH(WIDTH)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data));

  // Words that wait at the senders and at the receiver, and words that passed while a sender's word waits.
  logic live, offered;
  logic [1:0] waits, takes;
  logic [2*WIDTH-1:0] words;
  logic [WIDTH-1:0] word;
  logic [1:0] passed[2];
  initial live = 1'b0;
  assign takes = valid_i & ready;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waits <= rst_i ? '0 : valid_i & ~ready;
    words <= data_i;
    offered <= valid && !ready_i && !rst_i;
    word <= data;
    for (int i = 0; i < 2; i++) begin
      if (rst_i || !valid_i[i] || takes[i]) passed[i] <= '0;
      else if (takes[1-i] && passed[i] != 3) passed[i] <= passed[i] + 1'b1;
    end
  end
  always @* begin
    if (live) begin
      for (int i = 0; i < 2; i++) begin
        if (waits[i]) assume (valid_i[i] && data_i[i*WIDTH+:WIDTH] == words[i*WIDTH+:WIDTH]);
      end
    end
  end
  always @* if (live && !rst_i) begin
    assert (valid == (valid_i != 0));
    assert (!(takes[0] && takes[1]) && (takes != 0) == (valid && ready_i));
    for (int i = 0; i < 2; i++) begin
      if (takes[i]) assert (data == data_i[i*WIDTH+:WIDTH]);
      assert (passed[i] <= 1);
    end
    if (offered) assert (valid && data == word);
  end
endmodule
