// SPDX-License-Identifier: MIT OR Apache-2.0
// Mixed and full additions on one pipeline of seven multipliers (CycloneMSM 4.3): a full addition takes the multiplier
// of te_madd in two cycles, for Z1 Z2 and for k T2, and enters the pipeline when these are done.
//
//   r0 = Z1 Z2,  r1 = k T2,  (X1 : Y1 : r0 : T1) + (X2, Y2, r1)
//
// With full_i, P2 is extended projective and fourth_i is T2; without, P2 is extended affine, fourth_i is u2 and z2_i
// means nothing.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o. valid_o, tag_o and the sum come LATENCY cycles
// after a mixed one, and LATENCY + MUL_LATENCY + 1 after a full one, so sums of the two kinds change their order.
// ready_o depends on full_i: where a full addition would meet another addition at the multiplier, or a mixed one a full
// one at the pipeline's entry, the later one waits. As a full addition has three products for that multiplier, no more
// than one in three cycles is taken in the long run.
module te_two_cycle_add #(
    parameter int WIDTH = bls12_377_pkg::WIDTH,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter logic [WIDTH-1:0] K = bls12_377_pkg::K,
    parameter int WORD = bls12_377_pkg::WORD,
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int TAG_WIDTH = 1
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic                 full_i,
    input  logic [TAG_WIDTH-1:0] tag_i,
    input  logic [    WIDTH-1:0] x1_i,
    input  logic [    WIDTH-1:0] y1_i,
    input  logic [    WIDTH-1:0] z1_i,
    input  logic [    WIDTH-1:0] t1_i,
    input  logic [    WIDTH-1:0] x2_i,
    input  logic [    WIDTH-1:0] y2_i,
    input  logic [    WIDTH-1:0] z2_i,
    input  logic [    WIDTH-1:0] fourth_i,
    output logic                 valid_o,
    output logic [TAG_WIDTH-1:0] tag_o,
    output logic [    WIDTH-1:0] x_o,
    output logic [    WIDTH-1:0] y_o,
    output logic [    WIDTH-1:0] z_o,
    output logic [    WIDTH-1:0] t_o
);
  localparam int ADD_LATENCY = (LATENCY - 2 * MUL_LATENCY) / 2;
  localparam int WAIT = MUL_LATENCY + 1;
  localparam logic [field_pkg::WIDE-1:0] K_FORM = field_pkg::in_form(
      field_pkg::WIDE'(K), field_pkg::WIDE'(PRIME), WORD, REDUCTION
  );
  if (ADD_LATENCY < 2) begin : g_short
    $error("te_two_cycle_add: LATENCY is at least four more than two multipliers'");
  end

  // Full additions by their age: bit i is one that came i + 1 cycles ago. Entries of the pipeline likewise.
  logic [WAIT-1:0] full;
  logic [ADD_LATENCY-1:0] entered;
  logic take_full, second, returns, enters;
  assign second = full[0];
  assign returns = full[WAIT-1];
  // What is at the multiplier now, and what will be in the next cycle, when the second product is due.
  logic multiplier_busy;
  assign multiplier_busy = second || entered[ADD_LATENCY-1] || entered[ADD_LATENCY-2];
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
    t2 <= fourth_i;
    r0 <= r1;
  end

  // What waits for them.
  logic [WIDTH-1:0] x1, y1, t1, x2, y2;
  logic [TAG_WIDTH-1:0] tag;
  delay_line #(.WIDTH(5 * WIDTH + TAG_WIDTH), .DEPTH(WAIT)) u_wait (
      .clk_i, .d_i({tag_i, x1_i, y1_i, t1_i, x2_i, y2_i}), .q_o({tag, x1, y1, t1, x2, y2}));

  te_madd #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS),
      .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .TAG_WIDTH(TAG_WIDTH)
  ) u_madd (
      .clk_i, .rst_i,
      .valid_i(enters),
      .tag_i(returns ? tag : tag_i),
      .x1_i(returns ? x1 : x1_i),
      .y1_i(returns ? y1 : y1_i),
      .z1_i(returns ? r0 : z1_i),
      .t1_i(returns ? t1 : t1_i),
      .x2_i(returns ? x2 : x2_i),
      .y2_i(returns ? y2 : y2_i),
      .u2_i(returns ? r1 : fourth_i),
      .mul_i(take_full || second),
      .mul_a_i(second ? t2 : z1_i),
      .mul_b_i(second ? K_FORM[WIDTH-1:0] : z2_i),
      .mul_p_o(r1),
      .valid_o, .tag_o, .x_o, .y_o, .z_o, .t_o
  );
endmodule
