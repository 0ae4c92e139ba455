// SPDX-License-Identifier: MIT OR Apache-2.0
// The inverse of a_i modulo PRIME, by Bernstein's and Yang's divsteps, one a cycle.
//
//   delta = 1, f = PRIME, g = a, v = 0, w = 1
//   STEPS times:
//     if delta > 0 and g is odd:  delta = 2 - delta,  f, g = g, (g - f) / 2,  v, w = w, (w - v) / 2
//     else if g is odd:           delta = 2 + delta,  g = (g + f) / 2,        w = (w + v) / 2
//     else:                       delta = 2 + delta,  g = g / 2,              w = w / 2
//   the inverse is v if f = 1, and -v if f = -1
//
// f = v a and g = w a modulo PRIME in every step, and in the end g = 0 and f = 1 or -1. delta counts in halves: this is the variant
// of divsteps that begins with delta = 1/2, with the bound of steps that Wuille's safegcd-bounds proves (genproofhd.md). The number
// of cycles is the same for all operands, so that a batch of additions has fixed times.
//
// Departure from the pseudo-code: if the sum for w is odd, it is halved modulo PRIME: PRIME is added if w is negative, else
// subtracted. The sign of w suffices, which is in a register, and keeps v and w between -PRIME and PRIME: for w >= 0 the sum is
// between -PRIME and 2 PRIME. So a step has one sum of three operands, whose parities and signs are known before.
//
// Contract:
// - An operand is taken in a cycle with valid_i and ready_o. It is below PRIME; 0 has the inverse 0.
// - inverse_o comes STEPS + 3 cycles later, for one cycle with valid_o. It is below PRIME.
// - The next operand is taken STEPS + 1 cycles after an operand at the earliest.
// - PRIME is odd, and more than 1.
module divstep_inverse #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] a_i,
    output logic             valid_o,
    output logic [WIDTH-1:0] inverse_o
);
  localparam int STEPS = field_pkg::divsteps(WIDTH);
  localparam int COUNT = $clog2(STEPS + 1);
  // delta is odd, and between 1 - 2 STEPS and 1 + 2 STEPS.
  localparam int DELTA = $clog2(2 * STEPS + 2) + 1;
  localparam int WIDE = WIDTH + 2;
  localparam logic [WIDE-1:0] P = {2'b00, PRIME};
  if (!PRIME[0] || PRIME == 1) begin : g_invalid
    $error("divstep_inverse: PRIME is odd, and more than 1");
  end

  logic busy, last, odd, swap, uneven;
  logic [COUNT-1:0] left;
  logic [DELTA-1:0] delta;
  logic [WIDE-1:0] f, g, v, w;
  logic [WIDE-1:0] of_f, of_v, of_p, g_sum, w_sum, w_two, w_carries;
  assign ready_o = !busy;
  assign last = busy && left == 1;
  assign odd = g[0];
  assign swap = odd && !delta[DELTA-1];
  assign of_f = {WIDE{odd}} & (f ^ {WIDE{swap}});
  assign of_v = {WIDE{odd}} & (v ^ {WIDE{swap}});
  assign uneven = w[0] ^ (odd && v[0]);
  assign of_p = {WIDE{uneven}} & (P ^ {WIDE{!w[WIDE-1]}});
  assign g_sum = g + of_f + WIDE'(swap);
  // Each subtraction adds a complement and 1: the carry in of the sum, and the free lowest place of the carries.
  assign w_two = w ^ of_v ^ of_p;
  assign w_carries = {(w[WIDE-2:0] & of_v[WIDE-2:0]) | (w[WIDE-2:0] & of_p[WIDE-2:0]) | (of_v[WIDE-2:0] & of_p[WIDE-2:0]),
                      uneven && !w[WIDE-1]};
  assign w_sum = w_two + w_carries + WIDE'(swap);

  always_ff @(posedge clk_i) begin
    if (busy) begin
      left <= left - 1'b1;
      delta <= swap ? DELTA'(2) - delta : DELTA'(2) + delta;
      g <= {g_sum[WIDE-1], g_sum[WIDE-1:1]};
      w <= {w_sum[WIDE-1], w_sum[WIDE-1:1]};
      if (swap) begin
        f <= g;
        v <= w;
      end
    end
    if (last) busy <= 1'b0;
    if (valid_i && ready_o) begin
      busy <= 1'b1;
      left <= COUNT'(STEPS);
      delta <= DELTA'(1);
      f <= P;
      g <= {2'b00, a_i};
      v <= '0;
      w <= WIDE'(1);
    end
    if (rst_i) busy <= 1'b0;
  end

  // v or -v, and then PRIME more if that is negative.
  logic done, signed_there;
  logic [WIDE-1:0] signed_v, reduced;
  assign reduced = signed_v + (P & {WIDE{signed_v[WIDE-1]}});
  always_ff @(posedge clk_i) begin
    {valid_o, signed_there, done} <= rst_i ? '0 : {signed_there, done, last};
    signed_v <= (v ^ {WIDE{f[WIDE-1]}}) + WIDE'(f[WIDE-1]);
    inverse_o <= reduced[WIDTH-1:0];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && done && g != 0) $error("divstep_inverse: g is not 0 after all steps");
`endif
  unread u_unread (.d_i(^reduced[WIDE-1:WIDTH]));
endmodule
