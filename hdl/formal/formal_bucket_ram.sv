// SPDX-License-Identifier: MIT OR Apache-2.0
// bucket_ram with any use that its contract allows. The proof watches one arbitrary bucket: whether it is occupied, and
// its content, through writes, clears, and the sweep after all epochs are used. The RAM is ready within BUCKETS cycles.
module formal_bucket_ram #(
    parameter int BUCKETS = 4,
    parameter int LATENCY = 3
) (
    input logic       clk_i,
    input logic       rst_i,
    input logic       clear_i,
    input logic       read_i,
    input logic [1:0] read_address_i,
    input logic       write_i,
    input logic [1:0] write_address_i,
    input logic       data_i
);
  initial assume (rst_i);
  (* anyconst *) logic [1:0] chosen;
  logic ready, occupied, data;
  bucket_ram #(.WIDTH(1), .BUCKETS(BUCKETS), .EPOCH_WIDTH(2), .BANK(2), .LATENCY(LATENCY)) u_dut (
      .clk_i, .rst_i, .clear_i, .ready_o(ready), .read_i, .read_address_i, .occupied_o(occupied), .data_o(data), .write_i,
      .write_address_i, .data_i);

  logic live, there, held;
  logic [LATENCY-1:0] read;
  logic [LATENCY-2:0] was_there, was_held;
  logic [2:0] sweeping;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    read <= rst_i ? '0 : {read[LATENCY-2:0], ready && !clear_i && read_i && read_address_i == chosen};
    was_there <= {was_there[LATENCY-3:0], there};
    was_held <= {was_held[LATENCY-3:0], held};
    if (write_i && write_address_i == chosen) {there, held} <= {1'b1, data_i};
    if (clear_i || rst_i) there <= 1'b0;
    sweeping <= rst_i || ready ? '0 : sweeping + 1'b1;
  end
  always @* if (live && !rst_i) begin
    // When buckets are cleared, no write and no read is under way. Buckets are not used while they are swept.
    assume (!(clear_i && (write_i || read != 0)));
    assume (ready || !(clear_i || write_i));
    assert (ready || sweeping < BUCKETS);
    if (read[LATENCY-1]) begin
      assert (occupied == was_there[LATENCY-2]);
      if (was_there[LATENCY-2]) assert (data == was_held[LATENCY-2]);
    end
  end
endmodule
