// SPDX-License-Identifier: MIT OR Apache-2.0
// pairing_scheduler with any points, and an adder that takes any time and gives its sums in any order; the properties are
// in pairing_scheduler.svh.
module formal_pairing #(
    parameter int IN_FLIGHT = 3,
    parameter bit MEET = 0
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       clear_i,
    input logic       valid_i,
    input logic [1:0] bucket_i,
    input logic       mark_i,
    input logic       adder_takes_i,
    input logic       adder_gives_i,
    input logic [1:0] sum_bucket_i,
    input logic       sum_mark_i,
    input logic       finish_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] chosen;
  logic ready, pair_valid, left, right, done, occupied, found;
  logic [1:0] pair_bucket;
  logic [1:0] pairs, collisions;
  pairing_scheduler #(
      .BUCKET_WIDTH(2), .BANK_WIDTH(1), .DATA_WIDTH(1), .PAIRS(5), .COLLISIONS(4), .IN_FLIGHT(IN_FLIGHT),
      .MEET(MEET), .COUNTER_WIDTH(2)
  ) u_dut (
      .clk_i, .rst_i, .clear_i, .valid_i, .ready_o(ready), .bucket_i, .data_i(mark_i),
      .pair_valid_o(pair_valid), .pair_ready_i(adder_takes_i), .pair_bucket_o(pair_bucket), .left_o(left),
      .right_o(right), .sum_valid_i(adder_gives_i), .sum_bucket_i, .sum_i(sum_mark_i), .lent_i(1'b0), .finish_i, .done_o(done),
      .read_i(done), .read_bucket_i(chosen), .read_occupied_o(occupied), .read_data_o(found),
      .pairs_o(pairs), .collisions_o(collisions)
  );
endmodule
