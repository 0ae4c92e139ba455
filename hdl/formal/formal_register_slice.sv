// SPDX-License-Identifier: MIT OR Apache-2.0
// register_slice with any writer and any reader. Words are numbered in their order: each leaves once, unchanged, and stays until it is
// taken. A word waits only if the reader makes it wait, and the writer waits only if both places are full. So no output depends on an input
// of its own cycle: each equals a function of the bench's registers.
module formal_register_slice #(
    parameter int WIDTH = 3
) (
    input logic clk_i,
    input logic rst_i,
    input logic valid_i,
    input logic ready_i
);
  initial assume (rst_i);
  logic ready, valid;
  logic [WIDTH-1:0] came, left, data;
  register_slice #(.WIDTH(WIDTH)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i(came), .valid_o(valid), .ready_i, .data_o(data)
  );

  logic live;
  logic [1:0] inside;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    came <= rst_i ? '0 : came + WIDTH'(valid_i && ready);
    left <= rst_i ? '0 : left + WIDTH'(valid && ready_i);
    inside <= rst_i ? '0 : inside + 2'(valid_i && ready) - 2'(valid && ready_i);
  end
  always @* if (live) begin
    assert (WIDTH'(came - left) == WIDTH'(inside) && inside <= 2);
    assert (valid == (inside != 0));
    assert (ready == (inside != 2));
    if (valid) assert (data == left);
  end
endmodule
