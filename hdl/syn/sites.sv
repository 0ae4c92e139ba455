// SPDX-License-Identifier: MIT OR Apache-2.0
// Two blocks of hdl/rtl/field in cells of UltraScale+, for the counts of synth.py. A LUT6_2 is a LUT with two outputs: two functions
// of the same five inputs. Vivado maps these blocks so; yosys takes a LUT for each function. `hdl/formal/prove.sh sites` proves that both are the
// blocks.

// The sum and the majority of three bits share a LUT.
module carry_save #(
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    output logic [WIDTH-1:0] sum_o,
    output logic [WIDTH-1:0] carries_o
);
  logic [WIDTH:0] carries;
  assign carries[0] = 1'b0;
  assign carries_o = carries[WIDTH-1:0];
  for (genvar i = 0; i < WIDTH; i++) begin : g_bit
    LUT6_2 #(.INIT(64'h96969696_e8e8e8e8)) u_lut (
        .I0(a_i[i]), .I1(b_i[i]), .I2(c_i[i]), .I3(1'b0), .I4(1'b0), .I5(1'b1), .O6(sum_o[i]), .O5(carries[i+1]));
  end
endmodule

// The chain adds the bits' sums to their majorities, a place higher. A bit's LUT has the majority of its bits (O5), which goes to
// the next bit, and the sum of its bits and of the majority from below (O6). A carry has two places at each end: the majority's and the
// chain's.
module add_three #(
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    input  logic [      1:0] carry_i,
    output logic [WIDTH-1:0] s_o,
    output logic [      1:0] carry_o
);
  localparam int CHAINS = (WIDTH + 3) / 4;
  logic [WIDTH:0] majorities;
  logic [4*CHAINS:0] carries;
  logic [4*CHAINS-1:0] selects, data, sums;
  assign majorities[0] = |carry_i;
  assign carries[0] = carry_i[1];
  assign data = (4 * CHAINS)'(majorities[WIDTH-1:0]);
  for (genvar i = 0; i < 4 * CHAINS; i++) begin : g_bit
    if (i < WIDTH) begin : g_lut
      LUT6_2 #(.INIT(64'h69966996_e8e8e8e8)) u_lut (
          .I0(a_i[i]), .I1(b_i[i]), .I2(c_i[i]), .I3(majorities[i]), .I4(1'b0), .I5(1'b1), .O6(selects[i]),
          .O5(majorities[i+1]));
    end else begin : g_none
      assign selects[i] = 1'b0;
    end
  end
  for (genvar i = 0; i < CHAINS; i++) begin : g_chain
    CARRY4 u_chain (
        .CI(i == 0 ? 1'b0 : carries[4*i]), .CYINIT(i == 0 ? carries[0] : 1'b0), .DI(data[4*i+:4]),
        .S(selects[4*i+:4]), .O(sums[4*i+:4]), .CO(carries[4*i+1+:4]));
  end
  assign s_o = sums[WIDTH-1:0];
  assign carry_o = 2'(carries[WIDTH]) + 2'(majorities[WIDTH]);
endmodule
