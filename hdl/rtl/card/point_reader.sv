// SPDX-License-Identifier: MIT OR Apache-2.0
// The three coordinates of a task's points from memory, each at a port of its own, because a point is wider than two beats of memory and
// a core takes up to one point a cycle.
//
// Contract: card_reader's, for three streams of points_i coordinates of WIDTH bits, read again for each window. addresses_i and all streams
// have the coordinate at m_axi_x lowest.
`include "ports.svh"
module point_reader #(
    parameter int WIDTH = 384,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 8
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               start_i,
    input  logic               stop_i,
    input  logic [       31:0] windows_i,
    input  logic [       31:0] points_i,
    input  logic [   3*58-1:0] addresses_i,
    output logic               busy_o,
    output logic               error_o,
    input  logic               core_clk_i,
    input  logic               core_rst_i,
    output logic [        2:0] valid_o,
    input  logic [        2:0] ready_i,
    output logic [3*WIDTH-1:0] data_o,
    output logic [        2:0] last_o,
    `AXI_READ_MASTER(m_axi_x, 64, 512),
    `AXI_READ_MASTER(m_axi_y, 64, 512),
    `AXI_READ_MASTER(m_axi_z, 64, 512)
);
  logic [2:0] busy, error;
  assign busy_o = busy != 0;
  assign error_o = error != 0;
  card_reader #(.WIDTH(WIDTH), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_x (
      .clk_i, .rst_i, .start_i, .stop_i, .windows_i, .words_i(points_i), .address_i(addresses_i[0+:58]), .busy_o(busy[0]),
      .error_o(error[0]), .core_clk_i, .core_rst_i, .valid_o(valid_o[0]), .ready_i(ready_i[0]), .data_o(data_o[0+:WIDTH]),
      .last_o(last_o[0]), `AXI_READ_CONNECT(m_axi, m_axi_x)
  );
  card_reader #(.WIDTH(WIDTH), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_y (
      .clk_i, .rst_i, .start_i, .stop_i, .windows_i, .words_i(points_i), .address_i(addresses_i[58+:58]), .busy_o(busy[1]),
      .error_o(error[1]), .core_clk_i, .core_rst_i, .valid_o(valid_o[1]), .ready_i(ready_i[1]),
      .data_o(data_o[WIDTH+:WIDTH]), .last_o(last_o[1]), `AXI_READ_CONNECT(m_axi, m_axi_y)
  );
  card_reader #(.WIDTH(WIDTH), .BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_z (
      .clk_i, .rst_i, .start_i, .stop_i, .windows_i, .words_i(points_i), .address_i(addresses_i[2*58+:58]),
      .busy_o(busy[2]), .error_o(error[2]), .core_clk_i, .core_rst_i, .valid_o(valid_o[2]), .ready_i(ready_i[2]),
      .data_o(data_o[2*WIDTH+:WIDTH]), .last_o(last_o[2]), `AXI_READ_CONNECT(m_axi, m_axi_z)
  );
endmodule
