// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer's aggregation of a window's buckets, in their own places, by halving.
//
//   for each level l, with 2^(BUCKET_WIDTH - l) buckets S_b from place l on:
//     for each k:  S'_k = S_2k + S_(2k+1) goes to place l + 1 + k;  S_(2k+1) also visits O, place l
//   give the places 0 to BUCKET_WIDTH
//
// sum b S_b = 2 sum k S'_k + O. So in the end place l has the sum of the buckets whose number has bit l, and place BUCKET_WIDTH
// has the sum of all buckets. Neighbours are a pair for the adder as they are, and a lone point only moves to its half. Points of
// O pair in their bucket as points of the input do, while the next levels go on.
//
// Departures from the pseudo-code:
// 1. A pair of neighbours is read in a cycle in which no sum comes to their banks, if there is room for the points under way.
// 2. A level ends when each S'_k is in its bucket: when no pair of the level is at the adder, no point waits, and this has been so
//    for as long as a visit takes.
//
// Contract: start_i begins while idle_o. The read, visit and sum ports are for a pairing_scheduler with two readers, whose
// done_o is done_i and whose collisions_wait_o is collisions_wait_i. A visit is taken in a cycle with visit_valid_o and
// visit_ready_i; its point is at visit_point_o two cycles later. A pair of neighbours leaves with pair_valid_o and pair_ready_i.
// Parts come with part_valid_o, one a cycle; room_i says that there is room for all parts of a window.
module reclaimer_halving #(
    parameter int BUCKET_WIDTH = 16,
    parameter int BANK_WIDTH = 2,
    parameter int DATA_WIDTH = 8
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      start_i,
    output logic                      idle_o,
    input  logic                      sum_valid_i,
    input  logic [  BUCKET_WIDTH-1:0] sum_bucket_i,
    output logic [               1:0] read_o,
    output logic [2*BUCKET_WIDTH-1:0] read_bucket_o,
    input  logic [               1:0] read_occupied_i,
    input  logic [  2*DATA_WIDTH-1:0] read_data_i,
    output logic                      visit_valid_o,
    input  logic                      visit_ready_i,
    output logic [  BUCKET_WIDTH-1:0] visit_bucket_o,
    output logic [    DATA_WIDTH-1:0] visit_point_o,
    input  logic                      collisions_wait_i,
    input  logic                      done_i,
    output logic                      pair_valid_o,
    input  logic                      pair_ready_i,
    output logic [  BUCKET_WIDTH-1:0] pair_bucket_o,
    output logic [    DATA_WIDTH-1:0] left_o,
    output logic [    DATA_WIDTH-1:0] right_o,
    input  logic                      room_i,
    output logic                      part_valid_o,
    output logic                      part_occupied_o,
    output logic [    DATA_WIDTH-1:0] part_o
);
  localparam int READ_LATENCY = 4;  // of pairing_scheduler
  localparam int PLACES = 16;
  localparam int PLACE = $clog2(PLACES + 1);
  localparam int SETTLED = 3;
  localparam int LEVEL = $clog2(BUCKET_WIDTH + READ_LATENCY + 2);
  if (BUCKET_WIDTH < BANK_WIDTH + 1) begin : g_invalid
    $error("reclaimer_halving: at least two buckets a bank");
  end

  typedef enum logic [1:0] {IDLE, HALVE, WAIT, GIVE} state_e;
  state_e state;
  // The level; its pairs that are still to be read, and the places of the next pair and of its half.
  logic [LEVEL-1:0] level, part;
  logic [BUCKET_WIDTH-1:0] unread, first, half, level_place, part_place;
  logic [$clog2(SETTLED+1)-1:0] quiet;
  assign idle_o = state == IDLE;
  assign level_place = BUCKET_WIDTH'(level);
  assign part_place = BUCKET_WIDTH'(part);

  // Neighbours on their way from the banks, and the places of both queues that they and the waiting points take.
  logic [READ_LATENCY-1:0] reading;
  logic [PLACE-1:0] pair_places, visit_places;
  logic read, give, full, meets, arrives;
  logic [BUCKET_WIDTH-1:0] second, arrived_half;
  assign second = first + 1'b1;
  assign full = pair_places == PLACE'(PLACES) || visit_places == PLACE'(PLACES);
  assign meets = sum_valid_i && (sum_bucket_i[BANK_WIDTH-1:0] == first[BANK_WIDTH-1:0]
      || sum_bucket_i[BANK_WIDTH-1:0] == second[BANK_WIDTH-1:0]);
  assign read = state == HALVE && unread != 0 && !full && !meets;
  assign give = state == GIVE && part <= LEVEL'(BUCKET_WIDTH);
  assign read_o = {read, read || give};
  assign read_bucket_o = {second, give ? part_place : first};
  assign arrives = reading[READ_LATENCY-1];
  delay_line #(.WIDTH(BUCKET_WIDTH), .DEPTH(READ_LATENCY)) u_half (.clk_i, .d_i(half), .q_o(arrived_half));

  // Pairs for the adder.
  logic pairs, unused_pair_ready, unused_pairs_full;
  logic [PLACE-1:0] unused_pairs_waiting, unused_visits_waiting;
  logic [DATA_WIDTH-1:0] left, right;
  assign {right, left} = read_data_i;
  assign pairs = arrives && &read_occupied_i;
  fifo #(.WIDTH(BUCKET_WIDTH + 2 * DATA_WIDTH), .DEPTH(PLACES), .MUST_TAKE(1)) u_neighbours (
      .clk_i, .rst_i, .valid_i(pairs), .ready_o(unused_pair_ready), .data_i({arrived_half, left, right}),
      .valid_o(pair_valid_o), .ready_i(pair_ready_i), .data_o({pair_bucket_o, left_o, right_o}),
      .count_o(unused_pairs_waiting), .almost_full_o(unused_pairs_full)
  );

  // Points that visit O, their half, or both.
  logic visits, to_odd, to_half, odd_visited, visited, unused_visit_ready, unused_visits_full;
  logic [BUCKET_WIDTH-1:0] visit_half;
  logic [DATA_WIDTH-1:0] visitor;
  assign visits = arrives && |read_occupied_i;
  fifo #(.WIDTH(2 + BUCKET_WIDTH + DATA_WIDTH), .DEPTH(PLACES), .MUST_TAKE(1)) u_visits (
      .clk_i, .rst_i, .valid_i(visits), .ready_o(unused_visit_ready),
      .data_i({read_occupied_i[1], !(&read_occupied_i), arrived_half, read_occupied_i[1] ? right : left}),
      .valid_o(visit_valid_o), .ready_i(visited), .data_o({to_odd, to_half, visit_half, visitor}),
      .count_o(unused_visits_waiting), .almost_full_o(unused_visits_full)
  );
  assign visit_bucket_o = to_odd && !odd_visited ? level_place : visit_half;
  assign visited = visit_ready_i && !(to_odd && to_half && !odd_visited);
  delay_line #(.WIDTH(DATA_WIDTH), .DEPTH(2)) u_visit_point (.clk_i, .d_i(visitor), .q_o(visit_point_o));

  // Pairs of this level that are not yet back from the adder.
  logic [BUCKET_WIDTH-1:0] halves_out;
  logic half_back, busy;
  assign half_back = state == HALVE && sum_valid_i && sum_bucket_i > level_place;
  assign busy = unread != 0 || halves_out != 0 || visit_valid_o || collisions_wait_i || reading != 0;

  logic giving, part_there;
  tag_line #(.LATENCY(READ_LATENCY), .TAG_WIDTH(1)) u_part (
      .clk_i, .rst_i, .valid_i(give), .tag_i(1'b0), .valid_o(part_there), .tag_o(giving));
  assign part_valid_o = part_there;
  assign part_occupied_o = read_occupied_i[0];
  assign part_o = left;

  always_ff @(posedge clk_i) begin
    reading <= rst_i ? '0 : READ_LATENCY'({reading, read});
    pair_places <= pair_places + PLACE'(read) - PLACE'(arrives && !pairs) - PLACE'(pair_valid_o && pair_ready_i);
    visit_places <= visit_places + PLACE'(read) - PLACE'(arrives && !visits) - PLACE'(visit_valid_o && visited);
    halves_out <= halves_out + BUCKET_WIDTH'(pairs) - BUCKET_WIDTH'(half_back);
    if (visit_valid_o && visit_ready_i) odd_visited <= !visited;
    if (read) begin
      first <= first + BUCKET_WIDTH'(2);
      half <= half + 1'b1;
      unread <= unread - 1'b1;
    end
    quiet <= busy ? '0 : quiet + 1'b1;
    case (state)
      IDLE:
      if (start_i) begin
        state <= HALVE;
        level <= '0;
        first <= '0;
        half <= BUCKET_WIDTH'(1);
        unread <= BUCKET_WIDTH'(1) << (BUCKET_WIDTH - 1);
        quiet <= '0;
        part <= '0;
      end
      HALVE:
      if (!busy && quiet == ($bits(quiet))'(SETTLED)) begin
        quiet <= '0;
        level <= level + 1'b1;
        first <= level_place + 1'b1;
        half <= level_place + BUCKET_WIDTH'(2);
        unread <= (BUCKET_WIDTH'(1) << (BUCKET_WIDTH - 2)) >> level;
        if (level == LEVEL'(BUCKET_WIDTH - 1)) state <= WAIT;
      end
      WAIT: if (done_i && room_i) state <= GIVE;
      GIVE: begin
        part <= part + 1'b1;
        if (part == LEVEL'(BUCKET_WIDTH + READ_LATENCY)) state <= IDLE;
      end
      default: state <= IDLE;
    endcase
    if (rst_i) begin
      state <= IDLE;
      pair_places <= '0;
      visit_places <= '0;
      halves_out <= '0;
      odd_visited <= 1'b0;
    end
  end

  unread u_unread (.d_i(giving));

`ifdef FORMAL
`include "reclaimer_halving.svh"
`endif
endmodule
