// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer on a card: its streams of scalars, points and parts in memory behind AXI4, its registers and the card's on one AXI4-Lite
// bus, the shell's clock outside and the core's clock inside.
//
// Contract: all ports belong to clk_i, the shell's clock. rst_i stays high for eight cycles of either clock, and is the reset of the buses,
// too. The host writes scalars into memory and the task into the registers (card_registers), starts, and finds the parts of all windows in
// memory when the status says so. The card itself writes the machine's registers. A port's memory:
//   host         scalars of 256 bits in reclaimer_input's form, without gaps. Parts: two beats for each, x and y, in the order of
//                reclaimer_top
//   x, y         a coordinate of each point, without gaps, in reclaimer_top's form
// Every pass over the points, ADDERS windows at a time, reads scalars and points again. A reset by the host, or an error, lets all
// bursts end before it resets the core (card_control). The registers of a third coordinate's address and of the task's number have no
// use here.
`include "ports.svh"
module reclaimer_card #(
    parameter int CURVE = reclaimer_pkg::BLS12_377,
    parameter int ADDERS = 3,
    parameter int WINDOW = 17,
    parameter int BANK_WIDTH = 2,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int POINTS = 16,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int MUL_LATENCY = 39,
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
    `AXI_READ_MASTER(m_axi_y, 64, 512)
);
  localparam int WORD = reclaimer_pkg::word(CURVE);
  localparam int SCALAR = 256;
  // The last window begins below bit 256.
  localparam int MOST_WINDOWS = (255 + WINDOW) / WINDOW;

  `AXI_LITE_STRUCTURES

  logic begins, stop, clear, core_reset, core_fault, refused, busy, part_done;
  logic [31:0] points, windows, needed, passes, parts, unused_number;
  logic [5*58-1:0] addresses;
  logic [2:0] stream_busy, stream_error;
  logic part_busy, part_error;
  axi_lite_pkg::request_t core_ask, core_read, core_write;
  axi_lite_pkg::response_t core_answer;
  assign busy = stream_busy != 0 || part_busy;

  // Passes: the windows over ADDERS, rounded up.
  always_comb begin
    needed = '0;
    for (int first = 0; first < MOST_WINDOWS; first += ADDERS) needed += 32'(windows > 32'(first));
  end
  always_ff @(posedge clk_i) begin
    refused <= windows == 0 || windows > 32'(MOST_WINDOWS);
    passes <= needed;
    parts <= 32'(windows[7:0]) * 32'(WINDOW);
  end
  card_frame #(
      .MACHINE("RECL"), .ADDRESSES(5), .EVENTS(6), .SHAPE({8'(CURVE), 8'(WINDOW), 8'(BANK_WIDTH), 8'(ADDERS)})
  ) u_frame (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .points_o(points), .windows_o(windows), .number_o(unused_number),
      .addresses_o(addresses), .refused_i(refused), .results_i(parts), .written_i(part_done), .busy_i(busy),
      .errors_i({1'b0, |stream_error[2:1], stream_error[0] || part_error}),
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

  // The machine's registers: the host reads them, the task's begin writes them: SIZE, WINDOWS, CONTROL.
  register_store #(.WORDS(3)) u_store (
      .clk_i, .rst_i(clear), .start_i(begins), .words_i({10'd0, 32'd1, 10'd2, windows, 10'd1, points}),
      .other_clk_i(core_clk_i), .other_rst_i(core_reset), .request_o(core_write), .response_i(core_answer)
  );
  always_comb begin
    core_ask = core_write;
    core_ask.arvalid = core_read.arvalid;
    core_ask.araddr = core_read.araddr;
    core_ask.rready = core_read.rready;
  end

  // A point comes when its scalar and both coordinates are there.
  logic point_valid, point_ready, takes;
  logic [2:0] valid, last;
  logic [SCALAR+2*WORD-1:0] point;
  assign point_valid = &valid;
  assign takes = point_valid && point_ready;
  card_reader #(.WIDTH(SCALAR), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_scalars (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(passes), .words_i(points),
      .address_i(addresses[0+:58]), .busy_o(stream_busy[0]), .error_o(stream_error[0]), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(valid[0]), .ready_i(takes), .data_o(point[2*WORD+:SCALAR]), .last_o(last[0]),
      `AXI_READ_CONNECT(m_axi, m_axi_host)
  );
  card_reader #(.WIDTH(WORD), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_x (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(passes), .words_i(points),
      .address_i(addresses[58+:58]), .busy_o(stream_busy[1]), .error_o(stream_error[1]), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(valid[1]), .ready_i(takes), .data_o(point[0+:WORD]), .last_o(last[1]), `AXI_READ_CONNECT(m_axi, m_axi_x)
  );
  card_reader #(.WIDTH(WORD), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_y (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(passes), .words_i(points),
      .address_i(addresses[2*58+:58]), .busy_o(stream_busy[2]), .error_o(stream_error[2]), .core_clk_i,
      .core_rst_i(core_reset), .valid_o(valid[2]), .ready_i(takes), .data_o(point[WORD+:WORD]), .last_o(last[2]),
      `AXI_READ_CONNECT(m_axi, m_axi_y)
  );

  logic part_valid, part_ready, unused_part_last;
  logic [2*WORD-1:0] part;
  reclaimer_top #(
      .CURVE(CURVE), .ADDERS(ADDERS), .WINDOW(WINDOW), .BANK_WIDTH(BANK_WIDTH), .PAIRS(PAIRS), .COLLISIONS(COLLISIONS),
      .POINTS(POINTS), .BATCH(BATCH), .CHAINS(CHAINS), .KIND(KIND), .LAYERS(LAYERS), .MUL_LATENCY(MUL_LATENCY)
  ) u_core (
      .clk_i(core_clk_i), .rst_i(core_reset), .fault_o(core_fault),
      `AXI_LITE_CONNECT(core_ask, core_answer, 12),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_point, point), .s_axis_point_tlast(&last),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_part, part), .m_axis_part_tlast(unused_part_last)
  );

  logic beat_valid, beat_ready, unused_beat_last;
  logic [511:0] beat;
  gearbox #(.IN(2 * 512), .OUT(512), .PAD(0)) u_beats (
      .clk_i(core_clk_i), .rst_i(core_reset), .valid_i(part_valid), .ready_o(part_ready),
      .data_i({512'(part[WORD+:WORD]), 512'(part[0+:WORD])}), .last_i(1'b0), .valid_o(beat_valid), .ready_i(beat_ready),
      .data_o(beat), .last_o(unused_beat_last)
  );
  result_writer #(.BEATS(2), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_parts (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .results_i(parts), .address_i(addresses[4*58+:58]),
      .done_o(part_done), .busy_o(part_busy), .error_o(part_error), .core_clk_i, .core_rst_i(core_reset), .valid_i(beat_valid),
      .ready_o(beat_ready), .data_i(beat), `AXI_WRITE_CONNECT(m_axi, m_axi_host)
  );

  unread u_unread (.d_i(^{s_axi_awprot, s_axi_arprot, core_read, core_write, addresses}));
endmodule
