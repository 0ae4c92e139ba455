// SPDX-License-Identifier: MIT OR Apache-2.0
// A modular block with the ports of every bench: in_i = {tag, b, a}, out_o = {tag, result}; operands and results have
// WORD bits each. BLOCK is its module.
module tb_field #(
    parameter string BLOCK = "mod_mul",
    // 0 is BLS12-377, 1 is BN254.
    parameter int FIELD = 0,
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int LEAF = field_pkg::LEAF_LATENCY,
    parameter int LATENCY = 39,
    localparam int WORD = FIELD == 0 ? bls12_377_pkg::WORD : bn254_pkg::WORD
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic [2*WORD+32-1:0] in_i,
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [  WORD+32-1:0] out_o,
    output logic [         31:0] latency_o
);
  localparam int WIDTH = FIELD == 0 ? bls12_377_pkg::WIDTH : bn254_pkg::WIDTH;
  localparam logic [WIDTH-1:0] PRIME = FIELD == 0 ? WIDTH'(bls12_377_pkg::PRIME) : WIDTH'(bn254_pkg::PRIME);
  logic [WORD-1:0] a, b, r;
  logic [31:0] tag_i, tag_o;
  assign {tag_i, b, a} = in_i;
  assign out_o = {tag_o, r};
  assign ready_o = 1'b1;
  assign latency_o = 32'(LATENCY);

  tag_line #(.LATENCY(LATENCY), .TAG_WIDTH(32)) u_tag (
      .clk_i, .rst_i, .valid_i, .tag_i, .valid_o, .tag_o);

  if (BLOCK == "mod_mul") begin : g_mul
    assign r[WORD-1:WIDTH] = '0;
    mod_mul #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .LEAF(LEAF),
        .LATENCY(LATENCY)
    ) u_dut (.clk_i, .a_i(a[WIDTH:0]), .b_i(b[WIDTH:0]), .p_o(r[WIDTH-1:0]));
  end else if (BLOCK == "mod_add") begin : g_add
    assign r[WORD-1:WIDTH] = '0;
    mod_add #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(LATENCY)) u_dut (
        .clk_i, .a_i(a[WIDTH-1:0]), .b_i(b[WIDTH-1:0]), .s_o(r[WIDTH-1:0]));
  end else if (BLOCK == "mod_sub") begin : g_sub
    assign r[WORD-1:WIDTH] = '0;
    mod_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(LATENCY)) u_dut (
        .clk_i, .a_i(a[WIDTH-1:0]), .b_i(b[WIDTH-1:0]), .s_o(r[WIDTH-1:0]));
  end else if (BLOCK == "lazy_add") begin : g_lazy_add
    assign r[WORD-1:WIDTH+1] = '0;
    lazy_add #(.WIDTH(WIDTH), .LATENCY(LATENCY)) u_dut (
        .clk_i, .a_i(a[WIDTH-1:0]), .b_i(b[WIDTH-1:0]), .s_o(r[WIDTH:0]));
  end else if (BLOCK == "lazy_sub") begin : g_lazy_sub
    assign r[WORD-1:WIDTH+1] = '0;
    lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME), .LATENCY(LATENCY)) u_dut (
        .clk_i, .a_i(a[WIDTH-1:0]), .b_i(b[WIDTH-1:0]), .s_o(r[WIDTH:0]));
  end else begin : g_invalid
    $error("tb_field: there is no block of this name");
  end

  unread u_unread (.d_i(^{ready_i, a, b}));
endmodule
