// CycloneMSM (4.4, Figure 6): commands from the host, points from three memory channels, conflicts to memory and back, a
// window's accumulation and aggregation on chip, its sum to the host.
//
// Contract: command, point and result streams as AXI-Stream has them (cyclone_commands, cyclone_points, cyclone_result),
// registers as AXI4-Lite (axi_lite_registers). For each window, the host sends a digit for every point, the memories send
// all points, each stream with its last beat marked, and a sum comes. A point of digit 0 passes. Windows follow each
// other without a word of the host. The spill's ports are spill_fifo's, with a point as {bucket, negative, x, y, u};
// reset_o resets the memory behind them, and whatever else sends to the core.
//
// Registers, by their number; docs/hardware.md has their addresses and meanings:
//   0 identity   1 configuration   2 control   3 status   from 4 on, counters of 64 bits, the lower half first
module cyclone_top #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 512,
    parameter int COMMAND_QUEUE = 16,
    parameter int POINT_QUEUE = 32,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int CONTROL = 1,
    localparam int COUNTERS = 16,
    localparam int WORDS = 4 + 2 * COUNTERS,
    localparam int ADDRESS = $clog2(WORDS) + 2,
    localparam int ENTRY = BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 1
) (
    input  logic               clk_i,
    input  logic               rst_i,
    output logic               reset_o,
    input  logic               command_valid_i,
    output logic               command_ready_o,
    input  logic [      511:0] command_data_i,
    input  logic               command_last_i,
    input  logic [        2:0] point_valid_i,
    output logic [        2:0] point_ready_o,
    input  logic [  3*512-1:0] point_data_i,
    input  logic [        2:0] point_last_i,
    output logic               spill_valid_o,
    input  logic               spill_ready_i,
    output logic [  ENTRY-1:0] spill_data_o,
    input  logic               spill_valid_i,
    output logic               spill_ready_o,
    input  logic [  ENTRY-1:0] spill_data_i,
    output logic               result_valid_o,
    input  logic               result_ready_i,
    output logic [      511:0] result_data_o,
    output logic               result_last_o,
    input  logic               awvalid_i,
    output logic               awready_o,
    input  logic [ADDRESS-1:0] awaddr_i,
    input  logic               wvalid_i,
    output logic               wready_o,
    input  logic [       31:0] wdata_i,
    input  logic [        3:0] wstrb_i,
    output logic               bvalid_o,
    input  logic               bready_i,
    output logic [        1:0] bresp_o,
    input  logic               arvalid_i,
    output logic               arready_o,
    input  logic [ADDRESS-1:0] araddr_i,
    output logic               rvalid_o,
    input  logic               rready_i,
    output logic [       31:0] rdata_o,
    output logic [        1:0] rresp_o
);
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  localparam logic [31:0] IDENTITY = "CYCL";
  if (BUCKET_WIDTH < 1 || BUCKET_WIDTH > 23 || MUL_LATENCY > 255 || LATENCY > 255 || CONTROL > 255) begin : g_invalid
    $error("cyclone_top: BUCKET_WIDTH is from 1 to 23, stages are at most 255");
  end

  // The core's reset: the outer one, or the host's.
  logic write, host_reset, reset;
  logic [31:0] write_data;
  always_ff @(posedge clk_i) host_reset <= write && write_data[0];
  assign reset = rst_i || host_reset;
  assign reset_o = reset;

  logic command_valid, command_last, finish, accumulated, take;
  logic [31:0] digit;
  cyclone_commands #(.DEPTH(COMMAND_QUEUE)) u_commands (
      .clk_i, .rst_i(reset), .valid_i(command_valid_i), .ready_o(command_ready_o), .data_i(command_data_i),
      .last_i(command_last_i), .valid_o(command_valid), .ready_i(take), .digit_o(digit), .last_o(command_last),
      .finish_o(finish), .finished_i(accumulated)
  );
  logic point_valid;
  logic [2:0] point_last;
  logic [WIDTH-1:0] x, y, u;
  cyclone_points #(.DEPTH(POINT_QUEUE)) u_points (
      .clk_i, .rst_i(reset), .valid_i(point_valid_i), .ready_o(point_ready_o), .data_i(point_data_i),
      .last_i(point_last_i), .valid_o(point_valid), .ready_i(take), .x_o(x), .y_o(y), .u_o(u), .last_o(point_last)
  );

  // A digit of magnitude m belongs to bucket m - 1.
  logic negative, zero, too_large, offered, core_ready;
  logic [31:0] bucket;
  assign negative = digit[31];
  assign zero = digit == 0;
  assign bucket = (negative ? -digit : digit) - 1'b1;
  assign too_large = !zero && bucket[31:BUCKET_WIDTH] != 0;
  assign offered = command_valid && point_valid;
  assign take = offered && core_ready;

  logic swept, aggregating, issue, sum_valid, sum_ready;
  logic [31:0] conflicts, passes, high_water;
  logic [4*WIDTH-1:0] sum;
  cyclone_pe #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
      .CONTROL(CONTROL)
  ) u_core (
      .clk_i, .rst_i(reset), .valid_i(offered && !zero && !too_large), .ready_o(core_ready),
      .bucket_i(bucket[BUCKET_WIDTH-1:0]), .negative_i(negative), .x_i(x), .y_i(y), .u_i(u), .finish_i(finish),
      .accumulated_o(accumulated),
      .spill_valid_o, .spill_ready_i, .spill_data_o, .spill_valid_i, .spill_ready_o, .spill_data_i,
      .valid_o(sum_valid), .ready_i(sum_ready), .x_o(sum[0*WIDTH+:WIDTH]), .y_o(sum[1*WIDTH+:WIDTH]),
      .z_o(sum[2*WIDTH+:WIDTH]), .t_o(sum[3*WIDTH+:WIDTH]), .swept_o(swept), .aggregating_o(aggregating),
      .issue_o(issue), .conflicts_o(conflicts), .passes_o(passes), .high_water_o(high_water)
  );
  cyclone_result u_result (
      .clk_i, .rst_i(reset), .valid_i(sum_valid), .ready_o(sum_ready), .sum_i(sum), .valid_o(result_valid_o),
      .ready_i(result_ready_i), .data_o(result_data_o), .last_o(result_last_o)
  );

  // What is counted. A window is open from its first digit to its last.
  logic open, further, misaligned, refused;
  assign further = finish && swept && !aggregating && !sum_valid;
  always_ff @(posedge clk_i) begin
    open <= (open || take) && !accumulated;
    if (take && point_last != {3{command_last}}) misaligned <= 1'b1;
    if (take && too_large) refused <= 1'b1;
    if (reset) begin
      open <= 1'b0;
      misaligned <= 1'b0;
      refused <= 1'b0;
    end
  end
  logic [64*COUNTERS-1:0] counters;
  event_counters #(.EVENTS(13)) u_counters (
      .clk_i, .rst_i(reset),
      .events_i({
        spill_valid_o && spill_ready_i,
        issue,
        take && zero,
        take,
        sum_valid && sum_ready,
        open && !finish && offered && !core_ready,
        open && !finish && command_valid && !point_valid,
        open && !finish && !command_valid,
        !swept,
        sum_valid && !sum_ready,
        aggregating,
        further,
        take || (open && !finish)
      }),
      .counts_o(counters[64*13-1:0])
  );
  assign counters[64*13+:192] = {64'(high_water), 64'(passes), 64'(conflicts)};

  logic [$clog2(WORDS)-1:0] unused_index;
  logic unused;
  assign unused = ^write_data[31:1];
  axi_lite_registers #(.WORDS(WORDS), .WRITABLE(WORDS'(4))) u_registers (
      .clk_i, .rst_i, .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o,
      .bready_i, .bresp_o, .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .values_i({
        counters,
        {29'b0, refused, misaligned, open || finish || aggregating || sum_valid || !swept},
        32'b0,
        {8'(CONTROL), 8'(LATENCY), 8'(MUL_LATENCY), 8'(BUCKET_WIDTH)},
        IDENTITY
      }),
      .write_o(write), .write_index_o(unused_index), .write_data_o(write_data)
  );
endmodule
