// SPDX-License-Identifier: MIT OR Apache-2.0
// A common block with the ports of every bench. BLOCK: "fifo", of 64 bits and DEPTH entries, out_o = {almost full, count,
// data}; "fifo_must_take", the same that must take; "delay_line", of DEPTH behind a tag_line.
module tb_common #(
    parameter string BLOCK = "fifo",
    parameter int DEPTH = 5
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [ 95:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [127:0] out_o,
    output logic [ 31:0] latency_o
);
  assign latency_o = 32'(DEPTH);
  if (BLOCK == "fifo" || BLOCK == "fifo_must_take") begin : g_fifo
    logic [$clog2(DEPTH+1)-1:0] count;
    logic almost_full;
    logic [63:0] data;
    assign out_o = {31'b0, almost_full, 32'(count), data};
    fifo #(.WIDTH(64), .DEPTH(DEPTH), .HEADROOM(2), .MUST_TAKE(BLOCK == "fifo_must_take")) u_dut (
        .clk_i, .rst_i, .valid_i, .ready_o, .data_i(in_i[63:0]), .valid_o, .ready_i, .data_o(data),
        .count_o(count), .almost_full_o(almost_full));

    unread u_unread (.d_i(^in_i[95:64]));
  end else if (BLOCK == "delay_line") begin : g_line
    assign ready_o = 1'b1;
    assign out_o[127:96] = '0;
    logic [31:0] tag;
    logic [63:0] data;
    assign out_o[95:0] = {tag, data};
    tag_line #(.LATENCY(DEPTH), .TAG_WIDTH(32)) u_tag (
        .clk_i, .rst_i, .valid_i, .tag_i(in_i[95:64]), .valid_o, .tag_o(tag));
    delay_line #(.WIDTH(64), .DEPTH(DEPTH)) u_dut (.clk_i, .d_i(in_i[63:0]), .q_o(data));

    unread u_unread (.d_i(ready_i));
  end else begin : g_invalid
    $error("tb_common: there is no block of this name");
  end
endmodule
