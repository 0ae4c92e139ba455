// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM on a card: its streams of commands, points, conflicts and results in memory behind AXI4, its registers and the card's on one
// AXI4-Lite bus, the shell's clock outside and the core's clock inside.
//
// Contract: all ports belong to clk_i, the shell's clock. rst_i stays high for eight cycles of either clock, and is the reset of the buses,
// too. The host writes a task into memory and its places into the registers (card_registers), starts, and finds the windows' sums in
// memory when the status says so. A port's memory:
//   host         commands, as cyclone_commands', a window's from a new beat on; results, four beats for each window
//   x, y, u      a coordinate of each point, 384 bits each without gaps
//   spill        conflicts, in blocks (spill_ring, spill_blocks)
// A reset by the host, or an error, lets all bursts end before it resets the core (card_control). Coordinates leave their
// gearboxes at one a cycle of clk_i.
`include "ports.svh"
module cyclone_card #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0,
    parameter int GREEDY = 0,
    parameter int OVERLAP = 0,
    // Beats of a burst, bursts of a port that wait for an answer, conflicts of a block in memory.
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8,
    parameter int BLOCK_WORDS = 16
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       core_clk_i,
    `AXI_LITE_PORTS(13),
    input  logic [2:0] s_axi_awprot,
    input  logic [2:0] s_axi_arprot,
    `AXI_READ_MASTER(m_axi_host, 64, 512),
    `AXI_WRITE_MASTER(m_axi_host, 64, 512),
    `AXI_READ_MASTER(m_axi_x, 64, 512),
    `AXI_READ_MASTER(m_axi_y, 64, 512),
    `AXI_READ_MASTER(m_axi_u, 64, 512),
    `AXI_READ_MASTER(m_axi_spill, 64, 512),
    `AXI_WRITE_MASTER(m_axi_spill, 64, 512)
);
  localparam int CONFLICT = BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 1;
  localparam int SPILL = (CONFLICT + 7) / 8 * 8;
  localparam int BLOCK_BEATS = BLOCK_WORDS * ((CONFLICT + 1 + 127) / 128) / 4;

  `AXI_LITE_STRUCTURES

  // A window without points has an empty beat of commands. The spill's ring has a block more than its conflicts fill, because one block
  // may have empty words.
  logic begins, stop, clear, core_reset, core_fault, refused, busy, result_done;
  logic [31:0] points, windows, blocks, command_beats;
  logic [6*58-1:0] addresses;
  logic command_busy, command_error, point_busy, point_error, spill_busy, spill_error, result_busy, result_error;
  axi_lite_pkg::request_t core_ask;
  axi_lite_pkg::response_t core_answer;
  assign busy = command_busy || point_busy || spill_busy || result_busy;
  always_ff @(posedge clk_i) begin
    command_beats <= points == 0 ? 32'd1 : 32'((33'(points) + 33'd7) >> 3);
    refused <= windows == 0 || (GREEDY == 0 && 40'(blocks) * 40'(BLOCK_WORDS) < 40'(points) + 40'(BLOCK_WORDS));
  end
  card_frame #(
      .MACHINE("CYCL"), .ADDRESSES(6), .EVENTS(8), .SHAPE({16'(BLOCK_BEATS), 16'(BLOCK_WORDS)})
  ) u_frame (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .points_o(points), .windows_o(windows), .number_o(blocks),
      .addresses_o(addresses), .refused_i(refused), .results_i(windows), .written_i(result_done), .busy_i(busy),
      .errors_i({spill_error, point_error, command_error || result_error}),
      .events_i({
        m_axi_spill_wvalid && m_axi_spill_wready,
        m_axi_spill_rvalid && m_axi_spill_rready,
        (m_axi_host_wvalid && !m_axi_host_wready) || (m_axi_spill_wvalid && !m_axi_spill_wready),
        m_axi_x_rvalid && !m_axi_x_rready,
        m_axi_x_arvalid && !m_axi_x_arready,
        m_axi_host_wvalid && m_axi_host_wready,
        m_axi_x_rvalid && m_axi_x_rready,
        m_axi_host_rvalid && m_axi_host_rready
      }),
      .begins_o(begins), .stop_o(stop), .clear_o(clear), .core_clk_i, .core_reset_o(core_reset), .core_fault_i(core_fault),
      .core_axi_o(core_ask), .core_axi_i(core_answer)
  );

  logic command_valid, command_ready, command_last, x_valid, x_ready, x_last, y_valid, y_ready, y_last, u_valid, u_ready,
      u_last, out_valid, out_ready, in_valid, in_ready, result_valid, result_ready, unused_reset, unused_result_last;
  logic [511:0] command, x, y, u, result;
  logic [SPILL-1:0] out, in;
  cyclone_top #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .LATENCY(LATENCY),
      .CONTROL(CONTROL), .SEGMENT_WIDTH(SEGMENT_WIDTH), .GREEDY(GREEDY), .OVERLAP(OVERLAP)
  ) u_core (
      .clk_i(core_clk_i), .rst_i(core_reset), .reset_o(unused_reset), .fault_o(core_fault),
      `AXIS_CONNECT(s_axis_command, command),
      `AXIS_CONNECT(s_axis_x, x),
      `AXIS_CONNECT(s_axis_y, y),
      `AXIS_CONNECT(s_axis_u, u),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_spill, out),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_spill, in),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_result, result), .m_axis_result_tlast(unused_result_last),
      `AXI_LITE_CONNECT(core_ask, core_answer, $clog2(4 + 2 * (OVERLAP != 0 ? 17 : 16)) + 2)
  );

  logic [2:0] point_valid, point_ready, point_last;
  logic [3*384-1:0] point;
  assign {u_valid, y_valid, x_valid} = point_valid;
  assign point_ready = {u_ready, y_ready, x_ready};
  assign {u_last, y_last, x_last} = point_last;
  assign {u, y, x} = {512'(point[2*384+:384]), 512'(point[384+:384]), 512'(point[0+:384])};
  card_reader #(.ADVANCE(1), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_commands (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(command_beats),
      .address_i(addresses[0+:58]), .busy_o(command_busy), .error_o(command_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(command_valid), .ready_i(command_ready), .data_o(command), .last_o(command_last),
      `AXI_READ_CONNECT(m_axi, m_axi_host)
  );
  point_reader #(.WIDTH(384), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_points (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .points_i(points),
      .addresses_i(addresses[58+:3*58]), .busy_o(point_busy), .error_o(point_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(point_valid), .ready_i(point_ready), .data_o(point), .last_o(point_last),
      `AXI_READ_CONNECT(m_axi_x, m_axi_x), `AXI_READ_CONNECT(m_axi_y, m_axi_y), `AXI_READ_CONNECT(m_axi_z, m_axi_u)
  );
  result_writer #(.BEATS(4), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_results (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .results_i(windows), .address_i(addresses[4*58+:58]),
      .done_o(result_done), .busy_o(result_busy), .error_o(result_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_i(result_valid), .ready_o(result_ready), .data_i(result), `AXI_WRITE_CONNECT(m_axi, m_axi_host)
  );
  spill_memory #(.CONFLICT(CONFLICT), .BLOCK_WORDS(BLOCK_WORDS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_spill (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .address_i(addresses[5*58+:58]), .blocks_i(blocks),
      .busy_o(spill_busy), .error_o(spill_error), .core_clk_i, .core_rst_i(core_reset), .valid_i(out_valid),
      .ready_o(out_ready), .data_i(out[CONFLICT-1:0]), .valid_o(in_valid), .ready_i(in_ready), .data_o(in[CONFLICT-1:0]),
      `AXI_READ_CONNECT(m_axi, m_axi_spill), `AXI_WRITE_CONNECT(m_axi, m_axi_spill)
  );

  // A stream's words are whole bytes.
  if (SPILL > CONFLICT) begin : g_bytes
    assign in[SPILL-1:CONFLICT] = '0;
    unread u_unread_out (.d_i(^out[SPILL-1:CONFLICT]));
  end

  unread u_unread (.d_i(^{s_axi_awprot, s_axi_arprot}));
endmodule
