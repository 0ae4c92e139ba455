// SPDX-License-Identifier: MIT OR Apache-2.0
// The pipelined adder of a processing element, pPADD (3.2): te_add or rcb_add, by the curve, on packed points, with
// Barrett's reduction.
// Contract: a pipeline of padd_latency stages, with te_add's and rcb_add's contract.
// Contract: a pipeline of padd_latency stages, as te_add and rcb_add are.
module gypsophila_padd #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int TAG_WIDTH = 1,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    input  logic [TAG_WIDTH-1:0] tag_i,
    input  logic [    POINT-1:0] left_i,
    input  logic [    POINT-1:0] right_i,
    output logic                 valid_o,
    output logic [TAG_WIDTH-1:0] tag_o,
    output logic [    POINT-1:0] sum_o
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
