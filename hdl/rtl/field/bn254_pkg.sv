// SPDX-License-Identifier: MIT OR Apache-2.0
// BN254's base field (the papers' BN128 and BN256); its G1 is y^2 = x^3 + 3.
package bn254_pkg;
  /* verilator lint_off UNUSEDPARAM */
  localparam int WIDTH = 254;
  localparam int WORD = 256;
  localparam logic [WIDTH-1:0] PRIME =
      254'h30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47;

  // 3 b of the curve's equation.
  localparam int B3 = 9;

  // A point in projective coordinates, and a point of the streams.
  typedef struct packed {logic [WIDTH-1:0] z, y, x;} projective_t;
  typedef struct packed {logic [WIDTH-1:0] y, x;} affine_t;
endpackage
