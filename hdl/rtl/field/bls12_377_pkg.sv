// SPDX-License-Identifier: MIT OR Apache-2.0
// BLS12-377's base field, and its G1 as a twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2.
package bls12_377_pkg;
  /* verilator lint_off UNUSEDPARAM */
  localparam int WIDTH = 377;
  localparam int WORD = 384;
  localparam logic [WIDTH-1:0] PRIME =
      377'h01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001;
  // k = 2 d, as in CycloneMSM 2.1; not in Montgomery form.
  localparam logic [WIDTH-1:0] K =
      377'h0196bab03169a4f2ca0b7670ae65fc7437786998c1a32d217f165b2fe0b32139735d947870e3d3e4e02c125684d6e016;

  // A point in extended projective coordinates, and a point for mixed additions, u = 2 d x y.
  typedef struct packed {logic [WIDTH-1:0] t, z, y, x;} extended_t;
  typedef struct packed {logic [WIDTH-1:0] u, y, x;} affine_t;
endpackage
