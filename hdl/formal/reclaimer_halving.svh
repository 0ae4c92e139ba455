// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of reclaimer_halving, inductive. The proofs of fifo and delay_line show that a queue returns its entries and that a
// line is a delay, so this file checks what enters the queues, and assumes the delay of halves.
localparam int F_COUNT = BUCKET_WIDTH + 2;
localparam int F_VISIT = 3;
logic f_live;
initial f_live = 1'b0;

// Pairs that are being read, with their halves; pairs at the adder; cycles since a half came, or a point visited. A visit takes
// F_VISIT cycles.
logic [PLACE-1:0] f_reading;
logic [READ_LATENCY*BUCKET_WIDTH-1:0] f_halves;
logic [F_COUNT-1:0] f_at_adder;
logic [2:0] f_since;
always_comb begin
  f_reading = '0;
  for (int i = 0; i < READ_LATENCY; i++) f_reading = f_reading + PLACE'(reading[i]);
end
always_ff @(posedge clk_i) begin
  if (rst_i) f_live <= 1'b1;
  f_halves <= {f_halves[0+:(READ_LATENCY-1)*BUCKET_WIDTH], half};
  f_at_adder <= rst_i ? '0 : f_at_adder + F_COUNT'(pair_valid_o && pair_ready_i) - F_COUNT'(half_back);
  f_since <= half_back || (visit_valid_o && visit_ready_i) ? '0 : f_since + 3'(f_since != 3'd7);
end

// The pairs of a level, and the place behind the last place that was read.
logic [F_COUNT-1:0] f_all, f_behind;
assign f_all = F_COUNT'(1) << (BUCKET_WIDTH - 1 - 32'(level));
assign f_behind = F_COUNT'(level) + 2 * (f_all - F_COUNT'(unread));

always_comb if (f_live && !rst_i) begin
  // The adder gives the sums that it has.
  if (f_at_adder == 0) assume (!half_back);
  if (arrives) assume (arrived_half == f_halves[(READ_LATENCY-1)*BUCKET_WIDTH+:BUCKET_WIDTH]);

  // The places that are counted are what waits and what is being read, so each queue has room for every arrival.
  assert (unused_pairs_waiting <= PLACE'(PLACES) && unused_visits_waiting <= PLACE'(PLACES));
  assert (pair_places == unused_pairs_waiting + f_reading && pair_places <= PLACE'(PLACES));
  assert (visit_places == unused_visits_waiting + f_reading && visit_places <= PLACE'(PLACES));
  assert (!pairs || unused_pair_ready);
  assert (!visits || unused_visit_ready);

  // Each half goes to a place behind O's that has been read.
  for (int i = 0; i < READ_LATENCY; i++) begin
    if (reading[i]) assert (F_COUNT'(f_halves[i*BUCKET_WIDTH+:BUCKET_WIDTH]) > F_COUNT'(level)
        && F_COUNT'(f_halves[i*BUCKET_WIDTH+:BUCKET_WIDTH]) < f_behind);
  end
  if (arrives) assert (F_COUNT'(arrived_half) > F_COUNT'(level) && F_COUNT'(arrived_half) < f_behind);

  assert (F_COUNT'(halves_out) == F_COUNT'(unused_pairs_waiting) + f_at_adder && F_COUNT'(halves_out) >= f_at_adder);
  if (state == HALVE) begin
    assert (level < LEVEL'(BUCKET_WIDTH));
    assert (F_COUNT'(unread) + F_COUNT'(f_reading) + F_COUNT'(halves_out) <= f_all);
    assert (first == f_behind[BUCKET_WIDTH-1:0]);
    assert (F_COUNT'(half) == F_COUNT'(level) + 1'b1 + f_all - F_COUNT'(unread));
    assert (f_since >= 3'(quiet));
    // A level begins when no half of the level before is under way, and as long after the last one as a visit takes.
    if (F_COUNT'(unread) == f_all) begin
      assert (f_at_adder == 0 && !pair_valid_o && !visit_valid_o && reading == 0);
      assert (level == 0 || f_since > 3'(F_VISIT));
    end
  end else assert (halves_out == 0 && reading == 0 && !visit_valid_o);
end
