// SPDX-License-Identifier: MIT OR Apache-2.0
// Counters of events.
//
// Contract: counts_o has 64 bits for each event, the lowest event first: the number of cycles since the reset in which
// the event's bit of events_i was high.
module event_counters #(
    parameter int EVENTS = 1
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic [   EVENTS-1:0] events_i,
    output logic [64*EVENTS-1:0] counts_o
);
  if (EVENTS < 1) begin : g_invalid
    $error("event_counters: EVENTS is at least 1");
  end

  for (genvar i = 0; i < EVENTS; i++) begin : g_event
    logic [63:0] count;
    assign counts_o[64*i+:64] = count;
    always_ff @(posedge clk_i) count <= rst_i ? '0 : count + 64'(events_i[i]);
  end
endmodule
