// SPDX-License-Identifier: MIT OR Apache-2.0
// A modular multiplier: the product of operands below 2 PRIME, reduced in the way that REDUCTION names.
//
// Contract: p_o in cycle t belongs to the operands of cycle t - LATENCY and is below PRIME. With MONTGOMERY it is a b /
// 2^WORD mod PRIME, with BARRETT a b mod PRIME; BARRETT ignores WORD.
`include "ports.svh"
module mod_mul #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 384,
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 39
) (
    `MODULAR_PRODUCT_PORTS
);
  if (REDUCTION == field_pkg::MONTGOMERY) begin : g_montgomery
    montgomery_mul #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF), .LATENCY(LATENCY)
    ) u_product (.clk_i, .a_i, .b_i, .p_o);
  end else if (REDUCTION == field_pkg::BARRETT) begin : g_barrett
    barrett_mul #(.WIDTH(WIDTH), .PRIME(PRIME), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF), .LATENCY(LATENCY)) u_product (
        .clk_i, .a_i, .b_i, .p_o);
  end else begin : g_invalid
    $error("mod_mul: REDUCTION is one of field_pkg's");
  end
endmodule
