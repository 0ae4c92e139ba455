// SPDX-License-Identifier: MIT OR Apache-2.0
// A curve adder with the ports of every bench. Coordinates have WORD bits each: in_i = {tag, full, P2, P1} with tag of
// 31 bits, out_o = {tag, full, sum}, where points are {T, Z, Y, X}, or {u, y, x} behind a zero word for mixed
// additions, and T is zero where the curve has none.
// BLOCK is the adder's module.
module tb_curve #(
    parameter string BLOCK = "te_madd",
    parameter int REDUCTION = field_pkg::MONTGOMERY,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    localparam bit WEIERSTRASS = BLOCK == "rcb_add" || BLOCK == "apadd_rcb",
    localparam int WORD = WEIERSTRASS ? bn254_pkg::WORD : bls12_377_pkg::WORD
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  logic [8*WORD+32-1:0] in_i,
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [4*WORD+32-1:0] out_o,
    output logic [         31:0] latency_o
);
  localparam int WIDTH = WEIERSTRASS ? bn254_pkg::WIDTH : bls12_377_pkg::WIDTH;
  logic [31:0] tag_i, tag_o;
  assign tag_i = in_i[8*WORD+:32];
  assign out_o[4*WORD+:32] = tag_o;

  // The points without the zeros above their coordinates.
  logic [4*WIDTH-1:0] left, right, sum;
  for (genvar i = 0; i < 4; i++) begin : g_coordinate
    assign left[i*WIDTH+:WIDTH] = in_i[i*WORD+:WIDTH];
    assign right[i*WIDTH+:WIDTH] = in_i[(4+i)*WORD+:WIDTH];
    assign out_o[i*WORD+:WORD] = WORD'(sum[i*WIDTH+:WIDTH]);
  end

  if (BLOCK == "te_madd") begin : g_madd
    assign ready_o = 1'b1;
    assign latency_o = 32'(LATENCY);
    logic [WIDTH-1:0] unused_product;
    te_madd #(
        .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
        .TAG_WIDTH(32)
    ) u_dut (
        .clk_i, .rst_i, .valid_i, .tag_i,
        .left_i(left), .right_i({right[3*WIDTH+:WIDTH], right[2*WIDTH-1:0]}),
        .mul_i(1'b0), .mul_a_i('0), .mul_b_i('0), .mul_p_o(unused_product), .valid_o, .tag_o,
        .sum_o(sum)
    );
  end else if (BLOCK == "te_two_cycle_add") begin : g_two_cycle
    assign latency_o = 32'(LATENCY);
    te_two_cycle_add #(
        .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
        .TAG_WIDTH(32)
    ) u_dut (
        .clk_i, .rst_i, .valid_i, .ready_o, .full_i(tag_i[0]), .tag_i,
        .left_i(left), .right_i(right), .valid_o, .tag_o, .sum_o(sum)
    );
  end else if (BLOCK == "te_add") begin : g_add
    assign ready_o = 1'b1;
    assign latency_o = 32'(3 * MUL_LATENCY + 6);
    te_add #(
        .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .MUL_LATENCY(MUL_LATENCY), .TAG_WIDTH(32)
    ) u_dut (
        .clk_i, .rst_i, .valid_i, .tag_i,
        .left_i(left), .right_i(right), .valid_o, .tag_o, .sum_o(sum)
    );
  end else if (BLOCK == "apadd") begin : g_apadd
    assign latency_o = 32'(17 * 9 + 7);
    apadd #(.KIND(KIND), .TAG_WIDTH(32)) u_dut (
        .clk_i, .rst_i, .valid_i, .ready_o, .tag_i,
        .left_i(left), .right_i(right), .valid_o, .tag_o, .sum_o(sum)
    );
  end else if (BLOCK == "apadd_rcb") begin : g_apadd_rcb
    assign sum[3*WIDTH+:WIDTH] = '0;
    assign latency_o = 32'(17 * 9 + 10);
    apadd_rcb #(.KIND(KIND), .TAG_WIDTH(32)) u_dut (
        .clk_i, .rst_i, .valid_i, .ready_o, .tag_i,
        .left_i(left[3*WIDTH-1:0]), .right_i(right[3*WIDTH-1:0]), .valid_o, .tag_o, .sum_o(sum[3*WIDTH-1:0])
    );
  end else if (BLOCK == "rcb_add") begin : g_rcb
    assign sum[3*WIDTH+:WIDTH] = '0;
    assign ready_o = 1'b1;
    assign latency_o = 32'(2 * MUL_LATENCY + 12);
    rcb_add #(
        .REDUCTION(REDUCTION), .KIND(KIND), .LAYERS(LAYERS), .MUL_LATENCY(MUL_LATENCY), .TAG_WIDTH(32)
    ) u_dut (
        .clk_i, .rst_i, .valid_i, .tag_i,
        .left_i(left[3*WIDTH-1:0]), .right_i(right[3*WIDTH-1:0]), .valid_o, .tag_o, .sum_o(sum[3*WIDTH-1:0])
    );
  end else begin : g_invalid
    $error("tb_curve: there is no block of this name");
  end

  unread u_unread (.d_i(^{ready_i, in_i, left, right}));
endmodule
