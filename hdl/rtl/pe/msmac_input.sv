// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's input: points and scalars in two queues; scalars are already converted to signed digits.
//
// A point is {y, x}, affine, in Montgomery form, each coordinate in 256 bits; (0, 0), which is not on the curve, stands
// for infinity. A scalar has 254 bits in 256.
//
// Contract: streams are taken in cycles with valid and ready, and are in their queues three cycles later: two cycles
// are for the digits, and for the comparison of coordinates with the prime. valid_o is high if a point and its scalar
// are there, in point_o and the digits, until take_i. With valid_o, bad_value_o is high if a coordinate is not below
// the prime or a scalar is too long; bad_last_o is high if `last` is not with the last point, for which final_i is
// high. Points under way have places in addition to QUEUE.
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
    output bn254_pkg::affine_t        point_o,
    output logic [       WINDOWS-1:0] negative_o,
    output logic [WINDOWS*WINDOW-1:0] magnitudes_o
);
  localparam int LATENCY = 2;
  localparam int DEPTH = QUEUE + LATENCY;
  localparam int COUNT = $clog2(DEPTH + 1);
  // A number that is not below the prime has a carry when this is added.
  localparam logic [255:0] ABOVE = 256'(0) - 256'(bn254_pkg::PRIME);
  logic point_came, point_came_last, points_full, point_valid, point_last, bad_point;
  logic [511:0] came;
  logic [COUNT-1:0] points;
  logic [1:0] above, bad_coordinate;
  logic unused_point_ready;
  assign point_ready_o = !points_full;
  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(513)) u_point (
      .clk_i, .rst_i, .valid_i(point_valid_i && point_ready_o), .tag_i({point_last_i, point_data_i}),
      .valid_o(point_came), .tag_o({point_came_last, came}));
  for (genvar i = 0; i < 2; i++) begin : g_coordinate
    wide_carry #(.WIDTH(256)) u_above (.clk_i, .a_i(point_data_i[i*256+:256]), .b_i(ABOVE), .carry_o(above[i]));
  end
  always_ff @(posedge clk_i) bad_coordinate <= above;
  fifo #(.WIDTH(2 * WIDTH + 2), .DEPTH(DEPTH), .HEADROOM(LATENCY), .MUST_TAKE(1)) u_points (
      .clk_i, .rst_i, .valid_i(point_came), .ready_o(unused_point_ready),
      .data_i({point_came_last, bad_coordinate != 0, came[256+:WIDTH], came[0+:WIDTH]}),
      .valid_o(point_valid), .ready_i(take_i), .data_o({point_last, bad_point, point_o}),
      .count_o(points), .almost_full_o(points_full));

  logic scalar_came, scalar_came_last, scalar_came_bad, scalars_full, scalar_valid, scalar_last, bad_scalar;
  logic [WINDOWS-1:0] negative;
  logic [WINDOWS*WINDOW-1:0] magnitudes;
  logic [COUNT-1:0] scalars;
  logic unused_scalar_ready;
  assign scalar_ready_o = !scalars_full;
  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(2)) u_scalar (
      .clk_i, .rst_i, .valid_i(scalar_valid_i && scalar_ready_o),
      .tag_i({scalar_last_i, scalar_data_i[255:SCALAR_WIDTH] != 0}),
      .valid_o(scalar_came), .tag_o({scalar_came_last, scalar_came_bad}));
  signed_digits #(.SCALAR_WIDTH(SCALAR_WIDTH), .WINDOW(WINDOW), .LATENCY(LATENCY)) u_digits (
      .clk_i, .scalar_i(scalar_data_i[SCALAR_WIDTH-1:0]), .negative_o(negative), .magnitudes_o(magnitudes));
  fifo #(.WIDTH(WINDOWS * (WINDOW + 1) + 2), .DEPTH(DEPTH), .HEADROOM(LATENCY), .MUST_TAKE(1)) u_scalars (
      .clk_i, .rst_i, .valid_i(scalar_came), .ready_o(unused_scalar_ready),
      .data_i({scalar_came_last, scalar_came_bad, negative, magnitudes}),
      .valid_o(scalar_valid), .ready_i(take_i), .data_o({scalar_last, bad_scalar, negative_o, magnitudes_o}),
      .count_o(scalars), .almost_full_o(scalars_full));

  assign valid_o = point_valid && scalar_valid;
  assign bad_value_o = bad_point || bad_scalar;
  assign bad_last_o = point_last != final_i || scalar_last != final_i;

  unread u_unread (.d_i(^{points, scalars, came[511:256+WIDTH], came[255:WIDTH]}));
endmodule
