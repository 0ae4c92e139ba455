// pairing_scheduler with any points, and an adder that takes any time: a marked point is in one pair at a time, its mark is
// in the pair's sum, and at the end in its bucket; a bucket that no point came to is empty.
module formal_pairing (
    input logic       clk_i,
    input logic       rst_i,
    input logic       valid_i,
    input logic [1:0] bucket_i,
    input logic       mark_i,
    input logic       adder_takes_i,
    input logic       adder_gives_i,
    input logic       finish_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] chosen;
  logic ready, pair_valid, left, right, sum_valid, sum, done, occupied, found, adder_ready, pair_ready, returned;
  logic almost_full, reading, read;
  logic [1:0] pair_bucket, sum_bucket, count;
  logic [31:0] pairs, collisions;
  assign pair_ready = adder_takes_i && adder_ready;
  assign sum_valid = returned && adder_gives_i;
  pairing_scheduler #(
      .BUCKET_WIDTH(2), .BANK_WIDTH(1), .DATA_WIDTH(1), .PAIRS(4), .COLLISIONS(4), .IN_FLIGHT(2)
  ) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .bucket_i, .data_i(mark_i),
      .pair_valid_o(pair_valid), .pair_ready_i(pair_ready), .pair_bucket_o(pair_bucket), .left_o(left),
      .right_o(right), .sum_valid_i(sum_valid), .sum_bucket_i(sum_bucket), .sum_i(sum), .finish_i, .done_o(done),
      .read_i(read), .read_bucket_i(chosen), .read_occupied_o(occupied), .read_data_o(found),
      .pairs_o(pairs), .collisions_o(collisions)
  );
  fifo #(.WIDTH(3), .DEPTH(2)) u_adder (
      .clk_i, .rst_i, .valid_i(pair_valid && pair_ready), .ready_o(adder_ready), .data_i({pair_bucket, left | right}),
      .valid_o(returned), .ready_i(adder_gives_i), .data_o({sum_bucket, sum}), .count_o(count),
      .almost_full_o(almost_full)
  );

  // The chosen bucket is read once, at the end.
  logic live, marked, marked_here, came, ended;
  initial live = 1'b0;
  assign read = done && !ended;
  always @* if (live && marked) assume (!mark_i);
  always @* if (live && ended) assume (!valid_i);
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    reading <= read && !rst_i;
    if (read) ended <= 1'b1;
    if (valid_i && ready) begin
      marked <= marked || mark_i;
      if (bucket_i == chosen) begin
        came <= 1'b1;
        marked_here <= marked_here || mark_i;
      end
    end
    if (rst_i) {marked, marked_here, came, ended} <= '0;
  end
  always @* if (live && !rst_i) begin
    if (pair_valid) assert (!(left && right));
    if (reading) begin
      assert (occupied == came);
      if (occupied) assert (found == marked_here);
    end
  end
endmodule
