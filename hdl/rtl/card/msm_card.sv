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
module msm_card #(
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
  localparam int COUNTERS = 9;
  localparam int RESULT_BEATS = 4;

  `AXI_LITE_STRUCTURES

  // Registers, and the order of the work.
  logic start, reset, idle, running, done, stop, clear, core_request, core_in_reset, begins, refused, busy, fault;
  logic [31:0] points, windows, blocks;
  logic [6*58-1:0] addresses;
  logic [5:0] causes;
  logic [64*COUNTERS-1:0] counters;
  logic register_wanted, register_taken, register_there, register_ok;
  logic [9:0] register_address;
  logic [31:0] register_word;
  logic host_error, point_error, spill_error, result_done;
  card_registers #(.COUNTERS(COUNTERS), .BLOCK_WORDS(BLOCK_WORDS), .BLOCK_BEATS(BLOCK_BEATS)) u_registers (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .start_o(start), .reset_o(reset), .points_o(points),
      .windows_o(windows), .blocks_o(blocks), .addresses_o(addresses), .idle_i(idle),
      .status_i({18'b0, causes, 4'b0, causes != 0, done, stop, running}), .counters_i(counters),
      .machine_wanted_o(register_wanted), .machine_address_o(register_address), .machine_taken_o(register_taken),
      .machine_there_i(register_there), .machine_i(register_word), .machine_ok_i(register_ok)
  );
  card_control #(.ERRORS(4)) u_control (
      .clk_i, .rst_i, .start_i(start), .reset_i(reset), .windows_i(windows), .refused_i(refused), .written_i(result_done),
      .busy_i(busy), .error_i({fault, spill_error, point_error, host_error}), .core_in_reset_i(core_in_reset),
      .start_o(begins), .stop_o(stop), .clear_o(clear), .core_reset_o(core_request), .idle_o(idle), .running_o(running),
      .done_o(done), .causes_o(causes)
  );

  // The core, in its own clock.
  logic core_reset, core_fault;
  axi_lite_pkg::request_t core_ask;
  axi_lite_pkg::response_t core_answer;
  reset_crossing u_reset (
      .clk_i, .request_i(core_request), .acknowledged_o(core_in_reset), .other_clk_i(core_clk_i), .reset_o(core_reset)
  );
  register_fetch u_fetch (
      .clk_i, .rst_i, .open_i(!clear), .wanted_i(register_wanted), .address_i(register_address), .taken_i(register_taken),
      .there_o(register_there), .data_o(register_word), .ok_o(register_ok), .other_clk_i(core_clk_i),
      .other_rst_i(core_reset), .request_o(core_ask), .response_i(core_answer)
  );
  (* async_reg = "true" *) logic fault_meta;
  logic core_fault_held;
  always_ff @(posedge core_clk_i) core_fault_held <= core_fault && !core_reset;
  always_ff @(posedge clk_i) {fault, fault_meta} <= {fault_meta, core_fault_held};

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

  // The lengths of a task's stretches. A window without points has an empty beat of commands. The spill's ring has a block more than its
  // conflicts fill, because one block may have empty words.
  logic [31:0] command_beats, point_beats;
  always_ff @(posedge clk_i) begin
    command_beats <= points == 0 ? 32'd1 : 32'((33'(points) + 33'd7) >> 3);
    point_beats <= 32'((34'(points) * 34'd3 + 34'd3) >> 2);
    refused <= windows == 0 || (GREEDY == 0 && 40'(blocks) * 40'(BLOCK_WORDS) < 40'(points) + 40'(BLOCK_WORDS));
  end

  logic host_read_busy, host_write_busy, x_busy, y_busy, u_busy, spill_busy, command_error, result_error, x_error, y_error, u_error;
  logic [383:0] x_coordinate, y_coordinate, u_coordinate;
  assign busy = host_read_busy || host_write_busy || x_busy || y_busy || u_busy || spill_busy;
  assign host_error = command_error || result_error;
  assign point_error = x_error || y_error || u_error;
  assign {x, y, u} = {512'(x_coordinate), 512'(y_coordinate), 512'(u_coordinate)};
  card_reader #(.ADVANCE(1), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_commands (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(32'd0), .beats_i(command_beats),
      .address_i(addresses[0+:58]), .busy_o(host_read_busy), .error_o(command_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(command_valid), .ready_i(command_ready), .data_o(command), .last_o(command_last),
      `AXI_READ_CONNECT(m_axi, m_axi_host)
  );
  card_reader #(.WIDTH(384), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_x (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(points), .beats_i(point_beats),
      .address_i(addresses[58+:58]), .busy_o(x_busy), .error_o(x_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(x_valid), .ready_i(x_ready), .data_o(x_coordinate), .last_o(x_last), `AXI_READ_CONNECT(m_axi, m_axi_x)
  );
  card_reader #(.WIDTH(384), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_y (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(points), .beats_i(point_beats),
      .address_i(addresses[2*58+:58]), .busy_o(y_busy), .error_o(y_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(y_valid), .ready_i(y_ready), .data_o(y_coordinate), .last_o(y_last), `AXI_READ_CONNECT(m_axi, m_axi_y)
  );
  card_reader #(.WIDTH(384), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_u (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(points), .beats_i(point_beats),
      .address_i(addresses[3*58+:58]), .busy_o(u_busy), .error_o(u_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(u_valid), .ready_i(u_ready), .data_o(u_coordinate), .last_o(u_last), `AXI_READ_CONNECT(m_axi, m_axi_u)
  );
  spill_memory #(.CONFLICT(CONFLICT), .BLOCK_WORDS(BLOCK_WORDS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_spill (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .address_i(addresses[4*58+:58]), .blocks_i(blocks),
      .busy_o(spill_busy), .error_o(spill_error), .core_clk_i, .core_rst_i(core_reset), .valid_i(out_valid),
      .ready_o(out_ready), .data_i(out[CONFLICT-1:0]), .valid_o(in_valid), .ready_i(in_ready), .data_o(in[CONFLICT-1:0]),
      `AXI_READ_CONNECT(m_axi, m_axi_spill), `AXI_WRITE_CONNECT(m_axi, m_axi_spill)
  );

  // A stream's words are whole bytes.
  if (SPILL > CONFLICT) begin : g_bytes
    assign in[SPILL-1:CONFLICT] = '0;
    unread u_unread_out (.d_i(^out[SPILL-1:CONFLICT]));
  end

  // Results: a block for each window, one behind the other.
  logic beat_valid, beat_ready, place_valid, place_ready;
  logic [57:0] place;
  logic [511:0] beat;
  stream_crossing #(.WIDTH(512)) u_results (
      .write_clk_i(core_clk_i), .write_rst_i(core_reset), .valid_i(result_valid), .ready_o(result_ready), .data_i(result),
      .read_clk_i(clk_i), .read_rst_i(clear), .valid_o(beat_valid), .ready_i(beat_ready), .data_o(beat)
  );
  stretch_sequence #(.ADVANCE(1)) u_places (
      .clk_i, .rst_i(clear), .start_i(begins), .windows_i(windows), .address_i(addresses[5*58+:58]),
      .beats_i(32'(RESULT_BEATS)), .valid_o(place_valid), .ready_i(place_ready), .address_o(place)
  );
  block_writer #(.BLOCK(RESULT_BEATS), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_write_results (
      .clk_i, .rst_i(clear), .valid_i(beat_valid), .ready_o(beat_ready), .data_i(beat), .place_valid_i(place_valid),
      .place_ready_o(place_ready), .place_i(place), .stop_i(stop), .done_o(result_done), .busy_o(host_write_busy),
      .error_o(result_error), `AXI_WRITE_CONNECT(m_axi, m_axi_host)
  );

  // Counters of a task, in cycles of clk_i.
  event_counters #(.EVENTS(COUNTERS)) u_counters (
      .clk_i, .rst_i(rst_i || begins),
      .events_i({
        (m_axi_host_wvalid && !m_axi_host_wready) || (m_axi_spill_wvalid && !m_axi_spill_wready),
        m_axi_x_rvalid && !m_axi_x_rready,
        m_axi_x_arvalid && !m_axi_x_arready,
        m_axi_host_wvalid && m_axi_host_wready,
        m_axi_spill_wvalid && m_axi_spill_wready,
        m_axi_spill_rvalid && m_axi_spill_rready,
        m_axi_x_rvalid && m_axi_x_rready,
        m_axi_host_rvalid && m_axi_host_rready,
        running
      }),
      .counts_o(counters)
  );

  unread u_unread (.d_i(^{s_axi_awprot, s_axi_arprot}));
endmodule
