// SPDX-License-Identifier: MIT OR Apache-2.0
// Two affine_batch_adds and their batch_root with the ports of every bench: in_i = {number of the adder, tag, right, left}, out_o =
// for each adder {sum is there, tag, sum}. Points are {y, x}; coordinates have WORD bits, other fields 32. A pair of an adder that
// is not ready is refused: ready_o is low.
module tb_affine #(
    parameter int CURVE = reclaimer_pkg::BLS12_377,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int LATENCY = 39,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    localparam int WORD = reclaimer_pkg::word(CURVE)
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [4*WORD+64-1:0]   in_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [4*WORD+128-1:0]  out_o,
    output logic [           31:0] latency_o
);
  localparam int WIDTH = reclaimer_pkg::width(CURVE);
  localparam logic [field_pkg::WIDE-1:0] PRIME = reclaimer_pkg::prime(CURVE);
  localparam int ADDERS = 2;
  assign latency_o = 32'(LATENCY);
  assign valid_o = 1'b1;
  logic [31:0] number, tag;
  logic [2*WORD-1:0] left, right;
  assign {number, tag, right, left} = in_i;

  logic [ADDERS-1:0] ready, product_valid;
  logic [ADDERS*WIDTH-1:0] product, inverse;
  logic inverse_valid;
  assign ready_o = ready[number[0]];
  for (genvar i = 0; i < ADDERS; i++) begin : g_adder
    logic there, unused_placed, unused_multiplied, unused_squares, unused_last;
    logic [31:0] found_tag;
    logic [2*WIDTH-1:0] sum;
    affine_batch_add #(
        .WIDTH(WIDTH), .PRIME(PRIME[WIDTH-1:0]), .WORD(WORD), .KIND(KIND), .LATENCY(LATENCY), .BATCH(BATCH),
        .CHAINS(CHAINS), .TAG_WIDTH(32)
    ) u_dut (
        .clk_i, .rst_i, .valid_i(valid_i && number == i), .ready_o(ready[i]), .tag_i(tag),
        .left_i({left[WORD+:WIDTH], left[0+:WIDTH]}), .right_i({right[WORD+:WIDTH], right[0+:WIDTH]}), .valid_o(there),
        .tag_o(found_tag), .sum_o(sum), .product_valid_o(product_valid[i]), .product_o(product[i*WIDTH+:WIDTH]),
        .inverse_valid_i(inverse_valid), .inverse_i(inverse[i*WIDTH+:WIDTH]), .placed_o(unused_placed),
        .multiplied_o(unused_multiplied), .squares_o(unused_squares), .last_o(unused_last)
    );
    assign out_o[i*(2*WORD+64)+:2*WORD+64] =
        {31'b0, there, found_tag, WORD'(sum[WIDTH+:WIDTH]), WORD'(sum[0+:WIDTH])};
  end
  batch_root #(
      .WIDTH(WIDTH), .PRIME(PRIME[WIDTH-1:0]), .WORD(WORD), .KIND(KIND), .LATENCY(LATENCY), .BATCH(BATCH),
      .CHAINS(CHAINS), .ADDERS(ADDERS)
  ) u_root (
      .clk_i, .rst_i, .valid_i(product_valid[0]), .product_i(product), .valid_o(inverse_valid), .inverse_o(inverse)
  );

  unread u_unread (.d_i(^{ready_i, left, right, product_valid, PRIME}));
endmodule
