// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's program memory and program counter.
//
// Contract: instruction_o is the word at pc_o, which stays until advance_i; then pc_o is target_i if jump_i, otherwise
// the next address. After a cycle with restart_i it is 0. An instruction is written in four words of 32 bits, the
// lowest word first, two cycles before it is read.
module msmac_fetch #(
    parameter int PROGRAM = 64,
    localparam int ADDRESS = $clog2(PROGRAM)
) (
    input  logic               clk_i,
    input  logic               write_i,
    input  logic [ADDRESS+1:0] write_address_i,
    input  logic [       31:0] data_i,
    input  logic               restart_i,
    input  logic               advance_i,
    input  logic               jump_i,
    input  logic [       11:0] target_i,
    output logic [       12:0] pc_o,
    output logic [      127:0] instruction_o
);
  if (PROGRAM < 2 || PROGRAM > 4096) begin : g_invalid
    $error("msmac_fetch: PROGRAM is from 2 to 4096");
  end

  logic [12:0] next;
  always_comb begin
    next = pc_o;
    if (advance_i) next = jump_i ? {1'b0, target_i} : pc_o + 1'b1;
    if (restart_i) next = '0;
  end
  always_ff @(posedge clk_i) pc_o <= next;

  for (genvar i = 0; i < 4; i++) begin : g_word
    ram_sdp #(.WIDTH(32), .DEPTH(PROGRAM)) u_words (
        .clk_i, .write_i(write_i && write_address_i[1:0] == 2'(i)), .write_address_i(write_address_i[ADDRESS+1:2]),
        .data_i, .read_i(1'b1), .read_address_i(next[ADDRESS-1:0]), .data_o(instruction_o[32*i+:32])
    );
  end
endmodule
