// SPDX-License-Identifier: MIT OR Apache-2.0
// FACTOR a mod PRIME, for a below PRIME and a small FACTOR. The topmost bits of a determine the multiple of PRIME in
// FACTOR a, up to one; the multiple is subtracted together with the addition of the shifted operands.
//
// Contract: p_o in cycle t belongs to the operand of cycle t - LATENCY. Three cycles are enough for short carries
// (mod_reduce).
module mod_times #(
    parameter int WIDTH = 8,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(251),
    parameter int FACTOR = 9,
    parameter int LATENCY = 3
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] a_i,
    output logic [WIDTH-1:0] p_o
);
  localparam int BITS = $clog2(FACTOR + 1);
  // An estimate from TOP bits is too small by less than FACTOR 2^(WIDTH - TOP) / PRIME < 1.
  localparam int TOP = BITS + 1;
  localparam int WIDER = WIDTH + 2;
  if (FACTOR < 2 || WIDTH <= TOP || !PRIME[WIDTH-1]) begin : g_invalid
    $error("mod_times: FACTOR is at least 2, and WIDTH the number of PRIME's bits, more than FACTOR has");
  end

  // The least value of the topmost bits for which FACTOR a is at least q PRIME.
  function automatic int threshold(input int q);
    threshold = 0;
    for (int top = (1 << TOP) - 1; top > 0; top--)
      if ((field_pkg::WIDE'(FACTOR * top) << (WIDTH - TOP)) >= field_pkg::WIDE'(q) * field_pkg::WIDE'(PRIME))
        threshold = top;
  endfunction

  logic [FACTOR-1:0] least;
  logic [WIDER-1:0] minus;
  logic [FACTOR*WIDER-1:0] multiples;
  assign least[0] = 1'b1;
  assign multiples[0+:WIDER] = '0;
  for (genvar q = 1; q < FACTOR; q++) begin : g_multiple
    localparam logic [TOP-1:0] THRESHOLD = TOP'(threshold(q));
    localparam logic [WIDER-1:0] NEGATIVE = WIDER'(0) - WIDER'(q) * WIDER'(PRIME);
    assign least[q] = a_i[WIDTH-1-:TOP] >= THRESHOLD;
    assign multiples[q*WIDER+:WIDER] = NEGATIVE;
  end
  always_comb begin
    minus = '0;
    for (int q = 1; q < FACTOR; q++) if (least[q]) minus = multiples[q*WIDER+:WIDER];
  end

  // The sum of the multiple, and of a shifted to each one of FACTOR, as two summands.
  for (genvar i = 0; i <= BITS; i++) begin : g_bit
    logic [WIDER-1:0] sum, carries;
    if (i == 0) begin : g_multiple
      assign sum = minus;
      assign carries = '0;
    end else if (((FACTOR >> (i - 1)) & 1) == 1) begin : g_one
      carry_save #(.WIDTH(WIDER)) u_two (
          .a_i(g_bit[i-1].sum), .b_i(g_bit[i-1].carries), .c_i({2'b00, a_i} << (i - 1)), .sum_o(sum),
          .carries_o(carries));
    end else begin : g_zero
      assign sum = g_bit[i-1].sum;
      assign carries = g_bit[i-1].carries;
    end
  end
  mod_reduce #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(LATENCY)) u_reduce (
      .clk_i, .a_i(g_bit[BITS].sum), .b_i(g_bit[BITS].carries), .carry_i(1'b0), .r_o(p_o));

  unread u_unread (.d_i(least[0]));
endmodule
