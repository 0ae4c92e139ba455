// SPDX-License-Identifier: MIT OR Apache-2.0
// One window of CycloneMSM (4.4): mixed additions of points to buckets, then full additions of buckets, on one adder.
//
//   for each point P with its bucket b, as the scheduler issues it:     accumulation
//     S_b <- S_b +- P
//   R, T <- neutral                                                     aggregation (cyclone_aggregate)
//   for each bucket b, from the last one to the first:
//     R <- R + T;  T <- T + S_b;  S_b <- neutral
//   sum_o <- R + T                                                      the sum of (b + 1) S_b
//
// The host makes signed digits, and combines the sums of the windows.
//
// Departures from the pseudo-code:
// 1. A bucket is in use for LATENCY + CONTROL cycles, from the cycle in which its point comes to the scheduler. CONTROL
//    counts the cycles from there to the adder, and registers from the adder to the bucket's write, which long wires
//    between one adder and the RAMs of all buckets may need. The stages: 0 and 1, comparison with the buckets in use
//    (hazard_ahead); 2, issue, or into the queue; from 3 on, the buckets' RAMs (bucket_ram); 5, the adder, or 6 if
//    CONTROL is large enough and OVERLAP is off. With CONTROL = 18, a bucket is in use for 114 cycles, which gives the
//    paper's 235,000 conflicts; with 96 cycles there were 197,000.
// 2. Aggregation reads a bucket four cycles before it needs it, because the RAMs answer four cycles later. Its sums
//    pass the same additional stages that points pass before the adder. With the paper's stages and CONTROL = 18, a
//    bucket takes 158 cycles of the loop.
// 3. With SEGMENT_WIDTH, segments of buckets have their own R and T, because the loop above waits for each sum. With 32
//    segments and the paper's stages and buckets, aggregation takes 211,036 cycles instead of 5,177,500.
//    roles when a window is accumulated and the sum before is taken. Mixed additions cannot wait, so cyclone_slots grants
//    full additions their cycles ahead of time, and holds the scheduler back where both would meet. For 2^12 points and
//    windows of 8 bits, an MSM takes 676,921 cycles instead of 983,036, and with 32 segments 366,314 instead of 556,028.
// 5. With GREEDY, the scheduler retries conflicts at once from a short queue, and no point goes to memory. The longest
//    queue for 2^20 points has 11 entries. The price is 7 levels of logic in the scheduler instead of 4.
//
// Contract:
// - Input: a point in te_madd's form, with its bucket and its sign, is taken in a cycle with valid_i and ready_o.
// - End of a window: finish_i is held after the last point until a cycle with accumulated_o, and starts the
//   aggregation.
// - Sum: valid_o comes with the sum, in extended projective coordinates, and stays until ready_i. The buckets of this
//   window are then empty.
// - Next window: with OVERLAP, its points are taken from the cycle after accumulated_o on; without OVERLAP, from the
//   cycle after the sum is taken.
// - Memory: the ports are spill_fifo's.
// - Events, each for its cycle: swept_o, buckets can be filled; aggregating_o, aggregation is under way; issue_o, a mixed
//   addition begins; ended_o, accumulation had ended in the cycle before.
// - CONTROL is at least 5.
`include "ports.svh"
module cyclone_pe #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0,
    // Places of the greedy scheduler's queue; 0 selects the delayed scheduler.
    parameter int GREEDY = 0,
    // Aggregates a window while the next one is accumulated.
    parameter bit OVERLAP = 0,
    localparam int WIDTH = bls12_377_pkg::WIDTH,
    localparam int ENTRY = BUCKET_WIDTH + 3 * WIDTH + 1
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ BUCKET_WIDTH-1:0] bucket_i,
    input  logic                     negative_i,
    input  bls12_377_pkg::affine_t   point_i,
    input  logic                     finish_i,
    output logic                     accumulated_o,
    `SPILL_PORTS(ENTRY),
    output logic                     valid_o,
    input  logic                     ready_i,
    output bls12_377_pkg::extended_t sum_o,
    output logic                     swept_o,
    output logic                     aggregating_o,
    output logic                     issue_o,
    output logic                     ended_o,
    output logic [             31:0] conflicts_o,
    output logic [             31:0] passes_o,
    output logic [             31:0] high_water_o
);
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam logic [field_pkg::WIDE-1:0] ONE = field_pkg::shifted(
      field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), bls12_377_pkg::WORD
  );
  // (0 : 1 : 1 : 0), as {t, z, y, x}.
  localparam bls12_377_pkg::extended_t NEUTRAL = {WIDTH'(0), ONE[WIDTH-1:0], ONE[WIDTH-1:0], WIDTH'(0)};
  localparam int READ = CONTROL >= 6 && !OVERLAP ? 4 : 3;
  localparam int BEFORE = 2 + READ;
  localparam int SETS = OVERLAP ? 2 : 1;
  if (CONTROL < 5) begin : g_invalid
    $error("cyclone_pe: CONTROL is at least 5");
  end

  // Accumulation: a point is issued, and READ cycles later the point and its bucket are at the adder.
  logic issued, scheduled, scheduler_ready, open, filling, started, finish, hold;
  logic [BUCKET_WIDTH-1:0] bucket, issued_bucket, next_bucket;
  logic negative;
  bls12_377_pkg::affine_t point, issued_point;
  assign open = filling && swept_o;
  assign ready_o = open && scheduler_ready;
  // If a window without points follows another window, the scheduler must notice that it is a new window.
  assign finish = finish_i && open && !started;
  always_ff @(posedge clk_i) begin
    started <= !rst_i && accumulated_o;
    ended_o <= !rst_i && open && scheduled;
  end
  if (GREEDY == 0) begin : g_delayed
    delayed_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(3 * WIDTH + 1), .WINDOW(LATENCY + CONTROL), .QUEUE(QUEUE), .SPILL(1)
    ) u_scheduler (
        .clk_i, .rst_i, .valid_i(valid_i && open), .ready_o(scheduler_ready), .bucket_i,
        .data_i({negative_i, point_i}), .hold_i(hold), .finish_i(finish), .done_o(scheduled),
        .issue_o, .bucket_o(bucket), .data_o({negative, point}),
        .spill_valid_o, .spill_ready_i, .spill_data_o, .spill_valid_i, .spill_ready_o, .spill_data_i,
        .conflicts_o, .passes_o, .high_water_o
    );
  end else begin : g_greedy
    greedy_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(3 * WIDTH + 1), .WINDOW(LATENCY + CONTROL), .QUEUE(GREEDY)
    ) u_scheduler (
        .clk_i, .rst_i, .valid_i(valid_i && open), .ready_o(scheduler_ready), .bucket_i,
        .data_i({negative_i, point_i}), .hold_i(hold), .finish_i(finish), .done_o(scheduled),
        .issue_o, .bucket_o(bucket), .data_o({negative, point}), .conflicts_o, .high_water_o
    );
    assign spill_valid_o = 1'b0;
    assign spill_data_o = '0;
    assign spill_ready_o = 1'b0;
    assign passes_o = '0;
    unread u_unread (.d_i(^{spill_ready_i, spill_valid_i, spill_data_i}));
  end
  tag_line #(.LATENCY(READ), .TAG_WIDTH(BUCKET_WIDTH)) u_issued (
      .clk_i, .rst_i, .valid_i(issue_o), .tag_i(bucket), .valid_o(issued), .tag_o(issued_bucket));
  delay_line #(.WIDTH(WIDTH), .DEPTH(READ)) u_y (.clk_i, .d_i(point.y), .q_o(issued_point.y));
  mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(READ)) u_x (
      .clk_i, .negative_i(negative), .a_i(point.x), .r_o(issued_point.x));
  mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(READ)) u_u (
      .clk_i, .negative_i(negative), .a_i(point.u), .r_o(issued_point.u));

  // Aggregation, on the same adder.
  localparam int LEAD = OVERLAP ? (LATENCY - 2 * MUL_LATENCY) / 2 + 6 : 0;
  localparam int AGGREGATE_TAG = SEGMENT_WIDTH + 3;
  localparam int TAG = 1 + (BUCKET_WIDTH > AGGREGATE_TAG ? BUCKET_WIDTH : AGGREGATE_TAG);
  logic full, full_add, took, soon, adder_valid, adder_ready, adder_full;
  logic [AGGREGATE_TAG-1:0] full_tag;
  bls12_377_pkg::extended_t point_sum, bucket_sum, full_left, full_right, first, second;
  logic added, sum_valid;
  logic [TAG-1:0] added_tag;
  logic [AGGREGATE_TAG-1:0] sum_tag;
  bls12_377_pkg::extended_t added_sum, sum;
  cyclone_aggregate #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .SEGMENT_WIDTH(SEGMENT_WIDTH), .LEAD(LEAD), .NEUTRAL(NEUTRAL)
  ) u_aggregate (
      .clk_i, .rst_i, .start_i(accumulated_o), .busy_o(full), .bucket_o(next_bucket), .bucket_i(bucket_sum),
      .add_o(full_add), .took_i(took), .tag_o(full_tag), .left_o(full_left), .right_o(full_right),
      .soon_i(soon), .sum_valid_i(sum_valid), .sum_tag_i(sum_tag), .sum_i(sum),
      .valid_o, .ready_i, .sum_o
  );
  assign aggregating_o = full;

  assign first = adder_full ? full_left : point_sum;
  assign second = adder_full ? full_right : {issued_point.u, WIDTH'(0), issued_point.y, issued_point.x};
  te_two_cycle_add #(
      .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .LATENCY(LATENCY), .TAG_WIDTH(TAG)
  ) u_adder (
      .clk_i, .rst_i, .valid_i(adder_valid), .ready_o(adder_ready), .full_i(adder_full),
      .tag_i({adder_full, adder_full ? (TAG-1)'(full_tag) : (TAG-1)'(issued_bucket)}),
      .left_i(first), .right_i(second), .valid_o(added), .tag_o(added_tag), .sum_o(added_sum)
  );
  // Sums on their way back: to the buckets, and further to the aggregation.
  localparam int SUM = TAG + 4 * WIDTH;
  logic back, back_full;
  logic [TAG-2:0] back_tag;
  bls12_377_pkg::extended_t back_sum;
  if (CONTROL == BEFORE) begin : g_near
    assign {back, back_full, back_tag, back_sum} = {added, added_tag, added_sum};
  end else begin : g_far
    tag_line #(.LATENCY(CONTROL - BEFORE), .TAG_WIDTH(SUM), .SPREAD(1)) u_back (
        .clk_i, .rst_i, .valid_i(added), .tag_i({added_tag, added_sum}), .valid_o(back),
        .tag_o({back_full, back_tag, back_sum}));
  end
  tag_line #(.LATENCY(BEFORE - 1), .TAG_WIDTH(AGGREGATE_TAG + 4 * WIDTH)) u_sum (
      .clk_i, .rst_i, .valid_i(back && back_full), .tag_i({back_tag[AGGREGATE_TAG-1:0], back_sum}), .valid_o(sum_valid),
      .tag_o({sum_tag, sum}));

  // The phase that uses each set of buckets, and the adder.
  logic [SETS-1:0] aggregated, set_swept;
  logic [SETS*4*WIDTH-1:0] set_sums;
  if (OVERLAP) begin : g_overlap
    logic other, add, unused_tag;
    assign filling = 1'b1;
    assign aggregated = {!other, other};
    assign swept_o = other ? set_swept[1] : set_swept[0];
    assign {bucket_sum, point_sum} = other ? {set_sums[4*WIDTH-1:0], set_sums[8*WIDTH-1:4*WIDTH]} : set_sums;
    assign accumulated_o = open && scheduled && !full && (!valid_o || ready_i);
    always_ff @(posedge clk_i) other <= !rst_i && (other ^ accumulated_o);

    // Points of the greedy scheduler come to the adder two cycles sooner.
    cyclone_slots #(.MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .LATER(GREEDY == 0 ? 0 : 2)) u_slots (
        .clk_i, .rst_i, .valid_i(full_add), .ready_o(took), .hold_o(hold), .add_o(add));
    tag_line #(.LATENCY(MUL_LATENCY + LATENCY + CONTROL)) u_soon (
        .clk_i, .rst_i, .valid_i(full_add && took), .tag_i(1'b0), .valid_o(soon), .tag_o(unused_tag));
    assign adder_full = add;
    assign adder_valid = add || issued;

`ifndef SYNTHESIS
    logic due, unused_due_tag;
    tag_line #(.LATENCY(LEAD)) u_due (
        .clk_i, .rst_i, .valid_i(soon), .tag_i(1'b0), .valid_o(due), .tag_o(unused_due_tag));
    always_ff @(posedge clk_i) begin
      if (!rst_i && add && issued) $error("cyclone_pe: a point and a full addition meet at the adder's input");
      if (!rst_i && adder_valid && !adder_ready) $error("cyclone_pe: the adder does not take what cannot wait");
      if (!rst_i && due != sum_valid) $error("cyclone_pe: a full addition's sum is not on time");
    end
`endif
  end else begin : g_serial
    logic accumulating;
    assign filling = accumulating;
    assign aggregated = full;
    assign swept_o = set_swept;
    assign {bucket_sum, point_sum} = {2{set_sums}};
    assign accumulated_o = open && scheduled;
    assign hold = 1'b0;
    assign took = adder_ready;
    assign soon = sum_valid;
    assign adder_full = full;
    assign adder_valid = full ? full_add : issued;
    always_ff @(posedge clk_i) begin
      if (accumulated_o) accumulating <= 1'b0;
      if (rst_i || (valid_o && ready_i)) accumulating <= 1'b1;
    end
  end

  for (genvar set = 0; set < SETS; set++) begin : g_set
    logic occupied;
    bls12_377_pkg::extended_t stored;
    bucket_ram #(.WIDTH(4 * WIDTH), .BUCKETS(1 << BUCKET_WIDTH), .EPOCH_WIDTH(8), .LATENCY(READ)) u_buckets (
        .clk_i, .rst_i, .clear_i(valid_o && ready_i && (!OVERLAP || aggregated[set])), .ready_o(set_swept[set]),
        .read_i(aggregated[set] ? full : issue_o), .read_address_i(aggregated[set] ? next_bucket : bucket),
        .occupied_o(occupied), .data_o(stored),
        .write_i(back && !back_full && !(OVERLAP && aggregated[set])),
        .write_address_i(back_tag[BUCKET_WIDTH-1:0]), .data_i(back_sum)
    );
    assign set_sums[4*WIDTH*set+:4*WIDTH] = occupied ? stored : NEUTRAL;
  end
endmodule
