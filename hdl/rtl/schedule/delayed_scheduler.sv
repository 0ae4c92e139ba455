// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's delayed scheduler (3.2, 4.4): points in their order, and conflicts in later passes.
//
//   pass 1: for each point of the input; later passes: for each point that was in the queue when the pass began
//     its bucket was issued in one of the last WINDOW cycles:  append the point to the queue
//     otherwise:                                               issue the point
//   after a pass: wait until WINDOW cycles have passed without a point
//     the queue is empty:  done
//     otherwise:           begin the next pass
//
// Departures from the pseudo-code:
// 1. The comparison with the buckets in use takes two stages, while the point is on its way (hazard_ahead). This needs
//    3 levels of logic for 15 bits and 114 cycles, whereas hazard_window needs 5 for 97 cycles.
// 2. The pipeline empties between passes. Otherwise the last conflicts would return again and again while their bucket
//    is in use. For 2^26 points, T = 100 and 16 bits, 204,047 points wait after the first pass, and there are 4 passes.
// 3. With SPILL, the queue continues in memory, as in the paper: 204,047 points of 1,147 bits (departure 2) are
//    29 MB. QUEUE is the number of entries that each end has on chip. The memory has a place for every point.
// 4. Without SPILL, a full queue starts a pass over itself before more input is taken. The input waits, and no point is
//    lost.
//
// Contract:
// - Input: a point is taken in a cycle with valid_i and ready_o.
// - Hold: in a cycle with hold_i no point begins, neither from the input nor from the queue. So no point is issued two
//   cycles later.
// - Issue: in a cycle with issue_o, bucket_o and data_o have the point that was taken, or left the queue, two cycles
//   before. No bucket is issued twice within WINDOW cycles.
// - End: finish_i is held after the last point, and starts the later passes. done_o is high when all points have been
//   issued and WINDOW cycles have passed since the last point was taken or left the queue.
// - Memory: the ports are spill_fifo's.
// - Counters: conflicts_o counts the queued points of all passes, passes_o the passes over the queue. high_water_o is the
//   largest number of points in the queue.
`include "ports.svh"
module delayed_scheduler #(
    parameter int BUCKET_WIDTH = 8,
    parameter int DATA_WIDTH = 8,
    parameter int WINDOW = 100,
    parameter int QUEUE = 64,
    parameter bit SPILL = 0,
    parameter int COUNTER_WIDTH = 32,
    localparam int ENTRY = BUCKET_WIDTH + DATA_WIDTH
) (
    `SCHEDULER_PORTS,
    `SPILL_PORTS(ENTRY),
    output logic [COUNTER_WIDTH-1:0] passes_o
);
  localparam int COUNT = SPILL ? 32 : $clog2(QUEUE + 1);
  localparam int DRAIN = $clog2(WINDOW);
  localparam int AHEAD = 2;

  // Number of points left in this pass over the queue; zero while the input is served.
  logic [COUNT-1:0] left, waiting;
  logic queue_valid, queue_full, conflict, candidate, offered, queued, again;
  logic [BUCKET_WIDTH-1:0] bucket, queue_bucket;
  logic [DATA_WIDTH-1:0] data, queue_data;
  assign again = left != 0;
  assign ready_o = !again && !queue_full && !hold_i;
  assign candidate = !hold_i && (again ? queue_valid && !spill_full : valid_i && !queue_full);
  assign {bucket, data} = again ? {queue_bucket, queue_data} : {bucket_i, data_i};

  // Points on their way, the oldest point on the left.
  logic [AHEAD-1:0] under_way;
  always_ff @(posedge clk_i) under_way <= rst_i ? '0 : AHEAD'({under_way, candidate});
  delay_line #(.WIDTH(ENTRY), .DEPTH(AHEAD)) u_ahead (.clk_i, .d_i({bucket, data}), .q_o({bucket_o, data_o}));
  hazard_ahead #(.WIDTH(BUCKET_WIDTH), .WINDOW(WINDOW)) u_hazards (
      .clk_i, .rst_i, .bucket_i(bucket), .issue_i(issue_o), .conflict_o(conflict));
  assign offered = under_way[AHEAD-1];
  assign issue_o = offered && !conflict;
  assign queued = offered && conflict;

  // The queue has room for all points on their way. A point that comes from an on-chip queue has left a place there.
  logic spill_full, unused_ready;
  if (SPILL) begin : g_spill
    spill_fifo #(.WIDTH(ENTRY), .DEPTH(QUEUE), .COUNT(COUNT), .HEADROOM(AHEAD)) u_queue (
        .clk_i, .rst_i, .valid_i(queued), .ready_o(unused_ready), .data_i({bucket_o, data_o}),
        .valid_o(queue_valid), .ready_i(again && candidate), .data_o({queue_bucket, queue_data}), .count_o(waiting),
        .almost_full_o(queue_full),
        .spill_valid_o, .spill_ready_i, .spill_data_o, .spill_valid_i, .spill_ready_o, .spill_data_i
    );
    assign spill_full = queue_full;
  end else begin : g_chip
    fifo #(.WIDTH(ENTRY), .DEPTH(QUEUE), .HEADROOM(AHEAD), .MUST_TAKE(1)) u_queue (
        .clk_i, .rst_i, .valid_i(queued), .ready_o(unused_ready), .data_i({bucket_o, data_o}),
        .valid_o(queue_valid), .ready_i(again && candidate), .data_o({queue_bucket, queue_data}),
        .count_o(waiting), .almost_full_o(queue_full)
    );
    assign spill_full = 1'b0;
    assign spill_valid_o = 1'b0;
    assign spill_data_o = '0;
    assign spill_ready_o = 1'b0;
    unread u_unread (.d_i(^{spill_ready_i, spill_valid_i, spill_data_i}));
  end

  // At the end of a pass, the last sums come back.
  logic ended, empty;
  logic [DRAIN-1:0] drained;
  assign ended = finish_i && !valid_i && !again;
  assign empty = ended && drained == DRAIN'(WINDOW - 1);
  assign done_o = empty && waiting == 0;

  always_ff @(posedge clk_i) begin
    drained <= !ended ? '0 : empty ? drained : drained + 1'b1;
    if (again) begin
      left <= left - COUNT'(candidate);
    end else if ((!SPILL && queue_full) || (empty && waiting != 0)) begin
      left <= waiting;
      passes_o <= passes_o + 1'b1;
    end
    if (queued) conflicts_o <= conflicts_o + 1'b1;
    if (COUNTER_WIDTH'(waiting) > high_water_o) high_water_o <= COUNTER_WIDTH'(waiting);
    if (rst_i) begin
      drained <= '0;
      left <= '0;
      conflicts_o <= '0;
      passes_o <= '0;
      high_water_o <= '0;
    end
  end

`ifdef FORMAL
`include "delayed_scheduler.svh"
`endif
endmodule
