// SPDX-License-Identifier: MIT OR Apache-2.0
// An integer multiplier with the ports of every bench: in_i = {tag, b, a}, out_o = {tag, product}.
// BLOCK is its module: mul_int of KIND, const_mul by CONSTANT.
module tb_mul #(
    parameter string BLOCK = "mul_int",
    parameter int WIDTH = 384,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter logic [field_pkg::WIDE-1:0] CONSTANT = field_pkg::WIDE'(7)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,
    output logic                  ready_o,
    input  logic [2*WIDTH+32-1:0] in_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [2*WIDTH+32-1:0] out_o,
    output logic [          31:0] latency_o
);
  localparam int LATENCY = BLOCK == "mul_short" ? LEAF + field_pkg::SHORT_MORE
      : BLOCK == "const_mul" ? field_pkg::const_mul_latency(CONSTANT, 2 * WIDTH)
      : field_pkg::mul_latency(KIND, WIDTH, LAYERS, LEAF);
  logic [WIDTH-1:0] a, b;
  logic [2*WIDTH-1:0] p;
  logic [31:0] tag_i, tag_o;
  assign {tag_i, b, a} = in_i;
  assign out_o = {tag_o, p};
  assign ready_o = 1'b1;
  assign latency_o = 32'(LATENCY);

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(32)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  if (BLOCK == "mul_int") begin : g_int
    mul_int #(.WIDTH(WIDTH), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF)) u_dut (.clk_i, .a_i(a), .b_i(b), .p_o(p));
  end else if (BLOCK == "mul_hybrid_low") begin : g_low
    assign p[2*WIDTH-1:WIDTH] = '0;
    mul_hybrid_low #(.WIDTH(WIDTH), .LAYERS(LAYERS), .LEAF(LEAF)) u_dut (.clk_i, .a_i(a), .b_i(b), .p_o(p[WIDTH-1:0]));
  end else if (BLOCK == "mul_short") begin : g_short
    assign p[2*WIDTH-1:WIDTH] = '0;
    mul_short #(.WIDTH(WIDTH), .LEAF(LEAF)) u_dut (.clk_i, .a_i(a), .b_i(b), .p_o(p[WIDTH-1:0]));
  end else if (BLOCK == "mul_hybrid_high") begin : g_high
    mul_hybrid_high #(.WIDTH(WIDTH), .LAYERS(LAYERS), .LEAF(LEAF)) u_dut (.clk_i, .a_i(a), .b_i(b), .p_o(p));
  end else if (BLOCK == "const_mul") begin : g_constant
    const_mul #(.WIDTH(WIDTH), .OUT_WIDTH(2 * WIDTH), .CONSTANT(CONSTANT)) u_dut (.clk_i, .a_i(a), .p_o(p));
  end else begin : g_invalid
    $error("tb_mul: there is no block of this name");
  end

  unread u_unread (.d_i(^{ready_i, b}));
endmodule
