// SPDX-License-Identifier: MIT OR Apache-2.0
// axi_read_master with any memory that answers bursts in their order, one beat after the other, and keeps a beat until it is
// taken; `last` and the response are arbitrary. Bursts are formal_stretches'. Each beat that comes leaves once, and stays until
// it is taken. One arbitrary stretch is watched: of its beats, exactly the last one is marked. An error is reported exactly
// for a beat whose response is one, or whose `last` is wrong.
module formal_axi_read #(
    parameter int BURST = 4,
    parameter int OUTSTANDING = 2,
    parameter int COUNT = 4,
    parameter int ADDRESS = 13
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             valid_i,
    input logic [ADDRESS-2:0] address_i,
    input logic [COUNT-1:0] beats_i,
    input logic             data_ready_i,
    input logic             arready_i,
    input logic             rvalid_i,
    input logic             tag_i,
    input logic [      1:0] rresp_i,
    input logic             rlast_i,
    input logic             watch_i
);
  initial assume (rst_i);
  logic ready, data_valid, data_last, busy, error, arvalid, rready, open, last;
  logic [15:0] data;
  logic [ADDRESS-1:0] araddr;
  logic [7:0] arlen, len, beat;
  axi_read_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(COUNT), .ADDRESS(ADDRESS), .DATA(16)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .address_i, .beats_i, .stop_i(1'b0), .data_valid_o(data_valid), .data_ready_i,
      .data_o(data), .data_last_o(data_last), .busy_o(busy), .error_o(error), .m_axi_arvalid(arvalid),
      .m_axi_arready(arready_i), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_rvalid(rvalid_i),
      .m_axi_rready(rready), .m_axi_rdata(16'(tag_i)), .m_axi_rresp(rresp_i), .m_axi_rlast(rlast_i)
  );

  // The memory's bursts without all of their beats.
  logic room, almost_full, take, comes, leaves;
  logic [2:0] count;
  fifo #(.WIDTH(8), .DEPTH(4)) u_bursts (
      .clk_i, .rst_i, .valid_i(arvalid && arready_i), .ready_o(room), .data_i(arlen), .valid_o(open),
      .ready_i(comes && last), .data_o(len), .count_o(count), .almost_full_o(almost_full)
  );
  assign take = valid_i && ready;
  assign comes = rvalid_i && rready;
  assign leaves = data_valid && data_ready_i;
  assign last = beat == len;
  logic live, waits, offers, offered_tag, offered_last, wrong, watched;
  logic [3:0] waiting;
  logic [7:0] asked, given, inside, begins, ends;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waits <= rvalid_i && !rready;
    waiting <= {tag_i, rresp_i, rlast_i};
    offers <= data_valid && !data_ready_i;
    {offered_tag, offered_last} <= {data[0], data_last};
    wrong <= comes && (rresp_i[1] || rlast_i != last);
    if (comes) beat <= last ? '0 : beat + 1'b1;
    inside <= inside + 8'(comes) - 8'(leaves);
    given <= given + 8'(leaves);
    if (take) begin
      asked <= asked + 8'(beats_i);
      if (watch_i && !watched) {watched, begins, ends} <= {1'b1, asked, asked + 8'(beats_i)};
    end
    if (rst_i) begin
      {waits, offers, wrong, watched} <= '0;
      beat <= '0;
      {asked, given, inside} <= '0;
    end
  end
  always @* begin
    if (valid_i) assume (beats_i != 0);
    if (rvalid_i) assume (open);
    if (waits) assume (rvalid_i && {tag_i, rresp_i, rlast_i} == waiting);
  end
  always @* if (live && !rst_i) begin
    if (offers) assert (data_valid && data[0] == offered_tag && data_last == offered_last);
    assert (data_valid == (inside != 0) && inside <= 2);
    assert (error == wrong);
    if (watched && leaves && given >= begins && given < ends) assert (data_last == (given + 1'b1 == ends));
    // Nothing is outstanding exactly if all beats that were asked for have left.
    assert (busy == (asked != given));
  end
  formal_stretches #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(COUNT), .ADDRESS(ADDRESS)) u_stretches (
      .clk_i, .rst_i, .live_i(live), .take_i(take), .address_i, .beats_i, .valid_i(arvalid), .ready_i(arready_i),
      .bus_address_i(araddr), .len_i(arlen), .ends_i(comes && last)
  );
endmodule
