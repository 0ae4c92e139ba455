// SPDX-License-Identifier: MIT OR Apache-2.0
// gearbox with any writer and any reader. One arbitrary bit of a packet is marked, and all others are zero: the bit leaves at its
// place of the packet. Each packet ends once, with its last bits, and a word stays until it is taken. Without PAD, the writer's
// last word has a bit of the last full word.
module formal_gearbox #(
    parameter int IN = 6,
    parameter int OUT = 4,
    parameter bit PAD = 1
) (
    input logic          clk_i,
    input logic          rst_i,
    input logic          valid_i,
    input logic [IN-1:0] data_i,
    input logic          last_i,
    input logic          ready_i
);
  initial assume (rst_i);
  logic ready, valid, last;
  logic [OUT-1:0] data;
  gearbox #(.IN(IN), .OUT(OUT), .PAD(PAD)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .last_i, .valid_o(valid), .ready_i, .data_o(data),
      .last_o(last)
  );

  // Bits of the packet that came and that left, and the marked bit's place in it.
  logic live, take, leave, offers, offered_last, ended, marked;
  logic [OUT-1:0] offered;
  logic [7:0] came, left, place, in_word;
  initial live = 1'b0;
  assign take = valid_i && ready;
  assign leave = valid && ready_i;
  always @* begin
    in_word = '0;
    for (int i = 0; i < IN; i++) if (data_i[i]) in_word = 8'(i);
  end
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    offers <= valid && !ready_i;
    {offered, offered_last} <= {data, last};
    if (take) begin
      came <= came + 8'(IN);
      ended <= last_i;
      if (data_i != 0) {marked, place} <= {1'b1, came + in_word};
    end
    if (leave) left <= left + 8'(OUT);
    if (rst_i || (leave && last)) begin
      {came, left} <= '0;
      {ended, marked} <= '0;
    end
    if (rst_i) offers <= 1'b0;
  end
  always @* begin
    assume ((data_i & (data_i - 1'b1)) == 0);
    if (marked) assume (data_i == 0);
    // The test ends before the counters do.
    assume (came < 8'd200);
    // Without PAD: the last full word ends in the last word that comes.
    if (!PAD && valid_i && last_i) assume ((came + 8'(IN)) / 8'(OUT) > came / 8'(OUT));
  end
  always @* if (live && !rst_i) begin
    if (offers) assert (valid && data == offered && last == offered_last);
    if (ended) assert (!ready);
    if (valid) begin
      for (int i = 0; i < OUT; i++) assert (data[i] == (marked && place == left + 8'(i)));
      // A word has bits that came; all of them, except for the zeros at the end.
      assert (came > left && (PAD && ended || came - left >= OUT));
      assert (last == (ended && (PAD ? came - left <= OUT : came - left < 2 * OUT)));
    end else begin
      assert (came - left < OUT && !ended);
    end
  end
endmodule
