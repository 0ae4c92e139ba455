// SPDX-License-Identifier: MIT OR Apache-2.0
// Slots of te_two_cycle_add for full additions beside mixed additions, which cannot wait. A full addition is granted
// LEAD cycles before it comes to the adder, and the scheduler is held back in the cycles whose points would meet it
// there.
//
//   cycle of a point at the adder    its conflict, with a full addition that comes in cycle c
//   c - ADD_LATENCY                  its first product, at the multiplier
//   c - ADD_LATENCY + 1              its second product
//   c                                itself, at the adder's input
//   c + MUL_LATENCY + 1              its entry into the pipeline
//
// So the times of full additions depend only on each other, never on points. A point comes to the adder five cycles
// after its cycle at the scheduler. If it takes LATER cycles less, it is held LATER cycles later.
//
// Contract: an addition is granted in a cycle with valid_i and ready_o, and add_o is high LEAD cycles later, when the
// addition must be at the adder. No point may begin at the scheduler in a cycle with hold_o. rst_i forgets all earlier
// grants. The stages are te_two_cycle_add's.
module cyclone_slots #(
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int LATER = 0,
    localparam int ADD_LATENCY = (LATENCY - 2 * MUL_LATENCY) / 2,
    localparam int LEAD = ADD_LATENCY + 6
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic valid_i,
    output logic ready_o,
    output logic hold_o,
    output logic add_o
);
  // Cycles from an addition's first product to its third, which is the product of its entry.
  localparam int THIRD = MUL_LATENCY + 1 + ADD_LATENCY;
  localparam int DEPTH = THIRD + LATER + 1;
  if (MUL_LATENCY < 5 || LATER < 0 || ADD_LATENCY < 2) begin : g_invalid
    $error("cyclone_slots: MUL_LATENCY is at least 5, LATER at least 0, ADD_LATENCY at least 2");
  end

  // Grants by age: bit i is a grant of i + 1 cycles ago.
  logic [DEPTH-1:0] granted;
  always_ff @(posedge clk_i) granted <= rst_i ? '0 : DEPTH'({granted, valid_i && ready_o});
  // Conflicts with the second product of the previous addition, and with third products in the cycles of both products
  // of this addition.
  assign ready_o = !(granted[0] || granted[THIRD-1] || granted[THIRD-2]);
  assign hold_o = granted[LATER] || granted[LATER+1] || granted[LATER+ADD_LATENCY] || granted[LATER+THIRD];
  assign add_o = granted[LEAD-1];
endmodule
