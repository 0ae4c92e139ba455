// SPDX-License-Identifier: MIT OR Apache-2.0
// A scalar's windows as signed digits (MSMAC's Scalar Convert): -2^(c-1) to 2^(c-1) - 1 for windows of c bits, so half
// of the buckets suffice.
//
//   scalar = sum over w of 2^(c w) (-1)^negative[w] magnitude[w]
//
// Adding half of the range of every window except the last to the scalar makes bit fields of the digits. This is one
// addition, in segments (wide_add), after which the windows are independent. The cycle models have the same digits.
//
// Contract: negative_o and magnitudes_o in cycle t belong to scalar_i of cycle t - LATENCY, which is at least 2. With
// 2, the windows' sums are registers, followed by a sum of c bits. The top window has at most c - 1 bits of the scalar,
// so that it holds the last carry: WINDOWS * WINDOW > SCALAR_WIDTH. The top window is never negative. A magnitude has c
// bits, the lowest window first; zero is never negative.
module signed_digits #(
    parameter int SCALAR_WIDTH = 254,
    parameter int WINDOW = 13,
    parameter int LATENCY = 2,
    localparam int WINDOWS = SCALAR_WIDTH / WINDOW + 1
) (
    input  logic                      clk_i,
    input  logic [  SCALAR_WIDTH-1:0] scalar_i,
    output logic [       WINDOWS-1:0] negative_o,
    output logic [WINDOWS*WINDOW-1:0] magnitudes_o
);
  if (WINDOW < 2 || LATENCY < 2) begin : g_invalid
    $error("signed_digits: WINDOW and LATENCY are at least 2");
  end

  localparam int PADDED = WINDOWS * WINDOW;
  localparam logic [WINDOW-1:0] HALF = WINDOW'(1) << (WINDOW - 1);
  localparam logic [PADDED-1:0] BIAS = {WINDOW'(0), {(WINDOWS - 1) {HALF}}};
  logic [PADDED-1:0] biased, magnitudes;
  logic [WINDOWS-1:0] negative;
  wide_add #(.WIDTH(PADDED)) u_biased (
      .clk_i, .a_i(PADDED'(scalar_i)), .b_i(BIAS), .carry_i(1'b0), .s_o(biased));
  for (genvar w = 0; w < WINDOWS; w++) begin : g_digit
    logic [WINDOW-1:0] field;
    assign field = biased[w*WINDOW+:WINDOW];
    if (w == WINDOWS - 1) begin : g_top
      assign negative[w] = 1'b0;
      assign magnitudes[w*WINDOW+:WINDOW] = field;
    end else begin : g_signed
      assign negative[w] = field < HALF;
      assign magnitudes[w*WINDOW+:WINDOW] = negative[w] ? HALF - field : field - HALF;
    end
  end
  delay_line #(.WIDTH(WINDOWS + PADDED), .DEPTH(LATENCY - 2)) u_digits (
      .clk_i, .d_i({negative, magnitudes}), .q_o({negative_o, magnitudes_o}));
endmodule
