// SPDX-License-Identifier: MIT OR Apache-2.0
// Clock and reset of a stand-alone bench, its end and its verdict: a line, and an error if a check fails.
//
//   +wave=FILE     writes waveforms; +cycles=N ends after N cycles. Without it, a million cycles are an error
module play #(
    parameter string NAME = ""
) (
    output logic clk_o,
    output logic rst_o,
    input  logic done_i,
    input  int   wrong_i
);
  string wave;
  int cycle, cycles;
  initial begin
    if ($value$plusargs("cycles=%d", cycles) == 0) cycles = 1000000;
    if ($value$plusargs("wave=%s", wave) != 0) begin
      $dumpfile(wave);
      $dumpvars(0);
    end
    clk_o = 1'b0;
    rst_o = 1'b1;
    cycle = 0;
  end
  always #2 clk_o = !clk_o;
  // An excess word would come soon.
  int rest;
  initial rest = 0;
  always @(posedge clk_o) begin
    cycle <= cycle + 1;
    rst_o <= cycle < 2;
    rest <= done_i ? rest + 1 : 0;
    if (rest == 20) begin
      if (wrong_i != 0) $fatal(1, "%s: %0d words are wrong", NAME, wrong_i);
      $display("%s: all as it should be, in %0d cycles", NAME, cycle);
      $finish;
    end else if (cycle == cycles) begin
      if (cycles == 1000000 || wrong_i != 0) $fatal(1, "%s: no end after %0d cycles, %0d words are wrong", NAME, cycle, wrong_i);
      $display("%s: the first %0d cycles", NAME, cycle);
      $finish;
    end
  end
endmodule
