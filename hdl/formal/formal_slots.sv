// SPDX-License-Identifier: MIT OR Apache-2.0
// cyclone_slots in front of an adder that keeps te_two_cycle_add's contract, with any points and any requests. No two
// additions come in one cycle to the adder's input, to its pipeline's entry or to the multiplier of full additions.
module formal_slots #(
    parameter int MUL_LATENCY = 5,
    parameter int LATENCY = 15,
    parameter int LATER = 0
) (
    input logic clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic point_i
);
  localparam int ADD_LATENCY = (LATENCY - 2 * MUL_LATENCY) / 2;
  localparam int LEAD = ADD_LATENCY + 6;
  // Number of cycles from the scheduler to the adder.
  localparam int BEFORE = 5 - LATER;
  initial assume (rst_i);
  logic ready, hold, add, live;
  initial live = 1'b0;
  cyclone_slots #(.MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .LATER(LATER)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .hold_o(hold), .add_o(add));

  logic [BEFORE-1:0] points;
  logic [MUL_LATENCY:0] full;
  logic [ADD_LATENCY-1:0] entered;
  logic [LEAD-1:0] granted;
  logic point, first, second, returns, third;
  assign point = points[BEFORE-1];
  assign first = add;
  assign second = full[0];
  assign returns = full[MUL_LATENCY];
  assign third = entered[ADD_LATENCY-1];
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    points <= rst_i ? '0 : BEFORE'({points, point_i && !hold});
    full <= rst_i ? '0 : (MUL_LATENCY + 1)'({full, add});
    entered <= rst_i ? '0 : ADD_LATENCY'({entered, point || returns});
    granted <= rst_i ? '0 : LEAD'({granted, valid_i && ready});
  end
  always @* if (live && !rst_i) begin
    assert (!(point && add));
    assert (!(point && returns));
    assert (!(first && second) && !(first && third) && !(second && third));
    assert (add == granted[LEAD-1]);
  end
endmodule
