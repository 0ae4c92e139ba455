// SPDX-License-Identifier: MIT OR Apache-2.0
// hazard_window in two stages, whose second stage leaves time for more logic: the first stage compares buckets, and the
// second stage joins the comparisons. The issued bucket may differ from the compared bucket, as in hazard_window.
//
// Contract: conflict_o in cycle t + 1 is high if bucket_i of cycle t was issued in one of the WINDOW cycles before t.
// issue_i in cycle t + 1 is high if issued_i of cycle t is issued. rst_i forgets all earlier issues; issue_i is low in the
// cycle after it.
module hazard_next #(
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
  if (WINDOW < 3) begin : g_invalid
    $error("hazard_next: WINDOW is at least 3");
  end

  // Buckets by age, from one cycle on. In the cycle of the comparison, it is not known yet whether the youngest bucket
  // is issued.
  logic [WINDOW*WIDTH-1:0] buckets;
  logic [WINDOW-1:0] candidates, hits, met;
  logic [WINDOW-2:0] used;
  assign candidates = {used, 1'b1};
  for (genvar i = 0; i < WINDOW; i++) begin : g_compare
    assign hits[i] = candidates[i] && buckets[i*WIDTH+:WIDTH] == bucket_i;
  end
  logic issued;
  assign conflict_o = (|met[WINDOW-1:1]) || (met[0] && issued);
  always_ff @(posedge clk_i) begin
    buckets <= {buckets[(WINDOW-1)*WIDTH-1:0], issued_i};
    used <= rst_i ? '0 : {used[WINDOW-3:0], issue_i};
    issued <= issue_i && !rst_i;
    met <= hits;
  end
endmodule
