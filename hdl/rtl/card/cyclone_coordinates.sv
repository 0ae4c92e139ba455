// SPDX-License-Identifier: MIT OR Apache-2.0
// A coordinate of up to 2^SIZE points in a RAM, as a stream: all of them once a start.
//
// Contract: start_i comes while nothing is sent, with the number of coordinates; a stream has them in their order, and
// ends with last_o. Nothing is written while a stream is sent.
module cyclone_coordinates #(
    parameter int SIZE = 10,
    localparam int WIDTH = bls12_377_pkg::WIDTH
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             write_i,
    input  logic [ SIZE-1:0] address_i,
    input  logic [WIDTH-1:0] data_i,
    input  logic             start_i,
    input  logic [   SIZE:0] length_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic             last_o
);
  // Coordinates that are not read yet; the next one.
  logic [SIZE:0] left;
  logic [SIZE-1:0] next;
  logic read;
  assign read = left != 0 && (!valid_o || ready_i);
  ram_sdp #(.WIDTH(WIDTH), .DEPTH(1 << SIZE)) u_ram (
      .clk_i, .write_i, .write_address_i(address_i), .data_i, .read_i(read), .read_address_i(next), .data_o);
  always_ff @(posedge clk_i) begin
    if (ready_i) valid_o <= 1'b0;
    if (read) begin
      valid_o <= 1'b1;
      last_o <= left == 1;
      next <= next + 1'b1;
      left <= left - 1'b1;
    end
    if (start_i) begin
      left <= length_i;
      next <= '0;
    end
    if (rst_i) begin
      valid_o <= 1'b0;
      left <= '0;
    end
  end
endmodule
