// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM for its authors' host: the packets and the registers of the crate cyclone-msm, as its driver of AWS F1
// numbers them. The points lie in RAMs.
//
// packet_index_i has the stream from bit 26 on, and below it the packet's number in the stream:
//   1, 2, 3   x, y and u of the point with this number, in the lowest bits
//   4         a first word of 1 starts a column, which is a window; other packets have digits (cyclone_commands)
//   5         the neutral element, which the machine knows: nothing is kept
//
// A column has a digit for each point, and ends with its sum. Packets that have no place are dropped and
// counted: a start within a column, digits beyond its last one or behind a word without a digit, points beyond 2^SIZE, other
// streams.
//
// Registers, by the number of their word. A write that the machine cannot obey gets SLVERR.
//   written: 0x10 query   0x11 points read at a time, which has no effect here   0x20 points   0x21 last bucket   0x22 first bucket
//   read:    0x20 the statistic of the query: 0, dropped   0x21 packets of digits that wait   0x30 the column's sum is there
//            0x31 to 0x34 the query's word of X, Y, Z, T
//
// Contract: packets come in a cycle with packet_valid_i and packet_ready_o, and stay until then. Points are written
// outside of columns. Registers follow AXI4-Lite (axi_lite_slave). The ports of the spill are cyclone_top's, and
// reset_o resets the memory behind them. fault_o is cyclone_top's.
`include "ports.svh"
module cyclone_f1 #(
    parameter int SIZE = 10,
    parameter int DIGITS_QUEUE = 1024,
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0,
    localparam int WIDTH = bls12_377_pkg::WIDTH,
    localparam int SPILL = (BUCKET_WIDTH + 3 * WIDTH + 8) / 8 * 8
) (
    input  logic         clk_i,
    input  logic         rst_i,
    output logic         reset_o,
    output logic         fault_o,
    input  logic         packet_valid_i,
    output logic         packet_ready_o,
    input  logic [ 28:0] packet_index_i,
    input  logic [511:0] packet_i,
    `AXIS_OUT_WITHOUT_LAST(spill, SPILL),
    `AXIS_IN_WITHOUT_LAST(spill, SPILL),
    `AXI_LITE_PORTS(8)
);
  localparam logic [2:0] SET_X = 1, SET_KT = 3, MSM = 4, SET_ZERO = 5;
  localparam logic [5:0] QUERY = 'h10, READ_LENGTH = 'h11, POINTS = 'h20, LAST_BUCKET = 'h21, FIRST_BUCKET = 'h22;
  localparam logic [5:0] STATISTIC = 'h20, WAITING = 'h21, AGGREGATED = 'h30, X = 'h31, T = 'h34;
  localparam int COUNT = $clog2(DIGITS_QUEUE + 1);
  if (SIZE < 1 || SIZE > 26) begin : g_invalid
    $error("cyclone_f1: SIZE is from 1 to 26");
  end

  `AXI_LITE_STRUCTURES

  // A packet's place.
  logic [2:0] stream;
  logic take, of_points, in_range, starts, opens;
  assign stream = packet_index_i[28:26];
  assign take = packet_valid_i && packet_ready_o;
  assign of_points = stream >= SET_X && stream <= SET_KT;
  assign in_range = 27'(packet_index_i[25:0]) >> SIZE == 0;
  assign starts = stream == MSM && packet_i[63:0] == 64'd1;

  // The column takes the digits that it still needs, from the lowest on. Digits behind a word without a digit have no place, because
  // cyclone_commands ends a packet there.
  logic open, aggregated;
  logic [SIZE:0] points, left;
  logic [3:0] found, kept;
  logic [511:0] digits;
  logic behind;
  always_comb begin
    found = '0;
    kept = '0;
    behind = 1'b0;
    digits = packet_i;
    for (int i = 0; i < 8; i++)
      if (packet_i[64*i+:2] != 2'd3) behind = 1'b1;
      else begin
        found++;
        if (!behind && (SIZE + 1)'(kept) < left) kept++;
        else digits[64*i+:64] = '0;
      end
  end
  assign opens = take && starts && !open && points != 0;

  logic commands_valid, commands_ready, commands_last, unused_full;
  logic [511:0] commands;
  logic [COUNT-1:0] waiting;
  fifo #(.WIDTH(513), .DEPTH(DIGITS_QUEUE)) u_digits (
      .clk_i, .rst_i, .valid_i(packet_valid_i && stream == MSM && kept != 0), .ready_o(packet_ready_o),
      .data_i({(SIZE + 1)'(kept) == left, digits}), .valid_o(commands_valid), .ready_i(commands_ready),
      .data_o({commands_last, commands}), .count_o(waiting), .almost_full_o(unused_full)
  );

  // Each column reads all points.
  logic [2:0] channel_valid, channel_ready, channel_last;
  logic [3*WIDTH-1:0] channel;
  for (genvar i = 0; i < 3; i++) begin : g_channel
    cyclone_coordinates #(.SIZE(SIZE)) u_coordinates (
        .clk_i, .rst_i, .write_i(take && stream == SET_X + i && in_range), .address_i(packet_index_i[SIZE-1:0]),
        .data_i(packet_i[WIDTH-1:0]), .start_i(opens), .length_i(points),
        .valid_o(channel_valid[i]), .ready_i(channel_ready[i]), .data_o(channel[WIDTH*i+:WIDTH]),
        .last_o(channel_last[i])
    );
  end

  logic result_valid, result_last, unused_awready, unused_wready, unused_bvalid, unused_arready, unused_rvalid;
  logic [1:0] unused_bresp, unused_rresp;
  logic [31:0] unused_rdata;
  logic [511:0] result;
  cyclone_top #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF),
      .LATENCY(LATENCY), .CONTROL(CONTROL), .SEGMENT_WIDTH(SEGMENT_WIDTH)
  ) u_core (
      .clk_i, .rst_i, .reset_o, .fault_o,
      `AXIS_CONNECT(s_axis_command, commands),
      .s_axis_x_tvalid(channel_valid[0]), .s_axis_x_tready(channel_ready[0]),
      .s_axis_x_tdata(512'(channel[0+:WIDTH])), .s_axis_x_tlast(channel_last[0]),
      .s_axis_y_tvalid(channel_valid[1]), .s_axis_y_tready(channel_ready[1]),
      .s_axis_y_tdata(512'(channel[WIDTH+:WIDTH])), .s_axis_y_tlast(channel_last[1]),
      .s_axis_u_tvalid(channel_valid[2]), .s_axis_u_tready(channel_ready[2]),
      .s_axis_u_tdata(512'(channel[2*WIDTH+:WIDTH])), .s_axis_u_tlast(channel_last[2]),
      .m_axis_spill_tvalid, .m_axis_spill_tready, .m_axis_spill_tdata,
      .s_axis_spill_tvalid, .s_axis_spill_tready, .s_axis_spill_tdata,
      .m_axis_result_tvalid(result_valid), .m_axis_result_tready(1'b1), .m_axis_result_tdata(result),
      .m_axis_result_tlast(result_last),
      .s_axi_awvalid(1'b0), .s_axi_awready(unused_awready), .s_axi_awaddr('0), .s_axi_wvalid(1'b0),
      .s_axi_wready(unused_wready), .s_axi_wdata('0), .s_axi_wstrb('0), .s_axi_bvalid(unused_bvalid),
      .s_axi_bready(1'b1), .s_axi_bresp(unused_bresp), .s_axi_arvalid(1'b0), .s_axi_arready(unused_arready),
      .s_axi_araddr('0), .s_axi_rvalid(unused_rvalid), .s_axi_rready(1'b1), .s_axi_rdata(unused_rdata),
      .s_axi_rresp(unused_rresp)
  );

  // The column, its sum, and the packets without a place.
  logic [4*512-1:0] sum;
  logic [31:0] dropped, lost;
  always_comb begin
    lost = '0;
    if (stream == MSM) lost = 32'(found) - 32'(kept) + 32'(starts && !opens);
    else if (stream != SET_ZERO) lost = 32'(!of_points || !in_range);
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      dropped <= dropped + lost;
      if (stream == MSM) left <= left - (SIZE + 1)'(kept);
    end
    if (result_valid) begin
      sum <= {result, sum[4*512-1:512]};
      if (result_last) {open, aggregated} <= 2'b01;
    end
    if (opens) begin
      left <= points;
      {open, aggregated} <= 2'b10;
    end
    if (rst_i) begin
      left <= '0;
      dropped <= '0;
      {open, aggregated} <= '0;
    end
  end

  // Registers.
  logic write, write_ok, read_ok;
  logic [5:0] write_address, read_address;
  logic [31:0] write_data, read_data, query;
  logic [1:0] coordinate;
  axi_lite_slave #(.ADDRESS_WIDTH(8)) u_bus (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .write_o(write), .write_address_o(write_address),
      .write_data_o(write_data), .write_ok_i(write_ok), .read_address_o(read_address), .read_wait_i(1'b0),
      .read_data_i(read_data), .read_ok_i(read_ok)
  );
  always_comb begin
    case (write_address)
      QUERY, READ_LENGTH: write_ok = 1'b1;
      POINTS: write_ok = !open && write_data <= 32'd1 << SIZE;
      LAST_BUCKET: write_ok = write_data == (32'd1 << BUCKET_WIDTH) - 1;
      FIRST_BUCKET: write_ok = write_data == 0;
      default: write_ok = 1'b0;
    endcase
    coordinate = 2'(read_address - X);
    read_data = '0;
    read_ok = 1'b1;
    case (read_address)
      STATISTIC: if (query == 0) read_data = dropped;
      WAITING: read_data = 32'(waiting);
      AGGREGATED: read_data = 32'(aggregated);
      default: begin
        read_ok = read_address >= X && read_address <= T;
        if (read_ok && query < 16) read_data = sum[{coordinate, query[3:0], 5'b0}+:32];
      end
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (write && write_address == QUERY) query <= write_data;
    if (write && write_address == POINTS) points <= write_data[SIZE:0];
    if (rst_i) points <= '0;
  end
endmodule
