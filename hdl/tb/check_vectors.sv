// The blocks against the vectors of hdl/vectors, for any simulator of SystemVerilog: prints a line and ends, with an error
// if a result is wrong.
//
//   +vectors=FOLDER     where the vectors are, hdl/vectors if it is left out
//
// KIND is that of the modular multipliers: field_pkg::BEHAVIOURAL (0) has all of it compile and run in a moment. Files:
// hdl/rtl/field/*_pkg.sv, all others of hdl/rtl, hdl/tb/vector_file.sv and this one.
`timescale 1ns / 1ps
module check_vectors #(
    parameter int KIND = field_pkg::KARATSUBA
);
  localparam int HYBRID = KIND == field_pkg::BEHAVIOURAL ? KIND : field_pkg::HYBRID;
  localparam int BLOCKS = 11;
  localparam logic [376:0] P = bls12_377_pkg::PRIME;
  localparam logic [253:0] Q = bn254_pkg::PRIME;
  logic clk;
  initial clk = 1'b0;
  always #2 clk = !clk;
  int cycle;
  initial cycle = 0;
  always @(posedge clk) cycle <= cycle + 1;
  int wrong[BLOCKS];

  logic [383:0] a0, b0, a3, b3, a5, b5, a6, b6, a7, b7;
  logic [767:0] p0;
  vector_file #(.NAME("karatsuba_384"), .IN(768), .OUT(768), .LATENCY(12)) v0 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a0, b0}), .result_i(p0), .wrong_o(wrong[0]));
  mul_karatsuba #(.WIDTH(384), .LAYERS(3)) u0 (.clk_i(clk), .a_i(a0), .b_i(b0), .p_o(p0));

  logic [255:0] a1, b1, a2, b2, p2, a4, b4;
  logic [511:0] p1;
  vector_file #(.NAME("hybrid_256"), .IN(512), .OUT(512), .LATENCY(12)) v1 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a1, b1}), .result_i(p1), .wrong_o(wrong[1]));
  mul_hybrid #(.WIDTH(256), .LAYERS(3)) u1 (.clk_i(clk), .a_i(a1), .b_i(b1), .p_o(p1));
  vector_file #(.NAME("hybrid_low_256"), .IN(512), .OUT(256), .LATENCY(12)) v2 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a2, b2}), .result_i(p2), .wrong_o(wrong[2]));
  mul_hybrid_low #(.WIDTH(256), .LAYERS(3)) u2 (.clk_i(clk), .a_i(a2), .b_i(b2), .p_o(p2));

  logic [376:0] p3, p5, p6, p7;
  logic [253:0] p4;
  vector_file #(.NAME("montgomery_377"), .IN(768), .OUT(384), .LATENCY(39)) v3 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a3, b3}), .result_i({7'b0, p3}), .wrong_o(wrong[3]));
  montgomery_mul #(.KIND(KIND)) u3 (.clk_i(clk), .a_i(a3[377:0]), .b_i(b3[377:0]), .p_o(p3));
  vector_file #(.NAME("montgomery_254"), .IN(512), .OUT(256), .LATENCY(39)) v4 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a4, b4}), .result_i({2'b0, p4}), .wrong_o(wrong[4]));
  montgomery_mul #(.WIDTH(254), .PRIME(Q), .WORD(256), .KIND(HYBRID)) u4 (
      .clk_i(clk), .a_i(a4[254:0]), .b_i(b4[254:0]), .p_o(p4));
  vector_file #(.NAME("barrett_377"), .IN(768), .OUT(384), .LATENCY(39)) v5 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a5, b5}), .result_i({7'b0, p5}), .wrong_o(wrong[5]));
  barrett_mul #(.KIND(KIND)) u5 (.clk_i(clk), .a_i(a5[377:0]), .b_i(b5[377:0]), .p_o(p5));
  vector_file #(.NAME("mod_add_377"), .IN(768), .OUT(384), .LATENCY(1)) v6 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a6, b6}), .result_i({7'b0, p6}), .wrong_o(wrong[6]));
  mod_add #(.WIDTH(377), .PRIME(P)) u6 (.clk_i(clk), .a_i(a6[376:0]), .b_i(b6[376:0]), .s_o(p6));
  vector_file #(.NAME("mod_sub_377"), .IN(768), .OUT(384), .LATENCY(1)) v7 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({a7, b7}), .result_i({7'b0, p7}), .wrong_o(wrong[7]));
  mod_sub #(.WIDTH(377), .PRIME(P)) u7 (.clk_i(clk), .a_i(a7[376:0]), .b_i(b7[376:0]), .s_o(p7));

  logic [383:0] mx1, my1, mz1, mt1, mx2, my2, mu2, x1, y1, z1, t1, x2, y2, z2, t2;
  logic [376:0] mx, my, mz, mt, x, y, z, t, unused_product;
  logic unused_valid_8, unused_tag_8, unused_valid_9, unused_tag_9, unused_valid_10, unused_tag_10;
  vector_file #(.NAME("te_madd_377"), .IN(7 * 384), .OUT(4 * 384), .LATENCY(96)) v8 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({mx1, my1, mz1, mt1, mx2, my2, mu2}),
      .result_i({7'b0, mx, 7'b0, my, 7'b0, mz, 7'b0, mt}), .wrong_o(wrong[8]));
  te_madd #(.KIND(KIND)) u8 (
      .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .x1_i(mx1[376:0]), .y1_i(my1[376:0]),
      .z1_i(mz1[376:0]), .t1_i(mt1[376:0]), .x2_i(mx2[376:0]), .y2_i(my2[376:0]), .u2_i(mu2[376:0]), .mul_i(1'b0),
      .mul_a_i('0), .mul_b_i('0), .mul_p_o(unused_product), .valid_o(unused_valid_8), .tag_o(unused_tag_8),
      .x_o(mx), .y_o(my), .z_o(mz), .t_o(mt)
  );
  vector_file #(.NAME("te_add_377"), .IN(8 * 384), .OUT(4 * 384), .LATENCY(123)) v9 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({x1, y1, z1, t1, x2, y2, z2, t2}),
      .result_i({7'b0, x, 7'b0, y, 7'b0, z, 7'b0, t}), .wrong_o(wrong[9]));
  te_add #(.KIND(KIND)) u9 (
      .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .x1_i(x1[376:0]), .y1_i(y1[376:0]), .z1_i(z1[376:0]),
      .t1_i(t1[376:0]), .x2_i(x2[376:0]), .y2_i(y2[376:0]), .z2_i(z2[376:0]), .t2_i(t2[376:0]),
      .valid_o(unused_valid_9), .tag_o(unused_tag_9), .x_o(x), .y_o(y), .z_o(z), .t_o(t)
  );

  logic [255:0] rx1, ry1, rz1, rx2, ry2, rz2;
  logic [253:0] rx, ry, rz;
  vector_file #(.NAME("rcb_add_254"), .IN(6 * 256), .OUT(3 * 256), .LATENCY(90)) v10 (
      .clk_i(clk), .cycle_i(cycle), .operands_o({rx1, ry1, rz1, rx2, ry2, rz2}),
      .result_i({2'b0, rx, 2'b0, ry, 2'b0, rz}), .wrong_o(wrong[10]));
  rcb_add #(.KIND(HYBRID)) u10 (
      .clk_i(clk), .rst_i(1'b0), .valid_i(1'b1), .tag_i(1'b0), .x1_i(rx1[253:0]), .y1_i(ry1[253:0]),
      .z1_i(rz1[253:0]), .x2_i(rx2[253:0]), .y2_i(ry2[253:0]), .z2_i(rz2[253:0]),
      .valid_o(unused_valid_10), .tag_o(unused_tag_10), .x_o(rx), .y_o(ry), .z_o(rz)
  );

  int sum;
  always_comb begin
    sum = 0;
    for (int i = 0; i < BLOCKS; i++) sum = sum + wrong[i];
  end
  always @(posedge clk) begin
    if (cycle == 256) begin
      if (sum != 0) $fatal(1, "%0d results are wrong", sum);
      $display("all vectors of %0d blocks hold", BLOCKS);
      $finish;
    end
  end
endmodule
