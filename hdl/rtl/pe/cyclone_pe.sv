// One window of CycloneMSM (4.4): points are added to buckets through the delayed scheduler, by mixed additions, and
// then the buckets are aggregated, by full additions, on the same pipeline.
//
//   accumulation: S_b <- S_b +- P       aggregation, b from the top: R <- R + T, T <- T + S_b; at the end R <- R + T
//
// The sum is that of (b + 1) S_b. Both additions of a step are on the way together. Signed digits and what is done with
// the windows' sums are the host's.
//
// Contract: a point (x, y, u) as te_madd has it, with its bucket and whether it is subtracted, is taken in a cycle with
// valid_i and ready_o. finish_i, held from the last point on until the sum is there, starts the aggregation. valid_o is
// high for one cycle with the sum, extended projective; then the buckets are empty again.
module cyclone_pe #(
    parameter int BUCKET_WIDTH = 15,
    parameter int QUEUE = 1024,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    localparam int WIDTH = bls12_377_pkg::WIDTH
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    valid_i,
    output logic                    ready_o,
    input  logic [BUCKET_WIDTH-1:0] bucket_i,
    input  logic                    negative_i,
    input  logic [       WIDTH-1:0] x_i,
    input  logic [       WIDTH-1:0] y_i,
    input  logic [       WIDTH-1:0] u_i,
    input  logic                    finish_i,
    output logic                    valid_o,
    output logic [       WIDTH-1:0] x_o,
    output logic [       WIDTH-1:0] y_o,
    output logic [       WIDTH-1:0] z_o,
    output logic [       WIDTH-1:0] t_o,
    output logic [            31:0] conflicts_o,
    output logic [            31:0] passes_o,
    output logic [            31:0] high_water_o
);
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam logic [field_pkg::WIDE-1:0] ONE = field_pkg::shifted(
      field_pkg::WIDE'(1), field_pkg::WIDE'(PRIME), bls12_377_pkg::WORD
  );
  // (0 : 1 : 1 : 0), as {t, z, y, x}.
  localparam int POINT = 4 * WIDTH;
  localparam logic [POINT-1:0] NEUTRAL = {WIDTH'(0), ONE[WIDTH-1:0], ONE[WIDTH-1:0], WIDTH'(0)};

  // Accumulation: a point is issued, its bucket read, and in the next cycle both are at the adder.
  logic issue, issued, issued_negative, scheduled, swept, occupied, accumulating;
  logic [BUCKET_WIDTH-1:0] bucket, issued_bucket, next_bucket;
  logic negative;
  logic [WIDTH-1:0] x, y, u, issued_x, issued_y, issued_u;
  logic scheduler_ready;
  assign ready_o = scheduler_ready && accumulating && swept;
  delayed_scheduler #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .DATA_WIDTH(3 * WIDTH + 1), .WINDOW(LATENCY + 1), .QUEUE(QUEUE)
  ) u_scheduler (
      .clk_i, .rst_i,
      .valid_i(valid_i && accumulating && swept), .ready_o(scheduler_ready), .bucket_i,
      .data_i({negative_i, x_i, y_i, u_i}), .finish_i(finish_i && accumulating), .done_o(scheduled),
      .stall_i(1'b0), .issue_o(issue), .bucket_o(bucket), .data_o({negative, x, y, u}),
      .conflicts_o, .passes_o, .high_water_o
  );
  always_ff @(posedge clk_i) begin
    issued <= issue && !rst_i;
    issued_bucket <= bucket;
    issued_negative <= negative;
    issued_x <= x;
    issued_y <= y;
    issued_u <= u;
  end
  logic [WIDTH-1:0] signed_x, signed_u;
  assign signed_x = issued_negative && issued_x != 0 ? PRIME - issued_x : issued_x;
  assign signed_u = issued_negative && issued_u != 0 ? PRIME - issued_u : issued_u;

  // Aggregation: a step reads its bucket, has R + T and T + S taken, and waits for the sums.
  typedef enum logic [2:0] {ACCUMULATE, DRAIN, READ, ADD_R, ADD_T, WAIT} state_e;
  state_e state;
  logic last, took, r_empty, t_empty;
  logic [1:0] pending;
  logic [7:0] drained;
  logic [POINT-1:0] r, t, stored, sum, first, second;
  assign accumulating = state == ACCUMULATE;

  logic add, full, sum_valid, sum_of_r;
  logic [BUCKET_WIDTH-1:0] sum_bucket;
  assign full = !accumulating && state != DRAIN;
  assign add = full ? state == ADD_R || state == ADD_T : issued;
  logic [POINT-1:0] bucket_sum, r_sum, t_sum;
  assign bucket_sum = occupied ? stored : NEUTRAL;
  assign r_sum = r_empty ? NEUTRAL : r;
  assign t_sum = t_empty ? NEUTRAL : t;
  assign first = !full ? bucket_sum : state == ADD_R ? r_sum : t_sum;
  assign second = !full ? {signed_u, WIDTH'(0), issued_y, signed_x} : state == ADD_R ? t_sum : bucket_sum;
  te_two_cycle_add #(
      .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY), .TAG_WIDTH(BUCKET_WIDTH + 1)
  ) u_adder (
      .clk_i, .rst_i, .valid_i(add), .ready_o(took), .full_i(full), .tag_i({state == ADD_R, issued_bucket}),
      .x1_i(first[0*WIDTH+:WIDTH]), .y1_i(first[1*WIDTH+:WIDTH]), .z1_i(first[2*WIDTH+:WIDTH]),
      .t1_i(first[3*WIDTH+:WIDTH]), .x2_i(second[0*WIDTH+:WIDTH]), .y2_i(second[1*WIDTH+:WIDTH]),
      .z2_i(second[2*WIDTH+:WIDTH]), .fourth_i(second[3*WIDTH+:WIDTH]),
      .valid_o(sum_valid), .tag_o({sum_of_r, sum_bucket}),
      .x_o(sum[0*WIDTH+:WIDTH]), .y_o(sum[1*WIDTH+:WIDTH]), .z_o(sum[2*WIDTH+:WIDTH]), .t_o(sum[3*WIDTH+:WIDTH])
  );
  bucket_ram #(.WIDTH(POINT), .BUCKETS(1 << BUCKET_WIDTH)) u_buckets (
      .clk_i, .rst_i, .clear_i(valid_o), .ready_o(swept),
      .read_address_i(full ? next_bucket : bucket), .occupied_o(occupied), .data_o(stored),
      .write_i(sum_valid && !full), .write_address_i(sum_bucket), .data_i(sum)
  );

  assign {t_o, z_o, y_o, x_o} = r;
  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    drained <= '0;
    if (sum_valid && full) begin
      if (sum_of_r) {r_empty, r} <= {1'b0, sum};
      else {t_empty, t} <= {1'b0, sum};
    end
    pending <= pending + 2'(full && add && took) - 2'(full && sum_valid);
    case (state)
      ACCUMULATE: if (scheduled && swept && !valid_o) state <= DRAIN;
      // The last sums come back.
      DRAIN: begin
        drained <= drained + 1'b1;
        r_empty <= 1'b1;
        t_empty <= 1'b1;
        next_bucket <= '1;
        last <= 1'b0;
        if (drained == 8'(LATENCY + 3)) state <= READ;
      end
      READ: state <= ADD_R;
      ADD_R: if (took) state <= last ? WAIT : ADD_T;
      ADD_T: if (took) state <= WAIT;
      WAIT:
      if (pending == 0) begin
        next_bucket <= next_bucket - 1'b1;
        last <= next_bucket == 0;
        state <= last ? ACCUMULATE : READ;
        valid_o <= last;
      end
      default: state <= ACCUMULATE;
    endcase
    if (rst_i) begin
      state <= ACCUMULATE;
      pending <= '0;
      valid_o <= 1'b0;
    end
  end
  if (LATENCY > 250) begin : g_invalid
    $error("cyclone_pe: LATENCY is at most 250");
  end
endmodule
