// SPDX-License-Identifier: MIT OR Apache-2.0
// A shared adder's work for an element's window (3.3): bucket and result aggregation.
//
//   R <- 2^c R, R being the sum of the windows above;   for b from the top: T <- T + S_b, R <- R + T
//
// This adds the sum of (b + 1) S_b, so R ends as the sum down to this window, without an additional addition. The paper
// has the same doublings and one more addition afterwards.
//
// Contract: start_i, with the sum of the windows above, or with first_i if there are none, while ready_o. Then
// 2^(WINDOW-1) buckets are taken in cycles with bucket_valid_i and bucket_ready_o. done_o is high for one cycle, with
// sum_o. An addition takes one cycle more than the adder. additions_o counts since clear_i.
module gypsophila_lane #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 16,
    parameter int KIND = field_pkg::KARATSUBA,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             clear_i,
    input  logic             start_i,
    output logic             ready_o,
    input  logic             first_i,
    input  logic [POINT-1:0] above_i,
    input  logic             bucket_valid_i,
    output logic             bucket_ready_o,
    input  logic             bucket_occupied_i,
    input  logic [POINT-1:0] bucket_i,
    output logic             done_o,
    output logic [POINT-1:0] sum_o,
    output logic [     31:0] additions_o
);
  // (0 : 1 : 1 : 0), as {t, z, y, x}, or (0 : 1 : 0).
  localparam logic [POINT-1:0] NEUTRAL = CURVE == gypsophila_pkg::BLS12_377
      ? (POINT'(1) << WIDTH) | (POINT'(1) << (2 * WIDTH)) : POINT'(1) << WIDTH;

  typedef enum logic [2:0] {IDLE, DOUBLE, ADD_T, ADD_R, WAIT} state_e;
  state_e state;
  // The addition that waits for the adder.
  logic doubling, of_t, r_empty, t_empty;
  logic [WINDOW-1:0] left;
  logic [POINT-1:0] r, t, r_sum, t_sum, sum, first, second;
  assign ready_o = state == IDLE;

  logic add, took, sum_valid, unused_tag;
  assign r_sum = r_empty ? NEUTRAL : r;
  assign t_sum = t_empty ? NEUTRAL : t;
  assign add = state == DOUBLE || state == ADD_R || (state == ADD_T && bucket_valid_i);
  assign bucket_ready_o = state == ADD_T && took;
  assign first = state == ADD_T ? (bucket_occupied_i ? bucket_i : NEUTRAL) : r_sum;
  assign second = state == DOUBLE ? r_sum : t_sum;
  gypsophila_apadd #(.CURVE(CURVE), .KIND(KIND)) u_adder (
      .clk_i, .rst_i, .valid_i(add), .tag_i(1'b0), .left_i(first), .right_i(second),
      .valid_o(sum_valid), .tag_o(unused_tag), .sum_o(sum), .ready_o(took)
  );
  assign done_o = state == WAIT && sum_valid && !doubling && !of_t && left == 0;
  assign sum_o = sum;

  always_ff @(posedge clk_i) begin
    if (state == IDLE && start_i) r <= above_i;
    if (state == WAIT && sum_valid) begin
      if (of_t) t <= sum;
      else r <= sum;
    end
    additions_o <= clear_i ? '0 : additions_o + 32'(add && took);
    case (state)
      IDLE:
      if (start_i) begin
        state <= first_i ? ADD_T : DOUBLE;
        left <= first_i ? WINDOW'(1) << (WINDOW - 1) : WINDOW'(WINDOW);
        r_empty <= first_i;
        t_empty <= 1'b1;
        doubling <= !first_i;
      end
      DOUBLE, ADD_R, ADD_T:
      if (add && took) begin
        of_t <= state == ADD_T;
        if (state != ADD_T) left <= left - 1'b1;
        state <= WAIT;
      end
      WAIT:
      if (sum_valid) begin
        if (of_t) begin
          t_empty <= 1'b0;
          state <= ADD_R;
        end else begin
          r_empty <= 1'b0;
          doubling <= doubling && left != 0;
          if (doubling && left == 0) left <= WINDOW'(1) << (WINDOW - 1);
          state <= doubling ? (left == 0 ? ADD_T : DOUBLE) : left == 0 ? IDLE : ADD_T;
        end
      end
      default: state <= IDLE;
    endcase
    if (rst_i) state <= IDLE;
  end
endmodule
