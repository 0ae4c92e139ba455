// SPDX-License-Identifier: MIT OR Apache-2.0
// The order of MSMAC's work, cycle by cycle: the decoded instruction waits here until it can be executed.
//
// A `padd` begins when the previous batch has begun its last addition, its point is there, and the output has room for
// it. Then an addition begins in each cycle, while the next instruction is already here. A `jmp` takes two cycles and
// sees counter and queues in the state of the second cycle. A `nop` waits until the previous batch has begun its last
// addition, and delays the next batch by its number of cycles. So a `jmp` under a batch costs nothing.
//
// Contract: start_i begins a task if idle_o is high: the RAMs are emptied (clear_o, when ready_i), and the first
// instruction is here three cycles later at the earliest. The task ends with the program, when no addition is under way
// any more (settled_i); done_o says so until the next start. advance_o fetches the next instruction, begin_o begins the
// batch of this instruction; free_o says that it may begin, because no addition of the previous batch begins in the
// next cycle. issue_o is high in each cycle of a batch, last_o in its last cycle. After an error, the machine stands
// still until a reset; error_o is the error's code, error_pc_o the address of its instruction.
//
// Errors are found in one cycle and stop the machine in the next cycle. Meanwhile one more instruction may be executed
// without any visible effect: its batch is not issued, and a reset forgets the entries that it took. An addition's error
// is found when the addition is judged, a cycle after its issue. So an instruction's error is reported a cycle later than
// it is found, unless the additions before it have an error.
module msmac_sequencer #(
    parameter int OUTPUT_QUEUE = 20
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        start_i,
    input  logic [31:0] size_i,
    input  logic [12:0] length_i,
    output logic        idle_o,
    output logic        done_o,
    output logic [ 3:0] error_o,
    output logic [12:0] error_pc_o,
    output logic        clear_o,
    input  logic        ready_i,
    input  logic        settled_i,
    // The instruction.
    input  logic [12:0] pc_i,
    input  logic        padd_i,
    input  logic        jmp_i,
    input  logic        set_i,
    input  logic        nop_i,
    input  logic [11:0] batch_i,
    input  logic [19:0] immediate_i,
    input  logic [ 2:0] condition_i,
    input  logic        from_input_i,
    input  logic        to_output_i,
    input  logic        invalid_i,
    output logic        restart_o,
    output logic        advance_o,
    output logic        jump_o,
    output logic [19:0] counter_o,
    // Signals of input, output and conflict queue.
    input  logic        input_valid_i,
    input  logic        input_bad_value_i,
    input  logic        input_bad_last_i,
    output logic        input_final_o,
    input  logic [11:0] output_space_i,
    input  logic        almost_full_i,
    input  logic        conflict_i,
    // The batch under way.
    output logic        free_o,
    output logic        begin_o,
    output logic        issue_o,
    output logic        last_o,
    input  logic        bad_address_i,
    input  logic        overflow_i,
    // High in a cycle of the program, and in a cycle that waited.
    output logic        cycle_o,
    output logic        input_stall_o,
    output logic        output_stall_o
);
  localparam logic [3:0] NONE = 4'd0;
  localparam logic [3:0] INSTRUCTION = 4'd1;  // unknown instruction
  localparam logic [3:0] ADDRESS = 4'd2;  // outside of the RAM
  localparam logic [3:0] OVERFLOW = 4'd3;  // of the conflict queue
  localparam logic [3:0] NO_INPUT = 4'd4;  // a point after the last one
  localparam logic [3:0] VALUE = 4'd5;  // a coordinate not below the prime, a scalar too long
  localparam logic [3:0] LAST = 4'd6;  // not with the last point
  localparam logic [3:0] OUTPUT = 4'd7;  // a batch longer than the output's queue

  typedef enum logic [2:0] {IDLE, CLEAR, SWEEP, RUN, DRAIN, HALT} state_e;
  state_e state;
  logic [19:0] left;
  // Number of points that are still to come, and whether this number is zero or one.
  logic [31:0] points;
  logic no_points, one_point, takes;
  logic [12:0] batch_pc, judged_pc, own_pc, late_pc;
  logic here, at_end, source, sink, waits, jump_second, jump_invalid, holds, issue, stopped, all_found;
  logic [3:0] own_error, late_error, own_found, late_found;
  assign at_end = pc_i >= length_i;
  assign here = state == RUN && !at_end && !stopped;
  assign idle_o = state == IDLE;
  assign restart_o = state != RUN;
  assign clear_o = state == CLEAR && ready_i;
  assign cycle_o = state == RUN && !(at_end && left == 0);

  // An instruction's errors count when all earlier instructions have begun, so that earlier errors come first.
  always_comb begin
    own_found = NONE;
    if (here && free_o) begin
      if (invalid_i) own_found = INSTRUCTION;
      else if (padd_i && from_input_i && no_points) own_found = NO_INPUT;
      else if (padd_i && from_input_i && input_valid_i && input_bad_value_i) own_found = VALUE;
      else if (padd_i && from_input_i && input_valid_i && input_bad_last_i) own_found = LAST;
      else if (padd_i && to_output_i && batch_i > 12'(OUTPUT_QUEUE)) own_found = OUTPUT;
    end
    late_found = bad_address_i ? ADDRESS : overflow_i ? OVERFLOW : NONE;
  end

  // A jump or a `set` does not wait for a batch. If it is invalid, it must not be executed beside a batch.
  assign source = !from_input_i || input_valid_i;
  assign sink = !to_output_i || batch_i <= output_space_i;
  assign waits = padd_i ? !(free_o && source && sink) : jmp_i ? !jump_second || jump_invalid
      : set_i ? invalid_i : !free_o;
  assign advance_o = here && !waits;
  assign begin_o = advance_o && padd_i;
  assign takes = begin_o && from_input_i;
  assign input_stall_o = here && padd_i && free_o && !source;
  assign output_stall_o = here && padd_i && free_o && source && !sink;
  assign input_final_o = one_point;

  always_comb begin
    case (condition_i)
      3'd0: holds = 1'b1;
      3'd1: holds = counter_o != 0;
      3'd2: holds = !no_points;
      3'd3: holds = almost_full_i;
      default: holds = conflict_i;
    endcase
  end
  assign jump_o = jmp_i && holds;
  assign last_o = left == 1;
  assign issue_o = issue && !stopped;

  always_ff @(posedge clk_i) begin
    jump_second <= here && jmp_i && !jump_second;
    jump_invalid <= invalid_i;
    if (!stopped) {own_error, own_pc} <= {own_found, pc_i};
    if (late_error == NONE) {late_error, late_pc} <= {late_found, judged_pc};
    judged_pc <= batch_pc;
    stopped <= own_found != NONE || late_found != NONE || stopped;
    all_found <= stopped;
    points <= points - 32'(takes);
    no_points <= takes ? one_point : points == 0;
    one_point <= takes ? points == 2 : points == 1;
    if (left != 0) left <= left - 1'b1;
    free_o <= left <= 2;
    if (free_o) issue <= 1'b0;
    if (advance_o && nop_i) begin
      left <= immediate_i;
      free_o <= immediate_i <= 1;
    end
    if (advance_o && set_i) counter_o <= immediate_i;
    if (advance_o && jump_o && condition_i == 3'd1) counter_o <= counter_o - 1'b1;
    if (begin_o) begin
      left <= 20'(batch_i);
      free_o <= batch_i <= 1;
      issue <= 1'b1;
      batch_pc <= pc_i;
    end
    if (stopped) begin
      issue <= 1'b0;
      if (all_found) begin
        state <= HALT;
        error_o <= late_error != NONE ? late_error : own_error;
        error_pc_o <= late_error != NONE ? late_pc : own_pc;
      end
    end else begin
      case (state)
        IDLE:
        if (start_i) begin
          state <= CLEAR;
          done_o <= 1'b0;
          points <= size_i;
          counter_o <= '0;
        end
        CLEAR: if (ready_i) state <= SWEEP;
        SWEEP: if (ready_i) state <= RUN;
        RUN: if (!cycle_o) state <= DRAIN;
        DRAIN:
        if (settled_i) begin
          state <= IDLE;
          done_o <= 1'b1;
        end
        default: ;
      endcase
    end
    if (rst_i) begin
      state <= IDLE;
      left <= '0;
      free_o <= 1'b1;
      issue <= 1'b0;
      stopped <= 1'b0;
      all_found <= 1'b0;
      late_error <= NONE;
      jump_second <= 1'b0;
      done_o <= 1'b0;
      error_o <= NONE;
      error_pc_o <= '0;
    end
  end
endmodule
