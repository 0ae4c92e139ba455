// SPDX-License-Identifier: MIT OR Apache-2.0
// The addresses of a batch: base + step * i, plus the loop counter if the instruction asks for it.
//
// Contract: field_i is {counter, step, base} of the instruction. After a cycle with load_i, address_o is the address of
// the first element; each next_i advances it by one element. The longest batch does not overflow the 27 bits.
module msmac_address (
    input  logic        clk_i,
    input  logic        load_i,
    input  logic [34:0] field_i,
    input  logic [19:0] counter_i,
    input  logic        next_i,
    output logic [13:0] step_o,
    output logic [26:0] address_o
);
  always_ff @(posedge clk_i) begin
    if (next_i) address_o <= address_o + 27'(step_o);
    if (load_i) begin
      step_o <= field_i[33:20];
      address_o <= 27'(field_i[19:0]) + (field_i[34] ? 27'(counter_i) : 27'b0);
    end
  end
endmodule
