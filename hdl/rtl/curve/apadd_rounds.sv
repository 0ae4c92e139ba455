// SPDX-License-Identifier: MIT OR Apache-2.0
// The shared part of apadd and apadd_rcb: 17 rounds of nine cycles on one multiplier of half the width
// (montgomery_mul_shared). A multiplication may start at the end of each round.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o; valid_o comes LATENCY cycles later, and until
// then ready_o is low. left_i and right_i are the factors of round_o, below 2 PRIME. In the cycle of a round in which
// there_o is high, product_o is the product of the factors five rounds before. The last round has a product, and no
// factors.
module apadd_rounds #(
    parameter int WIDTH = 377,
    parameter logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME,
    parameter int WORD = 380,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LATENCY = 17 * 9 + 7
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    output logic [      4:0] round_o,
    input  logic [  WIDTH:0] left_i,
    input  logic [  WIDTH:0] right_i,
    output logic             there_o,
    output logic [WIDTH-1:0] product_o,
    output logic             valid_o
);
  localparam int ROUNDS = 17;
  localparam int LAST = LATENCY - ROUNDS * 9 - 2;
  if (LAST < 5 || LAST > 8) begin : g_invalid
    $error("apadd_rounds: the point is there in the last round, after the last product");
  end

  // The last product is ready in slot 4 of the last round, and the point in slot LAST.
  logic busy;
  logic [3:0] slot;
  assign ready_o = !busy;
  assign there_o = slot == 4'd4;
  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (!busy) begin
      busy <= valid_i;
      slot <= '0;
      round_o <= '0;
    end else begin
      slot <= slot == 4'd8 ? '0 : slot + 1'b1;
      if (slot == 4'd8) round_o <= round_o + 1'b1;
      if (round_o == 5'(ROUNDS) && slot == 4'(LAST)) begin
        busy <= 1'b0;
        valid_o <= 1'b1;
      end
    end
    if (rst_i) begin
      busy <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  montgomery_mul_shared #(.WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND)) u_mul (
      .clk_i, .slot_i(slot), .a_i(left_i), .b_i(right_i), .p_o(product_o));
endmodule
