// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's execute and write-back stages: an addition begins in each cycle of a batch, and its sum is written LATENCY -
// 1 cycles later. Of the six cycles before the adder, five read the RAMs (bucket_ram) and negate the point, and one
// chooses the summands. The write-back register follows the adder.
//
// The place of a stream's addition is computed one cycle ahead; for the first addition, this is the cycle in which the
// batch begins. In its own cycle, the place is read, and compared with the places under way. In the next cycle, the
// addition is judged: its sum will be written, or the addition is queued. The computation of the place does not wait for
// the batch to begin: with free_i, it is the place of the batch that may begin.
//
// If a stream goes into buckets, an addition whose bucket is still under way is made all the same and its sum is
// discarded; point and digit go into the conflict queue, from which an addition takes them four cycles later at the
// earliest. In all other cases, a program that reads a place before it is written is wrong, and simulation reports it.
//
// Contract: a batch is loaded in a cycle with begin_i, with its point and digits if from_input_i; counter_i is added to
// addresses that ask for it. free_i says that no addition of the previous batch begins in the next cycle, and comes
// with begin_i. Additions begin in the cycles with issue_i. clear_i, with no addition under way, empties all RAMs;
// ready_o is low while they are swept. A place outside of a RAM, or an entry without room in the conflict queue, is
// reported when its addition is judged (bad_address_o, overflow_o), and is not written; nothing is judged after it until
// a reset. almost_full_o and conflict_o describe the queue after all additions that have been judged. settled_o says that
// no sum is under way. Points are {z, y, x}, projective, and (0 : 1 : 0) if a bucket is empty.
module msmac_execute #(
    parameter int WINDOW = 13,
    parameter int WINDOWS = 20,
    parameter int KIND = field_pkg::HYBRID,
    parameter int MUL_LATENCY = 40,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    parameter int TEMPS = 2 * WINDOWS,
    localparam int WIDTH = bn254_pkg::WIDTH
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      clear_i,
    output logic                      ready_o,
    output logic                      settled_o,
    input  logic                      free_i,
    input  logic                      begin_i,
    input  logic                      left_bucket_i,
    input  logic                      left_temp_i,
    input  logic                      right_bucket_i,
    input  logic                      right_temp_i,
    input  logic                      from_input_i,
    input  logic                      from_conflicts_i,
    input  logic                      to_bucket_i,
    input  logic                      to_temp_i,
    input  logic [              34:0] left_address_i,
    input  logic [              34:0] right_address_i,
    input  logic [              34:0] to_address_i,
    input  logic [              19:0] counter_i,
    input  bn254_pkg::affine_t        point_i,
    input  logic [       WINDOWS-1:0] negative_i,
    input  logic [WINDOWS*WINDOW-1:0] magnitudes_i,
    input  logic                      issue_i,
    input  logic                      last_i,
    output logic                      bad_address_o,
    output logic                      overflow_o,
    output logic                      conflict_o,
    output logic                      almost_full_o,
    // An addition, a cycle of a batch without an addition, a conflict, and whether the point had conflicted before.
    output logic                      add_o,
    output logic                      bubble_o,
    output logic                      queued_o,
    output logic                      repeated_o,
    output logic [              31:0] high_water_o,
    output logic                      sum_valid_o,
    output logic                      sum_last_o,
    output bn254_pkg::projective_t    sum_o
);
  localparam int READ = 5;
  localparam int LATENCY = 2 * MUL_LATENCY + 12 + READ + 3;
  localparam int BUCKETS = WINDOWS << (WINDOW - 1);
  localparam int ADDRESS = $clog2(BUCKETS);
  localparam int TEMP = $clog2(TEMPS);
  localparam int INDEX = $clog2(WINDOWS);
  localparam logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME;
  localparam logic [field_pkg::WIDE-1:0] ONE = field_pkg::shifted(
      field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), bn254_pkg::WORD
  );
  localparam bn254_pkg::projective_t NEUTRAL = {WIDTH'(0), ONE[WIDTH-1:0], WIDTH'(0)};
  if (BUCKETS > 1 << 27 || THRESHOLD < 2 || CONFLICTS < THRESHOLD + 2 * WINDOWS || TEMPS < 2 || TEMPS > BUCKETS) begin : g_invalid
    $error("msmac_execute: WINDOW is 2 to 24, THRESHOLD at least 2, CONFLICTS at least 2 WINDOWS more, TEMPS 2 to all buckets");
  end

  // The batch under way. The digit of the current window is the lowest; zeros follow the last window.
  logic left_bucket, left_temp, right_bucket, right_temp, from_input, from_conflicts, to_bucket, to_temp;
  bn254_pkg::affine_t batch_point;
  logic [WINDOWS-1:0] negatives;
  logic [WINDOWS*WINDOW-1:0] magnitudes;
  logic [INDEX-1:0] batch_window;
  always_ff @(posedge clk_i) begin
    if (issue_i) begin
      batch_window <= batch_window + 1'b1;
      negatives <= negatives >> 1;
      magnitudes <= magnitudes >> WINDOW;
    end
    if (begin_i) begin
      {left_bucket, left_temp} <= {left_bucket_i, left_temp_i};
      {right_bucket, right_temp} <= {right_bucket_i, right_temp_i};
      {from_input, from_conflicts} <= {from_input_i, from_conflicts_i};
      {to_bucket, to_temp} <= {to_bucket_i, to_temp_i};
      batch_point <= point_i;
      negatives <= negative_i;
      magnitudes <= magnitudes_i;
      batch_window <= '0;
    end
  end
  logic [26:0] left_address, right_address, to_address;
  logic [13:0] step, unused_right_step, unused_to_step;
  msmac_address u_left (
      .clk_i, .load_i(begin_i), .field_i(left_address_i), .counter_i, .next_i(issue_i && !from_conflicts),
      .step_o(step), .address_o(left_address));
  msmac_address u_right (
      .clk_i, .load_i(begin_i), .field_i(right_address_i), .counter_i, .next_i(issue_i),
      .step_o(unused_right_step), .address_o(right_address));
  msmac_address u_to (
      .clk_i, .load_i(begin_i), .field_i(to_address_i), .counter_i, .next_i(issue_i),
      .step_o(unused_to_step), .address_o(to_address));

  // The digit of a stream: of the input's point, or of the queue's first entry, which has its own window and is in
  // registers.
  localparam int ENTRY = INDEX + 1 + WINDOW + 2 * WIDTH;
  localparam int COUNT = $clog2(CONFLICTS + 1);
  logic stream, nothing, negative, front_valid, front_stays, front_leaves, rest_valid;
  logic [ENTRY-1:0] front, rest, next_front, entry;
  bn254_pkg::affine_t stream_point;
  assign stream = from_input || from_conflicts;
  assign entry = from_conflicts ? front : {batch_window, negatives[0], magnitudes[WINDOW-1:0], batch_point};
  assign stream_point = entry[2*WIDTH-1:0];
  assign negative = entry[2*WIDTH+WINDOW];

  // The place of the next cycle's addition, base + step window + magnitude - 1: one sum of many summands. The base of
  // the input advances with the window. The base of the queue stays, and the entry's window is added to it.
  localparam int TERMS = INDEX + 4;
  logic next_from_conflicts, next_front_valid;
  logic [INDEX-1:0] next_window;
  logic [WINDOW-1:0] next_magnitude;
  logic [13:0] next_step;
  logic [TERMS*27-1:0] terms;
  logic [26:0] place_sum, place_carries;
  assign next_from_conflicts = free_i ? from_conflicts_i : from_conflicts;
  assign next_window = next_from_conflicts ? next_front[ENTRY-1-:INDEX] : '0;
  assign next_magnitude = next_from_conflicts ? next_front[2*WIDTH+:WINDOW]
      : free_i ? magnitudes_i[WINDOW-1:0] : magnitudes[WINDOW+:WINDOW];
  assign next_step = free_i ? left_address_i[33:20] : step;
  assign terms[0*27+:27] = free_i ? 27'(left_address_i[19:0]) : left_address;
  assign terms[1*27+:27] = free_i ? (left_address_i[34] ? 27'(counter_i) : '0) : from_conflicts ? '0 : 27'(step);
  assign terms[2*27+:27] = 27'(next_magnitude);
  assign terms[3*27+:27] = '1;
  for (genvar i = 0; i < INDEX; i++) begin : g_window
    assign terms[(4+i)*27+:27] = next_window[i] ? 27'(next_step) << i : '0;
  end
  carry_save_tree #(.WIDTH(27), .TERMS(TERMS)) u_place (
      .terms_i(terms), .sum_o(place_sum), .carries_o(place_carries));

  // The addresses for reading and for writing.
  logic [26:0] place;
  logic [ADDRESS-1:0] left_place, bucket;
  always_ff @(posedge clk_i) begin
    place <= place_sum + place_carries;
    nothing <= next_magnitude == 0 || (next_from_conflicts && !next_front_valid);
  end
  assign left_place = stream ? place[ADDRESS-1:0] : left_address[ADDRESS-1:0];
  assign bucket = stream ? place[ADDRESS-1:0] : to_address[ADDRESS-1:0];

  // A cycle later, the addition is judged. A stream goes from a bucket to the same bucket; all other batches have separate
  // places. Only the place of a stream is compared.
  localparam int TAG = ADDRESS + 3;
  localparam int CHOICE = 5;
  logic judge, failed, streamed, empty, left_queue, bad_place, bad_places, hit, judged_to_bucket;
  logic [TAG+CHOICE-1:0] judged_tag;
  logic [ENTRY-1:0] judged;
  always_ff @(posedge clk_i) begin
    judge <= issue_i && !rst_i;
    failed <= (failed || bad_address_o || overflow_o) && !rst_i;
    judged <= entry;
    judged_tag <= {last_i, to_bucket, to_temp, bucket, left_bucket, left_temp, right_bucket, right_temp, stream};
    judged_to_bucket <= to_bucket;
    {streamed, empty} <= {stream, stream && nothing};
    left_queue <= front_leaves;
    bad_place <= stream && !nothing && place >= 27'(BUCKETS);
    bad_places <= !stream
        && ((left_bucket && left_address >= 27'(BUCKETS)) || (left_temp && left_address >= 27'(TEMPS))
        || (right_bucket && right_address >= 27'(BUCKETS)) || (right_temp && right_address >= 27'(TEMPS))
        || (to_bucket && to_address >= 27'(BUCKETS)) || (to_temp && to_address >= 27'(TEMPS)));
  end
  hazard_next #(.WIDTH(ADDRESS), .WINDOW(LATENCY - 1)) u_hazards (
      .clk_i, .rst_i, .bucket_i(place[ADDRESS-1:0]), .issued_i(bucket),
      .issue_i(add_o && judged_to_bucket), .conflict_o(hit));
  logic judges, good;
  assign judges = judge && !failed;
  assign bad_address_o = judges && (bad_place || bad_places);
  assign good = judges && !bad_place && !bad_places;
  assign queued_o = good && streamed && !empty && hit;
  assign add_o = good && !(streamed && (empty || hit));
  assign bubble_o = good && !add_o;
  assign repeated_o = queued_o && left_queue;
  assign overflow_o = queued_o && !left_queue && count == COUNT'(CONFLICTS);

  // The queue: its first entry is in registers, the other entries in a RAM, from which the next entry can be seen before
  // it is the first. `count` are the entries after all additions that have been judged. An entry that was taken and is
  // not judged yet may return, so it counts.
  logic [COUNT-1:0] count, unused_count;
  logic more, fewer;
  assign front_leaves = issue_i && from_conflicts && front_valid;
  assign front_stays = front_valid && !front_leaves;
  assign next_front = front_stays ? front : rest;
  assign next_front_valid = front_stays || rest_valid;
  fifo_ram #(.WIDTH(ENTRY), .DEPTH(CONFLICTS)) u_conflicts (
      .clk_i, .rst_i(rst_i || clear_i), .valid_i(queued_o && !overflow_o), .data_i(judged),
      .valid_o(rest_valid), .ready_i(!front_stays), .data_o(rest), .count_o(unused_count));
  assign more = queued_o && !left_queue;
  assign fewer = judges && left_queue && !queued_o;
  always_ff @(posedge clk_i) begin
    front <= next_front;
    front_valid <= next_front_valid && !rst_i && !clear_i;
    count <= more ? count + 1'b1 : fewer ? count - 1'b1 : count;
    conflict_o <= more || (fewer ? count != 1 : count != 0);
    almost_full_o <= more ? count >= COUNT'(THRESHOLD - 1)
        : fewer ? count > COUNT'(THRESHOLD) : count >= COUNT'(THRESHOLD);
    if (32'(count) > high_water_o) high_water_o <= 32'(count);
    if (rst_i || clear_i) begin
      count <= '0;
      conflict_o <= 1'b0;
      almost_full_o <= 1'b0;
      high_water_o <= '0;
    end
  end

  // The RAMs. Both summands may be temporaries, so there are two copies of their RAM; only one summand may be a bucket.
  logic write, write_last, write_bucket, write_temp, buckets_ready, left_temps_ready, right_temps_ready;
  logic [ADDRESS-1:0] write_address;
  bn254_pkg::projective_t sum, bucket_data, left_temp_data, right_temp_data;
  logic bucket_there, left_temp_there, right_temp_there;
  bucket_ram #(.WIDTH(3 * WIDTH), .BUCKETS(BUCKETS), .LATENCY(READ)) u_buckets (
      .clk_i, .rst_i, .clear_i, .ready_o(buckets_ready), .read_i(issue_i && (left_bucket || right_bucket)),
      .read_address_i(right_bucket ? right_address[ADDRESS-1:0] : left_place),
      .occupied_o(bucket_there), .data_o(bucket_data),
      .write_i(write && write_bucket), .write_address_i(write_address), .data_i(sum));
  bucket_ram #(.WIDTH(3 * WIDTH), .BUCKETS(TEMPS), .LATENCY(READ)) u_left_temps (
      .clk_i, .rst_i, .clear_i, .ready_o(left_temps_ready), .read_i(issue_i && left_temp),
      .read_address_i(left_address[TEMP-1:0]),
      .occupied_o(left_temp_there), .data_o(left_temp_data),
      .write_i(write && write_temp), .write_address_i(write_address[TEMP-1:0]), .data_i(sum));
  bucket_ram #(.WIDTH(3 * WIDTH), .BUCKETS(TEMPS), .LATENCY(READ)) u_right_temps (
      .clk_i, .rst_i, .clear_i, .ready_o(right_temps_ready), .read_i(issue_i && right_temp),
      .read_address_i(right_address[TEMP-1:0]),
      .occupied_o(right_temp_there), .data_o(right_temp_data),
      .write_i(write && write_temp), .write_address_i(write_address[TEMP-1:0]), .data_i(sum));
  assign ready_o = buckets_ready && left_temps_ready && right_temps_ready;

  // Summands, while the RAMs answer.
  logic read, read_left_bucket, read_left_temp, read_right_bucket, read_right_temp, read_point, infinity;
  logic [TAG-1:0] read_tag;
  bn254_pkg::affine_t early_point;
  logic [WIDTH-1:0] read_x, signed_y;
  tag_line #(.LATENCY(READ - 1), .TAG_WIDTH(TAG + CHOICE)) u_read (
      .clk_i, .rst_i, .valid_i(add_o), .tag_i(judged_tag), .valid_o(read),
      .tag_o({read_tag, read_left_bucket, read_left_temp, read_right_bucket, read_right_temp, read_point}));
  always_ff @(posedge clk_i) early_point <= stream_point;
  delay_line #(.WIDTH(1), .DEPTH(READ - 1)) u_infinity (.clk_i, .d_i(early_point == 0), .q_o(infinity));
  delay_line #(.WIDTH(WIDTH), .DEPTH(READ - 1)) u_x (.clk_i, .d_i(early_point.x), .q_o(read_x));
  mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(READ)) u_y (
      .clk_i, .negative_i(negative), .a_i(stream_point.y), .r_o(signed_y));
  bn254_pkg::projective_t bucket_sum, left_temp_sum, right_temp_sum, point, left, right;
  assign bucket_sum = bucket_there ? bucket_data : NEUTRAL;
  assign left_temp_sum = left_temp_there ? left_temp_data : NEUTRAL;
  assign right_temp_sum = right_temp_there ? right_temp_data : NEUTRAL;
  assign point = infinity ? NEUTRAL : {ONE[WIDTH-1:0], signed_y, read_x};
  assign left = read_left_bucket ? bucket_sum : read_left_temp ? left_temp_sum : NEUTRAL;
  assign right = read_point ? point : read_right_bucket ? bucket_sum : read_right_temp ? right_temp_sum : NEUTRAL;

  logic add, sum_valid;
  logic [TAG-1:0] add_tag, sum_tag;
  bn254_pkg::projective_t add_left, add_right, new_sum;
  always_ff @(posedge clk_i) begin
    add <= read && !rst_i;
    add_tag <= read_tag;
    add_left <= left;
    add_right <= right;
  end
  rcb_add #(.KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .TAG_WIDTH(TAG)) u_adder (
      .clk_i, .rst_i, .valid_i(add), .tag_i(add_tag), .left_i(add_left), .right_i(add_right),
      .valid_o(sum_valid), .tag_o(sum_tag), .sum_o(new_sum));
  always_ff @(posedge clk_i) begin
    write <= sum_valid && !rst_i;
    {write_last, write_bucket, write_temp, write_address} <= sum_tag;
    sum <= new_sum;
  end
  assign sum_valid_o = write && !write_bucket && !write_temp;
  assign sum_last_o = write_last;
  assign sum_o = sum;

  logic [$clog2(LATENCY+1)-1:0] under_way;
  assign settled_o = under_way == 0;
  always_ff @(posedge clk_i) begin
    if (add_o) under_way <= ($clog2(LATENCY + 1))'(LATENCY);
    else if (!settled_o) under_way <= under_way - 1'b1;
    if (rst_i) under_way <= '0;
  end

  unread u_unread (.d_i(^{unused_count, unused_right_step, unused_to_step}));

`ifndef SYNTHESIS
  // The cycle from which on a place can be read. An addition that is judged has read its places a cycle ago.
  longint now, bucket_from[BUCKETS], temp_from[TEMPS];
  logic [ADDRESS-1:0] was_left, was_right, was_to;
  logic of_left_bucket, of_left_temp, of_right_bucket, of_right_temp, goes_to_bucket, goes_to_temp, early_bucket, early_temp;
  assign {of_left_bucket, of_left_temp, of_right_bucket, of_right_temp} = judged_tag[4:1];
  assign {goes_to_bucket, goes_to_temp} = judged_tag[TAG+CHOICE-2-:2];
  assign early_bucket = (of_left_bucket && bucket_from[was_left] >= now)
      || (of_right_bucket && bucket_from[was_right] >= now);
  assign early_temp = (of_left_temp && temp_from[was_left[TEMP-1:0]] >= now)
      || (of_right_temp && temp_from[was_right[TEMP-1:0]] >= now);
  always_ff @(posedge clk_i) begin
    now <= now + 1;
    {was_left, was_right, was_to} <= {left_place, right_address[ADDRESS-1:0], bucket};
    if (!rst_i && add_o) begin
      if (early_bucket || early_temp) $error("msmac_execute: read before its sum is there, insert a nop");
      if (goes_to_bucket) bucket_from[was_to] <= now - 1 + 64'(LATENCY);
      if (goes_to_temp) temp_from[was_to[TEMP-1:0]] <= now - 1 + 64'(LATENCY);
    end
  end
`endif
endmodule
