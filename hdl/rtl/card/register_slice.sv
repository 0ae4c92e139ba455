// SPDX-License-Identifier: MIT OR Apache-2.0
// Registers in both directions of a stream, where it goes from a region of the chip to another: neither valid and data nor ready pass in
// the same cycle.
//
// Contract: as fifo's, with two places. valid_o, data_o and ready_o are registers. If words leave at once, then a word passes in each
// cycle.
module register_slice #(
    parameter int WIDTH = 1
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  // The word that came while data_o had to wait; it is there exactly if ready_o is low.
  logic [WIDTH-1:0] spare;
  always_ff @(posedge clk_i) begin
    if (ready_o) spare <= data_i;
    if (!valid_o || ready_i) begin
      valid_o <= valid_i || !ready_o;
      data_o <= ready_o ? data_i : spare;
      ready_o <= 1'b1;
    end else if (valid_i) begin
      ready_o <= 1'b0;
    end
    if (rst_i) begin
      valid_o <= 1'b0;
      ready_o <= 1'b1;
    end
  end
endmodule
