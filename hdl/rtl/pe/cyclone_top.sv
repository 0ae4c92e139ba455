// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM (4.4, Figure 6): commands from the host, points from three memory channels, conflicts to memory and back, a
// window's accumulation and aggregation on chip, its sum to the host.
//
// Contract: the streams of commands, points and results follow AXI-Stream (cyclone_commands, cyclone_points,
// cyclone_result), registers AXI4-Lite (axi_lite_registers). For each window, the host sends a digit for every point,
// the memories send all points, each stream with its last beat marked, and the machine sends a sum. A point of digit 0
// is skipped. Windows follow each other without a command of the host; with OVERLAP, one window is accumulated while
// the previous window is aggregated. The spill's ports are spill_fifo's, with a point as {bucket, negative, u, y, x}.
// reset_o resets the memory behind these ports, and all other senders to the core. fault_o has the errors of the status register.
//
// Registers, by their number; docs/hardware.md has their addresses and meanings:
//   0 identity   1 configuration   2 control   3 status   from 4 on, counters of 64 bits, the lower half first
`include "ports.svh"
module cyclone_top #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int COMMAND_QUEUE = 16,
    parameter int POINT_QUEUE = 32,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0,
    parameter int GREEDY = 0,
    parameter int OVERLAP = 0,
    localparam int COUNTERS = OVERLAP != 0 ? 17 : 16,
    localparam int WORDS = 4 + 2 * COUNTERS,
    localparam int ADDRESS = $clog2(WORDS) + 2,
    localparam int ENTRY = BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 1,
    localparam int SPILL = (ENTRY + 7) / 8 * 8
) (
    input  logic clk_i,
    input  logic rst_i,
    output logic reset_o,
    output logic fault_o,
    `AXIS_IN(command, 512),
    `AXIS_IN(x, 512),
    `AXIS_IN(y, 512),
    `AXIS_IN(u, 512),
    `AXIS_OUT_WITHOUT_LAST(spill, SPILL),
    `AXIS_IN_WITHOUT_LAST(spill, SPILL),
    `AXIS_OUT(result, 512),
    `AXI_LITE_PORTS(ADDRESS)
);
  localparam logic [31:0] IDENTITY = "CYCL";
  if (BUCKET_WIDTH < 1 || BUCKET_WIDTH > 23 || MUL_LATENCY > 255 || LATENCY > 255 || CONTROL > 255 || CONTROL < 5 || GREEDY > 255) begin : g_invalid
    $error("cyclone_top: BUCKET_WIDTH is from 1 to 23, stages and GREEDY are at most 255, CONTROL at least 5");
  end

  `AXI_LITE_STRUCTURES

  // Reset of the core: the outer reset, or the host's.
  logic write, host_reset, reset;
  logic [31:0] write_data;
  always_ff @(posedge clk_i) host_reset <= write && write_data[0];
  assign reset = rst_i || host_reset;
  assign reset_o = reset;

  logic command_valid, command_last, finish, accumulated, take;
  logic [31:0] digit;
  // The authors' digits have 16 bits.
  localparam int DIGIT = BUCKET_WIDTH < 16 ? 16 : BUCKET_WIDTH + 1;
  cyclone_commands #(.DEPTH(COMMAND_QUEUE), .DIGIT(DIGIT)) u_commands (
      .clk_i, .rst_i(reset), .valid_i(s_axis_command_tvalid), .ready_o(s_axis_command_tready),
      .data_i(s_axis_command_tdata), .last_i(s_axis_command_tlast),
      .valid_o(command_valid), .ready_i(take), .digit_o(digit), .last_o(command_last),
      .finish_o(finish), .finished_i(accumulated)
  );
  logic point_valid;
  logic [2:0] point_last;
  bls12_377_pkg::affine_t point;
  cyclone_points #(.DEPTH(POINT_QUEUE)) u_points (
      .clk_i, .rst_i(reset), 
      .valid_i({s_axis_u_tvalid, s_axis_y_tvalid, s_axis_x_tvalid}),
      .ready_o({s_axis_u_tready, s_axis_y_tready, s_axis_x_tready}),
      .data_i({s_axis_u_tdata, s_axis_y_tdata, s_axis_x_tdata}),
      .last_i({s_axis_u_tlast, s_axis_y_tlast, s_axis_x_tlast}),
      .valid_o(point_valid), .ready_i(take), .point_o(point), .last_o(point_last)
  );

  // A digit of magnitude m belongs to bucket m - 1.
  logic negative, zero, too_large, offered, core_ready;
  logic [31:0] bucket;
  assign negative = digit[31];
  assign zero = digit == 0;
  assign bucket = (negative ? -digit : digit) - 1'b1;
  assign too_large = !zero && bucket[31:BUCKET_WIDTH] != 0;
  assign offered = command_valid && point_valid;
  assign take = offered && core_ready;

  logic swept, aggregating, issue, ended, sum_valid, sum_ready;
  logic [31:0] conflicts, passes, high_water;
  bls12_377_pkg::extended_t sum;
  logic [ENTRY-1:0] spilled;
  assign m_axis_spill_tdata = SPILL'(spilled);
  cyclone_pe #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .LATENCY(LATENCY),
      .CONTROL(CONTROL), .SEGMENT_WIDTH(SEGMENT_WIDTH), .GREEDY(GREEDY), .OVERLAP(OVERLAP != 0)
  ) u_core (
      .clk_i, .rst_i(reset), .valid_i(offered && !zero && !too_large), .ready_o(core_ready),
      .bucket_i(bucket[BUCKET_WIDTH-1:0]), .negative_i(negative), .point_i(point), .finish_i(finish),
      .accumulated_o(accumulated),
      .spill_valid_o(m_axis_spill_tvalid), .spill_ready_i(m_axis_spill_tready), .spill_data_o(spilled),
      .spill_valid_i(s_axis_spill_tvalid), .spill_ready_o(s_axis_spill_tready),
      .spill_data_i(s_axis_spill_tdata[ENTRY-1:0]),
      .valid_o(sum_valid), .ready_i(sum_ready), .sum_o(sum), .swept_o(swept), .aggregating_o(aggregating),
      .issue_o(issue), .ended_o(ended), .conflicts_o(conflicts), .passes_o(passes), .high_water_o(high_water)
  );
  cyclone_result u_result (
      .clk_i, .rst_i(reset), .valid_i(sum_valid), .ready_o(sum_ready), .sum_i(sum), .valid_o(m_axis_result_tvalid),
      .ready_i(m_axis_result_tready), .data_o(m_axis_result_tdata), .last_o(m_axis_result_tlast)
  );

  // Counters. A window is open from its first digit to its last. With OVERLAP, work beside an accumulation takes no
  // time of its own: aggregation is then hidden, and a sum may wait.
  logic open, first, further, beside, misaligned, refused;
  assign first = take || (open && !finish);
  assign further = finish && swept && (OVERLAP != 0 ? !ended : !aggregating && !sum_valid);
  assign beside = OVERLAP != 0 && (first || further);
  assign fault_o = misaligned || refused;
  always_ff @(posedge clk_i) begin
    open <= (open || take) && !accumulated;
    if (take && point_last != {3{command_last}}) misaligned <= 1'b1;
    if (take && too_large) refused <= 1'b1;
    if (reset) begin
      open <= 1'b0;
      misaligned <= 1'b0;
      refused <= 1'b0;
    end
  end
  logic [64*COUNTERS-1:0] counters;
  event_counters #(.EVENTS(13)) u_counters (
      .clk_i, .rst_i(reset),
      .events_i({
        m_axis_spill_tvalid && m_axis_spill_tready,
        issue,
        take && zero,
        take,
        sum_valid && sum_ready,
        open && !finish && offered && !core_ready,
        open && !finish && command_valid && !point_valid,
        open && !finish && !command_valid,
        !swept && !(OVERLAP != 0 && aggregating),
        sum_valid && !sum_ready && !beside,
        aggregating && !beside,
        further,
        first
      }),
      .counts_o(counters[64*13-1:0])
  );
  assign counters[64*13+:192] = {64'(high_water), 64'(passes), 64'(conflicts)};
  if (OVERLAP != 0) begin : g_hidden
    event_counters #(.EVENTS(1)) u_hidden (
        .clk_i, .rst_i(reset), .events_i(aggregating && beside), .counts_o(counters[64*16+:64]));
  end

  logic [$clog2(WORDS)-1:0] unused_index;
  unread u_unread (.d_i(^{write_data[31:1], s_axis_spill_tdata}));
  axi_lite_registers #(.WORDS(WORDS), .WRITABLE(WORDS'(4))) u_registers (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response),
      .values_i({
        counters,
        {29'b0, refused, misaligned, open || finish || aggregating || sum_valid || !swept},
        {15'b0, OVERLAP != 0, 8'(GREEDY), 8'(SEGMENT_WIDTH)},
        {8'(CONTROL), 8'(LATENCY), 8'(MUL_LATENCY), 8'(BUCKET_WIDTH)},
        IDENTITY
      }),
      .write_o(write), .write_index_o(unused_index), .write_data_o(write_data)
  );
endmodule
