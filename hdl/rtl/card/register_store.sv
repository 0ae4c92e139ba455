// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes registers on an AXI4-Lite bus with another clock, one after the other.
//
// Contract: in a cycle with start_i, the list of WORDS registers begins, the lowest first: an address, in words, above its 32 bits. The
// list stays until its last word is written, and start_i does not come again before. All crossings are in reset with other_rst_i and with
// rst_i, at the same time. The bus must not refuse a word; simulation reports it.
module register_store #(
    parameter int WORDS = 4,
    parameter int ADDRESS = 10,
    localparam int WIDTH = ADDRESS + 32
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    start_i,
    input  logic [ WORDS*WIDTH-1:0] words_i,
    input  logic                    other_clk_i,
    input  logic                    other_rst_i,
    output axi_lite_pkg::request_t  request_o,
    input  axi_lite_pkg::response_t response_i
);
  localparam int COUNT = $clog2(WORDS + 1);
  localparam int INDEX = $clog2(WORDS);
  logic ready;
  logic [COUNT-1:0] next;
  logic [WIDTH-1:0] word;
  assign word = words_i[next[INDEX-1:0]*WIDTH+:WIDTH];
  always_ff @(posedge clk_i) begin
    if (next != COUNT'(WORDS) && ready) next <= next + 1'b1;
    if (start_i) next <= '0;
    if (rst_i) next <= COUNT'(WORDS);
  end

  // On the other side: address and data until the bus has taken both, then the answer.
  logic valid, done, address_taken, data_taken;
  logic [ADDRESS-1:0] address;
  logic [31:0] data;
  stream_crossing #(.WIDTH(WIDTH), .DEPTH(4)) u_crossing (
      .write_clk_i(clk_i), .write_rst_i(rst_i), .valid_i(next != COUNT'(WORDS)), .ready_o(ready), .data_i(word),
      .read_clk_i(other_clk_i), .read_rst_i(other_rst_i), .valid_o(valid), .ready_i(done), .data_o({address, data})
  );
  assign done = address_taken && data_taken && response_i.bvalid;
  always_ff @(posedge other_clk_i) begin
    address_taken <= !done && (address_taken || (request_o.awvalid && response_i.awready));
    data_taken <= !done && (data_taken || (request_o.wvalid && response_i.wready));
    if (other_rst_i) {address_taken, data_taken} <= '0;
  end
  always_comb begin
    request_o = '0;
    request_o.awvalid = valid && !address_taken;
    request_o.awaddr = {(30 - ADDRESS)'(0), address, 2'b00};
    request_o.wvalid = valid && !data_taken;
    request_o.wdata = data;
    request_o.wstrb = '1;
    request_o.bready = address_taken && data_taken;
  end

  unread u_unread (.d_i(^{response_i.bresp, response_i.arready, response_i.rvalid, response_i.rdata, response_i.rresp}));

`ifndef SYNTHESIS
  always_ff @(posedge other_clk_i) begin
    if (!other_rst_i && done && response_i.bresp[1]) $error("register_store: a word is refused");
  end
`endif
endmodule
