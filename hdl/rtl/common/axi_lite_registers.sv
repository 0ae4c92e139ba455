// SPDX-License-Identifier: MIT OR Apache-2.0
// Registers of 32 bits behind AXI4-Lite: WORDS of them to read. Words in WRITABLE can be written, too.
//
// Contract: as AXI4-Lite, with one read and one write under way (axi_lite_slave). A read gets values_i of the cycle in
// which the address is taken. write_o is high for one cycle, with the word's number and its data. The answer is OKAY,
// or SLVERR in three cases: the address belongs to no word, the word cannot be written, or the write has less than a
// word. Then no register is written, and a read gives zero. Only the lowest bits of an address count: the bits that
// number WORDS words.
module axi_lite_registers #(
    parameter int WORDS = 4,
    parameter logic [WORDS-1:0] WRITABLE = '0,
    localparam int INDEX = $clog2(WORDS)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  axi_lite_pkg::request_t  axi_i,
    output axi_lite_pkg::response_t axi_o,
    input  logic [    32*WORDS-1:0] values_i,
    output logic                    write_o,
    output logic [       INDEX-1:0] write_index_o,
    output logic [            31:0] write_data_o
);
  if (WORDS < 2) begin : g_invalid
    $error("axi_lite_registers: WORDS is at least 2");
  end

  logic writable, readable;
  logic [INDEX-1:0] read_index;
  axi_lite_slave #(.ADDRESS_WIDTH(INDEX + 2)) u_bus (
      .clk_i, .rst_i, .axi_i, .axi_o,
      .write_o, .write_address_o(write_index_o), .write_data_o, .write_ok_i(writable),
      .read_address_o(read_index), .read_wait_i(1'b0), .read_data_i(readable ? values_i[32*32'(read_index)+:32] : '0),
      .read_ok_i(readable)
  );
  assign writable = 32'(write_index_o) < WORDS && WRITABLE[write_index_o];
  assign readable = 32'(read_index) < WORDS;
endmodule
