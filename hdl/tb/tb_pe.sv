// A processing element with the ports of every bench. Coordinates have 384 bits each: in_i = {operation, digit, u, y, x}
// with the sign of the digit on top of its bucket, out_o = {high water, passes, conflicts, t, z, y, x}. Operation 0 is
// a point, 1, held, finishes the window.
module tb_pe #(
    parameter int BUCKET_WIDTH = 5,
    parameter int QUEUE = 256
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           valid_i,
    output logic           ready_o,
    input  logic [1215:0]  in_i,
    output logic           valid_o,
    input  logic           ready_i,
    output logic [1631:0]  out_o,
    output logic [  31:0]  latency_o
);
  localparam int WORD = bls12_377_pkg::WORD;
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  logic [31:0] operation, digit;
  logic [WORD-1:0] x1, y1, u1, x, y, z, t;
  logic [31:0] conflicts, passes, high_water;
  assign {operation, digit, u1, y1, x1} = in_i;
  assign out_o = {high_water, passes, conflicts, t, z, y, x};
  assign latency_o = 32'd96;
  assign x[WORD-1:WIDTH] = '0;
  assign y[WORD-1:WIDTH] = '0;
  assign z[WORD-1:WIDTH] = '0;
  assign t[WORD-1:WIDTH] = '0;
  cyclone_pe #(.BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(field_pkg::BEHAVIOURAL)) u_dut (
      .clk_i, .rst_i, .valid_i(valid_i && operation == 0), .ready_o,
      .bucket_i(digit[BUCKET_WIDTH-1:0]), .negative_i(digit[31]),
      .x_i(x1[WIDTH-1:0]), .y_i(y1[WIDTH-1:0]), .u_i(u1[WIDTH-1:0]), .finish_i(valid_i && operation == 1),
      .valid_o, .x_o(x[WIDTH-1:0]), .y_o(y[WIDTH-1:0]), .z_o(z[WIDTH-1:0]), .t_o(t[WIDTH-1:0]),
      .conflicts_o(conflicts), .passes_o(passes), .high_water_o(high_water)
  );

  logic unused;
  assign unused = ^{ready_i, digit, x1, y1, u1};
endmodule
