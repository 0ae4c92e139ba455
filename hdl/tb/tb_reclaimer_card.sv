// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer's card with its memories and a host, with the ports of tb_cyclone_card; the memories are host, x and y.
`include "ports.svh"
`include "axi_check.svh"
module tb_reclaimer_card #(
    parameter int CURVE = reclaimer_pkg::BLS12_377,
    parameter int ADDERS = 1,
    parameter int WINDOW = 3,
    parameter int BANK_WIDTH = 1,
    parameter int CHAINS = 8,
    parameter int MUL_LATENCY = 5,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 4,
    parameter int KIND = 1,
    parameter int PAUSES = 0,
    parameter int BEATS = 1 << 16
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [607:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [575:0] out_o,
    output logic [ 31:0] latency_o
);
  import "DPI-C" function void axi_memory_poke(input chandle handle, input int beat, input bit [511:0] data);
  import "DPI-C" function void axi_memory_peek(input chandle handle, input int beat, output bit [511:0] data);
  assign latency_o = 32'(MUL_LATENCY);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;

  logic shell_clk, core_clk, reset;
  logic [31:0] flags, address, word;
  logic [511:0] beat, copied;
  assign {beat, word, address, flags} = in_i;
  always_ff @(posedge clk_i) {reset, core_clk, shell_clk} <= {flags[2] || rst_i, flags[1:0]};

  // The host's copies.
  always_ff @(posedge clk_i) begin
    automatic bit [511:0] data = '0;
    automatic chandle memory;
    case (flags[9:8])
      0: memory = u_host.memory;
      1: memory = u_x.u_memory.memory;
      default: memory = u_y.u_memory.memory;
    endcase
    if (valid_i && flags[5]) axi_memory_poke(memory, address, beat);
    if (valid_i && flags[6]) begin
      axi_memory_peek(memory, address, data);
      copied <= data;
    end
  end

  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  logic ended;
  logic [1:0] resp;
  logic [31:0] read;
  card_host u_card_host (
      .clk_i(shell_clk), .rst_i(reset), .toggle_i(flags[3]), .write_i(flags[4]), .address_i(address), .word_i(word),
      .ended_o(ended), .resp_o(resp), .read_o(read), .request_o(request), .response_i(response));

  `AXI_READ_WIRES(host)
  `AXI_WRITE_WIRES(host)
  `AXI_READ_WIRES(x)
  `AXI_READ_WIRES(y)
  reclaimer_card #(
      .CURVE(CURVE), .ADDERS(ADDERS), .WINDOW(WINDOW), .BANK_WIDTH(BANK_WIDTH), .PAIRS(16), .COLLISIONS(16), .CHAINS(CHAINS),
      .KIND(field_pkg::BEHAVIOURAL), .MUL_LATENCY(MUL_LATENCY), .BURST(BURST), .OUTSTANDING(OUTSTANDING)
  ) u_dut (
      .clk_i(shell_clk), .rst_i(reset), .core_clk_i(core_clk), `AXI_LITE_CONNECT(request, response, 13), .s_axi_awprot('0),
      .s_axi_arprot('0), `AXI_READ_CONNECT(m_axi_host, host), `AXI_WRITE_CONNECT(m_axi_host, host),
      `AXI_READ_CONNECT(m_axi_x, x), `AXI_READ_CONNECT(m_axi_y, y)
  );
  tb_axi_memory #(.KIND(KIND), .PAUSES(PAUSES), .BEATS(BEATS)) u_host (
      .clk_i(shell_clk), .rst_i(reset), `AXI_READ_CONNECT(s_axi, host), `AXI_WRITE_CONNECT(s_axi, host));
  tb_read_memory #(.KIND(KIND), .PHASE(3), .PAUSES(PAUSES), .BEATS(BEATS)) u_x (
      .clk_i(shell_clk), .rst_i(reset), `AXI_READ_CONNECT(s_axi, x));
  tb_read_memory #(.KIND(KIND), .PHASE(77), .PAUSES(PAUSES), .BEATS(BEATS)) u_y (
      .clk_i(shell_clk), .rst_i(reset), `AXI_READ_CONNECT(s_axi, y));

  logic [7:0] open_host, open_x, open_y;
  axi_check #(.BURST(BURST)) u_host_check (
      .clk_i(shell_clk), .rst_i(reset), `AXI_CHECK_READ(host), `AXI_CHECK_WRITE(host), .open_o(open_host));
  axi_check #(.BURST(BURST)) u_x_check (
      .clk_i(shell_clk), .rst_i(reset), `AXI_CHECK_READ(x), `AXI_CHECK_NO_WRITE, .open_o(open_x));
  axi_check #(.BURST(BURST)) u_y_check (
      .clk_i(shell_clk), .rst_i(reset), `AXI_CHECK_READ(y), `AXI_CHECK_NO_WRITE, .open_o(open_y));
  assign out_o = {copied, read, 16'b0, open_host + open_x + open_y, 5'b0, resp, ended};

  unread u_unread (.d_i(^{ready_i, flags}));
endmodule
