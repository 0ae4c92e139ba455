// SPDX-License-Identifier: MIT OR Apache-2.0
// The input of DEPTH cycles ago.
//
// Contract: q_o in cycle t is d_i of cycle t - DEPTH; DEPTH = 0 is a wire. There is no reset, because the line holds
// only data.
//
// Synthesis sees a shift register, which maps to SRLs. With SPREAD, it sees registers that a placer can put along a
// long way (an attribute of Vivado, which yosys does not know). Simulation sees a ring buffer with one write a cycle,
// however long the line is. Without the ring buffer, a pipeline of a hundred stages would spend its time copying.
module delay_line #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 1,
    parameter bit SPREAD = 0
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] d_i,
    output logic [WIDTH-1:0] q_o
);
  if (DEPTH < 0 || WIDTH < 1) begin : g_invalid
    $error("delay_line: DEPTH is at least 0, WIDTH at least 1");
  end
  unread u_unread (.d_i(SPREAD));

  if (DEPTH == 0) begin : g_wire
    unread u_unread (.d_i(clk_i));
    assign q_o = d_i;
  end else if (DEPTH == 1) begin : g_register
    always_ff @(posedge clk_i) q_o <= d_i;
  end else begin : g_line
`ifdef SYNTHESIS
    (* shreg_extract = SPREAD ? "no" : "auto" *) logic [DEPTH*WIDTH-1:0] line;
    always_ff @(posedge clk_i) line <= {line[(DEPTH-1)*WIDTH-1:0], d_i};
    assign q_o = line[DEPTH*WIDTH-1-:WIDTH];
`else
    localparam int POINTER = $clog2(DEPTH);
    logic [WIDTH-1:0] ring[DEPTH];
    logic [POINTER-1:0] at;
    initial at = '0;
    always_ff @(posedge clk_i) begin
      ring[at] <= d_i;
      at <= at == POINTER'(DEPTH - 1) ? '0 : at + 1'b1;
    end
    assign q_o = ring[at];
`endif
  end
endmodule
