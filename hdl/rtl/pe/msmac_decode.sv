// SPDX-License-Identifier: MIT OR Apache-2.0
// Splits an MSMAC instruction into its fields, without a register. The encoding is in crates/hardware/src/msmac/isa.rs.
//
// Contract: exactly one of padd_o, jmp_o, set_o, nop_o is high. With padd_o, the fields of a batch are valid: the
// places of its summands (zero, if no place is high) and of its sum. invalid_o is high if the bits are not an
// instruction.
module msmac_decode (
    input  logic [127:0] instruction_i,
    output logic         padd_o,
    output logic         jmp_o,
    output logic         set_o,
    output logic         nop_o,
    // The size of a batch, or the target of a jump.
    output logic [ 11:0] size_o,
    output logic [ 19:0] immediate_o,
    output logic [  2:0] condition_o,
    output logic         left_bucket_o,
    output logic         left_temp_o,
    output logic         right_bucket_o,
    output logic         right_temp_o,
    output logic         right_input_o,
    output logic         right_conflict_o,
    output logic         to_bucket_o,
    output logic         to_temp_o,
    output logic         to_output_o,
    output logic [ 34:0] left_address_o,
    output logic [ 34:0] right_address_o,
    output logic [ 34:0] to_address_o,
    output logic         invalid_o
);
  logic [1:0] left, destination;
  logic [2:0] right;
  assign padd_o = instruction_i[1:0] == 2'd0;
  assign jmp_o = instruction_i[1:0] == 2'd1;
  assign set_o = instruction_i[1:0] == 2'd2;
  assign nop_o = instruction_i[1:0] == 2'd3;
  assign size_o = instruction_i[13:2];
  assign immediate_o = instruction_i[21:2];
  assign condition_o = instruction_i[16:14];
  assign {to_address_o, right_address_o, left_address_o, destination, right, left} = instruction_i[125:14];
  assign left_bucket_o = left == 2'd1;
  assign left_temp_o = left == 2'd2;
  assign right_bucket_o = right == 3'd1;
  assign right_temp_o = right == 3'd2;
  assign right_input_o = right == 3'd3;
  assign right_conflict_o = right == 3'd4;
  assign to_output_o = destination == 2'd0;
  assign to_bucket_o = destination == 2'd1;
  assign to_temp_o = destination == 2'd2;

  logic stream, bad_operand, bad_address, bad_padd;
  assign stream = right_input_o || right_conflict_o;
  assign bad_operand = left == 2'd3 || right > 3'd4 || destination == 2'd3 || (left_bucket_o && right_bucket_o)
      || (stream && !(left_bucket_o && to_bucket_o && left_address_o == to_address_o));
  // A field without an address has zeros there.
  assign bad_address = (!left_bucket_o && !left_temp_o && left_address_o != 0)
      || (!right_bucket_o && !right_temp_o && right_address_o != 0) || (to_output_o && to_address_o != 0);
  assign bad_padd = size_o == 0 || bad_operand || bad_address || instruction_i[127:126] != 0;
  assign invalid_o = padd_o ? bad_padd
      : jmp_o ? condition_o > 3'd4 || instruction_i[127:17] != 0 : instruction_i[127:22] != 0;
endmodule
