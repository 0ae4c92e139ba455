// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's input: points and scalars in two queues, the scalars as signed digits behind theirs.
//
// A point is {y, x}, affine, in Montgomery's form, each coordinate in 256 bits; (0, 0), which is not on the curve, is
// infinity. A scalar has 254 bits in 256.
//
// Contract: streams are taken in cycles with valid and ready. valid_o says that a point and its scalar are there, in
// x_o, y_o and the digits, until take_i. With it, bad_value_o says that a coordinate is not below the prime or a scalar
// too long, and bad_last_o that `last` is not with the last point, which the one with final_i is.
module msmac_input #(
    parameter int WINDOW = 13,
    parameter int QUEUE = 4,
    localparam int WIDTH = bn254_pkg::WIDTH,
    localparam int SCALAR_WIDTH = 254,
    localparam int WINDOWS = SCALAR_WIDTH / WINDOW + 1
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      point_valid_i,
    output logic                      point_ready_o,
    input  logic [             511:0] point_data_i,
    input  logic                      point_last_i,
    input  logic                      scalar_valid_i,
    output logic                      scalar_ready_o,
    input  logic [             255:0] scalar_data_i,
    input  logic                      scalar_last_i,
    output logic                      valid_o,
    input  logic                      take_i,
    input  logic                      final_i,
    output logic                      bad_value_o,
    output logic                      bad_last_o,
    output logic [         WIDTH-1:0] x_o,
    output logic [         WIDTH-1:0] y_o,
    output logic [       WINDOWS-1:0] negative_o,
    output logic [WINDOWS*WINDOW-1:0] magnitudes_o
);
  localparam int COUNT = $clog2(QUEUE + 1);
  logic point_valid, point_last, scalar_valid, scalar_last;
  logic [255:0] x, y, scalar;
  logic [COUNT-1:0] points, scalars;
  logic points_full, scalars_full;
  fifo #(.WIDTH(513), .DEPTH(QUEUE)) u_points (
      .clk_i, .rst_i, .valid_i(point_valid_i), .ready_o(point_ready_o), .data_i({point_last_i, point_data_i}),
      .valid_o(point_valid), .ready_i(take_i), .data_o({point_last, y, x}),
      .count_o(points), .almost_full_o(points_full));
  fifo #(.WIDTH(257), .DEPTH(QUEUE)) u_scalars (
      .clk_i, .rst_i, .valid_i(scalar_valid_i), .ready_o(scalar_ready_o), .data_i({scalar_last_i, scalar_data_i}),
      .valid_o(scalar_valid), .ready_i(take_i), .data_o({scalar_last, scalar}),
      .count_o(scalars), .almost_full_o(scalars_full));

  assign valid_o = point_valid && scalar_valid;
  assign bad_value_o = x >= 256'(bn254_pkg::PRIME) || y >= 256'(bn254_pkg::PRIME) || scalar[255:254] != 0;
  assign bad_last_o = point_last != final_i || scalar_last != final_i;
  assign {x_o, y_o} = {x[WIDTH-1:0], y[WIDTH-1:0]};
  signed_digits #(.SCALAR_WIDTH(SCALAR_WIDTH), .WINDOW(WINDOW), .LATENCY(0)) u_digits (
      .clk_i, .scalar_i(scalar[SCALAR_WIDTH-1:0]), .negative_o, .magnitudes_o);

  logic unused;
  assign unused = ^{points, scalars, points_full, scalars_full};
endmodule
