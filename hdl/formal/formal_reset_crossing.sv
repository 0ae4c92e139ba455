// SPDX-License-Identifier: MIT OR Apache-2.0
// reset_crossing with any two clocks, whose levels are arbitrary in each step, and a host that waits for each answer. When the
// request is acknowledged, the other side has been in reset for four of its cycles, and is; when the end is acknowledged, the other side
// is not in reset.
module formal_reset_crossing (
    input logic clk_i,
    input logic other_clk_i,
    input logic ask_i
);
  logic request, acknowledged, reset;
  reset_crossing u_dut (.clk_i, .request_i(request), .acknowledged_o(acknowledged), .other_clk_i, .reset_o(reset));

  // Registers begin with zeros.
  logic [2:0] cycles;
  initial request = 1'b0;
  initial cycles = '0;
  always @(posedge clk_i) if (request == acknowledged && ask_i) request <= !request;
  always @(posedge other_clk_i) cycles <= !reset ? '0 : cycles == 4 ? cycles : cycles + 1'b1;
  always @* begin
    if (acknowledged && request) assert (reset && cycles == 4);
    if (!acknowledged && !request) assert (!reset);
  end
endmodule
