// SPDX-License-Identifier: MIT OR Apache-2.0
// hazard_window in two stages: one stage compares, the other finds whether any comparison holds. So it is known two
// cycles after a bucket is offered whether it is issued. Buckets that are offered meanwhile are compared at once, and
// judged after the buckets before them.
//
// Contract: conflict_o in cycle t + 2 is high if bucket_i of cycle t was issued in one of the WINDOW cycles before t,
// counted in cycles in which buckets are offered. issue_i in cycle t + 2 is high if bucket_i of cycle t is issued. No
// bucket is issued that was offered before or in a cycle with rst_i.
module hazard_ahead #(
    parameter int WIDTH = 8,
    parameter int WINDOW = 4
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [WIDTH-1:0] bucket_i,
    input  logic             issue_i,
    output logic             conflict_o
);
  if (WINDOW < 3) begin : g_invalid
    $error("hazard_ahead: WINDOW is at least 3");
  end

  // Buckets by age, from one cycle on. For the youngest bucket it is not known yet whether it is issued; for the next
  // bucket it becomes known in this cycle.
  logic [WINDOW*WIDTH-1:0] buckets;
  logic [WINDOW-1:0] issued, hits, met;
  logic [WINDOW-3:0] used;
  assign issued = {used, issue_i, 1'b1};
  for (genvar i = 0; i < WINDOW; i++) begin : g_compare
    assign hits[i] = issued[i] && buckets[i*WIDTH+:WIDTH] == bucket_i;
  end
  always_ff @(posedge clk_i) begin
    buckets <= {buckets[(WINDOW-1)*WIDTH-1:0], bucket_i};
    used <= rst_i ? '0 : (WINDOW - 2)'({used, issue_i});
    met <= hits;
    conflict_o <= (|met[WINDOW-1:1]) || (met[0] && issue_i);
  end
endmodule
