// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM's points (4.4): x, y and u come from a memory channel each. The channels do not wait for each other as
// long as the queues behind them hold the early words.
//
// Contract: channels follow AXI-Stream, x lowest, with one coordinate in the lowest bits of a beat. A point is taken in
// a cycle with valid_o and ready_i; last_o has the three channels' last_i.
module cyclone_points #(
    parameter int DEPTH = 32,
    localparam int WIDTH = bls12_377_pkg::WIDTH
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic [            2:0] valid_i,
    output logic [            2:0] ready_o,
    input  logic [      3*512-1:0] data_i,
    input  logic [            2:0] last_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output bls12_377_pkg::affine_t point_o,
    output logic [            2:0] last_o
);
  logic [2:0] there;
  logic [3*WIDTH-1:0] coordinates;
  assign valid_o = &there;
  assign point_o = coordinates;
  for (genvar i = 0; i < 3; i++) begin : g_channel
    logic unused_full;
    logic [$clog2(DEPTH+1)-1:0] unused_count;
    fifo #(.WIDTH(WIDTH + 1), .DEPTH(DEPTH)) u_queue (
        .clk_i, .rst_i, .valid_i(valid_i[i]), .ready_o(ready_o[i]), .data_i({last_i[i], data_i[512*i+:WIDTH]}),
        .valid_o(there[i]), .ready_i(ready_i && valid_o), .data_o({last_o[i], coordinates[WIDTH*i+:WIDTH]}),
        .count_o(unused_count), .almost_full_o(unused_full)
    );
    unread u_unread (.d_i(^data_i[512*i+WIDTH+:512-WIDTH]));
  end
endmodule
