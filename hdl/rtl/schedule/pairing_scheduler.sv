// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila's bucket classification (3.2): a point that finds its bucket empty stays there, one that finds a point
// pairs with it and leaves the bucket empty, and the pair goes to an adder of full additions. A sum comes back like a
// point. So there are no hazards, only visitors that may want the same bank of buckets in a cycle.
//
// A bank is a RAM of one port. Sums come first, since an adder cannot wait; a point from the input that meets a sum at
// its bank goes to the collision queue, whose first point visits its bank in a cycle when no other does. The pairs that
// each of the three makes have a queue of their own; those of sums are served first, then those of collisions.
//
// Contract: a point is taken in a cycle with valid_i and ready_o. A pair is given in a cycle with pair_valid_o and
// pair_ready_i, and its sum comes back at any later time with sum_valid_i, at most IN_FLIGHT pairs later. finish_i,
// held from the last point on, has done_o say when nothing is on the way or queued. Then read_i takes the point out of
// a bucket: read_occupied_o and read_data_o in the next cycle are what was there, and it is empty.
//
// The queue of sums' pairs has to hold all that may be in flight, unless the adder is always ready: then a sum's pair
// leaves the cycle after it came, and two places do (SUMS).
//
// pairs_o and collisions_o count; the high-water marks are the most that was queued, of all pairs together.
module pairing_scheduler #(
    parameter int BUCKET_WIDTH = 8,
    parameter int BANK_WIDTH = 2,
    parameter int DATA_WIDTH = 8,
    parameter int PAIRS = 32,
    parameter int COLLISIONS = 16,
    parameter int IN_FLIGHT = 150,
    parameter int SUMS = IN_FLIGHT + 2,
    parameter int COUNTER_WIDTH = 32
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ BUCKET_WIDTH-1:0] bucket_i,
    input  logic [   DATA_WIDTH-1:0] data_i,
    output logic                     pair_valid_o,
    input  logic                     pair_ready_i,
    output logic [ BUCKET_WIDTH-1:0] pair_bucket_o,
    output logic [   DATA_WIDTH-1:0] left_o,
    output logic [   DATA_WIDTH-1:0] right_o,
    input  logic                     sum_valid_i,
    input  logic [ BUCKET_WIDTH-1:0] sum_bucket_i,
    input  logic [   DATA_WIDTH-1:0] sum_i,
    input  logic                     finish_i,
    output logic                     done_o,
    input  logic                     read_i,
    input  logic [ BUCKET_WIDTH-1:0] read_bucket_i,
    output logic                     read_occupied_o,
    output logic [   DATA_WIDTH-1:0] read_data_o,
    output logic [COUNTER_WIDTH-1:0] pairs_o,
    output logic [COUNTER_WIDTH-1:0] collisions_o,
    output logic [COUNTER_WIDTH-1:0] pairs_high_water_o,
    output logic [COUNTER_WIDTH-1:0] collisions_high_water_o
);
  localparam int BANKS = 1 << BANK_WIDTH;
  localparam int ROW_WIDTH = BUCKET_WIDTH - BANK_WIDTH;
  localparam int POINT = BUCKET_WIDTH + DATA_WIDTH;
  localparam int FLIGHT = $clog2(IN_FLIGHT + 1);
  if (ROW_WIDTH < 1 || PAIRS < 4 || COLLISIONS < 4) begin : g_invalid
    $error("pairing_scheduler: at least two buckets a bank, PAIRS and COLLISIONS at least 4");
  end

  // A visitor a cycle from the input, and one from the collision queue.
  logic collision_valid, collision_full, collide, pairs_full, retries_full, take, visit, retry;
  logic [BUCKET_WIDTH-1:0] retry_bucket;
  logic [DATA_WIDTH-1:0] retry_data;
  assign ready_o = !collision_full && !pairs_full && !read_i;
  assign take = valid_i && ready_o;
  assign collide = take && sum_valid_i && sum_bucket_i[BANK_WIDTH-1:0] == bucket_i[BANK_WIDTH-1:0];
  assign visit = take && !collide;
  assign retry = collision_valid && !retries_full && !read_i
      && !(sum_valid_i && sum_bucket_i[BANK_WIDTH-1:0] == retry_bucket[BANK_WIDTH-1:0])
      && !(visit && bucket_i[BANK_WIDTH-1:0] == retry_bucket[BANK_WIDTH-1:0]);

  logic [$clog2(COLLISIONS+1)-1:0] collisions_waiting;
  logic unused_collision_ready;
  fifo #(.WIDTH(POINT), .DEPTH(COLLISIONS), .HEADROOM(1), .MUST_TAKE(1)) u_collisions (
      .clk_i, .rst_i,
      .valid_i(collide), .ready_o(unused_collision_ready), .data_i({bucket_i, data_i}),
      .valid_o(collision_valid), .ready_i(retry), .data_o({retry_bucket, retry_data}),
      .count_o(collisions_waiting), .almost_full_o(collision_full)
  );

  // Which buckets hold a point.
  logic [(1 << BUCKET_WIDTH)-1:0] occupied;
  logic sum_meets, visit_meets, retry_meets;
  assign sum_meets = sum_valid_i && occupied[sum_bucket_i];
  assign visit_meets = visit && occupied[bucket_i];
  assign retry_meets = retry && occupied[retry_bucket];
  always_ff @(posedge clk_i) begin
    if (sum_valid_i) occupied[sum_bucket_i] <= !sum_meets;
    if (visit) occupied[bucket_i] <= !visit_meets;
    if (retry) occupied[retry_bucket] <= !retry_meets;
    if (read_i) occupied[read_bucket_i] <= 1'b0;
    read_occupied_o <= read_i && occupied[read_bucket_i];
    if (rst_i) occupied <= '0;
  end

  // The banks; what they read comes in the next cycle.
  logic [BANKS*DATA_WIDTH-1:0] found;
  for (genvar bank = 0; bank < BANKS; bank++) begin : g_bank
    logic of_sum, of_visit, of_retry, write;
    logic [BUCKET_WIDTH-1:0] bucket;
    logic [DATA_WIDTH-1:0] data;
    logic [DATA_WIDTH-1:0] slots[1 << ROW_WIDTH];
    assign of_sum = sum_valid_i && sum_bucket_i[BANK_WIDTH-1:0] == BANK_WIDTH'(bank);
    assign of_visit = visit && bucket_i[BANK_WIDTH-1:0] == BANK_WIDTH'(bank);
    assign of_retry = retry && retry_bucket[BANK_WIDTH-1:0] == BANK_WIDTH'(bank);
    assign bucket = of_sum ? sum_bucket_i : of_visit ? bucket_i : of_retry ? retry_bucket : read_bucket_i;
    assign data = of_sum ? sum_i : of_visit ? data_i : retry_data;
    assign write = (of_sum && !sum_meets) || (of_visit && !visit_meets) || (of_retry && !retry_meets);
    always_ff @(posedge clk_i) begin
      if (write) slots[bucket[BUCKET_WIDTH-1:BANK_WIDTH]] <= data;
      else found[bank*DATA_WIDTH+:DATA_WIDTH] <= slots[bucket[BUCKET_WIDTH-1:BANK_WIDTH]];
    end

    logic unused;
    assign unused = ^bucket[BANK_WIDTH-1:0];
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i && (of_sum ? of_visit || of_retry : of_visit && of_retry))
        $error("pairing_scheduler: two visitors at one port");
    end
`endif
  end

  logic [FLIGHT-1:0] in_flight;
  logic give;

  // Pairs wait a cycle for what the bank held.
  logic sum_pairs, visit_pairs, retry_pairs;
  logic [BUCKET_WIDTH-1:0] sum_bucket, visit_bucket, retried_bucket;
  logic [DATA_WIDTH-1:0] sum, visitor, retried;
  logic [BANK_WIDTH-1:0] read_bank;
  always_ff @(posedge clk_i) begin
    sum_pairs <= sum_meets && !rst_i;
    visit_pairs <= visit_meets && !rst_i;
    retry_pairs <= retry_meets && !rst_i;
    {sum_bucket, sum} <= {sum_bucket_i, sum_i};
    {visit_bucket, visitor} <= {bucket_i, data_i};
    {retried_bucket, retried} <= {retry_bucket, retry_data};
    read_bank <= read_bucket_i[BANK_WIDTH-1:0];
  end
  assign read_data_o = found[read_bank*DATA_WIDTH+:DATA_WIDTH];

  localparam int PAIR = BUCKET_WIDTH + 2 * DATA_WIDTH;
  logic sums_valid, visits_valid, retries_valid, unused_sums_full;
  logic [2:0] unused_ready;
  logic [PAIR-1:0] sums_pair, visits_pair, retries_pair;
  logic [$clog2(SUMS+1)-1:0] sums_waiting;
  logic [$clog2(PAIRS+1)-1:0] visits_waiting, retries_waiting;
  fifo #(.WIDTH(PAIR), .DEPTH(SUMS), .MUST_TAKE(1)) u_sums (
      .clk_i, .rst_i,
      .valid_i(sum_pairs), .ready_o(unused_ready[0]),
      .data_i({sum_bucket, sum, found[sum_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(sums_valid), .ready_i(give), .data_o(sums_pair),
      .count_o(sums_waiting), .almost_full_o(unused_sums_full)
  );
  fifo #(.WIDTH(PAIR), .DEPTH(PAIRS), .HEADROOM(2), .MUST_TAKE(1)) u_retries (
      .clk_i, .rst_i,
      .valid_i(retry_pairs), .ready_o(unused_ready[1]),
      .data_i({retried_bucket, retried, found[retried_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(retries_valid), .ready_i(give && !sums_valid), .data_o(retries_pair),
      .count_o(retries_waiting), .almost_full_o(retries_full)
  );
  fifo #(.WIDTH(PAIR), .DEPTH(PAIRS), .HEADROOM(2), .MUST_TAKE(1)) u_visits (
      .clk_i, .rst_i,
      .valid_i(visit_pairs), .ready_o(unused_ready[2]),
      .data_i({visit_bucket, visitor, found[visit_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(visits_valid), .ready_i(give && !sums_valid && !retries_valid), .data_o(visits_pair),
      .count_o(visits_waiting), .almost_full_o(pairs_full)
  );
  assign pair_valid_o = (sums_valid || retries_valid || visits_valid) && in_flight != FLIGHT'(IN_FLIGHT);
  assign {pair_bucket_o, left_o, right_o} = sums_valid ? sums_pair : retries_valid ? retries_pair : visits_pair;

  logic [COUNTER_WIDTH-1:0] pairs_waiting;
  assign pairs_waiting = COUNTER_WIDTH'(sums_waiting) + COUNTER_WIDTH'(retries_waiting) + COUNTER_WIDTH'(visits_waiting);
  assign give = pair_valid_o && pair_ready_i;
  always_ff @(posedge clk_i) begin
    in_flight <= in_flight + FLIGHT'(give) - FLIGHT'(sum_valid_i);
    pairs_o <= pairs_o + COUNTER_WIDTH'(give);
    collisions_o <= collisions_o + COUNTER_WIDTH'(collide);
    if (pairs_waiting > pairs_high_water_o) pairs_high_water_o <= pairs_waiting;
    if (COUNTER_WIDTH'(collisions_waiting) > collisions_high_water_o)
      collisions_high_water_o <= COUNTER_WIDTH'(collisions_waiting);
    if (rst_i) begin
      in_flight <= '0;
      pairs_o <= '0;
      collisions_o <= '0;
      pairs_high_water_o <= '0;
      collisions_high_water_o <= '0;
    end
  end
  assign done_o = finish_i && !valid_i && in_flight == 0 && collisions_waiting == 0 && sums_waiting == 0
      && visits_waiting == 0 && retries_waiting == 0 && !sum_pairs && !visit_pairs && !retry_pairs;
`ifdef FORMAL
`include "pairing_scheduler.svh"
`endif
endmodule
