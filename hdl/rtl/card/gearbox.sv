// SPDX-License-Identifier: MIT OR Apache-2.0
// Cuts words of IN bits and joins their bits to words of OUT bits, the lowest bits first. So words of any width pack into beats of
// memory, and back.
//
// Contract: a word is taken in a cycle with valid_i and ready_o, and leaves in a cycle with valid_o and ready_i. Neither ready_o
// nor valid_o depends on an input. last_i marks the last word of a packet. With PAD, the packet's last bits leave in a word that
// zeros fill up, with last_o. Without PAD, bits that fill no word are dropped, and last_o marks the last word that is full, which must
// have bits of the packet's last word, as after a gearbox with PAD; if words fit into its zeros, they are words of zeros. The next
// packet begins in a new word. If words leave at once, then a word leaves in each cycle while enough bits come.
module gearbox #(
    parameter int IN = 1152,
    parameter int OUT = 512,
    parameter bit PAD = 1
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           valid_i,
    output logic           ready_o,
    input  logic [ IN-1:0] data_i,
    input  logic           last_i,
    output logic           valid_o,
    input  logic           ready_i,
    output logic [OUT-1:0] data_o,
    output logic           last_o
);
  function automatic int gcd(input int a, input int b);
    gcd = 1;
    for (int divisor = 2; divisor <= a; divisor++) if (a % divisor == 0 && b % divisor == 0) gcd = divisor;
  endfunction

  if (IN < 1 || OUT < 1) begin : g_invalid
    $error("gearbox: words have at least one bit");
  end

  // Bits move in units of the widths' greatest common divisor.
  localparam int UNIT = gcd(IN, OUT);
  localparam int INS = IN / UNIT;
  localparam int OUTS = OUT / UNIT;
  // A word is taken if fewer units are there.
  localparam int MOST = OUTS + (INS < OUTS ? INS : OUTS);
  localparam int PLACES = MOST - 1 + INS;
  localparam int FILL = $clog2(PLACES + 1);
  logic [PLACES*UNIT-1:0] bits, joined;
  logic [FILL-1:0] fill, filled, drained;
  logic take, leave, ending, ends, full;

  assign full = fill >= FILL'(OUTS);
  assign valid_o = full || (PAD && ending && fill != 0);
  assign last_o = ending && (PAD ? fill <= FILL'(OUTS) : fill < FILL'(2 * OUTS));
  assign data_o = bits[OUT-1:0];
  assign ready_o = !ending && fill < FILL'(MOST);
  assign take = valid_i && ready_o;
  assign leave = valid_o && ready_i;

  // The bits behind `fill` are zero.
  assign joined = take ? bits | (PLACES * UNIT)'(data_i) << (32'(fill) * UNIT) : bits;
  assign filled = take ? fill + FILL'(INS) : fill;
  assign drained = filled - FILL'(OUTS);
  // The packet's last word leaves, or what is there is none.
  assign ends = ending && (leave ? last_o : !valid_o);

  always_ff @(posedge clk_i) begin
    bits <= leave ? joined >> OUT : joined;
    fill <= leave ? drained : filled;
    if (take) ending <= last_i;
    if (ends || rst_i) begin
      bits <= '0;
      fill <= '0;
      ending <= 1'b0;
    end
  end
endmodule
