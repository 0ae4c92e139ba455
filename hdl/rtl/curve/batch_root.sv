// SPDX-License-Identifier: MIT OR Apache-2.0
// The inverses of the products of all chains of a batch, by one inversion: a tree of products up to their root, divsteps, and the
// tree down again.
//
//   v_0, ..., v_(L-1)                           the products of L = ADDERS CHAINS chains, as they come
//   for t from 0 to L - 2:    v_(L+t) = v_2t v_(2t+1)
//   w_(2L-2) = 1 / v_(2L-2)                     the root
//   for t from L - 2 to 0:    w_(2t+1) = w_(L+t) v_2t,  w_2t = w_(L+t) v_(2t+1)
//   w_0, ..., w_(L-1)                           the inverses
//
// One multiplier goes up, a product a cycle, and one goes down. Each takes its products in this order, and begins a product when
// both operands are there. So the times of a batch are always the same.
//
// Departure from the pseudo-code: the inverter gives 1 / a of an a in Montgomery form, so the first product of the way down, by
// R^3, brings the inverse to Montgomery form.
//
// Contract: valid_i comes with a product of each adder, the first adder lowest, one chain after the other; CHAINS cycles in a row, every
// BATCH cycles. Products are not 0. valid_o comes with the inverses in the same order, CHAINS cycles in a row. `ascend` and `descend`
// in crates/hardware/src/reclaimer/schedule.rs give the cycles between.
`include "ports.svh"
module batch_root #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LATENCY = 39,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int ADDERS = 4
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    valid_i,
    input  logic [ADDERS*WIDTH-1:0] product_i,
    output logic                    valid_o,
    output logic [ADDERS*WIDTH-1:0] inverse_o
);
  // Batches that are under way.
  localparam int FRAMES = 4;
  localparam int FRAME = $clog2(FRAMES);
  localparam int LEAVES = ADDERS * CHAINS;
  localparam int LEAF = $clog2(LEAVES);
  localparam int CHAIN = $clog2(CHAINS);
  // Pairs of a chain's products.
  localparam int PAIRS = ADDERS / 2;
  localparam int PAIR = LEAF - 1 - CHAIN;
  localparam logic [field_pkg::WIDE-1:0] R3 = field_pkg::shifted(field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), 3 * WORD);
  if (ADDERS != 2 * PAIRS || PAIRS != 1 << PAIR || CHAINS != 1 << CHAIN) begin : g_invalid
    $error("batch_root: ADDERS and CHAINS are powers of two, ADDERS at least 2");
  end
  if (BATCH < field_pkg::divsteps(WIDTH) + 1) begin : g_invalid_batch
    $error("batch_root: BATCH is at least the cycles of an inversion");
  end

  // Products that have come, and the way up. `next` is t of the next product, `made` the number of finished products.
  logic [CHAIN:0] arrived;
  logic [FRAME-1:0] in_frame, up_frame, made_frame;
  logic [CHAIN-1:0] in_chain;
  logic [LEAF-1:0] next, made;
  logic up_inner, up, up_there, root_there;
  assign up_inner = next[LEAF-1];
  // 2 t + 1 - L is below the number of finished products, or both leaves have come.
  assign up = up_inner ? {1'b0, made} > {1'b0, next[LEAF-2:0], 1'b1} : arrived > (CHAIN + 1)'(next[LEAF-2:PAIR]);
  assign root_there = up_there && made == LEAF'(LEAVES - 2);
  always_ff @(posedge clk_i) begin
    if (valid_i) {in_frame, in_chain} <= {in_frame, in_chain} + 1'b1;
    if (valid_i) arrived <= arrived + 1'b1;
    if (up) next <= next + 1'b1;
    if (up && next == LEAF'(LEAVES - 2)) begin
      next <= '0;
      arrived <= '0;
      up_frame <= up_frame + 1'b1;
    end
    if (up_there) made <= root_there ? '0 : made + 1'b1;
    if (root_there) made_frame <= made_frame + 1'b1;
    if (rst_i) begin
      arrived <= '0;
      {in_frame, in_chain} <= '0;
      {up_frame, next} <= '0;
      {made_frame, made} <= '0;
    end
  end

  // The pairs of values, for both ways: the chains' products, and the products of the tree.
  logic [WIDTH-1:0] up_product;
  logic down;
  logic [FRAME-1:0] down_frame;
  logic [LEAF-1:0] down_next;
  logic [2*WIDTH-1:0] up_pair, down_pair;
  for (genvar way = 0; way < 2; way++) begin : g_way
    logic inner, inner_1;
    logic [FRAME-1:0] frame;
    logic [LEAF-2:0] t;
    logic [2*WIDTH-1:0] node, leaf, pair;
    logic [PAIRS*2*WIDTH-1:0] leaves;
    if (way == 0) begin : g_up
      assign {inner, t, frame} = {next, up_frame};
      assign up_pair = pair;
    end else begin : g_down
      assign {inner, t, frame} = {down_next, down_frame};
      assign down_pair = pair;
    end
    for (genvar half = 0; half < 2; half++) begin : g_half
      ram_sdp #(.WIDTH(WIDTH), .DEPTH(FRAMES * LEAVES / 2)) u_nodes (
          .clk_i, .write_i(up_there && made[0] == (half == 1)), .write_address_i({made_frame, made[LEAF-1:1]}),
          .data_i(up_product), .read_i(1'b1), .read_address_i({frame, t}), .data_o(node[half*WIDTH+:WIDTH]));
    end
    for (genvar i = 0; i < PAIRS; i++) begin : g_leaves
      ram_sdp #(.WIDTH(2 * WIDTH), .DEPTH(FRAMES * CHAINS)) u_leaves (
          .clk_i, .write_i(valid_i), .write_address_i({in_frame, in_chain}), .data_i(product_i[2*i*WIDTH+:2*WIDTH]),
          .read_i(1'b1), .read_address_i({frame, t[LEAF-2:PAIR]}), .data_o(leaves[2*i*WIDTH+:2*WIDTH]));
    end
    if (PAIRS == 1) begin : g_one
      assign leaf = leaves;
    end else begin : g_many
      logic [PAIR-1:0] number_1;
      always_ff @(posedge clk_i) number_1 <= t[PAIR-1:0];
      assign leaf = leaves[number_1*2*WIDTH+:2*WIDTH];
    end
    always_ff @(posedge clk_i) inner_1 <= inner;
    assign pair = inner_1 ? node : leaf;
  end
  logic [WIDTH-1:0] up_left, up_right;
  logic unused_up_tag;
  always_ff @(posedge clk_i) {up_right, up_left} <= up_pair;
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_up (.clk_i, .a_i({1'b0, up_left}), .b_i({1'b0, up_right}), .p_o(up_product));
  tag_line #(.LATENCY(LATENCY + 2)) u_up_there (
      .clk_i, .rst_i, .valid_i(up), .tag_i(1'b0), .valid_o(up_there), .tag_o(unused_up_tag));

  logic inverter_ready, inverted;
  logic [WIDTH-1:0] root;
  divstep_inverse #(.WIDTH(WIDTH), .PRIME(PRIME)) u_inverse (
      .clk_i, .rst_i, .valid_i(root_there), .ready_o(inverter_ready), .a_i(up_product), .valid_o(inverted),
      .inverse_o(root));

  // The way down: t of the next two products, and the number of the second one's turn. `found` is the number of inverses that are
  // there, and `place` the v whose inverse comes next.
  logic running, second, second_1, down_there, of_leaf;
  logic [LEAF-1:0] turn;
  logic [LEAF:0] found, place;
  logic [WIDTH-1:0] above, down_left, down_right, down_product;
  assign down = running && (second || found > {1'b0, turn});
  assign of_leaf = !place[LEAF];
  always_ff @(posedge clk_i) begin
    if (down) second <= !second;
    if (down && second) begin
      down_next <= down_next - 1'b1;
      turn <= turn + 1'b1;
      if (down_next == 0) begin
        running <= 1'b0;
        down_frame <= down_frame + 1'b1;
      end
    end
    if (inverted) begin
      running <= 1'b1;
      down_next <= LEAF'(LEAVES - 2);
      turn <= '0;
    end
    if (down_there) begin
      found <= found + 1'b1;
      place <= place - 1'b1;
    end
    if (inverted || rst_i) begin
      found <= '0;
      place <= (LEAF + 1)'(2 * LEAVES - 2);
    end
    if (rst_i) begin
      running <= 1'b0;
      second <= 1'b0;
      down_frame <= '0;
    end
  end
  ram_sdp #(.WIDTH(WIDTH), .DEPTH(LEAVES)) u_above (
      .clk_i, .write_i(down_there && !of_leaf), .write_address_i(found[LEAF-1:0]), .data_i(down_product), .read_i(1'b1),
      .read_address_i(turn), .data_o(above));
  always_ff @(posedge clk_i) begin
    second_1 <= second;
    down_left <= inverted ? root : above;
    down_right <= inverted ? R3[WIDTH-1:0] : second_1 ? down_pair[WIDTH+:WIDTH] : down_pair[0+:WIDTH];
  end
  montgomery_mul #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(LATENCY)
  ) u_down (.clk_i, .a_i({1'b0, down_left}), .b_i({1'b0, down_right}), .p_o(down_product));
  logic down_1, unused_down_tag;
  always_ff @(posedge clk_i) down_1 <= !rst_i && down;
  tag_line #(.LATENCY(LATENCY + 1)) u_down_there (
      .clk_i, .rst_i, .valid_i(down_1 || inverted), .tag_i(1'b0), .valid_o(down_there), .tag_o(unused_down_tag));

  // The chains' inverses leave when all are there.
  logic leaving;
  logic [CHAIN-1:0] out_chain;
  always_ff @(posedge clk_i) begin
    if (leaving) out_chain <= out_chain + 1'b1;
    if (&out_chain) leaving <= 1'b0;
    if (down_there && place == 0) leaving <= 1'b1;
    valid_o <= leaving && !rst_i;
    if (rst_i) begin
      leaving <= 1'b0;
      out_chain <= '0;
    end
  end
  for (genvar i = 0; i < ADDERS; i++) begin : g_out
    ram_sdp #(.WIDTH(WIDTH), .DEPTH(CHAINS)) u_out (
        .clk_i, .write_i(down_there && of_leaf && place[LEAF-CHAIN-1:0] == (LEAF - CHAIN)'(i)),
        .write_address_i(place[LEAF-1:LEAF-CHAIN]), .data_i(down_product), .read_i(1'b1), .read_address_i(out_chain),
        .data_o(inverse_o[i*WIDTH+:WIDTH]));
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && root_there && !inverter_ready) $error("batch_root: the inverter still works on the batch before");
    if (!rst_i && inverted && running) $error("batch_root: the way down still works on the batch before");
    if (!rst_i && valid_i && up_inner) $error("batch_root: the way up still works on the batch before");
  end
`endif
endmodule
