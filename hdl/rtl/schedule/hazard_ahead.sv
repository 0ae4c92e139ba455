// SPDX-License-Identifier: MIT OR Apache-2.0
// hazard_window in two stages: one compares, one finds whether any comparison holds. So whether a bucket is issued is known
// two cycles after it is offered, also to the ones that are offered meanwhile, which therefore are compared at once and
// judged as late as the buckets before them.
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

  // Buckets by their age, from one cycle on. Of the youngest it is not known, of the next it just becomes known, whether they
  // are issued.
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
