// SPDX-License-Identifier: MIT OR Apache-2.0
// Converts an input to the buckets' form: the index of a window to a signed digit, and its point, or the inverse, to
// full coordinates.
//
// An index is a field of c bits of the scalar, to which the host has added half of every window's range except the
// topmost window's. So digit = index - 2^(c-1); the topmost window's digit is its index, at most 2^(c-1).
//
// Contract: zero_o, invalid_o and bucket_o belong to the same cycle, point_o to the index and the point of two cycles
// before. Points are {T, Y, X} on a twisted Edwards curve, with Z = 1, or {Z, Y, X}; coordinates are below the prime.
// zero_o: there is no point to add; invalid_o: no bucket has this index.
module gypsophila_input #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 16,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic               clk_i,
    input  logic               top_i,
    input  logic [ WINDOW-1:0] index_i,
    input  logic [3*WIDTH-1:0] point_i,
    output logic               zero_o,
    output logic               invalid_o,
    output logic [ WINDOW-2:0] bucket_o,
    output logic [  POINT-1:0] point_o
);
  if (WINDOW < 2) begin : g_invalid
    $error("gypsophila_input: WINDOW is at least 2");
  end

  localparam logic [WINDOW-1:0] HALF = WINDOW'(1) << (WINDOW - 1);
  logic negative;
  logic [WINDOW-1:0] magnitude;
  assign negative = !top_i && !index_i[WINDOW-1];
  assign magnitude = top_i ? index_i : negative ? HALF - index_i : index_i - HALF;
  assign zero_o = magnitude == 0;
  assign invalid_o = magnitude > HALF;
  assign bucket_o = (WINDOW - 1)'(magnitude - 1'b1);

  // A coordinate that is not negated comes out with the same delay.
  logic [WIDTH-1:0] first, second, third;
  assign {third, second, first} = point_i;
  if (CURVE == gypsophila_pkg::BLS12_377) begin : g_edwards
    localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
    mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(2)) u_x (
        .clk_i, .negative_i(negative), .a_i(first), .r_o(point_o[0*WIDTH+:WIDTH]));
    delay_line #(.WIDTH(WIDTH), .DEPTH(2)) u_y (.clk_i, .d_i(second), .q_o(point_o[1*WIDTH+:WIDTH]));
    assign point_o[2*WIDTH+:WIDTH] = WIDTH'(1);
    mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(2)) u_t (
        .clk_i, .negative_i(negative), .a_i(third), .r_o(point_o[3*WIDTH+:WIDTH]));
  end else begin : g_weierstrass
    localparam logic [WIDTH-1:0] PRIME = bn254_pkg::PRIME;
    delay_line #(.WIDTH(2 * WIDTH), .DEPTH(2)) u_others (
        .clk_i, .d_i({third, first}), .q_o({point_o[2*WIDTH+:WIDTH], point_o[0*WIDTH+:WIDTH]}));
    mod_negate #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(2)) u_y (
        .clk_i, .negative_i(negative), .a_i(second), .r_o(point_o[1*WIDTH+:WIDTH]));
  end
endmodule
