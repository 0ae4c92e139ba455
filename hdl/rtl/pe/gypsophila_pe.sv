// SPDX-License-Identifier: MIT OR Apache-2.0
// A processing element of Gypsophila, the paper's thread (3.1, 3.2): bucket classification, window by window from the
// topmost window down, of the points that all elements get and of the element's own indexes.
//
// Points wait in a queue, this element's virtual point buffer, indexes in a ping-pong buffer. A window ends when all
// its sums are back in their buckets. Then the buckets move to the BC buffer, the topmost bucket first, one a cycle
// while the buffer has room, and the next window begins, independently of other elements.
//
// Contract: start_i begins windows_i windows of size_i points each. While busy_o is high, size_i and windows_i stay
// unchanged and start_i is low. Points and indexes have gypsophila_input's form, and each is taken in a cycle with its
// valid and ready; indexes may come before start_i. 2^(WINDOW-1) buckets a window leave in cycles with bucket_valid_o
// and bucket_ready_i, each occupied or empty. misframed_o: an index is marked as the last but is not, or is the last
// without the mark, or has no bucket.
//
// classifying_o, draining_o and reading_o report the work of this cycle. Counters start with start_i. blocked_o counts
// cycles in which a point and its index waited for the scheduler; bubbles_o, cycles in which both were there and the
// adder had no pair; starved_o, cycles without a point or without an index; waiting_o, cycles in which the BC buffer
// had no room.
module gypsophila_pe #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 16,
    parameter int BANK_WIDTH = 2,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int POINTS = 16,
    parameter int INDEXES = 64,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               start_i,
    input  logic [       31:0] size_i,
    input  logic [        7:0] windows_i,
    output logic               busy_o,
    output logic               classifying_o,
    output logic               draining_o,
    output logic               reading_o,
    output logic               misframed_o,
    input  logic               point_valid_i,
    output logic               point_ready_o,
    input  logic [3*WIDTH-1:0] point_i,
    input  logic               index_valid_i,
    output logic               index_ready_o,
    input  logic [ WINDOW-1:0] index_i,
    input  logic               index_last_i,
    output logic               bucket_valid_o,
    input  logic               bucket_ready_i,
    output logic               bucket_occupied_o,
    output logic [  POINT-1:0] bucket_o,
    output logic [       31:0] additions_o,
    output logic [       31:0] collisions_o,
    output logic [       31:0] blocked_o,
    output logic [       31:0] bubbles_o,
    output logic [       31:0] starved_o,
    output logic [       31:0] waiting_o,
    output logic [       31:0] pairs_high_water_o,
    output logic [       31:0] collisions_high_water_o,
    output logic [       31:0] points_high_water_o
);
  localparam int BUCKET_WIDTH = WINDOW - 1;
  localparam int BUCKETS = 1 << BUCKET_WIDTH;
  localparam int LATENCY = gypsophila_pkg::padd_latency(CURVE, MUL_LATENCY);
  localparam int COUNT = $clog2(BUCKETS + 1);
  localparam int READ_LATENCY = 4;  // of pairing_scheduler

  typedef enum logic [1:0] {IDLE, CLASSIFY, READ} state_e;
  state_e state;
  logic top;
  logic [31:0] left;
  logic [7:0] windows_left;
  logic [BUCKET_WIDTH-1:0] next_bucket;
  assign busy_o = state != IDLE;

  // A point and its index. The number of its bucket is known at once; the point or its inverse is ready two cycles
  // later, when the scheduler needs it.
  logic point_valid, index_valid, index_last, unused_almost_full, take;
  logic [3*WIDTH-1:0] point;
  logic [WINDOW-1:0] index;
  logic [$clog2(POINTS+1)-1:0] points_waiting;
  fifo #(.WIDTH(3 * WIDTH), .DEPTH(POINTS)) u_points (
      .clk_i, .rst_i, .valid_i(point_valid_i), .ready_o(point_ready_o), .data_i(point_i),
      .valid_o(point_valid), .ready_i(take), .data_o(point),
      .count_o(points_waiting), .almost_full_o(unused_almost_full)
  );
  ping_pong #(.WIDTH(WINDOW), .DEPTH(INDEXES)) u_indexes (
      .clk_i, .rst_i, .valid_i(index_valid_i), .ready_o(index_ready_o), .data_i(index_i), .last_i(index_last_i),
      .valid_o(index_valid), .ready_i(take), .data_o(index), .last_o(index_last)
  );
  logic zero, invalid, wanted, there, scheduler_ready;
  logic [BUCKET_WIDTH-1:0] bucket;
  logic [POINT-1:0] signed_point;
  gypsophila_input #(.CURVE(CURVE), .WINDOW(WINDOW)) u_input (
      .clk_i, .top_i(top), .index_i(index), .point_i(point),
      .zero_o(zero), .invalid_o(invalid), .bucket_o(bucket), .point_o(signed_point)
  );
  assign wanted = state == CLASSIFY && left != 0;
  assign there = wanted && point_valid && index_valid;
  assign take = there && (zero || scheduler_ready);

  // Pairs go to the adder, and their sums come back.
  logic classified, read, read_occupied, pair_valid, sum_valid, unused_of_sum, unused_collisions;
  logic [BUCKET_WIDTH-1:0] pair_bucket, sum_bucket;
  logic [POINT-1:0] left_point, right_point, sum, read_point;
  pairing_scheduler #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(BANK_WIDTH), .DATA_WIDTH(POINT), .PAIRS(PAIRS),
      .COLLISIONS(COLLISIONS), .IN_FLIGHT(LATENCY + 1), .SUMS(2)
  ) u_scheduler (
      .clk_i, .rst_i, .clear_i(start_i), .valid_i(there && !zero), .ready_o(scheduler_ready), .bucket_i(bucket),
      .data_i(signed_point),
      .pair_valid_o(pair_valid), .pair_of_sum_o(unused_of_sum), .pair_ready_i(1'b1), .pair_bucket_o(pair_bucket),
      .left_o(left_point), .right_o(right_point), .sum_valid_i(sum_valid), .sum_bucket_i(sum_bucket), .sum_i(sum),
      .lent_i(1'b0), .collisions_wait_o(unused_collisions), .finish_i(left == 0), .done_o(classified),
      .read_i(read), .read_bucket_i(next_bucket),
      .read_occupied_o(read_occupied), .read_data_o(read_point), .pairs_o(additions_o), .collisions_o,
      .pairs_high_water_o, .collisions_high_water_o
  );
  gypsophila_padd #(.CURVE(CURVE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .TAG_WIDTH(BUCKET_WIDTH)) u_adder (
      .clk_i, .rst_i, .valid_i(pair_valid), .tag_i(pair_bucket), .left_i(left_point), .right_i(right_point),
      .valid_o(sum_valid), .tag_o(sum_bucket), .sum_o(sum)
  );

  // The BC buffer. A sum that is read arrives there some cycles later; its place is reserved from the beginning.
  logic arriving, unused_tag;
  logic [COUNT-1:0] claimed, unused_stored;
  assign read = state == READ && claimed != COUNT'(BUCKETS);
  tag_line #(.LATENCY(READ_LATENCY)) u_arriving (
      .clk_i, .rst_i, .valid_i(read), .tag_i(1'b0), .valid_o(arriving), .tag_o(unused_tag));
  fifo_ram #(.WIDTH(POINT + 1), .DEPTH(BUCKETS)) u_buckets (
      .clk_i, .rst_i, .valid_i(arriving), .data_i({read_occupied, read_point}),
      .valid_o(bucket_valid_o), .ready_i(bucket_ready_i), .data_o({bucket_occupied_o, bucket_o}), .count_o(unused_stored)
  );
  assign classifying_o = wanted;
  assign draining_o = state == CLASSIFY && left == 0;
  assign reading_o = read;

  always_ff @(posedge clk_i) begin
    claimed <= claimed + COUNT'(read) - COUNT'(bucket_valid_o && bucket_ready_i);
    misframed_o <= take && (index_last != (left == 32'd1) || invalid);
    case (state)
      IDLE:
      if (start_i) begin
        state <= CLASSIFY;
        top <= 1'b1;
        left <= size_i;
        windows_left <= windows_i;
      end
      CLASSIFY: begin
        if (take) left <= left - 1'b1;
        next_bucket <= '1;
        if (left == 0 && classified) state <= READ;
      end
      READ:
      if (read) begin
        next_bucket <= next_bucket - 1'b1;
        if (next_bucket == 0) begin
          state <= windows_left == 8'd1 ? IDLE : CLASSIFY;
          windows_left <= windows_left - 1'b1;
          top <= 1'b0;
          left <= size_i;
        end
      end
      default: state <= IDLE;
    endcase
    if (rst_i) begin
      state <= IDLE;
      claimed <= '0;
      misframed_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    blocked_o <= blocked_o + 32'(there && !take);
    bubbles_o <= bubbles_o + 32'(there && !pair_valid);
    starved_o <= starved_o + 32'(wanted && !there);
    waiting_o <= waiting_o + 32'(state == READ && !read);
    if (32'(points_waiting) > points_high_water_o) points_high_water_o <= 32'(points_waiting);
    if (rst_i || start_i) begin
      blocked_o <= '0;
      bubbles_o <= '0;
      starved_o <= '0;
      waiting_o <= '0;
      points_high_water_o <= '0;
    end
  end
  if (WINDOW < BANK_WIDTH + 2) begin : g_invalid
    $error("gypsophila_pe: at least two buckets a bank, WINDOW >= BANK_WIDTH + 2");
  end
endmodule
