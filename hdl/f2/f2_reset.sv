// SPDX-License-Identifier: MIT OR Apache-2.0
// The card's reset. It stays high until all conditions have been high for 64 cycles of clk_i: at least eight cycles of the core's clock, if
// its frequency is at least an eighth of clk_i's.
//
// Contract: ready_i has COUNT conditions, for example resets of other clocks, active low. They may change at any time.
module f2_reset #(
    parameter int COUNT = 1
) (
    input  logic             clk_i,
    input  logic [COUNT-1:0] ready_i,
    output logic             rst_o
);
  (* async_reg = "true" *) logic [COUNT-1:0] ready_meta, ready;
  logic [5:0] cycles;
  initial begin
    ready_meta = '0;
    ready = '0;
    cycles = '0;
    rst_o = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    {ready, ready_meta} <= {ready_meta, ready_i};
    rst_o <= cycles != 6'd63 || !(&ready);
    if (!(&ready)) cycles <= '0;
    else if (cycles != 6'd63) cycles <= cycles + 1'b1;
  end
endmodule
