// SPDX-License-Identifier: MIT OR Apache-2.0
// reclaimer_halving with any buckets, any sums, and an adder and a scheduler that wait as they like: it reads neighbours, and no bank
// to which a sum comes. The other properties are in reclaimer_halving.svh.
module formal_halving #(
    parameter int BUCKET_WIDTH = 6
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
  logic idle, visit_valid, visit_point, pair_valid, left, right, part_valid, part_occupied, part;
  logic [1:0] read;
  logic [BUCKET_WIDTH-1:0] first, second, visit_bucket, pair_bucket;
  reclaimer_halving #(.BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(1), .DATA_WIDTH(1)) u_dut (
      .clk_i, .rst_i, .start_i, .idle_o(idle), .sum_valid_i, .sum_bucket_i, .read_o(read), .read_bucket_o({second, first}),
      .read_occupied_i, .read_data_i, .visit_valid_o(visit_valid), .visit_ready_i, .visit_bucket_o(visit_bucket),
      .visit_point_o(visit_point), .collisions_wait_i, .done_i, .pair_valid_o(pair_valid), .pair_ready_i,
      .pair_bucket_o(pair_bucket), .left_o(left), .right_o(right), .room_i, .part_valid_o(part_valid),
      .part_occupied_o(part_occupied), .part_o(part)
  );

  always @* begin
    if (!idle) assume (!start_i);
    if (read[1]) begin
      assert (read[0] && second == first + 1'b1);
      assert (!sum_valid_i || (sum_bucket_i[0] != first[0] && sum_bucket_i[0] != second[0]));
    end
  end
endmodule
