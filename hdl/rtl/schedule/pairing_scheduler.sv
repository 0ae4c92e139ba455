// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila's bucket classification (3.2), and the reclaimer's: points pair in banked buckets, and pairs go to an adder.
//
//   each cycle, at most one visitor at each bank:
//     a sum from the adder, always
//     the next point of the input, unless a sum or a reader is at its bank: then the point goes to the collision queue
//     the first point of the collision queue, if nothing else is at its bank
//   visit(bucket, point):
//     the bucket is empty:  point stays there
//     it holds a point:     the bucket is empty again, and the pair goes to the queue of this kind of visitor
//   with MEET, a sum and a point for its bucket, of the input or the first collision, are a pair without a visit
//   give a pair to the adder: of sums first, then pairs that met, then of collisions, then of the input
//   read(bucket): give its content; the bucket is empty again
//
// A sum comes back like a point. So there are no hazards, only visitors that may need the same bank in a cycle. With 64
// buckets, the bench takes 4,000 points in under 4,400 cycles.
//
// Departures from the pseudo-code:
// 1. A visit takes four cycles, because a bank is two RAMs of one port: one RAM for points, one for the bits that mark
//    occupied buckets. Cycle 0 chooses the visitor of each bank. Cycle 1 reads the occupied bit. In cycle 2 the bit is
//    known and its new value is written; the visitor's point, which comes now, is stored, or the stored point is read.
//    In cycle 3 the stored point leaves the RAM. In cycle 4 the pair goes to its queue. With 2^15 buckets, no path has
//    more than 4 levels of logic (hdl/levels.py).
// 2. A visitor may come to the bucket of the previous visitor. The previous visitor's decision is not in the RAM yet,
//    so it is forwarded. hdl/formal/formal_pairing.sv proves that the forwarded value equals the later content of the
//    RAM.
// 3. A RAM holds the bits that mark occupied buckets, not registers. With a register for each of 2^8 buckets, the
//    module had 3580 LUTs and 753 registers; it has 799 and 848. With 2^15 buckets, the registers exceeded the limits
//    of Verilator's lint. The price is a sweep after a reset.
// 4. Sums come first, because an adder cannot wait. Each kind of visitor has its own queue of pairs, because all three
//    kinds may make a pair in one cycle. With four banks, collisions cost only a few cycles in a hundred
//    (crates/rtl/tests/rtl/schedule.rs).
//
// Contract:
// - Input: a point is taken in a cycle with valid_i and ready_o. Its coordinates come in data_i two cycles later.
// - Pairs: a pair is given in a cycle with pair_valid_o and pair_ready_i. Its sum comes back at any later time, with
//   sum_valid_i. At most IN_FLIGHT pairs are at the adder.
// - SUMS is the number of places of the queue for sums' pairs, and of the queue for pairs that met. It must be enough for all
//   pairs in flight. If the adder is always ready, two places are enough, because a sum's pair leaves in the cycle after
//   it came; with MEET, eight are enough if the adder takes a pair whenever it gives a sum.
// - Lent pairs: lent_i is high when the adder takes a pair for these buckets from elsewhere.
// - End: finish_i is held after the last point. done_o is high when no point is under way or queued.
// - Read: read_i takes the points out of READS buckets of different banks, to which no sum comes in this cycle, and to which
//   nothing has come for two cycles. read_occupied_o and read_data_o have their contents four cycles later.
// - Reset: rst_i forgets all points. Then the banks are swept: for one cycle per bucket of a bank, no point is
//   taken, and done_o is low.
// - Counters: pairs_o and collisions_o count since clear_i. The high-water marks are the largest numbers queued since then:
//   pairs of all queues together, and collisions.
module pairing_scheduler #(
    parameter int BUCKET_WIDTH = 8,
    parameter int BANK_WIDTH = 2,
    parameter int DATA_WIDTH = 8,
    parameter int PAIRS = 32,
    parameter int COLLISIONS = 16,
    parameter int IN_FLIGHT = 150,
    parameter int SUMS = IN_FLIGHT + 4,
    parameter int READS = 1,
    parameter bit MEET = 0,
    parameter int COUNTER_WIDTH = 32
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     clear_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ BUCKET_WIDTH-1:0] bucket_i,
    input  logic [   DATA_WIDTH-1:0] data_i,
    output logic                     pair_valid_o,
    output logic                     pair_of_sum_o,
    input  logic                     pair_ready_i,
    output logic [ BUCKET_WIDTH-1:0] pair_bucket_o,
    output logic [   DATA_WIDTH-1:0] left_o,
    output logic [   DATA_WIDTH-1:0] right_o,
    input  logic                     sum_valid_i,
    input  logic [ BUCKET_WIDTH-1:0] sum_bucket_i,
    input  logic [   DATA_WIDTH-1:0] sum_i,
    input  logic                     lent_i,
    output logic                     collisions_wait_o,
    input  logic                     finish_i,
    output logic                     done_o,
    input  logic [        READS-1:0] read_i,
    input  logic [READS*BUCKET_WIDTH-1:0] read_bucket_i,
    output logic [        READS-1:0] read_occupied_o,
    output logic [READS*DATA_WIDTH-1:0] read_data_o,
    output logic [COUNTER_WIDTH-1:0] pairs_o,
    output logic [COUNTER_WIDTH-1:0] collisions_o,
    output logic [COUNTER_WIDTH-1:0] pairs_high_water_o,
    output logic [COUNTER_WIDTH-1:0] collisions_high_water_o
);
  localparam int BANKS = 1 << BANK_WIDTH;
  localparam int ROW_WIDTH = BUCKET_WIDTH - BANK_WIDTH;
  localparam int FLIGHT = $clog2(IN_FLIGHT + 1);
  if (ROW_WIDTH < 1 || PAIRS < 5 || COLLISIONS < 4) begin : g_invalid
    $error("pairing_scheduler: at least two buckets a bank, PAIRS at least 5, COLLISIONS at least 4");
  end

  // The banks are swept, one row of all banks in each cycle.
  logic sweeping;
  logic [ROW_WIDTH-1:0] sweep;
  always_ff @(posedge clk_i) begin
    if (sweeping) sweep <= sweep + 1'b1;
    if (&sweep) sweeping <= 1'b0;
    if (rst_i) begin
      sweeping <= 1'b1;
      sweep <= '0;
    end
  end

  // Cycle 0. A visitor from the input, and a visitor from the collision queue.
  logic collision_valid, collision_full, collide, pairs_full, retries_full, take, visit, retry;
  logic meets_input, meets_first, sum_visits, input_read, retry_read;
  logic [BUCKET_WIDTH-1:0] retry_bucket;
  assign ready_o = !collision_full && !pairs_full && !sweeping;
  assign take = valid_i && ready_o;
  assign meets_input = MEET && sum_valid_i && take && bucket_i == sum_bucket_i;
  assign meets_first = MEET && sum_valid_i && !meets_input && collision_valid && retry_bucket == sum_bucket_i;
  assign sum_visits = sum_valid_i && !meets_input && !meets_first;
  always_comb begin
    {input_read, retry_read} = '0;
    for (int i = 0; i < READS; i++) begin
      input_read |= read_i[i] && read_bucket_i[i*BUCKET_WIDTH+:BANK_WIDTH] == bucket_i[BANK_WIDTH-1:0];
      retry_read |= read_i[i] && read_bucket_i[i*BUCKET_WIDTH+:BANK_WIDTH] == retry_bucket[BANK_WIDTH-1:0];
    end
  end
  assign collide = take && !meets_input
      && (input_read || (sum_visits && sum_bucket_i[BANK_WIDTH-1:0] == bucket_i[BANK_WIDTH-1:0]));
  assign visit = take && !meets_input && !collide;
  assign retry = collision_valid && !meets_first && !retries_full && !retry_read
      && !(sum_visits && sum_bucket_i[BANK_WIDTH-1:0] == retry_bucket[BANK_WIDTH-1:0])
      && !(visit && bucket_i[BANK_WIDTH-1:0] == retry_bucket[BANK_WIDTH-1:0]);

  logic [$clog2(COLLISIONS+1)-1:0] collisions_waiting;
  logic unused_collision_ready;
  fifo #(.WIDTH(BUCKET_WIDTH), .DEPTH(COLLISIONS), .HEADROOM(1), .MUST_TAKE(1)) u_collisions (
      .clk_i, .rst_i,
      .valid_i(collide), .ready_o(unused_collision_ready), .data_i(bucket_i),
      .valid_o(collision_valid), .ready_i(retry || meets_first), .data_o(retry_bucket),
      .count_o(collisions_waiting), .almost_full_o(collision_full)
  );

  // Sums, visitors from the input, visitors from the collision queue, and the readers, by the cycle of their visit.
  localparam int SUM = 0, VISIT = 1, RETRY = 2, VISITORS = 3 + READS;
  logic [VISITORS-1:0] at_1, at_2, meets, at_3, at_4;
  logic [VISITORS*BUCKET_WIDTH-1:0] buckets_1, buckets_2, buckets_3, buckets_4;
  logic [DATA_WIDTH-1:0] sum_1, sum_2, retry_2;
  logic [3*DATA_WIDTH-1:0] data_3, data_4;
  logic collided_1, collided_2, met_input_1, met_input_2, met_first_1, met_first_2;
  always_ff @(posedge clk_i) begin
    at_1 <= {read_i, retry, visit, sum_visits};
    at_2 <= at_1;
    at_3 <= meets;
    at_4 <= at_3;
    if (rst_i) {at_1, at_2, at_3, at_4} <= '0;
    buckets_1 <= {read_bucket_i, retry_bucket, bucket_i, sum_bucket_i};
    buckets_2 <= buckets_1;
    buckets_3 <= buckets_2;
    buckets_4 <= buckets_3;
    sum_1 <= sum_i;
    sum_2 <= sum_1;
    data_3 <= {retry_2, data_i, sum_2};
    data_4 <= data_3;
    {collided_2, collided_1} <= rst_i ? '0 : {collided_1, collide};
    {met_input_2, met_input_1} <= rst_i ? '0 : {met_input_1, meets_input};
    {met_first_2, met_first_1} <= rst_i ? '0 : {met_first_1, meets_first};
  end

  // The data of the collision queue, which come and go two cycles behind their buckets.
  logic data_there, unused_data_ready, unused_data_full;
  logic [$clog2(COLLISIONS+1)-1:0] data_waiting;
  fifo #(.WIDTH(DATA_WIDTH), .DEPTH(COLLISIONS), .MUST_TAKE(1)) u_collision_data (
      .clk_i, .rst_i,
      .valid_i(collided_2), .ready_o(unused_data_ready), .data_i(data_i),
      .valid_o(data_there), .ready_i(at_2[RETRY] || met_first_2), .data_o(retry_2),
      .count_o(data_waiting), .almost_full_o(unused_data_full)
  );

  // The banks.
  logic [BANKS*VISITORS-1:0] met;
  logic [BANKS*DATA_WIDTH-1:0] found;
  for (genvar bank = 0; bank < BANKS; bank++) begin : g_bank
    // Cycle 1.
    logic [VISITORS-1:0] here_1, here_2;
    logic [ROW_WIDTH-1:0] row_1, row_2;
    for (genvar v = 0; v < VISITORS; v++) begin : g_visitor
      assign here_1[v] = at_1[v] && buckets_1[v*BUCKET_WIDTH+:BANK_WIDTH] == BANK_WIDTH'(bank);
    end
    always_comb begin
      row_1 = '0;
      for (int v = 0; v < VISITORS; v++)
        row_1 = row_1 | (buckets_1[v*BUCKET_WIDTH+BANK_WIDTH+:ROW_WIDTH] & {ROW_WIDTH{here_1[v]}});
    end

    // Cycle 2. The point of the previous visitor was not yet in the RAM when it was read.
    logic again, left_there, read_there, occupied, stays;
    logic [DATA_WIDTH-1:0] data;
    assign occupied = again ? left_there : read_there;
    assign stays = |here_2[RETRY:SUM] && !occupied;
    assign data = here_2[SUM] ? sum_2 : here_2[VISIT] ? data_i : retry_2;
    assign met[bank*VISITORS+:VISITORS] = here_2 & {VISITORS{occupied}};
    always_ff @(posedge clk_i) begin
      here_2 <= rst_i ? '0 : here_1;
      row_2 <= row_1;
      again <= |here_2 && row_1 == row_2;
      left_there <= stays;
    end

    (* ram_style = "block" *) logic full[1 << ROW_WIDTH];
    always_ff @(posedge clk_i) begin
      if (sweeping || |here_2) full[sweeping ? sweep : row_2] <= !sweeping && stays;
      read_there <= full[row_1];
    end
    (* ram_style = "ultra" *) logic [DATA_WIDTH-1:0] slots[1 << ROW_WIDTH];
    logic [DATA_WIDTH-1:0] read_3;
    always_ff @(posedge clk_i) begin
      if (stays) slots[row_2] <= data;
      else read_3 <= slots[row_2];
      found[bank*DATA_WIDTH+:DATA_WIDTH] <= read_3;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i && (here_1 & (here_1 - 1'b1)) != 0) $error("pairing_scheduler: two visitors at one port");
    end
`endif
  end
  always_comb begin
    meets = '0;
    for (int bank = 0; bank < BANKS; bank++) meets = meets | met[bank*VISITORS+:VISITORS];
  end

  // Cycle 4.
  logic [FLIGHT-1:0] in_flight;
  logic give, sum_pairs, visit_pairs, retry_pairs;
  logic [BUCKET_WIDTH-1:0] sum_bucket, visit_bucket, retried_bucket;
  logic [DATA_WIDTH-1:0] sum, visitor, retried;
  assign {read_occupied_o, retry_pairs, visit_pairs, sum_pairs} = at_4;
  assign {retried_bucket, visit_bucket, sum_bucket} = buckets_4[0+:3*BUCKET_WIDTH];
  assign {retried, visitor, sum} = data_4;
  for (genvar i = 0; i < READS; i++) begin : g_read
    assign read_data_o[i*DATA_WIDTH+:DATA_WIDTH] =
        found[buckets_4[(3+i)*BUCKET_WIDTH+:BANK_WIDTH]*DATA_WIDTH+:DATA_WIDTH];

    unread u_unread (.d_i(^buckets_4[(3+i)*BUCKET_WIDTH+BANK_WIDTH+:ROW_WIDTH]));
  end

  unread u_unread (.d_i(^{data_there, data_waiting}));

  localparam int PAIR = BUCKET_WIDTH + 2 * DATA_WIDTH;
  logic sums_valid, met_valid, visits_valid, retries_valid, unused_sums_full;
  logic [2:0] unused_ready;
  logic [PAIR-1:0] sums_pair, met_pair, visits_pair, retries_pair;
  logic [$clog2(SUMS+1)-1:0] sums_waiting, met_waiting;
  logic [$clog2(PAIRS+1)-1:0] visits_waiting, retries_waiting;
  fifo #(.WIDTH(PAIR), .DEPTH(SUMS), .MUST_TAKE(1)) u_sums (
      .clk_i, .rst_i,
      .valid_i(sum_pairs), .ready_o(unused_ready[0]),
      .data_i({sum_bucket, sum, found[sum_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(sums_valid), .ready_i(give), .data_o(sums_pair),
      .count_o(sums_waiting), .almost_full_o(unused_sums_full)
  );
  logic [DATA_WIDTH-1:0] met_point;
  assign met_point = met_input_2 ? data_i : retry_2;
  if (MEET) begin : g_met
    logic unused_met_ready, unused_met_full;
    fifo #(.WIDTH(PAIR), .DEPTH(SUMS), .MUST_TAKE(1)) u_met (
        .clk_i, .rst_i,
        .valid_i(met_input_2 || met_first_2), .ready_o(unused_met_ready),
        .data_i({buckets_2[SUM*BUCKET_WIDTH+:BUCKET_WIDTH], met_point, sum_2}),
        .valid_o(met_valid), .ready_i(give && !sums_valid), .data_o(met_pair),
        .count_o(met_waiting), .almost_full_o(unused_met_full)
    );
  end else begin : g_met
    assign {met_valid, met_waiting, met_pair} = '0;
    unread u_unread (.d_i(^met_point));
  end
  fifo #(.WIDTH(PAIR), .DEPTH(PAIRS), .HEADROOM(4), .MUST_TAKE(1)) u_retries (
      .clk_i, .rst_i,
      .valid_i(retry_pairs), .ready_o(unused_ready[1]),
      .data_i({retried_bucket, retried, found[retried_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(retries_valid), .ready_i(give && !pair_of_sum_o), .data_o(retries_pair),
      .count_o(retries_waiting), .almost_full_o(retries_full)
  );
  fifo #(.WIDTH(PAIR), .DEPTH(PAIRS), .HEADROOM(4), .MUST_TAKE(1)) u_visits (
      .clk_i, .rst_i,
      .valid_i(visit_pairs), .ready_o(unused_ready[2]),
      .data_i({visit_bucket, visitor, found[visit_bucket[BANK_WIDTH-1:0]*DATA_WIDTH+:DATA_WIDTH]}),
      .valid_o(visits_valid), .ready_i(give && !pair_of_sum_o && !retries_valid), .data_o(visits_pair),
      .count_o(visits_waiting), .almost_full_o(pairs_full)
  );
  assign pair_of_sum_o = sums_valid || met_valid;
  assign pair_valid_o = (pair_of_sum_o || retries_valid || visits_valid) && in_flight != FLIGHT'(IN_FLIGHT);
  assign {pair_bucket_o, left_o, right_o} =
      sums_valid ? sums_pair : met_valid ? met_pair : retries_valid ? retries_pair : visits_pair;
  assign collisions_wait_o = collision_valid;

  logic [COUNTER_WIDTH-1:0] pairs_waiting;
  assign pairs_waiting = COUNTER_WIDTH'(sums_waiting) + COUNTER_WIDTH'(met_waiting) + COUNTER_WIDTH'(retries_waiting)
      + COUNTER_WIDTH'(visits_waiting);
  assign give = pair_valid_o && pair_ready_i;
  always_ff @(posedge clk_i) begin
    in_flight <= in_flight + FLIGHT'(give) + FLIGHT'(lent_i) - FLIGHT'(sum_valid_i);
    pairs_o <= pairs_o + COUNTER_WIDTH'(give);
    collisions_o <= collisions_o + COUNTER_WIDTH'(collide);
    if (pairs_waiting > pairs_high_water_o) pairs_high_water_o <= pairs_waiting;
    if (COUNTER_WIDTH'(collisions_waiting) > collisions_high_water_o)
      collisions_high_water_o <= COUNTER_WIDTH'(collisions_waiting);
    if (rst_i || clear_i) begin
      pairs_o <= '0;
      collisions_o <= '0;
      pairs_high_water_o <= '0;
      collisions_high_water_o <= '0;
    end
    if (rst_i) in_flight <= '0;
  end
  assign done_o = finish_i && !valid_i && !sweeping && in_flight == 0 && collisions_waiting == 0 && sums_waiting == 0
      && met_waiting == 0 && visits_waiting == 0 && retries_waiting == 0 && {met_input_1, met_input_2} == 0
      && {met_first_1, met_first_2} == 0 && {at_1, at_2, at_3, at_4} == 0;
`ifdef FORMAL
`include "pairing_scheduler.svh"
`endif
endmodule
