// SPDX-License-Identifier: MIT OR Apache-2.0
// A station of a network on chip: STATIONS stations in a row, each beside an element, and the card in front of station 0. So each region of
// the chip has wires to its neighbours alone. Packets of DOWN bits go from the card to a station, and words of UP bits from the stations to
// the card.
//
// Contract: streams are fifo's. down_i is the packet from the card's side with the number of its station, or STATIONS for all stations.
// The element takes its packets at element_o, and further stations take theirs at down_o. A packet waits for each receiver of the packet
// before it. Words of the element (own_i) and of further stations (up_i) go up in turns. Each direction has a register_slice.
module network_station #(
    parameter int STATIONS = 4,
    parameter int NUMBER = 0,
    parameter int DOWN = 1,
    parameter int UP = 1,
    localparam int TO = $clog2(STATIONS + 1)
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            down_valid_i,
    output logic            down_ready_o,
    input  logic [  TO-1:0] down_to_i,
    input  logic [DOWN-1:0] down_i,
    output logic            down_valid_o,
    input  logic            down_ready_i,
    output logic [  TO-1:0] down_to_o,
    output logic [DOWN-1:0] down_o,
    output logic            element_valid_o,
    input  logic            element_ready_i,
    output logic [DOWN-1:0] element_o,
    input  logic            own_valid_i,
    output logic            own_ready_o,
    input  logic [  UP-1:0] own_i,
    input  logic            up_valid_i,
    output logic            up_ready_o,
    input  logic [  UP-1:0] up_i,
    output logic            up_valid_o,
    input  logic            up_ready_i,
    output logic [  UP-1:0] up_o
);
  if (STATIONS < 1 || NUMBER < 0 || NUMBER >= STATIONS) begin : g_invalid
    $error("network_station: NUMBER is below STATIONS");
  end

  logic down_valid, down_ready, own, further, merged_valid, merged_ready;
  logic [UP-1:0] merged;
  register_slice #(.WIDTH(TO + DOWN)) u_down (
      .clk_i, .rst_i, .valid_i(down_valid_i), .ready_o(down_ready_o), .data_i({down_to_i, down_i}), .valid_o(down_valid),
      .ready_i(down_ready), .data_o({down_to_o, down_o})
  );
  assign own = down_to_o == TO'(NUMBER) || down_to_o == TO'(STATIONS);
  assign further = NUMBER != STATIONS - 1 && down_to_o > TO'(NUMBER);
  stream_fork #(.RECEIVERS(2)) u_fork (
      .clk_i, .rst_i, .wanted_i({further, own}), .valid_i(down_valid), .ready_o(down_ready),
      .valid_o({down_valid_o, element_valid_o}), .ready_i({down_ready_i, element_ready_i})
  );
  assign element_o = down_o;

  stream_merge #(.WIDTH(UP)) u_merge (
      .clk_i, .rst_i, .valid_i({up_valid_i, own_valid_i}), .ready_o({up_ready_o, own_ready_o}), .data_i({up_i, own_i}),
      .valid_o(merged_valid), .ready_i(merged_ready), .data_o(merged)
  );
  register_slice #(.WIDTH(UP)) u_up (
      .clk_i, .rst_i, .valid_i(merged_valid), .ready_o(merged_ready), .data_i(merged), .valid_o(up_valid_o),
      .ready_i(up_ready_i), .data_o(up_o)
  );
endmodule
