// SPDX-License-Identifier: MIT OR Apache-2.0
// reclaimer_halving with any buckets, any sums, and an adder and a scheduler that wait as they like: it reads no bank to which a sum
// comes, and with LEVELS each half goes to a place that has been read, and a level begins when the sums of the level before are
// back. The properties of its queues are in reclaimer_halving.svh.
module formal_halving #(
    parameter int BUCKET_WIDTH = 6,
    parameter bit LEVELS = 0
) (
    input logic                    clk_i,
    input logic                    rst_i,
    input logic                    start_i,
    input logic                    sum_valid_i,
    input logic [BUCKET_WIDTH-1:0] sum_bucket_i,
    input logic [             1:0] read_occupied_i,
    input logic [             1:0] read_data_i,
    input logic                    visit_ready_i,
    input logic                    collisions_wait_i,
    input logic                    pair_ready_i,
    input logic                    done_i,
    input logic                    room_i
);
  initial assume (rst_i);
  logic live;
  initial live = 1'b0;
  logic idle, visit_valid, visit_point, pair_valid, left, right, part_valid, part_occupied, part;
  logic [1:0] read;
  logic [2*BUCKET_WIDTH-1:0] read_bucket;
  logic [BUCKET_WIDTH-1:0] visit_bucket, pair_bucket;
  reclaimer_halving #(.BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(1), .DATA_WIDTH(1)) u_dut (
      .clk_i, .rst_i, .start_i, .idle_o(idle), .sum_valid_i, .sum_bucket_i, .read_o(read), .read_bucket_o(read_bucket),
      .read_occupied_i, .read_data_i, .visit_valid_o(visit_valid), .visit_ready_i, .visit_bucket_o(visit_bucket),
      .visit_point_o(visit_point), .collisions_wait_i, .done_i, .pair_valid_o(pair_valid), .pair_ready_i,
      .pair_bucket_o(pair_bucket), .left_o(left), .right_o(right), .room_i, .part_valid_o(part_valid),
      .part_occupied_o(part_occupied), .part_o(part)
  );

  // The place behind the last place that was read, the first place of the level, and the pairs at the adder.
  logic [BUCKET_WIDTH:0] behind;
  logic [BUCKET_WIDTH-1:0] level;
  logic [5:0] at_adder;
  logic gives;
  assign gives = pair_valid && pair_ready_i;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    if (read[1]) begin
      behind <= {1'b0, read_bucket[BUCKET_WIDTH+:BUCKET_WIDTH]} + 1'b1;
      if ({1'b0, read_bucket[BUCKET_WIDTH-1:0]} < behind) level <= read_bucket[BUCKET_WIDTH-1:0];
    end
    if (start_i) {level, behind} <= {{BUCKET_WIDTH{1'b0}}, {(BUCKET_WIDTH + 1){1'b0}}};
    at_adder <= rst_i || start_i ? '0 : at_adder + 6'(gives) - 6'(sum_valid_i && sum_bucket_i > level);
  end
  always @* begin
    if (!idle) assume (!start_i);
    // The adder gives the sums that it has.
    if (at_adder == 0) assume (!sum_valid_i || sum_bucket_i <= level);
    if (live && !rst_i) begin
      if (read[1]) begin
        assert (read[0]);
        assert (!sum_valid_i || sum_bucket_i[0] != read_bucket[0]);
        assert (!sum_valid_i || sum_bucket_i[0] != read_bucket[BUCKET_WIDTH]);
        assert (read_bucket[BUCKET_WIDTH+:BUCKET_WIDTH] == read_bucket[BUCKET_WIDTH-1:0] + 1'b1);
        // A level begins at its first place, when no half of the level before is at the adder.
        if (LEVELS && {1'b0, read_bucket[BUCKET_WIDTH-1:0]} != behind) begin
          assert (behind == 0 || read_bucket[BUCKET_WIDTH-1:0] == level + 1'b1);
          assert (at_adder == 0 && !pair_valid && !visit_valid);
        end
      end
      if (LEVELS && pair_valid) assert ({1'b0, pair_bucket} < behind && pair_bucket > level);
      if (LEVELS && visit_valid) assert ({1'b0, visit_bucket} < behind && visit_bucket >= level);
    end
  end
endmodule
