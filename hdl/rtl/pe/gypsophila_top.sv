// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila: PES elements, each with its own task over the points that all elements get (3.1), and ADDERS adders that
// aggregate the buckets of all elements.
//
//   points ---> one virtual point buffer an element ---> classification ---> BC buffer ---> shared adders ---> sums
//   indexes --> one ping-pong buffer an element ---^
//
// A point is taken when all elements at work have room for it. So a point is read once for all elements, but once in
// each window. Nothing else keeps the elements together.
//
// Contract: streams are AXI4-Stream, a word in a cycle with valid and ready; bits above each field are zero. Each
// window, from the topmost window down, is a packet of SIZE points, and a packet of SIZE indexes for each element at
// work; gypsophila_input has their form. A sum for each task leaves, in the order of the tasks. Indexes are taken
// whenever there is room, points after the start. Registers (docs/hardware.md has their map) may be written while the
// machine is idle; a start with invalid values is refused. fault_o has the errors of the status register.
`include "ports.svh"
module gypsophila_top #(
    parameter int PES = 1,
    parameter int ADDERS = 1,
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 16,
    parameter int BANK_WIDTH = 2,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int POINTS = 16,
    parameter int INDEXES = 64,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    localparam int WORD = gypsophila_pkg::word(CURVE),
    localparam int COORDINATES = gypsophila_pkg::coordinates(CURVE),
    localparam int INDEX_WORD = (WINDOW + 7) / 8 * 8
) (
    input  logic clk_i,
    input  logic rst_i,
    output logic fault_o,
    `AXI_LITE_PORTS(12),
    `AXIS_IN(point, 3 * WORD),
    `AXIS_IN_MANY(index, PES, INDEX_WORD),
    `AXIS_OUT(sum, COORDINATES * WORD)
);
  localparam int WIDTH = gypsophila_pkg::width(CURVE);
  localparam int POINT = COORDINATES * WIDTH;
  if (PES < 1 || PES > 32 || ADDERS < 1 || ADDERS > PES) begin : g_invalid
    $error("gypsophila_top: PES is 1 to 32, ADDERS 1 to PES");
  end

  `AXI_LITE_STRUCTURES

  // Registers. The address of CONTROL, when written, is the address of STATUS, when read.
  localparam logic [11:0] CONTROL = 'h000, SIZE = 'h004, WINDOWS = 'h008, TASKS = 'h00c, SHAPE = 'h010,
      CYCLES = 'h020, CYCLES_HIGH = 'h024, CLASSIFYING = 'h028, DRAINING = 'h02c, READING = 'h030, WAITING = 'h034,
      STALLS = 'h038, NO_POINT = 'h03c, AGGREGATION = 'h040, ELEMENTS = 'h100;
  logic write, readable, start, restart, reset, busy, done, refused, misframed, sensible;
  logic [11:0] write_address, read_address;
  logic [31:0] write_data, read_data;
  logic [31:0] size, tasks;
  logic [7:0] windows;
  axi_lite_slave #(.ADDRESS_WIDTH(12)) u_bus (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response),
      .write_o(write), .write_address_o(write_address[11:2]), .write_data_o(write_data), .write_ok_i(write_address <= TASKS),
      .read_address_o(read_address[11:2]), .read_wait_i(1'b0), .read_data_i(read_data), .read_ok_i(readable)
  );
  assign write_address[1:0] = '0;
  assign read_address[1:0] = '0;
  assign sensible = windows != 0 && tasks != 0 && tasks <= 32'(PES);
  assign start = write && write_address == CONTROL && write_data[0] && !busy && sensible;
  assign restart = write && write_address == CONTROL && write_data[1];
  assign reset = rst_i || restart;
  assign fault_o = misframed || refused;

  // The channel: a point goes to all elements at work.
  logic [31:0] points_left;
  logic [7:0] passes_left;
  logic [PES-1:0] active, room, element_misframed, classifying, draining, reading;
  logic open, point_taken;
  logic [3*WIDTH-1:0] point;
  assign open = busy && points_left != 0 && passes_left != 0;
  assign s_axis_point_tready = open && &(room | ~active);
  assign point_taken = s_axis_point_tvalid && s_axis_point_tready;
  for (genvar i = 0; i < 3; i++) begin : g_point
    assign point[i*WIDTH+:WIDTH] = s_axis_point_tdata[i*WORD+:WIDTH];
  end
  always_ff @(posedge clk_i) begin
    if (write && !busy) begin
      if (write_address == SIZE) size <= write_data;
      if (write_address == WINDOWS) windows <= |write_data[31:8] ? '0 : write_data[7:0];
      if (write_address == TASKS) tasks <= write_data;
      if (write_address == CONTROL && write_data[0]) refused <= !sensible;
    end
    if (start) begin
      points_left <= size;
      passes_left <= windows;
    end else if (point_taken) begin
      points_left <= points_left == 32'd1 ? size : points_left - 1'b1;
      if (points_left == 32'd1) passes_left <= passes_left - 1'b1;
    end
    done <= !start && (done || (m_axis_sum_tvalid && m_axis_sum_tready && m_axis_sum_tlast));
    misframed <= !start && (misframed || |element_misframed
        || (point_taken && s_axis_point_tlast != (points_left == 32'd1)));
    if (reset) begin
      done <= 1'b0;
      refused <= 1'b0;
      misframed <= 1'b0;
    end
    if (rst_i) begin
      size <= '0;
      windows <= '0;
      tasks <= '0;
    end
  end

  // The elements. An element's counters are words of its own block of registers.
  localparam int COUNTERS = 9;
  logic [PES-1:0] bucket_valid, bucket_ready, bucket_occupied;
  logic [PES*POINT-1:0] bucket;
  logic [PES*16*32-1:0] counters;
  for (genvar pe = 0; pe < PES; pe++) begin : g_pe
    logic unused_busy;
    assign active[pe] = 32'(pe) < tasks;
    gypsophila_pe #(
        .CURVE(CURVE), .WINDOW(WINDOW), .BANK_WIDTH(BANK_WIDTH), .PAIRS(PAIRS), .COLLISIONS(COLLISIONS),
        .POINTS(POINTS), .INDEXES(INDEXES), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF)
    ) u_pe (
        .clk_i, .rst_i(reset), .start_i(start && active[pe]), .size_i(size), .windows_i(windows),
        .busy_o(unused_busy), .classifying_o(classifying[pe]), .draining_o(draining[pe]), .reading_o(reading[pe]),
        .misframed_o(element_misframed[pe]),
        .point_valid_i(point_taken && active[pe]), .point_ready_o(room[pe]), .point_i(point),
        .index_valid_i(s_axis_index_tvalid[pe]), .index_ready_o(s_axis_index_tready[pe]),
        .index_i(s_axis_index_tdata[pe*INDEX_WORD+:WINDOW]), .index_last_i(s_axis_index_tlast[pe]),
        .bucket_valid_o(bucket_valid[pe]), .bucket_ready_i(bucket_ready[pe]),
        .bucket_occupied_o(bucket_occupied[pe]), .bucket_o(bucket[pe*POINT+:POINT]),
        .additions_o(counters[(pe*16+0)*32+:32]), .collisions_o(counters[(pe*16+1)*32+:32]),
        .blocked_o(counters[(pe*16+2)*32+:32]), .bubbles_o(counters[(pe*16+3)*32+:32]),
        .starved_o(counters[(pe*16+4)*32+:32]), .waiting_o(counters[(pe*16+5)*32+:32]),
        .pairs_high_water_o(counters[(pe*16+6)*32+:32]), .collisions_high_water_o(counters[(pe*16+7)*32+:32]),
        .points_high_water_o(counters[(pe*16+8)*32+:32])
    );
    assign counters[(pe*16+COUNTERS)*32+:(16-COUNTERS)*32] = '0;
  end

  logic [POINT-1:0] sum;
  logic [31:0] aggregation;
  gypsophila_post #(.PES(PES), .ADDERS(ADDERS), .CURVE(CURVE), .WINDOW(WINDOW), .KIND(KIND)) u_post (
      .clk_i, .rst_i(reset), .start_i(start), .tasks_i(tasks), .windows_i(windows), .busy_o(busy),
      .bucket_valid_i(bucket_valid), .bucket_ready_o(bucket_ready), .bucket_occupied_i(bucket_occupied),
      .bucket_i(bucket), .valid_o(m_axis_sum_tvalid), .ready_i(m_axis_sum_tready), .sum_o(sum),
      .last_o(m_axis_sum_tlast), .additions_o(aggregation)
  );
  for (genvar i = 0; i < COORDINATES; i++) begin : g_sum
    assign m_axis_sum_tdata[i*WORD+:WORD] = WORD'(sum[i*WIDTH+:WIDTH]);
  end

  // Cycles by activity: the work of the slowest element.
  logic [63:0] cycles;
  logic [31:0] classifying_cycles, draining_cycles, reading_cycles, waiting_cycles, stalls, no_point;
  always_ff @(posedge clk_i) begin
    if (start) begin
      cycles <= '0;
      classifying_cycles <= '0;
      draining_cycles <= '0;
      reading_cycles <= '0;
      waiting_cycles <= '0;
      stalls <= '0;
      no_point <= '0;
    end else if (busy) begin
      cycles <= cycles + 1'b1;
      if (|classifying) classifying_cycles <= classifying_cycles + 1'b1;
      else if (|draining) draining_cycles <= draining_cycles + 1'b1;
      else if (|reading) reading_cycles <= reading_cycles + 1'b1;
      else waiting_cycles <= waiting_cycles + 1'b1;
      stalls <= stalls + 32'(open && s_axis_point_tvalid && !s_axis_point_tready);
      no_point <= no_point + 32'(open && !s_axis_point_tvalid);
    end
  end

  always_comb begin
    readable = 1'b1;
    case (read_address)
      CONTROL: read_data = {28'b0, misframed, refused, done, busy};
      SIZE: read_data = size;
      WINDOWS: read_data = 32'(windows);
      TASKS: read_data = tasks;
      SHAPE: read_data = {8'(CURVE), 8'(WINDOW), 8'(ADDERS), 8'(PES)};
      CYCLES: read_data = cycles[31:0];
      CYCLES_HIGH: read_data = cycles[63:32];
      CLASSIFYING: read_data = classifying_cycles;
      DRAINING: read_data = draining_cycles;
      READING: read_data = reading_cycles;
      WAITING: read_data = waiting_cycles;
      STALLS: read_data = stalls;
      NO_POINT: read_data = no_point;
      AGGREGATION: read_data = aggregation;
      default: {readable, read_data} = '0;
    endcase
    for (int pe = 0; pe < PES; pe++) begin
      if (read_address[11:6] == 6'(ELEMENTS >> 6) + 6'(pe)) begin
        readable = 32'(read_address[5:2]) < COUNTERS;
        read_data = counters[(pe*16+32'(read_address[5:2]))*32+:32];
      end
    end
  end

  unread u_unread (.d_i(^{s_axis_point_tdata, s_axis_index_tdata, write_data, write_address, read_address}));
endmodule
