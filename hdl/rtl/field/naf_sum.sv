// SPDX-License-Identifier: MIT OR Apache-2.0
// The sum of a_i shifted by every digit of DIGITS that is one, modulo 2^OUT_WIDTH, by a tree of three-operand adders
// (CycloneMSM, Figure 3), which the carry chains of FPGAs have.
//
// Contract: sum_o in cycle t belongs to a_i of cycle t - LEVELS. LEVELS is at least what the number of digits takes,
// field_pkg::tree_latency.
module naf_sum #(
    parameter int WIDTH = 8,
    parameter int OUT_WIDTH = 16,
    parameter logic [field_pkg::WIDE-1:0] DIGITS = field_pkg::WIDE'(7),
    parameter int LEVELS = 1
) (
    input  logic                 clk_i,
    input  logic [    WIDTH-1:0] a_i,
    output logic [OUT_WIDTH-1:0] sum_o
);
  localparam int TERMS = field_pkg::ones_below(DIGITS, OUT_WIDTH);
  localparam int DEPTH = field_pkg::tree_latency(TERMS);
  if (LEVELS < DEPTH) begin : g_invalid
    $error("naf_sum: LEVELS is too short for the digits");
  end

  if (TERMS == 0) begin : g_zero
    logic unused;
    assign unused = ^{clk_i, a_i};
    assign sum_o = '0;
  end else begin : g_tree
    for (genvar level = 0; level <= DEPTH; level++) begin : g_level
      for (genvar i = 0; i < (TERMS + 3 ** level - 1) / 3 ** level; i++) begin : g_node
        logic [OUT_WIDTH-1:0] sum;
        if (level == 0) begin : g_leaf
          localparam int SHIFT = field_pkg::nth_one(DIGITS, i);
          assign sum = OUT_WIDTH'(a_i) << SHIFT;
        end else begin : g_sum
          localparam int BELOW = (TERMS + 3 ** (level - 1) - 1) / 3 ** (level - 1);
          if (3 * i + 2 < BELOW) begin : g_three
            always_ff @(posedge clk_i)
              sum <= g_level[level-1].g_node[3*i].sum + g_level[level-1].g_node[3*i+1].sum
                  + g_level[level-1].g_node[3*i+2].sum;
          end else if (3 * i + 1 < BELOW) begin : g_two
            always_ff @(posedge clk_i) sum <= g_level[level-1].g_node[3*i].sum + g_level[level-1].g_node[3*i+1].sum;
          end else begin : g_one
            always_ff @(posedge clk_i) sum <= g_level[level-1].g_node[3*i].sum;
          end
        end
      end
    end
    delay_line #(.WIDTH(OUT_WIDTH), .DEPTH(LEVELS - DEPTH)) u_align (
        .clk_i, .d_i(g_level[DEPTH].g_node[0].sum), .q_o(sum_o));
  end
endmodule
