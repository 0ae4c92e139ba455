// SPDX-License-Identifier: MIT OR Apache-2.0
// first_come with any requesters. A requester that has asked enters the list, one in each cycle and the lowest first.
// Requesters leave in the order in which they entered, and each leaves once until it is served. The proof watches one
// arbitrary requester.
module formal_first_come #(
    parameter int REQUESTERS = 3
) (
    input logic                  clk_i,
    input logic                  rst_i,
    input logic [REQUESTERS-1:0] request_i,
    input logic [REQUESTERS-1:0] served_i,
    input logic                  ready_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] chosen;
  logic valid;
  logic [1:0] id;
  first_come #(.REQUESTERS(REQUESTERS)) u_dut (
      .clk_i, .rst_i, .request_i, .served_i, .valid_o(valid), .ready_i, .id_o(id));

  // True for requesters that have entered and are not served, and for requesters that have left; the number of listed
  // requesters, and how many of them are ahead of the chosen one.
  logic live;
  logic [REQUESTERS-1:0] entered, left, waiting, enters, leaves, asked;
  logic [2:0] listed, ahead;
  initial live = 1'b0;
  assign waiting = request_i & ~entered;
  assign enters = waiting & ~(waiting - 1'b1);
  assign leaves = valid && ready_i ? REQUESTERS'(1) << id : '0;
  always @* begin
    assume (chosen < REQUESTERS);
    // A request stays until it is served, which happens after it has left.
    if (live && !rst_i) begin
      assume ((asked & ~request_i) == 0);
      assume ((served_i & ~left) == 0);
    end
  end
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    asked <= request_i & ~served_i;
    entered <= (entered | enters) & ~served_i;
    left <= (left | leaves) & ~served_i;
    listed <= listed + 3'(enters != 0) - 3'(leaves != 0);
    if (enters[chosen]) ahead <= listed - 3'(leaves != 0);
    else if (leaves != 0) ahead <= ahead - 1'b1;
    if (rst_i) {entered, left, listed, asked} <= '0;
  end
  always @* if (live && !rst_i) begin
    assert (valid == (listed != 0));
    if (valid) assert (id < REQUESTERS && entered[id] && !left[id]);
    if (entered[chosen] && !left[chosen]) assert ((valid && id == chosen) == (ahead == 0));
  end
endmodule
