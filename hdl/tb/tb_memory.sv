// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory as a queue: a word can be read LATENCY cycles after its write, in order. The writer or the reader waits in
// cycles with stall_write_i or stall_read_i.
module tb_memory #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 1 << 16,
    parameter int LATENCY = 40
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             stall_write_i,
    input  logic             stall_read_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  localparam int POINTER = $clog2(DEPTH);
  logic [WIDTH-1:0] words[DEPTH];
  logic [POINTER-1:0] head, tail;
  logic [POINTER:0] count, arrived;
  logic take, give, arrives, offered, unused_tag;
  assign ready_o = !stall_write_i && count != (POINTER + 1)'(DEPTH);
  assign valid_o = arrived != 0 && (offered || !stall_read_i);
  assign data_o = words[head];
  assign take = valid_i && ready_o;
  assign give = valid_o && ready_i;
  tag_line #(.LATENCY(LATENCY)) u_arrival (
      .clk_i, .rst_i, .valid_i(take), .tag_i(1'b0), .valid_o(arrives), .tag_o(unused_tag));
  always_ff @(posedge clk_i) begin
    if (take) words[tail] <= data_i;
    tail <= tail + POINTER'(take);
    head <= head + POINTER'(give);
    count <= count + (POINTER + 1)'(take) - (POINTER + 1)'(give);
    arrived <= arrived + (POINTER + 1)'(arrives) - (POINTER + 1)'(give);
    offered <= valid_o && !ready_i;
    if (rst_i) begin
      {head, tail} <= '0;
      count <= '0;
      arrived <= '0;
      offered <= 1'b0;
    end
  end
endmodule
