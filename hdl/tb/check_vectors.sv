// SPDX-License-Identifier: MIT OR Apache-2.0
// The arithmetic blocks against their vectors, for any simulator of SystemVerilog (play): all blocks, or the block
// whose file BLOCK names.
//
//   +vectors=FOLDER     the folder of the vectors, by default hdl/vectors
//
// KIND is the kind of the modular multipliers: with field_pkg::BEHAVIOURAL (0) everything compiles and runs in a
// moment. Files: the files of hdl/rtl.f, play.sv, vector_file.sv and this file.
module check_vectors #(
    parameter string BLOCK = "",
    parameter int KIND = field_pkg::KARATSUBA
);
  localparam int HYBRID = KIND == field_pkg::BEHAVIOURAL ? KIND : field_pkg::HYBRID;
  localparam int BLOCKS = 11;
  localparam logic [376:0] P = bls12_377_pkg::PRIME;
  localparam logic [253:0] Q = bn254_pkg::PRIME;
  logic clk, unused_rst;
  int cycle, wrong_all, wrong[BLOCKS];
  initial begin
    cycle = 0;
    for (int i = 0; i < BLOCKS; i++) wrong[i] = 0;
  end
  always @(posedge clk) cycle <= cycle + 1;
  always_comb begin
    wrong_all = 0;
    for (int i = 0; i < BLOCKS; i++) wrong_all = wrong_all + wrong[i];
  end
  play #(.NAME(BLOCK == "" ? "vectors" : BLOCK)) u_play (
      .clk_o(clk), .rst_o(unused_rst), .done_i(cycle >= 256), .wrong_i(wrong_all));

  if (BLOCK == "" || BLOCK == "karatsuba_384") begin : g_karatsuba_384
    logic [383:0] a, b;
    logic [767:0] p;
    vector_file #(.NAME("karatsuba_384"), .IN(768), .OUT(768), .LATENCY(13)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i(p), .wrong_o(wrong[0]));
    mul_karatsuba #(.WIDTH(384), .LAYERS(3)) u_dut (.clk_i(clk), .a_i(a), .b_i(b), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "hybrid_256") begin : g_hybrid_256
    logic [255:0] a, b;
    logic [511:0] p;
    vector_file #(.NAME("hybrid_256"), .IN(512), .OUT(512), .LATENCY(12)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i(p), .wrong_o(wrong[1]));
    mul_hybrid #(.WIDTH(256), .LAYERS(3)) u_dut (.clk_i(clk), .a_i(a), .b_i(b), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "hybrid_low_256") begin : g_hybrid_low_256
    logic [255:0] a, b, p;
    vector_file #(.NAME("hybrid_low_256"), .IN(512), .OUT(256), .LATENCY(12)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i(p), .wrong_o(wrong[2]));
    mul_hybrid_low #(.WIDTH(256), .LAYERS(3)) u_dut (.clk_i(clk), .a_i(a), .b_i(b), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "montgomery_377") begin : g_montgomery_377
    logic [383:0] a, b;
    logic [376:0] p;
    vector_file #(.NAME("montgomery_377"), .IN(768), .OUT(384), .LATENCY(39)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i({7'b0, p}), .wrong_o(wrong[3]));
    montgomery_mul #(.KIND(KIND)) u_dut (.clk_i(clk), .a_i(a[377:0]), .b_i(b[377:0]), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "montgomery_254") begin : g_montgomery_254
    logic [255:0] a, b;
    logic [253:0] p;
    vector_file #(.NAME("montgomery_254"), .IN(512), .OUT(256), .LATENCY(39)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i({2'b0, p}), .wrong_o(wrong[4]));
    montgomery_mul #(.WIDTH(254), .PRIME(Q), .WORD(256), .KIND(HYBRID)) u_dut (
        .clk_i(clk), .a_i(a[254:0]), .b_i(b[254:0]), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "barrett_377") begin : g_barrett_377
    logic [383:0] a, b;
    logic [376:0] p;
    vector_file #(.NAME("barrett_377"), .IN(768), .OUT(384), .LATENCY(39)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i({7'b0, p}), .wrong_o(wrong[5]));
    barrett_mul #(.KIND(KIND)) u_dut (.clk_i(clk), .a_i(a[377:0]), .b_i(b[377:0]), .p_o(p));
  end
  if (BLOCK == "" || BLOCK == "mod_add_377") begin : g_mod_add_377
    logic [383:0] a, b;
    logic [376:0] s;
    vector_file #(.NAME("mod_add_377"), .IN(768), .OUT(384), .LATENCY(3)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i({7'b0, s}), .wrong_o(wrong[6]));
    mod_add #(.WIDTH(377), .PRIME(P)) u_dut (.clk_i(clk), .a_i(a[376:0]), .b_i(b[376:0]), .s_o(s));
  end
  if (BLOCK == "" || BLOCK == "mod_sub_377") begin : g_mod_sub_377
    logic [383:0] a, b;
    logic [376:0] s;
    vector_file #(.NAME("mod_sub_377"), .IN(768), .OUT(384), .LATENCY(3)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({a, b}), .result_i({7'b0, s}), .wrong_o(wrong[7]));
    mod_sub #(.WIDTH(377), .PRIME(P)) u_dut (.clk_i(clk), .a_i(a[376:0]), .b_i(b[376:0]), .s_o(s));
  end
  // Points in files are X, Y, Z, T, one word each.
  if (BLOCK == "" || BLOCK == "te_madd_377") begin : g_te_madd_377
    logic [383:0] x1, y1, z1, t1, x2, y2, u2;
    bls12_377_pkg::extended_t sum;
    logic [376:0] unused_product;
    logic unused_valid, unused_tag;
    vector_file #(.NAME("te_madd_377"), .IN(7 * 384), .OUT(4 * 384), .LATENCY(96)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({x1, y1, z1, t1, x2, y2, u2}),
        .result_i({7'b0, sum.x, 7'b0, sum.y, 7'b0, sum.z, 7'b0, sum.t}), .wrong_o(wrong[8]));
    te_madd #(.KIND(KIND)) u_dut (
        .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .left_i({t1[376:0], z1[376:0], y1[376:0], x1[376:0]}),
        .right_i({u2[376:0], y2[376:0], x2[376:0]}), .mul_i(1'b0), .mul_a_i('0), .mul_b_i('0),
        .mul_p_o(unused_product), .valid_o(unused_valid), .tag_o(unused_tag), .sum_o(sum)
    );
  end
  if (BLOCK == "" || BLOCK == "te_add_377") begin : g_te_add_377
    logic [383:0] x1, y1, z1, t1, x2, y2, z2, t2;
    bls12_377_pkg::extended_t sum;
    logic unused_valid, unused_tag;
    vector_file #(.NAME("te_add_377"), .IN(8 * 384), .OUT(4 * 384), .LATENCY(123)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({x1, y1, z1, t1, x2, y2, z2, t2}),
        .result_i({7'b0, sum.x, 7'b0, sum.y, 7'b0, sum.z, 7'b0, sum.t}), .wrong_o(wrong[9]));
    te_add #(.KIND(KIND)) u_dut (
        .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .left_i({t1[376:0], z1[376:0], y1[376:0], x1[376:0]}),
        .right_i({t2[376:0], z2[376:0], y2[376:0], x2[376:0]}), .valid_o(unused_valid), .tag_o(unused_tag),
        .sum_o(sum)
    );
  end
  if (BLOCK == "" || BLOCK == "rcb_add_254") begin : g_rcb_add_254
    logic [255:0] x1, y1, z1, x2, y2, z2;
    bn254_pkg::projective_t sum;
    logic unused_valid, unused_tag;
    vector_file #(.NAME("rcb_add_254"), .IN(6 * 256), .OUT(3 * 256), .LATENCY(90)) u_file (
        .clk_i(clk), .cycle_i(cycle), .operands_o({x1, y1, z1, x2, y2, z2}),
        .result_i({2'b0, sum.x, 2'b0, sum.y, 2'b0, sum.z}), .wrong_o(wrong[10]));
    rcb_add #(.KIND(HYBRID)) u_dut (
        .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .left_i({z1[253:0], y1[253:0], x1[253:0]}),
        .right_i({z2[253:0], y2[253:0], x2[253:0]}), .valid_o(unused_valid), .tag_o(unused_tag), .sum_o(sum)
    );
  end
endmodule
