// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two integers, by the multiplier that KIND names (field_pkg).
//
// Contract: p_o in cycle t is a_i * b_i of cycle t - LATENCY, with LATENCY = field_pkg::mul_latency(KIND, WIDTH, LAYERS, LEAF).
module mul_int #(
    parameter int WIDTH = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY
) (
    input  logic               clk_i,
    input  logic [  WIDTH-1:0] a_i,
    input  logic [  WIDTH-1:0] b_i,
    output logic [2*WIDTH-1:0] p_o
);
  if (KIND == field_pkg::BEHAVIOURAL) begin : g_behavioural
    delay_line #(.WIDTH(2 * WIDTH), .DEPTH(LEAF)) u_product (
        .clk_i, .d_i(a_i * b_i), .q_o(p_o));
  end else if (KIND == field_pkg::KARATSUBA) begin : g_karatsuba
    mul_karatsuba #(.WIDTH(WIDTH), .LAYERS(LAYERS), .LEAF(LEAF)) u_product (.clk_i, .a_i, .b_i, .p_o);
  end else if (KIND == field_pkg::HYBRID) begin : g_hybrid
    mul_hybrid #(.WIDTH(WIDTH), .LAYERS(LAYERS), .LEAF(LEAF)) u_product (.clk_i, .a_i, .b_i, .p_o);
  end else begin : g_invalid
    $error("mul_int: KIND is one of field_pkg's");
  end
endmodule
