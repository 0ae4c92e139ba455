// Registers of 32 bits behind AXI4-Lite: WORDS of them to read, of which those in WRITABLE can be written.
//
// Contract: AXI4-Lite's, with one read and one write on the way. Address and data of a write are taken in the same cycle.
// What is read are values_i of the cycle in which the address is taken. write_o is high for one cycle with the word's
// number and its data. Answers are OKAY, or SLVERR for an address that is none of a word's, for a write to a word
// that cannot be written, and for one of less than a word; then nothing is written and zero is read.
module axi_lite_registers #(
    parameter int WORDS = 4,
    parameter logic [WORDS-1:0] WRITABLE = '0,
    localparam int INDEX = $clog2(WORDS),
    localparam int ADDRESS = INDEX + 2
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic                awvalid_i,
    output logic                awready_o,
    input  logic [ ADDRESS-1:0] awaddr_i,
    input  logic                wvalid_i,
    output logic                wready_o,
    input  logic [        31:0] wdata_i,
    input  logic [         3:0] wstrb_i,
    output logic                bvalid_o,
    input  logic                bready_i,
    output logic [         1:0] bresp_o,
    input  logic                arvalid_i,
    output logic                arready_o,
    input  logic [ ADDRESS-1:0] araddr_i,
    output logic                rvalid_o,
    input  logic                rready_i,
    output logic [        31:0] rdata_o,
    output logic [         1:0] rresp_o,
    input  logic [32*WORDS-1:0] values_i,
    output logic                write_o,
    output logic [   INDEX-1:0] write_index_o,
    output logic [        31:0] write_data_o
);
  logic writable, readable;
  logic [INDEX-1:0] read_index;
  axi_lite_slave #(.ADDRESS_WIDTH(ADDRESS)) u_bus (
      .clk_i, .rst_i, .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o, .bready_i,
      .bresp_o, .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .write_o, .write_address_o(write_index_o), .write_data_o, .write_ok_i(writable),
      .read_address_o(read_index), .read_data_i(readable ? values_i[32*32'(read_index)+:32] : '0),
      .read_ok_i(readable)
  );
  assign writable = 32'(write_index_o) < WORDS && WRITABLE[write_index_o];
  assign readable = 32'(read_index) < WORDS;
endmodule
