// SPDX-License-Identifier: MIT OR Apache-2.0
// The order of a card's work: a task, and the drain before the core's reset.
//
//   idle -- start_i --> run -- all results written --> idle
//   idle, run -- reset_i, or in a run an error --> drain -- nothing is outstanding --> reset -- core is in reset --> release
//     -- core is out of reset --> idle
//
// Contract:
// - start_i and reset_i are pulses. A task with refused_i does not begin, and is an error. start_o is high in the cycle in which a task
//   begins.
// - A task has results_i results, at least one; written_i is a pulse for each result in memory. busy_i says that a master of the bus has something outstanding.
// - stop_o asks the masters to drain: they begin nothing. clear_o is the reset of everything on the way to the core, in this clock;
//   core_reset_o, a register, asks for the core's reset, and core_in_reset_i acknowledges it (reset_crossing). Both come only after a
//   cycle with stop_o in which nothing was outstanding, or with rst_i.
// - causes_o has a bit for each error_i that ended the task, then a bit for something that stays outstanding for 2^10 cycles after the
//   last result, and a bit for refused_i. done_o and causes_o stay until the next start_i or reset_i.
module card_control #(
    parameter int ERRORS = 4
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              start_i,
    input  logic              reset_i,
    input  logic [      31:0] results_i,
    input  logic              refused_i,
    input  logic              written_i,
    input  logic              busy_i,
    input  logic [ERRORS-1:0] error_i,
    input  logic              core_in_reset_i,
    output logic              start_o,
    output logic              stop_o,
    output logic              clear_o,
    output logic              core_reset_o,
    output logic              idle_o,
    output logic              running_o,
    output logic              done_o,
    output logic [ERRORS+1:0] causes_o
);
  typedef enum logic [2:0] {IDLE, RUN, DRAIN, RESET, RELEASE} state_e;
  state_e state;
  logic [31:0] left;
  logic [9:0] late;
  assign idle_o = state == IDLE;
  assign running_o = state == RUN;
  assign stop_o = !idle_o && !running_o;
  assign clear_o = stop_o && state != DRAIN;
  assign start_o = idle_o && start_i && !refused_i;
  always_ff @(posedge clk_i) begin
    left <= left - 32'(written_i);
    late <= left == 0 ? late + 1'b1 : '0;
    case (state)
      RUN:
      if (error_i != 0) begin
        causes_o[ERRORS-1:0] <= error_i;
        state <= DRAIN;
      end else if (left == 0 && !busy_i) begin
        done_o <= 1'b1;
        state <= IDLE;
      end else if (&late) begin
        causes_o[ERRORS] <= 1'b1;
        state <= DRAIN;
      end
      DRAIN: if (!busy_i) state <= RESET;
      RESET: if (core_in_reset_i) state <= RELEASE;
      RELEASE: if (!core_in_reset_i) state <= IDLE;
      default: ;
    endcase
    if (idle_o && start_i) begin
      done_o <= 1'b0;
      causes_o <= {refused_i, (ERRORS + 1)'(0)};
      late <= '0;
      left <= results_i;
      if (!refused_i) state <= RUN;
    end
    if (reset_i) begin
      done_o <= 1'b0;
      causes_o <= '0;
      if (idle_o || running_o) state <= DRAIN;
    end
    if (rst_i) begin
      done_o <= 1'b0;
      causes_o <= '0;
      state <= RESET;
    end
    core_reset_o <= state == RESET || rst_i;
  end
endmodule
