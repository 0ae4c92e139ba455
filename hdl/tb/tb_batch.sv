// SPDX-License-Identifier: MIT OR Apache-2.0
// batch_chains with the ports of every bench: in_i = {inverse of a chain's product is there, it, a difference}, out_o = {inverse of a
// difference is there, it, a chain's product is there, it}; numbers have WORD bits, flags 32. In every cycle there is a difference.
module tb_batch #(
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int LATENCY = 39,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    localparam int WIDTH = bls12_377_pkg::WIDTH,
    localparam int WORD = bls12_377_pkg::WORD
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic [2*WORD+32-1:0] in_i,
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [2*WORD+64-1:0] out_o,
    output logic [         31:0] latency_o
);
  logic [WORD-1:0] inverse, d;
  logic [31:0] inverse_valid;
  logic product_valid, found_valid, unused_data;
  logic [WIDTH-1:0] product, found;
  assign {inverse_valid, inverse, d} = in_i;
  assign out_o = {31'b0, found_valid, WORD'(found), 31'b0, product_valid, WORD'(product)};
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'(LATENCY + 1);
  batch_chains #(.KIND(KIND), .LATENCY(LATENCY), .BATCH(BATCH), .CHAINS(CHAINS)) u_dut (
      .clk_i, .rst_i, .d_i(d[WIDTH-1:0]), .data_i(d[0]), .product_valid_o(product_valid), .product_o(product),
      .inverse_valid_i(inverse_valid[0]), .inverse_i(inverse[WIDTH-1:0]), .valid_o(found_valid), .inverse_o(found),
      .data_o(unused_data));

  unread u_unread (.d_i(^{valid_i, ready_i, inverse_valid[31:1], inverse[WORD-1:WIDTH], d[WORD-1:WIDTH]}));
endmodule
