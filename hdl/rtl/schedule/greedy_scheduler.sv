// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's greedy scheduler (3.2, 6). A point whose bucket is in use waits in a short queue for as long as any
// bucket is in use, and then goes before the input. If its bucket is in use again, the point goes to the end of the
// queue. Uniform digits leave about WINDOW^2 / buckets points in the queue, and no point needs a memory or another
// pass. If few buckets take all points, the queue is full and the input waits for it.
//
// Contract: a point is taken in a cycle with valid_i and ready_o; ready_o does not depend on valid_i. In a cycle with
// hold_i no point begins, and no point comes nearer to its turn in the queue. finish_i is held after the last point;
// done_o says that all points have been issued, and that WINDOW cycles have passed since. An issue is a cycle with
// issue_o, in which bucket_o and data_o are a point's; no bucket is issued twice within WINDOW cycles.
//
// conflicts_o counts queued points, each time that they are queued; high_water_o is the largest number of points in the
// queue.
`include "ports.svh"
module greedy_scheduler #(
    parameter int BUCKET_WIDTH = 8,
    parameter int DATA_WIDTH = 8,
    parameter int WINDOW = 100,
    parameter int QUEUE = 16,
    parameter int COUNTER_WIDTH = 32,
    localparam int ENTRY = BUCKET_WIDTH + DATA_WIDTH
) (
    `SCHEDULER_PORTS
);
  localparam int COUNT = $clog2(QUEUE + 1);
  localparam int TIME = $clog2(2 * WINDOW);
  if (WINDOW < 2) begin : g_invalid
    $error("greedy_scheduler: WINDOW is at least 2");
  end

  // Each entry comes to the front before it is due, and leaves when it is due: by then all earlier entries have left,
  // and no two entries came in one cycle.
  logic [TIME-1:0] now, came;
  logic [COUNT-1:0] waiting;
  logic queue_valid, queue_ready, queue_full, due, conflict, candidate, queued;
  logic [BUCKET_WIDTH-1:0] queue_bucket;
  logic [DATA_WIDTH-1:0] queue_data;
  assign due = queue_valid && !hold_i && TIME'(now - came) == TIME'(WINDOW);
  assign ready_o = !due && !queue_full && !hold_i;
  assign candidate = due || (valid_i && ready_o);
  assign {bucket_o, data_o} = due ? {queue_bucket, queue_data} : {bucket_i, data_i};
  assign issue_o = candidate && !conflict;
  assign queued = candidate && conflict;

  hazard_window #(.WIDTH(BUCKET_WIDTH), .WINDOW(WINDOW)) u_hazards (
      .clk_i, .rst_i, .bucket_i(bucket_o), .issued_i(bucket_o), .issue_i(issue_o), .conflict_o(conflict));
  // One place stays free, so that a point that leaves the queue can go back to it.
  fifo #(.WIDTH(TIME + ENTRY), .DEPTH(QUEUE), .HEADROOM(1), .MUST_TAKE(1)) u_queue (
      .clk_i, .rst_i, .valid_i(queued), .ready_o(queue_ready), .data_i({now, bucket_o, data_o}),
      .valid_o(queue_valid), .ready_i(due), .data_o({came, queue_bucket, queue_data}),
      .count_o(waiting), .almost_full_o(queue_full)
  );

  // After the last point, the last sums come back.
  localparam int DRAIN = $clog2(WINDOW);
  logic [DRAIN-1:0] drained;
  logic ended;
  assign ended = finish_i && !valid_i && !queue_valid;
  assign done_o = ended && drained == DRAIN'(WINDOW - 1);
  always_ff @(posedge clk_i) begin
    if (!hold_i) now <= now + 1'b1;
    drained <= !ended ? '0 : done_o ? drained : drained + 1'b1;
    if (queued) conflicts_o <= conflicts_o + 1'b1;
    if (COUNTER_WIDTH'(waiting) > high_water_o) high_water_o <= COUNTER_WIDTH'(waiting);
    if (rst_i) begin
      now <= '0;
      drained <= '0;
      conflicts_o <= '0;
      high_water_o <= '0;
    end
  end

  unread u_unread (.d_i(queue_ready));
endmodule
