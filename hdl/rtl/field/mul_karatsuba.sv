// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers by LAYERS two-way splits (Karatsuba): three products of half the width each.
//
//   a b = 2^(2h) a1 b1 + 2^h ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) + a0 b0
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY, with LATENCY = field_pkg::mul_latency(KARATSUBA, LAYERS).
// There are 3^LAYERS leaves. The sums make them one bit wider per layer at most: from 384 bits, three layers end at 48
// to 51 bits (CycloneMSM), four at 24 to 27 (Gypsophila).
module mul_karatsuba #(
    parameter int WIDTH = 48,
    parameter int LAYERS = 1
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  if (WIDTH < 2 || LAYERS < 0) begin : g_invalid
    $error("mul_karatsuba: WIDTH is at least 2 in every layer, LAYERS at least 0");
  end

  if (LAYERS == 0) begin : g_leaf
    mul_leaf #(.WIDTH(WIDTH)) u_leaf (.clk_i, .a_i, .b_i, .p_o);
  end else begin : g_split
    localparam int LOW = (WIDTH + 1) / 2;
    localparam int HIGH = WIDTH - LOW;
    localparam int SUM = LOW + 1;

    logic [LOW-1:0] a0, b0;
    logic [HIGH-1:0] a1, b1;
    logic [SUM-1:0] as, bs;
    always_ff @(posedge clk_i) begin
      {a1, a0} <= a_i;
      {b1, b0} <= b_i;
      as <= SUM'(a_i[LOW-1:0]) + SUM'(a_i[WIDTH-1:LOW]);
      bs <= SUM'(b_i[LOW-1:0]) + SUM'(b_i[WIDTH-1:LOW]);
    end

    logic [ 2*LOW-1:0] low;
    logic [2*HIGH-1:0] high;
    logic [ 2*SUM-1:0] both;
    mul_karatsuba #(.WIDTH(LOW), .LAYERS(LAYERS - 1)) u_low (.clk_i, .a_i(a0), .b_i(b0), .p_o(low));
    mul_karatsuba #(.WIDTH(HIGH), .LAYERS(LAYERS - 1)) u_high (.clk_i, .a_i(a1), .b_i(b1), .p_o(high));
    mul_karatsuba #(.WIDTH(SUM), .LAYERS(LAYERS - 1)) u_both (.clk_i, .a_i(as), .b_i(bs), .p_o(both));

    logic [2*SUM-1:0] middle;
    logic [2*WIDTH-1:0] outer;
    always_ff @(posedge clk_i) begin
      middle <= both - (2 * SUM)'(low) - (2 * SUM)'(high);
      outer  <= {high, low};
      p_o    <= outer + ((2 * WIDTH)'(middle) << LOW);
    end
  end
endmodule
