// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of reclaimer_halving's queues, inductive: the places that it counts are what waits and what is being read, so each
// queue has room for every arrival.
logic f_live;
initial f_live = 1'b0;
logic [PLACE-1:0] f_reading;
always_comb begin
  f_reading = '0;
  for (int i = 0; i < READ_LATENCY; i++) f_reading = f_reading + PLACE'(reading[i]);
end
always_ff @(posedge clk_i) if (rst_i) f_live <= 1'b1;
always_comb if (f_live) begin
  assert (pair_places == unused_pairs_waiting + f_reading && pair_places <= PLACE'(PLACES));
  assert (visit_places == unused_visits_waiting + f_reading && visit_places <= PLACE'(PLACES));
  assert (unused_pairs_waiting <= PLACE'(PLACES) && unused_visits_waiting <= PLACE'(PLACES));
  assert (!pairs || unused_pair_ready);
  assert (!visits || unused_visit_ready);
end
