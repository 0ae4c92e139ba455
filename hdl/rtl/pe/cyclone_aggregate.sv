// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's aggregation of a window's buckets (4.4) by full additions, in the paper's way or in segments.
//
//   paper, SEGMENT_WIDTH = 0:  from the top bucket on  r <- r + t, t <- t + S_b;  at the end  r <- r + t
//
// Both additions of a bucket are under way together, then the loop waits for both sums. With S = 2^SEGMENT_WIDTH
// segments, bucket b belongs to segment b mod S, which has its own sums. So a bucket waits for the bucket S before it,
// and with enough segments it waits only for the adder:
//
//   each segment      R_j <- R_j + T_j, T_j <- T_j + S_b            for all buckets, from the top on
//   join              r <- r + t, t <- t + T_j, q <- q + R_j        for j from the top on
//                     r <- r + t + S q                              S q by SEGMENT_WIDTH doublings
//
// Contract: start_i begins an aggregation, while the module is not busy and no sum waits, or in the cycle in which a
// sum is taken. From then on, bucket_i is the content of the bucket that bucket_o named at most four cycles before. An
// addition is taken in a cycle with add_o and took_i, no more than one in three cycles. left_o, right_o and tag_o are
// the addition's operands and tag LEAD cycles later; with LEAD 0, they are valid from add_o until took_i. Its sum comes
// back with its tag and with sum_valid_i, all sums in order; soon_i is the sum_valid_i of LEAD cycles later. valid_o
// comes with the sum of (b + 1) S_b, extended projective, and stays until ready_i. busy_o is high from the cycle after
// start_i to the last cycle before valid_o.
module cyclone_aggregate #(
    parameter int BUCKET_WIDTH = 15,
    parameter int SEGMENT_WIDTH = 0,
    // Cycles from the cycle in which an addition is taken to its operands: 0, or at least 3.
    parameter int LEAD = 0,
    // (0 : 1 : 1 : 0) in the form of the coordinates.
    parameter bls12_377_pkg::extended_t NEUTRAL = '0,
    localparam int TAG_WIDTH = SEGMENT_WIDTH + 3
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     start_i,
    output logic                     busy_o,
    output logic [ BUCKET_WIDTH-1:0] bucket_o,
    input  bls12_377_pkg::extended_t bucket_i,
    output logic                     add_o,
    input  logic                     took_i,
    output logic [    TAG_WIDTH-1:0] tag_o,
    output bls12_377_pkg::extended_t left_o,
    output bls12_377_pkg::extended_t right_o,
    input  logic                     soon_i,
    input  logic                     sum_valid_i,
    input  logic [    TAG_WIDTH-1:0] sum_tag_i,
    input  bls12_377_pkg::extended_t sum_i,
    output logic                     valid_o,
    input  logic                     ready_i,
    output bls12_377_pkg::extended_t sum_o
);
  localparam int SEGMENTS = 1 << SEGMENT_WIDTH;
  localparam bit SEGMENTED = SEGMENT_WIDTH > 0;
  if (SEGMENT_WIDTH < 0 || SEGMENT_WIDTH >= BUCKET_WIDTH + (SEGMENTED ? 0 : 1)) begin : g_invalid
    $error("cyclone_aggregate: SEGMENT_WIDTH is from 0 to BUCKET_WIDTH - 1");
  end
  if (LEAD < 0 || LEAD == 1 || LEAD == 2) begin : g_invalid_lead
    $error("cyclone_aggregate: LEAD is 0, or at least 3");
  end

  // A turn adds to r and t, and with segments also to q, in the order of kind_e.
  typedef enum logic [2:0] {IDLE, SEGMENT, JOIN, LAST, SHIFT, ADD, GIVE} state_e;
  typedef enum logic [1:0] {R, T, Q} kind_e;
  state_e state, next_state;
  kind_e kind, next_kind;
  logic [BUCKET_WIDTH-1:0] index;
  logic [$clog2(SEGMENT_WIDTH+2)-1:0] shifts;
  logic opening, closing, ended;
  assign busy_o = state != IDLE && state != GIVE;
  assign valid_o = state == GIVE;

  // The turn whose operands are due in three cycles, in one cycle, and now.
  localparam int TURN = BUCKET_WIDTH + 5;
  logic [TURN-1:0] turn_3, turn_1, turn;
  logic [BUCKET_WIDTH-1:0] turn_index;
  logic [2:0] turn_state;
  logic [1:0] turn_kind;
  delay_line #(.WIDTH(TURN), .DEPTH(LEAD == 0 ? 0 : LEAD - 3)) u_turn_3 (
      .clk_i, .d_i({index, state, kind}), .q_o(turn_3));
  delay_line #(.WIDTH(TURN), .DEPTH(LEAD == 0 ? 0 : 2)) u_turn_1 (.clk_i, .d_i(turn_3), .q_o(turn_1));
  delay_line #(.WIDTH(TURN), .DEPTH(LEAD == 0 ? 0 : 1)) u_turn (.clk_i, .d_i(turn_1), .q_o(turn));
  assign bucket_o = turn_3[TURN-1:5];
  assign {turn_index, turn_state, turn_kind} = turn;

  // A turn of the join needs all earlier sums. A turn of a segment needs the sum of this segment's previous turn. Sums
  // come in order, so this sum is ready when the number of sums under way is at most the number of turns that the other
  // segments have begun.
  localparam int PENDING = SEGMENT_WIDTH + 2;
  logic [PENDING-1:0] pending;
  logic [1:0] pause;
  logic begins, free, select, taken;
  assign begins = state == SEGMENT ? kind == R : state == JOIN || state == LAST ? kind == R : 1'b1;
  assign free = state == SEGMENT ? pending <= PENDING'(2 * SEGMENTS - 2) : pending == 0;
  assign select = busy_o && !ended && !add_o && pause == 0 && (!begins || free);
  assign taken = add_o && took_i;

  // The index of a bucket, and after the buckets the index of a segment in its lowest bits.
  if (SEGMENTED) begin : g_ends
    assign opening = turn_state == SEGMENT ? &turn_index[BUCKET_WIDTH-1:SEGMENT_WIDTH] : &turn_index[SEGMENT_WIDTH-1:0];
    assign closing = state == SEGMENT ? index == 0 : index[SEGMENT_WIDTH-1:0] == 0;
  end else begin : g_ends
    assign opening = &turn_index;
    assign closing = index == 0;
  end
  always_comb begin
    next_state = state;
    next_kind = R;
    case (state)
      SEGMENT:
      if (kind == R) next_kind = T;
      else if (closing) next_state = JOIN;
      JOIN:
      if (kind == R) next_kind = T;
      else if (SEGMENTED && kind == T) next_kind = Q;
      else if (closing) next_state = LAST;
      LAST:
      if (!SEGMENTED) next_state = GIVE;
      else if (kind == R) next_kind = Q;
      else begin
        next_state = SEGMENT_WIDTH > 1 ? SHIFT : ADD;
        next_kind = SEGMENT_WIDTH > 1 ? Q : R;
      end
      SHIFT:
      if (shifts == 1) next_state = ADD;
      else next_kind = Q;
      default: next_state = GIVE;
    endcase
  end

  // The sums so far: of the join in registers, of the segments in RAMs.
  logic of_segment, r_written, t_written, q_written;
  logic [1:0] sum_kind;
  bls12_377_pkg::extended_t r, t, q, segment_r, segment_t, left, right;
  assign sum_kind = sum_tag_i[1:0];
  assign of_segment = sum_tag_i[2];
  assign r_written = sum_valid_i && sum_kind == R;
  assign t_written = sum_valid_i && sum_kind == T;
  assign q_written = sum_valid_i && sum_kind == Q;
  if (SEGMENTED) begin : g_segments
    assign tag_o = {turn_index[SEGMENT_WIDTH-1:0], turn_state == SEGMENT, turn_kind};
    ram_sdp #(.WIDTH(4 * bls12_377_pkg::WIDTH), .DEPTH(SEGMENTS)) u_r (
        .clk_i, .write_i(r_written && of_segment), .write_address_i(sum_tag_i[TAG_WIDTH-1:3]), .data_i(sum_i),
        .read_i(1'b1), .read_address_i(turn_1[5+:SEGMENT_WIDTH]), .data_o(segment_r));
    ram_sdp #(.WIDTH(4 * bls12_377_pkg::WIDTH), .DEPTH(SEGMENTS)) u_t (
        .clk_i, .write_i(t_written && of_segment), .write_address_i(sum_tag_i[TAG_WIDTH-1:3]), .data_i(sum_i),
        .read_i(1'b1), .read_address_i(turn_1[5+:SEGMENT_WIDTH]), .data_o(segment_t));
  end else begin : g_no_segments
    assign tag_o = {1'b0, turn_kind};
    assign segment_r = NEUTRAL;
    assign segment_t = NEUTRAL;
    unread u_unread (.d_i(q_written ^ (^q)));
  end

  always_comb begin
    left = turn_kind == R ? r : turn_kind == T ? t : q;
    right = turn_kind == R ? t : SEGMENTED ? segment_t : bucket_i;
    if (turn_state == SEGMENT) begin
      left = turn_kind == R ? segment_r : segment_t;
      right = turn_kind == R ? segment_t : bucket_i;
    end else if (turn_kind == Q) right = turn_state == JOIN ? segment_r : q;
    else if (turn_state == ADD) right = q;
    // In the first turn, the sums are still empty.
    left_o = opening && (turn_state == SEGMENT || turn_state == JOIN) ? NEUTRAL : left;
    right_o = opening && (turn_state == SEGMENT || turn_state == JOIN) && turn_kind == R ? NEUTRAL : right;
  end

  // High after the last addition, until its sum is ready.
  logic settled;
  if (LEAD == 0) begin : g_settled
    assign settled = 1'b1;
  end else begin : g_settles
    logic unused_tag;
    tag_line #(.LATENCY(LEAD)) u_settled (
        .clk_i, .rst_i, .valid_i(ended && pending == 0), .tag_i(1'b0), .valid_o(settled), .tag_o(unused_tag));
  end

  assign sum_o = r;
  always_ff @(posedge clk_i) begin
    if (select) add_o <= 1'b1;
    if (pause != 0) pause <= pause - 1'b1;
    pending <= pending + PENDING'(taken) - PENDING'(soon_i);
    if (r_written && !of_segment) r <= sum_i;
    if (t_written && !of_segment) t <= sum_i;
    if (q_written) q <= sum_i;
    if (taken) begin
      add_o <= 1'b0;
      pause <= 2'd1;
      kind <= next_kind;
      if (next_state != GIVE) state <= next_state;
      else ended <= 1'b1;
      if (next_kind == R && (state == SEGMENT || state == JOIN)) index <= index - 1'b1;
      if (state == SHIFT) shifts <= shifts - 1'b1;
    end
    if (ended && pending == 0 && settled) begin
      state <= GIVE;
      ended <= 1'b0;
    end
    if (valid_o && ready_i) state <= IDLE;
    if (start_i) begin
      state <= SEGMENTED ? SEGMENT : JOIN;
      kind <= R;
      index <= '1;
      shifts <= ($bits(shifts))'(SEGMENT_WIDTH - 1);
    end
    if (rst_i) begin
      state <= IDLE;
      add_o <= 1'b0;
      ended <= 1'b0;
      pause <= '0;
      pending <= '0;
    end
  end
endmodule
