// A scalar's windows as signed digits (MSMAC's Scalar Convert): -(2^(c-1) - 1) to 2^(c-1) for windows of c bits, so that
// half of the buckets suffice.
//
//   scalar = sum over w of 2^(c w) (-1)^negative[w] magnitude[w]
//
// Contract: negative_o and magnitudes_o in cycle t belong to scalar_i of cycle t - LATENCY. The top window has at most
// c - 1 bits of the scalar, so that it holds the last carry: WINDOWS * WINDOW > SCALAR_WIDTH. A magnitude has c bits,
// the lowest window's first; zero is never negative.
module signed_digits #(
    parameter int SCALAR_WIDTH = 254,
    parameter int WINDOW = 13,
    parameter int LATENCY = 1,
    localparam int WINDOWS = SCALAR_WIDTH / WINDOW + 1
) (
    input  logic                      clk_i,
    input  logic [  SCALAR_WIDTH-1:0] scalar_i,
    output logic [       WINDOWS-1:0] negative_o,
    output logic [WINDOWS*WINDOW-1:0] magnitudes_o
);
  if (WINDOW < 2) begin : g_invalid
    $error("signed_digits: WINDOW is at least 2");
  end

  localparam int PADDED = WINDOWS * WINDOW;
  localparam logic [WINDOW:0] HALF = (WINDOW + 1)'(1) << (WINDOW - 1);
  logic [PADDED-1:0] scalar;
  logic [WINDOWS-1:0] negative;
  logic [PADDED-1:0] magnitudes;
  assign scalar = PADDED'(scalar_i);

  logic carry;
  logic [WINDOW:0] digit;
  always_comb begin
    carry = 1'b0;
    digit = '0;
    for (int w = 0; w < WINDOWS; w++) begin
      digit = {1'b0, scalar[w*WINDOW+:WINDOW]} + (WINDOW + 1)'(carry);
      carry = digit > HALF;
      // 2^c itself is zero and a carry.
      negative[w] = carry && !digit[WINDOW];
      magnitudes[w*WINDOW+:WINDOW] = carry ? -digit[WINDOW-1:0] : digit[WINDOW-1:0];
    end
  end
  delay_line #(.WIDTH(WINDOWS + PADDED), .DEPTH(LATENCY)) u_digits (
      .clk_i, .d_i({negative, magnitudes}), .q_o({negative_o, magnitudes_o}));
endmodule
