// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI's rules for a master: a request or a beat stays, unchanged, until it is taken, also during a reset of the core. No burst has more
// than BURST beats. open_o counts bursts without the end of their answer.
module axi_check #(
    parameter int BURST = 16
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       arvalid_i,
    input  logic       arready_i,
    input  logic [63:0] araddr_i,
    input  logic [ 7:0] arlen_i,
    input  logic       rends_i,
    input  logic       awvalid_i,
    input  logic       awready_i,
    input  logic [63:0] awaddr_i,
    input  logic [ 7:0] awlen_i,
    input  logic       wvalid_i,
    input  logic       wready_i,
    input  logic [512:0] w_i,
    input  logic       bends_i,
    output logic [ 7:0] open_o
);
  stream_check #(.WIDTH(72)) u_ar (
      .clk_i, .rst_i, .valid_i(arvalid_i), .ready_i(arready_i), .data_i({araddr_i, arlen_i}));
  stream_check #(.WIDTH(72)) u_aw (
      .clk_i, .rst_i, .valid_i(awvalid_i), .ready_i(awready_i), .data_i({awaddr_i, awlen_i}));
  stream_check #(.WIDTH(513)) u_w (.clk_i, .rst_i, .valid_i(wvalid_i), .ready_i(wready_i), .data_i(w_i));
  always_ff @(posedge clk_i) begin
    open_o <= open_o + 8'(arvalid_i && arready_i) + 8'(awvalid_i && awready_i) - 8'(rends_i) - 8'(bends_i);
    if (rst_i) open_o <= '0;
    if (!rst_i && ((arvalid_i && 32'(arlen_i) >= BURST) || (awvalid_i && 32'(awlen_i) >= BURST)))
      $error("axi_check: a burst is too long");
  end
endmodule
