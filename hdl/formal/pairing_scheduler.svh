// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of pairing_scheduler, inductive, for points that are a mark alone, one of them at most. The mark is in one
// place at a time, with the bucket it came for; a bucket, any one, that a point came to has one somewhere; so at the end
// it has one, with the mark if that came to it, and a bucket that none came to is empty.
//
// That a queue gives what it was given, each entry once, is fifo's part and assumed here, as it is of the adder outside:
// of its entries, it is known how many are of the bucket, how many have the mark, and how many both, and what it gives
// is one of them.
localparam int F_QUEUES = 5;
localparam int F_COUNT = 6;

function automatic logic [F_COUNT-1:0] f_sum(input logic [F_QUEUES*F_COUNT-1:0] counts);
  f_sum = '0;
  for (int i = 0; i < F_QUEUES; i++) f_sum = f_sum + counts[i*F_COUNT+:F_COUNT];
endfunction

// The bucket that is read in the end: the harness never names another.
logic [BUCKET_WIDTH-1:0] f_bucket;
assign f_bucket = read_bucket_i;

logic f_read, f_reading, f_came, f_marked, f_marked_here;
always @(posedge clk_i) begin
  f_reading <= read_i && !f_read;
  f_read <= f_read || read_i;
  if (take) begin
    f_came <= f_came || bucket_i == f_bucket;
    f_marked <= f_marked || data_i[0];
    f_marked_here <= f_marked_here || (data_i[0] && bucket_i == f_bucket);
  end
  if (rst_i) {f_reading, f_read, f_came, f_marked, f_marked_here} <= '0;
end

// What comes into the queues of collisions and pairs and the adder, and what leaves them: how many there are, whether
// one comes or goes, its bucket and its mark.
logic [F_QUEUES-1:0] f_in, f_out, f_in_here, f_out_here, f_in_mark, f_out_mark;
logic [F_QUEUES*F_COUNT-1:0] f_held, f_here, f_marks, f_both;
function automatic logic f_is_here(input logic [PAIR-1:0] pair);
  f_is_here = pair[PAIR-1-:BUCKET_WIDTH] == f_bucket;
endfunction
assign f_held = {F_COUNT'(in_flight), F_COUNT'(visits_waiting), F_COUNT'(retries_waiting), F_COUNT'(sums_waiting),
    F_COUNT'(collisions_waiting)};
assign f_in = {give, visit_pairs, retry_pairs, sum_pairs, collide};
assign f_out = {sum_valid_i, give && !sums_valid && !retries_valid, give && !sums_valid && retries_valid,
    give && sums_valid, retry};
assign f_in_here = {pair_bucket_o == f_bucket, visit_bucket == f_bucket, retried_bucket == f_bucket,
    sum_bucket == f_bucket, bucket_i == f_bucket};
assign f_out_here = {sum_bucket_i == f_bucket, f_is_here(visits_pair), f_is_here(retries_pair), f_is_here(sums_pair),
    retry_bucket == f_bucket};
logic f_visit_found, f_retry_found, f_sum_found;
assign f_visit_found = found[visit_bucket[BANK_WIDTH-1:0]];
assign f_retry_found = found[retried_bucket[BANK_WIDTH-1:0]];
assign f_sum_found = found[sum_bucket[BANK_WIDTH-1:0]];
assign f_in_mark = {left_o[0] || right_o[0], visitor[0] || f_visit_found, retried[0] || f_retry_found,
    sum[0] || f_sum_found, data_i[0]};
assign f_out_mark = {sum_i[0], |visits_pair[1:0], |retries_pair[1:0], |sums_pair[1:0], retry_data[0]};
// What is visible of a queue, whether it leaves or not.
logic [F_QUEUES-1:0] f_visible;
assign f_visible = {sum_valid_i, visits_valid, retries_valid, sums_valid, collision_valid};

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
  // The adder gives what it has, and there is one mark.
  if (in_flight == 0) assume (!sum_valid_i);
  if (f_marked) assume (!(take && data_i[0]));
  if (f_read) assume (!valid_i);
end

// The points in the buckets.
logic [(1 << BUCKET_WIDTH)-1:0] f_slots;
logic [F_COUNT-1:0] f_slot_marks;
for (genvar bucket = 0; bucket < 1 << BUCKET_WIDTH; bucket++) begin : g_slots
  assign f_slots[bucket] = occupied[bucket] && g_bank[bucket%BANKS].slots[bucket/BANKS][0];
end
always @* begin
  f_slot_marks = '0;
  for (int i = 0; i < 1 << BUCKET_WIDTH; i++) f_slot_marks = f_slot_marks + F_COUNT'(f_slots[i]);
end

logic [F_COUNT-1:0] f_pair_marks;
logic f_pair_here, f_pair_both;
assign f_pair_marks = F_COUNT'(sum_pairs && sum[0]) + F_COUNT'(sum_pairs && f_sum_found)
    + F_COUNT'(visit_pairs && visitor[0]) + F_COUNT'(visit_pairs && f_visit_found)
    + F_COUNT'(retry_pairs && retried[0]) + F_COUNT'(retry_pairs && f_retry_found);
assign f_pair_here = |(f_in[3:1] & f_in_here[3:1]);
assign f_pair_both = |(f_in[3:1] & f_in_here[3:1] & f_in_mark[3:1]);
always @* if (!rst_i) begin
  // Queues that have to take have room.
  assert (in_flight <= FLIGHT'(IN_FLIGHT));
  assert (F_COUNT'(in_flight) + F_COUNT'(sums_waiting) + F_COUNT'(sum_pairs) <= IN_FLIGHT + 1);
  assert (F_COUNT'(retries_waiting) + F_COUNT'(retry_pairs) < PAIRS);
  assert (F_COUNT'(visits_waiting) + F_COUNT'(visit_pairs) < PAIRS);
  assert (F_COUNT'(collisions_waiting) < COLLISIONS);
  // Pairs on their way have banks of their own.
  if (sum_pairs && visit_pairs) assert (sum_bucket[BANK_WIDTH-1:0] != visit_bucket[BANK_WIDTH-1:0]);
  if (sum_pairs && retry_pairs) assert (sum_bucket[BANK_WIDTH-1:0] != retried_bucket[BANK_WIDTH-1:0]);
  if (visit_pairs && retry_pairs) assert (visit_bucket[BANK_WIDTH-1:0] != retried_bucket[BANK_WIDTH-1:0]);
  if (!f_read) begin
    assert (f_sum(f_marks) + f_pair_marks + f_slot_marks == F_COUNT'(f_marked));
    assert (f_sum(f_both) + F_COUNT'(f_pair_both) + F_COUNT'(f_slots[f_bucket]) == F_COUNT'(f_marked_here));
    assert ((f_sum(f_here) != 0 || f_pair_here || occupied[f_bucket]) == f_came);
    assert (!f_marked_here || (f_marked && f_came));
  end
  if (pair_valid_o) assert (!(left_o[0] && right_o[0]));
  if (f_reading) begin
    assert (read_occupied_o == f_came);
    if (f_came) assert (read_data_o[0] == f_marked_here);
  end
end
