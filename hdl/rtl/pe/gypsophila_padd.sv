// SPDX-License-Identifier: MIT OR Apache-2.0
// The pipelined adder of a processing element, pPADD (3.2): te_add or rcb_add, by the curve, on packed points, with
// Barrett's reduction.
//
// Contract: a pipeline of padd_latency stages, as te_add and rcb_add are.
`include "ports.svh"
module gypsophila_padd #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int TAG_WIDTH = 1,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    `ADDER_PORTS(logic [POINT-1:0], logic [POINT-1:0], logic [POINT-1:0])
);
  if (CURVE == gypsophila_pkg::BLS12_377) begin : g_edwards
    te_add #(
        .REDUCTION(field_pkg::BARRETT), .KIND(KIND), .LAYERS(4), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .TAG_WIDTH(TAG_WIDTH)
    ) u_add (
        .clk_i, .rst_i, .valid_i, .tag_i, .left_i, .right_i, .valid_o, .tag_o, .sum_o
    );
  end else if (CURVE == gypsophila_pkg::BN254) begin : g_weierstrass
    rcb_add #(
        .REDUCTION(field_pkg::BARRETT), .KIND(KIND), .LAYERS(4), .MUL_LATENCY(MUL_LATENCY), .LEAF(LEAF), .TAG_WIDTH(TAG_WIDTH)
    ) u_add (
        .clk_i, .rst_i, .valid_i, .tag_i, .left_i, .right_i, .valid_o, .tag_o, .sum_o
    );
  end else begin : g_invalid
    $error("gypsophila_padd: CURVE is one of gypsophila_pkg's");
  end
endmodule
