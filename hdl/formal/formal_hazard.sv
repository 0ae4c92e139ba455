// SPDX-License-Identifier: MIT OR Apache-2.0
// hazard_window against the definition, for one bucket, any one: it conflicts if and only if it was issued within WINDOW
// cycles.
module formal_hazard #(
    parameter int WINDOW = 4
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic [1:0] bucket_i,
    input logic       issue_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] bucket;
  logic conflict;
  hazard_window #(.WIDTH(2), .WINDOW(WINDOW)) u_dut (
      .clk_i, .rst_i, .bucket_i, .issue_i, .conflict_o(conflict));

  logic live;
  initial live = 1'b0;
  int age;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    if (rst_i) age <= WINDOW + 1;
    else if (issue_i && bucket_i == bucket) age <= 1;
    else if (age <= WINDOW) age <= age + 1;
  end
  always @* if (live && bucket_i == bucket) assert (conflict == (age >= 1 && age <= WINDOW));
  always @* if (live) assert (age >= 1 && age <= WINDOW + 1);
endmodule
