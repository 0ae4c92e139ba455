// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila on a card: its streams of points, indexes and sums in memory behind AXI4, its registers and the card's on one AXI4-Lite bus,
// the shell's clock outside and the core's clock inside.
//
// Contract: all ports belong to clk_i, the shell's clock. rst_i stays high for eight cycles of either clock, and is the reset of the buses,
// too. The host writes indexes into memory and the task into the registers (card_registers), starts, and finds a sum for each of up to PES
// tasks in memory when the status says so. The card itself writes the machine's registers. A port's memory:
//   host         for each window, from a new beat on, the indexes of point 0 for all elements, of point 1, and so on, without gaps: an
//                index has whole bytes; element 0 is lowest, and elements without a task have a place, too. Windows from the topmost one
//                down, one behind the other. Sums: a beat for each coordinate
//   x, y, z      a coordinate of each point, without gaps, in gypsophila_top's form
// All elements get their indexes from the same words, because elements are apart by no more points than a virtual point buffer holds. A
// reset by the host, or an error, lets all bursts end before it resets the core (card_control).
`include "ports.svh"
module gypsophila_card #(
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
    // Beats of a burst, bursts of a port that wait for an answer.
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8
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
    `AXI_READ_MASTER(m_axi_z, 64, 512)
);
  localparam int WORD = gypsophila_pkg::word(CURVE);
  localparam int COORDINATES = gypsophila_pkg::coordinates(CURVE);
  localparam int INDEX_WORD = (WINDOW + 7) / 8 * 8;
  localparam int ROW = PES * INDEX_WORD;
  if (ROW > 512) begin : g_invalid
    $error("gypsophila_card: the indexes of a point, one for each of PES elements, fit into a beat");
  end

  `AXI_LITE_STRUCTURES

  logic begins, stop, clear, core_reset, core_fault, refused, busy, sum_done;
  logic [31:0] points, windows, tasks;
  logic [5*58-1:0] addresses;
  logic index_busy, index_error, point_busy, point_error, sum_busy, sum_error;
  axi_lite_pkg::request_t core_ask, core_read, core_write;
  axi_lite_pkg::response_t core_answer;
  assign busy = index_busy || point_busy || sum_busy;
  always_ff @(posedge clk_i) refused <= windows == 0 || windows > 255 || tasks == 0 || tasks > 32'(PES);
  card_frame #(
      .MACHINE("GYPS"), .ADDRESSES(5), .EVENTS(6), .SHAPE({8'(CURVE), 8'(WINDOW), 8'(ADDERS), 8'(PES)})
  ) u_frame (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .points_o(points), .windows_o(windows), .number_o(tasks),
      .addresses_o(addresses), .refused_i(refused), .results_i(tasks), .written_i(sum_done), .busy_i(busy),
      .errors_i({1'b0, point_error, index_error || sum_error}),
      .events_i({
        m_axi_host_wvalid && !m_axi_host_wready,
        m_axi_x_rvalid && !m_axi_x_rready,
        m_axi_x_arvalid && !m_axi_x_arready,
        m_axi_host_wvalid && m_axi_host_wready,
        m_axi_x_rvalid && m_axi_x_rready,
        m_axi_host_rvalid && m_axi_host_rready
      }),
      .begins_o(begins), .stop_o(stop), .clear_o(clear), .core_clk_i, .core_reset_o(core_reset), .core_fault_i(core_fault),
      .core_axi_o(core_read), .core_axi_i(core_answer)
  );

  // The machine's registers: the host reads them, the task's begin writes them: SIZE, WINDOWS, TASKS, CONTROL.
  register_store #(.WORDS(4)) u_store (
      .clk_i, .rst_i(clear), .start_i(begins),
      .words_i({10'd0, 32'd1, 10'd3, tasks, 10'd2, windows, 10'd1, points}), .other_clk_i(core_clk_i),
      .other_rst_i(core_reset), .request_o(core_write), .response_i(core_answer)
  );
  always_comb begin
    core_ask = core_write;
    core_ask.arvalid = core_read.arvalid;
    core_ask.araddr = core_read.araddr;
    core_ask.rready = core_read.rready;
  end

  // A row of indexes goes to all elements that have a task. The task is written many cycles before its first row comes.
  logic row_valid, row_ready, row_last;
  logic [ROW-1:0] row;
  logic [PES-1:0] wanted, index_valid, index_ready;
  (* async_reg = "true" *) logic [PES-1:0] wanted_meta;
  for (genvar pe = 0; pe < PES; pe++) begin : g_wanted
    always_ff @(posedge core_clk_i) {wanted[pe], wanted_meta[pe]} <= {wanted_meta[pe], 32'(pe) < tasks};
  end
  card_reader #(.WIDTH(ROW), .ADVANCE(1), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_indexes (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .words_i(points),
      .address_i(addresses[0+:58]), .busy_o(index_busy), .error_o(index_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(row_valid), .ready_i(row_ready), .data_o(row), .last_o(row_last), `AXI_READ_CONNECT(m_axi, m_axi_host)
  );
  stream_fork #(.RECEIVERS(PES)) u_fork (
      .clk_i(core_clk_i), .rst_i(core_reset), .wanted_i(wanted), .valid_i(row_valid), .ready_o(row_ready),
      .valid_o(index_valid), .ready_i(index_ready)
  );

  logic point_valid, point_ready;
  logic [2:0] coordinate_valid, coordinate_last;
  logic [3*WORD-1:0] point;
  point_reader #(.WIDTH(WORD), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_points (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(windows), .points_i(points),
      .addresses_i(addresses[58+:3*58]), .busy_o(point_busy), .error_o(point_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(coordinate_valid), .ready_i({3{point_valid && point_ready}}), .data_o(point), .last_o(coordinate_last),
      `AXI_READ_CONNECT(m_axi_x, m_axi_x), `AXI_READ_CONNECT(m_axi_y, m_axi_y), `AXI_READ_CONNECT(m_axi_z, m_axi_z)
  );
  assign point_valid = &coordinate_valid;

  logic sum_valid, sum_ready, unused_sum_last;
  logic [COORDINATES*WORD-1:0] sum;
  gypsophila_top #(
      .PES(PES), .ADDERS(ADDERS), .CURVE(CURVE), .WINDOW(WINDOW), .BANK_WIDTH(BANK_WIDTH), .PAIRS(PAIRS),
      .COLLISIONS(COLLISIONS), .POINTS(POINTS), .INDEXES(INDEXES), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF)
  ) u_core (
      .clk_i(core_clk_i), .rst_i(core_reset), .fault_o(core_fault),
      `AXI_LITE_CONNECT(core_ask, core_answer, 12),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_point, point), .s_axis_point_tlast(&coordinate_last),
      .s_axis_index_tvalid(index_valid), .s_axis_index_tready(index_ready), .s_axis_index_tdata(row),
      .s_axis_index_tlast({PES{row_last}}),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_sum, sum), .m_axis_sum_tlast(unused_sum_last)
  );

  logic beat_valid, beat_ready, unused_beat_last;
  logic [511:0] beat;
  logic [COORDINATES*512-1:0] beats;
  for (genvar i = 0; i < COORDINATES; i++) begin : g_beat
    assign beats[i*512+:512] = 512'(sum[i*WORD+:WORD]);
  end
  gearbox #(.IN(COORDINATES * 512), .OUT(512), .PAD(0)) u_beats (
      .clk_i(core_clk_i), .rst_i(core_reset), .valid_i(sum_valid), .ready_o(sum_ready), .data_i(beats), .last_i(1'b0),
      .valid_o(beat_valid), .ready_i(beat_ready), .data_o(beat), .last_o(unused_beat_last)
  );
  result_writer #(.BEATS(COORDINATES), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_sums (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .results_i(tasks), .address_i(addresses[4*58+:58]),
      .done_o(sum_done), .busy_o(sum_busy), .error_o(sum_error), .core_clk_i, .core_rst_i(core_reset), .valid_i(beat_valid),
      .ready_o(beat_ready), .data_i(beat), `AXI_WRITE_CONNECT(m_axi, m_axi_host)
  );

  unread u_unread (.d_i(^{s_axi_awprot, s_axi_arprot, core_read, core_write}));
endmodule
