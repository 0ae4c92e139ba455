// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's schedule (3.2.1, 3.2.2): a point is added to its bucket of every window in one batch, one window in each
// cycle. An addition whose bucket is in use is issued all the same and its result is discarded; point and digit go into
// a conflict queue. The scheduler works through the queue when the input ends or when the queue holds more than
// THRESHOLD entries.
//
// The scheduler decides between input and queue once per batch, so up to WINDOWS more entries may come after the
// threshold was passed, and one place lets an entry go from the front to the back: QUEUE is at least THRESHOLD +
// WINDOWS + 1. A decision for the queue costs a cycle.
//
// Contract: a point with all its digits is held until it is taken, in the last cycle of its batch, which has valid_i
// and ready_o. A digit of magnitude m belongs to bucket m - 1; zeros pass with discard_o. finish_i, held after the last
// point, empties the queue; done_o says that all points have been issued. In a cycle with issue_o, the bucket
// (window_o, bucket_o) gets negate_o ? -data_o : data_o, unless discard_o; no bucket gets a point twice within
// WINDOW_CYCLES.
//
// conflicts_o counts entries of the queue, high_water_o is the largest number of entries in the queue.
module window_batch_scheduler #(
    parameter int WINDOWS = 20,
    parameter int WINDOW = 13,
    parameter int DATA_WIDTH = 8,
    parameter int WINDOW_CYCLES = 100,
    parameter int THRESHOLD = 64,
    parameter int QUEUE = 96,
    parameter int COUNTER_WIDTH = 32,
    localparam int INDEX = $clog2(WINDOWS)
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      valid_i,
    output logic                      ready_o,
    input  logic [       WINDOWS-1:0] negative_i,
    input  logic [WINDOWS*WINDOW-1:0] magnitudes_i,
    input  logic [    DATA_WIDTH-1:0] data_i,
    input  logic                      finish_i,
    output logic                      done_o,
    output logic                      issue_o,
    output logic                      discard_o,
    output logic [         INDEX-1:0] window_o,
    output logic [        WINDOW-2:0] bucket_o,
    output logic                      negate_o,
    output logic [    DATA_WIDTH-1:0] data_o,
    output logic [ COUNTER_WIDTH-1:0] conflicts_o,
    output logic [ COUNTER_WIDTH-1:0] high_water_o
);
  localparam int COUNT = $clog2(QUEUE + 1);
  localparam int ENTRY = INDEX + 1 + WINDOW + DATA_WIDTH;
  if (WINDOWS < 2 || QUEUE < THRESHOLD + WINDOWS + 1) begin : g_invalid
    $error("window_batch_scheduler: WINDOWS is at least 2, QUEUE at least THRESHOLD + WINDOWS + 1");
  end

  // The window of the batch under way, or the number of entries left of a pass over the queue.
  logic [INDEX-1:0] window;
  logic [COUNT-1:0] left, waiting;
  logic again, start_pass, threshold_passed, conflict, queue_valid;
  logic [ENTRY-1:0] entry, current;
  logic [WINDOW-1:0] magnitude;
  assign again = left != 0;
  assign start_pass = !again && window == 0 && (threshold_passed || (finish_i && !valid_i));
  assign issue_o = again || (valid_i && !start_pass);
  assign ready_o = !again && window == INDEX'(WINDOWS - 1);
  assign current = again ? entry : {window, negative_i[window], magnitudes_i[32'(window)*WINDOW+:WINDOW], data_i};
  assign {window_o, negate_o, magnitude, data_o} = current;
  assign bucket_o = (WINDOW - 1)'(magnitude - 1'b1);
  assign discard_o = magnitude == 0 || conflict;
  assign done_o = finish_i && !valid_i && waiting == 0;

  // Magnitudes are compared, because they are ready sooner than the numbers of the buckets.
  hazard_window #(.WIDTH(INDEX + WINDOW), .WINDOW(WINDOW_CYCLES)) u_hazards (
      .clk_i, .rst_i, .bucket_i({window_o, magnitude}), .issued_i({window_o, magnitude}),
      .issue_i(issue_o && !discard_o), .conflict_o(conflict));

  logic queued, unused_ready;
  assign queued = issue_o && magnitude != 0 && conflict;
  fifo #(.WIDTH(ENTRY), .DEPTH(QUEUE), .HEADROOM(QUEUE - THRESHOLD - 1), .MUST_TAKE(1)) u_queue (
      .clk_i, .rst_i,
      .valid_i(queued), .ready_o(unused_ready), .data_i(current),
      .valid_o(queue_valid), .ready_i(again), .data_o(entry),
      .count_o(waiting), .almost_full_o(threshold_passed)
  );

  always_ff @(posedge clk_i) begin
    if (again) left <= left - 1'b1;
    else if (start_pass) left <= waiting;
    else if (valid_i) window <= ready_o ? '0 : window + 1'b1;
    if (queued) conflicts_o <= conflicts_o + 1'b1;
    if (COUNTER_WIDTH'(waiting) > high_water_o) high_water_o <= COUNTER_WIDTH'(waiting);
    if (rst_i) begin
      left <= '0;
      window <= '0;
      conflicts_o <= '0;
      high_water_o <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && again && !queue_valid) $error("window_batch_scheduler: the queue ended before the pass over it");
  end
`else
  unread u_unread (.d_i(queue_valid));
`endif
endmodule
