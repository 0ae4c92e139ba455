// CycloneMSM's delayed scheduler (3.2, 4.4): points in their order, except that one whose bucket is in use is put into a
// queue, and the queue is gone through in further passes after the last point.
//
// Where the queue is full, which the paper's external memory never is, a pass over it comes before more input: the
// input waits, nothing is lost.
//
// Contract: a point is taken in a cycle with valid_i and ready_o. finish_i, held from the last point on, starts the
// passes; done_o says that all have been issued, and not that their sums are back. An issue is a cycle with issue_o, in
// which bucket_o and data_o are a point's; no bucket is issued twice within WINDOW cycles. Nothing is issued in cycles
// with stall_i.
//
// conflicts_o counts what was queued, in any pass; passes_o the passes over the queue; high_water_o is the most the
// queue held.
module delayed_scheduler #(
    parameter int BUCKET_WIDTH = 8,
    parameter int DATA_WIDTH = 8,
    parameter int WINDOW = 100,
    parameter int QUEUE = 64,
    parameter int COUNTER_WIDTH = 32
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ BUCKET_WIDTH-1:0] bucket_i,
    input  logic [   DATA_WIDTH-1:0] data_i,
    input  logic                     finish_i,
    output logic                     done_o,
    input  logic                     stall_i,
    output logic                     issue_o,
    output logic [ BUCKET_WIDTH-1:0] bucket_o,
    output logic [   DATA_WIDTH-1:0] data_o,
    output logic [COUNTER_WIDTH-1:0] conflicts_o,
    output logic [COUNTER_WIDTH-1:0] passes_o,
    output logic [COUNTER_WIDTH-1:0] high_water_o
);
  localparam int COUNT = $clog2(QUEUE + 1);

  // Points left in this pass over the queue; none while the input is served.
  logic [COUNT-1:0] left, waiting;
  logic queue_valid, queue_full, conflict, candidate, queued, again;
  logic [BUCKET_WIDTH-1:0] queue_bucket;
  logic [DATA_WIDTH-1:0] queue_data;
  assign again = left != 0;

  // One place stays free, so that a point that leaves the queue can go back to it.
  assign ready_o = !again && !stall_i && !queue_full;
  assign candidate = !stall_i && (again ? queue_valid : valid_i && !queue_full);
  assign {bucket_o, data_o} = again ? {queue_bucket, queue_data} : {bucket_i, data_i};
  assign issue_o = candidate && !conflict;
  assign queued = candidate && conflict;
  assign done_o = finish_i && !valid_i && waiting == 0;

  hazard_window #(.WIDTH(BUCKET_WIDTH), .WINDOW(WINDOW)) u_hazards (
      .clk_i, .rst_i, .bucket_i(bucket_o), .issue_i(issue_o), .conflict_o(conflict));

  logic unused_ready;
  fifo #(.WIDTH(BUCKET_WIDTH + DATA_WIDTH), .DEPTH(QUEUE), .HEADROOM(1), .MUST_TAKE(1)) u_queue (
      .clk_i, .rst_i,
      .valid_i(queued), .ready_o(unused_ready), .data_i({bucket_o, data_o}),
      .valid_o(queue_valid), .ready_i(again && !stall_i), .data_o({queue_bucket, queue_data}),
      .count_o(waiting), .almost_full_o(queue_full)
  );

  always_ff @(posedge clk_i) begin
    if (again && !stall_i) begin
      left <= left - 1'b1;
    end else if (!again && (queue_full || (finish_i && !valid_i && waiting != 0))) begin
      left <= waiting;
      passes_o <= passes_o + 1'b1;
    end
    if (queued) conflicts_o <= conflicts_o + 1'b1;
    if (COUNTER_WIDTH'(waiting) > high_water_o) high_water_o <= COUNTER_WIDTH'(waiting);
    if (rst_i) begin
      left <= '0;
      conflicts_o <= '0;
      passes_o <= '0;
      high_water_o <= '0;
    end
  end
endmodule
