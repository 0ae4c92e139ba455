// SPDX-License-Identifier: MIT OR Apache-2.0
// Adds TERMS summands to two with the same sum mod 2^WIDTH: rounds of full adders (carry_save), each of which makes two
// summands of three (Wallace). Combinational, one or two levels of LUTs for each round.
module carry_save_tree #(
    parameter int WIDTH = 8,
    parameter int TERMS = 4
) (
    input  logic [TERMS*WIDTH-1:0] terms_i,
    output logic [      WIDTH-1:0] sum_o,
    output logic [      WIDTH-1:0] carries_o
);
  if (TERMS < 3) begin : g_invalid
    $error("carry_save_tree: TERMS is at least 3");
  end

  // Number of summands after this number of rounds, and number of rounds until two summands are left.
  function automatic int summands(input int rounds);
    summands = TERMS;
    for (int i = 0; i < rounds; i++) summands = summands - summands / 3;
  endfunction
  function automatic int rounds_to_two();
    rounds_to_two = 0;
    while (summands(rounds_to_two) > 2) rounds_to_two = rounds_to_two + 1;
  endfunction
  localparam int ROUNDS = rounds_to_two();

  for (genvar round = 0; round <= ROUNDS; round++) begin : g_round
    logic [summands(round)*WIDTH-1:0] terms;
    if (round == 0) begin : g_first
      assign terms = terms_i;
    end else begin : g_next
      localparam int BEFORE = summands(round - 1);
      for (genvar i = 0; i < BEFORE / 3; i++) begin : g_three
        carry_save #(.WIDTH(WIDTH)) u_two (
            .a_i(g_round[round-1].terms[3*i*WIDTH+:WIDTH]), .b_i(g_round[round-1].terms[(3*i+1)*WIDTH+:WIDTH]),
            .c_i(g_round[round-1].terms[(3*i+2)*WIDTH+:WIDTH]), .sum_o(terms[2*i*WIDTH+:WIDTH]),
            .carries_o(terms[(2*i+1)*WIDTH+:WIDTH]));
      end
      for (genvar i = 0; i < BEFORE % 3; i++) begin : g_rest
        assign terms[(BEFORE/3*2+i)*WIDTH+:WIDTH] = g_round[round-1].terms[(BEFORE/3*3+i)*WIDTH+:WIDTH];
      end
    end
  end
  assign {carries_o, sum_o} = g_round[ROUNDS].terms;
endmodule
