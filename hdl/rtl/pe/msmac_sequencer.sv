// SPDX-License-Identifier: MIT OR Apache-2.0
// What MSMAC does in which cycle: the decoded instruction waits here until it can be executed.
//
// A `padd` begins when the batch before has begun its last addition, its point is there, and the output has room for it;
// then an addition begins in each cycle while the next instruction is here already. A `jmp` takes two cycles and sees
// counter and queues as they are in the second. A `nop` waits until the batch before has begun its last addition, and
// holds up the next batch for so many cycles. So a `jmp` under a batch costs nothing.
//
// Contract: start_i begins a task if it is idle_o: the RAMs are emptied (clear_o, when they are ready_i), the first
// instruction is here three cycles later at the earliest. The task ends with the program, when nothing is under way
// (settled_i) any more; done_o says so until the next start. advance_o fetches the next instruction, begin_o begins the
// batch of this one. issue_o is high in each cycle of a batch, last_o in its last. After an error everything stands
// still until a reset; error_o says what it was, error_pc_o of which instruction.
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
    // Input, output, conflict queue.
    input  logic        input_valid_i,
    input  logic        input_bad_value_i,
    input  logic        input_bad_last_i,
    output logic        input_final_o,
    input  logic [11:0] output_space_i,
    input  logic        almost_full_i,
    input  logic        conflict_i,
    // The batch under way.
    output logic        begin_o,
    output logic        issue_o,
    output logic        last_o,
    input  logic        bad_address_i,
    input  logic        overflow_i,
    // A cycle of the program, and one that waited.
    output logic        cycle_o,
    output logic        input_stall_o,
    output logic        output_stall_o
);
  localparam logic [3:0] NONE = 4'd0;
  localparam logic [3:0] INSTRUCTION = 4'd1;  // there is none such
  localparam logic [3:0] ADDRESS = 4'd2;  // outside of the RAM
  localparam logic [3:0] OVERFLOW = 4'd3;  // of the conflict queue
  localparam logic [3:0] NO_INPUT = 4'd4;  // a point after the last one
  localparam logic [3:0] VALUE = 4'd5;  // a coordinate not below the prime, a scalar too long
  localparam logic [3:0] LAST = 4'd6;  // not with the last point
  localparam logic [3:0] OUTPUT = 4'd7;  // a batch longer than the output's queue

  typedef enum logic [2:0] {IDLE, CLEAR, SWEEP, RUN, DRAIN, HALT} state_e;
  state_e state;
  logic [19:0] left;
  logic [31:0] taken;
  logic [12:0] batch_pc;
  logic here, at_end, free, source, sink, waits, jump_second, holds;
  logic [3:0] error;
  assign at_end = pc_i >= length_i;
  assign here = state == RUN && !at_end;
  assign idle_o = state == IDLE;
  assign restart_o = state != RUN;
  assign clear_o = state == CLEAR && ready_i;
  assign cycle_o = state == RUN && !(at_end && left == 0);

  // An instruction's errors count when all before it have begun, so that theirs come first.
  assign free = left <= 1;
  always_comb begin
    error = NONE;
    if (here && free) begin
      if (invalid_i) error = INSTRUCTION;
      else if (padd_i && from_input_i && taken == size_i) error = NO_INPUT;
      else if (padd_i && from_input_i && input_valid_i && input_bad_value_i) error = VALUE;
      else if (padd_i && from_input_i && input_valid_i && input_bad_last_i) error = LAST;
      else if (padd_i && to_output_i && batch_i > 12'(OUTPUT_QUEUE)) error = OUTPUT;
    end
    if (overflow_i) error = OVERFLOW;
    if (bad_address_i) error = ADDRESS;
  end

  assign source = !from_input_i || input_valid_i;
  assign sink = !to_output_i || batch_i <= output_space_i;
  assign waits = invalid_i ? 1'b1 : padd_i ? !(free && source && sink) : jmp_i ? !jump_second : nop_i && !free;
  assign advance_o = here && error == NONE && !waits;
  assign begin_o = advance_o && padd_i;
  assign input_stall_o = here && error == NONE && padd_i && free && !source;
  assign output_stall_o = here && error == NONE && padd_i && free && source && !sink;
  assign input_final_o = taken + 1'b1 == size_i;

  always_comb begin
    case (condition_i)
      3'd0: holds = 1'b1;
      3'd1: holds = counter_o != 0;
      3'd2: holds = taken != size_i;
      3'd3: holds = almost_full_i;
      default: holds = conflict_i;
    endcase
  end
  assign jump_o = jmp_i && holds;
  assign last_o = left == 1;

  always_ff @(posedge clk_i) begin
    jump_second <= here && jmp_i && !jump_second;
    if (left != 0) left <= left - 1'b1;
    if (free) issue_o <= 1'b0;
    if (advance_o && nop_i) left <= immediate_i;
    if (advance_o && set_i) counter_o <= immediate_i;
    if (advance_o && jump_o && condition_i == 3'd1) counter_o <= counter_o - 1'b1;
    if (begin_o) begin
      left <= 20'(batch_i);
      issue_o <= 1'b1;
      batch_pc <= pc_i;
      if (from_input_i) taken <= taken + 1'b1;
    end
    case (state)
      IDLE:
      if (start_i) begin
        state <= CLEAR;
        done_o <= 1'b0;
        taken <= '0;
        counter_o <= '0;
      end
      CLEAR: if (ready_i) state <= SWEEP;
      SWEEP: if (ready_i) state <= RUN;
      RUN:
      if (error != NONE) begin
        state <= HALT;
        issue_o <= 1'b0;
        error_o <= error;
        error_pc_o <= bad_address_i || overflow_i ? batch_pc : pc_i;
      end else if (!cycle_o) begin
        state <= DRAIN;
      end
      DRAIN:
      if (settled_i) begin
        state <= IDLE;
        done_o <= 1'b1;
      end
      default: ;
    endcase
    if (rst_i) begin
      state <= IDLE;
      left <= '0;
      issue_o <= 1'b0;
      jump_second <= 1'b0;
      done_o <= 1'b0;
      error_o <= NONE;
      error_pc_o <= '0;
    end
  end
endmodule
