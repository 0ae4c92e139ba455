// SPDX-License-Identifier: MIT OR Apache-2.0
// Finds out whether a bucket was used within the last WINDOW cycles, when its sum may still be under way: condition (3)
// of CycloneMSM, with one comparator per cycle.
//
// Contract: conflict_o says whether bucket_i was issued in one of the WINDOW cycles before this cycle. The issued
// bucket is issued_i in cycles with issue_i, which may be chosen later than bucket_i. rst_i forgets all earlier issues.
module hazard_window #(
    parameter int WIDTH = 8,
    parameter int WINDOW = 4
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [WIDTH-1:0] bucket_i,
    input  logic [WIDTH-1:0] issued_i,
    input  logic             issue_i,
    output logic             conflict_o
);
  if (WINDOW < 2) begin : g_invalid
    $error("hazard_window: WINDOW is at least 2");
  end

  logic [WINDOW-1:0] used;
  logic [WINDOW*WIDTH-1:0] buckets;
  logic [WINDOW-1:0] hits;
  for (genvar i = 0; i < WINDOW; i++) begin : g_compare
    assign hits[i] = used[i] && buckets[i*WIDTH+:WIDTH] == bucket_i;
  end
  assign conflict_o = |hits;
  always_ff @(posedge clk_i) begin
    used <= rst_i ? '0 : {used[WINDOW-2:0], issue_i};
    buckets <= {buckets[(WINDOW-1)*WIDTH-1:0], issued_i};
  end
endmodule
