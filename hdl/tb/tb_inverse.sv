// SPDX-License-Identifier: MIT OR Apache-2.0
// divstep_inverse with the ports of every bench: in_i is an operand, out_o its inverse, of WORD bits each.
module tb_inverse #(
    // 0 is BLS12-377, 1 is BN254.
    parameter int FIELD = 0,
    localparam int WORD = FIELD == 0 ? bls12_377_pkg::WORD : bn254_pkg::WORD
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [WORD-1:0] in_i,
    output logic            valid_o,
    input  logic            ready_i,
    output logic [WORD-1:0] out_o,
    output logic [    31:0] latency_o
);
  localparam int WIDTH = FIELD == 0 ? bls12_377_pkg::WIDTH : bn254_pkg::WIDTH;
  localparam logic [WIDTH-1:0] PRIME = FIELD == 0 ? WIDTH'(bls12_377_pkg::PRIME) : WIDTH'(bn254_pkg::PRIME);
  assign out_o[WORD-1:WIDTH] = '0;
  assign latency_o = 32'(field_pkg::divsteps(WIDTH) + 3);
  divstep_inverse #(.WIDTH(WIDTH), .PRIME(PRIME)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o, .a_i(in_i[WIDTH-1:0]), .valid_o, .inverse_o(out_o[WIDTH-1:0]));

  unread u_unread (.d_i(^{ready_i, in_i[WORD-1:WIDTH]}));
endmodule
