// SPDX-License-Identifier: MIT OR Apache-2.0
// One window of CycloneMSM (4.4): points are added to buckets through a scheduler, by mixed additions, and
// then the buckets are aggregated, by full additions, on the same pipeline.
//
//   accumulation: S_b <- S_b +- P       aggregation: the sum of (b + 1) S_b (cyclone_aggregate)
//
// Signed digits and what is done with the windows' sums are the host's.
//
// A bucket is in use for LATENCY + CONTROL cycles: CONTROL counts the one from its reading to the adder, and registers
// from the adder to its writing, which the wires between the RAMs of all buckets and one adder may need.
//
// Contract: a point as te_madd has it, with its bucket and whether it is subtracted, is taken in a cycle with
// valid_i and ready_o. finish_i, held from the last point on until a cycle with accumulated_o, starts the aggregation.
// valid_o comes with the sum, extended projective, and stays until ready_i; then the buckets are empty again. The
// memory's ports are spill_fifo's. What happens in a cycle: swept_o, buckets can be used; aggregating_o; issue_o, a mixed
// addition begins.
module cyclone_pe #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int CONTROL = 1,
    parameter int SEGMENT_WIDTH = 0,
    // Places of the greedy scheduler's queue; 0 for the delayed one.
    parameter int GREEDY = 0,
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
    output logic                     spill_valid_o,
    input  logic                     spill_ready_i,
    output logic [        ENTRY-1:0] spill_data_o,
    input  logic                     spill_valid_i,
    output logic                     spill_ready_o,
    input  logic [        ENTRY-1:0] spill_data_i,
    output logic                     valid_o,
    input  logic                     ready_i,
    output bls12_377_pkg::extended_t sum_o,
    output logic                     swept_o,
    output logic                     aggregating_o,
    output logic                     issue_o,
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
  if (CONTROL < 1) begin : g_invalid
    $error("cyclone_pe: CONTROL is at least 1");
  end

  logic accumulating;

  // Accumulation: a point is issued, its bucket read, and in the next cycle both are at the adder.
  logic issued, issued_negative, scheduled, scheduler_ready, occupied, open;
  logic [BUCKET_WIDTH-1:0] bucket, issued_bucket, next_bucket;
  logic negative;
  bls12_377_pkg::affine_t point, issued_point;
  assign open = accumulating && swept_o;
  assign ready_o = open && scheduler_ready;
  assign accumulated_o = open && scheduled;
  if (GREEDY == 0) begin : g_delayed
    delayed_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(3 * WIDTH + 1), .WINDOW(LATENCY + CONTROL), .QUEUE(QUEUE), .SPILL(1)
    ) u_scheduler (
        .clk_i, .rst_i, .valid_i(valid_i && open), .ready_o(scheduler_ready), .bucket_i,
        .data_i({negative_i, point_i}), .finish_i(finish_i && open), .done_o(scheduled), .stall_i(1'b0),
        .issue_o, .bucket_o(bucket), .data_o({negative, point}),
        .spill_valid_o, .spill_ready_i, .spill_data_o, .spill_valid_i, .spill_ready_o, .spill_data_i,
        .conflicts_o, .passes_o, .high_water_o
    );
  end else begin : g_greedy
    greedy_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(3 * WIDTH + 1), .WINDOW(LATENCY + CONTROL), .QUEUE(GREEDY)
    ) u_scheduler (
        .clk_i, .rst_i, .valid_i(valid_i && open), .ready_o(scheduler_ready), .bucket_i,
        .data_i({negative_i, point_i}), .finish_i(finish_i && open), .done_o(scheduled),
        .issue_o, .bucket_o(bucket), .data_o({negative, point}), .conflicts_o, .high_water_o
    );
    assign spill_valid_o = 1'b0;
    assign spill_data_o = '0;
    assign spill_ready_o = 1'b0;
    assign passes_o = '0;
    logic unused;
    assign unused = ^{spill_ready_i, spill_valid_i, spill_data_i};
  end
  always_ff @(posedge clk_i) begin
    issued <= issue_o && !rst_i;
    issued_bucket <= bucket;
    issued_negative <= negative;
    issued_point <= point;
  end
  logic [WIDTH-1:0] signed_x, signed_u;
  assign signed_x = issued_negative && issued_point.x != 0 ? PRIME - issued_point.x : issued_point.x;
  assign signed_u = issued_negative && issued_point.u != 0 ? PRIME - issued_point.u : issued_point.u;

  // Aggregation, on the same adder.
  localparam int AGGREGATE_TAG = SEGMENT_WIDTH + 3;
  localparam int TAG = 1 + (BUCKET_WIDTH > AGGREGATE_TAG ? BUCKET_WIDTH : AGGREGATE_TAG);
  logic full, full_add, took;
  logic [AGGREGATE_TAG-1:0] full_tag;
  bls12_377_pkg::extended_t stored, bucket_sum, full_left, full_right, first, second;
  logic added, sum_valid, sum_full;
  logic [TAG-1:0] added_tag;
  logic [TAG-2:0] sum_tag;
  bls12_377_pkg::extended_t added_sum, sum;
  assign bucket_sum = occupied ? stored : NEUTRAL;
  cyclone_aggregate #(.BUCKET_WIDTH(BUCKET_WIDTH), .SEGMENT_WIDTH(SEGMENT_WIDTH), .NEUTRAL(NEUTRAL)) u_aggregate (
      .clk_i, .rst_i, .start_i(accumulated_o), .busy_o(full), .bucket_o(next_bucket), .bucket_i(bucket_sum),
      .add_o(full_add), .took_i(took), .tag_o(full_tag), .left_o(full_left), .right_o(full_right),
      .sum_valid_i(sum_valid && sum_full), .sum_tag_i(sum_tag[AGGREGATE_TAG-1:0]), .sum_i(sum),
      .valid_o, .ready_i, .sum_o
  );
  assign aggregating_o = full;

  assign first = full ? full_left : bucket_sum;
  assign second = full ? full_right : {signed_u, WIDTH'(0), issued_point.y, signed_x};
  te_two_cycle_add #(
      .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .TAG_WIDTH(TAG)
  ) u_adder (
      .clk_i, .rst_i, .valid_i(full ? full_add : issued), .ready_o(took), .full_i(full),
      .tag_i({full, full ? (TAG-1)'(full_tag) : (TAG-1)'(issued_bucket)}),
      .x1_i(first.x), .y1_i(first.y), .z1_i(first.z), .t1_i(first.t), .x2_i(second.x), .y2_i(second.y),
      .z2_i(second.z), .fourth_i(second.t), .valid_o(added), .tag_o(added_tag),
      .x_o(added_sum.x), .y_o(added_sum.y), .z_o(added_sum.z), .t_o(added_sum.t)
  );
  if (CONTROL == 1) begin : g_near
    assign {sum_valid, sum_full, sum_tag, sum} = {added, added_tag, added_sum};
  end else begin : g_far
    tag_line #(.LATENCY(CONTROL - 1), .TAG_WIDTH(TAG)) u_tag (
        .clk_i, .rst_i, .valid_i(added), .tag_i(added_tag), .valid_o(sum_valid), .tag_o({sum_full, sum_tag}));
    delay_line #(.WIDTH(4 * WIDTH), .DEPTH(CONTROL - 1)) u_sum (.clk_i, .d_i(added_sum), .q_o(sum));
  end
  bucket_ram #(.WIDTH(4 * WIDTH), .BUCKETS(1 << BUCKET_WIDTH), .EPOCH_WIDTH(8)) u_buckets (
      .clk_i, .rst_i, .clear_i(valid_o && ready_i), .ready_o(swept_o),
      .read_address_i(full ? next_bucket : bucket), .occupied_o(occupied), .data_o(stored),
      .write_i(sum_valid && !sum_full), .write_address_i(sum_tag[BUCKET_WIDTH-1:0]), .data_i(sum)
  );

  always_ff @(posedge clk_i) begin
    if (accumulated_o) accumulating <= 1'b0;
    if (rst_i || (valid_o && ready_i)) accumulating <= 1'b1;
  end
endmodule
