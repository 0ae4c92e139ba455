// SPDX-License-Identifier: MIT OR Apache-2.0
// BLS12-381's base field; its G1 is y^2 = x^3 + 4.
package bls12_381_pkg;
  /* verilator lint_off UNUSEDPARAM */
  localparam int WIDTH = 381;
  localparam int WORD = 384;
  localparam logic [WIDTH-1:0] PRIME =
      381'h1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;
endpackage
