// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads registers on an AXI4-Lite bus with another clock, a word at a time.
//
// Contract: wanted_i and address_i, in words, stay until taken_i. Some cycles later, there_o comes with the word, and ok_o says whether
// the register exists; both stay until taken_i. While open_i is low, the other bus is in reset: then a word comes at once, with ok_o low,
// and so does a word that is under way. All crossings are in reset with other_rst_i and with open_i low.
module register_fetch #(
    parameter int ADDRESS = 10
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    open_i,
    input  logic                    wanted_i,
    input  logic [     ADDRESS-1:0] address_i,
    input  logic                    taken_i,
    output logic                    there_o,
    output logic [            31:0] data_o,
    output logic                    ok_o,
    input  logic                    other_clk_i,
    input  logic                    other_rst_i,
    output axi_lite_pkg::request_t  request_o,
    input  axi_lite_pkg::response_t response_i
);
  logic asks, asked, ask_ready, answer_valid, answer_ok;
  logic [31:0] answer;
  assign asks = wanted_i && !asked && !there_o && open_i;
  always_ff @(posedge clk_i) begin
    if (asks && ask_ready) asked <= 1'b1;
    if (wanted_i && !there_o && (!open_i || (asked && answer_valid))) begin
      there_o <= 1'b1;
      asked <= 1'b0;
      ok_o <= open_i && answer_ok;
      data_o <= open_i ? answer : '0;
    end
    if (taken_i) there_o <= 1'b0;
    if (rst_i) {asked, there_o} <= '0;
  end

  // On the other side: an address on the bus, then its answer.
  logic ask_valid, pending, reply, reply_ready;
  logic [ADDRESS-1:0] address;
  stream_crossing #(.WIDTH(ADDRESS), .DEPTH(4)) u_ask (
      .write_clk_i(clk_i), .write_rst_i(rst_i || !open_i), .valid_i(asks), .ready_o(ask_ready), .data_i(address_i),
      .read_clk_i(other_clk_i), .read_rst_i(other_rst_i), .valid_o(ask_valid), .ready_i(reply && reply_ready),
      .data_o(address)
  );
  stream_crossing #(.WIDTH(33), .DEPTH(4)) u_answer (
      .write_clk_i(other_clk_i), .write_rst_i(other_rst_i), .valid_i(reply), .ready_o(reply_ready),
      .data_i({!response_i.rresp[1], response_i.rdata}), .read_clk_i(clk_i), .read_rst_i(rst_i || !open_i),
      .valid_o(answer_valid), .ready_i(1'b1), .data_o({answer_ok, answer})
  );
  assign reply = pending && response_i.rvalid;
  always_ff @(posedge other_clk_i) begin
    if (request_o.arvalid && response_i.arready) pending <= 1'b1;
    if (reply && reply_ready) pending <= 1'b0;
    if (other_rst_i) pending <= 1'b0;
  end
  always_comb begin
    request_o = '0;
    request_o.arvalid = ask_valid && !pending;
    request_o.araddr = {(30 - ADDRESS)'(0), address, 2'b00};
    request_o.rready = pending && reply_ready;
  end

  unread u_unread (.d_i(^{response_i.awready, response_i.wready, response_i.bvalid, response_i.bresp, response_i.rresp[0]}));
endmodule
