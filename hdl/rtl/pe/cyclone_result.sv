// SPDX-License-Identifier: MIT OR Apache-2.0
// A window's sum as a stream: X, Y, Z and T, a beat each; last_o marks the last beat.
//
// Contract: a sum is taken in a cycle with valid_i and ready_o; beats as AXI-Stream has them, a coordinate in the lowest
// bits.
module cyclone_result (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  bls12_377_pkg::extended_t sum_i,
    output logic                     valid_o,
    input  logic                     ready_i,
    output logic [            511:0] data_o,
    output logic                     last_o
);
  bls12_377_pkg::extended_t sum;
  logic [2:0] left;
  assign ready_o = left == 0;
  assign valid_o = left != 0;
  assign last_o = left == 1;
  assign data_o = 512'(sum.x);
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      sum <= sum_i;
      left <= 3'd4;
    end else if (valid_o && ready_i) begin
      sum <= sum >> bls12_377_pkg::WIDTH;
      left <= left - 1'b1;
    end
    if (rst_i) left <= '0;
  end
endmodule
