// SPDX-License-Identifier: MIT OR Apache-2.0
// The post-processing that all elements share (3.1, 3.3). ADDERS adders each aggregate the buckets of one element's
// window at a time, in the order in which elements finish. The sums leave in the order of the elements.
//
// Contract: start_i begins, for the first tasks_i elements; tasks_i and windows_i stay unchanged while busy_o is high.
// Buckets come as gypsophila_pe gives them. A sum leaves in a cycle with valid_o and ready_i; last_o marks the last
// sum. Counters start with start_i: additions, and cycles in which an adder was at work, of all adders together.
module gypsophila_post #(
    parameter int PES = 1,
    parameter int ADDERS = 1,
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 16,
    parameter int KIND = field_pkg::KARATSUBA,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 start_i,
    input  logic [         31:0] tasks_i,
    input  logic [          7:0] windows_i,
    output logic                 busy_o,
    input  logic [      PES-1:0] bucket_valid_i,
    output logic [      PES-1:0] bucket_ready_o,
    input  logic [      PES-1:0] bucket_occupied_i,
    input  logic [PES*POINT-1:0] bucket_i,
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [    POINT-1:0] sum_o,
    output logic                 last_o,
    output logic [         31:0] additions_o
);
  localparam int ID = PES > 1 ? $clog2(PES) : 1;
  localparam int PLACES = 1 << ID;

  logic next_valid, next_taken;
  logic [ID-1:0] next;
  logic [PES-1:0] served;
  first_come #(.REQUESTERS(PES)) u_order (
      .clk_i, .rst_i, .request_i(bucket_valid_i), .served_i(served),
      .valid_o(next_valid), .ready_i(next_taken), .id_o(next)
  );

  // The adders: the first idle adder takes the element that has waited longest.
  logic [ADDERS-1:0] idle, done;
  logic [ADDERS*ID-1:0] owners;
  logic [ADDERS*POINT-1:0] lane_sums;
  logic [ADDERS*32-1:0] lane_additions;
  logic [ADDERS*PES-1:0] wants;
  logic [PLACES*POINT-1:0] sums;
  logic [PLACES*8-1:0] windows_done;
  assign next_taken = idle != 0;
  for (genvar lane = 0; lane < ADDERS; lane++) begin : g_lane
    logic start, ready, bucket_valid, bucket_ready, bucket_occupied;
    logic [ID-1:0] owner;
    logic [POINT-1:0] bucket;
    assign start = next_valid && (idle & ~(idle - 1'b1)) == (ADDERS'(1) << lane);
    assign idle[lane] = ready;
    assign owners[lane*ID+:ID] = owner;
    always_ff @(posedge clk_i) if (start) owner <= next;
    if (PES == 1) begin : g_one
      assign bucket_valid = bucket_valid_i[0];
      assign bucket_occupied = bucket_occupied_i[0];
      assign bucket = bucket_i;
      assign wants[lane] = bucket_ready;
    end else begin : g_many
      assign bucket_valid = bucket_valid_i[owner];
      assign bucket_occupied = bucket_occupied_i[owner];
      assign bucket = bucket_i[owner*POINT+:POINT];
      assign wants[lane*PES+:PES] = bucket_ready ? PES'(1) << owner : '0;
    end
    gypsophila_lane #(.CURVE(CURVE), .WINDOW(WINDOW), .KIND(KIND)) u_lane (
        .clk_i, .rst_i, .clear_i(start_i), .start_i(start), .ready_o(ready),
        .first_i(windows_done[next*8+:8] == 0), .above_i(sums[next*POINT+:POINT]),
        .bucket_valid_i(bucket_valid), .bucket_ready_o(bucket_ready), .bucket_occupied_i(bucket_occupied),
        .bucket_i(bucket), .done_o(done[lane]), .sum_o(lane_sums[lane*POINT+:POINT]),
        .additions_o(lane_additions[lane*32+:32])
    );
  end
  always_comb begin
    bucket_ready_o = '0;
    additions_o = '0;
    for (int lane = 0; lane < ADDERS; lane++) begin
      bucket_ready_o |= wants[lane*PES+:PES];
      additions_o += lane_additions[lane*32+:32];
    end
  end

  // Each element's sum down to its last window.
  logic [PLACES-1:0] finished;
  for (genvar pe = 0; pe < PLACES; pe++) begin : g_sum
    logic stored;
    logic [POINT-1:0] value;
    always_comb begin
      stored = 1'b0;
      value = '0;
      for (int lane = 0; lane < ADDERS; lane++) begin
        if (done[lane] && owners[lane*ID+:ID] == ID'(pe)) begin
          stored = 1'b1;
          value = lane_sums[lane*POINT+:POINT];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (stored) sums[pe*POINT+:POINT] <= value;
      if (start_i) windows_done[pe*8+:8] <= '0;
      else if (stored) windows_done[pe*8+:8] <= windows_done[pe*8+:8] + 1'b1;
    end
    assign finished[pe] = windows_done[pe*8+:8] == windows_i;
    if (pe < PES) begin : g_served
      assign served[pe] = stored;
    end
  end

  logic [ID-1:0] leaving;
  assign valid_o = busy_o && finished[leaving];
  assign sum_o = sums[leaving*POINT+:POINT];
  assign last_o = 32'(leaving) + 1 == tasks_i;
  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) begin
      leaving <= leaving + 1'b1;
      if (last_o) busy_o <= 1'b0;
    end
    if (start_i) begin
      busy_o <= 1'b1;
      leaving <= '0;
    end
    if (rst_i) busy_o <= 1'b0;
  end
endmodule
