// SPDX-License-Identifier: MIT OR Apache-2.0
// The sum of a_i shifted by every digit of DIGITS that is one, modulo 2^OUT_WIDTH, by a tree of three-operand adders
// (CycloneMSM, Figure 3), which the carry chains of FPGAs support. A segment of field_pkg::SEGMENT bits comes a cycle
// after the segment below it, whose carries it takes.
//
// Contract: segment j of sum_o in cycle t belongs to a_i of cycle t - LEVELS - j. LEVELS is at least
// field_pkg::tree_latency of the number of digits.
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
  localparam int PLACE = field_pkg::PLACE;
  localparam logic [field_pkg::WIDE/2*PLACE-1:0] SHIFTS = field_pkg::ones(DIGITS);
  if (LEVELS < DEPTH) begin : g_invalid
    $error("naf_sum: LEVELS is too short for the digits");
  end

  // Number of summands of each level, whose nodes are side by side.
  function automatic int nodes(input int level);
    nodes = TERMS;
    for (int i = 0; i < level; i++) nodes = (nodes + 2) / 3;
  endfunction

  if (TERMS == 0) begin : g_zero
    unread u_unread (.d_i(^{clk_i, a_i}));
    assign sum_o = '0;
  end else begin : g_tree
    for (genvar segment = 0; segment * field_pkg::SEGMENT < OUT_WIDTH; segment++) begin : g_segment
      localparam int LOW = segment * field_pkg::SEGMENT;
      localparam int BITS = OUT_WIDTH - LOW < field_pkg::SEGMENT ? OUT_WIDTH - LOW : field_pkg::SEGMENT;
      logic [WIDTH-1:0] late;
      delay_line #(.WIDTH(WIDTH), .DEPTH(segment)) u_late (.clk_i, .d_i(a_i), .q_o(late));
      for (genvar level = 0; level <= DEPTH; level++) begin : g_level
        // The carries of this segment, two bits a node.
        logic [nodes(level)*BITS-1:0] sums;
        logic [nodes(level)*2-1:0] carries;
        unread u_unread (.d_i(^{carries, sums}));
        for (genvar i = 0; i < nodes(level); i++) begin : g_node
          if (level == 0) begin : g_leaf
            logic [OUT_WIDTH-1:0] shifted;
            assign shifted = OUT_WIDTH'(late) << SHIFTS[i*PLACE+:PLACE];
            assign sums[i*BITS+:BITS] = shifted[LOW+:BITS];
            assign carries[i*2+:2] = '0;
            unread u_unread (.d_i(^shifted));
          end else begin : g_sum
            localparam int BELOW = nodes(level - 1);
            localparam int COUNT = BELOW - 3 * i < 3 ? BELOW - 3 * i : 3;
            // Bits below the node's lowest digit are zero.
            localparam int FIRST = 32'(SHIFTS[i*3**level*PLACE+:PLACE]);
            localparam int ZEROS = FIRST < LOW ? 0 : FIRST - LOW < BITS ? FIRST - LOW : BITS;
            logic [BITS-1:0] sum;
            logic [1:0] above, carry;
            if (segment == 0) begin : g_lowest
              assign carry = '0;
            end else begin : g_above
              assign carry = g_segment[segment-1].g_level[level].carries[i*2+:2];
            end
            if (COUNT == 1 || ZEROS == BITS) begin : g_one
              assign {above, sum} = {2'b0, g_level[level-1].sums[3*i*BITS+:BITS]};
              unread u_unread (.d_i(^carry));
            end else if (COUNT == 2) begin : g_two
              assign {above, sum} = (BITS + 2)'(g_level[level-1].sums[3*i*BITS+:BITS])
                  + (BITS + 2)'(g_level[level-1].sums[(3*i+1)*BITS+:BITS]) + (BITS + 2)'(carry[0]);
              unread u_unread (.d_i(carry[1]));
            end else begin : g_three
              add_three #(.WIDTH(BITS - ZEROS)) u_sum (
                  .a_i(g_level[level-1].sums[3*i*BITS+ZEROS+:BITS-ZEROS]),
                  .b_i(g_level[level-1].sums[(3*i+1)*BITS+ZEROS+:BITS-ZEROS]),
                  .c_i(g_level[level-1].sums[(3*i+2)*BITS+ZEROS+:BITS-ZEROS]),
                  .carry_i(carry), .s_o(sum[BITS-1:ZEROS]), .carry_o(above));
              if (ZEROS > 0) begin : g_zeros
                assign sum[ZEROS-1:0] = '0;
              end
            end
            always_ff @(posedge clk_i) {carries[i*2+:2], sums[i*BITS+:BITS]} <= {above, sum};
          end
        end
      end
      delay_line #(.WIDTH(BITS), .DEPTH(LEVELS - DEPTH)) u_align (
          .clk_i, .d_i(g_level[DEPTH].sums), .q_o(sum_o[LOW+:BITS]));
    end
  end
endmodule
