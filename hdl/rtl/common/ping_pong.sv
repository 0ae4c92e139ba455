// SPDX-License-Identifier: MIT OR Apache-2.0
// Two buffers of DEPTH words: one is filled while the other is read, so words leave without a pause, however they
// arrive.
//
// Contract: a word is taken in a cycle with valid_i and ready_o, and leaves in a cycle with valid_o and ready_i, in
// order. A buffer can be read when it is full or its last word came with last_i. last_o is the last_i of the word that
// leaves.
module ping_pong #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 2
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    input  logic             last_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o,
    output logic             last_o
);
  if (DEPTH < 2) begin : g_invalid
    $error("ping_pong: DEPTH is at least 2");
  end

  localparam int INDEX = $clog2(DEPTH);
  // The buffer that the writer uses and the buffer that the reader uses; full buffers, and the places where they end.
  logic writing, reading;
  logic [1:0] full;
  logic [INDEX-1:0] written, read;
  logic [2*INDEX-1:0] ends;
  logic [WIDTH:0] words[2*DEPTH];
  logic take, leave, fills, empties;
  assign ready_o = !full[writing];
  assign valid_o = full[reading];
  assign take = valid_i && ready_o;
  assign leave = valid_o && ready_i;
  assign fills = take && (last_i || written == INDEX'(DEPTH - 1));
  assign empties = leave && read == ends[reading*INDEX+:INDEX];
  assign {last_o, data_o} = words[(INDEX+1)'(read)+(reading?(INDEX+1)'(DEPTH) : '0)];

  always_ff @(posedge clk_i) begin
    if (take) begin
      words[(INDEX+1)'(written)+(writing?(INDEX+1)'(DEPTH) : '0)] <= {last_i, data_i};
      written <= fills ? '0 : written + 1'b1;
    end
    if (leave) read <= empties ? '0 : read + 1'b1;
    if (fills) begin
      full[writing] <= 1'b1;
      ends[writing*INDEX+:INDEX] <= written;
      writing <= !writing;
    end
    if (empties) begin
      full[reading] <= 1'b0;
      reading <= !reading;
    end
    if (rst_i) begin
      writing <= 1'b0;
      reading <= 1'b0;
      full <= '0;
      written <= '0;
      read <= '0;
    end
  end
endmodule
