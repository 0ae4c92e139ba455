// SPDX-License-Identifier: MIT OR Apache-2.0
// A processing element of MSMAC (3.2): fetch, decode, execute and write-back, for BN254. It executes a program.
// Pippenger's program, which `bucketwheel msmac program` prints for the parameters here, computes the windows' sums of
// an MSM.
//
// Contract: three AXI4-Streams and an AXI4-Lite port. Points and scalars are as in msmac_input. A sum is {z, y, x},
// projective, in Montgomery form, each coordinate in 256 bits; `last` marks the last sum of a batch. The element queues
// streams before a task starts, so points of the next task may come early; during a task, the element waits for the
// streams. rst_i, or a reset by the host, drops everything under way and everything received from the streams. A
// counter that passes 2^32 - 1 continues at 0. idle_o says that a task may be written and started, fault_o that the status has an error.
//
// LATENCY, from an addition's beginning until its sum can be read, is 2 MUL_LATENCY + 20: 100, as in the cycle model.
// HYBRID takes 39 stages of MUL_LATENCY.
`include "ports.svh"
module msmac_pe #(
    parameter int WINDOW = 13,
    parameter int KIND = field_pkg::HYBRID,
    parameter int MUL_LATENCY = 40,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int PROGRAM = 64,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    // Segments of a window's buckets; the RAM for temporaries holds a sum and a total for each segment.
    parameter int SEGMENTS = 1,
    parameter int INPUT_QUEUE = 4,
    localparam int WINDOWS = 254 / WINDOW + 1,
    // A batch of all windows fits the output.
    parameter int OUTPUT_QUEUE = WINDOWS,
    localparam int WIDTH = bn254_pkg::WIDTH
) (
    input  logic clk_i,
    input  logic rst_i,
    output logic idle_o,
    output logic fault_o,
    `AXI_LITE_PORTS(17),
    `AXIS_IN(point, 512),
    `AXIS_IN(scalar, 256),
    `AXIS_OUT(sum, 768)
);
  localparam int ADDRESS = $clog2(PROGRAM);
  localparam int TEMPS = 2 * SEGMENTS * WINDOWS;

  `AXI_LITE_STRUCTURES

  // Signals of the host.
  logic start, host_reset, rst, idle, done, program_write;
  logic [31:0] size, program_data;
  logic [12:0] length, error_pc;
  logic [ADDRESS+1:0] program_address;
  logic [3:0] error;
  logic [31:0] step_1, high_water;
  logic [8*32-1:0] counts;
  assign rst = rst_i || host_reset;
  assign idle_o = idle;
  assign fault_o = error != 0;
  msmac_registers #(
      .PROGRAM(PROGRAM), .COUNTERS(10), .SHAPE({16'(WINDOWS), 16'(WINDOW)}), .LATENCY({16'(TEMPS), 16'(2 * MUL_LATENCY + 20)}),
      .CONFLICTS({16'(CONFLICTS), 16'(THRESHOLD)}), .MEMORY({16'(OUTPUT_QUEUE), 16'(PROGRAM)})
  ) u_registers (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response),
      .start_o(start), .reset_o(host_reset), .size_o(size), .length_o(length), .program_write_o(program_write),
      .program_address_o(program_address), .program_data_o(program_data), .idle_i(idle), .done_i(done),
      .error_i(error), .error_pc_i(error_pc), .counters_i({step_1, high_water, counts})
  );

  // Fetch and decode.
  logic restart, advance, jump, padd, jmp, set, nop, invalid;
  logic [12:0] pc;
  logic [127:0] instruction;
  logic [11:0] batch_size;
  logic [19:0] immediate, counter;
  logic [2:0] condition;
  logic left_bucket, left_temp, right_bucket, right_temp, from_input, from_conflicts, to_bucket, to_temp, to_output;
  logic [34:0] left_address, right_address, to_address;
  msmac_fetch #(.PROGRAM(PROGRAM)) u_fetch (
      .clk_i, .write_i(program_write), .write_address_i(program_address), .data_i(program_data),
      .restart_i(restart), .advance_i(advance), .jump_i(jump), .target_i(batch_size), .pc_o(pc),
      .instruction_o(instruction));
  msmac_decode u_decode (
      .instruction_i(instruction), .padd_o(padd), .jmp_o(jmp), .set_o(set), .nop_o(nop), .size_o(batch_size),
      .immediate_o(immediate), .condition_o(condition), .left_bucket_o(left_bucket), .left_temp_o(left_temp),
      .right_bucket_o(right_bucket), .right_temp_o(right_temp), .right_input_o(from_input),
      .right_conflict_o(from_conflicts), .to_bucket_o(to_bucket), .to_temp_o(to_temp), .to_output_o(to_output),
      .left_address_o(left_address), .right_address_o(right_address), .to_address_o(to_address), .invalid_o(invalid));

  logic clear, swept, settled, sums_gone, input_valid, bad_value, bad_last, final_point, almost_full, conflict;
  logic free, begins, issue, last, bad_address, overflow, cycle, input_stall, output_stall;
  logic [11:0] space;
  msmac_sequencer #(.OUTPUT_QUEUE(OUTPUT_QUEUE)) u_sequencer (
      .clk_i, .rst_i(rst), .start_i(start), .size_i(size), .length_i(length), .idle_o(idle), .done_o(done),
      .error_o(error), .error_pc_o(error_pc), .clear_o(clear), .ready_i(swept), .settled_i(settled && sums_gone),
      .pc_i(pc), .padd_i(padd), .jmp_i(jmp), .set_i(set), .nop_i(nop), .batch_i(batch_size), .immediate_i(immediate),
      .condition_i(condition), .from_input_i(from_input), .to_output_i(to_output), .invalid_i(invalid),
      .restart_o(restart), .advance_o(advance), .jump_o(jump), .counter_o(counter),
      .input_valid_i(input_valid), .input_bad_value_i(bad_value), .input_bad_last_i(bad_last),
      .input_final_o(final_point), .output_space_i(space), .almost_full_i(almost_full), .conflict_i(conflict),
      .free_o(free), .begin_o(begins), .issue_o(issue), .last_o(last), .bad_address_i(bad_address), .overflow_i(overflow),
      .cycle_o(cycle), .input_stall_o(input_stall), .output_stall_o(output_stall));

  // Input, execute and write-back, output.
  bn254_pkg::affine_t point;
  logic [WINDOWS-1:0] negative;
  logic [WINDOWS*WINDOW-1:0] magnitudes;
  msmac_input #(.WINDOW(WINDOW), .QUEUE(INPUT_QUEUE)) u_input (
      .clk_i, .rst_i(rst),
      .point_valid_i(s_axis_point_tvalid), .point_ready_o(s_axis_point_tready), .point_data_i(s_axis_point_tdata),
      .point_last_i(s_axis_point_tlast), .scalar_valid_i(s_axis_scalar_tvalid), .scalar_ready_o(s_axis_scalar_tready),
      .scalar_data_i(s_axis_scalar_tdata), .scalar_last_i(s_axis_scalar_tlast),
      .valid_o(input_valid), .take_i(begins && from_input),
      .final_i(final_point), .bad_value_o(bad_value), .bad_last_o(bad_last), .point_o(point),
      .negative_o(negative), .magnitudes_o(magnitudes));

  logic add, bubble, queued, repeated, result, result_last;
  bn254_pkg::projective_t result_sum, sum;
  msmac_execute #(
      .WINDOW(WINDOW), .WINDOWS(WINDOWS), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .THRESHOLD(THRESHOLD),
      .CONFLICTS(CONFLICTS), .TEMPS(TEMPS)
  ) u_execute (
      .clk_i, .rst_i(rst), .clear_i(clear), .ready_o(swept), .settled_o(settled), .free_i(free), .begin_i(begins),
      .left_bucket_i(left_bucket), .left_temp_i(left_temp), .right_bucket_i(right_bucket),
      .right_temp_i(right_temp), .from_input_i(from_input), .from_conflicts_i(from_conflicts),
      .to_bucket_i(to_bucket), .to_temp_i(to_temp), .left_address_i(left_address),
      .right_address_i(right_address), .to_address_i(to_address), .counter_i(counter), .point_i(point),
      .negative_i(negative), .magnitudes_i(magnitudes), .issue_i(issue), .last_i(last),
      .bad_address_o(bad_address), .overflow_o(overflow), .conflict_o(conflict), .almost_full_o(almost_full),
      .add_o(add), .bubble_o(bubble), .queued_o(queued), .repeated_o(repeated), .high_water_o(high_water),
      .sum_valid_o(result), .sum_last_o(result_last), .sum_o(result_sum));
  msmac_output #(.WIDTH(3 * WIDTH + 1), .QUEUE(OUTPUT_QUEUE)) u_output (
      .clk_i, .rst_i(rst), .reserve_i(begins && to_output), .size_i(batch_size), .space_o(space), .empty_o(sums_gone),
      .valid_i(result), .data_i({result_last, result_sum}), .valid_o(m_axis_sum_tvalid), .ready_i(m_axis_sum_tready),
      .data_o({m_axis_sum_tlast, sum}));
  assign m_axis_sum_tdata = {256'(sum.z), 256'(sum.y), 256'(sum.x)};

  // The counters, in the order of their addresses; the first batch into temporaries ends step 1.
  logic [7:0] events;
  assign events = {output_stall, input_stall, repeated, queued, bubble, add, advance, cycle};
  for (genvar i = 0; i < 8; i++) begin : g_counter
    logic [31:0] count;
    assign counts[32*i+:32] = count;
    always_ff @(posedge clk_i) begin
      if (events[i]) count <= count + 1'b1;
      if (rst || clear) count <= '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins && to_temp && step_1 == 0) step_1 <= counts[31:0] + 1'b1;
    if (rst || clear) step_1 <= '0;
  end
endmodule
