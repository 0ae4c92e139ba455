// SPDX-License-Identifier: MIT OR Apache-2.0
// stream_fork with any sender and any receivers. A wanted receiver gets each word once, other receivers get none, and a word that is
// offered stays until it is taken. A word is taken exactly when its last wanted receiver takes it, so that nothing waits without need.
module formal_stream_fork #(
    parameter int RECEIVERS = 3
) (
    input logic                 clk_i,
    input logic                 rst_i,
    input logic [RECEIVERS-1:0] wanted_i,
    input logic                 valid_i,
    input logic [RECEIVERS-1:0] ready_i
);
  initial assume (rst_i);
  logic ready;
  logic [RECEIVERS-1:0] valid;
  stream_fork #(.RECEIVERS(RECEIVERS)) u_dut (.clk_i, .rst_i, .wanted_i, .valid_i, .ready_o(ready), .valid_o(valid), .ready_i);

  // Receivers that have the word that waits.
  logic live, waited;
  logic [RECEIVERS-1:0] wanted, had;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waited <= valid_i && !ready && !rst_i;
    wanted <= wanted_i;
    had <= valid_i && !ready && !rst_i ? had | (valid & ready_i) : '0;
  end
  always @* begin
    if (waited) assume (valid_i && wanted_i == wanted);
  end
  always @* if (live) begin
    assert (valid == (valid_i ? wanted_i & ~had : '0));
    if (valid_i) assert (ready == (((had | (valid & ready_i)) & wanted_i) == wanted_i));
  end
endmodule
