// SPDX-License-Identifier: MIT OR Apache-2.0
// A RAM with one port to write and one to read.
//
// Contract: data_o in cycle t + 1 is the content of read_address_i in cycle t, before a write of the same cycle; it stays
// if read_i was low. The contents are undefined until written; there is no reset. ULTRA asks synthesis for UltraRAM.
module ram_sdp #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 2,
    parameter bit ULTRA = 0,
    localparam int ADDRESS = $clog2(DEPTH)
) (
    input  logic               clk_i,
    input  logic               write_i,
    input  logic [ADDRESS-1:0] write_address_i,
    input  logic [  WIDTH-1:0] data_i,
    input  logic               read_i,
    input  logic [ADDRESS-1:0] read_address_i,
    output logic [  WIDTH-1:0] data_o
);
  if (WIDTH < 1 || DEPTH < 2) begin : g_invalid
    $error("ram_sdp: WIDTH is at least 1, DEPTH at least 2");
  end

  (* ram_style = ULTRA ? "ultra" : "auto" *) logic [WIDTH-1:0] words[DEPTH];
  always_ff @(posedge clk_i) begin
    if (write_i) words[write_address_i] <= data_i;
    if (read_i) data_o <= words[read_address_i];
  end

  unread u_unread (.d_i(ULTRA));
endmodule
