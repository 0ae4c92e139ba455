// SPDX-License-Identifier: MIT OR Apache-2.0
// msmac_shares with any task of up to three elements and five bits of points, and any receiver. Each element is offered once, in order, with
// the number of points that it gets when blocks are dealt out in turns; a share that is offered stays. Shares come after the division, and
// only after a start.
module formal_shares #(
    parameter int PES = 3,
    parameter int BLOCK = 2,
    parameter int COUNT = 5
) (
    input logic clk_i,
    input logic rst_i,
    input logic start_i,
    input logic ready_i
);
  localparam int DIVISION = COUNT - 1;
  initial assume (rst_i);
  (* anyconst *) logic [COUNT-1:0] points;
  (* anyconst *) logic [1:0] elements;
  logic valid, last;
  logic [1:0] number;
  logic [COUNT-1:0] size;
  msmac_shares #(.PES(PES), .BLOCK(BLOCK), .COUNT(COUNT)) u_dut (
      .clk_i, .rst_i, .start_i, .points_i(points), .elements_i(elements), .valid_o(valid), .ready_i, .number_o(number),
      .size_o(size), .last_o(last));

  // The points that an element gets, one by one.
  logic [COUNT-1:0] dealt;
  always @* begin
    dealt = '0;
    for (int i = 0; i < 1 << COUNT; i++) if (i < points && (i / BLOCK) % elements == number) dealt = dealt + 1'b1;
  end

  logic live, active;
  logic [1:0] next;
  logic [2:0] cycles;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    if (active && cycles != DIVISION) cycles <= cycles + 1'b1;
    if (valid && ready_i) begin
      next <= next + 1'b1;
      if (last) active <= 1'b0;
    end
    if (start_i) begin
      active <= 1'b1;
      {next, cycles} <= '0;
    end
    if (rst_i) active <= 1'b0;
  end
  always @* begin
    assume (elements != 0);
    if (live) assume (!rst_i);
    if (rst_i || active) assume (!start_i);
  end
  always @* if (live && !rst_i) begin
    assert (valid == (active && cycles == DIVISION));
    if (valid) assert (number == next && size == dealt && last == (number + 1 == elements));
  end
endmodule
