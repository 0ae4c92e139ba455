// SPDX-License-Identifier: MIT OR Apache-2.0
// clock_crossing between two clocks of the bench's making: bit 0 of in_i is the level of the writer's clock, bit 1 the reader's.
// Bit 2 and bit 3 say whether the writer offers an entry and the reader takes one; bit 4 is the reset of both. Entries are numbers that
// count up, spread over 64 bits.
//
//   out_o: the number of entries that were taken, the number that left, cycles of the writer, cycles of the reader
module tb_crossing #(
    parameter int DEPTH = 4
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [ 31:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [127:0] out_o,
    output logic [ 31:0] latency_o
);
  assign latency_o = 32'(DEPTH);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;

  logic write_clk, read_clk, offers, takes, reset, write_ready, read_valid, waits;
  logic [31:0] written, read, write_cycles, read_cycles;
  logic [63:0] data;
  assign out_o = {read_cycles, write_cycles, read, written};
  always_ff @(posedge clk_i) {reset, takes, offers, read_clk, write_clk} <= in_i[4:0];

  function automatic logic [63:0] entry(input logic [31:0] number);
    entry = {number * 32'h9e3779b1, number};
  endfunction

  clock_crossing #(.WIDTH(64), .DEPTH(DEPTH)) u_dut (
      .write_clk_i(write_clk), .write_rst_i(reset), .valid_i(waits || offers), .ready_o(write_ready), .data_i(entry(written)),
      .read_clk_i(read_clk), .read_rst_i(reset), .valid_o(read_valid), .ready_i(takes), .data_o(data)
  );
  always_ff @(posedge write_clk) begin
    write_cycles <= write_cycles + 1'b1;
    waits <= (waits || offers) && !write_ready;
    written <= written + 32'((waits || offers) && write_ready);
    if (reset) begin
      {written, write_cycles} <= '0;
      waits <= 1'b0;
    end
  end
  always_ff @(posedge read_clk) begin
    read_cycles <= read_cycles + 1'b1;
    read <= read + 32'(read_valid && takes);
    if (!reset && read_valid && data != entry(read)) $error("tb_crossing: an entry is lost, changed or out of order");
    if (reset) {read, read_cycles} <= '0;
  end

  unread u_unread (.d_i(^{rst_i, valid_i, ready_i, in_i[31:5]}));
endmodule
