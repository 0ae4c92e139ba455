// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC on a card: PES elements on a network, their points, scalars and sums in memory behind AXI4, the card's registers and the elements'
// on one AXI4-Lite bus, the shell's clock outside and the core's clock inside.
//
// Contract: all ports belong to clk_i, the shell's clock. rst_i stays high for eight cycles of either clock, and is the reset of the buses,
// too. The host writes points, scalars and a program into memory and the task into the registers (card_registers), starts, and finds the
// elements' sums in memory when the status says so. The card itself writes the elements' registers. A port's memory:
//   host         the program, 16 bytes an instruction. Sums: element 0's in the order of the program, element 1's and so on; a sum has
//                two beats, {y, x} and {0, z}
//   point        {y, x} of each point, a beat, in msmac_pe's form
//   scalar       scalars, two in a beat
// `windows` is the number of sums of each element. `number` has the program's instructions from bit 0 and the task's elements from bit 16
// on. Points are dealt out in blocks of BLOCK points, to element 0, to element 1 and so on; each element of the task needs a point. The
// registers of element i are from byte 256 i of the machine's registers on. A reset by the host, or an error, lets all bursts end before
// it resets the elements (card_control).
`include "ports.svh"
module msmac_card #(
    parameter int PES = 4,
    parameter int WINDOW = 13,
    parameter int KIND = field_pkg::HYBRID,
    parameter int MUL_LATENCY = 40,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int PROGRAM = 64,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    parameter int SEGMENTS = 1,
    // Points of each of an element's two buffers.
    parameter int BLOCK = 16,
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
    `AXI_READ_MASTER(m_axi_point, 64, 512),
    `AXI_READ_MASTER(m_axi_scalar, 64, 512)
);
  localparam int TO = $clog2(PES + 1);
  localparam int DOWN = msmac_card_pkg::PACKET_WIDTH;
  localparam int UP = msmac_card_pkg::RESULT_WIDTH;
  // Bits of response_t.
  localparam int ANSWER = 41;
  if (PES < 1 || PES > 16 || PROGRAM % 4 != 0 || BLOCK > 128) begin : g_invalid
    $error("msmac_card: PES is from 1 to 16, BLOCK at most 128, and PROGRAM a multiple of four");
  end

  `AXI_LITE_STRUCTURES

  logic begins, stop, clear, core_reset, core_fault, refused, sum_done;
  logic [31:0] points, windows, number, fours, results;
  logic [15:0] elements, instructions;
  logic [4*58-1:0] addresses;
  logic program_busy, program_error, point_busy, point_error, scalar_busy, scalar_error, sum_busy, sum_error;
  axi_lite_pkg::request_t core_read;
  axi_lite_pkg::response_t core_answer;
  assign {elements, instructions} = number;
  always_ff @(posedge clk_i) begin
    fours <= (32'(instructions) + 32'd3) >> 2;
    results <= 32'(windows[15:0]) * 32'(elements[4:0]);
    refused <= windows[31:16] != 0 || windows == 0 || elements == 0 || elements > 16'(PES) || instructions == 0
        || instructions > 16'(PROGRAM) || 33'(points) + 33'(BLOCK) <= 33'(elements) * 33'(BLOCK);
  end
  card_frame #(
      .MACHINE("MSMA"), .ADDRESSES(4), .EVENTS(6), .SHAPE({8'd0, 8'(BLOCK), 8'(WINDOW), 8'(PES)})
  ) u_frame (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response), .points_o(points), .windows_o(windows), .number_o(number),
      .addresses_o(addresses), .refused_i(refused), .results_i(results), .written_i(sum_done),
      .busy_i(program_busy || point_busy || scalar_busy || sum_busy),
      .errors_i({1'b0, point_error || scalar_error, program_error || sum_error}),
      .events_i({
        m_axi_host_wvalid && !m_axi_host_wready,
        m_axi_point_rvalid && !m_axi_point_rready,
        m_axi_point_arvalid && !m_axi_point_arready,
        m_axi_host_wvalid && m_axi_host_wready,
        m_axi_point_rvalid && m_axi_point_rready,
        m_axi_host_rvalid && m_axi_host_rready
      }),
      .begins_o(begins), .stop_o(stop), .clear_o(clear), .core_clk_i, .core_reset_o(core_reset), .core_fault_i(core_fault),
      .core_axi_o(core_read), .core_axi_i(core_answer)
  );

  // The task and its streams, in the core's clock.
  logic task_valid, task_ready, unused_task_room;
  logic [31:0] task_points;
  logic [TO-1:0] task_elements;
  logic [12:0] task_length;
  logic [15:0] task_sums;
  stream_crossing #(.WIDTH(32 + TO + 13 + 16), .DEPTH(4)) u_task (
      .write_clk_i(clk_i), .write_rst_i(clear), .valid_i(begins), .ready_o(unused_task_room),
      .data_i({points, elements[TO-1:0], instructions[12:0], windows[15:0]}), .read_clk_i(core_clk_i),
      .read_rst_i(core_reset), .valid_o(task_valid), .ready_i(task_ready),
      .data_o({task_points, task_elements, task_length, task_sums})
  );
  logic program_valid, program_ready, program_last, point_valid, point_ready, point_last, scalar_valid, scalar_ready,
      unused_scalar_last;
  logic [511:0] program_word, point;
  logic [255:0] scalar;
  card_reader #(.BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_program (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(32'd1), .words_i(fours),
      .address_i(addresses[0+:58]), .busy_o(program_busy), .error_o(program_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(program_valid), .ready_i(program_ready), .data_o(program_word), .last_o(program_last),
      `AXI_READ_CONNECT(m_axi, m_axi_host)
  );
  card_reader #(.BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_points (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(32'd1), .words_i(points),
      .address_i(addresses[58+:58]), .busy_o(point_busy), .error_o(point_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(point_valid), .ready_i(point_ready), .data_o(point), .last_o(point_last),
      `AXI_READ_CONNECT(m_axi, m_axi_point)
  );
  card_reader #(.WIDTH(256), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_scalars (
      .clk_i, .rst_i(clear), .start_i(begins), .stop_i(stop), .windows_i(32'd1), .words_i(points),
      .address_i(addresses[2*58+:58]), .busy_o(scalar_busy), .error_o(scalar_error), .core_clk_i, .core_rst_i(core_reset),
      .valid_o(scalar_valid), .ready_i(scalar_ready), .data_o(scalar), .last_o(unused_scalar_last),
      `AXI_READ_CONNECT(m_axi, m_axi_scalar)
  );

  // The network: packets down to element i at place i of these vectors, results up from it.
  logic [PES:0] down_valid, down_ready, up_valid, up_ready;
  logic [(PES+1)*TO-1:0] down_to;
  logic [(PES+1)*DOWN-1:0] down;
  logic [(PES+1)*UP-1:0] up;
  msmac_dealer #(.PES(PES), .BLOCK(BLOCK)) u_dealer (
      .clk_i(core_clk_i), .rst_i(core_reset), .task_valid_i(task_valid), .task_ready_o(task_ready), .points_i(task_points),
      .elements_i(task_elements), .length_i(task_length), .sums_i(task_sums), .program_valid_i(program_valid),
      .program_ready_o(program_ready), .program_i(program_word), .program_last_i(program_last), .point_valid_i(point_valid),
      .point_ready_o(point_ready), .point_i(point), .point_last_i(point_last), .scalar_valid_i(scalar_valid),
      .scalar_ready_o(scalar_ready), .scalar_i(scalar), .packet_valid_o(down_valid[0]), .packet_ready_i(down_ready[0]),
      .to_o(down_to[TO-1:0]), .packet_o(down[DOWN-1:0])
  );
  assign down_ready[PES] = 1'b1;
  assign up_valid[PES] = 1'b0;
  assign up[PES*UP+:UP] = '0;

  // The host reads the registers of the element that the address names; other elements' registers do not exist.
  logic [PES*ANSWER-1:0] answers;
  logic [PES-1:0] faults;
  always_comb begin
    core_answer = '0;
    {core_answer.arready, core_answer.rvalid, core_answer.rresp} = {2'b11, axi_lite_pkg::SLVERR};
    for (int i = 0; i < PES; i++) begin
      if (core_read.araddr[31:8] == 24'(i)) core_answer = answers[i*ANSWER+:ANSWER];
    end
  end
  always_ff @(posedge core_clk_i) core_fault <= faults != 0;

  for (genvar i = 0; i < PES; i++) begin : g_element
    msmac_element #(
        .PES(PES), .NUMBER(i), .WINDOW(WINDOW), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .PROGRAM(PROGRAM),
        .THRESHOLD(THRESHOLD), .CONFLICTS(CONFLICTS), .SEGMENTS(SEGMENTS), .BLOCK(BLOCK)
    ) u_element (
        .clk_i(core_clk_i), .rst_i(core_reset), .down_valid_i(down_valid[i]), .down_ready_o(down_ready[i]),
        .down_to_i(down_to[i*TO+:TO]), .down_i(down[i*DOWN+:DOWN]), .down_valid_o(down_valid[i+1]),
        .down_ready_i(down_ready[i+1]), .down_to_o(down_to[(i+1)*TO+:TO]), .down_o(down[(i+1)*DOWN+:DOWN]),
        .up_valid_i(up_valid[i+1]), .up_ready_o(up_ready[i+1]), .up_i(up[(i+1)*UP+:UP]), .up_valid_o(up_valid[i]),
        .up_ready_i(up_ready[i]), .up_o(up[i*UP+:UP]), .read_i(core_read), .answer_o(answers[i*ANSWER+:ANSWER]),
        .fault_o(faults[i])
    );
  end

  msmac_card_pkg::result_t first_result;
  assign first_result = up[UP-1:0];
  placed_writer #(
      .WIDTH(768), .NUMBER(msmac_card_pkg::NUMBER_WIDTH), .BURST(BURST), .OUTSTANDING(OUTSTANDING)
  ) u_sums (
      .clk_i, .rst_i(clear), .stop_i(stop), .address_i(addresses[3*58+:58]), .done_o(sum_done), .busy_o(sum_busy),
      .error_o(sum_error), .core_clk_i, .core_rst_i(core_reset), .valid_i(up_valid[0]), .ready_o(up_ready[0]),
      .number_i(first_result.number), .data_i(first_result.sum), `AXI_WRITE_CONNECT(m_axi, m_axi_host)
  );

  unread u_unread (.d_i(^{s_axi_awprot, s_axi_arprot, core_read, instructions, down_valid[PES], down_to[PES*TO+:TO],
      down[PES*DOWN+:DOWN], up_ready[PES]}));
endmodule
