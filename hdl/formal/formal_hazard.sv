// SPDX-License-Identifier: MIT OR Apache-2.0
// hazard_window, or with AHEAD = 1 hazard_next, with AHEAD = 2 hazard_ahead, against the definition, for one arbitrary
// bucket: it conflicts if and only if it was issued within the last WINDOW cycles.
module formal_hazard #(
    parameter int WINDOW = 4,
    parameter int AHEAD = 0
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic [1:0] bucket_i,
    input logic       issue_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] bucket;
  logic conflict, live, here;
  logic [1:0] judged, before;
  initial live = 1'b0;
  initial before = 2'b00;
  // True if the watched bucket is judged in this cycle; below, the number of cycles since it was issued.
  if (AHEAD == 0) begin : g_window
    hazard_window #(.WIDTH(2), .WINDOW(WINDOW)) u_dut (
        .clk_i, .rst_i, .bucket_i, .issued_i(bucket_i), .issue_i, .conflict_o(conflict));
    assign judged = bucket_i;
    assign here = live;
  end else if (AHEAD == 1) begin : g_next
    hazard_next #(.WIDTH(2), .WINDOW(WINDOW)) u_dut (
        .clk_i, .rst_i, .bucket_i, .issued_i(bucket_i), .issue_i, .conflict_o(conflict));
    always @(posedge clk_i) judged <= bucket_i;
    assign here = before[0] && live;
    always @* if (!here) assume (!issue_i);
  end else begin : g_ahead
    hazard_ahead #(.WIDTH(2), .WINDOW(WINDOW)) u_dut (
        .clk_i, .rst_i, .bucket_i, .issue_i, .conflict_o(conflict));
    logic [1:0] late;
    always @(posedge clk_i) {judged, late} <= {late, bucket_i};
    assign here = &before;
    // A bucket that was offered before a reset or in it is not issued.
    always @* if (!here) assume (!issue_i);
  end

  int age;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    before <= rst_i ? 2'b00 : {before[0], live};
    if (rst_i) age <= WINDOW + 1;
    else if (issue_i && judged == bucket) age <= 1;
    else if (age <= WINDOW) age <= age + 1;
  end
  always @* if (here && judged == bucket) assert (conflict == (age >= 1 && age <= WINDOW));
  always @* if (live) assert (age >= 1 && age <= WINDOW + 1);
endmodule
