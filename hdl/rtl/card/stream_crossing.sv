// SPDX-License-Identifier: MIT OR Apache-2.0
// A stream's way from one region of the chip to another with its own clock: a register slice, the queue between the clocks, and
// another register slice. No logic of either region is on the way.
//
// Contract: as clock_crossing's, with two more places and one more cycle on either side.
module stream_crossing #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 16
) (
    input  logic             write_clk_i,
    input  logic             write_rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    input  logic             read_clk_i,
    input  logic             read_rst_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  logic in_valid, in_ready, out_valid, out_ready;
  logic [WIDTH-1:0] in, out;
  register_slice #(.WIDTH(WIDTH)) u_in (
      .clk_i(write_clk_i), .rst_i(write_rst_i), .valid_i, .ready_o, .data_i, .valid_o(in_valid), .ready_i(in_ready),
      .data_o(in)
  );
  clock_crossing #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_crossing (
      .write_clk_i, .write_rst_i, .valid_i(in_valid), .ready_o(in_ready), .data_i(in), .read_clk_i, .read_rst_i,
      .valid_o(out_valid), .ready_i(out_ready), .data_o(out)
  );
  register_slice #(.WIDTH(WIDTH)) u_out (
      .clk_i(read_clk_i), .rst_i(read_rst_i), .valid_i(out_valid), .ready_o(out_ready), .data_i(out), .valid_o, .ready_i,
      .data_o
  );
endmodule
