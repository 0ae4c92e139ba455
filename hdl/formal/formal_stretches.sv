// SPDX-License-Identifier: MIT OR Apache-2.0
// An address channel of AXI4 behind axi_bursts: its bursts are exactly the stretches that were taken, in their order. A burst
// stays until it is taken, has at most BURST beats of 16 bits, and does not cross 4 KiB. No more than OUTSTANDING bursts wait for the end of
// their answer (ends_i).
module formal_stretches #(
    parameter int BURST = 4,
    parameter int OUTSTANDING = 2,
    parameter int COUNT = 4,
    parameter int ADDRESS = 13
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             live_i,
    input logic             take_i,
    input logic [ADDRESS-2:0] address_i,
    input logic [COUNT-1:0] beats_i,
    input logic             valid_i,
    input logic             ready_i,
    input logic [ADDRESS-1:0] bus_address_i,
    input logic [      7:0] len_i,
    input logic             ends_i
);
  logic waits, more;
  logic [ADDRESS-1:0] waiting_address;
  logic [7:0] waiting_len;
  logic [ADDRESS-2:0] next, more_next;
  logic [COUNT-1:0] left, more_left, rest;
  logic [3:0] open;
  assign rest = valid_i && ready_i ? left - COUNT'(len_i) - 1'b1 : left;
  always @(posedge clk_i) begin
    waits <= valid_i && !ready_i;
    {waiting_address, waiting_len} <= {bus_address_i, len_i};
    open <= open + 4'(valid_i && ready_i) - 4'(ends_i);
    left <= rest;
    if (valid_i && ready_i) next <= next + (ADDRESS - 1)'(len_i) + 1'b1;
    if (rest == 0) begin
      {next, left} <= more ? {more_next, more_left} : {address_i, take_i ? beats_i : COUNT'(0)};
      more <= more && take_i;
    end else begin
      more <= more || take_i;
    end
    if (take_i) {more_next, more_left} <= {address_i, beats_i};
    if (rst_i) begin
      {waits, more} <= '0;
      left <= '0;
      open <= '0;
    end
  end
  always @* if (live_i && !rst_i) begin
    if (waits) assert (valid_i && bus_address_i == waiting_address && len_i == waiting_len);
    if (valid_i) begin
      assert (bus_address_i == {next, 1'b0} && COUNT'(len_i) < left && len_i < BURST);
      assert (12'(bus_address_i[11:1]) + len_i <= 2047);
    end
    assert (open + 4'(valid_i) <= OUTSTANDING);
    // A third stretch is not taken while a burst of the first one waits.
    if (more && rest != 0) assert (!take_i);
  end
endmodule
