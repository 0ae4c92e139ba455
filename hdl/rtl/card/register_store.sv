// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes registers on an AXI4-Lite bus with another clock, one after the other.
//
// Contract: in a cycle with start_i, the list of WORDS registers begins, the lowest first: an address, in words, above its 32 bits. The
// list stays until its last word is written, and start_i does not come again before. All crossings are in reset with other_rst_i and with
// rst_i, at the same time. The bus is register_write's.
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

  logic valid, done;
  logic [ADDRESS-1:0] address;
  logic [31:0] data;
  stream_crossing #(.WIDTH(WIDTH), .DEPTH(4)) u_crossing (
      .write_clk_i(clk_i), .write_rst_i(rst_i), .valid_i(next != COUNT'(WORDS)), .ready_o(ready), .data_i(word),
      .read_clk_i(other_clk_i), .read_rst_i(other_rst_i), .valid_o(valid), .ready_i(done), .data_o({address, data})
  );
  register_write #(.ADDRESS(ADDRESS)) u_write (
      .clk_i(other_clk_i), .rst_i(other_rst_i), .valid_i(valid), .address_i(address), .data_i(data), .done_o(done), .request_o,
      .response_i
  );
endmodule
