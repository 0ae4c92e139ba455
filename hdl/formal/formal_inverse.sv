// SPDX-License-Identifier: MIT OR Apache-2.0
// The inverse of any operand modulo a small prime: it comes after exactly the stated cycles, its product with the operand is 1,
// and 0 has the inverse 0. Operands come at any time, as soon as the unit is ready, too.
module formal_inverse #(
    parameter int WIDTH = 3,
    parameter logic [WIDTH-1:0] PRIME = WIDTH'(7)
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             valid_i,
    input logic [WIDTH-1:0] a_i
);
  localparam int STEPS = field_pkg::divsteps(WIDTH);
  localparam int LATENCY = STEPS + 3;
  initial assume (rst_i);
  logic live;
  initial live = 1'b0;
  logic ready, valid;
  logic [WIDTH-1:0] inverse;
  divstep_inverse #(.WIDTH(WIDTH), .PRIME(PRIME)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .a_i, .valid_o(valid), .inverse_o(inverse));

  // Operands, by the cycles since they were taken.
  logic [LATENCY-1:0] taken;
  logic [LATENCY*WIDTH-1:0] operands;
  logic [WIDTH-1:0] operand;
  logic [2*WIDTH-1:0] product;
  assign operand = operands[(LATENCY-1)*WIDTH+:WIDTH];
  assign product = (2 * WIDTH)'(operand) * (2 * WIDTH)'(inverse);
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    taken <= rst_i ? '0 : LATENCY'({taken, valid_i && ready});
    operands <= (LATENCY * WIDTH)'({operands, a_i});
  end
  always @* begin
    assume (a_i < PRIME);
    if (live && !rst_i) begin
      assert (ready == (taken[STEPS-1:0] == 0));
      assert (valid == taken[LATENCY-1]);
      if (valid) begin
        assert (inverse < PRIME);
        assert (product % (2 * WIDTH)'(PRIME) == (2 * WIDTH)'(operand != 0));
      end
    end
  end
endmodule
