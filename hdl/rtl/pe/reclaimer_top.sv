// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer: ADDERS windows in a pass over the points, each with two sets of buckets and an adder of batched affine additions.
//
//   points and scalars ---> digits ---> a lane a window <---> its adder ------\
//                                        |                                     >--- chains' products, root of the batch
//                                        halving of the other set <---> shared adder
//                                        |
//                                        parts of the window's sum ---> host
//
// One more adder aggregates the windows of a pass while the points of the next pass come. After the last pass, each window's
// own adder does. All adders have the same batches, whose products have one root.
//
// Contract: streams are AXI4-Stream, a word in a cycle with valid and ready; bits above each field are zero. A beat of points has
// {scalar, y, x} in reclaimer_input's form; a packet of SIZE beats comes for each pass, after the start. For each window, from the
// lowest window on, WINDOW parts {y, x} leave: part l is the sum of the buckets whose number has bit l, and the last part is the
// sum of all buckets. Coordinates are in Montgomery form, and infinity is (0, 0). Registers (docs/hardware.md has their map) may be
// written while the machine is idle; a start with invalid values is refused. fault_o has the errors of the
// status register.
`include "ports.svh"
module reclaimer_top #(
    parameter int CURVE = reclaimer_pkg::BLS12_377,
    parameter int ADDERS = 3,
    parameter int WINDOW = 17,
    parameter int BANK_WIDTH = 2,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int POINTS = 16,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int LAYERS = 3,
    parameter int MUL_LATENCY = 39,
    localparam int WORD = reclaimer_pkg::word(CURVE)
) (
    input  logic clk_i,
    input  logic rst_i,
    output logic fault_o,
    `AXI_LITE_PORTS(12),
    `AXIS_IN(point, 256 + 2 * WORD),
    `AXIS_OUT(part, 2 * WORD)
);
  localparam int WIDTH = reclaimer_pkg::width(CURVE);
  localparam logic [field_pkg::WIDE-1:0] WIDE_PRIME = reclaimer_pkg::prime(CURVE);
  localparam logic [WIDTH-1:0] PRIME = WIDE_PRIME[WIDTH-1:0];
  localparam int POINT = 2 * WIDTH;
  localparam int BUCKET_WIDTH = WINDOW - 1;
  localparam int PAIR = BUCKET_WIDTH + 2 * POINT;
  localparam int UNITS = ADDERS + 1;
  localparam int LANE = $clog2(UNITS);
  // Batches between a pair and its sum, at most.
  localparam int FRAMES = 8;
  if (ADDERS < 1 || UNITS != 1 << LANE) begin : g_invalid
    $error("reclaimer_top: ADDERS + 1 is a power of two");
  end

  `AXI_LITE_STRUCTURES

  // Registers. The address of CONTROL, when written, is the address of STATUS, when read.
  localparam logic [11:0] CONTROL = 'h000, SIZE = 'h004, WINDOWS = 'h008, SHAPE = 'h00c,
      BATCHES = 'h010, COUNTERS = 'h100;
  logic write, readable, start, restart, reset, busy, done, refused, misframed, sensible, input_misframed;
  logic [11:0] write_address, read_address;
  logic [31:0] write_data, read_data, size;
  logic [7:0] windows;
  axi_lite_slave #(.ADDRESS_WIDTH(12)) u_bus (
      .clk_i, .rst_i, .axi_i(request), .axi_o(response),
      .write_o(write), .write_address_o(write_address[11:2]), .write_data_o(write_data),
      .write_ok_i(write_address <= WINDOWS),
      .read_address_o(read_address[11:2]), .read_wait_i(1'b0), .read_data_i(read_data), .read_ok_i(readable)
  );
  assign write_address[1:0] = '0;
  assign read_address[1:0] = '0;
  assign sensible = windows != 0 && 32'(windows) * WINDOW < 256 + WINDOW;
  assign start = write && write_address == CONTROL && write_data[0] && !busy && sensible;
  assign restart = write && write_address == CONTROL && write_data[1];
  assign reset = rst_i || restart;
  assign fault_o = misframed || refused;

  // The phases: points come; their last sums are under way; the pass before is still aggregated; the last pass is aggregated; the
  // last parts leave.
  typedef enum logic [2:0] {IDLE, FILL, PASS, LAST, GIVE} state_e;
  state_e state;
  logic [31:0] left;
  logic [7:0] windows_left;
  logic wanted, emptying, waiting, exchange, aggregating, all_given;
  logic [ADDERS-1:0] active, lane_done, lane_idle, lane_swept;
  assign busy = state != IDLE;
  assign wanted = state == PASS && left != 0;
  assign emptying = state == PASS && left == 0 && !(&lane_done);
  assign waiting = state == PASS && left == 0 && &lane_done;
  assign exchange = waiting && &lane_idle;
  assign aggregating = state == LAST && !(&lane_idle);
  always_ff @(posedge clk_i) begin
    if (write && !busy) begin
      if (write_address == SIZE) size <= write_data;
      if (write_address == WINDOWS) windows <= |write_data[31:8] ? '0 : write_data[7:0];
      if (write_address == CONTROL && write_data[0]) refused <= !sensible;
    end
    case (state)
      IDLE:
      if (start) begin
        state <= FILL;
        left <= size;
        windows_left <= windows;
      end
      FILL: if (&lane_swept && (size == 0 || point_valid)) state <= PASS;
      PASS: begin
        if (take) left <= left - 1'b1;
        if (exchange) begin
          left <= size;
          windows_left <= windows_left - 8'(ADDERS);
          if (32'(windows_left) <= ADDERS) state <= LAST;
        end
      end
      LAST: if (&lane_idle) state <= GIVE;
      GIVE:
      if (all_given) begin
        state <= IDLE;
        done <= 1'b1;
      end
      default: state <= IDLE;
    endcase
    misframed <= !start && (misframed || input_misframed);
    if (start) done <= 1'b0;
    if (reset) begin
      state <= IDLE;
      done <= 1'b0;
      refused <= 1'b0;
      misframed <= 1'b0;
    end
    if (rst_i) begin
      size <= '0;
      windows <= '0;
    end
  end

  // Points with their digits. A point is taken when all lanes that add it are ready.
  logic point_valid, take;
  logic [ADDERS-1:0] zero, negative, lane_ready;
  logic [ADDERS*BUCKET_WIDTH-1:0] bucket;
  logic [POINT-1:0] point;
  reclaimer_input #(.WIDTH(WIDTH), .WORD(WORD), .WINDOW(WINDOW), .ADDERS(ADDERS), .POINTS(POINTS)) u_input (
      .clk_i, .rst_i(reset), .start_i(start), .size_i(size), .windows_i(windows), .misframed_o(input_misframed),
      .valid_i(s_axis_point_tvalid), .ready_o(s_axis_point_tready), .data_i(s_axis_point_tdata),
      .last_i(s_axis_point_tlast), .valid_o(point_valid), .ready_i(take), .zero_o(zero), .negative_o(negative),
      .bucket_o(bucket), .point_o(point)
  );
  assign take = wanted && point_valid && &(lane_ready | zero);

  // The adders, the shared adder last; their batches begin with the first pass.
  logic batches_reset;
  assign batches_reset = reset || state == IDLE || state == FILL;
  logic [UNITS-1:0] adder_valid, adder_ready, sum_valid, placed, multiplied, squares, product_valid, batch_last;
  logic [UNITS*(LANE+PAIR)-1:0] adder_pair;
  logic [UNITS*(LANE+BUCKET_WIDTH)-1:0] sum_tag;
  logic [UNITS*POINT-1:0] sum;
  logic [UNITS*WIDTH-1:0] product, inverse;
  logic inverse_valid;
  for (genvar i = 0; i < UNITS; i++) begin : g_adder
    affine_batch_add #(
        .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(MUL_LATENCY), .BATCH(BATCH),
        .CHAINS(CHAINS), .FRAMES(FRAMES), .TAG_WIDTH(LANE + BUCKET_WIDTH)
    ) u_adder (
        .clk_i, .rst_i(batches_reset), .valid_i(adder_valid[i]), .ready_o(adder_ready[i]),
        .tag_i(adder_pair[i*(LANE+PAIR)+2*POINT+:LANE+BUCKET_WIDTH]), .left_i(adder_pair[i*(LANE+PAIR)+POINT+:POINT]),
        .right_i(adder_pair[i*(LANE+PAIR)+:POINT]), .valid_o(sum_valid[i]),
        .tag_o(sum_tag[i*(LANE+BUCKET_WIDTH)+:LANE+BUCKET_WIDTH]), .sum_o(sum[i*POINT+:POINT]),
        .product_valid_o(product_valid[i]), .product_o(product[i*WIDTH+:WIDTH]), .inverse_valid_i(inverse_valid),
        .inverse_i(inverse[i*WIDTH+:WIDTH]), .placed_o(placed[i]), .multiplied_o(multiplied[i]), .squares_o(squares[i]),
        .last_o(batch_last[i])
    );
  end
  batch_root #(
      .WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LAYERS(LAYERS), .LATENCY(MUL_LATENCY), .BATCH(BATCH),
      .CHAINS(CHAINS), .ADDERS(UNITS)
  ) u_root (
      .clk_i, .rst_i(batches_reset), .valid_i(product_valid[0]), .product_i(product), .valid_o(inverse_valid),
      .inverse_o(inverse)
  );

  // The lanes. The shared adder prefers pairs with a sum, because sums cannot wait; otherwise lanes take turns.
  logic [2*ADDERS-1:0] pair_valid, pair_ready;
  logic [ADDERS-1:0] of_sum, served, part_valid, part_ready;
  logic [2*ADDERS*PAIR-1:0] pair;
  logic [ADDERS*POINT-1:0] part;
  logic [ADDERS*64-1:0] collisions;
  logic [ADDERS*32-1:0] pairs_high, collisions_high;
  logic [LANE-1:0] preferred, served_lane;
  logic shares, found, found_sum;
  always_comb begin
    {found, found_sum} = '0;
    served_lane = '0;
    for (int i = 0; i < ADDERS; i++) begin
      for (int l = 0; l < ADDERS; l++) begin
        if (32'(preferred) + i == l || 32'(preferred) + i == l + ADDERS) begin
          if (of_sum[l] && !found_sum) begin
            served_lane = LANE'(l);
            found_sum = 1'b1;
          end else if (pair_valid[2*l+1] && !found && !found_sum) served_lane = LANE'(l);
          found |= pair_valid[2*l+1];
        end
      end
    end
  end
  assign shares = found && state != LAST && adder_ready[ADDERS];
  always_ff @(posedge clk_i) begin
    if (shares) preferred <= 32'(served_lane) == ADDERS - 1 ? '0 : served_lane + 1'b1;
    if (reset) preferred <= '0;
  end
  for (genvar l = 0; l < ADDERS; l++) begin : g_lane
    localparam int TAG = LANE + BUCKET_WIDTH;
    logic own, shared;
    assign active[l] = 32'(windows_left) > l;
    assign served[l] = shares && served_lane == LANE'(l);
    // The sum of the lane's own adder, and of the shared adder.
    assign own = sum_valid[l];
    assign shared = sum_valid[ADDERS] && sum_tag[ADDERS*TAG+BUCKET_WIDTH+:LANE] == LANE'(l);
    reclaimer_lane #(
        .WIDTH(WIDTH), .PRIME(PRIME), .BUCKET_WIDTH(BUCKET_WIDTH), .BANK_WIDTH(BANK_WIDTH), .PAIRS(PAIRS),
        .COLLISIONS(COLLISIONS), .IN_FLIGHT(FRAMES * BATCH)
    ) u_lane (
        .clk_i, .rst_i(reset), .clear_i(start), .exchange_i(exchange), .aggregate_i(active[l]),
        .swept_o(lane_swept[l]), .done_o(lane_done[l]), .idle_o(lane_idle[l]),
        .valid_i(take && !zero[l]), .ready_o(lane_ready[l]), .bucket_i(bucket[l*BUCKET_WIDTH+:BUCKET_WIDTH]),
        .negative_i(negative[l]), .point_i(point), .pair_valid_o(pair_valid[2*l+:2]), .pair_of_sum_o(of_sum[l]),
        .pair_ready_i(pair_ready[2*l+:2]), .pair_o(pair[2*l*PAIR+:2*PAIR]),
        .sum_valid_i({state == LAST ? own : shared, own && state != LAST}),
        .sum_bucket_i({state == LAST ? sum_tag[l*TAG+:BUCKET_WIDTH] : sum_tag[ADDERS*TAG+:BUCKET_WIDTH],
            sum_tag[l*TAG+:BUCKET_WIDTH]}),
        .sum_i({state == LAST ? sum[l*POINT+:POINT] : sum[ADDERS*POINT+:POINT], sum[l*POINT+:POINT]}),
        .part_valid_o(part_valid[l]), .part_ready_i(part_ready[l]), .part_o(part[l*POINT+:POINT]),
        .collisions_o(collisions[l*64+:64]), .pairs_high_water_o(pairs_high[l*32+:32]),
        .collisions_high_water_o(collisions_high[l*32+:32])
    );
    assign pair_ready[2*l+:2] =
        {state == LAST ? adder_ready[l] : served[l], adder_ready[l] && state != LAST};
    assign adder_valid[l] = state == LAST ? pair_valid[2*l+1] : pair_valid[2*l];
    assign adder_pair[l*(LANE+PAIR)+:LANE+PAIR] =
        {LANE'(l), state == LAST ? pair[(2*l+1)*PAIR+:PAIR] : pair[2*l*PAIR+:PAIR]};
  end
  assign adder_valid[ADDERS] = found && state != LAST;
  assign adder_pair[ADDERS*(LANE+PAIR)+:LANE+PAIR] = {served_lane, pair[(2*served_lane+1)*PAIR+:PAIR]};

  // Parts leave window by window.
  localparam int PART = $clog2(WINDOW);
  logic [7:0] windows_given;
  logic [PART-1:0] part_number;
  logic [LANE-1:0] part_lane;
  logic part_given, last_part;
  logic [POINT-1:0] part_point;
  assign all_given = windows_given == windows;
  assign m_axis_part_tvalid = busy && part_valid[part_lane];
  assign last_part = part_number == PART'(WINDOW - 1);
  assign m_axis_part_tlast = last_part && windows_given + 1'b1 == windows;
  assign part_given = m_axis_part_tvalid && m_axis_part_tready;
  assign part_ready = m_axis_part_tready ? ADDERS'(1) << part_lane : '0;
  assign part_point = part[part_lane*POINT+:POINT];
  assign m_axis_part_tdata = {WORD'(part_point[WIDTH+:WIDTH]), WORD'(part_point[0+:WIDTH])};
  always_ff @(posedge clk_i) begin
    if (part_given) begin
      part_number <= last_part ? '0 : part_number + 1'b1;
      if (last_part) begin
        windows_given <= windows_given + 1'b1;
        part_lane <= 32'(part_lane) == ADDERS - 1 ? '0 : part_lane + 1'b1;
      end
    end
    if (start || reset) begin
      part_number <= '0;
      windows_given <= '0;
      part_lane <= '0;
    end
  end

  // Counters of 64 bits, each with its increment in a cycle; the last counters are the lanes'.
  localparam int GROWING = 15;
  localparam int COUNTED = GROWING + 3;
  logic [GROWING*8-1:0] grows;
  logic [COUNTED*64-1:0] counts;
  logic [31:0] pairs_most, collisions_most;
  logic [63:0] all_collisions;
  logic [7:0] zeros, additions, aggregations, doublings, lane_bubbles, ended;
  logic [15:0] products;
  logic batch_used, root_products;
  always_comb begin
    {zeros, additions, aggregations, doublings, lane_bubbles, ended, products} = '0;
    {pairs_most, collisions_most, all_collisions} = '0;
    for (int i = 0; i < UNITS; i++) begin
      additions += 8'(adder_valid[i] && adder_ready[i]);
      doublings += 8'(squares[i]);
      products += squares[i] ? 16'd1 : multiplied[i] ? 16'd6 : placed[i] ? 16'd3 : 16'd0;
    end
    for (int l = 0; l < ADDERS; l++) begin
      zeros += 8'(take && active[l] && zero[l]);
      aggregations += 8'(pair_valid[2*l+1] && pair_ready[2*l+1]);
      lane_bubbles += 8'(wanted && windows > 8'(l) && !(adder_valid[l] && adder_ready[l]));
      ended += 8'(exchange && active[l]);
      if (pairs_high[l*32+:32] > pairs_most) pairs_most = pairs_high[l*32+:32];
      if (collisions_high[l*32+:32] > collisions_most) collisions_most = collisions_high[l*32+:32];
      all_collisions += collisions[l*64+:64];
    end
    if (root_products) products += 16'(3 * (UNITS * CHAINS - 1));
  end
  assign root_products = batch_last[0] && (batch_used || |placed);
  assign grows = {
    8'(wanted && !point_valid), lane_bubbles, 8'(wanted && point_valid && !take), 8'b0, doublings, aggregations, additions,
    ended, zeros, 8'(take), 8'(state == PASS && !(&lane_idle)), 8'(aggregating), 8'(waiting), 8'(emptying), 8'(wanted)
  };
  localparam int PRODUCTS = 11;
  for (genvar i = 0; i < GROWING; i++) begin : g_counter
    logic [63:0] count;
    assign counts[64*i+:64] = count;
    always_ff @(posedge clk_i)
      count <= start || reset ? '0 : count + (i == PRODUCTS ? 64'(products) : 64'(grows[8*i+:8]));
  end
  assign counts[64*GROWING+:3*64] = {64'(collisions_most), 64'(pairs_most), all_collisions};
  always_ff @(posedge clk_i) batch_used <= !batches_reset && !batch_last[0] && (batch_used || |placed);

  always_comb begin
    readable = 1'b1;
    case (read_address)
      CONTROL: read_data = {28'b0, misframed, refused, done, busy};
      SIZE: read_data = size;
      WINDOWS: read_data = 32'(windows);
      SHAPE: read_data = {8'(CURVE), 8'(WINDOW), 8'(BANK_WIDTH), 8'(ADDERS)};
      BATCHES: read_data = {8'b0, 8'(MUL_LATENCY), 8'($clog2(CHAINS)), 8'($clog2(BATCH))};
      default: {readable, read_data} = '0;
    endcase
    if (read_address[11:8] == COUNTERS[11:8] && 32'(read_address[7:3]) < COUNTED) begin
      readable = 1'b1;
      read_data = counts[{read_address[7:2], 5'b0}+:32];
    end
  end

  unread u_unread (.d_i(^{sum_tag, write_data, write_address, read_address, product_valid, batch_last, WIDE_PRIME}));
endmodule
