// SPDX-License-Identifier: MIT OR Apache-2.0
// clock_crossing with any writer, any reader, and any two clocks: each level of either is arbitrary in each step. One arbitrary entry is
// marked; it leaves exactly after the entries that were there before it. No more entries are there than places. An entry stays
// until it leaves, and room until it is taken.
module formal_crossing #(
    parameter int DEPTH = 4
) (
    input logic write_clk_i,
    input logic read_clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic mark_i,
    input logic ready_i
);
  logic ready, valid, mark;
  clock_crossing #(.WIDTH(1), .DEPTH(DEPTH)) u_dut (
      .write_clk_i, .write_rst_i(rst_i), .valid_i, .ready_o(ready), .data_i(mark_i), .read_clk_i, .read_rst_i(rst_i),
      .valid_o(valid), .ready_i, .data_o(mark)
  );

  // Both sides have been in reset for a cycle; then there is no further reset.
  logic write_live, read_live, live, marked, room, offers, offered;
  logic [5:0] written, read, place;
  initial {write_live, read_live} = 2'b00;
  assign live = write_live && read_live;
  always @* assume (rst_i == !live);
  always @(posedge write_clk_i) begin
    write_live <= 1'b1;
    room <= ready && !valid_i;
    if (valid_i && ready) begin
      written <= written + 1'b1;
      if (mark_i) {marked, place} <= {1'b1, written};
    end
    if (rst_i) begin
      written <= '0;
      {marked, room} <= '0;
    end
  end
  always @(posedge read_clk_i) begin
    read_live <= 1'b1;
    offers <= valid && !ready_i;
    offered <= mark;
    if (valid && ready_i) read <= read + 1'b1;
    if (rst_i) begin
      read <= '0;
      offers <= 1'b0;
    end
  end
  always @* if (live) begin
    if (marked) assume (!mark_i);
    assert (6'(written - read) <= DEPTH);
    if (valid) assert (written != read && mark == (marked && place == read));
    if (offers) assert (valid && mark == offered);
    if (room) assert (ready);
  end
endmodule
