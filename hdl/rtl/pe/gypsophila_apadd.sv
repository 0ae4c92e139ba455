// SPDX-License-Identifier: MIT OR Apache-2.0
// A shared adder, aPADD (3.3): apadd or apadd_rcb, by the curve, on packed points.
//
// Contract: as apadd's and apadd_rcb's, and the sum stays until the next addition is taken.
`include "ports.svh"
module gypsophila_apadd #(
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int TAG_WIDTH = 1,
    localparam int WIDTH = gypsophila_pkg::width(CURVE),
    localparam int POINT = gypsophila_pkg::coordinates(CURVE) * WIDTH
) (
    `WAITING_ADDER_PORTS(logic [POINT-1:0])
);
  if (CURVE == gypsophila_pkg::BLS12_377) begin : g_edwards
    apadd #(.KIND(KIND), .TAG_WIDTH(TAG_WIDTH)) u_add (
        .clk_i, .rst_i, .valid_i, .tag_i, .left_i, .right_i, .valid_o, .tag_o, .sum_o, .ready_o
    );
  end else if (CURVE == gypsophila_pkg::BN254) begin : g_weierstrass
    apadd_rcb #(.KIND(KIND), .TAG_WIDTH(TAG_WIDTH)) u_add (
        .clk_i, .rst_i, .valid_i, .tag_i, .left_i, .right_i, .valid_o, .tag_o, .sum_o, .ready_o
    );
  end else begin : g_invalid
    $error("gypsophila_apadd: CURVE is one of gypsophila_pkg's");
  end
endmodule
