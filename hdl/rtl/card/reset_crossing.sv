// SPDX-License-Identifier: MIT OR Apache-2.0
// The reset of a region with another clock, by request and acknowledgement.
//
// Contract: request_i is a register of clk_i. It stays high until acknowledged_o is high, and then low until acknowledged_o is low.
// reset_o is a register of other_clk_i. It rises after the request, stays high for at least four cycles of other_clk_i until
// acknowledged_o is high, and falls before acknowledged_o does. After power is on, request_i is high first.
module reset_crossing (
    input  logic clk_i,
    input  logic request_i,
    output logic acknowledged_o,
    input  logic other_clk_i,
    output logic reset_o
);
  (* async_reg = "true" *) logic asked_meta, asked, held_meta, held_seen;
  logic [3:0] cycles;
  always_ff @(posedge other_clk_i) begin
    {asked, asked_meta} <= {asked_meta, request_i};
    reset_o <= asked;
    cycles <= reset_o ? {cycles[2:0], 1'b1} : '0;
  end
  always_ff @(posedge clk_i) {held_seen, held_meta} <= {held_meta, cycles[3]};
  assign acknowledged_o = held_seen;

`ifdef FORMAL
  initial {asked_meta, asked, reset_o, cycles, held_meta, held_seen} = '0;
`endif
endmodule
