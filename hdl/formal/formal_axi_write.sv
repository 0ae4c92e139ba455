// SPDX-License-Identifier: MIT OR Apache-2.0
// axi_write_master with any writer, and any memory that answers bursts in their order, after their address and their last beat,
// and keeps an answer until it is taken. Bursts are formal_stretches'. Each beat that is taken is sent once, in order, and stays
// until it is taken; `last` comes at the end of each burst; no beat comes before its burst is offered. A stretch is done exactly
// once, after its last answer, and an error is reported exactly for an answer that is one. One arbitrary beat is marked.
module formal_axi_write #(
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
    input logic             data_valid_i,
    input logic             mark_i,
    input logic             awready_i,
    input logic             wready_i,
    input logic             bvalid_i,
    input logic [      1:0] bresp_i
);
  initial assume (rst_i);
  logic ready, data_ready, done, busy, error, awvalid, wvalid, wlast, bready, open, last;
  logic [15:0] wdata;
  logic [ADDRESS-1:0] awaddr;
  logic [7:0] awlen, len, beat;
  axi_write_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(COUNT), .ADDRESS(ADDRESS), .DATA(16)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .address_i, .beats_i, .data_valid_i, .data_ready_o(data_ready),
      .data_i(16'(mark_i)), .done_o(done), .busy_o(busy), .error_o(error), .m_axi_awvalid(awvalid),
      .m_axi_awready(awready_i), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_wvalid(wvalid),
      .m_axi_wready(wready_i), .m_axi_wdata(wdata), .m_axi_wlast(wlast), .m_axi_bvalid(bvalid_i), .m_axi_bready(bready),
      .m_axi_bresp(bresp_i)
  );

  // Bursts that were offered and have beats to come.
  logic room, almost_full, take, sends, taken, answers, offers;
  logic [2:0] count;
  assign offers = awvalid && !aw_waits;
  fifo #(.WIDTH(8), .DEPTH(4)) u_bursts (
      .clk_i, .rst_i, .valid_i(offers), .ready_o(room), .data_i(awlen), .valid_o(open), .ready_i(sends && last),
      .data_o(len), .count_o(count), .almost_full_o(almost_full)
  );
  assign take = valid_i && ready;
  assign taken = data_valid_i && data_ready;
  assign sends = wvalid && wready_i;
  assign answers = bvalid_i && bready;
  assign last = beat == len;
  logic live, aw_waits, w_waits, w_mark, w_last, b_waits, answered_wrong, marked, pending;
  logic [1:0] b_resp;
  // Bursts whose address was taken, bursts whose last beat was taken, answers; beats that were taken, sent, and asked for; stretches
  // and their ends.
  logic [7:0] addressed, complete, answered, got, sent, asked, stretches, dones, ahead;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    aw_waits <= awvalid && !awready_i;
    w_waits <= wvalid && !wready_i;
    {w_mark, w_last} <= {wdata[0], wlast};
    b_waits <= bvalid_i && !bready;
    b_resp <= bresp_i;
    answered_wrong <= answers && bresp_i[1];
    addressed <= addressed + 8'(awvalid && awready_i);
    complete <= complete + 8'(sends && wlast);
    answered <= answered + 8'(answers);
    got <= got + 8'(taken);
    sent <= sent + 8'(sends);
    if (take) asked <= asked + 8'(beats_i);
    stretches <= stretches + 8'(take);
    dones <= dones + 8'(done);
    if (sends) beat <= last ? '0 : beat + 1'b1;
    if (taken && mark_i) {marked, pending, ahead} <= {2'b11, got - sent - 8'(sends)};
    else if (sends) begin
      ahead <= ahead - 1'b1;
      if (ahead == 0) pending <= 1'b0;
    end
    if (rst_i) begin
      {aw_waits, w_waits, b_waits, answered_wrong, marked, pending} <= '0;
      beat <= '0;
      {addressed, complete, answered, got, sent, asked, stretches, dones} <= '0;
    end
  end
  always @* begin
    if (valid_i) assume (beats_i != 0);
    if (marked) assume (!mark_i);
    if (bvalid_i) assume (answered != addressed && answered != complete);
    if (b_waits) assume (bvalid_i && bresp_i == b_resp);
  end
  always @* if (live && !rst_i) begin
    if (w_waits) assert (wvalid && wdata[0] == w_mark && wlast == w_last);
    if (wvalid) assert (open && wlast == last);
    if (wvalid) assert (wdata[0] == (pending && ahead == 0));
    assert (got - sent <= 2 && asked - got <= 8'h7f);
    assert (error == answered_wrong);
    assert (stretches - dones <= 8'h7f);
    // Nothing is outstanding exactly if all stretches are done, the last one in this cycle at the latest.
    assert (busy == (stretches != dones + 8'(done)));
    if (!busy) assert (asked == sent && addressed == answered && complete == answered);
  end
  formal_stretches #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(COUNT), .ADDRESS(ADDRESS)) u_stretches (
      .clk_i, .rst_i, .live_i(live), .take_i(take), .address_i, .beats_i, .valid_i(awvalid), .ready_i(awready_i),
      .bus_address_i(awaddr), .len_i(awlen), .ends_i(answers)
  );
endmodule
