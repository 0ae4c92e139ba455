// SPDX-License-Identifier: MIT OR Apache-2.0
// An element of MSMAC on a card: its station of the network, its port, the processing element, and its registers for the host.
//
// Contract: the network's streams are network_station's. read_i reads the registers of element NUMBER, which has 256 bytes of them from byte
// 256 NUMBER on; its address stays until the answer is taken. fault_o says that the element's status has an error, or that it had more
// sums than its share (msmac_port).
`include "ports.svh"
module msmac_element #(
    parameter int PES = 4,
    parameter int NUMBER = 0,
    parameter int WINDOW = 13,
    parameter int KIND = field_pkg::HYBRID,
    parameter int MUL_LATENCY = 40,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int PROGRAM = 64,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512,
    parameter int SEGMENTS = 1,
    parameter int BLOCK = 16,
    localparam int TO = $clog2(PES + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    down_valid_i,
    output logic                    down_ready_o,
    input  logic [          TO-1:0] down_to_i,
    input  msmac_card_pkg::packet_t down_i,
    output logic                    down_valid_o,
    input  logic                    down_ready_i,
    output logic [          TO-1:0] down_to_o,
    output msmac_card_pkg::packet_t down_o,
    input  logic                    up_valid_i,
    output logic                    up_ready_o,
    input  msmac_card_pkg::result_t up_i,
    output logic                    up_valid_o,
    input  logic                    up_ready_i,
    output msmac_card_pkg::result_t up_o,
    input  axi_lite_pkg::request_t  read_i,
    output axi_lite_pkg::response_t answer_o,
    output logic                    fault_o
);
  logic packet_valid, packet_ready, result_valid, result_ready, idle, fault, surplus, last, point_valid, point_ready,
      scalar_valid, scalar_ready, sum_valid, sum_ready, unused_sum_last;
  msmac_card_pkg::packet_t packet;
  msmac_card_pkg::result_t result;
  logic [511:0] point;
  logic [255:0] scalar;
  logic [767:0] sum;
  axi_lite_pkg::request_t write, request;
  network_station #(
      .STATIONS(PES), .NUMBER(NUMBER), .DOWN(msmac_card_pkg::PACKET_WIDTH), .UP(msmac_card_pkg::RESULT_WIDTH)
  ) u_station (
      .clk_i, .rst_i, .down_valid_i, .down_ready_o, .down_to_i, .down_i, .down_valid_o, .down_ready_i, .down_to_o, .down_o,
      .element_valid_o(packet_valid), .element_ready_i(packet_ready), .element_o(packet), .own_valid_i(result_valid),
      .own_ready_o(result_ready), .own_i(result), .up_valid_i, .up_ready_o, .up_i, .up_valid_o, .up_ready_i, .up_o
  );
  msmac_port #(.BLOCK(BLOCK)) u_port (
      .clk_i, .rst_i, .packet_valid_i(packet_valid), .packet_ready_o(packet_ready), .packet_i(packet), .idle_i(idle),
      .request_o(write), .response_i(answer_o), .point_valid_o(point_valid), .point_ready_i(point_ready), .point_o(point),
      .scalar_valid_o(scalar_valid), .scalar_ready_i(scalar_ready), .scalar_o(scalar), .last_o(last), .sum_valid_i(sum_valid),
      .sum_ready_o(sum_ready), .sum_i(sum), .result_valid_o(result_valid), .result_ready_i(result_ready), .result_o(result),
      .surplus_o(surplus)
  );
  always_comb begin
    request = write;
    request.arvalid = read_i.arvalid && read_i.araddr[31:8] == 24'(NUMBER);
    request.araddr = 32'(read_i.araddr[7:0]);
    request.rready = read_i.rready;
  end
  msmac_pe #(
      .WINDOW(WINDOW), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .PROGRAM(PROGRAM), .THRESHOLD(THRESHOLD),
      .CONFLICTS(CONFLICTS), .SEGMENTS(SEGMENTS)
  ) u_core (
      .clk_i, .rst_i, .idle_o(idle), .fault_o(fault), `AXI_LITE_CONNECT(request, answer_o, 17),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_point, point), .s_axis_point_tlast(last),
      `AXIS_CONNECT_WITHOUT_LAST(s_axis_scalar, scalar), .s_axis_scalar_tlast(last),
      `AXIS_CONNECT_WITHOUT_LAST(m_axis_sum, sum), .m_axis_sum_tlast(unused_sum_last)
  );
  assign fault_o = fault || surplus;

  unread u_unread (.d_i(^{read_i, write, request}));
endmodule
