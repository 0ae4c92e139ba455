// SPDX-License-Identifier: MIT OR Apache-2.0
// The inverses of batches of differences, from one inverse for each of a batch's chains.
//
// A batch is BATCH cycles, with a difference in each. Place i belongs to chain i mod CHAINS, so that a chain's product is there
// before the chain is next.
//
//   there, in each cycle i:            p_i = p_(i - CHAINS) d_i,  from 1 on
//   from outside, in chain order:      s_c = 1 / (the last product of chain c)
//   back, the last turn first:         1 / d_i = s_c p_(i - CHAINS),  s_c = s_c d_i
//
// Three multipliers do this for a difference a cycle. A place that is not used has the difference 1.
//
// Contract:
// - After a reset, the first cycle is place 0 of a batch; batches follow each other without a gap. d_i is below PRIME, not 0, and in
//   Montgomery form, as all values here.
// - The products of a batch's chains come at product_o with product_valid_o, in chain order: LATENCY + 1 cycles behind the
//   differences of the batch's last turn.
// - Their inverses come at inverse_i with inverse_valid_i in chain order, one a cycle without a gap, BATCH cycles or more after
//   the inverses of the batch before, and before the FRAMES'th next batch begins.
// - The inverses of the differences come at inverse_o with valid_o, one a cycle: the last turn of places first, each turn in
//   chain order, the first one LATENCY + 1 cycles after the first inverse_valid_i. data_o is the data_i of their difference.
`include "ports.svh"
module batch_chains #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LATENCY = 39,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int FRAMES = 8,
    parameter int DATA_WIDTH = 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic [     WIDTH-1:0] d_i,
    input  logic [DATA_WIDTH-1:0] data_i,
    output logic                  product_valid_o,
    output logic [     WIDTH-1:0] product_o,
    input  logic                  inverse_valid_i,
    input  logic [     WIDTH-1:0] inverse_i,
    output logic                  valid_o,
    output logic [     WIDTH-1:0] inverse_o,
    output logic [DATA_WIDTH-1:0] data_o
);
  localparam int TURNS = BATCH / CHAINS;
  localparam int TURN = $clog2(TURNS);
  localparam int CHAIN = $clog2(CHAINS);
  localparam int FRAME = $clog2(FRAMES);
  localparam logic [field_pkg::WIDE-1:0] ONE = field_pkg::shifted(field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), WORD);
  if (BATCH != 1 << (TURN + CHAIN) || CHAINS != 1 << CHAIN || FRAMES != 1 << FRAME || TURNS < 2 || FRAMES < 2
      || CHAINS < LATENCY + 1) begin : g_invalid
    $error("batch_chains: BATCH, CHAINS and FRAMES are powers of two, and CHAINS more than LATENCY");
  end

  // There. The register before the multiplier chooses 1 in the first turn.
  logic [FRAME-1:0] frame;
  logic [TURN-1:0] turn;
  logic [CHAIN-1:0] chain;
  logic [WIDTH-1:0] d_1, before_1, product, product_late;
  logic [DATA_WIDTH-1:0] data_1;
  logic last_1;
  always_ff @(posedge clk_i) begin
    {frame, turn, chain} <= rst_i ? '0 : {frame, turn, chain} + 1'b1;
    d_1 <= d_i;
    data_1 <= data_i;
    before_1 <= turn == '0 ? ONE[WIDTH-1:0] : product_late;
    last_1 <= !rst_i && &turn;
  end
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_product (.clk_i, .a_i({1'b0, d_1}), .b_i({1'b0, before_1}), .p_o(product));
  delay_line #(.WIDTH(WIDTH), .DEPTH(CHAINS - LATENCY - 1)) u_product_late (
      .clk_i, .d_i(product), .q_o(product_late));
  logic unused_tag;
  tag_line #(.LATENCY(LATENCY)) u_product_valid (
      .clk_i, .rst_i, .valid_i(last_1), .tag_i(1'b0), .valid_o(product_valid_o), .tag_o(unused_tag));
  assign product_o = product;

  // Each difference with its data, and the product before it, for the way back.
  logic [FRAME-1:0] frame_1;
  logic [TURN-1:0] turn_1;
  logic [CHAIN-1:0] chain_1;
  logic back;
  logic [FRAME-1:0] back_frame;
  logic [TURN-1:0] back_turn;
  logic [CHAIN-1:0] back_chain;
  logic [WIDTH-1:0] d_back, before_back;
  logic [DATA_WIDTH-1:0] data_back;
  always_ff @(posedge clk_i) {frame_1, turn_1, chain_1} <= {frame, turn, chain};
  ram_sdp #(.WIDTH(2 * WIDTH + DATA_WIDTH), .DEPTH(FRAMES * BATCH), .ULTRA(1)) u_places (
      .clk_i, .write_i(1'b1), .write_address_i({frame_1, turn_1, chain_1}), .data_i({data_1, d_1, before_1}),
      .read_i(back), .read_address_i({back_frame, ~back_turn, back_chain}), .data_o({data_back, d_back, before_back}));
  delay_line #(.WIDTH(DATA_WIDTH), .DEPTH(LATENCY)) u_data (.clk_i, .d_i(data_back), .q_o(data_o));

  // Back. The inverses of the chains' products are taken in the first turn.
  logic running, back_1;
  logic [WIDTH-1:0] s_1, s, s_late;
  assign back = running || inverse_valid_i;
  always_ff @(posedge clk_i) begin
    if (back) {back_turn, back_chain} <= {back_turn, back_chain} + 1'b1;
    if (back) running <= !(&back_turn && &back_chain);
    if (back && &back_turn && &back_chain) back_frame <= back_frame + 1'b1;
    s_1 <= back_turn == '0 ? inverse_i : s_late;
    back_1 <= back && !rst_i;
    if (rst_i) begin
      running <= 1'b0;
      back_frame <= '0;
      {back_turn, back_chain} <= '0;
    end
  end
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_inverse (.clk_i, .a_i({1'b0, s_1}), .b_i({1'b0, before_back}), .p_o(inverse_o));
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_s (.clk_i, .a_i({1'b0, s_1}), .b_i({1'b0, d_back}), .p_o(s));
  delay_line #(.WIDTH(WIDTH), .DEPTH(CHAINS - LATENCY - 1)) u_s_late (.clk_i, .d_i(s), .q_o(s_late));
  logic unused_back_tag;
  tag_line #(.LATENCY(LATENCY)) u_valid (
      .clk_i, .rst_i, .valid_i(back_1), .tag_i(1'b0), .valid_o, .tag_o(unused_back_tag));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && back && inverse_valid_i != (back_turn == '0)) $error("batch_chains: inverses not in their turn");
  end
`endif
endmodule
