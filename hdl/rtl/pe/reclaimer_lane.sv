// SPDX-License-Identifier: MIT OR Apache-2.0
// A window of the reclaimer: two sets of buckets. One set takes the points of a window, the other set is aggregated by halving.
//
// Contract: exchange_i swaps the sets while done_o and idle_o are high, and with aggregate_i the aggregation of the set that took
// points begins. A point is taken in a cycle with valid_i and ready_o; the point comes as it is, and is negated here. Of the
// vectors of pairs and sums, the lowest part is for the set that takes points, the highest part for the set that is aggregated.
// A pair is a bucket, a left and a right point, the bucket highest. Parts of an aggregated window leave in cycles with part_valid_o
// and part_ready_i: BUCKET_WIDTH + 1 points, in the order of reclaimer_halving. swept_o is low after a reset, until the buckets
// are empty.
module reclaimer_lane #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int BUCKET_WIDTH = 16,
    parameter int BANK_WIDTH = 2,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int IN_FLIGHT = 8192,
    localparam int POINT = 2 * WIDTH,
    localparam int PAIR = BUCKET_WIDTH + 2 * POINT
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      clear_i,
    input  logic                      exchange_i,
    input  logic                      aggregate_i,
    output logic                      swept_o,
    output logic                      done_o,
    output logic                      idle_o,
    input  logic                      valid_i,
    output logic                      ready_o,
    input  logic [  BUCKET_WIDTH-1:0] bucket_i,
    input  logic                      negative_i,
    input  logic [         POINT-1:0] point_i,
    output logic [               1:0] pair_valid_o,
    output logic                      pair_of_sum_o,
    input  logic [               1:0] pair_ready_i,
    output logic [        2*PAIR-1:0] pair_o,
    input  logic [               1:0] sum_valid_i,
    input  logic [2*BUCKET_WIDTH-1:0] sum_bucket_i,
    input  logic [       2*POINT-1:0] sum_i,
    output logic                      part_valid_o,
    input  logic                      part_ready_i,
    output logic [         POINT-1:0] part_o,
    output logic [              63:0] collisions_o,
    output logic [              31:0] pairs_high_water_o,
    output logic [              31:0] collisions_high_water_o
);
  localparam int SUMS = 8;

  // The set that takes points.
  logic set;
  always_ff @(posedge clk_i) set <= rst_i ? 1'b0 : set ^ exchange_i;

  logic [POINT-1:0] signed_point;
  delay_line #(.WIDTH(WIDTH), .DEPTH(2)) u_x (.clk_i, .d_i(point_i[0+:WIDTH]), .q_o(signed_point[0+:WIDTH]));
  mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(2)) u_y (
      .clk_i, .negative_i, .a_i(point_i[WIDTH+:WIDTH]), .r_o(signed_point[WIDTH+:WIDTH]));

  logic visit_valid, neighbours_valid, neighbours_ready, room, part_there, part_occupied;
  logic [1:0] read;
  logic [2*BUCKET_WIDTH-1:0] read_bucket;
  logic [BUCKET_WIDTH-1:0] visit_bucket;
  logic [POINT-1:0] visit_point, part;
  logic [PAIR-1:0] neighbours;

  // The sets, each in one of two roles.
  logic [1:0] ready, done, valid, of_sum, collisions_wait, give_ready;
  logic [3:0] occupied;
  logic [2*PAIR-1:0] pair;
  logic [4*POINT-1:0] data;
  logic [63:0] collisions, pairs_high_water, collisions_high_water;
  for (genvar i = 0; i < 2; i++) begin : g_set
    logic takes;
    logic [31:0] unused_pairs;
    assign takes = set == (i == 1);
    assign give_ready[i] = takes ? pair_ready_i[0] : pair_ready_i[1];
    pairing_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(BANK_WIDTH), .DATA_WIDTH(POINT), .PAIRS(PAIRS), .COLLISIONS(COLLISIONS),
        .IN_FLIGHT(IN_FLIGHT), .SUMS(SUMS), .READS(2), .MEET(1)
    ) u_scheduler (
        .clk_i, .rst_i, .clear_i, .valid_i(takes ? valid_i : visit_valid), .ready_o(ready[i]),
        .bucket_i(takes ? bucket_i : visit_bucket), .data_i(takes ? signed_point : visit_point),
        .pair_valid_o(valid[i]), .pair_of_sum_o(of_sum[i]), .pair_ready_i(give_ready[i]),
        .pair_bucket_o(pair[i*PAIR+2*POINT+:BUCKET_WIDTH]), .left_o(pair[i*PAIR+POINT+:POINT]),
        .right_o(pair[i*PAIR+:POINT]),
        .sum_valid_i(takes ? sum_valid_i[0] : sum_valid_i[1]),
        .sum_bucket_i(takes ? sum_bucket_i[0+:BUCKET_WIDTH] : sum_bucket_i[BUCKET_WIDTH+:BUCKET_WIDTH]),
        .sum_i(takes ? sum_i[0+:POINT] : sum_i[POINT+:POINT]), .lent_i(!takes && neighbours_valid && neighbours_ready),
        .collisions_wait_o(collisions_wait[i]), .finish_i(1'b1), .done_o(done[i]), .read_i(takes ? '0 : read),
        .read_bucket_i(read_bucket), .read_occupied_o(occupied[2*i+:2]), .read_data_o(data[2*i*POINT+:2*POINT]),
        .pairs_o(unused_pairs), .collisions_o(collisions[32*i+:32]), .pairs_high_water_o(pairs_high_water[32*i+:32]),
        .collisions_high_water_o(collisions_high_water[32*i+:32])
    );

    unread u_unread (.d_i(^unused_pairs));
  end
  assign ready_o = ready[set];
  assign done_o = done[set];
  assign swept_o = &done;
  assign pair_valid_o = {valid[!set] || neighbours_valid, valid[set]};
  assign pair_of_sum_o = of_sum[!set];
  assign neighbours_ready = pair_ready_i[1] && !valid[!set];
  assign pair_o[0+:PAIR] = set ? pair[PAIR+:PAIR] : pair[0+:PAIR];
  assign pair_o[PAIR+:PAIR] = !valid[!set] ? neighbours : set ? pair[0+:PAIR] : pair[PAIR+:PAIR];

  reclaimer_halving #(.BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(BANK_WIDTH), .DATA_WIDTH(POINT)) u_halving (
      .clk_i, .rst_i, .start_i(exchange_i && aggregate_i), .idle_o,
      .sum_valid_i(sum_valid_i[1]), .sum_bucket_i(sum_bucket_i[BUCKET_WIDTH+:BUCKET_WIDTH]),
      .read_o(read), .read_bucket_o(read_bucket), .read_occupied_i(set ? occupied[1:0] : occupied[3:2]),
      .read_data_i(set ? data[0+:2*POINT] : data[2*POINT+:2*POINT]), .visit_valid_o(visit_valid),
      .visit_ready_i(ready[!set]), .visit_bucket_o(visit_bucket), .visit_point_o(visit_point),
      .collisions_wait_i(collisions_wait[!set]), .done_i(done[!set]), .pair_valid_o(neighbours_valid),
      .pair_ready_i(neighbours_ready), .pair_bucket_o(neighbours[2*POINT+:BUCKET_WIDTH]),
      .left_o(neighbours[POINT+:POINT]), .right_o(neighbours[0+:POINT]), .room_i(room), .part_valid_o(part_there),
      .part_occupied_o(part_occupied), .part_o(part)
  );
  logic unused_part_ready, unused_full;
  logic [$clog2(BUCKET_WIDTH+2)-1:0] parts_waiting;
  fifo #(.WIDTH(POINT), .DEPTH(BUCKET_WIDTH + 1), .MUST_TAKE(1)) u_parts (
      .clk_i, .rst_i, .valid_i(part_there), .ready_o(unused_part_ready), .data_i(part_occupied ? part : '0),
      .valid_o(part_valid_o), .ready_i(part_ready_i), .data_o(part_o), .count_o(parts_waiting),
      .almost_full_o(unused_full)
  );
  assign room = parts_waiting == 0;

  assign collisions_o = 64'(collisions[31:0]) + 64'(collisions[63:32]);
  assign pairs_high_water_o =
      pairs_high_water[31:0] > pairs_high_water[63:32] ? pairs_high_water[31:0] : pairs_high_water[63:32];
  assign collisions_high_water_o = collisions_high_water[31:0] > collisions_high_water[63:32]
      ? collisions_high_water[31:0] : collisions_high_water[63:32];
endmodule
