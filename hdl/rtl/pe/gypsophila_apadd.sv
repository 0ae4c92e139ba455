// SPDX-License-Identifier: MIT OR Apache-2.0
// A shared adder, aPADD (3.3): apadd or apadd_rcb, by the curve, on packed points.
//
// Contract: as apadd's and apadd_rcb's, and the sum stays until the next addition is taken.
module gypsophila_apadd #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int KIND = field_pkg::KARATSUBA,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [POINT-1:0] left_i,
    input  logic [POINT-1:0] right_i,
    output logic             valid_o,
    output logic [POINT-1:0] sum_o
);
  logic unused_tag;
  if (CURVE == gypsophila_pkg::BLS12_377) begin : g_edwards
    apadd #(.KIND(KIND)) u_add (
        .clk_i, .rst_i, .valid_i, .ready_o, .tag_i(1'b0), .left_i, .right_i,
        .valid_o, .tag_o(unused_tag), .sum_o
    );
  end else if (CURVE == gypsophila_pkg::BN254) begin : g_weierstrass
    apadd_rcb #(.KIND(KIND)) u_add (
        .clk_i, .rst_i, .valid_i, .ready_o, .tag_i(1'b0), .left_i, .right_i,
        .valid_o, .tag_o(unused_tag), .sum_o
    );
  end else begin : g_invalid
    $error("gypsophila_apadd: CURVE is one of gypsophila_pkg's");
  end
endmodule
