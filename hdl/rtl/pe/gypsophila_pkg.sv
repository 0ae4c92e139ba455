// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila's two curves: the form of a point, and the time of its additions. BLS12-377 has points of its twisted
// Edwards form, {T, Z, Y, X}; BN254, which has no Edwards form, {Z, Y, X}. Coordinates are not in Montgomery's form.
package gypsophila_pkg;
  /* verilator lint_off UNUSEDPARAM */
  localparam int BLS12_377 = 0;
  localparam int BN254 = 1;

  // Bits of a coordinate.
  function automatic int width(input int curve);
    width = curve == BLS12_377 ? bls12_377_pkg::WIDTH : bn254_pkg::WIDTH;
  endfunction

  // Bits of a coordinate on a stream.
  function automatic int word(input int curve);
    word = curve == BLS12_377 ? bls12_377_pkg::WORD : bn254_pkg::WORD;
  endfunction

  function automatic int coordinates(input int curve);
    coordinates = curve == BLS12_377 ? 4 : 3;
  endfunction

  // Stages of the pipelined adder.
  function automatic int padd_latency(input int curve, input int mul_latency);
    padd_latency = curve == BLS12_377 ? 3 * mul_latency + 6 : 2 * mul_latency + 12;
  endfunction
endpackage
