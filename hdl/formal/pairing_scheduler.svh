// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of pairing_scheduler, inductive. A point is only a mark, and at most one point is marked. The mark is in
// one place at a time, with the bucket of its point. If a point came to an arbitrary watched bucket, one of its points
// is somewhere. So at the end the bucket holds a point, with the mark if the marked point came to it; a bucket without
// points is empty.
//
// fifo's own proof shows that a queue returns each entry once, so the file assumes this of queues, and of the adder
// outside. The properties count the entries of a queue that belong to the bucket, that have the mark, and that have
// both; each entry that the queue returns is one of these. The queue of collisions is two queues, of buckets and of
// data. Data come and go two cycles after their bucket. With MEET, a sum and a point on their way to the queue of pairs that met are
// counted like visitors.
localparam int F_QUEUES = 7;
localparam int F_COUNT = 6;

function automatic logic [F_COUNT-1:0] f_sum(input logic [F_QUEUES*F_COUNT-1:0] counts);
  f_sum = '0;
  for (int i = 0; i < F_QUEUES; i++) f_sum = f_sum + counts[i*F_COUNT+:F_COUNT];
endfunction

// The bucket that is read at the end: the harness names no other bucket.
logic [BUCKET_WIDTH-1:0] f_bucket;
assign f_bucket = read_bucket_i;

logic f_read, f_came, f_marked, f_marked_here;
// A point's mark is known two cycles after the point was taken. These registers record whether the point went to its
// bank or into the queue.
logic f_known, f_known_here;
logic [BUCKET_WIDTH-1:0] f_collided_1, f_collided_2;
assign f_known = at_2[VISIT] || collided_2 || met_input_2;
assign f_known_here = (collided_2 ? f_collided_2 : met_input_2 ? buckets_2[SUM*BUCKET_WIDTH+:BUCKET_WIDTH]
    : buckets_2[VISIT*BUCKET_WIDTH+:BUCKET_WIDTH]) == f_bucket;
logic [3:0] f_reading;
always @(posedge clk_i) begin
  f_reading <= {f_reading[2:0], read_i && !f_read};
  f_read <= f_read || read_i;
  {f_collided_2, f_collided_1} <= {f_collided_1, bucket_i};
  if (take) f_came <= f_came || bucket_i == f_bucket;
  if (f_known) begin
    f_marked <= f_marked || data_i[0];
    f_marked_here <= f_marked_here || (data_i[0] && f_known_here);
  end
  if (rst_i) {f_reading, f_read, f_came, f_marked, f_marked_here} <= '0;
end

// Entries of the queues (collisions' buckets, collisions' data, pairs), of the adder, and of the queue of pairs that met: their
// number, and the bucket and the mark of an entry that comes or goes.
// A sum and a point that met, by the cycles since then. The point's mark is known, or leaves the queue of data, in the second cycle.
logic f_met_1, f_met_2, f_met_here_1, f_met_here_2;
assign f_met_1 = met_input_1 || met_first_1;
assign f_met_2 = met_input_2 || met_first_2;
assign f_met_here_1 = buckets_1[SUM*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket;
assign f_met_here_2 = buckets_2[SUM*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket;
logic [F_QUEUES-1:0] f_in, f_out, f_in_here, f_out_here, f_in_mark, f_out_mark;
logic [F_QUEUES*F_COUNT-1:0] f_held, f_here, f_marks, f_both;
function automatic logic f_is_here(input logic [PAIR-1:0] pair);
  f_is_here = pair[PAIR-1-:BUCKET_WIDTH] == f_bucket;
endfunction
assign f_held = {F_COUNT'(met_waiting), F_COUNT'(in_flight), F_COUNT'(visits_waiting), F_COUNT'(retries_waiting), F_COUNT'(sums_waiting),
    F_COUNT'(data_waiting), F_COUNT'(collisions_waiting)};
assign f_in = {f_met_2, give, visit_pairs, retry_pairs, sum_pairs, collided_2, collide};
assign f_out = {give && !sums_valid && met_valid, sum_valid_i, give && !pair_of_sum_o && !retries_valid,
    give && !pair_of_sum_o && retries_valid, give && sums_valid, at_2[RETRY] || met_first_2, retry || meets_first};
assign f_in_here = {f_met_here_2, pair_bucket_o == f_bucket, visit_bucket == f_bucket, retried_bucket == f_bucket,
    sum_bucket == f_bucket, f_collided_2 == f_bucket, bucket_i == f_bucket};
assign f_out_here = {f_is_here(met_pair), sum_bucket_i == f_bucket, f_is_here(visits_pair), f_is_here(retries_pair),
    f_is_here(sums_pair), met_first_2 ? f_met_here_2 : buckets_2[RETRY*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket,
    retry_bucket == f_bucket};
logic f_visit_found, f_retry_found, f_sum_found;
assign f_visit_found = found[visit_bucket[BANK_WIDTH-1:0]];
assign f_retry_found = found[retried_bucket[BANK_WIDTH-1:0]];
assign f_sum_found = found[sum_bucket[BANK_WIDTH-1:0]];
assign f_in_mark = {met_point[0] || sum_2[0], left_o[0] || right_o[0], visitor[0] || f_visit_found, retried[0] || f_retry_found,
    sum[0] || f_sum_found, data_i[0], 1'b0};
assign f_out_mark = {|met_pair[1:0], sum_i[0], |visits_pair[1:0], |retries_pair[1:0], |sums_pair[1:0], retry_2[0], 1'b0};
// The visible entry of each queue, whether it leaves or not; for collisions' data, the entry that leaves.
logic [F_QUEUES-1:0] f_visible;
assign f_visible = {met_valid, sum_valid_i, visits_valid, retries_valid, sums_valid, at_2[RETRY] || met_first_2, collision_valid};

for (genvar i = 0; i < F_QUEUES; i++) begin : g_formal
  logic [F_COUNT-1:0] held, here, marks, both;
  assign held = f_held[i*F_COUNT+:F_COUNT];
  assign {f_here[i*F_COUNT+:F_COUNT], f_marks[i*F_COUNT+:F_COUNT], f_both[i*F_COUNT+:F_COUNT]} = {here, marks, both};
  always @(posedge clk_i) begin
    here <= here + F_COUNT'(f_in[i] && f_in_here[i]) - F_COUNT'(f_out[i] && f_out_here[i]);
    marks <= marks + F_COUNT'(f_in[i] && f_in_mark[i]) - F_COUNT'(f_out[i] && f_out_mark[i]);
    both <= both + F_COUNT'(f_in[i] && f_in_here[i] && f_in_mark[i])
        - F_COUNT'(f_out[i] && f_out_here[i] && f_out_mark[i]);
    if (rst_i) {here, marks, both} <= '0;
  end
  always @* if (!rst_i) begin
    assert (both <= here && both <= marks && here <= held && marks <= held && here + marks - both <= held);
    if (f_visible[i]) begin
      assume (f_out_here[i] ? (f_out_mark[i] ? both != 0 : here != both)
          : f_out_mark[i] ? marks != both : here + marks - both != held);
    end
  end
end
always @* if (!rst_i) begin
  // Of pairs, one point is marked at most: when they come, below.
  if (visits_valid) assume (!(&visits_pair[1:0]));
  if (retries_valid) assume (!(&retries_pair[1:0]));
  if (sums_valid) assume (!(&sums_pair[1:0]));
  if (met_valid) assume (!(&met_pair[1:0]));
  // The adder gives only sums that it has, and there is one mark.
  if (in_flight == 0) assume (!sum_valid_i);
  if (f_marked) assume (!(f_known && data_i[0]));
  if (f_read) assume (!valid_i);
end

// The points in the buckets. Buckets that are not yet swept hold none.
logic [(1 << BUCKET_WIDTH)-1:0] f_full, f_slots;
logic [F_COUNT-1:0] f_slot_marks;
for (genvar bucket = 0; bucket < 1 << BUCKET_WIDTH; bucket++) begin : g_slots
  assign f_full[bucket] = !sweeping && g_bank[bucket%BANKS].full[bucket/BANKS];
  assign f_slots[bucket] = f_full[bucket] && g_bank[bucket%BANKS].slots[bucket/BANKS][0];
  always @* if (!rst_i && sweeping && bucket / BANKS < sweep) assert (!g_bank[bucket%BANKS].full[bucket/BANKS]);
end
always @* begin
  f_slot_marks = '0;
  for (int i = 0; i < 1 << BUCKET_WIDTH; i++) f_slot_marks = f_slot_marks + F_COUNT'(f_slots[i]);
end

// Visitors on their way, cycle by cycle, the last two with the content of their buckets.
localparam int F_STAGES = 4;
logic [F_STAGES*VISITORS-1:0] f_at;
logic [F_STAGES*VISITORS*BUCKET_WIDTH-1:0] f_buckets;
logic [F_STAGES*3-1:0] f_points, f_partners, f_visitors_here, f_visitors_both;
logic [BANKS-1:0] f_read_3;
assign f_at = {at_4, at_3, at_2, at_1};
assign f_buckets = {buckets_4, buckets_3, buckets_2, buckets_1};
// The mark of a point that is taken, and of a point from the queue of collisions, arrives in the third cycle.
assign f_points = {data_4, data_3, 2'b0, sum_2, 2'b0, sum_1};
for (genvar i = 0; i < F_STAGES * 3; i++) begin : g_visitors
  localparam int AT = (i / 3) * VISITORS + i % 3;
  logic [BUCKET_WIDTH-1:0] bucket;
  assign bucket = f_buckets[AT*BUCKET_WIDTH+:BUCKET_WIDTH];
  assign f_partners[i] = i / 3 == 3 ? found[bucket[BANK_WIDTH-1:0]] : i / 3 == 2 ? f_read_3[bucket[BANK_WIDTH-1:0]] : 1'b0;
  assign f_visitors_here[i] = f_at[AT] && bucket == f_bucket;
  assign f_visitors_both[i] = f_visitors_here[i] && (f_points[i] || f_partners[i]);
end
logic [F_COUNT-1:0] f_visitor_marks, f_visitor_both;
always @* begin
  f_visitor_marks = F_COUNT'(f_met_1 && sum_1[0]) + F_COUNT'(f_met_2 && sum_2[0]);
  f_visitor_both = F_COUNT'(f_met_1 && sum_1[0] && f_met_here_1) + F_COUNT'(f_met_2 && sum_2[0] && f_met_here_2);
  for (int i = 0; i < F_STAGES * 3; i++) begin
    if (f_at[(i/3)*VISITORS+i%3]) f_visitor_marks = f_visitor_marks + F_COUNT'(f_points[i]) + F_COUNT'(f_partners[i]);
    f_visitor_both = f_visitor_both + F_COUNT'(f_visitors_both[i]);
  end
end
// Points that have left the queue of collisions' buckets.
logic f_first_1, f_first_2;
assign f_first_1 = at_1[RETRY] || met_first_1;
assign f_first_2 = at_2[RETRY] || met_first_2;
// The visitors of a cycle have different banks. The number of visitors of each kind.
logic [3*F_COUNT-1:0] f_kinds;
for (genvar stage = 0; stage < F_STAGES; stage++) begin : g_stages
  for (genvar v = 0; v < VISITORS; v++) begin : g_first
    for (genvar w = v + 1; w < VISITORS; w++) begin : g_second
      always @* if (!rst_i && f_at[stage*VISITORS+v] && f_at[stage*VISITORS+w])
        assert (f_buckets[(stage*VISITORS+v)*BUCKET_WIDTH+:BANK_WIDTH]
            != f_buckets[(stage*VISITORS+w)*BUCKET_WIDTH+:BANK_WIDTH]);
    end
  end
end
for (genvar v = 0; v < 3; v++) begin : g_kinds
  assign f_kinds[v*F_COUNT+:F_COUNT] = F_COUNT'(at_1[v]) + F_COUNT'(at_2[v]) + F_COUNT'(at_3[v]) + F_COUNT'(at_4[v]);
end
// A bank knows its visitor and the content of the bucket, whether the content was read or forwarded.
for (genvar bank = 0; bank < BANKS; bank++) begin : g_known
  assign f_read_3[bank] = g_bank[bank].read_3[0];
  always @* if (!rst_i && |g_bank[bank].here_2) assert (g_bank[bank].occupied == g_bank[bank].full[g_bank[bank].row_2]);
  for (genvar v = 0; v < VISITORS; v++) begin : g_visitor
    always @* if (!rst_i) begin
      assert (g_bank[bank].here_2[v] == (at_2[v] && buckets_2[v*BUCKET_WIDTH+:BANK_WIDTH] == bank));
      if (g_bank[bank].here_2[v]) assert (g_bank[bank].row_2 == buckets_2[v*BUCKET_WIDTH+BANK_WIDTH+:ROW_WIDTH]);
    end
  end
end

always @* if (!rst_i) begin
  if (sweeping) assert (f_at == 0 && f_held == 0 && !collided_1 && !collided_2 && !f_met_1 && !f_met_2 && !f_came && !f_marked
      && !f_read);
  // Queues that have to take have room.
  assert (in_flight <= FLIGHT'(IN_FLIGHT));
  assert (F_COUNT'(in_flight) + F_COUNT'(sums_waiting) + F_COUNT'(met_waiting) + F_COUNT'(f_met_1) + F_COUNT'(f_met_2)
      + f_kinds[SUM*F_COUNT+:F_COUNT] <= SUMS);
  assert (F_COUNT'(retries_waiting) + f_kinds[RETRY*F_COUNT+:F_COUNT] <= PAIRS);
  assert (F_COUNT'(visits_waiting) + f_kinds[VISIT*F_COUNT+:F_COUNT] <= PAIRS);
  assert (F_COUNT'(collisions_waiting) < COLLISIONS && F_COUNT'(data_waiting) < COLLISIONS);
  assert (F_COUNT'(collisions_waiting) + F_COUNT'(f_first_1) < COLLISIONS + F_COUNT'(collided_1));
  // The two queues of collisions hold the same collisions, two cycles apart. Each bucket that leaves the first queue
  // has its data in the second queue.
  assert (!(at_1[VISIT] && collided_1) && !(at_2[VISIT] && collided_2));
  if (!MEET) assert (!f_met_1 && !f_met_2);
  assert (!(met_input_1 && (at_1[VISIT] || collided_1 || met_first_1 || at_1[SUM])));
  assert (!(met_input_2 && (at_2[VISIT] || collided_2 || met_first_2 || at_2[SUM])));
  assert (!(met_first_1 && (at_1[RETRY] || at_1[SUM])) && !(met_first_2 && (at_2[RETRY] || at_2[SUM])));
  assert (F_COUNT'(collisions_waiting) >= F_COUNT'(collided_1));
  assert (F_COUNT'(collisions_waiting) + F_COUNT'(f_first_1) >= F_COUNT'(collided_1) + F_COUNT'(collided_2));
  assert (F_COUNT'(data_waiting) + F_COUNT'(collided_1) + F_COUNT'(collided_2)
      == F_COUNT'(collisions_waiting) + F_COUNT'(f_first_1) + F_COUNT'(f_first_2));
  assert (f_here[1*F_COUNT+:F_COUNT] + F_COUNT'(collided_1 && f_collided_1 == f_bucket)
      + F_COUNT'(collided_2 && f_collided_2 == f_bucket)
      == f_here[0+:F_COUNT] + F_COUNT'(f_visitors_here[RETRY]) + F_COUNT'(f_visitors_here[3+RETRY])
      + F_COUNT'(met_first_1 && f_met_here_1) + F_COUNT'(met_first_2 && f_met_here_2));
  if (!f_read) begin
    assert (!at_1[3] && !at_2[3] && !at_3[3] && !at_4[3] && f_reading == 0);
    assert (f_sum(f_marks) + f_visitor_marks + f_slot_marks == F_COUNT'(f_marked));
    assert (f_sum(f_both) + f_visitor_both + F_COUNT'(f_slots[f_bucket]) == F_COUNT'(f_marked_here));
    assert ((f_sum(f_here) != 0 || f_visitors_here != 0 || f_full[f_bucket] || (f_met_1 && f_met_here_1)
        || (f_met_2 && f_met_here_2)) == f_came);
    assert (!f_marked_here || (f_marked && f_came));
  end
  if (pair_valid_o) assert (!(left_o[0] && right_o[0]));
  if (f_reading[3]) begin
    assert (read_occupied_o == f_came);
    if (f_came) assert (read_data_o[0] == f_marked_here);
  end
  // Nothing has come since done_o, when everything was in the buckets.
  if (f_read) assert (f_held == 0 && {at_1[2:0], at_2[2:0], at_3[2:0], at_4[2:0]} == 0 && !collided_1 && !collided_2 && !f_met_1
      && !f_met_2);
  // Before it is there, it is on its way.
  if (f_reading[2:0] != 0) assert (f_reading[3:0] == 4'b0001 || f_reading[3:0] == 4'b0010 || f_reading[3:0] == 4'b0100);
  if (f_reading[0]) assert (at_1 == 4'b1000 && buckets_1[3*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket
      && at_2 == 0 && f_full[f_bucket] == f_came && (!f_came || f_slots[f_bucket] == f_marked_here));
  if (f_reading[1]) assert (at_2 == 4'b1000 && buckets_2[3*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket
      && f_full[f_bucket] == f_came && (!f_came || f_slots[f_bucket] == f_marked_here));
  if (f_reading[2]) assert (at_3[3] == f_came && buckets_3[3*BUCKET_WIDTH+:BUCKET_WIDTH] == f_bucket
      && (!f_came || f_read_3[f_bucket[BANK_WIDTH-1:0]] == f_marked_here));
end
