// SPDX-License-Identifier: MIT OR Apache-2.0
// delay_line and tag_line against the definition: their output is the input of LATENCY cycles ago, and no input from
// before a reset comes out.
module formal_lines #(
    parameter int LATENCY = 4
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       valid_i,
    input logic [1:0] tag_i
);
  initial assume (rst_i);
  logic valid;
  logic [1:0] tag, data;
  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(2)) u_tag (.clk_i, .rst_i, .valid_i, .tag_i, .valid_o(valid), .tag_o(tag));
  delay_line #(.WIDTH(2), .DEPTH(LATENCY)) u_delay (.clk_i, .d_i(tag_i), .q_o(data));

  // The inputs of the last cycles, the latest input first, and the number of cycles since the reset.
  logic [LATENCY-1:0] came;
  logic [2*LATENCY-1:0] past;
  logic [LATENCY-1:0] since;
  initial since = '0;
  always @(posedge clk_i) begin
    came <= LATENCY'({came, valid_i && !rst_i});
    past <= (2 * LATENCY)'({past, tag_i});
    since <= LATENCY'({since, 1'b1});
    if (rst_i) came <= '0;
  end
  always @* if (since[LATENCY-1]) begin
    assert (valid == came[LATENCY-1]);
    assert (tag == past[2*LATENCY-1-:2]);
    assert (data == past[2*LATENCY-1-:2]);
  end
endmodule
