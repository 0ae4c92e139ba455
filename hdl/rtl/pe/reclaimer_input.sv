// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer's points with the signed digits of the windows of a pass.
//
// A beat is a point and its scalar, to which the host has added half of every window's range except the topmost window's. So digit
// = field - 2^(WINDOW-1); the topmost window's digit is its field, at most 2^(WINDOW-1). A shifter for all windows of a pass brings
// the lowest window's field down.
//
// Contract: start_i begins passes over size_i points each, for windows_i windows, ADDERS in a pass, the lowest window first; both
// numbers stay unchanged. A beat is taken in a cycle with valid_i and ready_o. Points leave with valid_o and ready_i, with a digit
// for each adder: zero_o if there is nothing to add or the pass has no window for this adder. misframed_o: a beat is marked as
// the last of a pass but is not, or is the last without the mark, or a digit has no bucket.
module reclaimer_input #(
    parameter int WIDTH = 377,
    parameter int WORD = 384,
    parameter int WINDOW = 17,
    parameter int ADDERS = 3,
    parameter int POINTS = 16,
    localparam int SCALAR = 256,
    localparam int BUCKET_WIDTH = WINDOW - 1
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    input  logic                           start_i,
    input  logic [                   31:0] size_i,
    input  logic [                    7:0] windows_i,
    output logic                           misframed_o,
    input  logic                           valid_i,
    output logic                           ready_o,
    input  logic [      SCALAR+2*WORD-1:0] data_i,
    input  logic                           last_i,
    output logic                           valid_o,
    input  logic                           ready_i,
    output logic [             ADDERS-1:0] zero_o,
    output logic [             ADDERS-1:0] negative_o,
    output logic [ADDERS*BUCKET_WIDTH-1:0] bucket_o,
    output logic [            2*WIDTH-1:0] point_o
);
  localparam int FIELDS = ADDERS * WINDOW;
  localparam logic [WINDOW-1:0] HALF = WINDOW'(1) << (WINDOW - 1);
  // Stages between the stream and the queue.
  localparam int STAGES = 2;
  if (POINTS < 8) begin : g_invalid
    $error("reclaimer_input: POINTS is at least 8");
  end

  // The pass: its points that are still to come, its lowest window, and that window's lowest bit.
  logic [31:0] left;
  logic [7:0] window, shift;
  logic running, full, take;
  logic [STAGES-1:0] there;
  logic [ADDERS-1:0] active_2, invalid_2;
  assign ready_o = running && !full;
  assign take = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    misframed_o <= !rst_i && ((take && last_i != (left == 32'd1)) || (there[STAGES-1] && |(invalid_2 & active_2)));
    if (take) left <= left == 32'd1 ? size_i : left - 1'b1;
    if (take && left == 32'd1) begin
      window <= window + 8'(ADDERS);
      shift <= shift + 8'(FIELDS);
      running <= 32'(window) + ADDERS < 32'(windows_i);
    end
    if (start_i) begin
      left <= size_i;
      window <= '0;
      shift <= '0;
      running <= size_i != 0;
    end
    if (rst_i) running <= 1'b0;
  end

  // The lowest window's field comes down in two steps, of 16 bits and of single bits.
  logic [FIELDS+14:0] coarse_1;
  logic [FIELDS-1:0] fields_2;
  logic [3:0] fine_1;
  logic [7:0] window_1, window_2;
  logic [2*WIDTH-1:0] point_1, point_2;
  logic [SCALAR+FIELDS+14:0] padded;
  assign padded = (SCALAR + FIELDS + 15)'(data_i[2*WORD+:SCALAR]);
  always_ff @(posedge clk_i) begin
    there <= rst_i || start_i ? '0 : STAGES'({there, take});
    coarse_1 <= padded[16*shift[7:4]+:FIELDS+15];
    fine_1 <= shift[3:0];
    fields_2 <= FIELDS'(coarse_1 >> fine_1);
    {window_2, window_1} <= {window_1, window};
    point_1 <= {data_i[WORD+:WIDTH], data_i[0+:WIDTH]};
    point_2 <= point_1;
  end

  logic [ADDERS-1:0] zero_2, negative_2;
  logic [ADDERS*BUCKET_WIDTH-1:0] bucket_2;
  for (genvar i = 0; i < ADDERS; i++) begin : g_digit
    logic top;
    logic [WINDOW-1:0] field, magnitude;
    assign active_2[i] = 32'(window_2) + i < 32'(windows_i);
    assign top = 32'(window_2) + i + 1 == 32'(windows_i);
    assign field = fields_2[i*WINDOW+:WINDOW];
    assign negative_2[i] = !top && !field[WINDOW-1];
    assign magnitude = top ? field : negative_2[i] ? HALF - field : field - HALF;
    assign zero_2[i] = magnitude == 0 || !active_2[i];
    assign invalid_2[i] = magnitude > HALF;
    assign bucket_2[i*BUCKET_WIDTH+:BUCKET_WIDTH] = BUCKET_WIDTH'(magnitude - 1'b1);
  end

  localparam int ENTRY = ADDERS * (2 + BUCKET_WIDTH) + 2 * WIDTH;
  logic unused_ready;
  logic [$clog2(POINTS+1)-1:0] unused_count;
  fifo #(.WIDTH(ENTRY), .DEPTH(POINTS), .HEADROOM(STAGES + 1), .MUST_TAKE(1)) u_points (
      .clk_i, .rst_i(rst_i || start_i), .valid_i(there[STAGES-1]), .ready_o(unused_ready),
      .data_i({zero_2, negative_2, bucket_2, point_2}), .valid_o, .ready_i,
      .data_o({zero_o, negative_o, bucket_o, point_o}), .count_o(unused_count), .almost_full_o(full)
  );

  unread u_unread (.d_i(^{data_i, padded[SCALAR+FIELDS+14:SCALAR]}));
endmodule
