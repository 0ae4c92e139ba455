// SPDX-License-Identifier: MIT OR Apache-2.0
// A block of at most 64 bits between registers, with a pin to shift operands in and one to shift results out, for place.sh.
module placed #(
    parameter BLOCK = "wide_add",  // untyped: yosys 0.23 has no strings
    parameter int LATENCY = 2,
    parameter int SEGMENT = 16
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic bit_i,
    output logic bit_o
);
  localparam logic [63:0] PRIME = 64'hffffffffffffffc5;
  logic [128:0] in, operands;
  logic [63:0] result, out;
  always_ff @(posedge clk_i) begin
    in <= {in[127:0], bit_i};
    operands <= in;
    out <= rst_i ? result : {out[62:0], 1'b0};
  end
  assign bit_o = out[63];

  if (BLOCK == "wide_add") begin : g_add
    wide_add #(.WIDTH(64), .LATENCY(LATENCY), .SEGMENT(SEGMENT)) u_dut (
        .clk_i, .a_i(operands[63:0]), .b_i(operands[127:64]), .carry_i(operands[128]), .s_o(result));
  end else if (BLOCK == "mod_add") begin : g_mod_add
    mod_add #(.WIDTH(64), .PRIME(PRIME), .LATENCY(LATENCY)) u_dut (
        .clk_i, .a_i(operands[63:0]), .b_i(operands[127:64]), .s_o(result));
  end else if (BLOCK == "fifo") begin : g_fifo
    logic ready, valid, unused_full;
    logic [4:0] unused_count;
    fifo #(.WIDTH(61), .DEPTH(16)) u_dut (
        .clk_i, .rst_i, .valid_i(operands[0]), .ready_o(ready), .data_i(operands[61:1]), .valid_o(valid),
        .ready_i(operands[62]), .data_o(result[60:0]), .count_o(unused_count), .almost_full_o(unused_full));
    assign result[63:61] = {1'b0, ready, valid};
  end else if (BLOCK == "hazard_window") begin : g_hazard
    hazard_window #(.WIDTH(15), .WINDOW(97)) u_dut (
        .clk_i, .rst_i, .bucket_i(operands[14:0]), .issued_i(operands[14:0]), .issue_i(operands[15]), .conflict_o(result[0]));
    assign result[63:1] = '0;
  end else begin : g_invalid
    $error("placed: there is no block of this name");
  end
endmodule
