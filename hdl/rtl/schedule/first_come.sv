// SPDX-License-Identifier: MIT OR Apache-2.0
// Requesters in the order in which they came; if several come in one cycle, lower numbers go first.
//
// Contract: request_i stays until served_i. valid_o has the number of the first requester, which leaves in a cycle with
// ready_i. A requester that has left requests again only after its served_i, which is high for one cycle.
module first_come #(
    parameter int REQUESTERS = 4,
    localparam int ID = REQUESTERS > 1 ? $clog2(REQUESTERS) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic [REQUESTERS-1:0] request_i,
    input  logic [REQUESTERS-1:0] served_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [        ID-1:0] id_o
);
  if (REQUESTERS < 1) begin : g_invalid
    $error("first_come: REQUESTERS is at least 1");
  end

  // Requesters that are in the queue, or have left it and are not served yet.
  logic [REQUESTERS-1:0] listed, fresh;
  logic [ID-1:0] first;
  assign fresh = request_i & ~listed;
  always_comb begin
    first = '0;
    for (int i = REQUESTERS - 1; i >= 0; i--) if (fresh[i]) first = ID'(i);
  end
  always_ff @(posedge clk_i) begin
    listed <= (listed & ~served_i) | (fresh & ~(fresh - 1'b1));
    if (rst_i) listed <= '0;
  end

  logic unused_ready, unused_almost_full;
  logic [$clog2(REQUESTERS+2)-1:0] unused_count;
  fifo #(.WIDTH(ID), .DEPTH(REQUESTERS + 1), .MUST_TAKE(1)) u_queue (
      .clk_i, .rst_i, .valid_i(fresh != 0), .ready_o(unused_ready), .data_i(first),
      .valid_o, .ready_i, .data_o(id_o), .count_o(unused_count), .almost_full_o(unused_almost_full)
  );
endmodule
