// SPDX-License-Identifier: MIT OR Apache-2.0
// A scheduler with buckets and an adder of integers of 64 bits, LATENCY cycles long, in which every hazard gives a
// wrong sum. in_i = {operation, key, value}, out_o = {counters, occupied, value}.
//
// Operations: 0 adds value to the bucket `key` (for window_batch_scheduler: to the buckets of the scalar `key`); 1
// reads the bucket `key`; 2 is taken when all points are issued; 3 clears the buckets.
// BLOCK is the scheduler's module; window_batch_scheduler is behind signed_digits.
module tb_schedule #(
    parameter string BLOCK = "delayed_scheduler",
    parameter int BUCKET_WIDTH = 6,
    parameter int LATENCY = 20,
    parameter int QUEUE = 16,
    // 1 if sums and points pair in front of the banks of pairing_scheduler.
    parameter int MEET = 0,
    // Of scalars, in windows.
    parameter int SCALAR_WIDTH = 16,
    parameter int WINDOW = 4
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [127:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [191:0] out_o,
    output logic [ 31:0] latency_o
);
  logic [31:0] operation, key;
  logic [63:0] value, sum;
  logic occupied;
  logic [31:0] counter_0, counter_1, counter_2;
  assign {operation, key, value} = in_i;
  assign latency_o = 32'(LATENCY);
  assign out_o = {counter_2, counter_1, counter_0, 31'b0, occupied, sum};

  logic add, read, finish, clear, took, done;
  assign add = valid_i && operation == 0;
  assign read = valid_i && operation == 1;
  assign finish = valid_i && operation == 2;
  assign clear = valid_i && operation == 3;
  // The answer comes three cycles later; with pairing_scheduler, four cycles later.
  logic unused_tag;
  tag_line #(.LATENCY(BLOCK == "pairing_scheduler" ? 4 : 3)) u_answer (
      .clk_i, .rst_i, .valid_i(read && ready_o), .tag_i(1'b0), .valid_o, .tag_o(unused_tag));

  unread u_unread (.d_i(^{ready_i, key}));

  if (BLOCK == "pairing_scheduler") begin : g_pairing
    logic pair_valid, sum_valid, unused_of_sum, unused_wait;
    logic [BUCKET_WIDTH-1:0] pair_bucket, sum_bucket;
    logic [63:0] late_value, left, right, pair_sum;
    assign ready_o = add ? took : finish ? done : 1'b1;
    logic [31:0] unused_high_water;
    delay_line #(.WIDTH(64), .DEPTH(2)) u_value (.clk_i, .d_i(value), .q_o(late_value));
    pairing_scheduler #(
        .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(64), .PAIRS(QUEUE), .COLLISIONS(QUEUE), .MEET(MEET != 0)
    ) u_dut (
        .clk_i, .rst_i, .clear_i(1'b0), .valid_i(add), .ready_o(took), .bucket_i(key[BUCKET_WIDTH-1:0]),
        .data_i(late_value), .pair_valid_o(pair_valid), .pair_of_sum_o(unused_of_sum), .pair_ready_i(ready_i),
        .pair_bucket_o(pair_bucket), .left_o(left), .right_o(right), .sum_valid_i(sum_valid), .sum_bucket_i(sum_bucket), .sum_i(pair_sum),
        .lent_i(1'b0), .collisions_wait_o(unused_wait), .finish_i(finish), .done_o(done),
        .read_i(read), .read_bucket_i(key[BUCKET_WIDTH-1:0]),
        .read_occupied_o(occupied), .read_data_o(sum), .pairs_o(counter_0), .collisions_o(counter_1),
        .pairs_high_water_o(counter_2), .collisions_high_water_o(unused_high_water)
    );
    tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(BUCKET_WIDTH + 64)) u_adder (
        .clk_i, .rst_i, .valid_i(pair_valid && ready_i), .tag_i({pair_bucket, left + right}),
        .valid_o(sum_valid), .tag_o({sum_bucket, pair_sum}));

    unread u_unread (.d_i(clear));
  end else if (BLOCK == "delayed_scheduler" || BLOCK == "window_batch_scheduler") begin : g_hazards
    // The issued point: its bucket is read in this cycle, and the point is added three cycles later. The delayed
    // scheduler reports done when the last sum is back.
    localparam int ADDRESS = BLOCK == "delayed_scheduler" ? BUCKET_WIDTH : $clog2(SCALAR_WIDTH / WINDOW + 1) + WINDOW - 1;
    logic issue, swept;
    logic [ADDRESS-1:0] address;
    logic [63:0] point;
    assign ready_o = swept && (add ? took : finish ? done : 1'b1);

    if (BLOCK == "delayed_scheduler") begin : g_delayed
      logic spill, spill_ready;
      logic [BUCKET_WIDTH+63:0] spilled;
      unread u_unread (.d_i(^{spill, spill_ready, spilled}));
      delayed_scheduler #(
          .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(64), .WINDOW(LATENCY + 4), .QUEUE(QUEUE)
      ) u_dut (
          .clk_i, .rst_i, .valid_i(add && swept), .ready_o(took), .bucket_i(key[BUCKET_WIDTH-1:0]), .data_i(value),
          .hold_i(1'b0), .finish_i(finish), .done_o(done), .issue_o(issue), .bucket_o(address),
          .data_o(point), .spill_valid_o(spill), .spill_ready_i(1'b0), .spill_data_o(spilled), .spill_valid_i(1'b0),
          .spill_ready_o(spill_ready), .spill_data_i('0), .conflicts_o(counter_0), .passes_o(counter_1),
          .high_water_o(counter_2)
      );
    end else begin : g_window_batch
      localparam int WINDOWS = SCALAR_WIDTH / WINDOW + 1;
      logic [WINDOWS-1:0] negative;
      logic [WINDOWS*WINDOW-1:0] magnitudes;
      logic any, discard, negate;
      logic [63:0] data;
      // Digits come two cycles after their scalar, and wait in a queue.
      localparam int DIGITS = WINDOWS * (WINDOW + 1);
      logic came, queue_full, queue_valid, queue_taken, coming, unused_queue_ready;
      logic [2:0] queued;
      logic [63:0] came_value, queue_value;
      logic [DIGITS-1:0] digits;
      assign took = !queue_full;
      always_ff @(posedge clk_i) coming <= add && swept && took && !rst_i;
      tag_line #(.LATENCY(2), .TAG_WIDTH(64)) u_came (
          .clk_i, .rst_i, .valid_i(add && swept && took), .tag_i(value), .valid_o(came), .tag_o(came_value));
      assign issue = any && !discard;
      assign point = negate ? -data : data;
      assign counter_1 = '0;
      signed_digits #(.SCALAR_WIDTH(SCALAR_WIDTH), .WINDOW(WINDOW)) u_digits (
          .clk_i, .scalar_i(key[SCALAR_WIDTH-1:0]), .negative_o(digits[DIGITS-1-:WINDOWS]),
          .magnitudes_o(digits[WINDOWS*WINDOW-1:0]));
      fifo #(.WIDTH(DIGITS + 64), .DEPTH(4), .HEADROOM(2), .MUST_TAKE(1)) u_queue (
          .clk_i, .rst_i, .valid_i(came), .ready_o(unused_queue_ready), .data_i({digits, came_value}),
          .valid_o(queue_valid), .ready_i(queue_taken), .data_o({negative, magnitudes, queue_value}),
          .count_o(queued), .almost_full_o(queue_full));
      window_batch_scheduler #(
          .WINDOWS(WINDOWS), .WINDOW(WINDOW), .DATA_WIDTH(64), .WINDOW_CYCLES(LATENCY + 2), .THRESHOLD(QUEUE),
          .QUEUE(QUEUE + WINDOWS + 1)
      ) u_dut (
          .clk_i, .rst_i, .valid_i(queue_valid), .ready_o(queue_taken), .negative_i(negative), .magnitudes_i(magnitudes),
          .data_i(queue_value), .finish_i(finish && !coming && !came && queued == 0), .done_o(done), .issue_o(any),
          .discard_o(discard),
          .window_o(address[ADDRESS-1:WINDOW-1]), .bucket_o(address[WINDOW-2:0]), .negate_o(negate),
          .data_o(data), .conflicts_o(counter_0), .high_water_o(counter_2)
      );
    end

    logic issued, write;
    logic [ADDRESS-1:0] issued_address, write_address;
    logic [63:0] issued_point, new_sum;
    tag_line #(.LATENCY(3), .TAG_WIDTH(ADDRESS + 64)) u_issued (
        .clk_i, .rst_i, .valid_i(issue), .tag_i({address, point}), .valid_o(issued),
        .tag_o({issued_address, issued_point}));
    tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(ADDRESS + 64)) u_adder (
        .clk_i, .rst_i, .valid_i(issued), .tag_i({issued_address, issued_point + (occupied ? sum : 64'b0)}),
        .valid_o(write), .tag_o({write_address, new_sum}));
    bucket_ram #(.WIDTH(64), .BUCKETS(1 << ADDRESS), .EPOCH_WIDTH(2)) u_buckets (
        .clk_i, .rst_i, .clear_i(clear && swept), .ready_o(swept),
        .read_i(1'b1), .read_address_i(read ? key[ADDRESS-1:0] : address), .occupied_o(occupied), .data_o(sum),
        .write_i(write), .write_address_i(write_address), .data_i(new_sum)
    );
  end else begin : g_invalid
    $error("tb_schedule: there is no block of this name");
  end
endmodule
