// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer's curves, y^2 = x^3 + b. Coordinates are in Montgomery's form; (0, 0), which is on none of the curves, is
// infinity.
package reclaimer_pkg;
  /* verilator lint_off UNUSEDPARAM */
  localparam int BLS12_377 = 0;
  localparam int BN254 = 1;
  localparam int BLS12_381 = 2;

  // Bits of a coordinate.
  function automatic int width(input int curve);
    width = curve == BLS12_377 ? bls12_377_pkg::WIDTH : curve == BN254 ? bn254_pkg::WIDTH : bls12_381_pkg::WIDTH;
  endfunction

  // Bits of a coordinate on a stream, and of Montgomery's form.
  function automatic int word(input int curve);
    word = curve == BLS12_377 ? bls12_377_pkg::WORD : curve == BN254 ? bn254_pkg::WORD : bls12_381_pkg::WORD;
  endfunction

  function automatic logic [field_pkg::WIDE-1:0] prime(input int curve);
    prime = curve == BLS12_377 ? field_pkg::WIDE'(bls12_377_pkg::PRIME)
        : curve == BN254 ? field_pkg::WIDE'(bn254_pkg::PRIME) : field_pkg::WIDE'(bls12_381_pkg::PRIME);
  endfunction
endpackage
