// SPDX-License-Identifier: MIT OR Apache-2.0
// Mixed and full additions on one pipeline of seven multipliers (CycloneMSM 4.3). A full addition first uses te_madd's
// multiplier of C in two cycles, for Z1 Z2 and for k T2, and enters the pipeline when both products are ready.
//
//   r0 = Z1 Z2,  r1 = k T2,  (X1 : Y1 : r0 : T1) + (X2, Y2, r1)
//
// With full_i, right_i is extended projective. Without full_i, right_i is extended affine, with u2 in the place of T2,
// and Z2 is ignored.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o. valid_o, tag_o and the sum come LATENCY cycles
// after a mixed addition, and LATENCY + MUL_LATENCY + 1 after a full addition, so sums of the two kinds may overtake
// each other. ready_o depends on full_i: if a full addition would meet another addition at the multiplier, or a mixed
// addition a full one at the pipeline's entry, the later addition waits. A full addition has three products for this
// multiplier, so at most one full addition in three cycles is taken in the long run.
`include "ports.svh"
module te_two_cycle_add #(
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int TAG_WIDTH = 1
) (
    `WAITING_ADDER_PORTS(bls12_377_pkg::extended_t),
    input logic full_i
);
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  localparam int WORD = bls12_377_pkg::WORD;
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam int ADD_LATENCY = (LATENCY - 2 * MUL_LATENCY) / 2;
  localparam int WAIT = MUL_LATENCY + 1;
  localparam logic [field_pkg::WIDE-1:0] K_FORM = field_pkg::in_form(
      field_pkg::WIDE'(bls12_377_pkg::K), field_pkg::WIDE'(PRIME), WORD, REDUCTION
  );
  if (ADD_LATENCY < 2) begin : g_short
    $error("te_two_cycle_add: LATENCY is at least four more than two multipliers'");
  end

  // Full additions by age: bit i is a full addition that came i + 1 cycles ago. Below, entries of the pipeline in the
  // same form.
  logic [WAIT-1:0] full;
  logic [ADD_LATENCY-1:0] entered;
  logic take_full, second_product, returns, enters;
  assign second_product = full[0];
  assign returns = full[WAIT-1];
  // The multiplier is in use now, or in the next cycle, for the second product.
  logic multiplier_busy;
  assign multiplier_busy = second_product || entered[ADD_LATENCY-1] || entered[ADD_LATENCY-2];
  assign ready_o = full_i ? !multiplier_busy : !returns;
  assign take_full = valid_i && ready_o && full_i;
  assign enters = returns || (valid_i && ready_o && !full_i);
  always_ff @(posedge clk_i) begin
    full <= rst_i ? '0 : WAIT'({full, take_full});
    entered <= rst_i ? '0 : ADD_LATENCY'({entered, enters});
  end

  // The two products: r0 comes a cycle before r1.
  logic [WIDTH-1:0] t2, r0, r1;
  always_ff @(posedge clk_i) begin
    t2 <= right_i.t;
    r0 <= r1;
  end

  // The operands that wait for these products.
  logic [WIDTH-1:0] x1, y1, t1, x2, y2;
  logic [TAG_WIDTH-1:0] tag;
  delay_line #(.WIDTH(5 * WIDTH + TAG_WIDTH), .DEPTH(WAIT)) u_wait (
      .clk_i, .d_i({tag_i, left_i.x, left_i.y, left_i.t, right_i.x, right_i.y}), .q_o({tag, x1, y1, t1, x2, y2}));

  bls12_377_pkg::extended_t first;
  bls12_377_pkg::affine_t second;
  assign first = returns ? {t1, r0, y1, x1} : left_i;
  assign second = returns ? {r1, y2, x2} : {right_i.t, right_i.y, right_i.x};
  te_madd #(
      .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
      .TAG_WIDTH(TAG_WIDTH)
  ) u_madd (
      .clk_i, .rst_i, .valid_i(enters), .tag_i(returns ? tag : tag_i), .left_i(first), .right_i(second),
      .mul_i(take_full || second_product), .mul_a_i(second_product ? t2 : left_i.z),
      .mul_b_i(second_product ? K_FORM[WIDTH-1:0] : right_i.z), .mul_p_o(r1), .valid_o, .tag_o, .sum_o
  );
endmodule
